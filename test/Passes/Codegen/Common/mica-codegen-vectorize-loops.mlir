// RUN: mica-opt %s -split-input-file -pass-pipeline='builtin.module(func.func(mica-codegen-vectorize-loops,canonicalize,cse))' | FileCheck %s
// RUN: mica-opt %s -split-input-file -pass-pipeline='builtin.module(func.func(mica-codegen-vectorize-loops{vector-bits=0}))' | FileCheck %s --check-prefix=SCALAR

#id1 = affine_map<(d0) -> (d0)>

// SCALAR-NOT: vector<
// SCALAR-NOT: linalg

// One loop four registers wide, one of one register, one of single elements.
// CHECK-LABEL: func.func @remainder(
// CHECK-SAME:    %[[A:[^:]*]]: memref<1003xf32>, %[[O:[^:]*]]: memref<1003xf32>)
// CHECK:         scf.for %[[I:.*]] = %c0 to %c960 step %c64
// CHECK:           %[[V:.*]] = vector.load %[[A]][%[[I]]] : memref<1003xf32>, vector<64xf32>
// CHECK:           %[[R:.*]] = arith.negf %[[V]] : vector<64xf32>
// CHECK:           vector.store %[[R]], %[[O]][%[[I]]]
// CHECK:         scf.for {{.*}} = %c960 to %c992 step %c16
// CHECK:           vector<16xf32>
// CHECK:         scf.for {{.*}} = %c992 to %c1003 step %c1
// CHECK:           memref.load
func.func @remainder(%a: memref<1003xf32>, %o: memref<1003xf32>) {
  linalg.generic {indexing_maps = [#id1, #id1], iterator_types = ["parallel"]}
      ins(%a : memref<1003xf32>) outs(%o : memref<1003xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.negf %in : f32
    linalg.yield %0 : f32
  }
  return
}

// -----

#id2 = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>

// The sum of a row: a vector carried through the loop, combined after it.
// CHECK-LABEL: func.func @row_sum(
// CHECK-SAME:    %[[A:[^:]*]]: memref<8x1024xf32>, %[[O:[^:]*]]: memref<8xf32>)
// CHECK:         scf.for %[[I:.*]] = %c0 to %c8
// CHECK:           %[[INIT:.*]] = memref.load %[[O]][%[[I]]]
// CHECK:           %[[ACC:.*]] = scf.for {{.*}} iter_args({{.*}}) -> (vector<64xf32>)
// CHECK:           %[[S:.*]] = vector.reduction <add>, %[[ACC]], %[[INIT]] : vector<64xf32> into f32
// CHECK:           memref.store %[[S]], %[[O]][%[[I]]]
func.func @row_sum(%a: memref<8x1024xf32>, %o: memref<8xf32>) {
  linalg.generic {indexing_maps = [#id2, #row], iterator_types = ["parallel", "reduction"]}
      ins(%a : memref<8x1024xf32>) outs(%o : memref<8xf32>) {
  ^bb0(%in: f32, %acc: f32):
    %0 = arith.addf %in, %acc : f32
    linalg.yield %0 : f32
  }
  return
}

// -----

#id2 = affine_map<(d0, d1) -> (d0, d1)>
#col = affine_map<(d0, d1) -> (d1)>

// The sum of columns: vectors along the columns, the reduced loop inside with the accumulator in registers.
// CHECK-LABEL: func.func @column_sum
// CHECK:         scf.for %{{.*}} = %c0 to %c1024 step %c64
// CHECK:           %[[INIT:.*]] = vector.load
// CHECK:           %[[ACC:.*]] = scf.for {{.*}} iter_args({{.*}} = %[[INIT]]) -> (vector<64xf32>)
// CHECK:           vector.store %[[ACC]]
func.func @column_sum(%a: memref<8x1024xf32>, %o: memref<1024xf32>) {
  linalg.generic {indexing_maps = [#id2, #col], iterator_types = ["reduction", "parallel"]}
      ins(%a : memref<8x1024xf32>) outs(%o : memref<1024xf32>) {
  ^bb0(%in: f32, %acc: f32):
    %0 = arith.addf %in, %acc : f32
    linalg.yield %0 : f32
  }
  return
}

// -----

#id2 = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>

// Two ops that meet in elements just computed share a loop: the sum reads the register that the first op stores.
// CHECK-LABEL: func.func @shared(
// CHECK-SAME:    %[[A:[^:]*]]: memref<1x1024xf32>, %[[T:[^:]*]]: memref<1x1024xf32>, %[[O:[^:]*]]: memref<1xf32>)
// CHECK:         scf.for {{.*}} iter_args(%[[ACC:.*]] = {{.*}}) -> (vector<64xf32>)
// CHECK:           %[[E:.*]] = arith.mulf
// CHECK:           vector.store %[[E]], %[[T]]
// CHECK:           arith.addf %[[E]], %[[ACC]]
// CHECK-NOT:     scf.for
func.func @shared(%a: memref<1x1024xf32>, %t: memref<1x1024xf32>, %o: memref<1xf32>) {
  linalg.generic {indexing_maps = [#id2, #id2], iterator_types = ["parallel", "parallel"]}
      ins(%a : memref<1x1024xf32>) outs(%t : memref<1x1024xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.mulf %in, %in : f32
    linalg.yield %0 : f32
  }
  linalg.generic {indexing_maps = [#id2, #row], iterator_types = ["parallel", "reduction"]}
      ins(%t : memref<1x1024xf32>) outs(%o : memref<1xf32>) {
  ^bb0(%in: f32, %acc: f32):
    %0 = arith.addf %in, %acc : f32
    linalg.yield %0 : f32
  }
  return
}

// -----

#id2 = affine_map<(d0, d1) -> (d0, d1)>
#reverse = affine_map<(d0, d1) -> (d0, -d1 + 1023)>

// The second op reads an element the first has not written yet in the same iteration: two nests.
// CHECK-LABEL: func.func @not_shared
// CHECK:         scf.for
// CHECK:           arith.mulf
// CHECK:         scf.for
// CHECK:           arith.negf
func.func @not_shared(%a: memref<1x1024xf32>, %t: memref<1x1024xf32>, %o: memref<1x1024xf32>) {
  linalg.generic {indexing_maps = [#id2, #id2], iterator_types = ["parallel", "parallel"]}
      ins(%a : memref<1x1024xf32>) outs(%t : memref<1x1024xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.mulf %in, %in : f32
    linalg.yield %0 : f32
  }
  linalg.generic {indexing_maps = [#reverse, #id2], iterator_types = ["parallel", "parallel"]}
      ins(%t : memref<1x1024xf32>) outs(%o : memref<1x1024xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.negf %in : f32
    linalg.yield %0 : f32
  }
  return
}

// -----

#id1 = affine_map<(d0) -> (d0)>
#none = affine_map<(d0) -> ()>

// The position of the maximum: per lane, then the first of the lanes that hold the best.
// CHECK-LABEL: func.func @argmax
// CHECK:         %[[R:.*]]:2 = scf.for {{.*}} -> (vector<{{.*}}xf32>, vector<{{.*}}xi64>)
// CHECK:         %[[BEST:.*]] = vector.reduction <maxnumf>, %[[R]]#0
// CHECK:         arith.cmpf uge, %[[R]]#0
// CHECK:         vector.reduction <minsi>
func.func @argmax(%a: memref<1024xf32>, %v: memref<f32>, %p: memref<i64>) {
  linalg.generic {indexing_maps = [#id1, #none, #none], iterator_types = ["reduction"]}
      ins(%a : memref<1024xf32>) outs(%v, %p : memref<f32>, memref<i64>) {
  ^bb0(%in: f32, %best: f32, %position: i64):
    %0 = linalg.index 0 : index
    %1 = arith.index_cast %0 : index to i64
    %2 = arith.cmpf ogt, %in, %best : f32
    %3 = arith.select %2, %in, %best : f32
    %4 = arith.select %2, %1, %position : i64
    linalg.yield %3, %4 : f32, i64
  }
  return
}

// -----

#id1 = affine_map<(d0) -> (d0)>

// Truth values lie in memory as bytes.
// CHECK-LABEL: func.func @bytes
// CHECK:         vector.load {{.*}} : memref<64xi8>, vector<64xi8>
// CHECK:         arith.trunci {{.*}} : vector<64xi8> to vector<64xi1>
// CHECK:         arith.extui {{.*}} : vector<64xi1> to vector<64xi8>
func.func @bytes(%a: memref<64xi1>, %o: memref<64xi1>) {
  %true = arith.constant true
  linalg.generic {indexing_maps = [#id1, #id1], iterator_types = ["parallel"]}
      ins(%a : memref<64xi1>) outs(%o : memref<64xi1>) {
  ^bb0(%in: i1, %out: i1):
    %0 = arith.xori %in, %true : i1
    linalg.yield %0 : i1
  }
  return
}

// -----

// A long sum is made of the sums of blocks, each begun at zero.
// CHECK-LABEL: func.func @long_sum(
// CHECK-SAME:    %[[A:[^:]*]]: memref<40960xf32>, %[[O:[^:]*]]: memref<f32>)
// CHECK-DAG:     %[[ZERO:.*]] = arith.constant dense<0.000000e+00> : vector<64xf32>
// CHECK-DAG:     %[[START:.*]] = memref.load %[[O]][]
// CHECK:         %[[TOTAL:.*]] = scf.for %[[BLOCK:.*]] = %c0 to %c40960 step %c2048 iter_args(%[[T:.*]] = %[[ZERO]])
// CHECK:           %[[END:.*]] = affine.min #{{.*}}()[%[[BLOCK]]]
// CHECK:           %[[SUM:.*]] = scf.for %{{.*}} = %[[BLOCK]] to %[[END]] step %c64 iter_args(%{{.*}} = %[[ZERO]])
// CHECK:           %[[NEXT:.*]] = arith.addf %[[T]], %[[SUM]] : vector<64xf32>
// CHECK:           scf.yield %[[NEXT]]
// CHECK:         vector.reduction <add>, %[[TOTAL]], %[[START]]
func.func @long_sum(%a: memref<40960xf32>, %o: memref<f32>) {
  linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>], iterator_types = ["reduction"]}
      ins(%a : memref<40960xf32>) outs(%o : memref<f32>) {
  ^bb0(%x: f32, %acc: f32):
    %s = arith.addf %x, %acc : f32
    linalg.yield %s : f32
  }
  return
}

// -----

// A type without infinities starts from its largest number: NaN, which stands in their place, would win.
// CHECK-LABEL: func.func @largest_of_f8(
// CHECK:         arith.constant dense<-4.480000e+02> : vector<
// CHECK:         arith.maximumf
func.func @largest_of_f8(%a: memref<512xf8E4M3FN>, %o: memref<f8E4M3FN>) {
  linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>], iterator_types = ["reduction"]}
      ins(%a : memref<512xf8E4M3FN>) outs(%o : memref<f8E4M3FN>) {
  ^bb0(%x: f8E4M3FN, %m: f8E4M3FN):
    %0 = arith.maximumf %x, %m : f8E4M3FN
    linalg.yield %0 : f8E4M3FN
  }
  return
}

// -----

#same = affine_map<(d0, d1) -> (d0, d1)>
#swapped = affine_map<(d0, d1) -> (d1, d0)>
#columns = affine_map<(d0, d1) -> (d1)>

// An input that is contiguous along another dimension than the result: square blocks transposed in registers, then the
// columns and the rows that no block covers. What does not change from row to row is loaded once.
// CHECK-LABEL: func.func @transpose(
// CHECK-SAME:    %[[A:[^:]*]]: memref<40x37xf32>, %[[B:[^:]*]]: memref<40xf32>, %[[O:[^:]*]]: memref<37x40xf32>)
// CHECK:         scf.for %[[I:.*]] = %c0 to %c32 step %c16
// CHECK:           scf.for %[[J:.*]] = %c0 to %c32 step %c16
// CHECK:             %[[FIRST:.*]] = vector.load %[[A]][%[[J]], %[[I]]] : memref<40x37xf32>, vector<16xf32>
// CHECK-COUNT-15:    vector.load %[[A]][%{{.*}}, %[[I]]] : memref<40x37xf32>, vector<16xf32>
// CHECK-COUNT-64:    vector.shuffle
// CHECK:             %[[BIAS:.*]] = vector.load %[[B]][%[[J]]]
// CHECK:             arith.addf %{{.*}}, %[[BIAS]] : vector<16xf32>
// CHECK:             vector.store %{{.*}}, %[[O]][%[[I]], %[[J]]] : memref<37x40xf32>, vector<16xf32>
// CHECK-NOT:         vector.load
// CHECK-COUNT-15:    vector.store
// CHECK:         scf.for %{{.*}} = %c0 to %c32 step %c1
// CHECK:           scf.for %{{.*}} = %c32 to %c40 step %c1
// CHECK:         scf.for %{{.*}} = %c32 to %c37 step %c1
func.func @transpose(%a: memref<40x37xf32>, %b: memref<40xf32>, %o: memref<37x40xf32>) {
  linalg.generic {indexing_maps = [#swapped, #columns, #same], iterator_types = ["parallel", "parallel"]}
      ins(%a, %b : memref<40x37xf32>, memref<40xf32>) outs(%o : memref<37x40xf32>) {
  ^bb0(%in: f32, %bias: f32, %out: f32):
    %0 = arith.addf %in, %bias : f32
    linalg.yield %0 : f32
  }
  return
}

// -----

// Attributes of the op that combines are also those of the reduction of a vector.
// CHECK-LABEL: func.func @attributes(
// CHECK:         arith.maximumf %{{.*}} {mica.softmax} : vector<{{[0-9]+}}xf32>
// CHECK:         vector.reduction <maximumf>, %{{.*}} {mica.softmax} : vector<{{[0-9]+}}xf32> into f32
func.func @attributes(%a: memref<512xf32>, %o: memref<f32>) {
  linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>], iterator_types = ["reduction"]}
      ins(%a : memref<512xf32>) outs(%o : memref<f32>) {
  ^bb0(%x: f32, %m: f32):
    %0 = arith.maximumf %x, %m {mica.softmax} : f32
    linalg.yield %0 : f32
  }
  return
}
