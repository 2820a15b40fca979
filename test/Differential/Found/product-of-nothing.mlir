// run {"entry": "p", "inputs": ["2x0xf32=whole:0:-8:9", "2x2x0xf32=whole:0:-8:9", "0x3xf32=random:0:-1:1"], "error": [1.430511474609375e-45]}
func.func @p(%a0: tensor<2x0xf32>, %a1: tensor<2x2x?xf32>, %a2: tensor<0x?xf32>) -> (tensor<2x2x?xf32>) {
  %v1 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (0, d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%a0 : tensor<2x0xf32>) outs(%a1 : tensor<2x2x?xf32>) { ^bb0(%x: f32, %y: f32): linalg.yield %x : f32 } -> tensor<2x2x?xf32>
  %v2 = mica.matmul %v1, %a2 : (tensor<2x2x?xf32>, tensor<0x?xf32>) -> tensor<2x2x?xf32>
  return %v2 : tensor<2x2x?xf32>
}
