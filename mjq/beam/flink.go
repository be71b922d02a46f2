package beam

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/options/jobopts"
)

// Flink is a cluster of Apache Flink behind a job server of Beam.
type Flink struct {
	JobServer string // host:port, as localhost:8099
	Slots     int    // of the cluster that the sweep may use; Beam would use one
	Worker    string // path of this program on the machines of the cluster; that of this process if ""
}

// use sets Beam's flags for the cluster, and Worker if it is empty. The program is on the workers already, so a file of
// one byte is staged in its place: Beam would send the whole program with every submission,
// under its absolute path, which the job server does not remove.
func (f *Flink) use() (clear func(), err error) {
	if f.Worker == "" {
		if f.Worker, err = os.Executable(); err != nil {
			return nil, err
		}
	}
	var faults []error
	if f.JobServer == "" {
		faults = append(faults, errors.New("beam: Flink has no job server; give its host and port (-flink localhost:8099)"))
	}
	if f.Slots < 1 {
		faults = append(faults, fmt.Errorf("beam: Flink with %d slots: say how many the sweep may use (-slots 64); Beam uses one unless told", f.Slots))
	}
	if !filepath.IsAbs(f.Worker) {
		faults = append(faults, fmt.Errorf("beam: the worker %q: give the absolute path that this program has on all machines of the cluster (-program)", f.Worker))
	}
	if len(faults) > 0 {
		return nil, errors.Join(faults...)
	}
	config, err := json.Marshal(map[string]string{"command": f.Worker})
	if err != nil {
		return nil, err
	}
	staged, err := os.CreateTemp(".", ".mjqsweep-*")
	if err != nil {
		return nil, err
	}
	if err := errors.Join(staged.Truncate(1), staged.Close(), flag.Set("runner", "flink")); err != nil {
		return nil, err
	}
	*jobopts.Endpoint, *jobopts.Parallelism = f.JobServer, f.Slots
	*jobopts.EnvironmentType, *jobopts.EnvironmentConfig = "PROCESS", string(config)
	*jobopts.WorkerBinary = filepath.Base(staged.Name())
	return func() { os.Remove(staged.Name()) }, nil
}

// remote reports whether the runner is elsewhere, and its workers with it.
func remote() bool {
	here := []string{"", "prism", "PrismRunner", "direct", "DirectRunner", "dot"}
	return !slices.Contains(here, flag.Lookup("runner").Value.String()) && !jobopts.IsLoopback()
}

// throughJobServer reports whether the runner is behind a job server, which divides the work
// by the flag -parallelism.
func throughJobServer() bool {
	return remote() && slices.Contains([]string{"flink", "FlinkRunner", "universal", "PortableRunner", "portable", "spark", "SparkRunner"}, flag.Lookup("runner").Value.String())
}

// refuse says why a remote runner cannot give the result, before anything is submitted.
func (o *Options) refuse(ctx context.Context) error {
	var faults []error
	if o.Dir != "" && onThisMachine(o.Dir) {
		whole, err := filepath.Abs(o.Dir) // workers have another working directory
		if err != nil {
			return err
		}
		o.Dir = whole
	}
	switch {
	case o.Dir == "" && remote():
		faults = append(faults, errors.New("beam: no Dir, and the workers are on other machines: give a directory that they share with this one (-dir), where parts and the result are kept"))
	case o.Dir != "":
		if fs, err := filesystem.New(ctx, o.Dir); err != nil {
			faults = append(faults, fmt.Errorf("beam: Dir %s: %w; give a directory or gs://bucket/path", o.Dir, err))
		} else {
			fs.Close()
		}
	}
	if throughJobServer() && *jobopts.Parallelism < 1 {
		faults = append(faults, errors.New("beam: the runner uses one core of the cluster unless told: say how many slots the sweep may use (-slots, or Beam's -parallelism)"))
	}
	return errors.Join(faults...)
}
