package sampling

import "math"

// A proof by long blocks takes longProof jobs at most. Blocks of leastLong to mostLong jobs
// are tried, each on pilotLong jobs or pilotBlocks blocks.
const (
	longProof   = 1 << 27
	leastLong   = 1 << 11
	mostLong    = 1 << 17
	pilotLong   = 1 << 22
	pilotBlocks = 64
)

// longest looks for the block size and the θ that make samples cheap among those that half
// of longProof jobs are expected to prove; θ is 0 if there are none. Heights of some piles
// under the laws as they are tell, for every θ at once, what a proof will find.
func (m *majorantSearch) longest(rate, load float64) (theta float64, block int) {
	cost := math.Inf(1)
	src, _, _, ok := m.tilted(1e-9/m.mean, 1) // so little that the laws are as they were
	for size := leastLong; ok && size <= mostLong; size *= 4 {
		var heights []float64
		done := m.each(src, size, max(pilotBlocks, pilotLong/size), func(height, _ float64) (enough bool) {
			heights = append(heights, height)
			return false
		})
		if !done {
			return 0, 0
		}
		for t := 1 / m.mean; t > 1e-7/m.mean; t *= 0.85 {
			// Time for the upper chain to come down from where it starts.
			c := -math.Log(m.failure)/t + float64(size)/rate*load
			if c >= cost {
				break
			}
			if m.needed(heights, t, size) <= float64(longProof/2/size) {
				theta, block, cost = t, size, c
				break
			}
		}
	}
	return theta, block
}

// needed is how many blocks a proof is expected to take, given the heights of some.
func (m *majorantSearch) needed(heights []float64, theta float64, block int) float64 {
	_, logService, logGap, ok := m.tilted(theta, 1)
	if !ok {
		return math.Inf(1)
	}
	b := m.bets(theta, block, logService, logGap)
	if b.limit >= 1 {
		return 0
	}
	n, mean, spread := float64(len(heights)), 0.0, 0.0
	for _, h := range heights {
		mean += h / n
	}
	moment := 0.0
	for _, h := range heights {
		d := theta * (h - mean)
		moment += math.Exp(d) / n
		spread += d * d / n
	}
	b.mean = math.Exp(theta*(mean-m.charges.once())-float64(block)*logService) * moment
	b.variance = b.mean * b.mean * math.Expm1(spread)
	return -math.Log(m.failure/attempts) / b.growth(b.stake())
}

// bets is a proof of (*) by betting against its contrary (Waudby-Smith and Ramdas, J. R.
// Statist. Soc. B 86, 2024). Let z = exp(θ(H - C)) with the charges C under the tilted
// laws; (*) says that E z is at most some limit. Whoever stakes λ on each block, to have
// 1 + λ(limit - z) times as much, does not gain in expectation if (*) is false, as long as
// λ is chosen before the block, and cannot lose more than all since z ≤ 1 and
// λ ≤ 1/(1 - limit). Then the capital ever becomes 1/δ-fold with a probability of at most δ
// (Ville), so that a capital of 1/δ is the proof. Unlike the bound of Maurer and Pontil it
// asks for no more blocks where z is mostly far from 1.
type bets struct {
	limit          float64
	n              float64 // blocks so far
	mean, variance float64 // of z, by them
	capital        float64 // its logarithm
}

// bets are those of no blocks yet.
func (m *majorantSearch) bets(theta float64, block int, logService, logGap float64) *bets {
	return &bets{limit: math.Exp(-theta*m.charges.once() - float64(block)*(logService+logGap))}
}

// stake is the one at which the capital grows the fastest, by what is known of z.
func (b *bets) stake() float64 {
	gain := b.limit - b.mean
	if gain <= 0 {
		return 0
	}
	return min(gain/(b.variance+gain*gain), b.most())
}

// most is less than what could be lost altogether.
func (b *bets) most() float64 { return 0.9 / (1 - b.limit) }

// growth of the logarithm of the capital, by a block and about.
func (b *bets) growth(stake float64) float64 {
	gain := b.limit - b.mean
	return max(0, stake*gain-stake*stake*(b.variance+gain*gain)/2)
}

// add takes the z of a block, on which so much was staked.
func (b *bets) add(z, stake float64) {
	b.capital += math.Log1p(stake * (b.limit - z))
	b.n++
	d := z - b.mean
	b.mean += d / b.n
	b.variance += (d*(z-b.mean) - b.variance) / b.n
}

// bet proves (*) on randomness of its own. It gives up where what it has seen, at its best,
// will not be enough.
func (m *majorantSearch) bet(theta float64, block int, seed uint64) bool {
	src, logService, logGap, ok := m.tilted(theta, seed)
	if !ok {
		return false
	}
	b, most, wanted := m.bets(theta, block, logService, logGap), longProof/block, -math.Log(m.failure/attempts)
	if b.limit >= 1 {
		return true
	}
	m.each(src, block, most, func(height, charges float64) (enough bool) {
		stake := 0.0
		if b.n >= pilotBlocks {
			// At least what suits a gain that most blocks just suffice for.
			stake = min(max(b.stake(), math.Sqrt(2*wanted/(b.variance*float64(most)))), b.most())
		}
		b.add(math.Exp(theta*min(0, height-charges)), stake)
		hopeful := *b
		hopeful.mean -= 2 * math.Sqrt(b.variance/b.n)
		return b.capital >= wanted || b.n >= 2*pilotBlocks && b.capital+hopeful.growth(hopeful.stake())*(float64(most)-b.n) < wanted
	})
	return b.capital >= wanted
}
