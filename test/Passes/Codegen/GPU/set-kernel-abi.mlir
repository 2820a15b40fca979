// RUN: mica-opt %s -pass-pipeline='builtin.module(gpu.module(mica-gpu-set-kernel-abi))' | FileCheck %s
// RUN: mica-opt %s -pass-pipeline='builtin.module(gpu.module(mica-gpu-set-kernel-abi{abi=rocdl}))' | FileCheck %s --check-prefix=ROCM
// RUN: mica-opt %s -pass-pipeline='builtin.module(gpu.module(mica-gpu-set-kernel-abi{abi=spirv}))' | FileCheck %s --check-prefix=SPIRV
// MUTATION: stays green, the option is refused before the pass runs.
// RUN: not mica-opt %s -pass-pipeline='builtin.module(gpu.module(mica-gpu-set-kernel-abi{abi=metal}))' 2>&1 | FileCheck %s --check-prefix=TARGET
// TARGET: Cannot find option named 'metal'

// CHECK:     llvm.func @relu_0({{.*}}) attributes {nvvm.kernel, nvvm.maxntid = array<i32: 256, 1, 1>}
// CHECK:     llvm.func @helper() {

// Memory of a thread has pointers of its own there.
// ROCM:      llvm.func @relu_0({{.*}}) attributes {rocdl.flat_work_group_size = "256,256", rocdl.kernel, rocdl.reqd_work_group_size = array<i32: 256, 1, 1>}
// ROCM:      %[[OWN:.*]] = llvm.alloca {{.*}} : (i64) -> !llvm.ptr<5>
// ROCM:      llvm.addrspacecast %[[OWN]] : !llvm.ptr<5> to !llvm.ptr
// ROCM:      llvm.func @helper() {

// And here that from outside.
// SPIRV:     llvm.func spir_kernelcc @relu_0(%[[X:.*]]: !llvm.ptr<1> {llvm.noalias}, %{{.*}}: i64) attributes {reqd_work_group_size = array<i32: 256, 1, 1>}
// SPIRV:     %[[INSIDE:.*]] = llvm.addrspacecast %[[X]] : !llvm.ptr<1> to !llvm.ptr
// SPIRV:     llvm.store %{{.*}}, %[[INSIDE]] : i64, !llvm.ptr
// SPIRV:     llvm.func @helper() {
// SPIRV-LABEL: llvm.func spir_kernelcc @checked(%{{.*}}: i64)
// SPIRV:       %[[LOG:.*]] = llvm.inttoptr %{{.*}} : i64 to !llvm.ptr<1>
// SPIRV:       llvm.addrspacecast %[[LOG]] : !llvm.ptr<1> to !llvm.ptr
gpu.module @device {
  llvm.func @relu_0(%x: !llvm.ptr {llvm.noalias}, %n: i64) attributes {gpu.known_block_size = array<i32: 256, 1, 1>, mica_codegen.entry} {
    %one = llvm.mlir.constant(1 : i64) : i64
    %own = llvm.alloca %one x f32 : (i64) -> !llvm.ptr
    %zero = llvm.mlir.constant(0.0 : f32) : f32
    llvm.store %zero, %own : f32, !llvm.ptr
    llvm.store %n, %x : i64, !llvm.ptr
    llvm.return
  }
  llvm.func @helper() {
    llvm.return
  }
  llvm.func @checked(%log: i64) attributes {mica_codegen.entry} {
    %count = llvm.inttoptr %log : i64 to !llvm.ptr
    llvm.store %log, %count : i64, !llvm.ptr
    llvm.return
  }
}
