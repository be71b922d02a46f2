package special

import "github.com/mjqueue/mjq/mjq/result"

// Every answer that holds plain numbers has both methods: encoding/json knows neither NaN nor
// infinities. TestEveryAnswerInJSON of package product misses none.

// MarshalJSON writes all fields under their names; see result.WriteJSON.
func (c Capacity) MarshalJSON() ([]byte, error) { return result.WriteJSON(c) }

// UnmarshalJSON reads the text that MarshalJSON writes; values are bit-identical.
func (c *Capacity) UnmarshalJSON(text []byte) error { return result.ReadJSON(text, c) }

// MarshalJSON writes all fields under their names; see result.WriteJSON.
func (p ProcessingRate) MarshalJSON() ([]byte, error) { return result.WriteJSON(p) }

// UnmarshalJSON reads the text that MarshalJSON writes; values are bit-identical.
func (p *ProcessingRate) UnmarshalJSON(text []byte) error { return result.ReadJSON(text, p) }

// MarshalJSON writes all fields under their names; see result.WriteJSON.
func (w WaitingState) MarshalJSON() ([]byte, error) { return result.WriteJSON(w) }

// UnmarshalJSON reads the text that MarshalJSON writes; values are bit-identical.
func (w *WaitingState) UnmarshalJSON(text []byte) error { return result.ReadJSON(text, w) }

// MarshalJSON writes all fields under their names; see result.WriteJSON.
func (s Sojourn) MarshalJSON() ([]byte, error) { return result.WriteJSON(s) }

// UnmarshalJSON reads the text that MarshalJSON writes; values are bit-identical.
func (s *Sojourn) UnmarshalJSON(text []byte) error { return result.ReadJSON(text, s) }

// MarshalJSON writes all fields under their names; see result.WriteJSON.
func (s SojournClass) MarshalJSON() ([]byte, error) { return result.WriteJSON(s) }

// UnmarshalJSON reads the text that MarshalJSON writes; values are bit-identical.
func (s *SojournClass) UnmarshalJSON(text []byte) error { return result.ReadJSON(text, s) }

// MarshalJSON writes all fields under their names; see result.WriteJSON.
func (m Moments) MarshalJSON() ([]byte, error) { return result.WriteJSON(m) }

// UnmarshalJSON reads the text that MarshalJSON writes; values are bit-identical.
func (m *Moments) UnmarshalJSON(text []byte) error { return result.ReadJSON(text, m) }
