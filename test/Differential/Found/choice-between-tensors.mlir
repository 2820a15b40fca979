// A branch that gives one of two tensors as they are, which canonicalization makes a select of tensors.
// run {"entry": "p", "inputs": ["1x3x3x3xf32=random:0:-1:1", "i1=0"], "error": [0.0]}
func.func @p(%a2: tensor<1x3x3x3xf32>, %a3: i1) -> (tensor<1x3x3x3xf32>) {
  %v1 = mica.max_pool %a2 layout = nhwc kernel = [1, 1] strides = [1, 1] pads = [0, 0, 0, 0] : tensor<1x3x3x3xf32>
  %v8 = scf.if %a3 -> (tensor<1x3x3x3xf32>) {
    scf.yield %a2 : tensor<1x3x3x3xf32>
  } else {
    %v3 = arith.constant 0 : index
    %v4 = arith.constant 0 : index
    %v5 = arith.constant 0 : index
    %v6 = arith.constant 0 : index
    %v7 = tensor.insert_slice %v1 into %v1[%v3, %v4, %v5, %v6] [1, 3, 3, 3] [1, 1, 1, 1] : tensor<1x3x3x3xf32> into tensor<1x3x3x3xf32>
    scf.yield %v7 : tensor<1x3x3x3xf32>
  }
  return %v8 : tensor<1x3x3x3xf32>
}
