// Slices of unknown sizes as results, whose rows do not lie side by side.
// run {"entry": "p", "inputs": ["2x2x2xf32=random:0:-1:1"], "error": [0.0, 0.0]}
func.func @p(%a0: tensor<?x2x?xf32>) -> (tensor<?x1x?xf32>, tensor<?x1x?xf32>) {
  %v3:2 = mica.split %a0 axis = 1 sizes = [1, 1] : (tensor<?x2x?xf32>) -> (tensor<?x1x?xf32>, tensor<?x1x?xf32>)
  return %v3#1, %v3#0 : tensor<?x1x?xf32>, tensor<?x1x?xf32>
}
