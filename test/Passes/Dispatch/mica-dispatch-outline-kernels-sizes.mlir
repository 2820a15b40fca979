// RUN: timeout 60 mica-opt %s --mica-phase-dispatch=opt-level=0 | FileCheck %s

// A scalar that is computed from sizes alone is marked so at the kernel's argument. What it is computed from is looked
// at once, however often it is used: there are 2^40 ways from %n40 to %n0.
// CHECK: func.func @{{.*}}: memref<?xf32> {mica_sched.access = "write"}, %{{[a-z0-9]+}}: index {mica_sched.size})
func.func @from_sizes(%x: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %d = tensor.dim %x, %c0 : tensor<?xf32>
  %n0 = arith.maxsi %d, %c0 : index
  %n1 = arith.addi %n0, %n0 : index
  %n2 = arith.muli %n1, %n1 : index
  %n3 = arith.addi %n2, %n2 : index
  %n4 = arith.muli %n3, %n3 : index
  %n5 = arith.addi %n4, %n4 : index
  %n6 = arith.muli %n5, %n5 : index
  %n7 = arith.addi %n6, %n6 : index
  %n8 = arith.muli %n7, %n7 : index
  %n9 = arith.addi %n8, %n8 : index
  %n10 = arith.muli %n9, %n9 : index
  %n11 = arith.addi %n10, %n10 : index
  %n12 = arith.muli %n11, %n11 : index
  %n13 = arith.addi %n12, %n12 : index
  %n14 = arith.muli %n13, %n13 : index
  %n15 = arith.addi %n14, %n14 : index
  %n16 = arith.muli %n15, %n15 : index
  %n17 = arith.addi %n16, %n16 : index
  %n18 = arith.muli %n17, %n17 : index
  %n19 = arith.addi %n18, %n18 : index
  %n20 = arith.muli %n19, %n19 : index
  %n21 = arith.addi %n20, %n20 : index
  %n22 = arith.muli %n21, %n21 : index
  %n23 = arith.addi %n22, %n22 : index
  %n24 = arith.muli %n23, %n23 : index
  %n25 = arith.addi %n24, %n24 : index
  %n26 = arith.muli %n25, %n25 : index
  %n27 = arith.addi %n26, %n26 : index
  %n28 = arith.muli %n27, %n27 : index
  %n29 = arith.addi %n28, %n28 : index
  %n30 = arith.muli %n29, %n29 : index
  %n31 = arith.addi %n30, %n30 : index
  %n32 = arith.muli %n31, %n31 : index
  %n33 = arith.addi %n32, %n32 : index
  %n34 = arith.muli %n33, %n33 : index
  %n35 = arith.addi %n34, %n34 : index
  %n36 = arith.muli %n35, %n35 : index
  %n37 = arith.addi %n36, %n36 : index
  %n38 = arith.muli %n37, %n37 : index
  %n39 = arith.addi %n38, %n38 : index
  %n40 = arith.muli %n39, %n39 : index
  %e = tensor.empty(%d) : tensor<?xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}
      ins(%x : tensor<?xf32>) outs(%e : tensor<?xf32>) {
  ^bb0(%a: f32, %o: f32):
    %i = arith.index_cast %n40 : index to i64
    %f = arith.sitofp %i : i64 to f32
    %s = arith.addf %a, %f : f32
    linalg.yield %s : f32
  } -> tensor<?xf32>
  return %r : tensor<?xf32>
}

// One that is computed from an argument of the program, too, is not.
// CHECK: func.func @{{.*}}: memref<?xf32> {mica_sched.access = "write"}, %{{[a-z0-9]+}}: index)
func.func @from_argument(%x: tensor<?xf32>, %given: index) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %d = tensor.dim %x, %c0 : tensor<?xf32>
  %n = arith.addi %d, %given : index
  %e = tensor.empty(%d) : tensor<?xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}
      ins(%x : tensor<?xf32>) outs(%e : tensor<?xf32>) {
  ^bb0(%a: f32, %o: f32):
    %i = arith.index_cast %n : index to i64
    %f = arith.sitofp %i : i64 to f32
    %s = arith.mulf %a, %f : f32
    linalg.yield %s : f32
  } -> tensor<?xf32>
  return %r : tensor<?xf32>
}
