// RUN: mica-opt %s --mica-gpu-convert-launches | FileCheck %s

// Memory of the table of services; none is a status, after which nothing is launched.
// CHECK-LABEL: module @temporary
// CHECK-SAME:    mica_codegen.memory
// CHECK:         %[[BYTES:.*]] = arith.index_cast %{{.*}} : index to i64
// CHECK:         %[[SERVICES:.*]] = llvm.load %[[PLACE:.*]] : !llvm.ptr -> !llvm.ptr
// CHECK:         llvm.getelementptr %[[SERVICES]][16]
// CHECK:         %[[MEMORY:.*]] = llvm.call %{{.*}}(%{{.*}}, %[[BYTES]]) : !llvm.ptr, (!llvm.ptr, i64) -> !llvm.ptr
// CHECK:         %[[REFUSED:.*]] = llvm.icmp "eq" %[[MEMORY]], %{{.*}} : !llvm.ptr
// CHECK:         %[[CODE:.*]] = llvm.mlir.constant(19780 : i32)
// CHECK:         %[[STATUS:.*]] = llvm.select %[[REFUSED]], %[[CODE]], %{{.*}}
// CHECK:         llvm.store %[[STATUS]]
// CHECK:         scf.if
// CHECK:           llvm.call %{{.*}} -> i32
// CHECK:         llvm.getelementptr %{{.*}}[24]
// CHECK:         llvm.call %{{.*}}(%{{.*}}, %[[MEMORY]]) : !llvm.ptr, (!llvm.ptr, !llvm.ptr) -> ()
// CHECK-NEXT:    return
module @temporary attributes {gpu.container_module, mica_sched.kernel} {
  func.func @temporary(%n: index, %part: index, %parts: index) attributes {mica_sched.grid = 1 : i64, mica_sched.scratch_bytes = 0 : i64} {
    %c1 = arith.constant 1 : index
    %memory = gpu.alloc (%n) : memref<?xi8>
    gpu.launch_func @device::@temporary_0 blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%memory : memref<?xi8>)
    gpu.dealloc %memory : memref<?xi8>
    return
  }
  gpu.module @device {
    gpu.func @temporary_0(%t: memref<?xi8>) kernel {
      gpu.return
    }
  }
}
