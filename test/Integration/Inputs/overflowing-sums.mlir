// Sums whose terms may overflow before, or after, one of them is infinite.
#row = affine_map<(i, k) -> (i, k)>
#one = affine_map<(i, k) -> (i)>
func.func @product(%x: tensor<1x16xf32>, %w: tensor<16x8xf32>) -> tensor<1x8xf32> {
  %0 = mica.matmul %x, %w : (tensor<1x16xf32>, tensor<16x8xf32>) -> tensor<1x8xf32>
  return %0 : tensor<1x8xf32>
}
func.func @sum(%x: tensor<1x16xf32>) -> tensor<1xf32> {
  %zero = arith.constant dense<0.0> : tensor<1xf32>
  %0 = linalg.generic {indexing_maps = [#row, #one], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<1x16xf32>) outs(%zero : tensor<1xf32>) {
  ^bb0(%a: f32, %s: f32):
    %t = arith.addf %s, %a : f32
    linalg.yield %t : f32
  } -> tensor<1xf32>
  return %0 : tensor<1xf32>
}
func.func @reduce(%x: tensor<1x16xf32>) -> tensor<1xf32> {
  %0 = mica.reduce sum %x dims = [1] : (tensor<1x16xf32>) -> tensor<1xf32>
  return %0 : tensor<1xf32>
}
// What is multiplied by an infinity is 1 without rounding and 0 with it.
func.func @sign(%x: tensor<1x3xf32>, %w: tensor<3x1xf32>, %y: tensor<1x1xf32>) -> tensor<1x1xf32> {
  %0 = mica.matmul %x, %w : (tensor<1x3xf32>, tensor<3x1xf32>) -> tensor<1x1xf32>
  %1 = mica.matmul %0, %y : tensor<1x1xf32>
  return %1 : tensor<1x1xf32>
}
