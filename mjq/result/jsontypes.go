package result

// Every type that holds plain numbers has both methods: encoding/json asks for them by
// type, and knows neither NaN nor infinities. TestEveryTypeInJSONAndGob misses none.

// MarshalJSON writes all fields under their names; see WriteJSON.
func (e Estimate) MarshalJSON() ([]byte, error) { return WriteJSON(e) }

// UnmarshalJSON reads the text that MarshalJSON writes; values are bit-identical.
func (e *Estimate) UnmarshalJSON(text []byte) error { return ReadJSON(text, e) }

// MarshalJSON writes all fields under their names; see WriteJSON.
func (l Log) MarshalJSON() ([]byte, error) { return WriteJSON(l) }

// UnmarshalJSON reads the text that MarshalJSON writes; values are bit-identical.
func (l *Log) UnmarshalJSON(text []byte) error { return ReadJSON(text, l) }

// MarshalJSON writes all fields under their names; see WriteJSON.
func (w Window) MarshalJSON() ([]byte, error) { return WriteJSON(w) }

// UnmarshalJSON reads the text that MarshalJSON writes; values are bit-identical.
func (w *Window) UnmarshalJSON(text []byte) error { return ReadJSON(text, w) }

// MarshalJSON writes all fields under their names; see WriteJSON.
func (m Metric) MarshalJSON() ([]byte, error) { return WriteJSON(m) }

// UnmarshalJSON reads the text that MarshalJSON writes; values are bit-identical.
func (m *Metric) UnmarshalJSON(text []byte) error { return ReadJSON(text, m) }

// MarshalJSON writes all fields under their names; see WriteJSON.
func (c Curve) MarshalJSON() ([]byte, error) { return WriteJSON(c) }

// UnmarshalJSON reads the text that MarshalJSON writes; values are bit-identical.
func (c *Curve) UnmarshalJSON(text []byte) error { return ReadJSON(text, c) }

// MarshalJSON writes all fields under their names; see WriteJSON.
func (d Distribution) MarshalJSON() ([]byte, error) { return WriteJSON(d) }

// UnmarshalJSON reads the text that MarshalJSON writes; values are bit-identical.
func (d *Distribution) UnmarshalJSON(text []byte) error { return ReadJSON(text, d) }

// MarshalJSON writes all fields under their names; see WriteJSON.
func (p Precision) MarshalJSON() ([]byte, error) { return WriteJSON(p) }

// UnmarshalJSON reads the text that MarshalJSON writes; values are bit-identical.
func (p *Precision) UnmarshalJSON(text []byte) error { return ReadJSON(text, p) }

// MarshalJSON writes all fields under their names; see WriteJSON.
func (c Count) MarshalJSON() ([]byte, error) { return WriteJSON(c) }

// UnmarshalJSON reads the text that MarshalJSON writes; values are bit-identical.
func (c *Count) UnmarshalJSON(text []byte) error { return ReadJSON(text, c) }

// MarshalJSON writes all fields under their names; see WriteJSON.
func (e Exceedance) MarshalJSON() ([]byte, error) { return WriteJSON(e) }

// UnmarshalJSON reads the text that MarshalJSON writes; values are bit-identical.
func (e *Exceedance) UnmarshalJSON(text []byte) error { return ReadJSON(text, e) }

// MarshalJSON writes all fields under their names; see WriteJSON.
func (r Run) MarshalJSON() ([]byte, error) { return WriteJSON(r) }

// UnmarshalJSON reads the text that MarshalJSON writes; values are bit-identical.
func (r *Run) UnmarshalJSON(text []byte) error { return ReadJSON(text, r) }

// MarshalJSON writes all fields under their names; see WriteJSON.
func (r Result) MarshalJSON() ([]byte, error) { return WriteJSON(r) }

// UnmarshalJSON reads the text that MarshalJSON writes; values are bit-identical.
func (r *Result) UnmarshalJSON(text []byte) error { return ReadJSON(text, r) }

// MarshalJSON writes all fields under their names; see WriteJSON.
func (c ClassResult) MarshalJSON() ([]byte, error) { return WriteJSON(c) }

// UnmarshalJSON reads the text that MarshalJSON writes; values are bit-identical.
func (c *ClassResult) UnmarshalJSON(text []byte) error { return ReadJSON(text, c) }

// MarshalJSON writes all fields under their names; see WriteJSON.
func (r ResourceLimit) MarshalJSON() ([]byte, error) { return WriteJSON(r) }

// UnmarshalJSON reads the text that MarshalJSON writes; values are bit-identical.
func (r *ResourceLimit) UnmarshalJSON(text []byte) error { return ReadJSON(text, r) }

// MarshalJSON writes all fields under their names; see WriteJSON.
func (s Stability) MarshalJSON() ([]byte, error) { return WriteJSON(s) }

