package mjq

import "github.com/mjqueue/mjq/mjq/internal/remember"

// Remember has this program keep what queries have computed, in files of the given
// folder, and not compute the same again, now or when it is started the next time; with
// "" it forgets that it was told so. The notebooks' kernel does so by itself, in the
// folder of the environment variable MJQ_REMEMBER ("off" for none); other programs only
// if they call this or have the variable.
//
// An answer is found under a fingerprint of all that it depends on: the model as
// MarshalJSON writes it, the method and its settings, the seed, and the code of this
// package, so that an edited model is a new question, and so is any after a change to the
// package. A law or a policy of the user's own takes part if it has a written form, and
// then the code of the program counts too. What was interrupted or has missed its target
// is not kept. Run.Remembered of a result says when it was computed, and Fresh of a query
// computes it anew.
//
// The folder may be used by several programs at once. It holds up to 256 MB, or as many
// as MJQ_REMEMBER_MB says; what was not asked for the longest goes first.
func Remember(folder string) { remember.In(folder) }

// Fresh computes anew, even if the answer is remembered; see Remember. A stability limit
// that is found on the way may be remembered.
func (q SampleQuery) Fresh() SampleQuery {
	q.o.Fresh = true
	return q
}

// Fresh computes anew, even if the answer is remembered; see Remember.
func (q SimulateQuery) Fresh() SimulateQuery {
	q.o.Fresh = true
	return q
}

// Fresh computes anew, even if the answer is remembered; see Remember.
func (q ExactQuery) Fresh() ExactQuery {
	q.o.Fresh = true
	return q
}

// Fresh computes anew, even if the answer is remembered; see Remember.
func (q StabilityQuery) Fresh() StabilityQuery {
	q.o.Fresh = true
	return q
}

// Fresh computes anew, even if the answer is remembered; see Remember.
func (q PathQuery) Fresh() PathQuery {
	q.o.Fresh = true
	return q
}

// Fresh computes anew, even if the answer is remembered; see Remember.
func (q CompareQuery) Fresh() CompareQuery {
	q.o.Fresh = true
	return q
}

// Fresh computes every point anew, even those that are remembered; see Remember.
func (q SweepQuery) Fresh() SweepQuery {
	q.o.Fresh = true
	return q
}

// Fresh computes anew, even if the answer is remembered; see Remember.
func (q CourseQuery) Fresh() CourseQuery {
	q.o.Fresh = true
	return q
}

// Fresh computes anew, even if the answer is remembered; see Remember.
func (q OptimumQuery) Fresh() OptimumQuery {
	q.o.Fresh = true
	return q
}

// Fresh computes anew, even if the answer is remembered; see Remember.
func (q SensitivitiesQuery) Fresh() SensitivitiesQuery {
	q.o.Fresh = true
	return q
}

// Fresh computes anew, even if the answer is remembered; see Remember.
func (q FewestQuery) Fresh() FewestQuery {
	q.q.Options.Fresh = true
	return q
}

// Fresh computes anew, even if the answer is remembered; see Remember.
func (q MSRQuery) Fresh() MSRQuery {
	q.fresh = true
	return q
}

// Fresh computes anew, even if the answer is remembered; see Remember.
func (q CapacityQuery) Fresh() CapacityQuery {
	q.fresh = true
	return q
}
