//===- UndefinedMemoryRows.cpp - lifetimes, promises, parallel loops ---------------------------------------------===//
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

namespace {
/// Two matrices.
const std::string kMatrices = R"(%a = memref.alloc() : memref<2x2xf32>
%b = memref.alloc() : memref<2x2xf32>
%z = arith.constant 1.0 : f32
linalg.fill ins(%z : f32) outs(%a : memref<2x2xf32>)
linalg.fill ins(%z : f32) outs(%b : memref<2x2xf32>)
)";
} // namespace

/// A kernel of eight threads: each reads from the other end of the memory of the block what `write` wrote before
/// `sync`, and stores it at `to`.
static std::string launch(const std::string &write, const std::string &sync, const std::string &to) {
  return kNumbers + R"(%c8 = arith.constant 8 : index
%out = memref.alloca() : memref<8xi64>
linalg.fill ins(%v : i64) outs(%out : memref<8xi64>)
gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%nx = %c8, %ny = %c1,
%nz = %c1) workgroup(%s : memref<8xi64, 3>) {
%x = arith.index_cast %tx : index to i64
)" + write +
         "\n" + sync + R"(
%m = arith.subi %nx, %tx : index
%l = arith.subi %m, %c1 : index
%e = memref.load %s[%l] : memref<8xi64, 3>
memref.store %e, %out[)" +
         to + R"(] : memref<8xi64>
gpu.terminator
}
%r = memref.load %out[%c0] : memref<8xi64>
return %r : i64)";
}

std::vector<Row> memoryRows() {
  return {
      Row{"use_after_free", kNumbers + kBuffer + R"(memref.dealloc %m : memref<4xi64>
%r = memref.load %m[%c0] : memref<4xi64>
return %r : i64)",
          "memref.dealloc: the memory is freed here -> memref.load: memory of memref.alloc is used after it is freed",
          kNumbers + kBuffer + R"(%r = memref.load %m[%c0] : memref<4xi64>
memref.dealloc %m : memref<4xi64>
return %r : i64)"},
      Row{"store_after_free", kNumbers + kBuffer + R"(memref.dealloc %m : memref<4xi64>
memref.store %v, %m[%c0] : memref<4xi64>
return)",
          "memref.dealloc: the memory is freed here -> memref.store",
          kNumbers + kBuffer + R"(memref.store %v, %m[%c0] : memref<4xi64>
memref.dealloc %m : memref<4xi64>
return)"},
      Row{"view_after_free",
          kNumbers + kBuffer +
              R"(%s = memref.subview %m[2] [2] [1] : memref<4xi64> to memref<2xi64, strided<[1], offset: 2>>
memref.dealloc %m : memref<4xi64>
linalg.fill ins(%v : i64) outs(%s : memref<2xi64, strided<[1], offset: 2>>)
return)",
          "memref.dealloc: the memory is freed here -> linalg.fill",
          kNumbers + kBuffer +
              R"(%s = memref.subview %m[2] [2] [1] : memref<4xi64> to memref<2xi64, strided<[1], offset: 2>>
linalg.fill ins(%v : i64) outs(%s : memref<2xi64, strided<[1], offset: 2>>)
memref.dealloc %m : memref<4xi64>
return)"},
      Row{"result_after_free", R"(func.func @f() -> memref<4xi64> {
  %v = arith.constant 7 : i64
  %m = memref.alloc() : memref<4xi64>
  linalg.fill ins(%v : i64) outs(%m : memref<4xi64>)
  memref.dealloc %m : memref<4xi64>
  return %m : memref<4xi64>
})",
          "memref.dealloc: the memory is freed here -> func.func", R"(func.func @f() -> memref<4xi64> {
  %v = arith.constant 7 : i64
  %m = memref.alloc() : memref<4xi64>
  linalg.fill ins(%v : i64) outs(%m : memref<4xi64>)
  return %m : memref<4xi64>
})"},
      Row{"double_free", kNumbers + kBuffer + R"(memref.dealloc %m : memref<4xi64>
memref.dealloc %m : memref<4xi64>
return)",
          "memref.dealloc: freed here first -> memref.dealloc: double free",
          kNumbers + kBuffer + R"(memref.dealloc %m : memref<4xi64>
