package events

import "github.com/mjqueue/mjq/mjq/policy"

// longest is the longest estimate, so that sums of estimates stay finite.
const longest = 1e100

// estimate sets a job's estimate, and its service where that is killed.
func (s *Simulator) estimate(j *job, in *Job) {
	u := 0.0
	if s.rule.Rule == policy.TimesUniform {
		u = uniform(s.key, uint64(j.Number))
	}
	j.Estimate = min(max(s.rule.Of(in.Service, in.Estimate, u), 0), longest)
	if s.kills && j.Service > j.Estimate {
		j.Service, j.killed = j.Estimate, true
	}
}

// uniform is a number in [0, 1) for a job: SplitMix64 of Steele, Lea and Flood,
// OOPSLA 2014.
func uniform(key, number uint64) float64 {
	return float64(scrambled(key+(number+1)*0x9e3779b97f4a7c15)>>11) / (1 << 53)
}
