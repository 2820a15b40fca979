// run {"entry": "p", "inputs": ["4x31xi16=random:868:-32768:32768", "1x4x9x2xi4=random:99:-8:8", "2x1x2x2xi4=random:655:-8:8"], "error": [0.0, 0.0, 0.0]}
func.func @p(%a0: tensor<4x?xi16>, %a2: tensor<?x4x9x2xi4>, %a3: tensor<2x1x2x2xi4>) -> (tensor<?x3x25x2xi4>, tensor<1x4x?xi64>, tensor<?x4x9x2xi4>) {
  %v1 = arith.muli %a0, %a0 : tensor<4x?xi16>
  %v2 = mica.one_hot %v1 axis = 0 : tensor<4x?xi16> to tensor<1x4x?xi8>
  %v5:2 = mica.sort %v2 axis = 2 descending : (tensor<1x4x?xi8>) -> (tensor<1x4x?xi8>, tensor<1x4x?xi64>)
  %v7 = mica.conv2d_transpose %a2, %a3 layout = nhwc_fhwc strides = [2, 3] dilations = [1, 2] pads = [2, 2, 0, 2] groups = 1 : (tensor<?x4x9x2xi4>, tensor<2x1x2x2xi4>) -> tensor<?x3x25x2xi4>
  return %v7, %v5#1, %a2 : tensor<?x3x25x2xi4>, tensor<1x4x?xi64>, tensor<?x4x9x2xi4>
}
