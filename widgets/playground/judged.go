package playground

import (
	"fmt"
	"strings"

	"github.com/mjqueue/mjq/mjq"
)

// notNegative wants a number of at least 0 where there is one.
func (j *judge) notNegative(e entry, field, label string) {
	switch {
	case !e.given:
	case !e.number:
		j.add(field, label, "Give a number, or leave it empty.")
	case !(e.value >= 0):
		j.add(field, label, fmt.Sprintf("%.10g is negative. Give 0 or more.", e.value))
	}
}

// servers judges servers that fail and sleep.
func (j *judge) servers() {
	if j.Up.given {
		j.positive(j.Up, 1, "up", "Mean time up")
	}
	j.notNegative(j.Repair, "repair", "Mean time to repair")
	j.notNegative(j.Cost, "cost", "Time to write a checkpoint")
	j.notNegative(j.Recovery, "recovery", "Time to recover")
	if j.After == "checkpoint" || j.Every.given {
		j.positive(j.Every, 1, "every", "Checkpoint every")
	}
	if j.Spares.given {
		j.whole(j.Spares, 0, "spares", "Spare servers")
	}
	if !j.Up.given && (j.Repair.given || j.Every.given || j.Cost.given || j.Recovery.given) {
		j.add("up", "Mean time up", "No server fails without it. Give a time, or leave the repair and what jobs do empty.")
	}
	if j.Setup.given {
		j.positive(j.Setup, 1, "setup", "Mean time to wake up")
	} else if j.SleepAfter.given || j.Awake.given {
		j.add("setup", "Mean time to wake up", "No server sleeps without it. Give a time, or leave the other fields of sleep empty.")
	}
	j.notNegative(j.SleepAfter, "sleep-after", "Idle before it sleeps")
	if j.Awake.given {
		j.whole(j.Awake, 0, "awake", "Servers that stay awake")
	}
}

// jobs judges the sizes and the users of a class.
func (j *judge) jobs(k int) {
	c := j.Classes[k]
	field, label := of(k)
	if c.Least.given || c.Most.given || c.Spread.given {
		j.whole(c.Least, 1, field+"least", label+"least servers")
		j.whole(c.Most, 1, field+"most", label+"most servers")
	}
	if c.Spread.given {
		j.positive(c.Spread, 1, field+"spread", label+"parameter of the speed")
	}
	if c.Users.given || c.Think.given {
		j.whole(c.Users, 1, field+"users", label+"users")
		j.positive(c.Think, 1, field+"think", label+"time to think")
	}
}

// stretched judges what the sizes of a class say of each other.
func (j *judge) stretched(k int, c *Class, servers mjq.Model) {
	field, label := of(k)
	rigid := servers.Class(alone, c.Need, 1, mjq.ExpMean(1))
	sizes, err := c.elastic(alone)
	if err != nil {
		j.add(field+"speed", label+"speed", sentence(err))
		return
	}
	m := sizes.of(rigid)
	if !c.stretches() || rigid.Err() != nil || m.Err() == nil {
		return
	}
	text := sentence(m.Err())
	switch {
	case strings.Contains(text, ": least "):
		j.add(field+"least", label+"least servers", text)
	case strings.Contains(text, ": most "):
		j.add(field+"most", label+"most servers", text)
	default:
		j.add(field+"spread", label+"parameter of the speed", text)
	}
}
