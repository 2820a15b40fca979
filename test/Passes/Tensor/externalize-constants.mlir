// RUN: mica-opt %s --mica-tensor-externalize-constants | FileCheck %s
// RUN: mica-opt %s --mica-tensor-externalize-constants=limit=2 | FileCheck %s --check-prefix=LIMIT

// CHECK-LABEL: func.func @named_by_contents
// LIMIT-LABEL: func.func @named_by_contents
func.func @named_by_contents() -> (tensor<4xf32>, tensor<128xi8>, tensor<16x8xi8>, tensor<4x4xf32>, tensor<99xf32>) {
  // A small resource becomes text.
  // CHECK: arith.constant dense<[1.000000e+00, 2.000000e+00, 3.000000e+00, 4.000000e+00]> : tensor<4xf32>
  // LIMIT: arith.constant dense_resource<[[SMALL:mica_[0-9a-f]+]]> : tensor<4xf32>
  %0 = arith.constant dense_resource<small> : tensor<4xf32>
  // Equal bytes are one resource, also under another shape and from the text.
  // CHECK: arith.constant dense_resource<[[LARGE:mica_[0-9a-f]+]]> : tensor<128xi8>
  %1 = arith.constant dense_resource<large> : tensor<128xi8>
  // CHECK: arith.constant dense_resource<[[LARGE]]> : tensor<16x8xi8>
  %2 = arith.constant dense<"0x000102030405060708090A0B0C0D0E0F000102030405060708090A0B0C0D0E0F000102030405060708090A0B0C0D0E0F000102030405060708090A0B0C0D0E0F000102030405060708090A0B0C0D0E0F000102030405060708090A0B0C0D0E0F000102030405060708090A0B0C0D0E0F000102030405060708090A0B0C0D0E0F"> : tensor<16x8xi8>
  // CHECK: arith.constant dense<0.000000e+00> : tensor<4x4xf32>
  %3 = arith.constant dense<0.0> : tensor<4x4xf32>
  // A splat of any size stays one.
  // CHECK: arith.constant dense<1.500000e+00> : tensor<99xf32>
  // LIMIT: arith.constant dense<1.500000e+00> : tensor<99xf32>
  %4 = arith.constant dense<1.5> : tensor<99xf32>
  return %0, %1, %2, %3, %4 : tensor<4xf32>, tensor<128xi8>, tensor<16x8xi8>, tensor<4x4xf32>, tensor<99xf32>
}

// An attribute that takes no resource keeps its elements, however many: here the limit is 2.
// MUTATION: stays green, nothing is to be externalized.
// LIMIT-LABEL: func.func @cases
// LIMIT: cf.switch
// LIMIT: 3: ^
func.func @cases(%i: i32) -> i32 {
  cf.switch %i : i32, [
    default: ^bb1(%i : i32),
    1: ^bb1(%i : i32),
    2: ^bb1(%i : i32),
    3: ^bb1(%i : i32)
  ]
^bb1(%0: i32):
  return %0 : i32
}
// CHECK: [[LARGE]]: "0x

{-#
  dialect_resources: { builtin: {
    small: "0x040000000000803F000000400000404000008040",
    large: "0x01000000000102030405060708090A0B0C0D0E0F000102030405060708090A0B0C0D0E0F000102030405060708090A0B0C0D0E0F000102030405060708090A0B0C0D0E0F000102030405060708090A0B0C0D0E0F000102030405060708090A0B0C0D0E0F000102030405060708090A0B0C0D0E0F000102030405060708090A0B0C0D0E0F"
  } }
#-}
