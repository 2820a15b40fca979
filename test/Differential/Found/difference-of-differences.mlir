// run {"entry": "p", "inputs": ["7xi32=random:1", "7xi32=random:2"], "error": [0]}
func.func @p(%x: tensor<?xi32>, %y: tensor<?xi32>) -> tensor<?xi32> {
  %0 = arith.subi %x, %y : tensor<?xi32>
  %1 = arith.subi %0, %x : tensor<?xi32>
  return %1 : tensor<?xi32>
}
