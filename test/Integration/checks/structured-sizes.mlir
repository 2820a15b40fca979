// Structured ops in host functions and in the reference lowering access what their operands have.
// RUN: rm -rf %t && mica-compile %s --plain -o %t
// RUN: not mica-run %t --entry=sum --input=5xf32=0 --input=4xf32=1 --input=5xf32=0 2>&1 | FileCheck %s --check-prefix=SUM
// RUN: mica-run %t --entry=sum --input=5xf32=0 --input=5xf32=1 --input=5xf32=0 | FileCheck %s --check-prefix=RIGHT
// RUN: not mica-run %t --entry=window --input=1x4xf32=0 --input=3xf32=1 --input=1x3xf32=0 2>&1 | FileCheck %s --check-prefix=WINDOW
// RUN: not mica-run %t --entry=window --input=1x0xf32=0 --input=3xf32=1 --input=1x3xf32=0 2>&1 | FileCheck %s --check-prefix=WINDOW
// RUN: mica-run %t --entry=window --input=1x5xf32=1 --input=3xf32=1 --input=1x3xf32=0 | FileCheck %s --check-prefix=THREES
// RUN: mica-run %t --entry=window --input=1x0xf32=1 --input=0xf32=1 --input=1x3xf32=7 | FileCheck %s --check-prefix=SEVENS
// RUN: not mica-run %t --entry=nothing --input=1x0xf32=1 --input=3xf32=1 --input=1x3xf32=7 2>&1 | FileCheck %s --check-prefix=NOTHING
// RUN: not mica-run %t --entry=buffers --input=5xf32=0 --input=4xf32=1 2>&1 | FileCheck %s --check-prefix=BUFFERS
// SUM: error: shape mismatch in linalg.{{.*}} at {{.*}}structured-sizes.mlir:[[#@LINE+11]]:8: dimension 0 of operand 1 is {{[0-9]+}} and dimension 0 of operand 0 is {{[0-9]+}}; they have to be equal
// RIGHT: [1. 1. 1. 1. 1.]
// WINDOW: error: shape mismatch in linalg.{{.*}} at {{.*}}structured-sizes.mlir:[[#@LINE+13]]:8: positions 0 to {{-?[0-9]+}} of dimension 1 of operand 0 are accessed, whose size is {{[0-9]+}}
// THREES: {{\[\[}}3. 3. 3.]]
// SEVENS: {{\[\[}}7. 7. 7.]]
// NOTHING: error: shape mismatch in linalg.{{.*}} at {{.*}}structured-sizes.mlir:[[#@LINE+19]]:8: positions 0 to {{-?[0-9]+}} of dimension 1 of operand 0 are accessed, whose size is {{[0-9]+}}
// BUFFERS: error: shape mismatch in linalg.{{.*}} at {{.*}}structured-sizes.mlir:{{.*}}: dimension 0 of operand 1 is {{[0-9]+}} and dimension 0 of operand 0 is {{[0-9]+}}; they have to be equal
// RUN: not mica-run %s --entry=nothing --input=1x0xf32=1 --input=3xf32=1 --input=1x3xf32=7 2>&1 | FileCheck %s --check-prefix=KERNEL
// KERNEL: error: shape mismatch {{.*}}structured-sizes.mlir:{{.*}}: positions {{.*}}of dimension 1 of {{.*}} are accessed
#window = [affine_map<(n, i, k) -> (n, i + k)>, affine_map<(n, i, k) -> (k)>, affine_map<(n, i, k) -> (n, i)>]
func.func @sum(%x: tensor<?xf32>, %y: tensor<?xf32>, %o: tensor<?xf32>) -> tensor<?xf32> {
  %0 = linalg.add ins(%x, %y : tensor<?xf32>, tensor<?xf32>) outs(%o : tensor<?xf32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}
func.func @window(%x: tensor<1x?xf32>, %w: tensor<?xf32>, %o: tensor<1x3xf32>) -> tensor<1x3xf32> {
  %0 = linalg.generic {indexing_maps = #window, iterator_types = ["parallel", "parallel", "reduction"]} ins(%x, %w : tensor<1x?xf32>, tensor<?xf32>) outs(%o : tensor<1x3xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %m = arith.mulf %a, %b : f32
    %s = arith.addf %m, %c : f32
    linalg.yield %s : f32
  } -> tensor<1x3xf32>
  return %0 : tensor<1x3xf32>
}
func.func @nothing(%x: tensor<1x0xf32>, %w: tensor<3xf32>, %o: tensor<1x3xf32>) -> tensor<1x3xf32> {
  %0 = linalg.generic {indexing_maps = #window, iterator_types = ["parallel", "parallel", "reduction"]} ins(%x, %w : tensor<1x0xf32>, tensor<3xf32>) outs(%o : tensor<1x3xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %m = arith.mulf %a, %b : f32
    %s = arith.addf %m, %c : f32
    linalg.yield %s : f32
  } -> tensor<1x3xf32>
  return %0 : tensor<1x3xf32>
}
func.func @buffers(%x: memref<?xf32>, %y: memref<?xf32>) {
  linalg.exp ins(%x : memref<?xf32>) outs(%y : memref<?xf32>)
  return
}
