package gpu

import (
	"unsafe"

	"github.com/mjqueue/mjq/kernels/cuda"
)

// bytesOf is the memory of a slice of plain data: what the device exchanges is
// laid out the same on both sides (layout.go of kernels/cuda).
func bytesOf[T any](x []T) []byte {
	if len(x) == 0 {
		return nil
	}
	return unsafe.Slice((*byte)(unsafe.Pointer(&x[0])), len(x)*int(unsafe.Sizeof(x[0])))
}

// put reserves memory for x and copies it there.
func put[T any](s *Sampler, what string, x []T) (uint64, error) {
	at, err := s.alloc(what, int64(len(bytesOf(x))))
	if err != nil {
		return 0, err
	}
	if err := s.driver.Upload(at, bytesOf(x)); err != nil {
		return 0, s.fault("copying "+what, err)
	}
	return at, nil
}

// fetch copies back what lies at the address.
func fetch[T any](s *Sampler, what string, x []T, at uint64) error {
	if err := s.driver.Download(bytesOf(x), at); err != nil {
		return s.fault("reading "+what, err)
	}
	return nil
}

// chains reserves the state of sets of n empty chains: what is saved of them,
// releases and counts of their groups.
func (s *Sampler) chains(sets, n int) (saved, release, count uint64, err error) {
	var state []cuda.Saved
	for range sets {
		for _, free := range s.free {
			for range n {
				state = append(state, cuda.Saved{Free: free})
			}
		}
	}
	if saved, err = put(s, "chains", state); err != nil {
		return 0, 0, 0, err
	}
	groups := int64(sets*n) * int64(s.slots)
	if release, err = s.alloc("groups in service", 8*groups); err != nil {
		return 0, 0, 0, err
	}
	count, err = s.alloc("groups in service", 4*groups)
	return saved, release, count, err
}
