// PIPELINE: builtin.module(sparsification-and-bufferization)
// VERDICT: miscompile sparsification-and-bufferization
func.func @step(%a: i64, %b: i64) -> i64 {
  %i0 = index.constant 0
  %i8 = index.constant 8
  %i1 = index.constant 1
  %i4 = index.constant 4
  %s = index.casts %a : i64 to index
  %r = scf.for %k = %i0 to %i8 step %i1 iter_args(%acc = %s) -> (index) {
    %t = tensor.from_elements %a, %b, %a, %a : tensor<4xi64>
    %p = index.remu %k, %i4
    %q = index.remu %acc, %i4
    %e = tensor.extract %t[%q] : tensor<4xi64>
    %x = arith.addi %e, %b : i64
    %u = tensor.insert %x into %t[%p] : tensor<4xi64>
    %y = tensor.extract %u[%q] : tensor<4xi64>
    %n = index.castu %y : i64 to index
    scf.yield %n : index
  }
  %o = index.castu %r : index to i64
  return %o : i64
}
func.func @main() {
  %a = arith.constant 5 : i64
  %b = arith.constant 3 : i64
  %r = call @step(%a, %b) : (i64, i64) -> i64
  vector.print %r : i64
  return
}