// UnmarshalJSON reads the text that MarshalJSON writes; values are bit-identical.
func (s *Stability) UnmarshalJSON(text []byte) error { return ReadJSON(text, s) }

// MarshalJSON writes all fields under their names; see WriteJSON.
func (p Prices) MarshalJSON() ([]byte, error) { return WriteJSON(p) }

// UnmarshalJSON reads the text that MarshalJSON writes; values are bit-identical.
func (p *Prices) UnmarshalJSON(text []byte) error { return ReadJSON(text, p) }

// MarshalJSON writes all fields under their names; see WriteJSON.
func (c ClassPrice) MarshalJSON() ([]byte, error) { return WriteJSON(c) }

// UnmarshalJSON reads the text that MarshalJSON writes; values are bit-identical.
func (c *ClassPrice) UnmarshalJSON(text []byte) error { return ReadJSON(text, c) }

// MarshalJSON writes all fields under their names; see WriteJSON.
func (r Reservation) MarshalJSON() ([]byte, error) { return WriteJSON(r) }

// UnmarshalJSON reads the text that MarshalJSON writes; values are bit-identical.
func (r *Reservation) UnmarshalJSON(text []byte) error { return ReadJSON(text, r) }

// MarshalJSON writes all fields under their names; see WriteJSON.
func (c ClassKeep) MarshalJSON() ([]byte, error) { return WriteJSON(c) }

// UnmarshalJSON reads the text that MarshalJSON writes; values are bit-identical.
func (c *ClassKeep) UnmarshalJSON(text []byte) error { return ReadJSON(text, c) }

// MarshalJSON writes all fields under their names; see WriteJSON.
func (h HeavyTraffic) MarshalJSON() ([]byte, error) { return WriteJSON(h) }

// UnmarshalJSON reads the text that MarshalJSON writes; values are bit-identical.
func (h *HeavyTraffic) UnmarshalJSON(text []byte) error { return ReadJSON(text, h) }

// MarshalJSON writes all fields under their names; see WriteJSON.
func (s SaturatedState) MarshalJSON() ([]byte, error) { return WriteJSON(s) }

// UnmarshalJSON reads the text that MarshalJSON writes; values are bit-identical.
func (s *SaturatedState) UnmarshalJSON(text []byte) error { return ReadJSON(text, s) }

// MarshalJSON writes all fields under their names; see WriteJSON.
func (c Transient) MarshalJSON() ([]byte, error) { return WriteJSON(c) }

// UnmarshalJSON reads the text that MarshalJSON writes; values are bit-identical.
func (c *Transient) UnmarshalJSON(text []byte) error { return ReadJSON(text, c) }

// MarshalJSON writes all fields under their names; see WriteJSON.
func (p Part) MarshalJSON() ([]byte, error) { return WriteJSON(p) }

// UnmarshalJSON reads the text that MarshalJSON writes; values are bit-identical.
func (p *Part) UnmarshalJSON(text []byte) error { return ReadJSON(text, p) }

// MarshalJSON writes all fields under their names; see WriteJSON.
func (c Comparison) MarshalJSON() ([]byte, error) { return WriteJSON(c) }

// UnmarshalJSON reads the text that MarshalJSON writes; values are bit-identical.
func (c *Comparison) UnmarshalJSON(text []byte) error { return ReadJSON(text, c) }

// MarshalJSON writes all fields under their names; see WriteJSON.
func (c Capacity) MarshalJSON() ([]byte, error) { return WriteJSON(c) }

// UnmarshalJSON reads the text that MarshalJSON writes; values are bit-identical.
func (c *Capacity) UnmarshalJSON(text []byte) error { return ReadJSON(text, c) }

// MarshalJSON writes all fields under their names; see WriteJSON.
func (c CapacityNeed) MarshalJSON() ([]byte, error) { return WriteJSON(c) }

// UnmarshalJSON reads the text that MarshalJSON writes; values are bit-identical.
func (c *CapacityNeed) UnmarshalJSON(text []byte) error { return ReadJSON(text, c) }

// MarshalJSON writes all fields under their names; see WriteJSON.
func (c CapacitySchedule) MarshalJSON() ([]byte, error) { return WriteJSON(c) }

// UnmarshalJSON reads the text that MarshalJSON writes; values are bit-identical.
func (c *CapacitySchedule) UnmarshalJSON(text []byte) error { return ReadJSON(text, c) }

// MarshalJSON writes all fields under their names; see WriteJSON.
func (o Optimum) MarshalJSON() ([]byte, error) { return WriteJSON(o) }

// UnmarshalJSON reads the text that MarshalJSON writes; values are bit-identical.
func (o *Optimum) UnmarshalJSON(text []byte) error { return ReadJSON(text, o) }

// MarshalJSON writes all fields under their names; see WriteJSON.
func (o OptimumClass) MarshalJSON() ([]byte, error) { return WriteJSON(o) }

