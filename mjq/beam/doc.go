// Package beam computes the sweeps of package mjq as pipelines of Apache Beam:
// on the cores of this machine with the runner Prism, which needs nothing else,
// or on a cluster of Flink workers ([Flink]). Other runners of Beam go by its flags; they
// have not been tried, nor has a cluster of several physical machines.
//
// A [Sweep] is a sweep that can travel: the model and the laws are written
// exactly, everything else is numbers. The pipeline deals its jobs out as parts
// (mjq.Shard), computes each in a DoFn, and combines the results by
// result.MergeSweeps, which is associative and does not mind the order. Seeds
// belong to the jobs and not to the workers, so the result has the bits of
// Sweep.Run on one machine, however the work is cut and whoever does it again
// after a failure. Only the times that the computation took differ.
//
// The program must be the same on all machines, and of one processor
// architecture: another may round otherwise, and the results with it.
package beam
