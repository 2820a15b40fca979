// run {"entry": "p", "inputs": ["8x3x0xf32=random:250:-2:2", "8x3x0xf32=random:148:-1:1", "i1=0", "8x3x0xf32=random:455:-1:1"], "error": [0.0, 0.0]}
func.func @p(%a0: tensor<?x?x?xf32>, %a1: tensor<?x3x?xf32>, %a2: i1, %a4: tensor<8x?x?xf32>) -> (tensor<?x3x?xf32>, tensor<8x3x0xi1>) {
  %v9 = scf.if %a2 -> (tensor<?x3x?xf32>) {
    %v5:2 = mica.sort %a0 axis = 1 : (tensor<?x?x?xf32>) -> (tensor<?x?x?xf32>, tensor<?x?x?xi64>)
    %v10 = tensor.cast %v5#0 : tensor<?x?x?xf32> to tensor<?x3x?xf32>
    scf.yield %v10 : tensor<?x3x?xf32>
  } else {
    scf.yield %a1 : tensor<?x3x?xf32>
  }
  %v13 = mica.compare eq %a1, %a4 : (tensor<?x3x?xf32>, tensor<8x?x?xf32>) -> tensor<8x3x0xi1>
  %v15 = mica.ceil %v9 : tensor<?x3x?xf32>
  return %v15, %v13 : tensor<?x3x?xf32>, tensor<8x3x0xi1>
}
