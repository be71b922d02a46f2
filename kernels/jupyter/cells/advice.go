package cells

import (
	"fmt"
	"regexp"
	"strings"
)

// A Hint says what to do about a message of the compiler. In Words, which take the place of
// the message unless they are empty, and in Remedy $1 is the first group of the pattern, and
// MUST the function Must of the rules.
type Hint struct {
	Message       *regexp.Regexp
	Words, Remedy string
}

func hint(message, words, remedy string) Hint {
	return Hint{regexp.MustCompile(message), words, remedy}
}

// about are hints about Go that a notebook's user meets.
var about = []Hint{
	hint(`^assignment mismatch: 1 variable but (?:.*\.)?(\w+)(?:\(.*\))? returns 2 values`,
		"$1 gives two values, an answer and an error", "Take both, r, err := …, or have the cell end at an error: MUST(…)."),
	hint(`^(?:multiple-value )?(\S+\(.*\)) \(value of type \(.*, error\)\) in`, "$1 gives an answer and an error", "The answer alone is MUST($1)."),
	hint(`^(?s)(?:too many|not enough) arguments in call to (\S+)\n\s*have \([^,()]+(?:\([^()]*\))?, error\)`, "$1 gets an answer and an error where it wants an answer", "The answer alone is MUST(…)."),
	hint(`^(\S+) \(type\) is not an expression`, "$1 is a type", "A value of it, with its settings in braces: $1{}."),
	hint(`^cannot use (\S+) \(value of type func\(\) .*\) as .* value in argument to (\S+?)(?::.*)?$`, "$1 is a function", "Call it: $1()."),
	hint(`^cannot use (\S+) \(value of type func\(.+\) .*\) as .* value in argument to (\S+?)(?::.*)?$`, "$1 is a function", "Call it with its arguments: $1(…)."),
	hint(`^cannot use (.+) \(untyped string constant\) as (\S+) value in argument to (\S+?)(?::.*)?$`, "$3 wants $2 here, not the text $1", ""),
	hint(`^cannot use (.+) \(untyped \w+ constant(?: \S+)?\) as (\S+) value in argument to ([^:]+?)(?: \(truncated\))?(?::.*)?$`, "$3 wants $2 here, not $1", ""),
	hint(`^cannot use (.+) \((?:constant .*|\w+) of (?:\w+ )?type (.+)\) as (\S+) value in argument to ([^:]+?)(?: \(truncated\))?(?::.*)?$`, "$4 wants $3 here, and $1 is $2", ""),
	hint(`^invalid argument: (.+) \(\w+ of (?:\w+ )?type (.+)\) for built-in (\w+)$`, "$3 does not take $1, which is $2", ""),
	hint(`^undefined: True$`, "", "In Go: true."),
	hint(`^undefined: False$`, "", "In Go: false."),
	hint(`^undefined: None$`, "", "In Go: nil."),
	hint(`^no new variables on left side of :=`, "nothing here is new", "What is declared already gets a value by =."),
	hint(`^(.*\)) \(no value\) used as value$`, "$1 gives nothing that could be shown or kept", "Let it stand for itself: last in a cell, with a semicolon behind it."),
	hint(`is not used$`, "", "The last expression of a cell is shown; fmt.Println(…) prints others."),
	hint(`^illegal types? for operand: print`, "print is for Go's own use", "To print: fmt.Println(…). A value alone, last in the cell, is shown."),
	hint(`(?:invalid|illegal) character U\+0023`, "a remark begins with //, not #", ""),
	hint(`rune literal`, "", `Text stands in "double quotes".`),
}

