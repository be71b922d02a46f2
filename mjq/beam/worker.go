package beam

import (
	"context"
	"flag"
	"fmt"
	"os"
	"strings"

	"github.com/apache/beam/sdks/v2/go/container/tools"
	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/options/jobopts"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/util/grpcx"
)

var provision = flag.String("provision_endpoint", "", "set by a runner that starts this program as a worker process")

// Init parses the flags and must come first in main. In a process that a runner
// has started as a worker it computes and does not return.
//
// Any program with it is a worker for -environment_type=PROCESS and
// -environment_config={"command":"/path/of/program"}, where the runner and its
// machines have the program under that path: no container is needed. With
// other environments the program itself is sent to the workers, unless
// -worker_binary names another.
func Init() error {
	flag.Parse()
	if *provision != "" {
		os.Stdout = os.Stderr // of the runner's process; Beam writes warnings to it
		if err := asWorker(context.Background()); err != nil {
			return err
		}
	}
	if self, err := os.Executable(); err == nil && *jobopts.WorkerBinary == "" {
		*jobopts.WorkerBinary = self
	}
	beam.Init()
	return nil
}

// asWorker sets the flags by which Beam knows a worker, as the start-up program
// of a container does.
func asWorker(ctx context.Context) error {
	id := strings.Trim(flag.Lookup("id").Value.String(), "'") // Prism quotes it
	info, err := tools.ProvisionInfo(grpcx.WriteWorkerID(ctx, id), *provision)
	if err != nil {
		return fmt.Errorf("beam: the runner at %s does not say what to work on: %w", *provision, err)
	}
	settings := map[string]string{
		"worker":           "true",
		"id":               id,
		"control_endpoint": info.GetControlEndpoint().GetUrl(),
		"logging_endpoint": info.GetLoggingEndpoint().GetUrl(),
	}
	for name, value := range settings {
		if err := flag.Set(name, value); err != nil {
			return err
		}
	}
	return os.Setenv("RUNNER_CAPABILITIES", strings.Join(info.GetRunnerCapabilities(), " "))
}
