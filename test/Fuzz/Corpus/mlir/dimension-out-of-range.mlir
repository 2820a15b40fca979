module @exp attributes {mica_sched.kernel, mica_sched.op_ids = ["00000000000a"]} {
  func.func @exp(%x: memref<?x2xf32> {mica_sched.access = "read"}, %o: memref<?x2xf32> {mica_sched.access = "write"}) { return }
}
func.func @size_of_a_reshape(%x: tensor<?xf32>) -> tensor<?x2xf32> {
  %0 = tensor.expand_shape %x [[0, 1]] output_shape [3, 2] : tensor<?xf32> into tensor<?x2xf32>
  %c0 = arith.constant 9223372036854775807 : index
  %n = tensor.dim %0, %c0 : tensor<?x2xf32>
  %1 = mica_sched.dispatch @exp(%0) sizes(%n) {op_ids = ["000000000001"]} : (tensor<?x2xf32>) -> tensor<?x2xf32>
  return %1 : tensor<?x2xf32>
}
