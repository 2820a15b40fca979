#m = affine_map<(d0) -> (d0)>
func.func @main(%t: tensor<8xf32>, %at: tensor<600xi32>) -> tensor<600xf32> {
  %e = tensor.empty() : tensor<600xf32>
  %0 = linalg.generic {indexing_maps = [#m, #m], iterator_types = ["parallel"]} ins(%at : tensor<600xi32>) outs(%e : tensor<600xf32>) {
  ^bb0(%i: i32, %o: f32):
    %k = arith.index_cast %i : i32 to index
    %v = tensor.extract %t[%k] : tensor<8xf32>
    linalg.yield %v : f32
  } -> tensor<600xf32>
  return %0 : tensor<600xf32>
}
