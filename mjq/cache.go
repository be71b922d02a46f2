package mjq

import "github.com/mjqueue/mjq/mjq/internal/remember"

// Cache has this program keep what questions have computed, in files of the given folder,
// and not compute the same again, now or when it is started the next time; with "" it forgets
// that it was told so. The notebooks' kernel does so by itself, in the folder of the
// environment variable MJQ_REMEMBER ("off" for none); other programs only if they call this
// or have the variable.
//
// An answer is found under a fingerprint of all that it depends on: the model as MarshalJSON
// writes it, the method and its settings, the seed, and the code of this package, so that an
// edited model is a new question, and so is any after a change to the package. A law or a
// policy of the user's own takes part if it has a written form, and then the code of the
// program counts too. What was interrupted or has missed its target is not kept.
// Run.Remembered of a result says when it was computed, and NoCache computes it anew.
//
// The folder may be used by several programs at once. It holds up to 256 MB, or as many as
// MJQ_REMEMBER_MB says; what was not asked for the longest goes first.
func Cache(folder string) { remember.In(folder) }