return)"},
      Row{"bufferization_dealloc", kNumbers + kBuffer + R"(%t = arith.constant true
bufferization.dealloc (%m : memref<4xi64>) if (%t)
memref.dealloc %m : memref<4xi64>
return)",
          "bufferization.dealloc: freed here first -> memref.dealloc: double free",
          kNumbers + kBuffer + R"(%t = arith.constant true
%o = bufferization.dealloc (%m : memref<4xi64>) if (%t) retain (%m : memref<4xi64>)
memref.dealloc %m : memref<4xi64>
return)"},
      Row{"free_of_stack", kNumbers + R"(%m = memref.alloca() : memref<4xi64>
memref.dealloc %m : memref<4xi64>
return)",
          "memref.alloca: the memory is made here -> memref.dealloc: memory of memref.alloca is freed, which is not of "
          "the heap",
          kNumbers + R"(%m = memref.alloc() : memref<4xi64>
memref.dealloc %m : memref<4xi64>
return)"},
      Row{"free_of_global", R"(memref.global "private" @g : memref<2xi64> = dense<1>
func.func @f() {
  %m = memref.get_global @g : memref<2xi64>
  memref.dealloc %m : memref<2xi64>
  return
})",
          "is freed, which is not of the heap", R"(memref.global "private" @g : memref<2xi64> = dense<1>
func.func @f() {
  %m = memref.get_global @g : memref<2xi64>
  return
})"},
      Row{"free_of_view",
          kNumbers + kBuffer +
              R"(%s = memref.subview %m[2] [2] [1] : memref<4xi64> to memref<2xi64, strided<[1], offset: 2>>
memref.dealloc %s : memref<2xi64, strided<[1], offset: 2>>
return)",
          "a view is freed: 2xi64 at offset 2 of 4 elements",
          kNumbers + kBuffer +
              R"(%s = memref.subview %m[2] [2] [1] : memref<4xi64> to memref<2xi64, strided<[1], offset: 2>>
memref.dealloc %m : memref<4xi64>
return)"},
      twins("old_after_realloc", kNumbers + kBuffer + R"(%n = memref.realloc %m : memref<4xi64> to memref<8xi64>
%r = memref.load @@
return %r : i64)",
            R"(%m[%c0] : memref<4xi64>)", R"(%n[%c0] : memref<8xi64>)",
            "memref.realloc: the memory is freed here -> memref.load"),
      Row{"stack_escapes", R"(func.func @f() -> i64 {
  %c0 = arith.constant 0 : index
  %m = func.call @g() : () -> memref<1xi64>
  %r = memref.load %m[%c0] : memref<1xi64>
  return %r : i64
}
func.func @g() -> memref<1xi64> {
  %c0 = arith.constant 0 : index
  %v = arith.constant 7 : i64
  %m = memref.alloca() : memref<1xi64>
  memref.store %v, %m[%c0] : memref<1xi64>
  return %m : memref<1xi64>
})",
          "func.func: the scope ends here -> memref.load: memory of memref.alloca is used after its scope",
          R"(func.func @f() -> i64 {
  %c0 = arith.constant 0 : index
  %m = func.call @g() : () -> memref<1xi64>
  %r = memref.load %m[%c0] : memref<1xi64>
  return %r : i64
}
func.func @g() -> memref<1xi64> {
  %c0 = arith.constant 0 : index
  %v = arith.constant 7 : i64
  %m = memref.alloc() : memref<1xi64>
  memref.store %v, %m[%c0] : memref<1xi64>
  return %m : memref<1xi64>
})"},
      twins("scope_escapes", kNumbers + R"(%m = memref.alloca_scope -> (memref<1xi64>) {
%a = memref.@@() : memref<1xi64>
memref.store %v, %a[%c0] : memref<1xi64>
memref.alloca_scope.return %a : memref<1xi64>
}
%r = memref.load %m[%c0] : memref<1xi64>
return %r : i64)",
            R"(alloca)", R"(alloc)", "memref.alloca_scope: the scope ends here -> memref.load"),
      Row{"constant_written", R"(memref.global "private" constant @g : memref<2xi64> = dense<1>
func.func @f() {
  %c0 = arith.constant 0 : index
  %v = arith.constant 7 : i64
  %m = memref.get_global @g : memref<2xi64>
  memref.store %v, %m[%c0] : memref<2xi64>
  return
})",
          "memref.global: the global is constant -> memref.store: a constant global is written",
          R"(memref.global "private" @g : memref<2xi64> = dense<1>
