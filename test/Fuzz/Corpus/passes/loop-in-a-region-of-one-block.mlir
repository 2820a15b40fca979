// PIPELINE: mica-phase-lowered{allow-tf32=false} ; builtin.module(func.func(mica-codegen-build-fault-replay)) ; builtin.module(func.func(mica-codegen-build-fault-replay{floats=true}))
module {
  func.func @on_buffers(%arg0: memref<4611686018427387904xi32> {mica_sched.access = "read"}, %arg1: memref<4611686018427387904xi32> {mica_sched.access = "write"}, %arg2: i32) {
    %0 = bufferization.to_tensor %arg0 restrict : memref<4611686018427387904xi32> to tensor<4611686018427387904xi32>
    %1 = mica_sched.buffer_region updates(%0 : tensor<4611686018427387904xi32>) {
    ^bb0(%arg3: memref<4611686018427387904xi32>):
      affine.for %arg4 = 63 to 8 {
        %2 = affine.load %arg3[%arg4] : memref<4611686018427387904xi32>
        %3 = arith.divsi %2, %arg2 : i32
        affine.store %3, %arg3[%arg4] : memref<4611686018427387904xi32>
      }
    } -> tensor<4611686018427387904xi32>
    bufferization.materialize_in_destination %1 in restrict writable %arg1 : (tensor<4611686018427387904xi32>, memref<4611686018427387904xi32>) -> ()
    return
  }
}