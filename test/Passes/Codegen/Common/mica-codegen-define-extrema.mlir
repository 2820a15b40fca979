// RUN: mica-opt %s --mica-codegen-define-extrema | FileCheck %s

// CHECK-LABEL: llvm.func @scalar(
// CHECK:         llvm.call_intrinsic "llvm.maximumnum"(%{{.*}}, %{{.*}}) : (f32, f32) -> f32
// CHECK:         llvm.call_intrinsic "llvm.minimumnum"(%{{.*}}, %{{.*}}) : (f32, f32) -> f32
llvm.func @scalar(%a: f32, %b: f32) -> f32 {
  %0 = llvm.intr.maxnum(%a, %b) : (f32, f32) -> f32
  %1 = llvm.intr.minnum(%0, %b) : (f32, f32) -> f32
  llvm.return %1 : f32
}

// A lane that is NaN does not count, unless all are.
// CHECK-LABEL: llvm.func @reduction(
// CHECK-SAME:    %[[V:.*]]: vector<8xf32>)
// CHECK:         %[[NAN:.*]] = llvm.fcmp "uno" %[[V]], %[[V]]
// CHECK:         %[[LEAST:.*]] = llvm.mlir.constant(dense<0xFF800000>
// CHECK:         %[[NUMBERS:.*]] = llvm.select %[[NAN]], %[[LEAST]], %[[V]]
// CHECK:         %[[BEST:.*]] = llvm.intr.vector.reduce.fmaximum(%[[NUMBERS]])
// CHECK:         %[[NONE:.*]] = "llvm.intr.vector.reduce.and"(%[[NAN]])
// CHECK:         llvm.select %[[NONE]], %{{.*}}, %[[BEST]]
llvm.func @reduction(%v: vector<8xf32>) -> f32 {
  %0 = llvm.intr.vector.reduce.fmax(%v) : (vector<8xf32>) -> f32
  llvm.return %0 : f32
}
