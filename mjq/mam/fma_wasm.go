package mam

// fma is x*y + z, rounded twice: WebAssembly has no instruction for one rounding, and
// doing it in software took fifteen times as long in a loop. Last digits
// therefore differ from other machines.
func fma(x, y, z float64) float64 { return x*y + z }
