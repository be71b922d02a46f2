package events

import (
	"math/rand/v2"

	"github.com/mjqueue/mjq/internal/heap"
	"github.com/mjqueue/mjq/mjq/internal/compiled"
	"github.com/mjqueue/mjq/mjq/law"
)

// senders send jobs beside those of the feed, as others leave.
type senders interface {
	reset(s *Simulator)        // to the beginning of a run
	next() float64             // when the next job comes; +Inf if none will before another leaves
	send(s *Simulator)         // has it come
	entered(id int32)          // is told which job in the system has come
	left(s *Simulator, j *job) // is told of a job that leaves, served or not
	shift(by float64)          // moves the origin of time
}

// nextArrival is when the next job comes, of the feed or of the senders.
func (s *Simulator) nextArrival() { s.arrival = min(s.open, s.senders.next()) }

// users are the senders of a model: each thinks, sends a job, and thinks again when it has left.
// What the n-th job of a user takes, and for how long he thinks after it, depend on the two numbers
// alone, so that policies meet the same users.
type users struct {
	groups  []group
	group   []int32 // by user
	thinks  heap.Heap
	sent    []uint64 // jobs by user
	by      []int32  // who has sent the job of an ID; nobody: the feed
	sending int32
	words   rand.PCG
	key     uint64
}

// Words of users are told from others of the same key.
const (
	thinkWords   = 0x2545f4914f6cdd1d
	serviceWords = 0x9e6c63d0876a9a47
	usersOf      = 40 // bits for the number of a job
)

// group is the users of a class.
type group struct {
	compiled.Users
	think, service law.Sampler
}

// grouped are users with their laws ready to be drawn from.
func grouped(list []compiled.Users) (groups []group) {
	for _, g := range list {
		groups = append(groups, group{g, law.Prepare(g.Think), law.Prepare(g.Service)})
	}
	return groups
}

func newUsers(list []compiled.Users) *users {
	u := &users{groups: grouped(list), sending: nobody}
	for g := range list {
		for range list[g].Number {
			u.group = append(u.group, int32(g))
		}
	}
	u.sent = make([]uint64, len(u.group))
	return u
}

func (u *users) reset(s *Simulator) {
	u.key, u.thinks, u.by = s.key, u.thinks[:0], u.by[:0]
	clear(u.sent)
	for i := range u.group {
		u.think(0, int32(i))
	}
}

func (u *users) next() float64 { return u.thinks.Least() }

// draw draws from a law what belongs to the job that a user sends next.
func (u *users) draw(law law.Sampler, user int32, of uint64) float64 {
	u.words.Seed(u.key^of, uint64(user)<<usersOf|u.sent[user])
	return law.Sample(&u.words)
}

func (u *users) think(now float64, user int32) {
	think := u.draw(u.groups[u.group[user]].think, user, thinkWords)
	u.thinks.Push(heap.Item{Key: now + think, Tie: user, ID: user})
}

// rebased is after how many jobs users without a feed move the origin of time.
const rebased = 4096

func (u *users) send(s *Simulator) {
	user := u.thinks.Pop().ID
	g := &u.groups[u.group[user]]
	if s.alone && s.arrived-s.moved > max(rebased, int64(len(u.group))) {
		s.rebase()
	}
	service := u.draw(g.service, user, serviceWords)
	u.sent[user]++
	u.sending = user
	s.enter(&Job{Service: service, Estimate: service, Class: int32(g.Class), Need: int32(g.Need)}, s.arrived)
	u.sending = nobody
}

func (u *users) entered(id int32) {
	for int(id) >= len(u.by) {
		u.by = append(u.by, nobody)
	}
	u.by[id] = u.sending
}

func (u *users) left(s *Simulator, j *job) {
	if user := u.by[j.ID]; user != nobody {
		u.think(s.view.Now, user)
		s.nextArrival()
	}
}

func (u *users) shift(by float64) {
	for i := range u.thinks {
		u.thinks[i].Key -= by
	}
}

// none is a feed without jobs.
type none struct{}

func (none) Next([]Job) int { return 0 }
