package stream

import (
	"math/rand/v2"
	"testing"

	"github.com/mjqueue/mjq/mjq/law"
)

// BenchmarkStream times a job of the exponential five-class mix and its parts,
// beside the standard library's generators for the same two words.
func BenchmarkStream(b *testing.B) {
	var sum uint64
	b.Run("philox", func(b *testing.B) {
		for i := 0; i < b.N; i++ {
			w0, w1 := philox(uint64(i), 1, domain)
			sum += w0 ^ w1
		}
	})
	b.Run("2 words of PCG", func(b *testing.B) {
		r := rand.NewPCG(1, 2)
		for i := 0; i < b.N; i++ {
			sum += r.Uint64()
			sum += r.Uint64()
		}
	})
	b.Run("2 words of ChaCha8", func(b *testing.B) {
		r := rand.NewChaCha8([32]byte{})
		for i := 0; i < b.N; i++ {
			sum += r.Uint64()
			sum += r.Uint64()
		}
	})
	b.Run("job", func(b *testing.B) {
		classes := mix()
		for i := range classes {
			classes[i].Service = law.ExpMean(classes[i].Service.Mean())
		}
		r := New(1, law.ExpMean(1), classes).Reader(0)
		jobs := make([]Job, 256)
		for i := 0; i < b.N; i += len(jobs) {
			r.Fill(jobs, int64(i))
		}
		sum += uint64(jobs[0].Class)
	})
	if sum == 1 {
		b.Log(sum)
	}
}