func.func @f() {
  %c0 = arith.constant 0 : index
  %v = arith.constant 7 : i64
  %m = memref.get_global @g : memref<2xi64>
  memref.store %v, %m[%c0] : memref<2xi64>
  return
})"},
      twins("clone_written", kNumbers + kBuffer + R"(%n = bufferization.clone %m : memref<4xi64> to memref<4xi64>
%k = memref.alloc() : memref<4xi64>
memref.store %v, @@[%c0] : memref<4xi64>
return)",
            R"(%m)", R"(%k)",
            "bufferization.clone: the memory is cloned here -> memref.store: memory that was cloned is written"),
      twins("assume_alignment",
            kNumbers + kBuffer +
                R"(%s = memref.subview %m[@@] [2] [1] : memref<4xi64> to memref<2xi64, strided<[1], offset: ?>>
%a = memref.assume_alignment %s, 16 : memref<2xi64, strided<[1], offset: ?>>
%r = memref.load %a[%c0] : memref<2xi64, strided<[1], offset: ?>>
return %r : i64)",
            R"(%c1)", R"(%c2)", "memref.assume_alignment: not aligned to 16 bytes: 8 bytes after the memory's begin"),
      twins("load_alignment", kNumbers + kBuffer + R"(%r = memref.load %m[@@] { alignment = 16 } : memref<4xi64>
return %r : i64)",
            R"(%c1)", R"(%c2)", "memref.load: not aligned to 16 bytes"),
      twins("store_alignment", kNumbers + kBuffer + R"(memref.store %v, %m[@@] { alignment = 16 } : memref<4xi64>
return)",
            R"(%c1)", R"(%c2)", "memref.store: not aligned to 16 bytes"),
      twins("vector_alignment",
            kNumbers + kFloats + R"(%r = vector.load %m[@@] { alignment = 8 } : memref<4xf32>, vector<2xf32>
vector.print %r : vector<2xf32>
return)",
            R"(%c1)", R"(%c2)", "vector.load: not aligned to 8 bytes"),
      Row{"distinct_objects",
          kNumbers + kBuffer +
              R"(%s = memref.subview %m[2] [2] [1] : memref<4xi64> to memref<2xi64, strided<[1], offset: 2>>
%d = memref.cast %m : memref<4xi64> to memref<?xi64>
%e = memref.cast %s : memref<2xi64, strided<[1], offset: 2>> to memref<?xi64, strided<[1], offset: ?>>
%f = memref.cast %d : memref<?xi64> to memref<?xi64, strided<[1], offset: ?>>
%x, %y = memref.distinct_objects %f, %e : memref<?xi64, strided<[1], offset: ?>>, memref<?xi64, strided<[1], offset: ?>>
%r = memref.load %x[%c0] : memref<?xi64, strided<[1], offset: ?>>
return %r : i64)",
          "objects 0 and 1 are not distinct",
          kNumbers + kBuffer +
              R"(%s = memref.subview %m[2] [2] [1] : memref<4xi64> to memref<2xi64, strided<[1], offset: 2>>
