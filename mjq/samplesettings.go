package mjq

import "github.com/mjqueue/mjq/mjq/internal/method"

// N sets the number of samples; the default is 10,000, of Unbiased 2000, or 512 under a
// policy other than FCFS.
func (q SampleQuery) N(samples int) SampleQuery { return q.set(method.N, samples) }

// Window sets the first window in jobs. The default of Backward holds on average ten
// jobs of the rarest class, at least 1000 jobs, as Section 7.1 of the paper of Baccelli
// and others advises. That of Unbiased is twice the mean distance between jobs of the
// rarest class, at least 1000, over (1-load)^1.4: on the queue of 1 and 256 servers
// that came near the least product of cost and variance from a tenth of the limit to
// nine tenths. A longer one costs more, is less biased or varies less. Of Unbiased under
// a policy other than FCFS it is the number of jobs that a path leaves out, which changes
// the variance alone; the default is the job by which 15 of 16 trial pairs had met.
func (q SampleQuery) Window(jobs int) SampleQuery { return q.set(method.Window, jobs) }

// MaxWindow bounds the doubling of Backward; the default is 2^27 jobs. Samples that
// still change there are kept as lower bounds, counted in Run.Unsettled and noted.
func (q SampleQuery) MaxWindow(jobs int) SampleQuery { return q.set(method.MaxWindow, jobs) }

// AgreeTogether sets how many samples of Backward must agree before a batch of them
// stops; the default is 256.
func (q SampleQuery) AgreeTogether(samples int) SampleQuery {
	return q.set(method.AgreeTogether, samples)
}

// PerSample stops every sample of Backward on its own agreement, the rule as the paper
// prints it. Beware: it is badly biased at high load, because a window too short to
// have met a rare large job agrees with its double just when that has not met one
// either. For 1 and 256 servers at 0.9 of the limit it gave a mean wait of 197 where
// the exact value is 330.6.
func (q SampleQuery) PerSample() SampleQuery { return q.AgreeTogether(1) }

// PathLength has each sample of Certified and of Unbiased go on for a given number of jobs: the
// queue that is stationary at job 0 is so at every later job, and is looked at again
// now and then: every 32 jobs, or if the window is long as many times as there are 64
// looks in it, up to every 1024. A sample is then the mean over its looks; these depend
// on each other, the samples do not, so that intervals come from independent
// replications and hold as they do without it, and nothing becomes biased. What came
// along the paths serves as control variates of means, variances and the waste
// (METHODS.md), whose intervals become much narrower, by Run.Gain. The interval of a
// quantile comes from how much its fraction varies between paths; see Metric.Quantile.
//
// The default, 0, looks at job 0 alone. A look ahead costs far less than a window: with
// PathLength(4*r.Run.Window), r being a run of one sample, a sample costs four times as
// many steps as without and tells as much as dozens. With a target (RelErr, HalfWidth)
// at least 128 samples are drawn, so do not make paths so long that the target needs
// fewer. A rare large job whose effect outlasts the windows still shows in a few
// samples only.
func (q SampleQuery) PathLength(jobs int) SampleQuery { return q.set(method.PathLength, jobs) }

// Jobs sets the number of recorded jobs a replication of Forward. The default is a
// hundred times as many as the queue needs to forget its state,
// 2 (c_a² + c_w²)/(1-load)² with the squared coefficients of variation of the time
// between arrivals and of the work of a job, but at least a million and at most ten
// million; other queues than the plain one have a million. A note says when a
// replication is short against that; below three times that number it has no intervals.
func (q SampleQuery) Jobs(n int) SampleQuery { return q.set(method.Jobs, n) }

// WarmUp sets the number of jobs left out at the start of each replication of Forward;
// the default is a fifth of Jobs.
func (q SampleQuery) WarmUp(n int) SampleQuery { return q.set(method.WarmUp, n) }

// Replications sets the number of independent replications of Forward, from which the
// intervals come; the default is 32.
func (q SampleQuery) Replications(n int) SampleQuery { return q.set(method.Replications, n) }

// ControlVariates has means and variances of Forward use what is known of the jobs that
// came: that more or less work than expected arrived, and how full the queue was then,
// explains much of the spread of the replications. The nearer the limit, the more it
// narrows the intervals; Run.Gain says by how much. Where a few large jobs make most of the
// waiting, the controls are fewer and stand in fixed proportions, so that the intervals hold;
// there are none then with arrivals that depend on each other and on a GPU. The estimates are
// then not the averages over the jobs that the same seed gives without it. Samples with
// a PathLength always do this; METHODS.md explains it, with what it gains and costs.
func (q SampleQuery) ControlVariates() SampleQuery { return q.set(method.ControlVariates, 1) }

