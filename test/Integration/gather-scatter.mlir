// tensor.gather and tensor.scatter run, in kernels: whole dimensions and dropped ones, several coordinates, sizes that
// only the run knows.
// RUN: mica-compile %s -o %t --force 2>&1 | FileCheck %s --check-prefix=KERNELS
// RUN: mica-run %t --entry=gather --input=3x4x5xf32=random:1 --input=6x7x1xindex=random:2:0:4 --check-reference | FileCheck %s
// RUN: mica-run %t --entry=reduced --input=3x4x5xf32=random:1 --input=6x2xi32=random:2:0:3 --check-reference | FileCheck %s
// RUN: mica-run %t --entry=dynamic --input=3x4xi8=random:1 --input=9x1xi64=random:2:0:3 --check-reference | FileCheck %s
// RUN: mica-run %t --entry=scatter --input=2x5xf32=random:1 --input=4x5xf32=random:2 --input=2x1xindex=3,1 --check-reference | FileCheck %s
// RUN: mica-run %t --entry=whole --input=2x3x1xf32=random:1 --input=3x4xf32=random:2 --input=2x1xi64=2,0 --check-reference | FileCheck %s
// RUN: mica-compile --plain %s -o %t.plain --force
// RUN: mica-run %t.plain --entry=gather --input=3x4x5xf32=random:1 --input=6x7x1xindex=random:2:0:4 --check-reference | FileCheck %s
// RUN: mica-run %t.plain --entry=whole --input=2x3x1xf32=random:1 --input=3x4xf32=random:2 --input=2x1xi64=2,0 --check-reference | FileCheck %s
// KERNELS-NOT: warning
// CHECK: reference: result 0 {{.*}}: same

func.func @gather(%s: tensor<3x4x5xf32>, %i: tensor<6x7x1xindex>) -> tensor<6x7x3x1x5xf32> {
  %0 = tensor.gather %s[%i] gather_dims([1]) : (tensor<3x4x5xf32>, tensor<6x7x1xindex>) -> tensor<6x7x3x1x5xf32>
  return %0 : tensor<6x7x3x1x5xf32>
}
func.func @reduced(%s: tensor<3x4x5xf32>, %i: tensor<6x2xi32>) -> tensor<6x4xf32> {
  %0 = tensor.gather %s[%i] gather_dims([0, 2]) : (tensor<3x4x5xf32>, tensor<6x2xi32>) -> tensor<6x4xf32>
  return %0 : tensor<6x4xf32>
}
func.func @dynamic(%s: tensor<?x?xi8>, %i: tensor<?x1xi64>) -> tensor<?x1x?xi8> {
  %0 = tensor.gather %s[%i] gather_dims([0]) : (tensor<?x?xi8>, tensor<?x1xi64>) -> tensor<?x1x?xi8>
  return %0 : tensor<?x1x?xi8>
}
func.func @scatter(%s: tensor<2x5xf32>, %d: tensor<4x5xf32>, %i: tensor<2x1xindex>) -> tensor<4x5xf32> {
  %0 = tensor.scatter %s into %d[%i] scatter_dims([0]) unique : (tensor<2x5xf32>, tensor<4x5xf32>, tensor<2x1xindex>) -> tensor<4x5xf32>
  return %0 : tensor<4x5xf32>
}
func.func @whole(%s: tensor<2x3x1xf32>, %d: tensor<3x4xf32>, %i: tensor<2x1xi64>) -> tensor<3x4xf32> {
  %0 = tensor.scatter %s into %d[%i] scatter_dims([1]) unique : (tensor<2x3x1xf32>, tensor<3x4xf32>, tensor<2x1xi64>) -> tensor<3x4xf32>
  return %0 : tensor<3x4xf32>
}
