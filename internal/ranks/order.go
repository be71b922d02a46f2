// Package ranks counts what stands before a place in a line, group by group, while
// members leave from anywhere.
package ranks

// Order is a line of members in groups: a Fenwick tree over the places of an array,
// with a count by group in every node. New members come last. Places count from 1 and
// hold until the next Push. Source: Fenwick, Software: Practice and Experience 24
// (1994).
type Order struct {
	groups  int
	members []int32 // ID and group by place; -1 where the member has gone
	group   []int32
	tree    []int32 // counts by node and group
	at      []int   // place by ID
	next    int     // place of the next to come
	count   int
}

// New is an empty line of members in a given number of groups.
func New(groups int) *Order { return &Order{groups: groups} }

// Push puts a member at the end. IDs are small; one that has left may come again.
func (o *Order) Push(id int32, group int) {
	if o.next >= len(o.members) {
		o.compact()
	}
	for int(id) >= len(o.at) {
		o.at = append(o.at, 0)
	}
	o.put(id, group)
	o.count++
}

func (o *Order) put(id int32, group int) {
	o.members[o.next], o.group[o.next], o.at[id] = id, int32(group), o.next
	o.add(o.next, group, 1)
	o.next++
}

// compact closes the gaps, in a longer array unless half of this one is free then.
func (o *Order) compact() {
	members, group, end := o.members, o.group, o.next
	if size := len(members); 2*o.count >= size {
		size = max(64, 2*size)
		o.members, o.group, o.tree = make([]int32, size), make([]int32, size), make([]int32, size*o.groups)
	}
	clear(o.tree)
	o.next = 1
	for i := 1; i < end; i++ {
		if members[i] >= 0 {
			o.put(members[i], int(group[i]))
		}
	}
}

// Remove takes a member out.
func (o *Order) Remove(id int32, group int) {
	at := o.at[id]
	o.members[at] = -1
	o.add(at, group, -1)
	o.count--
}

func (o *Order) add(at, group int, n int32) {
	for ; at < len(o.members); at += at & -at {
		o.tree[at*o.groups+group] += n
	}
}

// Place is where a member is.
func (o *Order) Place(id int32) int { return o.at[id] }

// UpTo is how many members of a group there are up to a place.
func (o *Order) UpTo(at, group int) (n int) {
	for at = min(at, len(o.members)-1); at > 0; at &= at - 1 {
		n += int(o.tree[at*o.groups+group])
	}
	return n
}

// Last is the last place up to which the members of the first groups weigh at most so
// much together, each as much as its group's weight; -1 if even the empty line does.
func (o *Order) Last(weights []int, most int) (at int) {
	if most < 0 {
		return -1
	}
	for step := len(o.members) / 2; step > 0; step /= 2 {
		node := o.tree[(at+step)*o.groups:][:len(weights)]
		sum := 0
		for g, n := range node {
			sum += int(n) * weights[g]
		}
		if sum <= most {
			most -= sum
			at += step
		}
	}
	return at
}
