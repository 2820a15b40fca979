// RUN: mica-opt %s -split-input-file --mica-cpu-pack-constants="min-bytes=512 max-bytes=1023" | FileCheck %s
// RUN: mica-opt %s -split-input-file --mica-cpu-pack-constants="min-bytes=512 max-bytes=1023 vector-bits=128" | FileCheck %s --check-prefix=SSE

// One panel of 32 columns, or, with 4 lanes, two of 16: element [k][n] at [n / 16][k][n % 16]. The bias is split, the output is
// written through a view, and the list's constant is replaced.
// CHECK-DAG: #[[$PANELS:.*]] = affine_map<(d0, d1, d2, d3) -> (d1, d3, d2)>
// CHECK-LABEL: func.func @product
// CHECK-SAME: %arg1: memref<1x4x32xf32> {mica_sched.access = "read"}
// CHECK: linalg.generic {indexing_maps = [#{{[a-z0-9]+}}, #[[$PANELS]], #{{[a-z0-9]+}}], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
// CHECK-SAME: ins(%{{.*}}, %{{.*}} : tensor<8x4xf32>, tensor<1x4x32xf32>)
// CHECK: tensor.expand_shape %{{.*}} {{\[\[}}0, 1]] output_shape [1, 32] : tensor<32xf32> into tensor<1x32xf32>
// CHECK: memref.expand_shape %arg3 {{\[\[}}0], [1, 2]] output_shape [8, 1, 32] : memref<8x32xf32> into memref<8x1x32xf32>
// CHECK-LABEL: mica_sched.task_list @list
// CHECK: mica_sched.constant dense_resource<[[NAME:mica_[0-9a-f]+]]> : tensor<1x4x32xf32> -> memref<1x4x32xf32>
// CHECK: mica_sched.task @product(%arg0, %{{.*}}, %arg1, %arg2)
// CHECK-SAME: memref<1x4x32xf32>
// CHECK: [[NAME]]: "0x{{[0-9A-F]+}}"
// SSE-LABEL: func.func @product
// SSE-SAME: %arg1: memref<2x4x16xf32>
// SSE: mica_sched.constant dense_resource<[[NAME:mica_[0-9a-f]+]]> : tensor<2x4x16xf32>
// From 0 to 15, then from 32 on: 0x41700000 is 15, 0x42000000 is 32.
// SSE: [[NAME]]: "0x10000000000000000000803F{{[0-9A-F]+}}00006041000070410000004200000442
module {
  module @product attributes {mica_sched.kernel, mica_sched.op_ids = ["00000000000a"], mica_sched.op_kinds = ["linalg.generic"], mica_sched.hash = "0123456789abcdef"} {
    func.func @product(%arg0: memref<8x4xf32> {mica_sched.access = "read"}, %arg1: memref<4x32xf32> {mica_sched.access = "read"},
                       %arg2: memref<32xf32> {mica_sched.access = "read"}, %arg3: memref<8x32xf32> {mica_sched.access = "write"}) {
      %x = bufferization.to_tensor %arg0 restrict : memref<8x4xf32> to tensor<8x4xf32>
      %w = bufferization.to_tensor %arg1 restrict : memref<4x32xf32> to tensor<4x32xf32>
      %b = bufferization.to_tensor %arg2 restrict : memref<32xf32> to tensor<32xf32>
      %zero = arith.constant 0.0 : f32
      %e = tensor.empty() : tensor<8x32xf32>
      %f = linalg.fill ins(%zero : f32) outs(%e : tensor<8x32xf32>) -> tensor<8x32xf32>
      %0 = linalg.matmul ins(%x, %w : tensor<8x4xf32>, tensor<4x32xf32>) outs(%f : tensor<8x32xf32>) -> tensor<8x32xf32>
      %1 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i, j)>],
                           iterator_types = ["parallel", "parallel"]}
          ins(%0, %b : tensor<8x32xf32>, tensor<32xf32>) outs(%e : tensor<8x32xf32>) {
      ^bb0(%p: f32, %q: f32, %o: f32):
        %2 = arith.addf %p, %q : f32
        linalg.yield %2 : f32
      } -> tensor<8x32xf32>
      bufferization.materialize_in_destination %1 in restrict writable %arg3 : (tensor<8x32xf32>, memref<8x32xf32>) -> ()
      return
    }
  }
  mica_sched.task_list @list(%arg0: memref<8x4xf32>, %arg1: memref<32xf32>, %arg2: memref<8x32xf32>) arena 0 {
    %c = mica_sched.constant dense_resource<w> : tensor<4x32xf32> -> memref<4x32xf32>
    %t = mica_sched.task @product(%arg0, %c, %arg1, %arg2) {op_ids = ["00000000000a"]} : memref<8x4xf32>, memref<4x32xf32>, memref<32xf32>, memref<8x32xf32>
  }
}
{-# dialect_resources: { builtin: { w: "0x04000000000000000000803F0000004000004040000080400000A0400000C0400000E0400000004100001041000020410000304100004041000050410000604100007041000080410000884100009041000098410000A0410000A8410000B0410000B8410000C0410000C8410000D0410000D8410000E0410000E8410000F0410000F84100000042000004420000084200000C4200001042000014420000184200001C4200002042000024420000284200002C4200003042000034420000384200003C4200004042000044420000484200004C4200005042000054420000584200005C4200006042000064420000684200006C4200007042000074420000784200007C42000080420000824200008442000086420000884200008A4200008C4200008E42000090420000924200009442000096420000984200009A4200009C4200009E420000A0420000A2420000A4420000A6420000A8420000AA420000AC420000AE420000B0420000B2420000B4420000B6420000B8420000BA420000BC420000BE420000C0420000C2420000C4420000C6420000C8420000CA420000CC420000CE420000D0420000D2420000D4420000D6420000D8420000DA420000DC420000DE420000E0420000E2420000E4420000E6420000E8420000EA420000EC420000EE420000F0420000F2420000F4420000F6420000F8420000FA420000FC420000FE42" } } #-}

// -----

// One task passes another buffer than a constant.
// SSE-LABEL: func.func @mixed
// MUTATION: stays green, because not every task passes a constant.
// CHECK-LABEL: func.func @mixed
// CHECK-SAME: %arg1: memref<4x32xf32>
// CHECK: mica_sched.constant dense_resource<w> : tensor<4x32xf32>
module {
  module @mixed attributes {mica_sched.kernel, mica_sched.op_ids = ["00000000000a"], mica_sched.op_kinds = ["linalg.generic"]} {
    func.func @mixed(%arg0: memref<8x4xf32> {mica_sched.access = "read"}, %arg1: memref<4x32xf32> {mica_sched.access = "read"},
                     %arg2: memref<8x32xf32> {mica_sched.access = "write"}) {
      %x = bufferization.to_tensor %arg0 restrict : memref<8x4xf32> to tensor<8x4xf32>
      %w = bufferization.to_tensor %arg1 restrict : memref<4x32xf32> to tensor<4x32xf32>
      %zero = arith.constant 0.0 : f32
      %e = tensor.empty() : tensor<8x32xf32>
      %f = linalg.fill ins(%zero : f32) outs(%e : tensor<8x32xf32>) -> tensor<8x32xf32>
      %0 = linalg.matmul ins(%x, %w : tensor<8x4xf32>, tensor<4x32xf32>) outs(%f : tensor<8x32xf32>) -> tensor<8x32xf32>
      bufferization.materialize_in_destination %0 in restrict writable %arg2 : (tensor<8x32xf32>, memref<8x32xf32>) -> ()
      return
    }
  }
  mica_sched.task_list @list(%arg0: memref<8x4xf32>, %arg1: memref<8x32xf32>, %arg2: memref<4x32xf32>, %arg3: memref<8x32xf32>) arena 0 {
    %c = mica_sched.constant dense_resource<w> : tensor<4x32xf32> -> memref<4x32xf32>
    %t = mica_sched.task @mixed(%arg0, %c, %arg1) {op_ids = ["00000000000a"]} : memref<8x4xf32>, memref<4x32xf32>, memref<8x32xf32>
    %u = mica_sched.task @mixed(%arg0, %arg2, %arg3) {op_ids = ["00000000000a"]} : memref<8x4xf32>, memref<4x32xf32>, memref<8x32xf32>
  }
}
{-# dialect_resources: { builtin: { w: "0x04000000000000000000803F0000004000004040000080400000A0400000C0400000E0400000004100001041000020410000304100004041000050410000604100007041000080410000884100009041000098410000A0410000A8410000B0410000B8410000C0410000C8410000D0410000D8410000E0410000E8410000F0410000F84100000042000004420000084200000C4200001042000014420000184200001C4200002042000024420000284200002C4200003042000034420000384200003C4200004042000044420000484200004C4200005042000054420000584200005C4200006042000064420000684200006C4200007042000074420000784200007C42000080420000824200008442000086420000884200008A4200008C4200008E42000090420000924200009442000096420000984200009A4200009C4200009E420000A0420000A2420000A4420000A6420000A8420000AA420000AC420000AE420000B0420000B2420000B4420000B6420000B8420000BA420000BC420000BE420000C0420000C2420000C4420000C6420000C8420000CA420000CC420000CE420000D0420000D2420000D4420000D6420000D8420000DA420000DC420000DE420000E0420000E2420000E4420000E6420000E8420000EA420000EC420000EE420000F0420000F2420000F4420000F6420000F8420000FA420000FC420000FE42" } } #-}

// -----

// Panels of the second kernel would exceed max-bytes.
// CHECK-LABEL: func.func @within_limit
// CHECK-SAME: %arg1: memref<1x4x32xf32>
// MUTATION: stays green, because the limit is reached.
// CHECK-LABEL: func.func @beyond_limit
// CHECK-SAME: %arg1: memref<4x32xf32>
module {
  module @within_limit attributes {mica_sched.kernel, mica_sched.op_ids = ["00000000000a"], mica_sched.op_kinds = ["linalg.generic"]} {
    func.func @within_limit(%arg0: memref<8x4xf32> {mica_sched.access = "read"}, %arg1: memref<4x32xf32> {mica_sched.access = "read"},
                     %arg2: memref<8x32xf32> {mica_sched.access = "write"}) {
      %x = bufferization.to_tensor %arg0 restrict : memref<8x4xf32> to tensor<8x4xf32>
      %w = bufferization.to_tensor %arg1 restrict : memref<4x32xf32> to tensor<4x32xf32>
      %zero = arith.constant 0.0 : f32
      %e = tensor.empty() : tensor<8x32xf32>
      %f = linalg.fill ins(%zero : f32) outs(%e : tensor<8x32xf32>) -> tensor<8x32xf32>
      %0 = linalg.matmul ins(%x, %w : tensor<8x4xf32>, tensor<4x32xf32>) outs(%f : tensor<8x32xf32>) -> tensor<8x32xf32>
      bufferization.materialize_in_destination %0 in restrict writable %arg2 : (tensor<8x32xf32>, memref<8x32xf32>) -> ()
      return
    }
  }
  module @beyond_limit attributes {mica_sched.kernel, mica_sched.op_ids = ["00000000000a"], mica_sched.op_kinds = ["linalg.generic"]} {
    func.func @beyond_limit(%arg0: memref<8x4xf32> {mica_sched.access = "read"}, %arg1: memref<4x32xf32> {mica_sched.access = "read"},
                     %arg2: memref<8x32xf32> {mica_sched.access = "write"}) {
      %x = bufferization.to_tensor %arg0 restrict : memref<8x4xf32> to tensor<8x4xf32>
      %w = bufferization.to_tensor %arg1 restrict : memref<4x32xf32> to tensor<4x32xf32>
      %zero = arith.constant 1.0 : f32
      %e = tensor.empty() : tensor<8x32xf32>
      %f = linalg.fill ins(%zero : f32) outs(%e : tensor<8x32xf32>) -> tensor<8x32xf32>
      %0 = linalg.matmul ins(%x, %w : tensor<8x4xf32>, tensor<4x32xf32>) outs(%f : tensor<8x32xf32>) -> tensor<8x32xf32>
      bufferization.materialize_in_destination %0 in restrict writable %arg2 : (tensor<8x32xf32>, memref<8x32xf32>) -> ()
      return
    }
  }
  mica_sched.task_list @list(%arg0: memref<8x4xf32>, %arg1: memref<8x32xf32>, %arg2: memref<8x32xf32>) arena 0 {
    %c = mica_sched.constant dense_resource<w> : tensor<4x32xf32> -> memref<4x32xf32>
    %d = mica_sched.constant dense_resource<v> : tensor<4x32xf32> -> memref<4x32xf32>
    %t = mica_sched.task @within_limit(%arg0, %c, %arg1) {op_ids = ["00000000000a"]} : memref<8x4xf32>, memref<4x32xf32>, memref<8x32xf32>
    %u = mica_sched.task @beyond_limit(%arg0, %d, %arg2) {op_ids = ["00000000000a"]} : memref<8x4xf32>, memref<4x32xf32>, memref<8x32xf32>
  }
}
{-# dialect_resources: { builtin: { w: "0x04000000000000000000803F0000004000004040000080400000A0400000C0400000E0400000004100001041000020410000304100004041000050410000604100007041000080410000884100009041000098410000A0410000A8410000B0410000B8410000C0410000C8410000D0410000D8410000E0410000E8410000F0410000F84100000042000004420000084200000C4200001042000014420000184200001C4200002042000024420000284200002C4200003042000034420000384200003C4200004042000044420000484200004C4200005042000054420000584200005C4200006042000064420000684200006C4200007042000074420000784200007C42000080420000824200008442000086420000884200008A4200008C4200008E42000090420000924200009442000096420000984200009A4200009C4200009E420000A0420000A2420000A4420000A6420000A8420000AA420000AC420000AE420000B0420000B2420000B4420000B6420000B8420000BA420000BC420000BE420000C0420000C2420000C4420000C6420000C8420000CA420000CC420000CE420000D0420000D2420000D4420000D6420000D8420000DA420000DC420000DE420000E0420000E2420000E4420000E6420000E8420000EA420000EC420000EE420000F0420000F2420000F4420000F6420000F8420000FA420000FC420000FE42", v: "0x040000000000E0400000004100001041000020410000304100004041000050410000604100007041000080410000884100009041000098410000A0410000A8410000B0410000B8410000C0410000C8410000D0410000D8410000E0410000E8410000F0410000F84100000042000004420000084200000C4200001042000014420000184200001C4200002042000024420000284200002C4200003042000034420000384200003C4200004042000044420000484200004C4200005042000054420000584200005C4200006042000064420000684200006C4200007042000074420000784200007C42000080420000824200008442000086420000884200008A4200008C4200008E42000090420000924200009442000096420000984200009A4200009C4200009E420000A0420000A2420000A4420000A6420000A8420000AA420000AC420000AE420000B0420000B2420000B4420000B6420000B8420000BA420000BC420000BE420000C0420000C2420000C4420000C6420000C8420000CA420000CC420000CE420000D0420000D2420000D4420000D6420000D8420000DA420000DC420000DE420000E0420000E2420000E4420000E6420000E8420000EA420000EC420000EE420000F0420000F2420000F4420000F6420000F8420000FA420000FC420000FE4200000043000001430000024300000343000004430000054300000643" } } #-}
