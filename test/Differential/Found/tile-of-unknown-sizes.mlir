// run {"entry": "p", "inputs": ["1x3x3x1xi8=random:0:-8:8", "1x1x2x1xi8=random:0:-8:8", "1xi32=random:0:-8:8"], "error": [0.0]}
func.func @p(%a1: tensor<?x?x3x1xi8>, %a2: tensor<1x1x2x1xi8>, %a3: tensor<1xi32>) -> (tensor<?x?x3x2xi32>) {
  %v3 = func.call @p_f0(%a1, %a2, %a3) : (tensor<?x?x3x1xi8>, tensor<1x1x2x1xi8>, tensor<1xi32>) -> (tensor<?x?x3x2xi32>)
  return %v3 : tensor<?x?x3x2xi32>
}
func.func @p_f0(%a2: tensor<?x?x3x1xi8>, %a3: tensor<1x1x2x1xi8>, %a4: tensor<1xi32>) -> (tensor<?x?x3x2xi32>) {
  %v1 = "tosa.const"() <{values = dense<3> : tensor<1xi8>}> : () -> tensor<1xi8>
  %v2 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %v3 = tosa.conv2d %a2, %a3, %a4, %v1, %v2 {acc_type = i32, dilation = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 1>, stride = array<i64: 1, 1>} : (tensor<?x?x3x1xi8>, tensor<1x1x2x1xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<?x?x3x1xi32>
  %v5 = tosa.const_shape {values = dense<[1, 1, 1, 2]> : tensor<4xindex>} : () -> !tosa.shape<4>
  %v4 = tosa.tile %v3, %v5 : (tensor<?x?x3x1xi32>, !tosa.shape<4>) -> tensor<?x?x3x2xi32>
  return %v4 : tensor<?x?x3x2xi32>
}
