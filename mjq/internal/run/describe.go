package run

import (
	"fmt"
	"strings"

	"github.com/mjqueue/mjq/mjq/internal/problem"
)

// Share leaves the options of the part-th of several parts that samples are dealt out to,
// one at least to each.
func Share(o *problem.Options, m *Method, part, parts int) {
	if m.Takes&problem.Samples == 0 || parts == 1 || o.Targeted() && !o.Has(problem.Samples) {
		return
	}
	n := o.Int(problem.Samples, m.Usual)
	k := n / int64(parts)
	if int64(part) < n%int64(parts) {
		k++
	}
	o.Set(problem.Samples, max(1, k))
}

// Describe is the method with all settings that were given, in a few words, by which
// sweeps are told apart.
func (m *Method) Describe(o *problem.Options) string {
	text := strings.ToLower(m.Name)
	if m.Takes&problem.Eps != 0 {
		text += fmt.Sprintf(" to %g", o.Eps())
	}
	told := problem.Eps
	if m.Takes&problem.Samples != 0 && !o.Targeted() {
		text += fmt.Sprintf(", %d samples", o.Int(problem.Samples, m.Usual))
		told |= problem.Samples
	}
	for _, s := range o.Given(told) {
		if form, ok := inWords[s]; ok {
			text += ", " + strings.ReplaceAll(form, "#", fmt.Sprint(o.Text(s)))
		} else {
			text += fmt.Sprintf(", %s %v", s, o.Text(s))
		}
	}
	return text
}

// inWords are settings as tables and captions say them, # in place of the value.
var inWords = map[problem.Setting]string{
	problem.Samples: "# samples", problem.Jobs: "# jobs", problem.Replications: "# replications", problem.BatchMeans: "# batches",
	problem.WarmUp: "warm-up of # jobs", problem.Window: "window of # jobs", problem.PathLength: "paths of # jobs",
	problem.RelErr: "relative precision #", problem.HalfWidth: "half-width #",
	problem.MomentsOnly: "moments only", problem.Overtaking: "overtaking",
}

// Text is the method with the settings given as it is written in Go, and the target after it.
func (m *Method) Text(o *problem.Options) string {
	var fields, options []string
	for _, s := range o.Given(0) {
		value := fmt.Sprint(o.Text(s))
		switch s {
		case problem.RelErr, problem.HalfWidth, problem.MaxJobs:
			options = append(options, fmt.Sprintf(", mjq.%s(%s)", s, value))
			continue
		case problem.Controls:
			value = "mjq.PlainControls"
			if o.Int(s, 0) == problem.CloseControls {
				value = "mjq.CloseControls"
			}
		case problem.Device:
			value = "mjq." + o.Device.String()
		case problem.MomentsOnly, problem.Overtaking:
			value = "true"
		case problem.WarmUp, problem.PathLength:
			if o.Int(s, 0) == 0 {
				value = "mjq.None"
			}
		}
		fields = append(fields, s.String()+": "+value)
	}
	return fmt.Sprintf("mjq.%s{%s}%s", m.Name, strings.Join(fields, ", "), strings.Join(options, ""))
}
