package mjq

import "github.com/mjqueue/mjq/mjq/internal/cache"

// Cache keeps the answers of this program in files of the given folder, so that the same
// question returns at once, now or in a later run; "" turns it off. The notebooks' kernel sets a
// folder by itself.
//
// The key of an answer covers everything that it depends on: the model as MarshalJSON writes
// it, the method and its settings, the seed, and the code of this package. A law or a policy of
// your own takes part if it has a written form; the code of the program then counts too.
// Answers that were interrupted or missed their target are not kept. Run.Remembered of a result
// says when it was computed, and NoCache computes it again.
//
// Several programs may share the folder. It holds up to 256 MB; answers that were not asked for
// the longest are removed first. See site/docs/methods/limits.md for environment variables.
func Cache(folder string) { cache.In(folder) }
