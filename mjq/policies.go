package mjq

import (
	"github.com/mjqueue/mjq/mjq/internal/limit"
	"github.com/mjqueue/mjq/mjq/policy"
	"github.com/mjqueue/mjq/mjq/result"
)

// Policy is a scheduling policy: which waiting jobs start, and which running ones stop;
// see package policy, which also says how to write one.
type Policy = policy.Policy

// FCFS serves jobs first come first served with head-of-line blocking.
func FCFS() Policy { return policy.FCFS{} }

// FirstFit starts every job that fits, in order of arrival.
func FirstFit() Policy { return policy.FirstFit{} }

// Backfill lets later jobs start as long as none of the first depth waiting jobs is
// delayed by what is known of the services.
func Backfill(depth int) Policy { return policy.Backfill{Depth: depth} }

// EASY is Backfill with a reservation for the head of the line alone.
func EASY() Policy { return policy.EASY() }

// Conservative is Backfill with a reservation for every waiting job.
func Conservative() Policy { return policy.Conservative() }

// Window starts the largest job that fits of the first w waiting ones (the literature's
// SMASH(w)).
func Window(w int) Policy { return policy.Window{Jobs: w} }

// MostServersFirst starts the job with the greatest need that fits.
func MostServersFirst() Policy { return policy.MostServersFirst{} }

// LeastServersFirst starts the job with the least need that fits.
func LeastServersFirst() Policy { return policy.LeastServersFirst{} }

// Quickswap serves jobs of one and of all servers by turns, with the given threshold.
func Quickswap(threshold int) Policy { return policy.Quickswap{Threshold: threshold} }

// ArmedQuickswap is Quickswap that turns only once it is armed.
func ArmedQuickswap(threshold int) Policy { return policy.ArmedQuickswap{Threshold: threshold} }

// AdaptiveQuickswap is Quickswap for any needs, without a threshold.
func AdaptiveQuickswap() Policy { return policy.AdaptiveQuickswap{} }

// ServerFilling is preemptive: of the oldest jobs that together need all servers it
// serves those of the greatest needs.
func ServerFilling() Policy { return policy.ServerFilling{} }

// PreemptiveFirstFit serves every job that fits, in order of arrival, and preempts.
func PreemptiveFirstFit() Policy { return policy.PreemptiveFirstFit{} }

// PreemptiveMostServersFirst serves the jobs of the greatest needs, and preempts.
func PreemptiveMostServersFirst() Policy { return policy.PreemptiveMostServersFirst{} }

// PreemptiveLeastServersFirst serves the jobs of the least needs, and preempts.
func PreemptiveLeastServersFirst() Policy { return policy.PreemptiveLeastServersFirst{} }

// Priority serves classes by levels, the first level first; classes that it does not name
// form the last one. It is nonpreemptive: a waiting job of a high level holds back all below.
// Its methods Passing, Preemptive, Exempt, Overhead and Within change that.
func Priority(levels ...[]string) policy.Priority { return policy.Priority{Levels: levels} }

// What becomes of a job that Priority preempts: it goes on where it stopped, begins again
// with the same service or with a new one, or leaves.
const (
	Resume    = policy.Resume
	Restart   = policy.Restart
	Resampled = policy.Resampled
	Drop      = policy.Drop
)

// MSR lets a Markov chain that does not look at the queue choose how many jobs of each need
// run, and preempts: a schedule a state, with the jobs of every different need in ascending
// order of the needs, and the generator of the chain. CapacityPolicy is that of a capacity.
func MSR(schedules [][]int, generator [][]float64) Policy {
	return policy.MSR{Schedules: schedules, Generator: generator}
}

// MaxWeight serves the set of jobs of the greatest weight, the number of jobs of a need in
// the system, and preempts.
func MaxWeight() Policy { return policy.MaxWeight{} }

// CapacityPolicy is the MSR policy that attains a capacity: it draws one of its schedules anew
// at the given rate, each with the probability of its share. The faster, the shorter the
// queues, for nothing is lost by turning.
func CapacityPolicy(c *result.Capacity, rate float64) Policy { return limit.CapacityPolicy(c, rate) }
