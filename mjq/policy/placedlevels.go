package policy

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
