// run {"entry": "p", "inputs": ["16xi64=random:95:-128:128", "16x7xi64=random:249:-128:128", "index=7", "8xi64=random:764:-8:8"], "error": [0.0, 0.0, 0.0]}
func.func @p(%a2: tensor<?xi64>, %a3: tensor<?x?xi64>, %a4: index, %a6: tensor<8xi64>) -> (tensor<?x1xi64>, tensor<?xi64>, tensor<8x?x?xi8>) {
  %v5 = tensor.empty(%a4) : tensor<16x?xi64>
  %v4 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d1, d0)>, affine_map<(d0, d1) -> (d1, d0)>], iterator_types = ["parallel", "parallel"]} ins(%a2, %a3 : tensor<?xi64>, tensor<?x?xi64>) outs(%v5 : tensor<16x?xi64>) {
    ^bb0(%x0: i64, %x1: i64, %o: i64):
      %y0 = arith.addi %x0, %x1 : i64
      linalg.yield %y0 : i64
  } -> tensor<16x?xi64>
  %v6 = mica.concat %v4, %v4, %a3 axis = 0 : (tensor<16x?xi64>, tensor<16x?xi64>, tensor<?x?xi64>) -> tensor<?x?xi64>
  %v7 = mica.neg %a3 : tensor<?x?xi64>
  %v8 = mica.one_hot %v6 axis = 0 : tensor<?x?xi64> to tensor<8x?x?xi8>
  %v9 = arith.cmpi sge, %a3, %a3 : tensor<?x?xi64>
  %v10 = arith.select %v9, %a3, %v7 : tensor<?x?xi1>, tensor<?x?xi64>
  %v12 = arith.constant 3 : index
  %v13 = tensor.insert_slice %a6 into %a2[%v12] [8] [1] : tensor<8xi64> into tensor<?xi64>
  %v14 = mica.max %v7, %v10 : tensor<?x?xi64>
  %v15 = mica.argmin %v14 axis = 1 keep_dims : (tensor<?x?xi64>) -> tensor<?x1xi64>
  return %v15, %v13, %v8 : tensor<?x1xi64>, tensor<?xi64>, tensor<8x?x?xi8>
}