%d = memref.subview %m[0] [2] [1] : memref<4xi64> to memref<2xi64>
%e = memref.cast %s : memref<2xi64, strided<[1], offset: 2>> to memref<?xi64, strided<[1], offset: ?>>
%f = memref.cast %d : memref<2xi64> to memref<?xi64, strided<[1], offset: ?>>
%x, %y = memref.distinct_objects %f, %e : memref<?xi64, strided<[1], offset: ?>>, memref<?xi64, strided<[1], offset: ?>>
%r = memref.load %x[%c0] : memref<?xi64, strided<[1], offset: ?>>
return %r : i64)"},
      Row{"outputs_alias",
          kNumbers + kMatrices +
              R"(linalg.matmul ins(%a, %b : memref<2x2xf32>, memref<2x2xf32>) outs(%a : memref<2x2xf32>)
return)",
          "linalg.matmul: input 0 and output 2 have elements in common",
          kNumbers + kMatrices + R"(linalg.add ins(%a, %b : memref<2x2xf32>, memref<2x2xf32>) outs(%a : memref<2x2xf32>)
return)"},
      twins("transpose_in_place",
            kNumbers + kMatrices +
                R"(linalg.transpose ins(%a : memref<2x2xf32>) outs(@@ : memref<2x2xf32>) permutation = [1, 0]
return)",
            R"(%a)", R"(%b)", "linalg.transpose: input 0 and output 1 have elements in common"),
      twins("parallel_writes", kNumbers + kBuffer + R"(scf.parallel (%i) = (%c0) to (%c4) step (%c1) {
@@
scf.reduce
}
return)",
            R"(memref.store %v, %m[%c0] : memref<4xi64>)", R"(memref.store %v, %m[%i] : memref<4xi64>)",
            "memref.store: an iteration accesses the element here -> memref.store: two iterations write element 0"),
      twins("parallel_reads", kNumbers + kBuffer + R"(%n = memref.alloc() : memref<4xi64>
scf.parallel (%i) = (%c0) to (%c4) step (%c1) {
@@
scf.reduce
}
return)",
            R"(%x = memref.load %m[%c0] : memref<4xi64>
memref.store %x, %m[%i] : memref<4xi64>)",
            R"(%x = memref.load %m[%c0] : memref<4xi64>
memref.store %x, %n[%i] : memref<4xi64>)",
            "one iteration reads and another writes element"),
      twins("parallel_atomic", kNumbers + kBuffer + R"(scf.parallel (%i) = (%c0) to (%c4) step (%c1) {
@@
scf.reduce
}
return)",
            R"(%x = memref.load %m[%c0] : memref<4xi64>
