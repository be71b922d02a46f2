package chain

// Weighted is states with weights, such as those that an event can lead to. Equal states are
// joined, so that following many jobs one by one takes as many steps as there are states,
// not as there are ways to draw the jobs. The zero value is empty.
type Weighted[K comparable, S any] struct {
	States  []S
	Weights []float64
	at      map[K]int
}

// Add adds a weight to a state, which its key tells from others.
func (w *Weighted[K, S]) Add(key K, s S, weight float64) {
	i, known := w.at[key]
	if known {
		w.Weights[i] += weight
		return
	}
	if w.at == nil {
		w.at = map[K]int{}
	}
	w.at[key] = len(w.States)
	w.States, w.Weights = append(w.States, s), append(w.Weights, weight)
}

// Each calls f with every state and its weight, in the order in which they came.
func (w *Weighted[K, S]) Each(f func(s S, weight float64)) {
	for i, s := range w.States {
		f(s, w.Weights[i])
	}
}
