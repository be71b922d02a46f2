package check

import "testing"

// TestNearest: slips of a finger and abbreviations lead to the name, other words nowhere.
func TestNearest(t *testing.T) {
	names := []string{"stability", "exact", "sample", "simulate", "need", "name", "rel-err", "ExpMean"}
	for word, want := range map[string]string{
		"stabilty": "stability", "satbility": "stability", "stab": "stability", "Exakt": "exact", "neeed": "need", "ned": "need", "nedd": "need",
		"relerr": "rel-err", "ExpMaen": "ExpMean", "expmean": "ExpMean", "simulation": "simulate", "smaple": "sample",
		"servers": "", "x": "", "": "", "probability": "", "st": "", "zzzz": "",
	} {
		if got := Nearest(word, names); got != want {
			t.Errorf("%q is nearest to %q, want %q", word, got, want)
		}
	}
	if got := DidYouMean("neeed", names); got != "; did you mean need?" {
		t.Error(got)
	}
	if got := DidYouMean("zzzz", names); got != "" {
		t.Error(got)
	}
	if got := OneOf("neeed", []string{"name", "need"}); got != "; did you mean need? There are name, need" {
		t.Error(got)
	}
	if got := OneOf("zzzz", []string{"name", "need"}); got != "; there are name, need" {
		t.Error(got)
	}
}

// TestSlips counts by hand.
func TestSlips(t *testing.T) {
	for words, want := range map[[2]string]int{{"", ""}: 0, {"", "ab"}: 2, {"ab", "ba"}: 1, {"abc", "abd"}: 1, {"kitten", "sitting"}: 3, {"abcd", "acbd"}: 1, {"ca", "abc"}: 3} {
		if got := Slips(words[0], words[1]); got != want {
			t.Errorf("%q: %d slips, want %d", words, got, want)
		}
		if got := Slips(words[1], words[0]); got != want {
			t.Errorf("%q turned round: %d slips, want %d", words, got, want)
		}
	}
}
