// run {"entry": "p", "inputs": ["32x13x1x13xf8E4M3FN=random:284:-2:2", "index=103", "48x21x16xi32=random:775:-8:8"], "error": [0.0, 0.0, 0.0]}
func.func @p(%a1: tensor<?x?x?x13xf8E4M3FN>, %a3: index, %a6: tensor<?x?x?xi32>) -> (tensor<48x3x21xi64>, tensor<48x3x?xi32>, tensor<48x3x?xi32>) {
  %v2 = arith.constant 0 : index
  %v3 = mica.slice %a1 offsets = [7, 0, %v2, %a3] sizes = [16, 13, 1, 7] strides = [1, 1, 1, 1] : (tensor<?x?x?x13xf8E4M3FN>, index, index) -> tensor<16x13x1x7xf8E4M3FN>
  %v4 = mica.argmin %v3 axis = 1 : (tensor<16x13x1x7xf8E4M3FN>) -> tensor<16x1x7xi32>
  %v5 = arith.cmpi sge, %v4, %v4 : tensor<16x1x7xi32>
  %v6 = arith.select %v5, %v4, %v4 : tensor<16x1x7xi1>, tensor<16x1x7xi32>
  %v7 = mica.tile %v6 multiples = [3, 3, 3] : (tensor<16x1x7xi32>) -> tensor<48x3x21xi32>
  %v8 = mica.matmul %v7, %a6 : (tensor<48x3x21xi32>, tensor<?x?x?xi32>) -> tensor<48x3x?xi32>
  %v9 = mica.clamp %v8 min = 3 : i32 max = 3 : i32 : tensor<48x3x?xi32>
  %v13:2 = mica.top_k %v7 k = 3 axis = 1 smallest : (tensor<48x3x21xi32>) -> (tensor<48x3x21xi32>, tensor<48x3x21xi64>)
  return %v13#1, %v8, %v9 : tensor<48x3x21xi64>, tensor<48x3x?xi32>, tensor<48x3x?xi32>
}
