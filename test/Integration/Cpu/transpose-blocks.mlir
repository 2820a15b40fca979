// Transposes on the CPU, which move square blocks through registers: sizes that no block divides, types of all widths,
// and all accesses checked.
//
// REQUIRES: compiler
// RUN: mica-run %s -o %t --check-reference | FileCheck %s --check-prefix=SAME
// RUN: mica-run %s -o %t.all --check-reference --mica-debug=assert-level=all | FileCheck %s --check-prefix=SAME
// RUN: cat %t/kernels/transpose_83x67xf32/kernel.mlir %t/kernels/transpose_70x3x9xi8/kernel.mlir %t/kernels/transpose_24x40xbf16/kernel.mlir | FileCheck %s
// SAME-COUNT-5: result {{[0-4]}} {{.*}}: same
// SAME-NOT:     different
// CHECK: vector.shuffle {{.*}} vector<{{[0-9]+}}xf32>
// CHECK: vector.shuffle {{.*}} vector<8xi8>
// CHECK: vector.shuffle {{.*}} vector<{{[0-9]+}}xbf16>
func.func @main(%a: tensor<67x83xf32>, %b: tensor<83x67xf32>, %c: tensor<9x3x70xi8>, %d: tensor<35x41xf64>,
                %e: tensor<40x24xbf16>, %f: tensor<37x33xi1>)
    -> (tensor<83x67xf32>, tensor<70x3x9xi8>, tensor<41x35xf64>, tensor<24x40xbf16>, tensor<33x37xi1>) {
  %0 = mica.neg %a : tensor<67x83xf32>
  %1 = mica.transpose %0 permutation = [1, 0] : (tensor<67x83xf32>) -> tensor<83x67xf32>
  %2 = mica.sub %1, %b : tensor<83x67xf32>
  %3 = mica.transpose %c permutation = [2, 1, 0] : (tensor<9x3x70xi8>) -> tensor<70x3x9xi8>
  %4 = mica.transpose %d permutation = [1, 0] : (tensor<35x41xf64>) -> tensor<41x35xf64>
  %5 = mica.transpose %e permutation = [1, 0] : (tensor<40x24xbf16>) -> tensor<24x40xbf16>
  %6 = mica.transpose %f permutation = [1, 0] : (tensor<37x33xi1>) -> tensor<33x37xi1>
  return %2, %3, %4, %5, %6 : tensor<83x67xf32>, tensor<70x3x9xi8>, tensor<41x35xf64>, tensor<24x40xbf16>, tensor<33x37xi1>
}
