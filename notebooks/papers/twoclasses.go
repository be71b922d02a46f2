package papers

import "math"

// TwoClasses is Formulation II of the paper on product forms for two classes, with its modification: a new job is
// generated only while a job of class 1 would fit. Needs and total are real numbers.
type TwoClasses struct {
	Name         string
	Total        float64
	Need1, Need2 float64 // Need1 is the smaller
	Prob1        float64 // that a job is of class 1
	Rate1, Rate2 float64 // at which a job completes
}

// InService is a state of TwoClasses: the number of jobs of each class in service; Blocked is 1 if a job of class 2 waits
// although one of class 1 would fit, else 0.
type InService struct{ Blocked, Ones, Twos int }

// Rate returns the rate of completions in a state.
func (c TwoClasses) Rate(x InService) float64 {
	return float64(x.Ones)*c.Rate1 + float64(x.Twos)*c.Rate2
}

// Holding returns the state in which so many jobs are in service.
func (c TwoClasses) Holding(ones, twos int) InService {
	x := InService{Ones: ones, Twos: twos}
	if c.room(ones, twos) >= c.Need1 {
		x.Blocked = 1
	}
	return x
}

func (c TwoClasses) room(ones, twos int) float64 {
	return c.Total*(1+1e-9) - float64(ones)*c.Need1 - float64(twos)*c.Need2
}

// withOnes is s1(a) of the paper, the one state of that number of class 1.
func (c TwoClasses) withOnes(ones int) InService {
	return c.Holding(ones, int(c.room(ones, 0)/c.Need2))
}

// withTwos is s2(b), the one state of that number of class 2 in which none is blocked.
func (c TwoClasses) withTwos(twos int) InService {
	return InService{Ones: int(c.room(0, twos) / c.Need1), Twos: twos}
}

// Product returns the probabilities of all states just before a completion, by Theorem 2.
func (c TwoClasses) Product() map[InService]float64 {
	pi, sum := map[InService]float64{}, 0.0
	for ones := 0; ones <= int(c.room(0, 0)/c.Need1); ones++ {
		x := c.withOnes(ones)
		pi[x] = c.weight(x)
		sum += pi[x]
	}
	for x := range pi {
		pi[x] /= sum
	}
	return pi
}

// weight is the product without the constant that makes the sum 1.
func (c TwoClasses) weight(x InService) float64 {
	w := math.Pow(c.Prob1, float64(x.Ones)) * math.Pow(1-c.Prob1, float64(x.Twos+x.Blocked))
	for i := 1; i <= x.Ones; i++ {
		s := c.withOnes(i)
		w *= c.Rate(s) / (float64(s.Ones) * c.Rate1)
	}
	for j := 1; j <= x.Twos; j++ {
		s := c.withTwos(j)
		w *= c.Rate(s) / (float64(s.Twos) * c.Rate2)
	}
	return w
}

// LocalImbalance returns, for each class, the largest difference of the two sides of the local
// balance of that class, over the probability of the state.
func (c TwoClasses) LocalImbalance() (class1, class2 float64) {
	pi, in1, in2 := c.Product(), map[InService]float64{}, map[InService]float64{}
	for x, p := range pi {
		c.fill(InService{x.Blocked, x.Ones - 1, x.Twos}, p*float64(x.Ones)*c.Rate1/c.Rate(x), in1)
		c.fill(InService{x.Blocked, x.Ones, x.Twos - 1}, p*float64(x.Twos)*c.Rate2/c.Rate(x), in2)
	}
	for x, p := range pi {
		class1 = max(class1, math.Abs(in1[x]/p-c.Prob1))
		class2 = max(class2, math.Abs(in2[x]/p-(1-c.Prob1)))
	}
	return class1, class2
}

// fill lets jobs in after a completion has left x, with a job of class 2 at the head if one was
// blocked, and adds the probability of where that ends to in.
func (c TwoClasses) fill(x InService, prob float64, in map[InService]float64) {
	room := c.room(x.Ones, x.Twos)
	switch {
	case prob == 0:
	case x.Blocked == 1 && room >= c.Need2:
		c.fill(InService{0, x.Ones, x.Twos + 1}, prob, in)
	case x.Blocked == 1 || room < c.Need1:
		in[x] += prob
	default:
		c.fill(InService{0, x.Ones + 1, x.Twos}, prob*c.Prob1, in)
		c.fill(InService{1, x.Ones, x.Twos}, prob*(1-c.Prob1), in)
	}
}
