package cache

import (
	"bytes"
	"encoding/binary"
	"errors"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"
	"time"
)

type answer struct {
	Values []float64
	Name   string
}

func key(n uint64) Key {
	k, _ := Ask("test").Numbers(n).key()
	return k
}

func TestStoreGivesBackToTheBit(t *testing.T) {
	s := New(filepath.Join(t.TempDir(), "made", "when needed"), DefaultBytes)
	var got answer
	if _, ok := s.Get(key(1), &got); ok {
		t.Fatal("an empty store knows an answer")
	}
	want := answer{[]float64{math.NaN(), math.Inf(1), 0.1, math.Copysign(0, -1)}, "x"}
	s.Put(key(1), want)
	written, ok := s.Get(key(1), &got)
	if !ok || time.Since(written) > time.Minute || got.Name != "x" || len(got.Values) != 4 {
		t.Fatalf("%v, %v, written %v", got, ok, written)
	}
	for i, x := range want.Values {
		if math.Float64bits(got.Values[i]) != math.Float64bits(x) {
			t.Errorf("value %d: %v, want %v", i, got.Values[i], x)
		}
	}
	if _, ok := s.Get(key(2), &got); ok {
		t.Error("the answer to another question")
	}
}

// TestStoreIsBounded puts ten times as much as there is room for: what is asked for again
// and again stays, and the folder never holds more than it may.
func TestStoreIsBounded(t *testing.T) {
	const most = 64 << 10
	s := New(t.TempDir(), most)
	blob := answer{Name: string(bytes.Repeat([]byte("x"), 4<<10))}
	began := time.Now().Add(-time.Hour)
	for i := range uint64(160) {
		s.Put(key(i), blob)
		at := began.Add(time.Duration(i) * time.Second) // apart, whatever the clock of the disk
		os.Chtimes(s.path(key(i)), at, at)
		if i > 0 {
			var got answer
			if _, ok := s.Get(key(0), &got); !ok {
				t.Fatalf("what is asked for all the time is gone after %d others", i)
			}
		}
		if got := size(t, s.folder); got > most {
			t.Fatalf("%d bytes in a folder for %d", got, most)
		}
	}
	var got answer
	if _, ok := s.Get(key(159), &got); !ok {
		t.Error("the newest answer is gone")
	}
	if _, ok := s.Get(key(1), &got); ok {
		t.Error("the answer not asked for the longest is still there")
	}
	before := size(t, s.folder)
	s.Put(key(1000), answer{Name: string(bytes.Repeat([]byte("x"), most))})
	if size(t, s.folder) != before {
		t.Error("an answer larger than the store changed it")
	}
}

func size(t *testing.T, folder string) (bytes int64) {
	t.Helper()
	files, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		info, err := f.Info()
		if err != nil {
			t.Fatal(err)
		}
		bytes += info.Size()
	}
	return bytes
}

// TestStoreTakesNothingDamaged cuts an answer at every byte and turns every bit of it.
func TestStoreTakesNothingDamaged(t *testing.T) {
	s := New(t.TempDir(), DefaultBytes)
	s.Put(key(1), answer{[]float64{1, 2}, "x"})
	whole, err := os.ReadFile(s.path(key(1)))
	if err != nil {
		t.Fatal(err)
	}
	try := func(what string, data []byte) {
		t.Helper()
		if err := os.WriteFile(s.path(key(1)), data, 0o600); err != nil {
			t.Fatal(err)
		}
		var got answer
		if _, ok := s.Get(key(1), &got); ok {
			t.Fatalf("%s: taken as %v", what, got)
		}
		if _, err := os.Stat(s.path(key(1))); !errors.Is(err, os.ErrNotExist) {
			t.Fatalf("%s: the file is still there", what)
		}
	}
	for i := range whole {
		try("cut at "+strconv.Itoa(i), whole[:i])
		turned := bytes.Clone(whole)
		turned[i] ^= 1
		try("turned at "+strconv.Itoa(i), turned)
	}
	try("one byte more", append(bytes.Clone(whole), 0))
	s.Put(key(1), answer{nil, "of another type"})
	var other struct{ Name []int }
	if _, ok := s.Get(key(1), &other); ok {
		t.Error("an answer of another type is taken")
	}
}

