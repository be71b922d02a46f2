package mjq

import (
	"github.com/mjqueue/mjq/mjq/internal/limit"
	"github.com/mjqueue/mjq/mjq/policy"
	"github.com/mjqueue/mjq/mjq/result"
)

// Policy is a scheduling policy: which waiting jobs start, and which running ones stop;
// see package policy, which also says how to write one.
type Policy = policy.Policy

// FCFS returns the policy first come, first served, with head-of-line blocking. It is the
// default.
func FCFS() Policy { return policy.FCFS{} }

// FirstFit returns a policy that starts every waiting job that fits, in the order of arrival.
func FirstFit() Policy { return policy.FirstFit{} }

// Backfill returns a policy that reserves servers for the first depth waiting jobs and starts a
// later job if, by the estimates, it delays no reservation.
func Backfill(depth int) Policy { return policy.Backfill{Depth: depth} }

// EASY returns Backfill with one reservation, for the job at the head of the queue.
func EASY() Policy { return policy.EASY() }

// Conservative returns Backfill with a reservation for every waiting job.
func Conservative() Policy { return policy.Conservative() }

// Window returns a policy that starts the largest job that fits among the first w waiting ones
// (SMASH(w) in the literature).
func Window(w int) Policy { return policy.Window{Jobs: w} }

// MostServersFirst returns a policy that starts the job with the largest server need that fits.
func MostServersFirst() Policy { return policy.MostServersFirst{} }

// LeastServersFirst returns a policy that starts the job with the smallest server need that
// fits.
func LeastServersFirst() Policy { return policy.LeastServersFirst{} }

// Quickswap returns a policy that serves jobs of one and of all servers in turn, with the given
// threshold.
func Quickswap(threshold int) Policy { return policy.Quickswap{Threshold: threshold} }

// ArmedQuickswap returns Quickswap that turns only once it is armed.
func ArmedQuickswap(threshold int) Policy { return policy.ArmedQuickswap{Threshold: threshold} }

// AdaptiveQuickswap returns Quickswap for any needs, without a threshold.
func AdaptiveQuickswap() Policy { return policy.AdaptiveQuickswap{} }

// ServerFilling returns a preemptive policy: among the oldest jobs that together need all
// servers, it serves those with the largest needs.
func ServerFilling() Policy { return policy.ServerFilling{} }

// PreemptiveFirstFit returns a preemptive policy that serves every job that fits, in the order
// of arrival.
func PreemptiveFirstFit() Policy { return policy.PreemptiveFirstFit{} }

// PreemptiveMostServersFirst returns a preemptive policy that serves the jobs with the largest
// needs.
func PreemptiveMostServersFirst() Policy { return policy.PreemptiveMostServersFirst{} }

// PreemptiveLeastServersFirst returns a preemptive policy that serves the jobs with the
// smallest needs.
func PreemptiveLeastServersFirst() Policy { return policy.PreemptiveLeastServersFirst{} }

// Priority serves classes by levels, the first level first; classes that it does not name
// form the last one. It is nonpreemptive: a waiting job of a high level holds back all below.
// Its methods Passing, Preemptive, Exempt, Overhead and Within change that.
func Priority(levels ...[]string) policy.Priority { return policy.Priority{Levels: levels} }

// Multifactor is a policy that orders the queue by the priorities of Slurm: age, fair share of users
// and accounts, size, class and partition, each with a weight. It is nonpreemptive; its methods Tier
// and Within set levels above the priorities and how jobs start.
type Multifactor = policy.Multifactor

// These values say how a job continues that Priority preempts, or whose server fails (see After): it
// resumes, begins again with the same service time or with a new one, or leaves. Migrate is for
// failures alone.
const (
	Resume    = policy.Resume
	Restart   = policy.Restart
	Resampled = policy.Resampled
	Drop      = policy.Drop
	Migrate   = policy.Migrate
)

// MSR returns a preemptive policy in which a Markov chain that does not see the queue decides
// how many jobs of each need run. schedules[i] holds, for state i, the number of jobs of every
// different need, needs in ascending order; generator is the generator of the chain. See
// CapacityPolicy.
func MSR(schedules [][]int, generator [][]float64) Policy {
	return policy.MSR{Schedules: schedules, Generator: generator}
}

// MaxWeight returns a preemptive policy that serves the set of jobs with the largest weight,
// the sum over its jobs of the number of jobs with the same need in the system.
func MaxWeight() Policy { return policy.MaxWeight{} }

// CapacityPolicy returns the MSR policy that attains a capacity. It draws one of the schedules
// at the given rate, each with the probability of its share. A higher rate makes queues
// shorter, because swapping costs nothing.
func CapacityPolicy(c *result.Capacity, rate float64) Policy { return limit.CapacityPolicy(c, rate) }
