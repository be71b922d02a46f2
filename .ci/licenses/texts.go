package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode"
)

// allowed are licences under which a work under Apache 2.0 may link, and a
// person may run, the code. CC-BY-4.0 and FTL ask for credit, which the report
// gives. Strong copyleft is not among them.
var allowed = strings.Fields("MIT BSD-2-Clause BSD-3-Clause Apache-2.0 ISC MPL-2.0 CC-BY-4.0 OFL-1.1 FTL")

// texts are sentences by which a licence is known, all of which must occur, in
// lower-case words without punctuation; absent must not.
var texts = []struct {
	licence string
	present []string
	absent  string
}{
	{"MIT", []string{"permission is hereby granted free of charge to any person obtaining a copy of this software and associated documentation files"}, ""},
	{"BSD-4-Clause", []string{redistribution, "all advertising materials mentioning features"}, ""},
	{"BSD-3-Clause", []string{redistribution, "endorse or promote products derived from"}, "all advertising materials mentioning features"},
	{"BSD-2-Clause", []string{redistribution}, "endorse or promote products derived from"},
	{"Apache-2.0", []string{"apache license version 2 0"}, ""},
	{"ISC", []string{"permission to use copy modify and or distribute this software for any purpose with or without fee is hereby granted"}, ""},
	{"MPL-2.0", []string{"mozilla public license version 2 0"}, ""},
	{"CC-BY-4.0", []string{"creative commons attribution 4 0 international"}, ""},
	{"OFL-1.1", []string{"sil open font license version 1 1"}, ""},
	{"FTL", []string{"your choice of exactly one of the following two licenses the freetype license"}, ""},
	{"GPL", []string{"everyone is permitted to copy and distribute verbatim copies of this license document"}, ""},
	{"SSPL-1.0", []string{"server side public license"}, ""},
	{"BUSL-1.1", []string{"business source license"}, ""},
}

const redistribution = "redistribution and use in source and binary forms with or without modification are permitted"

// known is every licence whose text occurs in the given one, sorted.
func known(text string) (licences []string) {
	text = " " + strings.Join(strings.FieldsFunc(strings.ToLower(text), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r)
	}), " ") + " "
	for _, t := range texts {
		ok := t.absent == "" || !strings.Contains(text, t.absent)
		for _, sentence := range t.present {
			ok = ok && strings.Contains(text, " "+sentence+" ")
		}
		if ok {
			licences = append(licences, t.licence)
		}
	}
	return licences
}

// licenceFile is a file of a module that speaks of its licence.
type licenceFile struct{ name, text string }

func licenceFiles(dir string) (files []licenceFile, err error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		name := strings.ToLower(e.Name())
		base := strings.TrimSuffix(strings.TrimSuffix(name, filepath.Ext(name)), "-link")
		if e.IsDir() || !slices.ContainsFunc([]string{"license", "licence", "copying", "unlicense"}, func(stem string) bool {
			return base == stem || strings.HasPrefix(base, stem+"-")
		}) || strings.HasSuffix(name, ".sh") {
			continue
		}
		text, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			return nil, err
		}
		files = append(files, licenceFile{e.Name(), string(text)})
	}
	return files, nil
}

// judge is all licences of the files, and what is wrong with them.
func judge(files []licenceFile) (licences, faults []string) {
	if len(files) == 0 {
		return nil, []string{"no licence file; without one nobody may use it"}
	}
	for _, f := range files {
		here := known(f.text)
		if len(here) == 0 {
			faults = append(faults, f.name+" is no licence that this program knows")
		}
		for _, licence := range here {
			if !slices.Contains(allowed, licence) {
				faults = append(faults, fmt.Sprintf("%s is %s, which is not allowed here", f.name, licence))
			}
		}
		licences = append(licences, here...)
	}
	slices.Sort(licences)
	return slices.Compact(licences), faults
}
