package trace

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/mjqueue/mjq/mjq/trace/internal/slurm"
)

// Reading says how Read reads a log of each format.
type Reading struct {
	Sacct Sacct
	SWF   SWF
	CSV   CSV
}

// Read reads a log of any format, which its beginning tells: the output of sacct, SWF or CSV,
// compressed or not. An input that is no log gets the error of the reader that came nearest. See
// ReadSacct, ReadSWF and ReadCSV.
func Read(name string, r io.Reader, how Reading) (*Trace, error) {
	in, err := decoded(r)
	if err != nil {
		return nil, fmt.Errorf("reading %s: %w", name, err)
	}
	head, err := in.Peek(longest)
	line, _, _ := bytes.Cut(bytes.TrimSpace(head), []byte{'\n'})
	line = bytes.TrimSpace(line)
	_, noNode := slurm.NodeOf(line)
	switch f := formatOf(head, name); {
	case err != nil && !errors.Is(err, io.EOF):
		return nil, fmt.Errorf("reading %s: %w", name, err)
	case noNode == nil || bytes.HasPrefix(line, []byte("NODELIST|")):
		return nil, fmt.Errorf("reading %s: this is the output of sinfo, which says how large the cluster is; give it as --sinfo, and a log of Slurm from\n  %s", name, SacctCommand)
	case f == sacctFormat:
		return ReadSacct(name, in, how.Sacct)
	case f == swfFormat:
		return ReadSWF(name, in, how.SWF)
	case f == csvFormat:
		return ReadCSV(name, in, how.CSV)
	case len(bytes.TrimSpace(head)) == 0:
		return nil, fmt.Errorf("reading %s: the file has no line but blank ones; write a log of Slurm with\n  %s", name, SacctCommand)
	}
	return nil, fmt.Errorf("reading %s: a log is the output of sacct, SWF or CSV, and this is none of them; it begins with %.60q. Write a log of Slurm with\n  %s", name, line, SacctCommand)
}

// File is a file of a log.
type File struct {
	Name string
	Text io.Reader
}

// ReadFiles reads a log from several files, in any order: exports of sacct, each in any of its forms,
// which may overlap. Lines are counted through all files, as if one stood below the other.
func ReadFiles(files []File, how Reading) (*Trace, error) {
	if len(files) == 1 {
		return Read(files[0].Name, files[0].Text, how)
	}
	if len(files) == 0 {
		return nil, errors.New("reading a log: no file is given")
	}
	texts := make([]File, len(files))
	for i, f := range files {
		in, err := decoded(f.Text)
		if err != nil {
			return nil, fmt.Errorf("reading %s: %w", f.Name, err)
		}
		head, _ := in.Peek(longest)
		if formatOf(head, f.Name) != sacctFormat {
			return nil, fmt.Errorf("reading %s: several files are read together if all have the output of sacct, and this has not; give it alone", f.Name)
		}
		texts[i] = File{f.Name, in}
	}
	return readSacct(fmt.Sprintf("%s and %d more", files[0].Name, len(files)-1), texts, how.Sacct)
}

// format is that of a log.
type format int

const (
	noFormat format = iota
	sacctFormat
	swfFormat
	csvFormat
)

// formatOf tells the format of a log by its beginning, and by its name where that leaves it open.
func formatOf(head []byte, name string) format {
	name = strings.ToLower(name)
	for _, end := range []string{".gz", ".zst", ".xz"} {
		name = strings.TrimSuffix(name, end)
	}
	text := bytes.TrimSpace(head)
	line, _, _ := bytes.Cut(text, []byte{'\n'})
	line = bytes.TrimSpace(line)
	switch {
	case len(text) == 0:
		return noFormat
	case text[0] == '{', bytes.HasPrefix(text, []byte("sacct:")), bytes.HasPrefix(text, []byte("slurm")), sacctIn(text):
		return sacctFormat
	case text[0] == ';', text[0] == '#' && strings.HasSuffix(name, ".swf"), numbersIn(line) >= 11:
		return swfFormat
	case bytes.Count(line, []byte{'|'}) >= 5:
		return sacctFormat
	case filepath.Ext(name) == ".swf":
		return swfFormat
	case filepath.Ext(name) == ".csv", bytes.ContainsAny(line, ",;\t") && slices.ContainsFunc(csvFields[arrivalColumn].usual, func(word string) bool { return bytes.Contains(bytes.ToLower(line), []byte(word)) }):
		return csvFormat
	}
	return noFormat
}

// sacctIn reports whether one of the first lines is a header of sacct.
func sacctIn(text []byte) bool {
	for line := range bytes.SplitSeq(text[:min(len(text), 1<<14)], []byte{'\n'}) {
		words := bytes.FieldsFunc(bytes.ToLower(line), func(r rune) bool { return !letter(r) })
		has := func(list ...string) bool {
			return slices.ContainsFunc(words, func(w []byte) bool { return slices.Contains(list, string(w)) })
		}
		if has("jobid", "jobidraw") && has("state") && !has("servers", "service") {
			return true
		}
	}
	return false
}

// numbersIn is how many numbers a line has with blanks between them; 0 if it has something else.
func numbersIn(line []byte) int {
	fields := bytes.Fields(line)
	for _, f := range fields {
		if len(bytes.Trim(f, "0123456789.-+eE")) > 0 {
			return 0
		}
	}
	return len(fields)
}

// IsLog reports whether an input begins as a log does, rather than as a model: a CSV of classes has the
// column probability.
func IsLog(name string, r io.Reader) bool {
	in, err := decoded(r)
	if err != nil {
		return true // the reader of logs says why
	}
	head, _ := in.Peek(longest)
	line, _, _ := bytes.Cut(bytes.TrimSpace(head), []byte{'\n'})
	switch f := formatOf(head, name); f {
	case csvFormat:
		return !bytes.Contains(bytes.ToLower(line), []byte("probability"))
	case sacctFormat:
		return bytes.TrimSpace(head)[0] != '{' || bytes.Contains(head, []byte(`"jobs"`)) && bytes.Contains(head, []byte(`"meta"`))
	case noFormat:
		ext := strings.ToLower(filepath.Ext(name))
		return slices.Contains([]string{".gz", ".zst", ".xz", ".txt"}, ext)
	}
	return true
}
