// run {"entry": "p", "inputs": ["7x5xi64=random:941:-5:9", "7x5xi4=random:3:-8:8"], "error": [0, 0]}
func.func @p(%a: tensor<?x5xi64>, %b: tensor<7x?xi4>) -> (tensor<?x5xi64>, tensor<7x?xi4>) {
  %0 = mica.pow %a, %a : tensor<?x5xi64>
  %1 = mica.pow %b, %b : tensor<7x?xi4>
  return %0, %1 : tensor<?x5xi64>, tensor<7x?xi4>
}
