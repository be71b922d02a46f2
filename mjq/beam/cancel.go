package beam

import (
	"context"
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
	id atomic.Pointer[string]
}

// Log logs a message.
func (l *submitted) Log(ctx context.Context, sev log.Severity, depth int, text string) {
	if id, is := strings.CutPrefix(text, "Submitted job: "); is {
		l.id.Store(&id)
	}
	l.Structural.Log(ctx, sev, depth+1, text)
}

// cancelled cancels the job on its server, and says in words what became of it.
func (j *job) cancelled(ctx context.Context) string {
	id := j.log.id.Load()
	if id == nil {
		return "nothing was submitted"
	}
	ctx, stop := context.WithTimeout(context.WithoutCancel(ctx), 10*time.Second)
	defer stop()
	if err := cancel(ctx, *id); err != nil {
		return fmt.Sprintf("the job %s could not be cancelled and may go on: %v", *id, err)
	}
	return fmt.Sprintf("the job %s is cancelled", *id)
}

// cancel cancels a job on the server.
func cancel(ctx context.Context, id string) error {
	cc, err := grpcx.Dial(ctx, *jobopts.Endpoint, 5*time.Second)
	if err != nil {
		return err
	}
	defer cc.Close()
	_, err = jobpb.NewJobServiceClient(cc).Cancel(ctx, &jobpb.CancelJobRequest{JobId: id})
	return err
}
