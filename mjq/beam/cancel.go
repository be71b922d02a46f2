package beam

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"time"

	"github.com/apache/beam/sdks/v2/go/pkg/beam/log"
	jobpb "github.com/apache/beam/sdks/v2/go/pkg/beam/model/jobmanagement_v1"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/options/jobopts"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/util/grpcx"
)

// submitted is a log that takes note of the id of the job, which Beam tells nobody else before
// the job has ended.
type submitted struct {
	log.Structural
	id   atomic.Pointer[string]
	tell func(id string) // nil if nobody asks
}

// Log logs a message.
func (l *submitted) Log(ctx context.Context, sev log.Severity, depth int, text string) {
	if id, is := strings.CutPrefix(text, "Submitted job: "); is {
		l.id.Store(&id)
		if l.tell != nil {
			l.tell(id)
		}
	}
	l.Structural.Log(ctx, sev, depth+1, text)
}

// cancelled cancels the job, for its workers and on its server, and says in words what became of
// it.
func (j *job) cancelled(ctx context.Context) string {
	untold := j.withdraw(ctx)
	id := j.log.id.Load()
	if id == nil {
		return "nothing was submitted"
	}
	ctx, stop := context.WithTimeout(ctx, 10*time.Second)
	defer stop()
	err := Cancel(ctx, *jobopts.Endpoint, *id)
	switch {
	case untold != nil:
		return fmt.Sprintf("the job %s may go on, for its workers cannot be told: %v", *id, errors.Join(untold, err))
	case err != nil:
		return fmt.Sprintf("the workers of the job %s stop, but its server does not answer: %v", *id, err)
	}
	return fmt.Sprintf("the job %s is cancelled", *id)
}

// Cancel cancels a job on a job server, given as host:port. Options.Submitted gives the id. The
// server of a cluster of Flink forgets the job but does not stop its workers; the end of Run's
// context does.
func Cancel(ctx context.Context, jobServer, id string) error {
	cc, err := grpcx.Dial(ctx, jobServer, 5*time.Second)
	if err != nil {
		return fmt.Errorf("beam: job server %s: %w; give the host and port of the server that has the job", jobServer, err)
	}
	defer cc.Close()
	if _, err = jobpb.NewJobServiceClient(cc).Cancel(ctx, &jobpb.CancelJobRequest{JobId: id}); err != nil {
		return fmt.Errorf("beam: job %s on %s: %w", id, jobServer, err)
	}
	return nil
}
