package trace

import (
	"bytes"
	"io"
	"os"
	"runtime"
	"strconv"
	"syscall"
	"testing"
	"time"
)

// sacctLines is the output of sacct with n jobs, made as it is read: 64 users, needs up to 128,
// in the order of their ends.
type sacctLines struct {
	n, made int
	left    []byte
	buffer  []byte
}

func (g *sacctLines) Read(p []byte) (int, error) {
	if len(g.left) == 0 {
		if g.made > g.n {
			return 0, io.EOF
		}
		g.buffer = g.buffer[:0]
		if g.made == 0 {
			g.buffer = append(g.buffer, "JobIDRaw|JobID|User|Account|Partition|QOS|State|Submit|Eligible|Start|End|Elapsed|Timelimit|ReqTRES|AllocTRES|NNodes|Restarts|Reservation\n"...)
		}
		for range 256 {
			if g.made++; g.made > g.n {
				break
			}
			g.line(int64(g.made))
		}
		g.left = g.buffer
	}
	n := copy(p, g.left)
	g.left = g.left[n:]
	return n, nil
}

// line appends a job.
func (g *sacctLines) line(i int64) {
	b := g.buffer
	word := func(text string) { b = append(append(b, text...), '|') }
	id := strconv.Itoa(int(i))
	wait, run := i%977, 1+i*7919%86399
	submit := 1767225600 + 2*i - i%13*600
	stamp := func(at int64) { b = append(time.Unix(at, 0).UTC().AppendFormat(b, "2006-01-02T15:04:05"), '|') }
	word(id)
	word(id)
	word("user" + strconv.Itoa(int(i%64)))
	word("chem")
	word([]string{"cpu", "gpu", "long"}[i%3])
	word("normal")
	word("COMPLETED")
	stamp(submit)
	stamp(submit)
	stamp(submit + wait)
	stamp(submit + wait + run)
	b = append(time.Unix(run, 0).UTC().AppendFormat(b, "15:04:05"), '|')
	word("1-00:00:00")
	cpus := strconv.Itoa(1 << (i % 8))
	for range 2 {
		word("billing=" + cpus + ",cpu=" + cpus + ",gres/gpu:a100=" + strconv.Itoa(int(i%5)) + ",mem=62.50G,node=1")
	}
	word("1")
	word("0")
	g.buffer = append(b, '\n')
}

// BenchmarkSacct reads 200,000 lines, and with MJQ_LONG set ten million; MB is what the process has from
// the system at the end, and cpu-s the processor time of reading, without that of making the lines.
func BenchmarkSacct(b *testing.B) {
	n := 200_000
	if os.Getenv("MJQ_LONG") != "" {
		n = 10_000_000
	}
	spent := func() float64 {
		var used syscall.Rusage
		if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
			b.Fatal(err)
		}
		return float64(used.Utime.Sec+used.Stime.Sec) + float64(used.Utime.Usec+used.Stime.Usec)/1e6
	}
	before := spent()
	if _, err := io.Copy(io.Discard, &sacctLines{n: n}); err != nil {
		b.Fatal(err)
	}
	making := spent() - before
	read := func(how Sacct) (int, error) {
		log, err := ReadSacct("made", &sacctLines{n: n}, how)
		return len(log.Jobs), err
	}
	stream := func(how Sacct) (jobs int, err error) {
		for _, err := range StreamSacct("made", &sacctLines{n: n}, how).Jobs() {
			if err != nil {
				return jobs, err
			}
			jobs++
		}
		return jobs, nil
	}
	for _, c := range []struct {
		name string
		jobs func(Sacct) (int, error)
		how  Sacct
	}{
		{"streamed", stream, Sacct{}},
		{"one need", read, Sacct{}},
		{"two types", read, Sacct{Types: []string{"cpu", "gres/gpu"}, Class: "Partition+QOS"}},
	} {
		b.Run(c.name, func(b *testing.B) {
			before := spent()
			for b.Loop() {
				if jobs, err := c.jobs(c.how); err != nil || jobs != n {
					b.Fatal(jobs, err)
				}
			}
			var memory runtime.MemStats
			runtime.ReadMemStats(&memory)
			b.ReportMetric((spent()-before)/float64(b.N)-making, "cpu-s")
			b.ReportMetric(float64(memory.Sys-memory.HeapReleased)/1e6, "MB")
		})
	}
}

// Reading a line keeps 240 bytes at most, and allocates nothing once users and classes are known.
func TestSacctMemory(t *testing.T) {
	const n = 100_000
	var before, after runtime.MemStats
	lines := &sacctLines{n: n}
	text, err := io.ReadAll(lines)
	if err != nil {
		t.Fatal(err)
	}
	runtime.ReadMemStats(&before)
	log, err := ReadSacct("made", bytes.NewReader(text), Sacct{})
	runtime.ReadMemStats(&after)
	if err != nil || len(log.Jobs) != n {
		t.Fatalf("%d jobs, %v", len(log.Jobs), err)
	}
	if size := after.TotalAlloc - before.TotalAlloc; size > 240*n {
		t.Errorf("%d bytes a line", size/n)
	}
	if allocations := after.Mallocs - before.Mallocs; allocations > 3000 {
		t.Errorf("%d allocations for %d lines", allocations, n)
	}
}
