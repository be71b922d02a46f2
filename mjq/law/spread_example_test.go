package law_test

import (
	"fmt"

	"github.com/mjqueue/mjq/mjq/law"
)

func ExampleSpread() {
	fmt.Println(law.Spread(law.ExpMean(2)))
	h := law.Spread(law.Lomax{Shape: 3.5, Scale: 1})
	fmt.Printf("%v: mean %.4f, P(H > 10) = %.6f\n", h, h.Mean(), h.Survival(10))
	// Output:
	// ErlangMeanPhases(4, 2)
	// Spread(LomaxScaleShape(1, 3.5)): mean 1.3333, P(H > 10) = 0.008155
}
