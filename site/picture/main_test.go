package main

import (
	"bytes"
	"os"
	"testing"
)

// TestPictures: the files of the site are what the command draws.
func TestPictures(t *testing.T) {
	for name, draw := range pictures {
		drawn, err := draw("../..")
		if err != nil {
			t.Fatal(err)
		}
		file, err := os.ReadFile("../../" + name)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(file, drawn) {
			t.Errorf("%s is another one: go run ./site/picture", name)
		}
	}
}
