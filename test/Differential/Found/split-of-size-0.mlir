// A part without elements behind the last element.
// run {"entry": "p", "inputs": ["1xf32=random:0:-1:1"], "error": [0.0]}
func.func @p(%a1: tensor<1xf32>) -> (tensor<0xf32>) {
  %v1 = mica.tile %a1 multiples = [1] : tensor<1xf32>
  %v4:2 = mica.split %v1 axis = 0 sizes = [1, 0] : (tensor<1xf32>) -> (tensor<1xf32>, tensor<0xf32>)
  return %v4#1 : tensor<0xf32>
}
