package law

// LogTable is the table behind [NegLog], for a device that draws the same bits:
// 257 cells of the centre c = 1 + i/256, 1/c and -ln(c/2).
func LogTable() []float64 {
	var table []float64
	for _, cell := range logTable {
		table = append(table, cell.Centre, cell.Inverse, cell.NegLog)
	}
	return table
}

// Walk says what [PH.Sample] asks of the law beside its numbers: whether the
// time 0 has positive probability, and from which phases the chain can end.
func (l PH) Walk() (atom bool, ends []bool) {
	for i := range l.A {
		ends = append(ends, l.exit(i) > 0)
	}
	return l.atom() > 0, ends
}
