package law_test

import (
	"fmt"

	"github.com/mjqueue/mjq/mjq/law"
)

func ExampleMarshal() {
	text, err := law.Marshal(law.ErlangMean(3, 1).Scaled(0.3))
	fmt.Println(string(text), err)
	// Output: {"law":"ErlangMean","phases":3,"mean":0.3} <nil>
}

func ExampleUnmarshal() {
	l, err := law.Unmarshal([]byte(`{"law":"Lomax","shape":3,"scale":2}`))
	fmt.Println(l, err)
	// Output: Lomax(3, 2) <nil>
}
