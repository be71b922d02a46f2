package result_test

import (
	"fmt"

	"github.com/mjqueue/mjq/mjq/result"
)

func ExampleTable_Against() {
	ours := []result.Estimate{{Value: 4.02, HalfWidth: 0.05, Level: 0.95}, {Value: 9.4, HalfWidth: 0.1, Level: 0.95}}
	fmt.Print(result.NewTable("").Text("load", "0.8", "0.9").Against([]float64{4, 9}, ours, 2))
	// Output:
	// load  paper           ours  difference
	// 0.8       4  4.020 ± 0.050  +0.5 %      ✓
	// 0.9       9  9.40  ± 0.10   +4.4 %      ✗
}