%y = arith.addi %x, %v : i64
memref.store %y, %m[%c0] : memref<4xi64>)",
            R"(%x = memref.atomic_rmw addi %v, %m[%c0] : (i64, memref<4xi64>) -> i64)",
            "memref.store: an iteration accesses the element here -> memref.load: one iteration reads and another "
            "writes element 0"),
      twins("parallel_vectors", kNumbers + kFloats + R"(%x = arith.constant dense<1.0> : vector<2xf32>
scf.parallel (%i) = (%c0) to (%c2) step (@@) {
vector.store %x, %m[%i] : memref<4xf32>, vector<2xf32>
scf.reduce
}
return)",
            R"(%c1)", R"(%c2)", "vector.store: two iterations write element 1"),
      twins("affine_parallel", kNumbers + kBuffer + R"(affine.parallel (%i) = (0) to (4) {
affine.store %v, %m[@@] : memref<4xi64>
}
return)",
            R"(%i floordiv 2)", R"(%i)", "affine.store: two iterations write element 0"),
      twins("forall_writes", kNumbers + kBuffer + R"(scf.forall (%i) in (4) {
%j = arith.divui %i, @@ : index
memref.store %v, %m[%j] : memref<4xi64>
}
return)",
            R"(%c2)", R"(%c1)", "two iterations write element 0 of the memory, in scf.forall"),
      twins("forall_inserts", kNumbers + R"(%t = arith.constant dense<0> : tensor<4xi64>
%s = arith.constant dense<1> : tensor<1xi64>
%r = scf.forall (%i) in (4) shared_outs(%o = %t) -> (tensor<4xi64>) {
%j = arith.divui %i, @@ : index
scf.forall.in_parallel {
tensor.parallel_insert_slice %s into %o[%j] [1] [1] : tensor<1xi64> into tensor<4xi64>
}
}
return %r : tensor<4xi64>)",
            R"(%c2)", R"(%c1)", "element 0 of 4xi64 is inserted twice"),
      twins("while_repeats", kNumbers + R"(%r = scf.while (%a = %v) : (i64) -> i64 {
%k = arith.constant 3 : i64
%c = arith.cmpi ne, %a, %k : i64
scf.condition(%c) %a : i64
} do {
^bb0(%a: i64):
%d = arith.constant @@ : i64
%n = arith.subi %a, %d : i64
%b = arith.constant 7 : i64
%o = arith.andi %n, %b : i64
scf.yield %o : i64
}
return %r : i64)",
            R"(8)", R"(1)", "the loop cannot end: it carries again what it did 1 iterations before"),
      twins("branches_repeat", kNumbers + R"(%r = scf.execute_region -> i64 {
%k = arith.constant 3 : i64
%one = arith.constant 1 : i64
%seven = arith.constant 7 : i64
%two = arith.constant @@ : i64
cf.br ^outer(%v : i64)
^outer(%a: i64):
cf.br ^inner(%a : i64)
^inner(%b: i64):
%n = arith.subi %b, %one : i64
%m = arith.remsi %n, %two : i64
%c = arith.cmpi ne, %m, %k : i64
cf.cond_br %c, ^back(%n : i64), ^out
^back(%o: i64):
%p = arith.andi %o, %seven : i64
%z = arith.cmpi eq, %p, %one : i64
cf.cond_br %z, ^outer(%seven : i64), ^inner(%p : i64)
^out:
scf.yield %n : i64
}
return %r : i64)",
            R"(3)", R"(4)", "the loop does not end: it comes back to the same values after 6 turns"),
      twins("read_only_written", kNumbers + R"(%t = tensor.from_elements %v, %v : tensor<2xi64>
%m = bufferization.to_buffer %t @@ : tensor<2xi64> to memref<2xi64>
memref.store %v, %m[%c0] : memref<2xi64>
%r = memref.load %m[%c0] : memref<2xi64>
return %r : i64)",
            "read_only", "", "memref.store: a buffer that is read_only is written"),
      twins("parallel_generic", R"(%x = arith.constant dense<1> : tensor<2x3xi64>
%y = arith.constant dense<0> : tensor<2xi64>
%r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>],
iterator_types = ["parallel", "@@"]} ins(%x : tensor<2x3xi64>) outs(%y : tensor<2xi64>) {
^bb0(%a: i64, %b: i64):
%s = arith.addi %a, %b : i64
linalg.yield %s : i64
} -> tensor<2xi64>
return %r : tensor<2xi64>)",
            "parallel", "reduction", "iterations of parallel loop 1, of extent 3, write the same elements of output 1"),
      twins("gpu_race", launch("memref.store %x, %s[%tx] : memref<8xi64, 3>", "@@", "%tx"), "", "gpu.barrier",
            "one thread reads and another writes element 4 of the memory, in gpu.launch"),
      twins("gpu_writes", launch("memref.store %x, %s[%tx] : memref<8xi64, 3>", "gpu.barrier", "@@"), "%c0", "%tx",
            "two threads write element 0 of the memory, in gpu.launch"),
      twins("gpu_uninitialized", launch("@@", "gpu.barrier", "%tx"), "", "memref.store %x, %s[%tx] : memref<8xi64, 3>",
            "gpu.launch: uninitialized elements of 8xi64")};
}

} // namespace mica::reference
