// Arguments are bound by the names their attribute or location gives; results are written under theirs.
// RUN: rm -rf %t && mkdir %t
// RUN: mica-compile %s -o %t/a
// RUN: mica-run %t/a --list | FileCheck %s --check-prefix=LIST
// RUN: mica-run %t/a --input=2xf32=1,2 --input=2xf32=10,20 --outputs=@%t/first.npz
// RUN: mica-run %t/a --inputs=@%t/first.npz --check-reference 2>&1 | FileCheck %s
// RUN: mica-compile %s --evaluate --input=@%t/first.npz:y --input=@%t/first.npz:sum | FileCheck %s --check-prefix=EVALUATE

// LIST: forward(y: 2xf32, sum: 2xf32, 2xf32) -> (sum: 2xf32, y: 2xf32)
// CHECK: note: {{.*}}first.npz: 2 of 3 arguments: input 0 is y, input 1 is sum
// CHECK: note: input 2 (2xf32) is random:2
// CHECK: reference: result 0 (2xf32): {{same|within tolerance}}
// EVALUATE: [12. 26.]
func.func @forward(%x: tensor<2xf32> {mica.name = "y"}, %w: tensor<2xf32> loc("sum"), %b: tensor<2xf32>)
    -> (tensor<2xf32> {mica.name = "sum"}, tensor<2xf32> {mica.name = "y"}) {
  %empty = tensor.empty() : tensor<2xf32>
  %sum = linalg.add ins(%x, %w : tensor<2xf32>, tensor<2xf32>) outs(%empty : tensor<2xf32>) -> tensor<2xf32>
  %product = linalg.mul ins(%x, %x : tensor<2xf32>, tensor<2xf32>) outs(%empty : tensor<2xf32>) -> tensor<2xf32>
  return %sum, %product : tensor<2xf32>, tensor<2xf32>
}
