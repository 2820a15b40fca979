// PIPELINE: func.func(mica-check-prove)
module {
  func.func @blocks_of_a_row(%arg0: memref<?xf32>) {
    %c2147483648 = arith.constant 2147483648 : index
    %dim = memref.dim %arg0, %c2147483648 : memref<?xf32>
    %0 = affine.apply affine_map<()[s0] -> (s0 ceildiv 4096)>()[%dim]
    scf.forall (%arg1) in (%0) {
      %1 = affine.apply affine_map<(d0) -> (d0 * 4096)>(%arg1)
      %2 = affine.min affine_map<(d0)[s0] -> (4096, d0 * -4096 + s0)>(%arg1)[%dim]
      %3 = mica_check.in_bounds %arg0[%1] sizes(%2) : memref<?xf32>
      "test.use"(%3) : (i1) -> ()
    }
    return
  }
}