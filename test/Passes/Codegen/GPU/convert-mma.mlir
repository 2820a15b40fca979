// RUN: mica-opt %s -pass-pipeline='builtin.module(gpu.module(mica-gpu-convert-mma))' | FileCheck %s

// Two elements of an input are a register of 32 bits; other types are left to upstream's conversion.
// CHECK-LABEL: func.func @products(
// CHECK:         vector.bitcast %{{.*}} : vector<2xbf16> to vector<1xi32>
// CHECK:         nvvm.mma.sync A[%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}] B[%{{.*}}, %{{.*}}] C[%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}]
// CHECK-SAME:      multiplicandAPtxType = #nvvm.mma_type<bf16>
// CHECK:         vector.from_elements {{.*}} : vector<2x2xf32>
// CHECK:         nvgpu.mma.sync{{.*}}xf16>
gpu.module @device {
  func.func @products(%a: vector<4x2xbf16>, %b: vector<2x2xbf16>, %c: vector<2x2xf32>, %d: vector<4x2xf16>, %e: vector<2x2xf16>) -> (vector<2x2xf32>, vector<2x2xf32>) {
    %0 = nvgpu.mma.sync(%a, %b, %c) {mmaShape = [16, 8, 16]} : (vector<4x2xbf16>, vector<2x2xbf16>, vector<2x2xf32>) -> vector<2x2xf32>
    %1 = nvgpu.mma.sync(%d, %e, %c) {mmaShape = [16, 8, 16]} : (vector<4x2xf16>, vector<2x2xf16>, vector<2x2xf32>) -> vector<2x2xf32>
    return %0, %1 : vector<2x2xf32>, vector<2x2xf32>
  }
}
