// Loops that make no turn: a result without elements, a sum over nothing, a product with neither.
// run {"entry": "broadcast", "inputs": ["i64=3"], "error": [0]}
func.func @broadcast(%a: tensor<i64>) -> tensor<2x0xi64> {
  %0 = mica.broadcast %a : (tensor<i64>) -> tensor<2x0xi64>
  return %0 : tensor<2x0xi64>
}
// run {"entry": "sum", "inputs": ["4x0x3xf32=0"], "error": [0]}
func.func @sum(%a: tensor<4x0x3xf32>) -> tensor<4x3xf32> {
  %0 = mica.reduce sum %a dims = [1] : (tensor<4x0x3xf32>) -> tensor<4x3xf32>
  return %0 : tensor<4x3xf32>
}
// run {"entry": "columns", "inputs": ["5x4x3xf64=random:1", "5x3x0xf64=0"], "error": [0]}
func.func @columns(%a: tensor<5x?x3xf64>, %b: tensor<5x?x0xf64>) -> tensor<5x?x0xf64> {
  %0 = mica.matmul %a, %b : (tensor<5x?x3xf64>, tensor<5x?x0xf64>) -> tensor<5x?x0xf64>
  return %0 : tensor<5x?x0xf64>
}
// run {"entry": "depth", "inputs": ["4x0xf32=0", "0x17xf32=0"], "error": [0]}
func.func @depth(%a: tensor<4x0xf32>, %b: tensor<0x17xf32>) -> tensor<4x17xf32> {
  %0 = mica.matmul %a, %b : (tensor<4x0xf32>, tensor<0x17xf32>) -> tensor<4x17xf32>
  return %0 : tensor<4x17xf32>
}
// run {"entry": "pad", "inputs": ["0x3xf32=0"], "error": [0]}
func.func @pad(%a: tensor<0x3xf32>) -> tensor<2x5xf32> {
  %c = arith.constant 1.5 : f32
  %0 = tensor.pad %a low[1, 2] high[1, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %c : f32
  } : tensor<0x3xf32> to tensor<2x5xf32>
  return %0 : tensor<2x5xf32>
}
