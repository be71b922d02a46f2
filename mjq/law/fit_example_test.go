package law_test

import (
	"fmt"

	"github.com/mjqueue/mjq/mjq/law"
)

func ExampleFitMeanSCV() {
	for _, scv := range []float64{0, 0.25, 1, 4} {
		fmt.Println(law.FitMeanSCV(2, scv))
	}
	// Output:
	// Deterministic(2)
	// ErlangMeanPhases(2, 4)
	// ExpMean(2)
	// HyperExpMeans(1.1270166537925832, 8.872983346207418, 0.8872983346207417)
}

func ExampleFitThreeMoments() {
	for _, m := range [][3]float64{{2, 5, 15}, {1, 2.5, 12}, {1, 2, 4}} {
		if l, err := law.FitThreeMoments(m[0], m[1], m[2]); err != nil {
			fmt.Println(err)
		} else {
			fmt.Printf("%T, P(X > 5) = %.4f\n", l, l.Survival(5))
		}
	}
	// Output:
	// law.Erlang, P(X > 5) = 0.0103
	// law.Coxian2, P(X > 5) = 0.0168
	// fitting three moments: mam: moments 1, 2, 4 belong to no law of spread times: m2 must exceed m1^2 = 1 and m3 must exceed m2^2/m1 = 4
}
