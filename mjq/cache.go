package mjq

import "github.com/mjqueue/mjq/mjq/internal/cache"

// Cache keeps the answers of this program in files of the given folder, so that the same
// question returns at once, now or in a later run; "" turns it off. The notebooks' kernel sets a
// folder by itself. Answers that were interrupted or missed their target are not kept.
// Run.Remembered of a result says when it was computed, and NoCache computes it again. Several
// programs may share the folder, which holds up to 256 MB. See site/docs/methods/limits.md for
// the key of an answer and for environment variables.
func Cache(folder string) { cache.In(folder) }
