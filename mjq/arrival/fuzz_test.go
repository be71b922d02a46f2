package arrival

import (
	"math"
	"reflect"
	"testing"
)

// FuzzUnmarshal reads whatever comes: it ends in an error, or in a process whose
// chain is one, and which is written as it was read.
func FuzzUnmarshal(f *testing.F) {
	for _, p := range all() {
		if text, err := Marshal(p); err == nil {
			f.Add(text)
		}
	}
	f.Add([]byte(`{"arrivals":"MMPP","rates":[1e99,1e-99],"generator":[[-1e-99,1e-99],[1e99,-1e99]]}`))
	f.Add([]byte(`{"arrivals":"BatchMAP","D0":[[-1]],"D":[[[0.5]],[],[[0.5]]]}`))
	f.Add([]byte(`{"arrivals":"Profile","period":1,"rates":[0,1e100,1e-100],"of":{"arrivals":"Batches","of":{"arrivals":"Poisson","rate":1},"sizes":[0,0,1]}}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		p, err := Unmarshal(text)
		if err != nil {
			return
		}
		c := p.Chain()
		sum := 0.0
		for _, q := range c.Start {
			sum += q
		}
		if !(math.Abs(sum-1) < 1e-9) || len(c.Start) > MostStates || !(p.Rate() > 0) || math.IsInf(p.Rate(), 1) {
			t.Errorf("%v: states of probability %v, rate %v", p, sum, p.Rate())
		}
		if again, err := Marshal(p); err != nil {
			t.Errorf("%v is read, but not written: %v", p, err)
		} else if q, err := Unmarshal(again); err != nil || !reflect.DeepEqual(p, q) {
			t.Errorf("%v is written as %s and read as %v, %v", p, again, q, err)
		}
		Dispersion(p)
		Correlations(p, 2)
		ClassRates(p)
		PastBound(p, 1/p.Rate())
		p.AtRate(1)
	})
}
