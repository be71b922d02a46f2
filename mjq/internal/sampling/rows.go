package sampling

// The rows that there are. A waiting time is followed by its square, and preceded by the
// number of jobs where that is random: package estimate reads the three as neighbours.

// PathRow is what the jobs of a path have shown, a job of the path: numbers of jobs and
// sums of waiting times by class, which are ratios to each other, and what all jobs
// waited and wasted.
func PathRow(classes, kinds int) *Layout {
	return empty(classes, kinds).byClass(Jobs, Waiting, Squared).ofAll(Waiting, Squared, Waste).byKind(Waste)
}

// SampleRow is what one sample of the stationary queue, or a mean of several, has shown: the
// expectation over what a job of each class, and of any, would wait and waste.
func SampleRow(classes, kinds int) *Layout {
	return empty(classes, kinds).byClass(Waiting, Squared).ofAll(Waiting, Squared, Waste).byKind(Waste)
}

// StateRow is what a job that arrives now would meet if it were of each class.
func StateRow(classes, kinds int) *Layout {
	return empty(classes, kinds).ofAll(Workload).byClass(Waiting).byClass(Waste).byClass(Response).byClassAndKind(Waste)
}

// RecordedRow is the sums over the jobs of a path that a GPU keeps; it knows the waste of
// all types together apart from them.
func RecordedRow(classes, kinds int) *Layout {
	return empty(classes, kinds).byClass(Jobs, Waiting, Squared, NoWait, NoResponse).byKind(Waste)
}

// LedgerRow is what has come since the last look at a queue.
func LedgerRow(classes int) *Layout {
	return empty(classes, 0).ofAll(Between).byClass(Jobs, Service)
}

// AccountRow is Recorded with what control variates need, and the waste of all types.
func AccountRow(classes, kinds int) *Layout {
	return RecordedRow(classes, kinds).ofAll(Between, LevelBetween).byClass(Service, LevelJobs, LevelService).ofAll(Waste)
}

// GrowthRow is what the jobs of a pile have brought since its warm-up.
func GrowthRow(classes int) *Layout { return empty(classes, 0).byClass(Jobs, Brought) }
