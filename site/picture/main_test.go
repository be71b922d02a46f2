package main

import (
	"bytes"
	"os"
	"testing"
)

// TestPicture: the file of the site is what the command draws.
func TestPicture(t *testing.T) {
	drawn, err := picture()
	if err != nil {
		t.Fatal(err)
	}
	file, err := os.ReadFile("../docs/queue.svg")
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(file, drawn) {
		t.Error("site/docs/queue.svg is another one: go run ./site/picture > site/docs/queue.svg")
	}
}
