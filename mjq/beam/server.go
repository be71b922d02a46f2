package beam

import (
	"context"
	"fmt"
	"net"
	"strings"
	"time"

	"github.com/apache/beam/sdks/v2/go/pkg/beam/options/jobopts"
)

// answers tries for some seconds to connect to the job server; the error says why it does not
// answer. A runner without one always does.
func answers(ctx context.Context) (err error) {
	if _, _, odd := net.SplitHostPort(*jobopts.Endpoint); odd != nil || !throughJobServer() {
		return nil // gRPC knows more forms of addresses than host:port
	}
	const tries = 4
	for try := range tries {
		if try > 0 {
			select {
			case <-ctx.Done():
				return err
			case <-time.After(time.Second):
			}
		}
		var c net.Conn
		if c, err = (&net.Dialer{Timeout: time.Second}).DialContext(ctx, "tcp", *jobopts.Endpoint); err == nil {
			return c.Close()
		}
	}
	return err
}

// serverEnded reports whether an error of the engine is that of a job server which has ended.
func serverEnded(err error) bool { return strings.Contains(err.Error(), "code = Unavailable") }

// lost is the error of a job whose server has gone, by that of the engine: what is kept, and
// how to go on.
func (j *job) lost(ctx context.Context, engine error) error {
	has := "the parts that are done"
	if n, err := j.count(); err == nil {
		has = fmt.Sprintf("%d of %d parts", n, j.Parts)
	}
	said := fmt.Sprintf("and the cluster may go on without it; %s are kept in %s", has, j.Dir)
	if err := answers(ctx); err != nil {
		return fmt.Errorf("the job server is gone (%w), %s; start the job server and run the same command again, which computes the others", err, said)
	}
	return fmt.Errorf("the connection to the job server %s was lost, %s; run the same command again, which computes the others: %w", *jobopts.Endpoint, said, shortened(engine.Error()))
}
