// The compiler ends, whatever the program computes: it prints what nothing wrote.
// VERDICT: crash scf-forall-to-for
// PIPELINE: --canonicalize --scf-forall-to-for
func.func private @printMemrefI32(tensor<*xi32>)
func.func @main() {
  %c0 = arith.constant 0 : index
  %m = memref.alloc() : memref<4xi32>
  %k = memref.load %m[%c0] : memref<4xi32>
  %e = tensor.from_elements %k, %k, %k, %k : tensor<4xi32>
  %r = scf.forall (%i) in (2) shared_outs(%a = %e) -> (tensor<4xi32>) {
    %s = tensor.extract_slice %a[%i] [1] [1] : tensor<4xi32> to tensor<1xi32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %s into %a[%i] [1] [1] : tensor<1xi32> into tensor<4xi32>
    }
  }
  %u = tensor.cast %r : tensor<4xi32> to tensor<*xi32>
  call @printMemrefI32(%u) : (tensor<*xi32>) -> ()
  return
}
