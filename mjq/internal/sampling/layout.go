package sampling

// Quantity is what is measured of a queue. Measurements travel in rows of numbers: from a
// path to the merge of all paths, to the control variates, and back from a GPU. Whoever
// writes or reads a row asks its Layout at which index a quantity stands, so that a quantity
// added to one is found by all.
type Quantity int

const (
	Jobs         Quantity = iota // number of jobs: of a class it is random
	Waiting                      // time from arrival to start of service
	Squared                      // square of the waiting time
	Waste                        // server-time that stands idle while the job heads the line and waits
	Response                     // time from arrival to departure
	NoWait                       // number of jobs that do not wait
	NoResponse                   // number of jobs that take no time at all
	Workload                     // total work that the job meets
	Brought                      // work that the job brings
	Between                      // time from an arrival to the next
	Service                      // service time that the job brings
	LevelBetween                 // Between times how full the queue was at the last look
	LevelJobs                    // Jobs times that
	LevelService                 // Service times that
	quantities   = iota
)

// Power is the power of the unit of time in which the quantity is measured: what a row
// is multiplied by where times get another unit.
func (q Quantity) Power() int {
	switch q {
	case Jobs, NoWait, NoResponse:
		return 0
	case Squared, LevelBetween, LevelService:
		return 2
	}
	return 1
}

// Layout of a row: the index of each quantity that it has, by class, by type of
// resource, and of all jobs. Do not change one. A quantity that a row does not have is
// a mistake of the program: its index panics.
type Layout struct {
	classes, kinds int
	what           []Quantity // by index
	class, kind    [quantities]place
	classKind, all [quantities]place
}

// place is where something begins and how far apart its values lie; before the row
// where there is nothing.
type place struct{ from, by int }

const nowhere = -1 << 40

// index is that of the i-th value.
func (p place) index(i int) int {
	at := p.from + i*p.by
	if at < 0 {
		panic("observe: a row without this quantity")
	}
	return at
}

// Class is the index of a quantity of a class.
func (l *Layout) Class(q Quantity, class int) int { return l.class[q].index(class) }

// Kind is the index of a quantity of one type of resource.
func (l *Layout) Kind(q Quantity, kind int) int { return l.kind[q].index(kind) }

// ClassKind is the index of a quantity of a class and a type of resource.
func (l *Layout) ClassKind(q Quantity, class, kind int) int {
	return l.classKind[q].index(class*l.kinds + kind)
}

// All is the index of a quantity of all jobs.
func (l *Layout) All(q Quantity) int { return l.all[q].index(0) }

// Len is the length of a row.
func (l *Layout) Len() int { return len(l.what) }

// What is the quantity at an index.
func (l *Layout) What(index int) Quantity { return l.what[index] }

// empty is the layout of a row of nothing.
func empty(classes, kinds int) *Layout {
	l := &Layout{classes: classes, kinds: kinds}
	for q := range l.all {
		l.class[q], l.kind[q], l.classKind[q], l.all[q] = place{nowhere, 0}, place{nowhere, 0}, place{nowhere, 0}, place{nowhere, 0}
	}
	return l
}

// byClass appends the quantities of one class after another.
func (l *Layout) byClass(list ...Quantity) *Layout {
	for i, q := range list {
		l.class[q] = place{len(l.what) + i, len(list)}
	}
	return l.repeat(l.classes, list...)
}

// byKind appends a quantity by type of resource.
func (l *Layout) byKind(q Quantity) *Layout {
	l.kind[q] = place{len(l.what), 1}
	return l.repeat(l.kinds, q)
}

// byClassAndKind appends a quantity by class and, within it, type of resource.
func (l *Layout) byClassAndKind(q Quantity) *Layout {
	l.classKind[q] = place{len(l.what), 1}
	return l.repeat(l.classes*l.kinds, q)
}

// ofAll appends quantities of all jobs.
func (l *Layout) ofAll(list ...Quantity) *Layout {
	for i, q := range list {
		l.all[q] = place{len(l.what) + i, 0}
	}
	return l.repeat(1, list...)
}

func (l *Layout) repeat(times int, list ...Quantity) *Layout {
	for range times {
		l.what = append(l.what, list...)
	}
	return l
}
