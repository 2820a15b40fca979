// The compiler ends, and the program cannot be run: a function of it is elsewhere.
// VERDICT: crash scf-forall-to-for
// PIPELINE: --scf-forall-to-for
func.func private @elsewhere(tensor<4xi32>) -> tensor<4xi32>
func.func private @f(%t: tensor<4xi32>, %p: !llvm.ptr) -> tensor<4xi32> {
  %e = call @elsewhere(%t) : (tensor<4xi32>) -> tensor<4xi32>
  %r = scf.forall (%i) in (2) shared_outs(%a = %e) -> (tensor<4xi32>) {
    %s = tensor.extract_slice %t[%i] [1] [1] : tensor<4xi32> to tensor<1xi32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %s into %a[%i] [1] [1] : tensor<1xi32> into tensor<4xi32>
    }
  }
  return %r : tensor<4xi32>
}
