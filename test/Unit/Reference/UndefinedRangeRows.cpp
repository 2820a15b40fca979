//===- UndefinedRangeRows.cpp - indices, slices, lanes and shapes ------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See UndefinedRow.h.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "UndefinedRow.h"

namespace mica::reference {

std::vector<Row> rangeRows() {
  return {
      twins("load_outside", kNumbers + kBuffer + R"(%r = memref.load %m[@@] : memref<4xi64>
return %r : i64)",
            R"(%c4)", R"(%c2)", "index 4 is out of range for dimension 0 of extent 4"),
      twins("store_outside", kNumbers + kBuffer + R"(memref.store %v, %m[@@] : memref<4xi64>
return)",
            R"(%c4)", R"(%c2)", "index 4 is out of range for dimension 0 of extent 4"),
      twins("affine_load_outside", kNumbers + kBuffer + R"(%r = affine.load %m[@@] : memref<4xi64>
return %r : i64)",
            R"(symbol(%c4))", R"(symbol(%c2))", "index 4 is out of range"),
      twins("affine_store_outside", kNumbers + kBuffer + R"(affine.store %v, %m[symbol(%c2) + @@] : memref<4xi64>
return)",
            R"(2)", R"(1)", "index 4 is out of range"),
      twins("atomic_outside",
            kNumbers + kBuffer + R"(%r = memref.atomic_rmw addi %v, %m[@@] : (i64, memref<4xi64>) -> i64
return)",
            R"(%c4)", R"(%c2)", "index 4 is out of range"),
      twins("tensor_extract", kNumbers + R"(%t = arith.constant dense<3> : tensor<4xi64>
%r = tensor.extract %t[@@] : tensor<4xi64>
return %r : i64)",
            R"(%c4)", R"(%c2)", "index 4 is out of range"),
      twins("tensor_insert", kNumbers + R"(%t = arith.constant dense<3> : tensor<4xi64>
%r = tensor.insert %v into %t[@@] : tensor<4xi64>
return %r : tensor<4xi64>)",
            R"(%c4)", R"(%c2)", "index 4 is out of range"),
      twins("extract_slice", kNumbers + R"(%t = arith.constant dense<3> : tensor<4xi64>
%r = tensor.extract_slice %t[@@] [2] [1] : tensor<4xi64> to tensor<2xi64>
return %r : tensor<2xi64>)",
            R"(%c4)", R"(%c2)", "slice [offset 4, size 2, stride 1] is out of range"),
      twins("insert_slice", kNumbers + R"(%t = arith.constant dense<3> : tensor<4xi64>
%s = arith.constant dense<1> : tensor<2xi64>
%r = tensor.insert_slice %s into %t[@@] [2] [1] : tensor<2xi64> into tensor<4xi64>
return %r : tensor<4xi64>)",
            R"(%c4)", R"(%c2)", "slice [offset 4, size 2, stride 1] is out of range"),
      twins("tensor_dim", kNumbers + R"(%t = arith.constant dense<3> : tensor<4xi64>
%r = tensor.dim %t, @@ : tensor<4xi64>
return %r : index)",
            R"(%c1)", R"(%c0)", "dimension 1"),
      twins("memref_dim", kNumbers + kBuffer + R"(%r = memref.dim %m, @@ : memref<4xi64>
return %r : index)",
            R"(%c1)", R"(%c0)", "dimension 1 of a buffer of rank 1"),
      twins("subview",
            kNumbers + kBuffer +
                R"(%s = memref.subview %m[@@] [2] [1] : memref<4xi64> to memref<2xi64, strided<[1], offset: ?>>
%r = memref.load %s[%c0] : memref<2xi64, strided<[1], offset: ?>>
return %r : i64)",
            R"(%c4)", R"(%c2)", "subview [offset 4, size 2, stride 1] is out of range"),
      twins(
          "reinterpret_cast",
          kNumbers + kBuffer +
              R"(%s = memref.reinterpret_cast %m to offset: [@@], sizes: [2], strides: [1] : memref<4xi64> to memref<2xi64, strided<[1], offset: ?>>
%r = memref.load %s[%c0] : memref<2xi64, strided<[1], offset: ?>>
return %r : i64)",
          R"(%c4)", R"(%c2)", "leaves its memory of 4 elements"),
      twins("memref_expand", kNumbers + kBuffer + R"(%d = memref.cast %m : memref<4xi64> to memref<?xi64>
%e = memref.expand_shape %d [[0, 1]] output_shape [@@, 2] : memref<?xi64> into memref<?x2xi64>
%r = memref.load %e[%c0, %c0] : memref<?x2xi64>
return %r : i64)",
            R"(%c4)", R"(%c2)", "shape mismatch: dimension 0 of extent 4 becomes 8 elements"),
      twins("memref_reshape", kNumbers + kBuffer + R"(%s = memref.alloc() : memref<1xindex>
memref.store @@, %s[%c0] : memref<1xindex>
%e = memref.reshape %m(%s) : (memref<4xi64>, memref<1xindex>) -> memref<?xi64>
%r = memref.load %e[%c0] : memref<?xi64>
return %r : i64)",
            R"(%c2)", R"(%c4)", "shape mismatch: 4xi64 cannot become 2"),
      twins("memref_copy", kNumbers + kBuffer + R"(%n = memref.alloc(@@) : memref<?xi64>
linalg.fill ins(%v : i64) outs(%n : memref<?xi64>)
%d = memref.cast %m : memref<4xi64> to memref<?xi64>
memref.copy %d, %n : memref<?xi64> to memref<?xi64>
return)",
            R"(%c2)", R"(%c4)", "shape mismatch: 4xi64 copied to 2xi64"),
      twins("memref_cast", kNumbers + kBuffer + R"(%d = memref.cast %m : memref<4xi64> to memref<?xi64>
%r = memref.cast %d : memref<?xi64> to memref<@@xi64>
return)",
            R"(5)", R"(4)", "which is not a"),
      twins("tensor_cast", kNumbers + R"(%t = tensor.empty(%c4) : tensor<?xi64>
%i = linalg.fill ins(%v : i64) outs(%t : tensor<?xi64>) -> tensor<?xi64>
%r = tensor.cast %i : tensor<?xi64> to tensor<@@xi64>
return %r : tensor<@@xi64>)",
            R"(5)", R"(4)", "which is not a"),
      twins("linalg_sizes", kNumbers + R"(%a = tensor.empty(%c4) : tensor<?xi64>
%b = tensor.empty(@@) : tensor<?xi64>
%x = linalg.fill ins(%v : i64) outs(%a : tensor<?xi64>) -> tensor<?xi64>
%y = linalg.fill ins(%v : i64) outs(%b : tensor<?xi64>) -> tensor<?xi64>
%r = linalg.map { arith.addi } ins(%x, %y : tensor<?xi64>, tensor<?xi64>) outs(%a : tensor<?xi64>)
return %r : tensor<?xi64>)",
            R"(%c2)", R"(%c4)", "mismatch"),
      twins("linalg_cast", R"(%a = arith.constant dense<@@> : tensor<1x1xf32>
%c = arith.constant dense<1> : tensor<1x1xi32>
%r = linalg.matmul {cast = #linalg.type_fn<cast_unsigned>} ins(%a, %a : tensor<1x1xf32>, tensor<1x1xf32>) outs(%c : tensor<1x1xi32>) -> tensor<1x1xi32>
return %r : tensor<1x1xi32>)",
            R"(-6.5)", R"(6.5)", "linalg.matmul: -6.5 converted"),
      twins("gather_unique", kNumbers + R"(%t = arith.constant dense<3> : tensor<4xi64>
%i = arith.constant dense<[[1], [@@]]> : tensor<2x1xindex>
%r = tensor.gather %t[%i] gather_dims([0]) unique : (tensor<4xi64>, tensor<2x1xindex>) -> tensor<2x1xi64>
return %r : tensor<2x1xi64>)",
            R"(1)", R"(2)", "coordinates (1) are not unique: tuples 0 and 1"),
      twins("gather_outside", kNumbers + R"(%t = arith.constant dense<3> : tensor<4xi64>
%i = arith.constant dense<[[1], [@@]]> : tensor<2x1xindex>
%r = tensor.gather %t[%i] gather_dims([0]) : (tensor<4xi64>, tensor<2x1xindex>) -> tensor<2x1xi64>
return %r : tensor<2x1xi64>)",
            R"(4)", R"(1)", "index 4 is out of range"),
      twins("scatter_unique", kNumbers + R"(%t = arith.constant dense<3> : tensor<4xi64>
%s = arith.constant dense<1> : tensor<2x1xi64>
%i = arith.constant dense<[[1], [@@]]> : tensor<2x1xindex>
%r = tensor.scatter %s into %t[%i] scatter_dims([0]) unique : (tensor<2x1xi64>, tensor<4xi64>, tensor<2x1xindex>) -> tensor<4xi64>
return %r : tensor<4xi64>)",
            R"(1)", R"(2)", "coordinates (1) are not unique: tuples 0 and 1"),
      twins("vector_extract", kNumbers + R"(%t = arith.constant dense<3> : vector<4xi64>
%r = vector.extract %t[@@] : i64 from vector<4xi64>
return %r : i64)",
            R"(%c4)", R"(%c2)", "vector.extract: position (4) is out of range for 4xi64 -> func.func: result 0"),
      twins("vector_insert", kNumbers + R"(%t = arith.constant dense<3> : vector<4xi64>
%r = vector.insert %v, %t[@@] : i64 into vector<4xi64>
vector.print %r : vector<4xi64>
return)",
            R"(%c4)", R"(%c2)",
            "vector.insert: position (4) is out of range for 4xi64 -> vector.print: a printed number"),
      Row{"vector_shuffle", kNumbers + R"(%t = arith.constant dense<3> : vector<2xi64>
%s = vector.shuffle %t, %t [0, -1] : vector<2xi64>, vector<2xi64>
%r = vector.extract %s[1] : i64 from vector<2xi64>
return %r : i64)",
          "vector.shuffle: a lane of the mask is -1 -> func.func: result 0",
          kNumbers + R"(%t = arith.constant dense<3> : vector<2xi64>
