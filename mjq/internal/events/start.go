package events

import (
	"fmt"
	"math"

	"github.com/mjqueue/mjq/internal/ranks"
	"github.com/mjqueue/mjq/mjq/internal/stream"
	"github.com/mjqueue/mjq/mjq/policy"
)

// byNeed tells kinds by what jobs need: whatever their class is, and of servers that are alike.
func (s *Simulator) byNeed() {
	s.byClass = nil
	for k, kind := range s.sees.Kinds {
		s.index(kind.Need, k)
	}
}

func emptySimulator(p policy.Policy, sees policy.System) *Simulator {
	s := &Simulator{policy: p, known: p.Properties(), sees: sees}
	s.view = policy.NewView((*engine)(s), sees)
	for range sees.Kinds {
		s.addLines()
	}
	for _, c := range sees.Classes {
		s.byClass = append(s.byClass, int32(c.Kind))
	}
	if e, ok := p.(policy.Estimator); ok {
		s.rule, s.kills = e.Limits()
	}
	if s.known.Loses {
		s.stopper, _ = p.(policy.Stopper)
	}
	return s
}

// Reset empties the system and starts anew with the given input.
func (s *Simulator) Reset(input Input) { s.ResetTo(&endless{input: input}, 0) }

// Replicate empties the system and begins a replication of a stream, which also
// chooses the numbers that random estimates take. What stops the reader ends the run before its next event.
func (s *Simulator) Replicate(input *stream.Reader) {
	s.stop = input.Stop()
	key := math.Float64bits(input.Uniform())
	if s.alone {
		s.ResetTo(none{}, key)
		return
	}
	s.ResetTo(&endless{input: input}, key)
}

// ResetTo empties the system and starts anew with the given feed. The key chooses the
// numbers that random estimates take.
func (s *Simulator) ResetTo(feed Feed, key uint64) {
	s.feed, s.key = feed, key
	s.view.Reset()
	s.system.clear()
	for k := range s.waiting {
		s.waiting[k], s.running[k] = empty, empty
	}
	s.ends.heap = s.ends.heap[:0]
	s.arrival, s.passDue = 0, false
	s.arrived, s.moved, s.origin = 0, 0, 0
	if f, ok := feed.(starter); ok {
		s.origin = f.start()
	}
	if f, ok := feed.(delayed); ok {
		s.arrival = f.delay()
	}
	if s.held != nil {
		s.held.reset()
	}
	s.area, s.clear = Area{}, math.Inf(1)
	clear(s.presence)
	if s.types != nil {
		s.types.clear()
	}
	if s.nodes != nil {
		s.nodes.reset(key)
	}
	if s.overtook != nil {
		s.line = ranks.New(len(s.passed))
	}
	s.sched = s.policy.Scheduler(s.sees)
	s.arriver, _ = s.sched.(policy.Arriver)
	s.leaver, _ = s.sched.(policy.Leaver)
	s.shifter, _ = s.sched.(policy.Shifter)
	s.patience.reset(key)
	s.reneger, _ = s.sched.(policy.Reneger)
	s.drawn = 0
	if s.clock, _ = s.sched.(policy.Clocked); s.clock != nil {
		s.clock.Begin(s.draw)
	}
	s.plain = s.clock == nil && s.room == nil && s.laws == nil && s.sleep == nil
	s.more = s.sleep != nil || s.stretch != nil || s.failing != nil || s.types != nil || s.nodes != nil
	s.filesLast = s.known.Preemptive || s.failing != nil || s.stretch != nil
	s.soon = math.Inf(1)
	if s.failing != nil {
		s.failing.reset(s)
	}
	s.ready = s.jobs[:s.feed.Next(s.jobs[:])]
	if len(s.ready) == 0 {
		s.arrival = math.Inf(1)
	}
	if s.sleep != nil {
		s.sleep.reset(s)
	}
	if s.stretch != nil {
		s.stretch.reset(s)
	}
	if s.endure != nil {
		s.endure.reset()
	}
	if s.senders != nil {
		s.open = s.arrival
		s.senders.reset(s)
		s.nextArrival()
	}
}

// listed is the largest need that has a place in a list.
const listed = 1 << 20

func (s *Simulator) addKind(need int) {
	s.index(need, len(s.view.Needs))
	s.view.AddKind(need)
	s.addLines()
}

// index has jobs of a need be of a kind.
func (s *Simulator) index(need, kind int) {
	if need > listed {
		if s.wide == nil {
			s.wide = map[int]int32{}
		}
		s.wide[need] = int32(kind)
		return
	}
	for len(s.kinds) <= need {
		s.kinds = append(s.kinds, nobody)
	}
	s.kinds[need] = int32(kind)
}

func (s *Simulator) addLines() {
	s.waiting, s.running = append(s.waiting, empty), append(s.running, empty)
	s.want = append(s.want, -1)
}

// kindOf is the kind of a job.
func (s *Simulator) kindOf(j *Job) int {
	need := int(j.Need)
	if s.byClass != nil {
		return int(s.byClass[j.Class])
	}
	if need < len(s.kinds) && s.kinds[need] >= 0 {
		return int(s.kinds[need])
	}
	if k, ok := s.wide[need]; ok {
		return int(k)
	}
	if !s.adds {
		panic(fmt.Sprintf("a job needs %d servers, and the policy %s was told of the needs %v", need, s.policy, s.view.Needs))
	}
	s.addKind(need)
	return s.kindOf(j)
}
