package trace

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"

	"github.com/mjqueue/mjq/mjq/result"
)

// Helios is the layout of the logs of SenseTime's Helios clusters: jobs need GPUs, those without
// one are skipped, and the virtual cluster is the class.
// Source: the description of github.com/S-Lab-System-Group/HeliosData.
func Helios() CSV {
	return CSV{Arrival: "submit_time", Servers: "gpu_num", Service: "duration", Start: "start_time", End: "end_time",
		Wait: "queue", Class: "vc", User: "user", Times: Timestamps, SkipNone: true}
}

// Acme is the layout of the logs of Shanghai AI Lab's Acme clusters, Seren and Kalos: jobs need
// GPUs, those without one are skipped, and the type of workload is the class. In Kalos the column
// duration has the wait in it, so that service times are End - Start, and Adjusted counts the
// difference.
// Source: the description of github.com/InternLM/AcmeTrace.
func Acme() CSV {
	return CSV{Arrival: "submit_time", Servers: "gpu_num", Service: "duration", Start: "start_time", End: "end_time",
		Wait: "queue", Class: "type", User: "user", Times: Timestamps, SkipNone: true}
}

// AlibabaGPU2023 is the layout of the pods of Alibaba's GPU cluster of 2023 (openb): times in
// seconds, units of "cpu" and "gres/gpu", where a part of a GPU counts as one, and the quality of
// service is the class.
// Source: cluster-trace-gpu-v2023 of github.com/alibaba/clusterdata.
func AlibabaGPU2023() CSV {
	return CSV{Arrival: "creation_time", Start: "scheduled_time", End: "deletion_time", Class: "qos",
		Types: []CSVType{{Name: "gres/gpu", Column: "num_gpu"}, {Name: "cpu", Column: "cpu_milli", Per: 1000}}, SkipNone: true}
}

// PAI says how ReadPAI reads the log of Alibaba's PAI cluster of 2020.
type PAI struct {
	// Whole counts a part of a GPU as one, instance by instance. Otherwise needs are in hundredths
	// of a GPU, as the log has them.
	Whole bool
}

// paiTasks is what the task table says of a job.
type paiTasks struct {
	need  float64
	start float64 // of the earliest task; +Inf if none has started
	kind  string  // of GPU, of the first task
}

// The columns of the tables, which have no header.
const (
	paiName      = 0
	paiUser      = 2
	paiSubmitted = 4 // of a job; of a task it is the start
	paiEnd       = 5
	paiInstances = 2
	paiGPUs      = 8
	paiKind      = 9
)

// ReadPAI reads pai_job_table and pai_task_table of Alibaba's GPU cluster of 2020, which have no
// header. A job arrives at the start_time of the job table, which is its submission, starts with
// the earliest of its tasks, and needs the GPUs of all instances of its tasks, in hundredths. The
// type of GPU is the class. The report is on the lines of the job table. Lines that cannot be
// understood are an error that names the first ten, and the trace of the others is returned with
// it. Times are those of the log, in seconds.
// Source of the layout: cluster-trace-gpu-v2020 of github.com/alibaba/clusterdata.
func ReadPAI(name string, jobs, tasks io.Reader, how PAI) (*Trace, error) {
	s := &Stream{ledger: ledger{Report{File: name}}, unit: result.Seconds, whole: true}
	s.each = func(s *Stream, yield func(Job, error) bool) {
		in := paiReader{Stream: s, how: how, yield: yield, tasks: map[string]*paiTasks{}}
		in.read(tasks, name+" (tasks)", 10, in.task)
		in.read(jobs, name, 6, in.job)
		in.report.Lines = in.lines
	}
	return s.read()
}

// paiReader is one pass over both tables.
type paiReader struct {
	*Stream
	how   PAI
	yield func(Job, error) bool // of a whole log, which wants all
	lines int
	tasks map[string]*paiTasks
}

// read passes the lines of a table on.
func (in *paiReader) read(r io.Reader, file string, columns int, take func(cells []string) error) {
	table := csv.NewReader(r)
	table.FieldsPerRecord, table.ReuseRecord = -1, true
	for in.lines = 0; ; {
		cells, err := table.Read()
		if errors.Is(err, io.EOF) {
			return
		}
		in.lines++
		if err != nil && !errors.Is(err, csv.ErrQuote) && !errors.Is(err, csv.ErrBareQuote) {
			in.lines--
			in.yield(Job{}, fmt.Errorf("%s: after line %d: %w", file, in.lines, err))
			return // the reader failed
		}
		if err == nil && len(cells) < columns {
			err = fmt.Errorf("%d columns; the table has %d, and no header", len(cells), columns)
		}
		if err == nil {
			err = take(cells)
		}
		if err == nil {
			continue
		}
		if file == in.report.File {
			in.report.Malformed++
		}
		in.yield(Job{}, &LineError{file, in.lines, err.Error()})
	}
}

// amount reads a cell that may be empty.
func amount(what, cell string) (x float64, known bool, err error) {
	if cell == "" {
		return 0, false, nil
	}
	x, err = strconv.ParseFloat(cell, 64)
	if err != nil || !(x >= 0) || math.IsInf(x, 1) {
		return 0, false, fmt.Errorf("the %s is %.40q; give a finite number, not negative, or leave the cell empty", what, cell)
	}
	return x, true, nil
}

// task adds a task to its job.
func (in *paiReader) task(cells []string) error {
	instances, _, wrongNumber := amount("number of instances", cells[paiInstances])
	gpus, _, wrongGPUs := amount("plan of GPUs", cells[paiGPUs])
	start, begun, wrongStart := amount("start time", cells[paiSubmitted])
	if err := errors.Join(wrongNumber, wrongGPUs, wrongStart); err != nil {
		return err
	}
	if in.how.Whole {
		gpus = math.Ceil(gpus / 100)
	}
	x := in.tasks[cells[paiName]]
	if x == nil {
		x = &paiTasks{start: math.Inf(1), kind: cells[paiKind]}
		in.tasks[cells[paiName]] = x
	}
	if x.need += math.Ceil(instances * gpus); begun {
		x.start = min(x.start, start)
	}
	return nil
}

// job reads a job, whose tasks are known.
func (in *paiReader) job(cells []string) error {
	arrival, submitted, wrongArrival := amount("submission", cells[paiSubmitted])
	end, done, wrongEnd := amount("end time", cells[paiEnd])
	if err := errors.Join(wrongArrival, wrongEnd); err != nil {
		return err
	}
	x := in.tasks[cells[paiName]]
	switch {
	case !submitted:
		in.skip(unknownArrival, in.lines)
	case x == nil || x.need == 0:
		in.skip(withoutGPUs, in.lines)
	case !done || math.IsInf(x.start, 1):
		in.skip(neverRan, in.lines)
	case x.start < arrival || end < x.start:
		in.skip(endsEarly, in.lines)
	case end == x.start:
		in.skip(tooShort, in.lines)
	case x.need > math.MaxInt32:
		return fmt.Errorf("the tasks need %v hundredths of a GPU, which cannot be counted", x.need)
	default:
		j := Job{Arrival: arrival, Need: int(x.need), Service: end - x.start, Class: x.kind, User: cells[paiUser], Line: in.lines,
			Waited: x.start - arrival, WaitKnown: true}
		in.Stream.job(in.yield, j)
	}
	return nil
}
