package main

import "github.com/mjqueue/mjq/kernels/jupyter/cells"

const module = "github.com/mjqueue/mjq/"

// rules are what this kernel adds to Go.
var rules = cells.Rules{
	Show:    "widgets.Last",
	Must:    "mjq.Must",
	Context: "widgets.Context()",
	Silent:  []string{"widgets.Show", "widgets.ShowPNG", "time.Sleep", "os.Exit"},
	Packages: map[string]string{
		"arrival":  module + "mjq/arrival",
		"check":    module + "notebooks/check",
		"explorer": module + "widgets/explorer",
		"figure":   module + "mjq/figure",
		"foreign":  module + "mjq/trace/foreign",
		"law":      module + "mjq/law",
		"mam":      module + "mjq/mam",
		"mjq":      module + "mjq",
		"papers":   module + "notebooks/papers",
		"plots":    module + "mjq/plots",
		"policy":   module + "mjq/policy",
		"result":   module + "mjq/result",
		"spec":     module + "mjq/spec",
		"special":  module + "mjq/special",
		"trace":    module + "mjq/trace",
		"widgets":  module + "widgets",
		"workload": module + "mjq/workload",
	},
}

func init() { rules.Parameters = parameters } // which reads the packages above
