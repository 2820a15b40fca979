// run {"entry": "p", "inputs": ["f64=whole:322:-8:9"], "error": [0.0, 0.0]}
func.func @p(%a5: tensor<f64>) -> (tensor<67xf16>, tensor<f64>) {
  %v7 = tensor.empty() : tensor<67xf64>
  %v6 = linalg.generic {indexing_maps = [affine_map<(d0) -> ()>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%a5 : tensor<f64>) outs(%v7 : tensor<67xf64>) {
    ^bb0(%x0: f64, %o: f64):
      linalg.yield %x0 : f64
  } -> tensor<67xf64>
  %v8 = arith.truncf %v6 : tensor<67xf64> to tensor<67xf16>
  return %v8, %a5 : tensor<67xf16>, tensor<f64>
}
