package mam

import (
	"gonum.org/v1/gonum/blas/blas64"

	"github.com/mjqueue/mjq/internal/lanes"
)

const (
	tileRows, tileColumns = lanes.TileRows, lanes.TileColumns
	// deep is how much of a row of the left factor a tile takes at once: with a panel of
	// the right one it stays in the first cache.
	deep = 128
	// A row of which fewer than one number in sparse is not 0 is added number by number.
	sparse = 8
)

// stripe is gemm on some rows; it leaves them unfinished once the context ends. The right
// factor is taken in panels of tileColumns, copied and multiplied by alpha, and c in
// tiles of tileRows rows of these.
func (s *steps) stripe(alpha float64, a, b blas64.General, beta float64, c blas64.General) {
	if beta == 0 {
		for i := range c.Rows {
			clear(c.Data[i*c.Stride : i*c.Stride+c.Cols])
		}
	}
	t := newTiles(alpha, c.Rows, min(a.Cols, deep))
	for k := 0; k < a.Cols && s.ctx.Err() == nil; k += deep {
		l := min(a.Cols, k+deep)
		t.sort(part(a, 0, a.Rows, k, l))
		for _, i := range t.thin {
			if s.ctx.Err() != nil {
				return
			}
			addRow(alpha, a.Data[i*a.Stride+k:i*a.Stride+l], part(b, k, l, 0, b.Cols), c.Data[i*c.Stride:i*c.Stride+c.Cols])
		}
		for j := 0; j < c.Cols && len(t.full) > 0 && s.ctx.Err() == nil; j += tileColumns {
			t.take(part(b, k, l, j, min(c.Cols, j+tileColumns)))
			t.multiply(c, j)
		}
	}
}

// addRow adds alpha x b to y, by the rows of b that x does not skip.
func addRow(alpha float64, x []float64, b blas64.General, y []float64) {
	for k, v := range x {
		if v == 0 {
			continue
		}
		row := b.Data[k*b.Stride : k*b.Stride+len(y)]
		for j, w := range row {
			y[j] = fma(v, alpha*w, y[j])
		}
	}
}

// tiles multiplies a strip of columns of the left factor.
type tiles struct {
	alpha      float64   // of the right factor
	sign       float64   // of the left factor
	panel      []float64 // of the right factor, rows of tileColumns
	n          int       // rows of it
	left       []float64 // rows of the left factor that are full, one after the other
	full, thin []int     // which are
	c          [tileRows * tileColumns]float64
}

// newTiles makes one for so many rows, and columns of the left factor. A sign goes to the
// left factor, which is copied once, and the panels are then mere copies; any other alpha
// is rounded with the right one.
func newTiles(alpha float64, rows, columns int) *tiles {
	t := &tiles{alpha: alpha, sign: 1, panel: make([]float64, deep*tileColumns), left: make([]float64, 0, (rows+tileRows)*columns)}
	if alpha == -1 {
		t.alpha, t.sign = 1, -1
	}
	return t
}

// sort tells rows with few numbers from others, and copies these, in whole tiles.
func (t *tiles) sort(a blas64.General) {
	t.full, t.thin, t.left, t.n = t.full[:0], t.thin[:0], t.left[:0], a.Cols
	for i := range a.Rows {
		row, some := a.Data[i*a.Stride:i*a.Stride+a.Cols], 0
		for _, v := range row {
			if v != 0 {
				some++
			}
		}
		if sparse*some < len(row) {
			t.thin = append(t.thin, i)
			continue
		}
		t.full = append(t.full, i)
		at := len(t.left)
		t.left = append(t.left, row...)
		if t.sign < 0 {
			for k, v := range row {
				t.left[at+k] = -v
			}
		}
	}
	for k := len(t.full); k%tileRows != 0; k++ {
		t.left = append(t.left, make([]float64, a.Cols)...)
	}
}

// take copies a panel, with zeros where it has no columns.
func (t *tiles) take(b blas64.General) {
	for k := range b.Rows {
		to := t.panel[k*tileColumns : (k+1)*tileColumns]
		row := b.Data[k*b.Stride : k*b.Stride+b.Cols]
		clear(to[b.Cols:])
		copy(to, row)
		if t.alpha == 1 {
			continue
		}
		for j, v := range row {
			to[j] = t.alpha * v
		}
	}
}

// multiply adds the product with the panel to the columns of c from j on.
func (t *tiles) multiply(c blas64.General, j int) {
	columns := min(tileColumns, c.Cols-j)
	for k := 0; k < len(t.full); k += tileRows {
		rows := t.full[k:min(len(t.full), k+tileRows)]
		left := t.left[k*t.n:]
		if columns == tileColumns && len(rows) == tileRows && rows[tileRows-1] == rows[0]+tileRows-1 {
			tile(c.Data[rows[0]*c.Stride+j:], c.Stride, left, t.n, t.panel, t.n)
			continue
		}
		for r, i := range rows {
			copy(t.c[r*tileColumns:], c.Data[i*c.Stride+j:i*c.Stride+j+columns])
		}
		tile(t.c[:], tileColumns, left, t.n, t.panel, t.n)
		for r, i := range rows {
			copy(c.Data[i*c.Stride+j:i*c.Stride+j+columns], t.c[r*tileColumns:])
		}
	}
}

// tile is lanes.Tile, or its twin.
func tile(c []float64, cStride int, a []float64, aStride int, panel []float64, n int) {
	if lanes.On {
		lanes.Tile(c, cStride, a, aStride, panel, n)
		return
	}
	for i := 0; i < tileRows; i += 2 {
		x, y := a[i*aStride:i*aStride+n], a[(i+1)*aStride:(i+1)*aStride+n]
		upper, lower := (*[tileColumns]float64)(c[i*cStride:]), (*[tileColumns]float64)(c[(i+1)*cStride:])
		for j := 0; j < tileColumns; j += 4 {
			twoRows((*[4]float64)(upper[j:]), (*[4]float64)(lower[j:]), x, y, panel[j:])
		}
	}
}

// twoRows adds the products of x and y with four columns of a panel to u and v. The eight
// sums stay in registers, which makes it twice as fast as with them in memory.
func twoRows(u, v *[4]float64, x, y, panel []float64) {
	u0, u1, u2, u3 := u[0], u[1], u[2], u[3]
	v0, v1, v2, v3 := v[0], v[1], v[2], v[3]
	for k, p := range x {
		q, row := y[k], (*[4]float64)(panel[k*tileColumns:])
		u0, u1, u2, u3 = fma(p, row[0], u0), fma(p, row[1], u1), fma(p, row[2], u2), fma(p, row[3], u3)
		v0, v1, v2, v3 = fma(q, row[0], v0), fma(q, row[1], v1), fma(q, row[2], v2), fma(q, row[3], v3)
	}
	u[0], u[1], u[2], u[3] = u0, u1, u2, u3
	v[0], v[1], v[2], v[3] = v0, v1, v2, v3
}
