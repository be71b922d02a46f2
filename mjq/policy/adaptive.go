package policy

// AdaptiveQuickswap is MostServersFirst until no need that runs also waits while some
// need waits of which no job runs; then nothing starts until one of the largest
// waiting need fits, and that starts first. Source: Chen, Anggraito, Olliaro, Marin,
// Ajmone Marsan, Berg, Grosof, arXiv 2509.01893.
type AdaptiveQuickswap struct{}

func init() { register(AdaptiveQuickswap{}) }

// String returns the name of the policy.
func (AdaptiveQuickswap) String() string { return "AdaptiveQuickswap" }

// Properties returns the properties of the policy.
func (AdaptiveQuickswap) Properties() Properties {
	return Properties{Packs: true, InOrder: true, Order: AdaptiveOrder, Types: Served, Nodes: Served}
}

// Validate asks for nothing more.
func (AdaptiveQuickswap) Validate(System) error { return nil }

// Scheduler starts in the mode of MostServersFirst.
func (AdaptiveQuickswap) Scheduler(s System) Scheduler {
	return &adaptiveQuickswap{mostServersFirst: *newMostServersFirst(s)}
}

// adaptiveQuickswap costs O(kinds) a pass.
type adaptiveQuickswap struct {
	mostServersFirst
	swap bool
}

func (s *adaptiveQuickswap) Pass(v *View) {
	if s.swap = s.swap && v.Jobs > 0; s.swap { // all may have given up
		largest := len(v.Needs) - 1
		for v.Waiting[largest] == 0 {
			largest--
		}
		if !v.Start(largest) {
			return
		}
		s.swap = false
	}
	s.mostServersFirst.Pass(v)
	for k, waiting := range v.Waiting {
		switch {
		case waiting > 0 && v.Running[k] > 0:
			s.swap = false
			return
		case waiting > 0:
			s.swap = true
		}
	}
}
