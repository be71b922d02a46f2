package law_test

import (
	"fmt"

	"github.com/mjqueue/mjq/mjq/law"
)

func ExampleMarshal() {
	text, err := law.Marshal(law.ErlangMeanPhases(1, 3).Scaled(0.3))
	fmt.Println(string(text), err)
	// Output: {"law":"ErlangMeanPhases","mean":0.3,"phases":3} <nil>
}

func ExampleUnmarshal() {
	l, err := law.Unmarshal([]byte(`{"law":"LomaxScaleShape","scale":2,"shape":3}`))
	fmt.Println(l, err)
	// Output: LomaxScaleShape(2, 3) <nil>
}
