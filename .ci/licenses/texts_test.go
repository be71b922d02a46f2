package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestKnown(t *testing.T) {
	own, err := os.ReadFile("../../LICENSE")
	if err != nil {
		t.Fatal(err)
	}
	const bsd = "Redistribution and use in source and binary\nforms, with or without modification, are permitted provided"
	for _, c := range []struct{ text, want string }{
		{string(own), "Apache-2.0"},
		{bsd, "BSD-2-Clause"},
		{bsd + "... to endorse or promote products derived from this", "BSD-3-Clause"},
		{bsd + " All advertising materials mentioning features ... endorse or promote products derived from", "BSD-4-Clause"},
		{"Everyone is permitted to copy and distribute verbatim copies\n of this license document", "GPL"},
		{"a note that the GNU General Public License may apply", ""},
		{"All rights reserved.", ""},
	} {
		if got := strings.Join(known(c.text), " "); got != c.want {
			t.Errorf("%.40q: %q, want %q", c.text, got, c.want)
		}
	}
}

// TestJudge: a licence that is not allowed, one that is unknown, and none at
// all are faults, also beside one that is allowed.
func TestJudge(t *testing.T) {
	mit := "Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated documentation files (the"
	gpl := "Everyone is permitted to copy and distribute verbatim copies of this license document"
	for _, c := range []struct {
		texts []string
		want  string
	}{
		{[]string{mit}, ""},
		{[]string{mit, gpl}, "GPL, which is not allowed"},
		{[]string{mit + " " + gpl}, "GPL, which is not allowed"},
		{[]string{mit, "ask me"}, "no licence that"},
		{nil, "no licence file"},
	} {
		dir := t.TempDir()
		for i, text := range c.texts {
			if err := os.WriteFile(filepath.Join(dir, []string{"LICENSE", "COPYING.md"}[i]), []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		files, err := licenceFiles(dir)
		if err != nil || len(files) != len(c.texts) {
			t.Fatalf("%d files, %v", len(files), err)
		}
		_, faults := judge(files)
		if got := strings.Join(faults, "; "); c.want == "" && got != "" || !strings.Contains(got, c.want) {
			t.Errorf("%.30q: %q, want %q", c.texts, got, c.want)
		}
	}
}