// habits are what one writes who comes from Python, by the line, which does not compile.
var habits = []Hint{
	hint(`^import\s+[\w.]+(\s+as\s+\w+)?$`, `an import names a path: import "math"`, "Packages that you name come by themselves: you need no import."),
	hint(`^from\s+\S+\s+import\b`, `an import names a path: import "math"`, "Packages that you name come by themselves: you need no import."),
	hint(`^for\s+\w+(\s*,\s*\w+)?\s+in\b`, "", "In Go: for i := range 10 { … }, or for i, x := range list { … }."),
	hint(`^def\s`, "", "In Go: func name(x float64) float64 { … }."),
	hint(`^(?:if|elif|else|while|class|with|try)\b.*:$`, "", "Blocks stand in braces: if x > 1 { … } else { … }; while is for x > 1 { … }."),
	hint(`^#`, "a remark begins with //, not #", ""),
	hint(`\bprint\(`, "", "To print: fmt.Println(…). A value alone, last in the cell, is shown."),
	hint(`\*\*`, "", "A power is math.Pow(x, y)."),
	hint(`\s(?:and|or|not)\s`, "", "In Go: && for and, || for or, ! for not."),
	hint(`\bf"`, "", `Numbers in text: fmt.Sprintf("%.2f minutes", x).`),
	hint(`'[^'\\]{2,}'`, "", `Text stands in "double quotes".`),
}

var (
	// undefined names something that no cell declares.
	undefined = regexp.MustCompile(`^undefined: (\w+)$`)
	unused    = regexp.MustCompile(`^declared and not used: (\w+)$`)
	assigned  = regexp.MustCompile(`^(\w+) *= *[^=]`)
)

// advice says a message in a user's words, and what to do about it.
func (r *Rules) advice(b *Book, text string, c *Cell, line string) (words, remedy string) {
	words = text
	if m := undefined.FindStringSubmatch(text); m != nil {
		name := m[1]
		switch {
		case b.failed[name] > 0:
			return words, fmt.Sprintf("Cell %d declares %s, but has failed: fix it and run it again.", b.failed[name], name)
		case b.left[name]:
			return words, fmt.Sprintf("An earlier cell declares %s by := for itself. To keep it, declare it there as var %[1]s = …, above the statements.", name)
		}
		if m := assigned.FindStringSubmatch(line); m != nil && m[1] == name {
			return words, "To declare it: " + name + " := …"
		}
	}
	if text == "declared and not used: err" {
		return words, fmt.Sprintf("Read it, if err != nil { … }, or have the cell end at the error: x := %s(…).", r.Must)
	}
	if m := unused.FindStringSubmatch(text); m != nil {
		return words, fmt.Sprintf("%s := … is for this cell. Use it here, or keep it for later cells: var %[1]s = …, above the statements.", m[1])
	}
	if words, remedy, ok := r.missing(text); ok {
		return words, remedy
	}
	for _, h := range r.Hints {
		if words, remedy, ok := r.told(h, text, text); ok {
			return words, remedy
		}
	}
	for _, h := range about {
		if words, remedy, ok := r.told(h, text, text); ok {
			return words, remedy
		}
	}
	if stray := strings.Contains(text, "expected declaration") || strings.Contains(text, "non-declaration statement"); stray && !c.magic && len(c.edits) == 0 {
		return words, "A function stands among statements here: put functions above them, or into a cell of their own."
	}
	for _, h := range habits {
		if words, remedy, ok := r.told(h, line, text); ok {
			return words, remedy
		}
	}
	return words, ""
}

// declaring is how to declare a name that a line uses.
func declaring(name, line string) string {
	uses := func(pattern string) bool {
		return regexp.MustCompile(strings.ReplaceAll(pattern, "NAME", name)).MatchString(line)
	}
	switch {
	case uses(`(?:^|[^.\w])NAME\(`):
		return "func " + name + "(…) { … }"
	case uses(`(?:^|[^.\w])NAME\{`), uses(`\]NAME\b`), uses(`^var \w+ \*?NAME\b`), uses(`\bfunc\b.*\b\w+ \*?NAME\b`):
		return "type " + name + " …"
	}
	return name + " := …"
}

// told fills in a hint if it is about the subject.
func (r *Rules) told(h Hint, subject, text string) (words, remedy string, ok bool) {
	m := h.Message.FindStringSubmatchIndex(subject)
	if m == nil {
		return "", "", false
	}
	fill := func(template string) string {
		return strings.ReplaceAll(string(h.Message.ExpandString(nil, template, subject, m)), "MUST", r.Must)
	}
	if words = fill(h.Words); words == "" {
		words = text
	}
	return words, fill(h.Remedy), true
}
