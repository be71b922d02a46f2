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

// BenchmarkLaws times a job by the law of its service; gaps are exponential.
func BenchmarkLaws(b *testing.B) {
	laws := []law.Law{
		law.ExpMean(1), law.Deterministic{X: 1}, law.ErlangMeanPhases(1, 2), law.ErlangMeanPhases(1, 5), law.HyperExpMeanSCV(1, 4), law.Cox2(1, 2, 0.5),
		law.BoundedPareto{Lo: 1, Hi: 100, Shape: 1.5}, law.Lomax{Shape: 2.5, Scale: 1}, law.WeibullMeanShape(1, 0.5), law.LogNormalMeanSCV(1, 4),
	}
	for _, l := range laws {
		b.Run(l.String(), func(b *testing.B) {
			classes := mix()
			for i := range classes {
				classes[i].Service = l
			}
			r := New(1, law.ExpMean(1), classes).Reader(0)
			jobs := make([]Job, 256)
			for i := 0; i < b.N; i += len(jobs) {
				r.Fill(jobs, int64(i))
			}
		})
	}
}
