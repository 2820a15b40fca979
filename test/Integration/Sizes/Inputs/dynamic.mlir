// inputs: --input=16x24xf32=random:1 --input=24x9xf32=random:2
func.func @main(%x: tensor<?x?xf32>, %w: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = mica.matmul %x, %w : tensor<?x?xf32>
  %1 = mica.softmax %0 axis = 1 : tensor<?x?xf32>
  %2 = mica.matmul %1, %0 transpose_a : tensor<?x?xf32>
  %3:2 = mica.sort %2 axis = 1 : (tensor<?x?xf32>) -> (tensor<?x?xf32>, tensor<?x?xi64>)
  return %3#0 : tensor<?x?xf32>
}
