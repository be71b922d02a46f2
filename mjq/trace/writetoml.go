package trace

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/mjqueue/mjq/mjq/law"
	"github.com/mjqueue/mjq/mjq/spec"
)

// WriteTOML writes one first-come first-served system as mjqm-simulator reads
// it: shared arrivals and a probability a class. Means are written as means,
// so that ReadTOML gives the same digits back. Only laws that the simulator has
// can be written; its lognormal law has SCV 1/4.
func WriteTOML(w io.Writer, identifier string, events, repetitions int, s *spec.Spec) error {
	switch {
	case s.Load != nil:
		return fmt.Errorf("writing TOML: the model is at load %v and its arrival rate not known; write what m.Resolve(ctx) returns", *s.Load)
	case !s.FirstCome():
		return fmt.Errorf("writing TOML: policy %v; only first come first served is written", s.Policy)
	case !s.Plain():
		return errors.New("writing TOML: the simulator knows identical servers only")
	}
	out := bufio.NewWriter(w)
	if identifier != "" {
		fmt.Fprintf(out, "identifier = %s\n", basic(identifier))
	}
	if events > 0 {
		fmt.Fprintf(out, "events = %d\n", events)
	}
	if repetitions > 0 {
		fmt.Fprintf(out, "repetitions = %d\n", repetitions)
	}
	fmt.Fprintf(out, "cores = %d\npolicy = \"fifo\"\n\n", s.Servers)
	if s.Arrivals == nil {
		fmt.Fprintln(out, `arrival.distribution = "exponential"`)
	} else {
		gap, ok := s.Gap()
		if !ok {
			return fmt.Errorf("writing TOML: the simulator knows no arrivals %v; give independent gaps", s.Arrivals)
		}
		keys, err := tomlLaw(gap)
		if err != nil {
			return fmt.Errorf("writing TOML: arrivals: %w", err)
		}
		if _, poisson := law.MemorylessRate(gap); !poisson {
			fmt.Fprintln(out, `arrival.mode = "shared"`)
		}
		writeKeys(out, "arrival", keys)
	}
	for _, c := range s.Classes {
		keys, err := tomlLaw(c.Service)
		if err != nil {
			return fmt.Errorf("writing TOML: class %q: %w", c.Name, err)
		}
		fmt.Fprintf(out, "\n[[class]]\nname = %s\ncores = %d\narrival.prob = %s\n", basic(c.Name), c.Need, float(c.Prob))
		writeKeys(out, "service", keys)
	}
	return out.Flush()
}

func writeKeys(w io.Writer, at string, keys []string) {
	for _, k := range keys {
		fmt.Fprintf(w, "%s.%s\n", at, k)
	}
}

// tomlFamilies are the simulator's laws by the names of our forms: what it calls
// them, and in pairs its keys and our parameters.
var tomlFamilies = map[string]struct {
	family string
	keys   [][2]string
}{
	"ExpMean":          {"exponential", [][2]string{{"mean", "mean"}}},
	"Deterministic":    {"deterministic", [][2]string{{"value", "value"}}},
	"Uniform":          {"uniform", [][2]string{{"min", "lo"}, {"max", "hi"}}},
	"BoundedPareto":    {"bounded pareto", [][2]string{{"alpha", "shape"}, {"L", "lo"}, {"H", "hi"}}},
	"LogNormalMeanSCV": {"lognormal", [][2]string{{"mean", "mean"}}},
}

// tomlLaw is a law as keys of the simulator.
func tomlLaw(l law.Law) ([]string, error) {
	f, _ := law.FormOf(l)
	t, ok := tomlFamilies[f.Name]
	switch {
	case !ok:
		return nil, fmt.Errorf("%v is none of the simulator's laws: exponential, deterministic, uniform, bounded Pareto, lognormal of SCV 1/4", l)
	case f.Name == "LogNormalMeanSCV" && f.Float("scv") != 0.25:
		return nil, fmt.Errorf("%v: the simulator's lognormal law has SCV 1/4", l)
	}
	keys := []string{fmt.Sprintf("distribution = %q", t.family)}
	for _, k := range t.keys {
		keys = append(keys, fmt.Sprintf("%s = %s", k[0], float(f.Float(k[1]))))
	}
	return keys, nil
}

// float is a TOML float: never a bare whole number, whose type would differ.
func float(x float64) string {
	s := number(x)
	if !strings.ContainsAny(s, ".e") {
		s += ".0"
	}
	return s
}

// basic is a TOML basic string.
func basic(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			b.WriteRune('\\')
			b.WriteRune(r)
		case r < 0x20 || r == 0x7f:
			b.WriteString(`\u` + fmt.Sprintf("%04X", r))
		default:
			b.WriteRune(r)
		}
	}
	return b.String() + `"`
}
