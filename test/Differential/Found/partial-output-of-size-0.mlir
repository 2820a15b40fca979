// run {"entry": "p", "inputs": ["0xi1=random:0:0:2", "2x3x0xf32=whole:0:-8:9"], "error": [0.0]}
func.func @p(%a1: tensor<?xi1>, %a2: tensor<2x3x0xf32>) -> (tensor<2x3x0xf32>) {
  %v1 = mica.cast %a1 : tensor<?xi1> to tensor<?xi16>
  %v2 = mica.one_hot %v1 axis = 0 : tensor<?xi16> to tensor<3x?xf32>
  %v3 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (0, d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%v2 : tensor<3x?xf32>) outs(%a2 : tensor<2x3x0xf32>) { ^bb0(%x: f32, %y: f32): linalg.yield %x : f32 } -> tensor<2x3x0xf32>
  %v4 = mica.add %v3, %v3 : tensor<2x3x0xf32>
  return %v4 : tensor<2x3x0xf32>
}
