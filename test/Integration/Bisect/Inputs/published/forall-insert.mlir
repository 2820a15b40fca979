// The pass ends the compiler on an scf.forall that has results.
// VERDICT: crash scf-forall-to-for
// PIPELINE: builtin.module(func.func(scf-forall-to-for),one-shot-bufferize{bufferize-function-boundaries},func.func(convert-linalg-to-loops))
// FLAGS: --entry=f
func.func @f(%t: tensor<8xf32>, %o: tensor<8xf32>) -> tensor<8xf32> {
  %r = scf.forall (%i) in (4) shared_outs(%a = %o) -> (tensor<8xf32>) {
    %k = affine.apply affine_map<(d) -> (d * 2)>(%i)
    %s = tensor.extract_slice %t[%k] [2] [1] : tensor<8xf32> to tensor<2xf32>
    %d = tensor.extract_slice %a[%k] [2] [1] : tensor<8xf32> to tensor<2xf32>
    %e = linalg.exp ins(%s : tensor<2xf32>) outs(%d : tensor<2xf32>) -> tensor<2xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %e into %a[%k] [2] [1] : tensor<2xf32> into tensor<8xf32>
    }
  }
  return %r : tensor<8xf32>
}
