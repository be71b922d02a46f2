package main

import (
	"os"
	"path/filepath"
	"testing"
)

// sample is a notebook as Jupyter saves one after a run: a cell that passed, a
// text, a cell that panicked and one that does not compile.
const sample = `{
 "cells": [
  {
   "cell_type": "code",
   "execution_count": 1,
   "id": "a",
   "metadata": {
    "execution": {
     "iopub.status.busy": "2026-01-01T00:00:00.000000Z"
    },
    "tags": [
     "check"
    ]
   },
   "outputs": [
    {
     "data": {
      "text/html": [
       "<b>a < b & c</b>"
      ]
     },
     "metadata": {},
     "output_type": "display_data"
    }
   ],
   "source": [
    "import \"fmt\""
   ]
  },
  {
   "cell_type": "markdown",
   "id": "b",
   "metadata": {},
   "source": [
    "text"
   ]
  },
  {
   "cell_type": "code",
   "execution_count": 2,
   "id": "c",
   "metadata": {},
   "outputs": [
    {
     "name": "stderr",
     "output_type": "stream",
     "text": [
      "panic: got 1\n",
      "\u001b[7mexit status 2\u001b[0m\n"
     ]
    },
    {
     "ename": "ERROR",
     "evalue": "exit status 2",
     "output_type": "error",
     "traceback": []
    }
   ],
   "source": [
    "%%\n",
    "panic(\"got 1\")"
   ]
  },
  {
   "cell_type": "code",
   "execution_count": 3,
   "id": "d",
   "metadata": {},
   "outputs": [
    {
     "data": {
      "text/html": "<style>\np { color: red }\n</style>\n<p>main.go:1: undefined: x</p>\n\n \n<p>a &lt; b</p>"
     },
     "output_type": "display_data"
    },
    {
     "ename": "ERROR",
     "evalue": "failed to run go build",
     "output_type": "error",
     "traceback": []
    }
   ],
   "source": "%%\nx()"
  }
 ],
 "metadata": {
  "language_info": {
   "name": "go",
   "version": "go1.26"
  }
 },
 "nbformat": 4,
 "nbformat_minor": 5
}
`

func load(t *testing.T) notebook {
	t.Helper()
	path := filepath.Join(t.TempDir(), "sample.ipynb")
	if err := os.WriteFile(path, []byte(sample), 0o644); err != nil {
		t.Fatal(err)
	}
	nb, err := readNotebook(path)
	if err != nil {
		t.Fatal(err)
	}
	return nb
}

func TestFaults(t *testing.T) {
	got := load(t).faults()
	want := []fault{
		{Cell: 3, Line: `panic("got 1")`, Text: "panic: got 1\nexit status 2"},
		{Cell: 4, Line: "x()", Text: "main.go:1: undefined: x\na < b\nfailed to run go build"},
	}
	if len(got) != len(want) {
		t.Fatalf("got %d faults, want %d: %q", len(got), len(want), got)
	}
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("fault %d: got %+q, want %+q", i, got[i], want[i])
		}
	}
}

// A notebook that is read and written is the same text, byte for byte, so that
// the repository shows only what a run has changed.
func TestWriteKeepsTheText(t *testing.T) {
	path := filepath.Join(t.TempDir(), "copy.ipynb")
	if err := load(t).write(path); err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != sample {
		t.Errorf("got\n%s", got)
	}
}

func TestCleanRemovesTimesAndVersionsOnly(t *testing.T) {
	nb := load(t)
	nb.clean()
	metadata := object(nb.cells()[0]["metadata"])
	if _, left := metadata["execution"]; left || metadata["tags"] == nil {
		t.Errorf("cell metadata: %v", metadata)
	}
	language := object(object(nb["metadata"])["language_info"])
	if _, left := language["version"]; left || language["name"] != "go" {
		t.Errorf("language_info: %v", language)
	}
}
