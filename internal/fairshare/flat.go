package fairshare

import (
	"fmt"
	"math"

	"github.com/mjqueue/mjq/internal/check"
)

// Tree is a tree of shares ready to compute with. Node 0 is the root; a parent comes before its
// children. Users are numbered in the order of the text.
type Tree struct {
	Users []User
	nodes []node
	leaf  []int // by user, its node
	usage []float64
	level []float64
	order order
}

// User is a user with the account right above; "" at the root.
type User struct{ Account, Name string }

type node struct {
	shares, part float64 // part: of the shares of the siblings
	product      float64 // of the parts along the path
	parent, user int     // user -1 of an account
	users        int     // in it
	children     []int
}

// NewTree is the tree of some nodes below the root, or its faults.
func NewTree(list []Node) (*Tree, error) {
	t := &Tree{nodes: []node{{shares: 1, part: 1, product: 1, parent: -1, user: -1}}}
	var f check.Faults
	t.add(&f, 0, "", list, map[string]bool{}, map[User]bool{})
	for i := len(t.nodes) - 1; i > 0; i-- {
		n := &t.nodes[i]
		if n.user >= 0 {
			n.users = 1
		}
		t.nodes[n.parent].users += n.users
	}
	t.usage, t.level = make([]float64, len(t.nodes)), make([]float64, len(t.nodes))
	t.order.factor, t.order.left = make([]float64, len(t.Users)), make([]int, len(t.Users))
	return t, f.Err("shares")
}

// add puts nodes below one.
func (t *Tree) add(f *check.Faults, parent int, account string, list []Node, accounts map[string]bool, users map[User]bool) {
	sum := 0.0
	for _, n := range list {
		f.That(n.Shares >= 0 && !math.IsInf(n.Shares, 1), "%s has %v shares; give a finite number from 0", n.Name, n.Shares)
		sum += n.Shares
	}
	for _, n := range list {
		at := len(t.nodes)
		x := node{shares: n.Shares, parent: parent, user: -1}
		if sum > 0 {
			x.part = n.Shares / sum
		}
		x.product = t.nodes[parent].product * x.part
		if u := (User{account, n.Name}); !n.Account {
			f.That(!users[u], "user %s stands twice in account %q; add the shares up", n.Name, account)
			users[u] = true
			x.user = len(t.Users)
			t.Users, t.leaf = append(t.Users, u), append(t.leaf, at)
		} else {
			f.That(!accounts[n.Name], "account %s stands twice; give it one place", n.Name)
			accounts[n.Name] = true
		}
		t.nodes = append(t.nodes, x)
		t.nodes[parent].children = append(t.nodes[parent].children, at)
		if n.Account {
			t.add(f, at, n.Name, n.Children, accounts, users)
		}
	}
}

// Find is the user of an account; without that account, the only user of the name.
func (t *Tree) Find(u User) (user int, err error) {
	found := -1
	for i, o := range t.Users {
		switch {
		case o == u:
			return i, nil
		case u.Account == "" && o.Name == u.Name && found >= 0:
			return 0, fmt.Errorf("user %s has shares in the accounts %s and %s, and the jobs name no account", u.Name, t.Users[found].Account, o.Account)
		case u.Account == "" && o.Name == u.Name:
			found = i
		}
	}
	if found < 0 {
		where := ""
		if u.Account != "" {
			where = " of account " + u.Account
		}
		return 0, fmt.Errorf("user %s%s has no share", u.Name, where)
	}
	return found, nil
}

// Owed is the part of all shares of each user: the product along the path.
func (t *Tree) Owed() (list []float64) {
	for _, at := range t.leaf {
		list = append(list, t.nodes[at].product)
	}
	return list
}

// sum adds the usages of the users up to the root.
func (t *Tree) sum(usage []float64) {
	clear(t.usage)
	for i := len(t.nodes) - 1; i > 0; i-- {
		n := &t.nodes[i]
		if n.user >= 0 {
			t.usage[i] = usage[n.user]
		}
		t.usage[n.parent] += t.usage[i]
	}
}
