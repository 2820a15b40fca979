// PIPELINE: builtin.module(func.func(mica-check-prove)) ; mica-sim-lowering{emulated-floats=bf16}
module {
  func.func @divided_slice_too_long(%arg0: memref<16xf32>, %arg1: memref<?xf32>, %arg2: memref<?xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    scf.forall (%arg3) = (0) to (16) step (5) {
      %0 = affine.max affine_map<()[s0] -> (0, s0)>()[%arg3]
      %1 = affine.min affine_map<()[s0] -> (17, s0 + 5)>()[%arg3]
      %2 = affine.max affine_map<()[s0, s1] -> (-s0 + s1, 0)>()[%0, %1]
      %3 = mica_check.in_bounds %arg0[%0] sizes(%2) : memref<16xf32>
      %4 = affine.max affine_map<()[s0] -> (-s0 + 16, 2)>()[%0]
      %5 = mica_check.in_bounds %arg0[%0] sizes(%4) : memref<16xf32>
      "test.use"(%3, %5) : (i1, i1) -> ()
    }
    %dim = memref.dim %arg2, %c0 : memref<?xf32>
    scf.for %arg3 = %c0 to %dim step %c1 {
      %0 = mica_check.in_bounds %arg1[%arg3] : memref<?xf32>
      "test.use"(%0) : (i1) -> ()
    }
    return
  }
}