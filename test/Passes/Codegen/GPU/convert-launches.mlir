// RUN: mica-opt %s --mica-gpu-convert-launches | FileCheck %s
// RUN: mica-opt %s --mica-gpu-convert-launches --mica-codegen-convert-kernel-entry | FileCheck %s --check-prefix=ENTRY

// Both sides agree: an address and a size for the buffer, 64 bits for the index, a byte for the bit.
// CHECK-LABEL: func.func @k(
// CHECK-SAME:    %[[PLACE:[a-z0-9]+]]: !llvm.ptr) attributes {mica_codegen.launches
// CHECK:         %[[AT:.*]] = llvm.getelementptr %[[PLACE]][8]
// CHECK:         %[[STATUS:.*]] = llvm.load %[[AT]] : !llvm.ptr -> i32
// CHECK:         %[[FINE:.*]] = llvm.icmp "eq" %[[STATUS]],
// CHECK:         scf.if %[[FINE]] {
// CHECK:           memref.extract_aligned_pointer_as_index %{{.*}} : memref<?xf32>
// CHECK:           memref.dim
// CHECK:           arith.extui %{{.*}} : i1 to i8
// CHECK:           %[[SERVICES:.*]] = llvm.load %[[PLACE]] : !llvm.ptr -> !llvm.ptr
// CHECK:           %[[CODE:.*]] = llvm.call %{{.*}}(%{{.*}}, %{{.*}}) : !llvm.ptr, (!llvm.ptr, !llvm.ptr) -> i32
// CHECK:           llvm.store %[[CODE]]
// CHECK-NOT:     gpu.launch_func
// Memory of the workgroup is a global in address space 3, aligned for asynchronous copies.
// CHECK:       gpu.module @device
// CHECK:         memref.global "private" @k_0_workgroup_0 : memref<4xf32, 3> = uninitialized {alignment = 128 : i64}
// CHECK:         func.func @k_0(%{{.*}}: !llvm.ptr {llvm.align = 64 : i64, llvm.noalias}, %{{.*}}: i64, %{{.*}}: i64, %{{.*}}: i8)
// CHECK-SAME:      gpu.known_block_size = array<i32: 32, 1, 1>, mica_codegen.entry
// CHECK:           memref.get_global @k_0_workgroup_0 : memref<4xf32, 3>

// The entry makes the place, with the services of its arguments, and returns the status in it.
// ENTRY-LABEL: func.func @mica_kernel_k(
// ENTRY:         llvm.getelementptr %{{.*}}[6]
// ENTRY:         %[[PLACE:.*]] = llvm.alloca
// ENTRY:         call @mica_body_k({{.*}}%[[PLACE]])
// ENTRY:         %[[R:.*]] = llvm.load
// ENTRY:         return %[[R]] : i32
module @k attributes {gpu.container_module, mica_sched.kernel} {
  func.func @k(%a: memref<?xf32> {mica_sched.access = "readwrite"}, %n: index, %b: i1, %part: index, %parts: index) attributes {mica_sched.grid = 1 : i64, mica_sched.scratch_bytes = 0 : i64} {
    %c1 = arith.constant 1 : index
    %c32 = arith.constant 32 : index
    gpu.launch_func @device::@k_0 blocks in (%n, %c1, %c1) threads in (%c32, %c1, %c1) args(%a : memref<?xf32>, %n : index, %b : i1)
    return
  }
  gpu.module @device {
    gpu.func @k_0(%a: memref<?xf32>, %n: index, %b: i1) workgroup(%w: memref<4xf32, #gpu.address_space<workgroup>>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
      %v = memref.load %a[%n] : memref<?xf32>
      %zero = arith.constant 0 : index
      memref.store %v, %w[%zero] : memref<4xf32, #gpu.address_space<workgroup>>
      scf.if %b {
        memref.store %v, %a[%n] : memref<?xf32>
      }
      gpu.return
    }
  }
}
