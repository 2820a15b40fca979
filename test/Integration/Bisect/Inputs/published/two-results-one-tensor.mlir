// Both results of the loop are one tensor.
// VERDICT: miscompile one-shot-bufferize
// PIPELINE: --one-shot-bufferize='bufferize-function-boundaries allow-return-allocs-from-loops'
// FLAGS: --entry=f --input=4xi32=1,2,3,4 --input=2 --input=9
func.func @f(%x: tensor<4xi32>, %n: index, %k: i32) -> (tensor<2xi32>, tensor<2xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = tensor.extract_slice %x[0][2][1] : tensor<4xi32> to tensor<2xi32>
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %z, %b = %z) -> (tensor<2xi32>, tensor<2xi32>) {
    %e = tensor.extract %x[%i] : tensor<4xi32>
    %t = tensor.from_elements %e, %e : tensor<2xi32>
    scf.yield %t, %t : tensor<2xi32>, tensor<2xi32>
  }
  %p = tensor.insert %k into %r#0[%c0] : tensor<2xi32>
  return %r#1, %p : tensor<2xi32>, tensor<2xi32>
}
