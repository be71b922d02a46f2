// Package loss solves systems in which a job that does not fit when it arrives is turned
// away. The numbers of jobs in service have a product form, so that only the means of the
// services matter, and their law follows from a recursion over the servers that are busy
// (Kaufman, IEEE Transactions on Communications 29, 1981; Roberts, Performance of Data
// Communication Systems, 1981).
package loss
