package check

// Setting is a fault of what was asked, such as a confidence level of 2 or a class that the
// queue does not have. Other faults are of the queue, or of a method that is not for it.
type Setting struct{ Fault error }

// Error is that of the fault.
func (s *Setting) Error() string { return s.Fault.Error() }

// Unwrap is the fault.
func (s *Setting) Unwrap() error { return s.Fault }

// Asked notes a fault of what was asked unless ok.
func (f *Faults) Asked(ok bool, format string, args ...any) {
	f.Settings(func(f *Faults) { f.That(ok, format, args...) })
}

// Settings notes what find finds as faults of what was asked.
func (f *Faults) Settings(find func(f *Faults)) {
	found := Faults{Of: f.Of}
	find(&found)
	for _, err := range found.list {
		f.Join(&Setting{err})
	}
}
