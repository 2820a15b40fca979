// A sum whose transposed operand moves with the rows of a block and lies across its lanes.
// run {"entry": "p", "inputs": ["f32=random:0:-1:1", "31x17xf32=random:0:-1:1", "3xf32=random:0:-1:1"], "error": [5.0067901611328125e-06]}
func.func @p(%a2: tensor<f32>, %a3: tensor<31x17xf32>, %a4: tensor<3xf32>) -> (tensor<17x31x1xf32>) {
  %v4 = tensor.empty() : tensor<17x31x1xf32>
  %v2 = arith.constant 0.0 : f32
  %v3 = linalg.fill ins(%v2 : f32) outs(%v4 : tensor<17x31x1xf32>) -> tensor<17x31x1xf32>
  %v1 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> ()>, affine_map<(d0, d1, d2, d3) -> (d2, d0)>, affine_map<(d0, d1, d2, d3) -> (d1)>, affine_map<(d0, d1, d2, d3) -> (d0, d2, d3)>], iterator_types = ["parallel", "reduction", "parallel", "parallel"]} ins(%a2, %a3, %a4 : tensor<f32>, tensor<31x17xf32>, tensor<3xf32>) outs(%v3 : tensor<17x31x1xf32>) {
    ^bb0(%x0: f32, %x1: f32, %x2: f32, %o: f32):
      %y0 = arith.addf %x0, %x1 : f32
      %y1 = arith.addf %y0, %x2 : f32
      %s = arith.addf %o, %y1 : f32
      linalg.yield %s : f32
  } -> tensor<17x31x1xf32>
  return %v1 : tensor<17x31x1xf32>
}
