package trace

import "github.com/mjqueue/mjq/mjq/result"

// Every answer that holds plain numbers has both methods: encoding/json knows neither NaN nor
// infinities. TestEveryAnswerInJSON of package product misses none.

// MarshalJSON writes all fields under their names; see result.WriteJSON.
func (o Outlook) MarshalJSON() ([]byte, error) { return result.WriteJSON(o) }

// UnmarshalJSON reads the text that MarshalJSON writes; values are bit-identical.
func (o *Outlook) UnmarshalJSON(text []byte) error { return result.ReadJSON(text, o) }

// MarshalJSON writes all fields under their names; see result.WriteJSON.
func (o Outcome) MarshalJSON() ([]byte, error) { return result.WriteJSON(o) }

// UnmarshalJSON reads the text that MarshalJSON writes; values are bit-identical.
func (o *Outcome) UnmarshalJSON(text []byte) error { return result.ReadJSON(text, o) }

// MarshalJSON writes all fields under their names; see result.WriteJSON.
func (v Validation) MarshalJSON() ([]byte, error) { return result.WriteJSON(v) }

// UnmarshalJSON reads the text that MarshalJSON writes; values are bit-identical.
func (v *Validation) UnmarshalJSON(text []byte) error { return result.ReadJSON(text, v) }

// MarshalJSON writes all fields under their names; see result.WriteJSON.
func (v Validated) MarshalJSON() ([]byte, error) { return result.WriteJSON(v) }

// UnmarshalJSON reads the text that MarshalJSON writes; values are bit-identical.
func (v *Validated) UnmarshalJSON(text []byte) error { return result.ReadJSON(text, v) }

// MarshalJSON writes all fields under their names; see result.WriteJSON.
func (b Bootstrapped) MarshalJSON() ([]byte, error) { return result.WriteJSON(b) }

// UnmarshalJSON reads the text that MarshalJSON writes; values are bit-identical.
func (b *Bootstrapped) UnmarshalJSON(text []byte) error { return result.ReadJSON(text, b) }

// MarshalJSON writes all fields under their names; see result.WriteJSON.
func (p Patience) MarshalJSON() ([]byte, error) { return result.WriteJSON(p) }

// UnmarshalJSON reads the text that MarshalJSON writes; values are bit-identical.
func (p *Patience) UnmarshalJSON(text []byte) error { return result.ReadJSON(text, p) }

// MarshalJSON writes all fields under their names; see result.WriteJSON.
func (a Advice) MarshalJSON() ([]byte, error) { return result.WriteJSON(a) }

// UnmarshalJSON reads the text that MarshalJSON writes; values are bit-identical.
func (a *Advice) UnmarshalJSON(text []byte) error { return result.ReadJSON(text, a) }

// MarshalJSON writes all fields under their names; see result.WriteJSON.
func (x Reaction) MarshalJSON() ([]byte, error) { return result.WriteJSON(x) }

// UnmarshalJSON reads the text that MarshalJSON writes; values are bit-identical.
func (x *Reaction) UnmarshalJSON(text []byte) error { return result.ReadJSON(text, x) }

// MarshalJSON writes all fields under their names; see result.WriteJSON.
func (c FailureCosts) MarshalJSON() ([]byte, error) { return result.WriteJSON(c) }

// UnmarshalJSON reads the text that MarshalJSON writes; values are bit-identical.
func (c *FailureCosts) UnmarshalJSON(text []byte) error { return result.ReadJSON(text, c) }

// MarshalJSON writes all fields under their names; see result.WriteJSON.
func (c FailureCause) MarshalJSON() ([]byte, error) { return result.WriteJSON(c) }

// UnmarshalJSON reads the text that MarshalJSON writes; values are bit-identical.
func (c *FailureCause) UnmarshalJSON(text []byte) error { return result.ReadJSON(text, c) }

// MarshalJSON writes all fields under their names; see result.WriteJSON.
func (s Shown) MarshalJSON() ([]byte, error) { return result.WriteJSON(s) }

// UnmarshalJSON reads the text that MarshalJSON writes; values are bit-identical.
func (s *Shown) UnmarshalJSON(text []byte) error { return result.ReadJSON(text, s) }

// MarshalJSON writes all fields under their names; see result.WriteJSON.
func (w Waiters) MarshalJSON() ([]byte, error) { return result.WriteJSON(w) }

// UnmarshalJSON reads the text that MarshalJSON writes; values are bit-identical.
func (w *Waiters) UnmarshalJSON(text []byte) error { return result.ReadJSON(text, w) }

// MarshalJSON writes all fields under their names; see result.WriteJSON.
func (e Explained) MarshalJSON() ([]byte, error) { return result.WriteJSON(e) }

// UnmarshalJSON reads the text that MarshalJSON writes; values are bit-identical.
func (e *Explained) UnmarshalJSON(text []byte) error { return result.ReadJSON(text, e) }

// MarshalJSON writes all fields under their names; see result.WriteJSON.
func (e Explanation) MarshalJSON() ([]byte, error) { return result.WriteJSON(e) }

// UnmarshalJSON reads the text that MarshalJSON writes; values are bit-identical.
func (e *Explanation) UnmarshalJSON(text []byte) error { return result.ReadJSON(text, e) }

// MarshalJSON writes all fields under their names; see result.WriteJSON.
func (r Recommendation) MarshalJSON() ([]byte, error) { return result.WriteJSON(r) }

// UnmarshalJSON reads the text that MarshalJSON writes; values are bit-identical.
func (r *Recommendation) UnmarshalJSON(text []byte) error { return result.ReadJSON(text, r) }
