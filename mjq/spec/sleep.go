package spec

import (
	"encoding/json"
	"fmt"
	"math"

	"github.com/mjqueue/mjq/internal/check"
	"github.com/mjqueue/mjq/mjq/law"
)

// Sleep says that servers which no job needs are switched off.
type Sleep struct {
	After law.Law // time for which a server idles that no job needs before it goes off
	Setup law.Law // time for which a server that is off is set up when a job needs it
}

// Watts are the power of a server, in any unit: while it is busy, idle but on, in setup, and off.
type Watts struct {
	Busy   float64 `json:"busy"`
	Idle   float64 `json:"idle"`
	Setup  float64 `json:"setup"`
	Asleep float64 `json:"asleep"`
}

// sleepForm is Sleep as it is written.
type sleepForm struct {
	After json.RawMessage `json:"after" is:"the distribution of the time before an idle server goes off, as {\"law\":\"Deterministic\",\"value\":0}"`
	Setup json.RawMessage `json:"setup" is:"the distribution of the setup of a server, as {\"law\":\"ExpMean\",\"mean\":3}"`
}

// SleepFaults says what is wrong with servers that sleep.
func (s *Spec) SleepFaults(f *check.Faults) {
	f.That(s.Awake >= 0, "Awake(%d): a number of servers cannot be negative; give 0 or more", s.Awake)
	f.That(s.Awake <= s.Servers || s.Awake < 0 || s.Sleep == nil, "Awake(%d): there are %d servers; give at most that many", s.Awake, s.Servers)
	f.That(s.Awake == 0 || s.Sleep != nil, "Awake(%d) without Sleep: no server goes off; add Sleep, or leave it out", s.Awake)
	if w := s.Watts; w != nil {
		for _, x := range []float64{w.Busy, w.Idle, w.Setup, w.Asleep} {
			f.That(x >= 0 && !math.IsInf(x, 1), "Watts(%v, %v, %v, %v): %v is no power; give finite numbers, not negative", w.Busy, w.Idle, w.Setup, w.Asleep, x)
		}
		f.That(len(s.Resources) == 0, "Watts count servers that are alike, and units of several types are not; leave the Watts out")
	}
	if s.Sleep == nil {
		return
	}
	sleepLawFaults(f, "Sleep: after", s.Sleep.After)
	sleepLawFaults(f, "Sleep: setup", s.Sleep.Setup)
	f.That(len(s.Resources) == 0 && !s.OnNodes() && !s.Identities() && !s.AsPrinted, "Sleep is for servers of one pool that are alike; leave out types, Nodes, named servers, random assignment and AsPrinted")
	f.That(s.Room == nil && !s.Impatient(), "Sleep along with Room, Loss or Patience is not served: jobs would leave while servers are set up for them; leave one of them out")
	f.That(!s.Away(), "Sleep along with Failures, Spares or Reserve is not served; leave one of them out")
	if s.Policy != nil {
		known := s.Policy.Properties()
		inOrder := s.recurrent() || len(s.Classes) > 0 && s.FirstCome() // a log has no classes yet
		f.That(inOrder || known.Packs && !known.Preemptive && !known.Estimates && !known.Remembers, "policy %v along with Sleep: it counts on servers that may be off; choose FCFS or FirstFit", s.Policy)
	}
}

func sleepLawFaults(f *check.Faults, at string, l law.Law) {
	switch {
	case l == nil:
		f.Add("%s: no law given; use for example mjq.Deterministic(0)", at)
	case l.Mean() == 0:
		f.Join(func() []error {
			if err := l.Validate(); err != nil {
				return []error{fmt.Errorf("%s: %w", at, err)}
			}
			return nil
		}()...)
	default:
		f.Join(LawFaults(at, l)...)
	}
}

// sleepText says how servers sleep; "" if they do not.
func (s *Spec) sleepText() string {
	if s.Sleep == nil {
		return ""
	}
	text := fmt.Sprintf(", servers sleep after %s with setup %s", check.Brief(s.Sleep.After.String()), check.Brief(s.Sleep.Setup.String()))
	if s.Awake > 0 {
		text += fmt.Sprintf(", %d stay awake", s.Awake)
	}
	return text
}

func (r *reader) sleep(in *sleepForm) *Sleep {
	if in == nil {
		return nil
	}
	return &Sleep{r.law("sleep: after", in.After), r.law("sleep: setup", in.Setup)}
}

func (w *writer) sleep(s *Spec) *sleepForm {
	if s.Sleep == nil {
		return nil
	}
	return &sleepForm{w.law("sleep: after", s.Sleep.After), w.law("sleep: setup", s.Sleep.Setup)}
}
