package trace

import (
	"bytes"
	"fmt"
	"math"
	"strings"
	"unicode/utf8"

	"github.com/mjqueue/mjq/internal/check"
	"github.com/mjqueue/mjq/mjq/trace/internal/slurm"
)

// sacctRun is a line of sacct that held servers, in 48 bytes without pointers: a log has
// millions of them before they become jobs.
type sacctRun struct {
	arrival    int64 // Unix seconds
	service    float64
	id         uint64
	estimate   uint32 // seconds
	wait       uint32
	need, line int32
	labels     int32 // by number
	fate       fate
	state      outcomeOf
	nodes      uint16 // on which it lay; 0: not known
}

// start is when the run began, in Unix seconds.
func (r *sacctRun) start() int64 { return r.arrival + int64(r.wait) }

// labels are what many runs share, each by its number.
type labels struct {
	class, user, account, units, cluster int32
	raw                                  bool // only JobIDRaw is known, which gives the tasks of arrays IDs of their own
}

// fate is what becomes of a run when all lines are known.
type fate uint8

const (
	kept fate = iota
	dropped
)

// outcomeOf is how a run ended.
type outcomeOf uint8

const (
	done  outcomeOf = iota
	stops           // it may be put back into the queue: REQUEUED, PREEMPTED, NODE_FAIL and their like
	runs            // it runs still
	gone            // it started, and is no job for another reason
)

// still reports whether the run had not ended.
func (r *sacctRun) still() bool { return r.state == runs }

// component is a run that is a component of a heterogeneous job.
type component struct {
	leader uint64 // the ID of the first component
	offset uint64 // 0 is the first
	run    int
}

// texts are numbered in the order in which they come.
type texts struct {
	number map[string]int32
	list   []string
}

func (t *texts) of(text []byte) int32 {
	i, known := t.number[string(text)]
	if !known {
		if t.number == nil {
			t.number = map[string]int32{}
		}
		i = int32(len(t.list))
		t.number[string(text)], t.list = i, append(t.list, utf8Of(text))
	}
	return i
}

// utf8Of is a name as text; one that is not UTF-8 is taken for Latin-1.
func utf8Of(text []byte) string {
	if utf8.Valid(text) {
		return string(text)
	}
	var b strings.Builder
	for _, c := range text {
		b.WriteRune(rune(c))
	}
	return b.String()
}

// sacctReader is one pass over a log.
type sacctReader struct {
	options Sacct
	keys    []string
	ledger
	file     string // that is read
	base     int    // lines of the files before it
	bad      check.Faults
	wrong    func(*LineError) // takes a malformed line
	columns  sacctColumns
	header   []byte
	delim    []byte
	spans    []span // of plain sacct, whose columns have a width; else nil
	below    bool   // the last line was a header
	sieve    sieve
	above    string // the first line above the header
	cells    [][]byte
	clock    *slurm.Clock
	label    []byte
	amounts  []int
	runs     blocks[sacctRun]
	parts    []component
	left     []departed
	failed   []int // runs that ended because a node failed
	lost     []Job // the same as jobs, once the lines that tell of them again are known
	classes  texts
	users    texts
	accounts texts
	clusters texts
	vectors  texts // of units
	units    [][]int
	shared   []labels
	sharing  map[labels]int32
	order    []int32
	latest   int64 // of all times of the log
	ended    int64 // the first end of all lines
}

// departed is a job that left, with its times still in Unix seconds.
type departed struct {
	Departure
	id                     jobID
	user                   int32
	raw                    bool // only JobIDRaw is known
	submit, arrival, until int64
	reason                 string // for which its line is no job
}

func newSacctReader(name string, o Sacct) *sacctReader {
	in := &sacctReader{options: o, keys: o.resources(), ledger: ledger{Report{File: name}}, bad: check.Faults{Most: mostProblems}, clock: slurm.NewClock(o.Location), sieve: sieve{filters: o.filters()}, sharing: map[labels]int32{}}
	in.wrong = func(e *LineError) { in.bad.Join(e) }
	in.amounts = make([]int, len(in.keys))
	in.ended = math.MaxInt64
	return in
}

// read reads all lines of a file. An error ends it: the header, or the reader.
func (in *sacctReader) read(file string, l *lines) error {
	in.file, in.base, in.header, in.above = file, in.report.Lines, nil, ""
	if l.wrong == nil && beginsJSON(l.in) {
		return in.readJSON(l.in)
	}
	again := func(text []byte) bool { return in.header != nil && bytes.Equal(text, in.header) }
	if err := l.rows(&in.report, again, in.row); err != nil {
		return err
	}
	if in.header == nil && in.above != "" {
		return fmt.Errorf("the file has no header; sacct says %q", in.above)
	}
	if in.header == nil {
		return fmt.Errorf("the file has no line but blank ones; write the log with\n  %s", SacctCommand)
	}
	return nil
}

// row reads a line that is neither blank nor the header again.
func (in *sacctReader) row(text []byte, no int, long bool) error {
	if long {
		in.malformed(in.base+no, tooLong, fmt.Sprintf("the line has more than %d bytes", longest))
		return nil
	}
	if err := in.line(text, in.base+no); err != nil {
		return fmt.Errorf("line %d: %w", no, err)
	}
	return nil
}

// The kinds of malformed lines.
const (
	tooLong        = "the line is too long"
	columnsDiffer  = "number of columns"
	noTime         = "a time that cannot be read"
	noLength       = "a length of time that cannot be read"
	noAmount       = "an amount of a resource that cannot be read"
	columnCut      = "a column that plain sacct has cut"
	noTasks        = "tasks of an array that cannot be read"
	numberTooLarge = "a need that cannot be counted"
)

// malformed notes a line that cannot be understood.
func (in *sacctReader) malformed(line int, kind, detail string) {
	in.report.Malformed++
	in.report.Faulty = tick(in.report.Faulty, kind, line)
	in.wrong(&LineError{in.file, line - in.base, detail})
}

// blockSize is how many items a block has.
const blockSize = 1 << 15

// blocks is a list that grows without being copied, so that a long one never takes twice its
// memory.
type blocks[T any] struct {
	list [][]T
	n    int
}

// push appends an item.
func (b *blocks[T]) push(x T) {
	if b.n%blockSize == 0 {
		b.list = append(b.list, make([]T, 0, blockSize))
	}
	last := &b.list[len(b.list)-1]
	*last = append(*last, x)
	b.n++
}

// at is the i-th item.
func (b *blocks[T]) at(i int) *T { return &b.list[i/blockSize][i%blockSize] }
