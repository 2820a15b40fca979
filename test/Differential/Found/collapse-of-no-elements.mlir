// run {"entry": "p", "inputs": ["8x0x1xf32=random:538:0.25:3", "0xf32=random:363:0.25:3", "0xf32=random:516:0.25:3", "0xf32=random:177:-1:1", "i1=0"], "error": [1.1148452758789062e-05, 1.1148452758789062e-05, 1.1148452758789062e-05]}
func.func @p(%a0: tensor<8x0x?xf32>, %a1: tensor<0xf32>, %a2: tensor<0xf32>, %a3: tensor<0xf32>, %a4: i1) -> (tensor<?xf32>, tensor<8x0x?xf32>, tensor<8x0x?xf32>) {
  %v1 = mica.reshape %a0 : (tensor<8x0x?xf32>) -> tensor<8x0x1xf32>
  %v2 = math.tanh %a0 : tensor<8x0x?xf32>
  %v3 = mica.batch_norm %v2 mean %a1 variance %a2 bias %a3 axis = 1 epsilon = 0.5 : (tensor<8x0x?xf32>, tensor<0xf32>, tensor<0xf32>, tensor<0xf32>) -> tensor<8x0x?xf32>
  %v9 = scf.if %a4 -> (tensor<8x0x?xf32>) {
    scf.yield %v3 : tensor<8x0x?xf32>
  } else {
    %v10 = tensor.cast %v1 : tensor<8x0x1xf32> to tensor<8x0x?xf32>
    scf.yield %v10 : tensor<8x0x?xf32>
  }
  %v12 = tensor.collapse_shape %v9 [[0, 1, 2]] : tensor<8x0x?xf32> into tensor<?xf32>
  return %v12, %v3, %v9 : tensor<?xf32>, tensor<8x0x?xf32>, tensor<8x0x?xf32>
}