%s = vector.shuffle %t, %t [0, -1] : vector<2xi64>, vector<2xi64>
%r = vector.extract %s[0] : i64 from vector<2xi64>
return %r : i64)"},
      twins("transfer_in_bounds",
            kNumbers + kFloats +
                R"(%r = vector.transfer_read %m[@@], %z {in_bounds = [true]} : memref<4xf32>, vector<2xf32>
vector.print %r : vector<2xf32>
return)",
            R"(%c4)", R"(%c2)", "position (4) is out of range for 4xf32"),
      Row{"transfer_write_in_bounds", kNumbers + kFloats + R"(%x = arith.constant dense<1.0> : vector<2xf32>
%i = arith.constant 3 : index
vector.transfer_write %x, %m[%i] {in_bounds = [true]} : vector<2xf32>, memref<4xf32>
return)",
          "position (4) is out of range for 4xf32",
          kNumbers + kFloats + R"(%x = arith.constant dense<1.0> : vector<2xf32>
%i = arith.constant 3 : index
vector.transfer_write %x, %m[%i] : vector<2xf32>, memref<4xf32>
return)"},
      twins("maskedload", kNumbers + kFloats + R"(%k = vector.create_mask @@ : vector<4xi1>
%p = arith.constant dense<0.0> : vector<4xf32>
%r = vector.maskedload %m[%c2], %k, %p : memref<4xf32>, vector<4xi1>, vector<4xf32> into vector<4xf32>
vector.print %r : vector<4xf32>
return)",
            R"(%c4)", R"(%c2)", "position (4) is out of range for 4xf32"),
      twins("maskedstore", kNumbers + kFloats + R"(%k = vector.create_mask @@ : vector<4xi1>
%p = arith.constant dense<0.0> : vector<4xf32>
vector.maskedstore %m[%c2], %k, %p : memref<4xf32>, vector<4xi1>, vector<4xf32>
return)",
            R"(%c4)", R"(%c2)", "position (4) is out of range for 4xf32"),
      twins("expandload", kNumbers + kFloats + R"(%k = vector.create_mask @@ : vector<4xi1>
%p = arith.constant dense<0.0> : vector<4xf32>
%r = vector.expandload %m[%c2], %k, %p : memref<4xf32>, vector<4xi1>, vector<4xf32> into vector<4xf32>
vector.print %r : vector<4xf32>
return)",
            R"(%c4)", R"(%c2)", "position (4) is out of range for 4xf32"),
      twins("compressstore", kNumbers + kFloats + R"(%k = vector.create_mask @@ : vector<4xi1>
%p = arith.constant dense<0.0> : vector<4xf32>
vector.compressstore %m[%c2], %k, %p : memref<4xf32>, vector<4xi1>, vector<4xf32>
return)",
            R"(%c4)", R"(%c2)", "position (4) is out of range for 4xf32"),
      twins("vector_gather", kNumbers + kFloats + R"(%i = arith.constant dense<[0, 9]> : vector<2xindex>
%k = vector.create_mask @@ : vector<2xi1>
%p = arith.constant dense<0.0> : vector<2xf32>
%r = vector.gather %m[%c0] [%i], %k, %p : memref<4xf32>, vector<2xindex>, vector<2xi1>, vector<2xf32> into vector<2xf32>
vector.print %r : vector<2xf32>
return)",
            R"(%c2)", R"(%c1)", "position (9) is out of range for 4xf32"),
      twins("vector_scatter", kNumbers + kFloats + R"(%i = arith.constant dense<[0, 9]> : vector<2xindex>
%k = vector.create_mask @@ : vector<2xi1>
%p = arith.constant dense<0.0> : vector<2xf32>
vector.scatter %m[%c0] [%i], %k, %p : memref<4xf32>, vector<2xindex>, vector<2xi1>, vector<2xf32>
return)",
            R"(%c2)", R"(%c1)", "position (9) is out of range for 4xf32"),
      twins("scatter_duplicates", kNumbers + kFloats + R"(%i = arith.constant dense<[1, @@]> : vector<2xindex>
%k = vector.create_mask %c2 : vector<2xi1>
%p = arith.constant dense<0.0> : vector<2xf32>
vector.scatter %m[%c0] [%i], %k, %p : memref<4xf32>, vector<2xindex>, vector<2xi1>, vector<2xf32>
return)",
            R"(1)", R"(2)", "lanes 0 and 1 have the same index 1"),
      twins("mask_undefined", kNumbers + kFloats + R"(%k = ub.poison : vector<2xi1>
%g = vector.create_mask %c1 : vector<2xi1>
%p = arith.constant dense<0.0> : vector<2xf32>
%r = vector.maskedload %m[%c0], @@, %p : memref<4xf32>, vector<2xi1>, vector<2xf32> into vector<2xf32>
vector.print %r : vector<2xf32>
return)",
            R"(%k)", R"(%g)", "ub.poison: a poison value -> vector.maskedload: an index or a mask"),
      twins("affine_mod", kNumbers + R"(%r = affine.apply affine_map<()[s0, s1] -> (s0 mod s1)>()[%c4, @@]
return %r : index)",
            R"(%c0)", R"(%c2)", "an affine division by 0, which is not positive"),
      twins("parallel_step", kNumbers + R"(%s = arith.subi %c1, @@ : index
scf.parallel (%i) = (%c0) to (%c4) step (%s) {
scf.reduce
}
return)",
            R"(%c1)", R"(%c0)", "loop step 0 is not positive"),
      twins("linearize_disjoint", kNumbers + R"(%b = arith.constant dense<[@@]> : tensor<1xindex>
%i = tensor.extract %b[%c0] : tensor<1xindex>
%r = affine.linearize_index disjoint [%c1, %i] by (2, 4) : index
return %r : index)",
            "4", "3", "index 4 is not below its basis element 4, which disjoint promises"),
      twins("tosa_scatter", R"(%x = arith.constant dense<0> : tensor<1x4x1xi32>
%i = arith.constant dense<[[1, @@]]> : tensor<1x2xi32>
%n = arith.constant dense<1> : tensor<1x2x1xi32>
%r = tosa.scatter %x, %i, %n : (tensor<1x4x1xi32>, tensor<1x2xi32>, tensor<1x2x1xi32>) -> tensor<1x4x1xi32>
return %r : tensor<1x4x1xi32>)",
            "1", "2", "index 1 stands twice in the indices, as elements 0 and 1")};
}

} // namespace mica::reference
