// A view that makes two unknown sizes of one.
// run {"entry": "p", "inputs": ["2x2x2x2xf32=whole:0:-8:9", "1x2x2x2xf32=random:0:-1:1", "i64=random:0:0:2"], "error": [0.0]}
func.func @p(%a0: tensor<2x2x?x?xf32>, %a2: tensor<1x2x?x?xf32>, %a3: tensor<i64>) -> (tensor<2x2x?x?xf32>) {
  %v1 = mica.cache_update %a0, %a2 at %a3 axis = 0 : (tensor<2x2x?x?xf32>, tensor<1x2x?x?xf32>, tensor<i64>) -> tensor<2x2x?x?xf32>
  return %v1 : tensor<2x2x?x?xf32>
}
