// Package planning finds how large a system has to be: the fewest servers, the largest
// rate or need, or the cheapest mix of resources with which a queue meets its targets,
// and what would change its waits most. It varies a description (package spec), has it
// answered by a method (package run), and decides by the intervals.
//
// What is sought lies on a border: on one side of it the targets are met. More servers
// never make a job of a first come first served queue wait longer, nor do fewer or
// smaller jobs (the recurrence is monotone), so bisection finds it. All looks have the
// same randomness, which makes the border that of one and the same sequence of jobs.
//
// A look is lengthened until its interval lies on one side of every target. The answer
// is wrong only if an interval fails. Look i of a search has the error probability
// α/(i (i+1)), shared out among its targets, which sums to no more than α over however
// many looks there are: the level holds for the answer, and for as many looks as it took.
package planning