// UnmarshalJSON reads the text that MarshalJSON writes; values are bit-identical.
func (o *OptimumClass) UnmarshalJSON(text []byte) error { return ReadJSON(text, o) }

// MarshalJSON writes all fields under their names; see WriteJSON.
func (s Sizing) MarshalJSON() ([]byte, error) { return WriteJSON(s) }

// UnmarshalJSON reads the text that MarshalJSON writes; values are bit-identical.
func (s *Sizing) UnmarshalJSON(text []byte) error { return ReadJSON(text, s) }

// MarshalJSON writes all fields under their names; see WriteJSON.
func (s SizingPoint) MarshalJSON() ([]byte, error) { return WriteJSON(s) }

// UnmarshalJSON reads the text that MarshalJSON writes; values are bit-identical.
func (s *SizingPoint) UnmarshalJSON(text []byte) error { return ReadJSON(text, s) }

// MarshalJSON writes all fields under their names; see WriteJSON.
func (s Sensitivities) MarshalJSON() ([]byte, error) { return WriteJSON(s) }

// UnmarshalJSON reads the text that MarshalJSON writes; values are bit-identical.
func (s *Sensitivities) UnmarshalJSON(text []byte) error { return ReadJSON(text, s) }

// MarshalJSON writes all fields under their names; see WriteJSON.
func (a ArrivalFit) MarshalJSON() ([]byte, error) { return WriteJSON(a) }

// UnmarshalJSON reads the text that MarshalJSON writes; values are bit-identical.
func (a *ArrivalFit) UnmarshalJSON(text []byte) error { return ReadJSON(text, a) }

// MarshalJSON writes all fields under their names; see WriteJSON.
func (a ArrivalCandidate) MarshalJSON() ([]byte, error) { return WriteJSON(a) }

// UnmarshalJSON reads the text that MarshalJSON writes; values are bit-identical.
func (a *ArrivalCandidate) UnmarshalJSON(text []byte) error { return ReadJSON(text, a) }

// MarshalJSON writes all fields under their names; see WriteJSON.
func (p Path) MarshalJSON() ([]byte, error) { return WriteJSON(p) }

// UnmarshalJSON reads the text that MarshalJSON writes; values are bit-identical.
func (p *Path) UnmarshalJSON(text []byte) error { return ReadJSON(text, p) }

// MarshalJSON writes all fields under their names; see WriteJSON.
func (p PathJob) MarshalJSON() ([]byte, error) { return WriteJSON(p) }

// UnmarshalJSON reads the text that MarshalJSON writes; values are bit-identical.
func (p *PathJob) UnmarshalJSON(text []byte) error { return ReadJSON(text, p) }

// MarshalJSON writes all fields under their names; see WriteJSON.
func (s Stretch) MarshalJSON() ([]byte, error) { return WriteJSON(s) }

// UnmarshalJSON reads the text that MarshalJSON writes; values are bit-identical.
func (s *Stretch) UnmarshalJSON(text []byte) error { return ReadJSON(text, s) }

// MarshalJSON writes all fields under their names; see WriteJSON.
func (i Idle) MarshalJSON() ([]byte, error) { return WriteJSON(i) }

// UnmarshalJSON reads the text that MarshalJSON writes; values are bit-identical.
func (i *Idle) UnmarshalJSON(text []byte) error { return ReadJSON(text, i) }

// MarshalJSON writes all fields under their names, as WriteJSON does.
func (z ExactSize) MarshalJSON() ([]byte, error) { return WriteJSON(z) }

// UnmarshalJSON reads the text that MarshalJSON writes; values are bit-identical.
func (z *ExactSize) UnmarshalJSON(text []byte) error { return ReadJSON(text, z) }

// MarshalJSON writes all fields under their names; see WriteJSON.
func (c Checkpoints) MarshalJSON() ([]byte, error) { return WriteJSON(c) }

// UnmarshalJSON reads the text that MarshalJSON writes; values are bit-identical.
func (c *Checkpoints) UnmarshalJSON(text []byte) error { return ReadJSON(text, c) }

// MarshalJSON writes all fields under their names; see WriteJSON.
func (c ClassCheckpoints) MarshalJSON() ([]byte, error) { return WriteJSON(c) }

// UnmarshalJSON reads the text that MarshalJSON writes; values are bit-identical.
func (c *ClassCheckpoints) UnmarshalJSON(text []byte) error { return ReadJSON(text, c) }

// MarshalJSON writes all fields under their names; see WriteJSON.
func (i CheckpointInterval) MarshalJSON() ([]byte, error) { return WriteJSON(i) }

// UnmarshalJSON reads the text that MarshalJSON writes; values are bit-identical.
func (i *CheckpointInterval) UnmarshalJSON(text []byte) error { return ReadJSON(text, i) }
