package result

import "fmt"

// Prices are what changes of a system that turns jobs away are worth.
type Prices struct {
	Model   string
	Unit    Unit    // of time; "" if it is not known
	Reward  float64 // worth of the jobs carried in a unit of time
	Server  float64 // what one more server adds to it
	Classes []ClassPrice
}

// ClassPrice is what jobs of a class are worth.
type ClassPrice struct {
	Name      string
	Worth     float64 // of a job that is carried
	Job       float64 // what one more job that comes adds to the reward, turned away or not
	Displaced float64 // worth of the other jobs that one in service keeps out
}

// Table has a row for each class.
func (p *Prices) Table() *Table {
	t := NewTable("Prices").Text("class").Numbers("worth of a job").Numbers("displaces").Numbers("one more job adds")
	for _, c := range p.Classes {
		t.Row(c.Name, c.Worth, c.Displaced, c.Job)
	}
	t.Note = fmt.Sprintf("The jobs carried are worth %s%s; one more server adds %s.", p.Unit.worth(p.Reward), p.Unit.inTime(), p.Unit.worth(p.Server))
	return t
}

// String returns the table as text.
func (p *Prices) String() string { return p.Table().String() }

// HTML returns the table and the notes as HTML, for a notebook.
func (p *Prices) HTML() string { return p.Table().HTML() }

// worth is that of the jobs carried in a time, in words.
func (u Unit) worth(x float64) string { return u.RateText(x, 6) }

// inTime says that numbers are those of a unit of time, where they have none.
func (u Unit) inTime() string {
	if u == "" {
		return " in a unit of time"
	}
	return ""
}

// Reservation is the best numbers of servers to keep free of each class (trunk reservation).
type Reservation struct {
	Model   string
	Unit    Unit // of time; "" if it is not known
	Classes []ClassKeep
	Reward  float64 // worth of the jobs carried in a unit of time
	Without float64 // the same with no server kept free
	Bound   float64 // what no rule that lets jobs in exceeds
	BoundBy string  // where the bound is from
	Method  string  // how rewards were found
	Notes   []string
}

// ClassKeep is what holds of a class.
type ClassKeep struct {
	Name    string
	Worth   float64 // of a job that is carried
	Keep    int     // servers that stay free when one of its jobs has started
	Blocked float64 // share of its jobs that is turned away then
}

// Gap is by what part of the bound the reward falls short of it.
func (r *Reservation) Gap() float64 { return 1 - r.Reward/r.Bound }

// Table has a row for each class.
func (r *Reservation) Table() *Table {
	t := NewTable("Best reservation").Text("class").Numbers("worth of a job").Numbers("keeps free").Numbers("blocked")
	for _, c := range r.Classes {
		t.Row(c.Name, c.Worth, c.Keep, c.Blocked)
	}
	t.Note = fmt.Sprintf("The jobs carried are worth %s%s, without reservation %s. No rule carries more than %s (%s), %.2g %% more.",
		r.Unit.worth(r.Reward), r.Unit.inTime(), r.Unit.worth(r.Without), r.Unit.worth(r.Bound), r.BoundBy, 100*(r.Bound/r.Reward-1))
	return t
}

// String returns the table and the notes as text.
func (r *Reservation) String() string { return r.Table().String() + noteLines(r.Notes) }

// HTML returns the table and the notes as HTML, for a notebook.
func (r *Reservation) HTML() string { return r.Table().HTML() + noteParagraphs(r.Notes) }
