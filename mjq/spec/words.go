package spec

import (
	"fmt"
	"strings"

	"github.com/mjqueue/mjq/internal/check"
	"github.com/mjqueue/mjq/internal/escape"
	"github.com/mjqueue/mjq/mjq/law"
	"github.com/mjqueue/mjq/mjq/result"
)

// String describes the queue in a few lines of text.
func (s *Spec) String() string {
	text := s.Headline() + "\n"
	if away := s.failureText(); away != "" {
		text += escape.Lines(away) + "\n"
	}
	return text + s.Table().String()
}

// HTML is the description as a notebook shows it.
func (s *Spec) HTML() string {
	text := "<p><b>" + escape.HTML(s.Headline()) + "</b></p>"
	for _, line := range strings.Split(s.failureText(), "\n") {
		if line != "" {
			text += "<p>" + escape.HTML(line) + "</p>"
		}
	}
	return text + s.Table().HTML()
}

// Headline is the description in a line.
func (s *Spec) Headline() string {
	return escape.Line(fmt.Sprintf("%s%s, %s, %s", s.Title(), s.roomText()+s.sleepText(), Count(len(s.Classes), "job class"), s.arrivalText()))
}

// roomText says how many jobs may wait.
func (s *Spec) roomText() string {
	switch {
	case s.Room == nil:
		return ""
	case *s.Room == 0:
		return ", jobs that do not fit are lost"
	}
	return fmt.Sprintf(", room for %s to wait", Count(*s.Room, "job"))
}

// Title names the queue, without classes and arrivals.
func (s *Spec) Title() string {
	switch {
	case s.RandomAssignment:
		return "multiserver-job queue with random assignment: " + Count(s.Servers, "server")
	case s.Identities():
		return fmt.Sprintf("%s multiserver-job queue with specific servers: %s", s.discipline(), Count(s.Servers, "server"))
	case s.OnNodes():
		return s.discipline() + " multiserver-job queue: " + s.NodesText()
	case len(s.Resources) == 0:
		return s.discipline() + " multiserver-job queue: " + Count(s.Servers, "server")
	}
	var units []string
	for _, r := range s.Resources {
		units = append(units, fmt.Sprintf("%d %s", r.Units, r.Name))
	}
	return fmt.Sprintf("%s multiserver-job queue: %s", s.discipline(), strings.Join(units, ", "))
}

func (s *Spec) discipline() string {
	if s.AsPrinted {
		return "overtaking (as printed)"
	}
	if s.Policy != nil {
		return s.Policy.String()
	}
	return "FCFS"
}

// arrivalText says how jobs arrive.
func (s *Spec) arrivalText() string {
	poisson := s.Poisson()
	switch {
	case s.sentByUsers():
		return "sent by users"
	case poisson && s.Load != nil:
		return fmt.Sprintf("Poisson arrivals at %.6g of the stability limit", *s.Load)
	case poisson:
		return fmt.Sprintf("Poisson arrivals of rate %s (offered load %.3f)", s.Unit.RateText(s.Rate(), 6), s.OfferedLoad())
	case s.Load != nil:
		return fmt.Sprintf("arrivals %s, scaled to %.6g of the stability limit", s.ArrivalName(), *s.Load)
	case s.Arrivals != nil:
		return fmt.Sprintf("arrivals %s (rate %s, offered load %.3f)", s.ArrivalName(), s.Unit.RateText(s.Rate(), 6), s.OfferedLoad())
	}
	return "no arrivals given"
}

// ArrivalName is the law of the time between arrivals, or the process, in brief.
func (s *Spec) ArrivalName() string {
	if gap, ok := s.Gap(); ok {
		return check.Brief(gap.String())
	}
	switch {
	case s.Arrivals != nil:
		return check.Brief(s.Arrivals.String())
	case s.Load != nil:
		return "Poisson"
	}
	return "of users alone"
}

// Table is the classes.
func (s *Spec) Table() *result.Table {
	var names, laws, picks []string
	var needs, probs, means, scvs []float64
	for i, c := range s.Classes {
		names, laws = append(names, c.Name), append(laws, check.Brief(c.Service.String()))
		needs, probs = append(needs, float64(c.Need)), append(probs, c.Prob)
		means, scvs = append(means, c.Service.Mean()), append(scvs, law.SCV(c.Service))
		p := s.PickOf(i)
		picks = append(picks, p.String())
	}
	t := result.NewTable("").In(s.Unit).Text("class", names...)
	switch {
	case len(s.Resources) > 0:
		for j, r := range s.Resources {
			var units []float64
			for _, c := range s.Classes {
				units = append(units, float64(c.Units[j]))
			}
			t.Numbers(r.Name, units...)
		}
	case s.Identities():
		t.Text("servers", picks...)
	default:
		t.Numbers("servers", needs...)
	}
	t.Numbers("probability", probs...).Numbers("mean service", means...).Time(1).Numbers("SCV", scvs...).Text("service law", laws...)
	s.spanColumn(t)
	s.turnedColumns(t)
	return t
}

// spanColumn is the nodes of a job, where some class lies on several.
func (s *Spec) spanColumn(t *result.Table) {
	if !s.OnNodes() {
		return
	}
	var spans []string
	several := false
	for i := range s.Classes {
		n := s.Span(i)
		several = several || n != 1
		text := fmt.Sprint(n)
		if n == 0 {
			text = "any"
		}
		spans = append(spans, text)
	}
	if several {
		t.Text("nodes", spans...)
	}
}

// turnedColumns are what classes have that may not be served, where some have it.
func (s *Spec) turnedColumns(t *result.Table) {
	var keeps, users []float64
	var patience, thinks []string
	text := func(l law.Law, none string) string {
		if l == nil {
			return none
		}
		return check.Brief(l.String())
	}
	for _, c := range s.Classes {
		keeps, users = append(keeps, float64(c.Keep)), append(users, float64(c.Users))
		patience, thinks = append(patience, text(c.Patience, "for ever")), append(thinks, text(c.Think, ""))
	}
	if s.Keeps() {
		t.Numbers("keeps free", keeps...)
	}
	if s.Impatient() {
		t.Text("patience", patience...)
	}
	if s.Fails() {
		var after []string
		for i := range s.Classes {
			after = append(after, s.AfterFailure(i).String())
		}
		t.Text("after a failure", after...)
	}
	if s.Resizes() {
		var sizes []string
		for i := range s.Classes {
			text := ""
			if e := s.Classes[i].Elastic; e != nil {
				text = e.text()
			}
			sizes = append(sizes, text)
		}
		t.Text("sizes", sizes...)
	}
	if s.HasUsers() {
		t.Numbers("users", users...).Text("think", thinks...)
	}
}

// String is what a class asks of the servers: "2 any + server 1, 3".
func (p *Pick) String() string {
	var parts []string
	if p.Any > 0 {
		parts = append(parts, fmt.Sprintf("%d any", p.Any))
	}
	if p.Random > 0 {
		parts = append(parts, fmt.Sprintf("%d at random", p.Random))
	}
	if len(p.Named) > 0 {
		var numbers []string
		for _, i := range p.Named {
			numbers = append(numbers, fmt.Sprint(i))
		}
		parts = append(parts, "server "+strings.Join(numbers, ", "))
	}
	return strings.Join(parts, " + ")
}
