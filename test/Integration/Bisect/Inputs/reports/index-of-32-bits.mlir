// Sizes of descriptors have 32 bits in the end.
// VERDICT: same
// PIPELINE: --convert-scf-to-cf --finalize-memref-to-llvm=index-bitwidth=32 --convert-index-to-llvm=index-bitwidth=32 --convert-arith-to-llvm=index-bitwidth=32 --convert-cf-to-llvm=index-bitwidth=32 --convert-func-to-llvm=index-bitwidth=32 --reconcile-unrealized-casts
func.func @f(%a: memref<8xf32>, %n: index) -> f32 {
  %z = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%s = %z) -> (f32) {
    %x = memref.load %a[%i] : memref<8xf32>
    %t = arith.addf %s, %x : f32
    scf.yield %t : f32
  }
  return %r : f32
}
