func.func @types(%c: tensor<2x?xi1>, %x: tensor<2x?xbf16>, %n: tensor<i64>) -> (tensor<2x?xbf16>, tensor<2x?xi1>, tensor<i64>) {
  %0 = arith.negf %x : tensor<2x?xbf16>
  %1 = arith.select %c, %x, %0 : tensor<2x?xi1>, tensor<2x?xbf16>
  %2 = arith.cmpf olt, %1, %x : tensor<2x?xbf16>
  %3 = arith.muli %n, %n : tensor<i64>
  return %1, %2, %3 : tensor<2x?xbf16>, tensor<2x?xi1>, tensor<i64>
}
