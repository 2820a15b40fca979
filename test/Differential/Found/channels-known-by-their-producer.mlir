// run {"entry": "p", "inputs": ["7x16x3xf32=random:370:0.25:3", "5x16xf32=random:452:-1:1", "3xi64=random:615:0:5", "1x1xf32=random:882:0.25:3", "16xf32=random:587:-2:2", "16x1x3xf32=random:700:-1:1", "16xf32=random:853:-2:2", "2x2x1x4xf32=random:640:-1:1", "2x1x17x4xf32=random:648:-1:1", "2x1x17x8xf32=random:397:0.25:3", "1x17xf32=random:967:-1:1", "i64=random:809:0:19"], "error": [5.7220458984375e-05, 4.5299530029296875e-06, 0.000967804434794474, 0.0]}
func.func @p(%a1: tensor<7x16x3xf32>, %a2: tensor<5x16xf32>, %a3: tensor<3xi64>, %a4: tensor<1x1xf32>, %a5: tensor<?xf32>, %a6: tensor<16x1x3xf32>, %a7: tensor<16xf32>, %a8: tensor<2x2x1x4xf32>, %a9: tensor<2x1x17x4xf32>, %a10: tensor<2x1x17x8xf32>, %a11: tensor<1x17xf32>, %a12: tensor<i64>) -> (tensor<2x2x1x8xf32>, tensor<7x6x16xf32>, tensor<3x?xf32>, tensor<1x1xf32>) {
  %v1 = mica.embedding %a2, %a3 : (tensor<5x16xf32>, tensor<3xi64>) -> tensor<3x16xf32>
  %v2 = mica.mul %a4, %v1 : (tensor<1x1xf32>, tensor<3x16xf32>) -> tensor<3x?xf32>
  %v4 = mica.group_norm %v2 bias %a5 groups = 1 axis = 1 epsilon = 0.5 : (tensor<3x?xf32>, tensor<?xf32>) -> tensor<3x?xf32>
  %v5 = mica.conv1d %a1, %a6 bias %a7 layout = nwc_fwc strides = [3] dilations = [1] pads = [0, 2] groups = 1 : (tensor<7x16x3xf32>, tensor<16x1x3xf32>, tensor<16xf32>) -> tensor<7x6x16xf32>
  %v6 = mica.attention %a8, %a9, %a10 mask %a11 position %a12 causal : (tensor<2x2x1x4xf32>, tensor<2x1x17x4xf32>, tensor<2x1x17x8xf32>, tensor<1x17xf32>, tensor<i64>) -> tensor<2x2x1x8xf32>
  return %v6, %v5, %v4, %a4 : tensor<2x2x1x8xf32>, tensor<7x6x16xf32>, tensor<3x?xf32>, tensor<1x1xf32>
}
