// A window of one position takes its size from the image.
// VERDICT: miscompile linalg-fold-unit-extent-dims
// PIPELINE: builtin.module(func.func(linalg-fold-unit-extent-dims))
// FLAGS: --entry=f
func.func @f(%image: tensor<3xf32>, %filter: tensor<?xf32>, %o: tensor<1xf32>) -> tensor<1xf32> {
  %r = linalg.generic {indexing_maps = [affine_map<(a, b) -> (a + b)>, affine_map<(a, b) -> (b)>, affine_map<(a, b) -> (a)>], iterator_types = ["parallel", "reduction"]}
      ins(%image, %filter : tensor<3xf32>, tensor<?xf32>) outs(%o : tensor<1xf32>) {
  ^bb0(%x: f32, %y: f32, %z: f32):
    %p = arith.subf %x, %y : f32
    %s = arith.addf %p, %z : f32
    linalg.yield %s : f32
  } -> tensor<1xf32>
  return %r : tensor<1xf32>
}
