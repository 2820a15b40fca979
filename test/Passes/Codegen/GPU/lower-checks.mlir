// RUN: mica-opt %s --mica-gpu-lower-checks --split-input-file --verify-diagnostics | FileCheck %s

// The launch with checks takes the address of the log; the first failure at a site writes block, thread and numbers.
// CHECK-LABEL: module @k attributes {{.*}}mica_codegen.checks = "safe"
// CHECK:       func.func @k(%{{.*}}: memref<?xf32>, %[[LOG:.*]]: !llvm.ptr)
// CHECK:         %[[ADDRESS:.*]] = llvm.ptrtoint %[[LOG]] : !llvm.ptr to i64
// CHECK:         gpu.launch_func @device::@k_0 {{.*}} args(%{{.*}} : memref<?xf32>, %[[ADDRESS]] : i64)
// CHECK:         gpu.launch_func @device::@k_1 {{.*}} args(%{{.*}} : memref<?xf32>)
// CHECK:       gpu.func @k_0(%[[A:.*]]: memref<?xf32>, %[[AT:.*]]: i64) kernel
// CHECK:         %[[SIZE:.*]] = memref.dim %[[A]]
// CHECK:         %[[OK:.*]] = arith.cmpi ult, %{{.*}}, %[[SIZE]] : index
// CHECK:         scf.if %[[OK]]
// CHECK:         } else {
// CHECK:           %[[BEFORE:.*]] = llvm.atomicrmw add %{{.*}}, %{{.*}} monotonic : !llvm.ptr, i64
// CHECK:           %[[FIRST:.*]] = arith.cmpi eq, %[[BEFORE]],
// CHECK:           scf.if %[[FIRST]] {
// CHECK:             llvm.atomicrmw add
// CHECK:             gpu.block_id x
// CHECK:             gpu.thread_id x
// CHECK-NOT:   mica_check.out_of_bounds
// CHECK:       gpu.func @k_1(%{{.*}}: memref<?xf32>) kernel
module @k attributes {gpu.container_module} {
  func.func @k(%a: memref<?xf32>) attributes {mica_check.level = "safe", mica_check.sites = 1 : i64} {
    %c1 = arith.constant 1 : index
    gpu.launch_func @device::@k_0 blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%a : memref<?xf32>)
    gpu.launch_func @device::@k_1 blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%a : memref<?xf32>)
    return
  }
  gpu.module @device {
    gpu.func @k_0(%a: memref<?xf32>) kernel {
      %i = gpu.thread_id x
      %ok = mica_check.in_bounds %a[%i] : memref<?xf32>
      scf.if %ok {
        %0 = memref.load %a[%i] : memref<?xf32>
        memref.store %0, %a[%i] : memref<?xf32>
      } else {
        mica_check.out_of_bounds load %a[%i] {site = 0 : i64} : memref<?xf32>
      }
      gpu.return
    }
    gpu.func @k_1(%a: memref<?xf32>) kernel {
      gpu.return
    }
  }
}

// -----

// A loop that goes by what a failed check gave ends in the thread in which it failed, unless failed checks are warnings.
// CHECK-LABEL: gpu.func @search(
// CHECK:         %[[STATE:.*]] = memref.alloca() : memref<i32>
// CHECK:         memref.store %{{.*}}, %[[STATE]][]
// CHECK:         scf.while
// CHECK:           memref.store %{{.*}}, %[[STATE]][]
// CHECK:           %[[MORE:.*]] = arith.cmpi ne
// CHECK:           %[[NOW:.*]] = memref.load %[[STATE]][]
// CHECK:           %[[GO:.*]] = arith.cmpi eq, %[[NOW]]
// CHECK:           %[[BOTH:.*]] = arith.andi %[[MORE]], %[[GO]]
// CHECK:           scf.condition(%[[BOTH]])
module @k attributes {gpu.container_module} {
  gpu.module @device {
    gpu.func @search(%a: memref<4xi32>, %key: i32) kernel {
      %c0 = arith.constant 0 : i32
      %i0 = arith.constant 0 : index
      %i1 = arith.constant 1 : index
      %r = scf.while (%i = %i0) : (index) -> index {
        %ok = mica_check.in_bounds %a[%i] : memref<4xi32>
        %v = scf.if %ok -> i32 {
          %1 = memref.load %a[%i] : memref<4xi32>
          scf.yield %1 : i32
        } else {
          mica_check.out_of_bounds load %a[%i] {site = 0 : i64} : memref<4xi32>
          scf.yield %c0 : i32
        }
        %more = arith.cmpi ne, %v, %key : i32
        scf.condition(%more) %i : index
      } do {
      ^bb0(%i: index):
        %j = arith.addi %i, %i1 : index
        scf.yield %j : index
      }
      gpu.return
    }
  }
}

// -----

module @k attributes {gpu.container_module} {
  func.func @k(%a: memref<4xi32>) attributes {mica_check.level = "warn", mica_check.sites = 1 : i64} {
    return
  }
  gpu.module @device {
    // CHECK-LABEL: gpu.func @warns(
    // CHECK-NOT:     memref.alloca
    gpu.func @warns(%a: memref<4xi32>, %i: index) kernel {
      %c0 = arith.constant 0 : i32
      scf.while : () -> () {
        mica_check.out_of_bounds load %a[%i] {site = 0 : i64} : memref<4xi32>
        %v = memref.load %a[%i] : memref<4xi32>
        %more = arith.cmpi ne, %v, %c0 : i32
        scf.condition(%more)
      } do {
        scf.yield
      }
      gpu.return
    }
  }
}

// -----

module @k attributes {gpu.container_module} {
  gpu.module @device {
    gpu.func @k_0(%a: memref<?xf32>, %i: index) kernel {
      // expected-error@+1 {{has no site: mica-check-number gives it one}}
      mica_check.out_of_bounds load %a[%i] : memref<?xf32>
      gpu.return
    }
  }
}

// -----

// What is stored that is not finite counts beside the checks, with its place.
// CHECK-LABEL: module @nans attributes {{.*}}mica_codegen.checks = "none"
// CHECK:       gpu.func @k_0(%[[A:.*]]: memref<8xf32>, %[[I:.*]]: index, %[[AT:.*]]: i64) kernel
// CHECK:         %[[FOUND:.*]] = arith.constant 16 : i64
// CHECK:         llvm.atomicrmw add
// CHECK:         scf.if
// CHECK:           %[[COUNTER:.*]] = arith.addi %[[AT]], %[[FOUND]] : i64
// CHECK:           %[[POINTER:.*]] = llvm.inttoptr %[[COUNTER]]
// CHECK:           llvm.atomicrmw add %[[POINTER]]
// CHECK:           arith.index_cast %[[I]] : index to i64
// CHECK-NOT:   mica_check
module @nans attributes {gpu.container_module} {
  func.func @k(%a: memref<8xf32>) attributes {mica_check.level = "none", mica_check.sites = 1 : i64} {
    %c1 = arith.constant 1 : index
    gpu.launch_func @device::@k_0 blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%a : memref<8xf32>, %c1 : index)
    return
  }
  gpu.module @device {
    gpu.func @k_0(%a: memref<8xf32>, %i: index) kernel {
      mica_check.not_finite nan %a[%i] {site = 0 : i64} : memref<8xf32>
      gpu.return
    }
  }
}
