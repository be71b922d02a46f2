//go:build !(js && wasm)

package main

import (
	"fmt"
	"os"
)

// main says what to do where there is no page to answer.
func main() {
	fmt.Fprintln(os.Stderr, "wasm: this command answers a page in a browser; build both by make playground")
	os.Exit(2)
}