// CloseControlVariates is ControlVariates with looks at the queue every 8 jobs in place of
// 32, and with the squares of what single jobs bring and the change of the queue from the
// start of a run to its end among the controls. It costs half as much again a job and needs
// fewer jobs, of some queues by a factor of hundreds; RelErr alone chooses it. Where a few
// rare classes make nearly all of the waits, as in BorgCellB, the queue of these alone, with
// Poisson arrivals and phase-type services, is solved beforehand, and its waits on the same
// jobs are controls, too: of some queues that saves another factor of a thousand. On a GPU,
// with types of resources, and where some services have no exponential moments, it is the
// same as ControlVariates.
func (q SampleQuery) CloseControlVariates() SampleQuery { return q.set(method.ControlVariates, 2) }

// RelErr has the sampler go on until the half-width of the interval of the mean waiting
// time of all jobs is at most r times the mean. It then ignores its default number of
// samples; one given by N or Replications stays as an upper bound, and the result notes
// it if the bound came first; otherwise Run.Met is true.
//
// Services of heavy tails may leave the mean without an interval; that is an error
// then, which names the class and the moment that is missing. A run goes on until it has met
// enough of the rare large jobs that make the waits; where that would take more than 10¹² jobs,
// it is an error too.
//
// The interval is looked at only now and then, each time after a third more samples, so
// that the choice of the moment hardly favours narrow ones.
func (q SampleQuery) RelErr(r float64) SampleQuery {
	q.o.SetReal(method.RelErr, r)
	return q
}

// HalfWidth is RelErr with an absolute bound h, in units of time.
func (q SampleQuery) HalfWidth(h float64) SampleQuery {
	q.o.SetReal(method.HalfWidth, h)
	return q
}

// SlowdownThreshold has services count as no shorter than a time in slowdowns, which
// Unbiased measures under policies other than FCFS; see SimulateQuery.SlowdownThreshold.
func (q SampleQuery) SlowdownThreshold(time float64) SampleQuery {
	q.o.SetReal(method.SlowdownThreshold, time)
	return q
}

// InTime sets the time within which a job must start, or be done, to count as served in
// time, for Unbiased under policies other than FCFS; see SimulateQuery.InTime.
func (q SampleQuery) InTime(time float64) SampleQuery {
	q.o.SetReal(method.InTime, time)
	return q
}

// Device chooses the processor; the default is CPU. The randomness is the same on both,
// so that results agree to about nine digits. A GPU pays off with thousands of chains
// side by side, samples or replications; Workers means nothing to it. Memory on the
// device grows with the chains that run at once times the groups that can be in
// service, servers over the smallest need, and the chains are as many as fit, at most
// 131,072.
//
// Backward, Certified, Unbiased and Forward run there, followed or with control variates
// as without. Paths of followed and unbiased samples are looked at on the GPU and added
// up on one core, so that looks that are close together hold the GPU up.
//
// It takes the plain queue, and one with up to 8 types of resources, also AsPrinted
// (where every unit can be a group of its own), but not one of named servers or random
// assignment. The bound of Certified is found on the cores.
//
// A run on the GPU is cut into launches, between which it may stop; that they last for
// less than 100 ms has not been measured on a device yet. It keeps what whole waves had
// completed, which are as large as fit. With a target (RelErr, HalfWidth) Forward looks
// at the interval after every 4096 replications, so that it may make more of them than
// on the CPU; Certified draws its samples 4096 at a time and stops at the same one.
func (q SampleQuery) Device(where Processor) SampleQuery {
	q.o.SetDevice(where)
	return q
}

// Seed chooses the randomness. The same seed gives the same digits whatever the number
// of goroutines.
//
// Every method has a default seed of its own, which Run.Seed of the result reports, so
// that two methods asked without a seed are independent and one checks the other. With
// the same seed they see the same jobs: differences between models or methods then
// become sharp, and agreement of two methods says little about the error that both
// share.
func (q SampleQuery) Seed(seed uint64) SampleQuery {
	q.o.SetSeed(seed)
	return q
}

// Level sets the confidence level of all intervals; the default is 0.95.
func (q SampleQuery) Level(level float64) SampleQuery {
	q.o.Level = level
	return q
}

// Workers sets the number of goroutines; the default is one a core. It changes the
// speed and nothing else.
func (q SampleQuery) Workers(n int) SampleQuery {
	q.o.Workers = n
	return q
}

// Progress has f called a few times a second with how much of how much is done, in
// units of the method. Calls come one at a time. While the stability limit is being
// found, nothing is done yet and f is told so.
func (q SampleQuery) Progress(f func(done, total float64)) SampleQuery {
	q.o.Progress = f
	return q
}

func (q SampleQuery) set(s method.Setting, n int) SampleQuery {
	q.o.Set(s, int64(n))
	return q
}
