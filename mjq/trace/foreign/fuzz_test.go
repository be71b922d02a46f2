package foreign

import (
	"bytes"
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/mjqueue/mjq/mjq/trace"
)

func FuzzTuples(f *testing.F) {
	f.Add("(1, 0.5, 0.5)\n(20, 0.5, 2)\n", 0)
	f.Add("(1, 0.5, 0.5, 3)", 1)
	f.Add("(1, 0.5, 25.0, 0.2525, 0.01)", 2)
	f.Add("(1, 0.5, 0.1492, 400, 1.4)\n()\n(,,)", 3)
	f.Add("(1, 0.5, 7)\n(1, 0.5, 1e300)\n(9, 1, 5e-324)", 5)
	f.Add("(1, 0.5, 7)\n(1, 0.5, 1.1)\n(9, 1, 1e-5)", 6)
	f.Fuzz(func(t *testing.T, text string, family int) {
		classes, err := ReadTuples("f", strings.NewReader(text), Family(family))
		if len(classes) == 0 && err == nil {
			t.Fatal("neither classes nor an error")
		}
		for _, c := range classes {
			if c.Need < 1 || !(c.Prob > 0 && c.Prob <= 1) || c.Name == "" || c.Service.Validate() != nil {
				t.Fatalf("impossible class %+v", c)
			}
		}
	})
}

func FuzzTOML(f *testing.F) {
	f.Add(tomlText)
	f.Add("cores=8\narrival={mode=\"shared\",distribution=\"deterministic\",value=1.5}\nservice={distribution=\"exponential\",rate=2}\n[class.1]\ncores=2\narrival.prob=0.3\n")
	f.Add("cores=1\n[[pivot]]\nclass=[1]\n[[class]]\n")
	f.Fuzz(func(t *testing.T, text string) {
		x, err := ReadTOML("f", strings.NewReader(text))
		if err != nil {
			return
		}
		for _, s := range x.Runs[:min(3, len(x.Runs))] {
			if s.Servers < 1 || len(s.Classes) == 0 {
				t.Fatalf("impossible %+v", s)
			}
			for _, c := range s.Classes {
				if c.Need < 1 || !(c.Prob > 0) || c.Service.Validate() != nil {
					t.Fatalf("impossible class %+v", c)
				}
			}
			var out bytes.Buffer
			queue := s.Model()
			if err := queue.Err(); err != nil {
				t.Fatal(err)
			}
			if err := WriteTOML(&out, "x", 1, 1, queue.Spec()); err != nil {
				t.Fatal(err)
			}
			if _, err := ReadTOML("", &out); err != nil {
				t.Fatalf("written but not read: %v", err)
			}
		}
	})
}

func FuzzRates(f *testing.F) {
	f.Add("[0.1, 0.2]")
	f.Add("\n[ 1e300,\n 5e-324 , ]\r\n")
	f.Add("x [1] y")
	f.Add("[0, -1, NaN, , 2]")
	f.Fuzz(func(t *testing.T, text string) {
		rates, err := ReadRates("f", strings.NewReader(text))
		if err != nil {
			var bad *trace.LineError
			if errors.As(err, &bad) && (bad.Line < 1 || bad.Line > strings.Count(text, "\n")+1 || bad.Reason == "") {
				t.Fatalf("error %v", err)
			}
			return
		}
		for _, x := range rates {
			if !(x > 0) || math.IsInf(x, 1) {
				t.Fatalf("impossible rates %v", rates)
			}
		}
	})
}
