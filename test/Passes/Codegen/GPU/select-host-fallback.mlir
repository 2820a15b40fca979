// RUN: mica-opt %s -pass-pipeline='builtin.module(func.func(mica-gpu-select-host-fallback,mica-gpu-map-to-launches{host-memory=false}))' | FileCheck %s
// RUN: mica-opt %s -pass-pipeline='builtin.module(func.func(mica-gpu-select-host-fallback{abi=spirv missing-types=bf16}))' | FileCheck %s --check-prefix=SPIRV
// RUN: mica-opt %s -pass-pipeline='builtin.module(func.func(mica-gpu-select-host-fallback{abi=spirv missing-types=f64}))' | FileCheck %s --check-prefix=OPENCL

// CHECK-LABEL: func.func @double(
// CHECK-SAME:    mica_codegen.host_reason = "math.exp on f64 has no code for the device"
// CHECK-NOT:     gpu.launch
func.func @double(%a: memref<7xf64>) {
  %c0 = arith.constant 0 : index
  %0 = memref.load %a[%c0] : memref<7xf64>
  %1 = math.exp %0 : f64
  memref.store %1, %a[%c0] : memref<7xf64>
  return
}

// MUTATION: stays green, it is not for the host.
// CHECK-LABEL: func.func @single(
// CHECK:         gpu.launch
func.func @single(%a: memref<7xf16>) {
  %c0 = arith.constant 0 : index
  %0 = memref.load %a[%c0] : memref<7xf16>
  %1 = math.exp %0 : f16
  memref.store %1, %a[%c0] : memref<7xf16>
  return
}

// OpenCL's SPIR-V has no bf16, unless it is emulated, and no vectors of 5 elements; not every device has f64.
// CHECK-LABEL: func.func @small(
// CHECK:         gpu.launch
// SPIRV-LABEL: func.func @small(
// SPIRV-SAME:    mica_codegen.host_reason = "bf16 has no code for the device"
// OPENCL-LABEL:  func.func @small(%{{.*}}: memref<7xbf16>) {
func.func @small(%a: memref<7xbf16>) {
  %c0 = arith.constant 0 : index
  %0 = memref.load %a[%c0] : memref<7xbf16>
  %1 = arith.negf %0 : bf16
  memref.store %1, %a[%c0] : memref<7xbf16>
  return
}

// OPENCL-LABEL: func.func @wide(
// OPENCL-SAME:    mica_codegen.host_reason = "f64 has no code for the device"
func.func @wide(%a: memref<7xf32>) {
  %c0 = arith.constant 0 : index
  %0 = memref.load %a[%c0] : memref<7xf32>
  %1 = arith.extf %0 : f32 to f64
  %2 = arith.mulf %1, %1 : f64
  %3 = arith.truncf %2 : f64 to f32
  memref.store %3, %a[%c0] : memref<7xf32>
  return
}

// CHECK-LABEL: func.func @five(
// CHECK:         gpu.launch
// SPIRV-LABEL: func.func @five(
// SPIRV-SAME:    mica_codegen.host_reason = "vector<5xf32> has no code for the device"
func.func @five(%a: memref<7xf32>) {
  %c0 = arith.constant 0 : index
  %0 = vector.load %a[%c0] : memref<7xf32>, vector<5xf32>
  vector.store %0, %a[%c0] : memref<7xf32>, vector<5xf32>
  return
}

// CHECK-LABEL: func.func @masked(
// CHECK:         gpu.launch
// SPIRV-LABEL: func.func @masked(
// SPIRV-SAME:    mica_codegen.host_reason = "masked vector.transfer_read has no code for the device"
func.func @masked(%a: memref<7xf32>, %b: memref<8xf32>) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %0 = vector.transfer_read %a[%c0], %zero : memref<7xf32>, vector<8xf32>
  vector.store %0, %b[%c0] : memref<8xf32>, vector<8xf32>
  return
}

// CHECK-LABEL: func.func @checked(
// CHECK-SAME:    mica_codegen.host_reason = "sizes that a kernel computes are checked on the host"
// CHECK-NOT:     gpu.launch
func.func @checked(%a: memref<?xf32>, %n: index) {
  %c1 = arith.constant 1 : index
  mica_sched.check_reshape sizes(%n) : tensor<?xf32> to : tensor<6xf32>
  %x = memref.load %a[%c1] : memref<?xf32>
  return
}
