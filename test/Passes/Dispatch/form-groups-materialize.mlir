// RUN: mica-opt %s --pass-pipeline='builtin.module(func.func(mica-dispatch-form-groups{materialize=true}))' | FileCheck %s
// RUN: mica-opt %s --pass-pipeline='builtin.module(func.func(mica-dispatch-form-groups))' | FileCheck %s --check-prefix=FUSED

#id = affine_map<(d0) -> (d0)>

// A group ends behind an operation that dumps keep. That is two ops here, which stay together.
// CHECK-LABEL: func.func @ends_behind_tags
// CHECK-COUNT-2: mica_sched.group = 0
// CHECK-COUNT-2: mica_sched.group = 1
// FUSED-LABEL: func.func @ends_behind_tags
// FUSED-COUNT-4: mica_sched.group = 0
func.func @ends_behind_tags(%x: tensor<8xf32>) -> tensor<8xf32> {
  %e = tensor.empty() : tensor<8xf32>
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %9 = math.absf %in : f32
    linalg.yield %9 : f32
  } -> tensor<8xf32> loc(#tagged)
  %1 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%0 : tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %9 = math.exp %in : f32
    linalg.yield %9 : f32
  } -> tensor<8xf32> loc(#tagged)
  %2 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%1 : tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %9 = math.tanh %in : f32
    linalg.yield %9 : f32
  } -> tensor<8xf32> loc(#other)
  %3 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%2 : tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %9 = math.absf %in : f32
    linalg.yield %9 : f32
  } -> tensor<8xf32> loc(#last)
  return %3 : tensor<8xf32>
}
#tagged = loc(fused<"mica.op:a81e53e8196c">[fused<"mica_check.dump">["k.mlir":1:1]])
#other = loc(fused<"mica.op:0422efc37baf">["k.mlir":2:1])
#last = loc(fused<"mica.op:bbbbbbbbbbbb">["k.mlir":3:1])
