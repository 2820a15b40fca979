// The difference wraps around.
// VERDICT: miscompile canonicalize
// PIPELINE: --canonicalize
// FLAGS: --entry=f
func.func @f(%x: index) -> i1 {
  %c2 = index.constant 2
  %c0 = index.constant 0
  %d = index.sub %x, %c2
  %r = index.cmp ule(%d, %c0)
  return %r : i1
}
