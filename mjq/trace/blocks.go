package trace

// blockSize is how many items a block has.
const blockSize = 1 << 15

// blocks is a list that grows without being copied, so that a long one never takes twice its
// memory.
type blocks[T any] struct {
	list [][]T
	n    int
}

// push appends an item.
func (b *blocks[T]) push(x T) {
	if b.n%blockSize == 0 {
		b.list = append(b.list, make([]T, 0, blockSize))
	}
	last := &b.list[len(b.list)-1]
	*last = append(*last, x)
	b.n++
}

// at is the i-th item.
func (b *blocks[T]) at(i int) *T { return &b.list[i/blockSize][i%blockSize] }
