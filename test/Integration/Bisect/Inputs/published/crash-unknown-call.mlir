// The compiler ends, and the program cannot be run.
// VERDICT: crash int-range-optimizations
// PIPELINE: --int-range-optimizations
func.func private @elsewhere(index) -> index
func.func @main() {
  %c0 = arith.constant 0 : index
  %n = call @elsewhere(%c0) : (index) -> index
  affine.for %i = 0 to %n {
    %x = func.call @elsewhere(%i) : (index) -> index
  }
  return
}
