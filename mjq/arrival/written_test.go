package arrival

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/mjqueue/mjq/mjq/law"
)

// TestWrittenAndRead: what is written is read back as the same bits.
func TestWrittenAndRead(t *testing.T) {
	mixed := Markov{D0: [][]float64{{-3}}, Events: []Event{{[][]float64{{1}}, 2, "a"}, {[][]float64{{2}}, 1, ""}}}
	for _, p := range append(all(), mixed, Poisson(1./3)) {
		text, err := Marshal(p)
		if err != nil {
			t.Errorf("%v: %v", p, err)
			continue
		}
		if !json.Valid(text) {
			t.Errorf("%v is written as %s", p, text)
		}
		q, err := Unmarshal(text)
		if err != nil || !reflect.DeepEqual(p, q) || p.String() != q.String() {
			t.Errorf("%v is written as %s and read as %v, %v", p, text, q, err)
		}
	}
}

// TestReadByHand reads what a person may write.
func TestReadByHand(t *testing.T) {
	for text, want := range map[string]Process{
		`{"arrivals":"Poisson","rate":1.4}`:                                                       Poisson(1.4),
		`{"arrivals":"MMPP","rates":[0.3,1.2],"generator":[[-0.2,0.2],[0.3,-0.3]]}`:               bursty,
		`{"arrivals":"Profile","rates":[0,1,4,2],"period":24}`:                                    office,
		`{"arrivals":"Batches","of":{"arrivals":"Poisson","rate":0.3},"sizes":[0.6,0.3,0.1]}`:     Batches{Poisson(0.3), Sizes{0.6, 0.3, 0.1}},
		`{"arrivals":"Renewal","gap":{"law":"ErlangMeanPhases","mean":2,"phases":3}}`:             erlang,
		`{"arrivals":"MAP","D0":[[-1]],"D1":[[1]]}`:                                               MAP([][]float64{{-1}}, [][]float64{{1}}),
		`{"arrivals":"Markov","D0":[[-1]],"events":[{"rates":[[1]],"size":2,"class":"wide"}]}`:    Markov{D0: [][]float64{{-1}}, Events: []Event{{[][]float64{{1}}, 2, "wide"}}},
		`{"arrivals":"Superposition","of":[{"arrivals":"Poisson","rate":0.9}]}`:                   Superposition{Poisson(0.9)},
		`{"arrivals":"MarkedMAP","D0":[[-3]],"D":{"b":[[1]],"a":[[2]]}}`:                          MarkedMAP([][]float64{{-3}}, map[string][][]float64{"a": {{2}}, "b": {{1}}}),
		`{"arrivals":"Profile","rates":[1,2],"period":24,"of":{"arrivals":"Poisson","rate":0.9}}`: Profile{24, []float64{1, 2}, Poisson(0.9)},
	} {
		p, err := Unmarshal([]byte(text))
		if err != nil || !reflect.DeepEqual(p, want) {
			t.Errorf("%s is read as %v, %v", text, p, err)
		}
	}
}

// outside is a process that is not of this package.
type outside struct{ Renewal }

// TestReadFaults: what is missing, unknown or not valid is named.
func TestReadFaults(t *testing.T) {
	deep := `{"arrivals":"Poisson","rate":1}`
	for range mostNested {
		deep = `{"arrivals":"Batches","of":` + deep + `,"sizes":[1]}`
	}
	for text, wants := range map[string][]string{
		``:                                  {"no name under"},
		`{"rate":1}`:                        {"no name under"},
		`[1]`:                               {"no name under"},
		`{"arrivals":"Pois"`:                {"no name under"},
		`{"arrivals":"Pois"}`:               {"Pois: no such process is known; did you mean Poisson? There are Poisson, Renewal, MAP, MMPP, MarkedMAP, BatchMAP, Markov, Batches, Superposition, Profile"},
		`{"arrivals":"Poisson","r":1}`:      {`Poisson: the parameter "rate" is missing`, `"r" is not known; it has rate`},
		`{"arrivals":"Poisson","rate":"1"}`: {`Poisson: rate: "1" is not a number; write it without quotes`},
		`{"arrivals":"Poisson","rate":-1}`:  {"ExpMean(-1)"},
		`{"arrivals":"Renewal","gap":{"law":"Exp"}}`:                           {`Renewal: law: "Exp" is not a law`},
		`{"arrivals":"Batches","of":{"arrivals":"Poisson"},"sizes":[1]}`:       {"Batches: Poisson: the parameter"},
		`{"arrivals":"Superposition","of":[{"arrivals":"x"},{"arrivals":""}]}`: {"Superposition: x: no such", "no name under"},
		`{"arrivals":"Profile","period":1,"rates":[1],"of":{"arrivals":"x"}}`:  {"Profile: x: no such"},
		deep: {"more than 8 deep"},
	} {
		_, err := Unmarshal([]byte(text))
		for _, want := range wants {
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%s: %v does not name %q", text, err, want)
			}
		}
	}
	for _, p := range []Process{nil, Poisson(-1), outside{Poisson(1)}, Batches{outside{Poisson(1)}, FixedSize(2)},
		Superposition{outside{Poisson(1)}}, Profile{1, []float64{1, 2}, outside{Poisson(1)}}, Renewal{foreign{law.ExpMean(1)}}} {
		if text, err := Marshal(p); err == nil {
			t.Errorf("%v is written as %s", p, text)
		}
	}
}

// foreign is a law that is not of package law.
type foreign struct{ law.Exponential }

func ExampleMarshal() {
	text, err := Marshal(MMPP([]float64{0.25, 1.5}, [][]float64{{-0.5, 0.5}, {1, -1}}))
	fmt.Println(string(text), err)
	// Output: {"arrivals":"MAP","D0":[[-0.75,0.5],[1,-2.5]],"D1":[[0.25,0],[0,1.5]]} <nil>
}

func ExampleUnmarshal() {
	p, err := Unmarshal([]byte(`{"arrivals":"Batches","of":{"arrivals":"Poisson","rate":2},"sizes":[0.5,0.5]}`))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%v %.4f %.4f\n", p, p.Rate(), Dispersion(p))
	// Output: Batches{Poisson(2), Sizes{0.5, 0.5}} 3.0000 1.6667
}
