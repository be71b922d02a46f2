//go:build !(js && wasm)

package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"

	"github.com/mjqueue/mjq/widgets/playground"
)

// main prints what the page shows before the command itself has arrived in the browser: what it
// offers, and the last answer to the queue that it opens with.
func main() {
	first := map[string]any{"ready": playground.Offered()}
	playground.Ask(context.Background(), playground.First(), func(a playground.Answer) { first["answer"] = a })
	if err := json.NewEncoder(os.Stdout).Encode(first); err != nil {
		fmt.Fprintln(os.Stderr, "wasm: the first answer cannot be written:", err)
		os.Exit(1)
	}
}
