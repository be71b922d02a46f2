package policy

// placedLevelFirstFit is levelFirstFit on nodes, where a larger kind may fit when a smaller one does
// not.
// Cost: O(kinds) a start.
type placedLevelFirstFit struct{ levels }

func (s placedLevelFirstFit) Pass(v *View) {
	for l := range s.count() {
		for s.start(v, l) {
		}
	}
}

// start starts the earliest job of a level that fits, and reports whether there was one.
func (s placedLevelFirstFit) start(v *View, level int) bool {
	first, kind := int64(None), -1
	for k := s.first[level]; k < s.first[level+1]; k++ {
		if v.Oldest[k] < first && v.Fits(k) {
			first, kind = v.Oldest[k], k
		}
	}
	return kind >= 0 && v.Start(kind)
}

// placedLevelBackfill is placedBackfill with a queue in the order of level and arrival.
type placedLevelBackfill struct {
	levels
	placedBackfill
}

// Arrived puts the job in by its number in the order of level and arrival.
func (s *placedLevelBackfill) Arrived(v *View, j *Job) {
	ranked := s.ranked(j)
	s.placedBackfill.Arrived(v, &ranked)
}

// Reneged takes it out by that number.
func (s *placedLevelBackfill) Reneged(v *View, j *Job) {
	ranked := s.ranked(j)
	s.placedBackfill.Reneged(v, &ranked)
}
