// run {"entry": "p", "inputs": ["2x1xi32=random:0:-8:8", "1x1xi32=random:0:-8:8"], "error": [0.0]}
func.func @p(%a0: tensor<2x1xi32>, %a4: tensor<1x1xi32>) -> (tensor<1x1xi32>) {
  %v1 = arith.constant 1 : index
  %v2 = mica.slice %a0 offsets = [0, 0] sizes = [%v1, 1] strides = [1, 1] : (tensor<2x1xi32>, index) -> tensor<?x1xi32>
  %v15 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (2 * d0 + 0, 2 * d1 + 0)>], iterator_types = ["parallel", "parallel"]} ins(%v2 : tensor<?x1xi32>) outs(%a4 : tensor<1x1xi32>) { ^bb0(%x: i32, %y: i32): linalg.yield %x : i32 } -> tensor<1x1xi32>
  return %v15 : tensor<1x1xi32>
}