func TestStoreSweepsUpWhatIsHalfWritten(t *testing.T) {
	s := New(t.TempDir(), DefaultBytes)
	old, young, others := filepath.Join(s.folder, "1"+unwritten), filepath.Join(s.folder, "2"+unwritten), filepath.Join(s.folder, "notes.txt")
	for _, name := range []string{old, young, others} {
		if err := os.WriteFile(name, nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	long := time.Now().Add(-2 * abandoned)
	os.Chtimes(old, long, long)
	os.Chtimes(others, long, long)
	s.Put(key(1), answer{})
	for name, want := range map[string]bool{old: false, young: true, others: true} {
		if _, err := os.Stat(name); (err == nil) != want {
			t.Errorf("%s there: %v, want %v", filepath.Base(name), err == nil, want)
		}
	}
}

// TestSeveralProgramsAtOnce has four programs write and read the same few answers in a
// store that is too small for them; whatever one of them is given must be right.
func TestSeveralProgramsAtOnce(t *testing.T) {
	if folder := os.Getenv("MJQ_TEST_STORE"); folder != "" {
		writeAndRead(t, folder)
		return
	}
	folder := t.TempDir()
	var programs []*exec.Cmd
	for range 4 {
		cmd := exec.Command(os.Args[0], "-test.run=^TestSeveralProgramsAtOnce$")
		cmd.Env = append(os.Environ(), "MJQ_TEST_STORE="+folder)
		cmd.Stdout, cmd.Stderr = os.Stderr, os.Stderr
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		programs = append(programs, cmd)
	}
	for _, cmd := range programs {
		if err := cmd.Wait(); err != nil {
			t.Error(err)
		}
	}
	if got := size(t, folder); got > 64<<10 {
		t.Errorf("%d bytes are left in a folder for %d", got, 64<<10)
	}
}

func writeAndRead(t *testing.T, folder string) {
	s, found := New(folder, 64<<10), 0
	for i := range uint64(400) {
		n := i % 20
		var got answer
		if _, ok := s.Get(key(n), &got); ok {
			found++
			if len(got.Values) != 500 || got.Values[n] != float64(n) || got.Name != strconv.FormatUint(n, 10) {
				t.Fatalf("answer %d is %v", n, got)
			}
			continue
		}
		a := answer{make([]float64, 500), strconv.FormatUint(n, 10)}
		for k := range a.Values {
			a.Values[k] = float64(k)
		}
		s.Put(key(n), a)
	}
	if found == 0 {
		t.Error("nothing was ever found")
	}
}

// TestQuestionsAreToldApart changes each part of a question, and moves the border between
// two parts.
func TestQuestionsAreToldApart(t *testing.T) {
	seen := map[Key]string{}
	is := func(what string, q *Question) {
		t.Helper()
		k, ok := q.key()
		if other, twice := seen[k]; twice || !ok {
			t.Errorf("%s: like %s, or not known (%v)", what, other, ok)
		}
		seen[k] = what
	}
	is("plain", Ask("a").Text("bc"))
	is("another kind", Ask("ab").Text("c"))
	is("two parts", Ask("a").Text("b").Text("c"))
	is("a number", Ask("a").Text("bc").Numbers(0))
	is("another number", Ask("a").Text("bc").Numbers(1))
	is("a real number", Ask("a").Text("bc").Reals(1))
	is("minus nothing", Ask("a").Text("bc").Reals(math.Copysign(0, -1)))
	defer func(code string) { linkedCode = code }(linkedCode)
	linkedCode = "other code"
	is("other code", Ask("a").Text("bc"))
	linkedCode = "yet another"
	is("yet another", Ask("a").Text("bc"))
	if _, ok := Ask("a").Written(nil, errors.New("no written form")).key(); ok {
		t.Error("a question without a written form is told apart")
	}
}

type mine struct{ next any }

// TestCodeOfUsers: a type that is not of this module makes the program part of the
// question, wherever it is hidden.
func TestCodeOfUsers(t *testing.T) {
	type theirs = binary.AppendByteOrder // of a package whose code is no part of the fingerprint
	var foreigner theirs = binary.LittleEndian
	loop := &mine{}
	loop.next = loop
	for what, c := range map[string]struct {
		value any
		want  bool
	}{
		"a number":            {1.5, false},
		"ours":                {mine{}, false},
		"a circle":            {loop, false},
		"numbers":             {make([]float64, 1000), false},
		"a time":              {time.Now(), false},
		"theirs":              {foreigner, true},
		"theirs in ours":      {mine{mine{foreigner}}, true},
		"theirs in a list":    {[]any{1, foreigner}, true},
		"theirs in a map":     {map[string]any{"a": foreigner}, true},
		"theirs behind":       {&mine{&mine{foreigner}}, true},
		"a function":          {mine{func() {}}, true},
		"no function at all":  {mine{(func())(nil)}, false},
		"nothing whatsoever":  {nil, false},
		"a list of functions": {[]func(){func() {}}, true},
	} {
		if q := Ask("x").Code(c.value); q.foreign != c.want {
			t.Errorf("%s: foreign %v, want %v", what, q.foreign, c.want)
		}
	}
	defer func(cell string) { linkedCell = cell }(linkedCell)
	keys := map[Key]bool{}
	for _, linkedCell = range []string{"one cell", "another"} {
		k, _ := Ask("x").Code(foreigner).key()
		keys[k] = true
	}
	if len(keys) != 2 {
		t.Error("other declarations of the user are the same question")
	}
}

func TestAnswer(t *testing.T) {
	t.Setenv(Variable, t.TempDir())
	if Here() != nil {
		t.Fatal("a test remembers by itself")
	}
	defer In("")
	In(t.TempDir())
	computed, marked := 0, 0
	ask := func(fresh bool, keep bool, failure error, pause time.Duration) (*answer, error) {
		return Answer(func() *Question { return Ask("test") }, fresh, func(*answer, time.Time) { marked++ }, func(*answer) bool { return keep },
			func() (*answer, error) { computed++; time.Sleep(pause); return &answer{Name: "x"}, failure })
	}
	for i, c := range []struct {
		fresh, keep      bool
		failure          error
		pause            time.Duration
		computed, marked int
	}{
		{false, true, errors.New("a fault"), 2 * worthwhile, 1, 0},
		{false, false, nil, 2 * worthwhile, 2, 0}, // not worth keeping
		{false, true, nil, 0, 3, 0},               // or too cheap
		{false, true, nil, 2 * worthwhile, 4, 0},
		{false, true, nil, 2 * worthwhile, 4, 1}, // known by now
		{true, true, nil, 2 * worthwhile, 5, 1},
	} {
		r, err := ask(c.fresh, c.keep, c.failure, c.pause)
		if r == nil || r.Name != "x" || !errors.Is(err, c.failure) || computed != c.computed || marked != c.marked {
			t.Errorf("%d: %v, %v, computed %d and marked %d times, want %d and %d", i, r, err, computed, marked, c.computed, c.marked)
		}
	}
}
