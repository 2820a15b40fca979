//===- UndefinedLoweredRows.cpp - undefined behavior in the LLVM dialect -----------------------------------------===//
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

/// A row of `op`, which takes %a and %b, two constants of `type`: the first is `a`, the second tells the twins apart.
static Row ofTwo(const std::string &name, const std::string &type, const std::string &a, const std::string &op,
                 const std::string &undefined, const std::string &clean, const std::string &said) {
  const std::string text = "llvm.func @f() -> " + type + " {\n%a = llvm.mlir.constant(" + a + " : " + type +
                           ") : " + type + "\n%b = llvm.mlir.constant(@@ : " + type + ") : " + type + "\n%r = " + op +
                           " : " + type + "\nllvm.return %r : " + type + "\n}";
  return twins(name, text, undefined, clean, said);
}

/// A row of a function that has 16 bytes of the heap, %m, their number, %n, and the number 7, %v, and gives `result`.
static Row onHeap(const std::string &name, const std::string &result, const std::string &body,
                  const std::string &undefined, const std::string &clean, const std::string &said) {
  const std::string text = "llvm.func @f()" + (result.empty() ? "" : " -> " + result) + R"( {
%n = llvm.mlir.constant(16 : i64) : i64
%v = llvm.mlir.constant(7 : i64) : i64
%m = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
)" + body + R"(
}
llvm.func @malloc(i64) -> !llvm.ptr
llvm.func @free(!llvm.ptr)
llvm.func @printI64(i64))";
  return twins(name, text, undefined, clean, said);
}

std::vector<Row> loweredRows() {
  return {
      ofTwo("llvm_add_nsw", "i8", "127", "llvm.add %a, %b overflow<nsw>", "1", "0",
            "llvm.add: signed overflow (nsw): 127 + 1 in 8 bits -> llvm.func: the result is poison"),
      ofTwo("llvm_add_nuw", "i8", "-1", "llvm.add %a, %b overflow<nuw>", "1", "0", "llvm.add: unsigned overflow (nuw)"),
      ofTwo("llvm_sub_nsw", "i8", "-128", "llvm.sub %a, %b overflow<nsw>", "1", "0",
            "llvm.sub: signed overflow (nsw): -128 - 1"),
      ofTwo("llvm_sub_nuw", "i8", "0", "llvm.sub %a, %b overflow<nuw>", "1", "0", "llvm.sub: unsigned overflow (nuw)"),
      ofTwo("llvm_mul_nsw", "i64", "4611686018427387904", "llvm.mul %a, %b overflow<nsw>", "2", "1",
            "llvm.mul: signed overflow (nsw)"),
      ofTwo("llvm_mul_nuw", "i64", "-1", "llvm.mul %a, %b overflow<nuw>", "-1", "1",
            "llvm.mul: unsigned overflow (nuw)"),
      ofTwo("llvm_shl_nsw", "i8", "64", "llvm.shl %a, %b overflow<nsw>", "1", "0",
            "llvm.shl: signed overflow (nsw): 64 << 1"),
      ofTwo("llvm_shl", "i32", "5", "llvm.shl %a, %b", "32", "31", "llvm.shl: a shift by 32 of a number of 32 bits"),
      ofTwo("llvm_lshr", "i32", "5", "llvm.lshr %a, %b", "40", "31", "llvm.lshr: a shift by 40"),
      ofTwo("llvm_ashr", "i32", "5", "llvm.ashr %a, %b", "32", "31", "llvm.ashr: a shift by 32"),
      ofTwo("llvm_lshr_exact", "i32", "6", "llvm.lshr exact %a, %b", "2", "1", "llvm.lshr: a rest, in spite of exact"),
      ofTwo("llvm_sdiv_exact", "i32", "6", "llvm.sdiv exact %a, %b", "4", "3",
            "llvm.sdiv: a rest, in spite of exact: 6 / 4 in 32 bits"),
      ofTwo("llvm_udiv_exact", "i32", "6", "llvm.udiv exact %a, %b", "4", "3", "llvm.udiv: a rest, in spite of exact"),
      ofTwo("llvm_sdiv_zero", "i32", "6", "llvm.sdiv %a, %b", "0", "4", "division by zero"),
      ofTwo("llvm_udiv_zero", "i32", "6", "llvm.udiv %a, %b", "0", "4", "division by zero"),
      ofTwo("llvm_srem_zero", "i32", "6", "llvm.srem %a, %b", "0", "4", "division by zero"),
      ofTwo("llvm_urem_zero", "i32", "6", "llvm.urem %a, %b", "0", "4", "division by zero"),
      ofTwo("llvm_sdiv_overflow", "i8", "-128", "llvm.sdiv %a, %b", "-1", "1",
            "signed division overflows: -128 / -1 in 8 bits"),
      ofTwo("llvm_or_disjoint", "i8", "6", "llvm.or disjoint %a, %b", "4", "1",
            "llvm.or: bits in common, in spite of disjoint"),
      twins("llvm_zext_nneg", R"(llvm.func @f() -> i32 {
%a = llvm.mlir.constant(@@ : i8) : i8
%r = llvm.zext nneg %a : i8 to i32
llvm.return %r : i32
})",
            R"(-1)", R"(1)", "llvm.zext: a negative number in spite of nneg"),
      twins("llvm_uitofp_nneg", R"(llvm.func @f() -> f32 {
%a = llvm.mlir.constant(@@ : i8) : i8
%r = llvm.uitofp nneg %a : i8 to f32
llvm.return %r : f32
})",
            R"(-1)", R"(1)", "llvm.uitofp: a negative number in spite of nneg"),
      twins("llvm_trunc_nsw", R"(llvm.func @f() -> i8 {
%a = llvm.mlir.constant(@@ : i32) : i32
%r = llvm.trunc %a overflow<nsw> : i32 to i8
llvm.return %r : i8
})",
            R"(128)", R"(-128)", "llvm.trunc: bits are lost that are not the sign"),
      twins("llvm_trunc_nuw", R"(llvm.func @f() -> i8 {
%a = llvm.mlir.constant(@@ : i32) : i32
%r = llvm.trunc %a overflow<nuw> : i32 to i8
llvm.return %r : i8
})",
            R"(256)", R"(128)", "llvm.trunc: bits are lost (nuw)"),
      twins("llvm_fptosi", R"(llvm.func @f() -> i8 {
%a = llvm.mlir.constant(@@ : f32) : f32
%r = llvm.fptosi %a : f32 to i8
llvm.return %r : i8
})",
            R"(1.28e2)", R"(-1.285e2)", "llvm.fptosi: 128 converted to an integer of 8 bits"),
      twins("llvm_fptoui", R"(llvm.func @f() -> i8 {
%a = llvm.mlir.constant(@@ : f32) : f32
%r = llvm.fptoui %a : f32 to i8
llvm.return %r : i8
})",
            R"(-1.0)", R"(2.555e2)", "llvm.fptoui: -1 converted"),
      twins("llvm_nnan", R"(llvm.func @f() -> f32 {
%a = llvm.mlir.constant(@@ : f32) : f32
%b = llvm.mlir.constant(0.0 : f32) : f32
%r = llvm.fdiv %a, %b {fastmathFlags = #llvm.fastmath<nnan>} : f32
llvm.return %r : f32
})",
            R"(0.0)", R"(1.0)", "llvm.fdiv: a NaN in spite of nnan"),
      twins("llvm_ninf", R"(llvm.func @f() -> f32 {
%a = llvm.mlir.constant(@@ : f32) : f32
%b = llvm.mlir.constant(1.0e1 : f32) : f32
%r = llvm.fmul %a, %b {fastmathFlags = #llvm.fastmath<ninf>} : f32
llvm.return %r : f32
})",
            R"(1.0e38)", R"(1.0e37)", "llvm.fmul: an infinity in spite of ninf"),
      twins("llvm_poison", R"(llvm.func @f() -> i32 {
%p = llvm.mlir.poison : i32
%c = llvm.mlir.constant(1 : i32) : i32
%t = llvm.mlir.constant(@@) : i1
%r = llvm.select %t, %p, %c : i1, i32
llvm.return %r : i32
})",
            R"(true)", R"(false)", "llvm.mlir.poison: a poison value -> llvm.func: the result is poison"),
      twins("llvm_undef", R"(llvm.func @f() -> i32 {
%p = llvm.mlir.undef : i32
%c = llvm.mlir.constant(@@ : i32) : i32
%r = llvm.and %p, %c : i32
llvm.return %r : i32
})",
            R"(1)", R"(0)", "llvm.mlir.undef: an undefined value -> llvm.func: the result is undefined"),
      twins("llvm_freeze", R"(llvm.func @f() -> i32 {
%p = llvm.mlir.poison : i32
%q = llvm.freeze %p : i32
%r = llvm.xor @@, %q : i32
llvm.return %r : i32
})",
            R"(%p)", R"(%q)", "llvm.mlir.poison: a poison value -> llvm.func: the result is poison"),
      twins("llvm_select_condition", R"(llvm.func @f() -> i32 {
%p = llvm.mlir.poison : i1
%t = llvm.mlir.constant(true) : i1
%c = llvm.mlir.constant(1 : i32) : i32
%r = llvm.select @@, %c, %c : i1, i32
llvm.return %r : i32
})",
            R"(%p)", R"(%t)", "llvm.mlir.poison: a poison value -> llvm.func: the result is poison"),
      twins("llvm_divisor", R"(llvm.func @f() {
%p = llvm.mlir.undef : i32
%c = llvm.mlir.constant(1 : i32) : i32
%o = llvm.or %p, %c : i32
%r = llvm.udiv %c, @@ : i32
llvm.return
})",
            R"(%o)", R"(%c)", "llvm.mlir.undef: an undefined value -> llvm.udiv: a divisor is undefined"),
      twins("llvm_cond_br", R"(llvm.func @f() -> i32 {
%p = llvm.mlir.poison : i1
%c = llvm.mlir.constant(1 : i32) : i32
%t = llvm.mlir.constant(true) : i1
llvm.cond_br @@, ^a(%c : i32), ^a(%c : i32)
^a(%r: i32):
llvm.return %r : i32
})",
            R"(%p)", R"(%t)", "llvm.mlir.poison: a poison value -> llvm.cond_br: a condition is poison"),
      twins("llvm_switch", R"(llvm.func @f() -> i32 {
%p = llvm.mlir.undef : i32
%c = llvm.mlir.constant(1 : i32) : i32
llvm.switch @@ : i32, ^a [
1: ^b
]
^a:
llvm.return %c : i32
^b:
llvm.return %c : i32
})",
            R"(%p)", R"(%c)", "llvm.mlir.undef: an undefined value -> llvm.switch: a condition is undefined"),
      twins("llvm_block_argument", R"(llvm.func @f() -> i32 {
%p = llvm.mlir.poison : i32
%c = llvm.mlir.constant(1 : i32) : i32
llvm.br ^a(@@ : i32)
^a(%r: i32):
llvm.return %r : i32
})",
            R"(%p)", R"(%c)", "llvm.mlir.poison: a poison value -> llvm.func: the result is poison"),
      twins("llvm_unreachable", R"(llvm.func @f() {
%t = llvm.mlir.constant(@@) : i1
llvm.cond_br %t, ^a, ^b
^a:
llvm.unreachable
^b:
llvm.return
})",
            R"(true)", R"(false)", "it is reached"),
      twins("llvm_must_progress", R"(llvm.func @f() attributes {passthrough = ["mustprogress"]} {
%z = llvm.mlir.constant(0 : i32) : i32
%d = llvm.mlir.constant(@@ : i32) : i32
%k = llvm.mlir.constant(5 : i32) : i32
llvm.br ^a(%z : i32)
^a(%i: i32):
%n = llvm.add %i, %d : i32
%c = llvm.icmp "slt" %n, %k : i32
llvm.cond_br %c, ^a(%n : i32), ^b
^b:
llvm.return
})",
            R"(0)", R"(1)", "the loop does not end: it comes back to the same values after 1 turn"),
      twins("llvm_will_return", R"(llvm.func @f() attributes {will_return} {
%o = llvm.mlir.constant(1 : i64) : i64
%m = llvm.alloca %o x i64 : (i64) -> !llvm.ptr
%z = llvm.mlir.constant(0 : i64) : i64
%k = llvm.mlir.constant(5 : i64) : i64
llvm.store %z, %m : i64, !llvm.ptr
llvm.br ^a
^a:
%i = llvm.load %m : !llvm.ptr -> i64
%n = llvm.add %i, @@ : i64
llvm.store %n, %m : i64, !llvm.ptr
%c = llvm.icmp "slt" %i, %k : i64
llvm.cond_br %c, ^a, ^b
^b:
llvm.return
})",
            R"(%z)", R"(%o)", "the loop does not end"),
      twins("llvm_assume", R"(llvm.func @f() {
%t = llvm.mlir.constant(@@) : i1
llvm.intr.assume %t : i1
llvm.return
})",
            R"(false)", R"(true)", "what is assumed is false"),
      onHeap("llvm_load_uninitialized", "i64", R"(llvm.store %v, %m : i64, !llvm.ptr
%p = llvm.getelementptr %m[@@] : (!llvm.ptr) -> !llvm.ptr, i64
%r = llvm.load %p : !llvm.ptr -> i64
llvm.call @free(%m) : (!llvm.ptr) -> ()
llvm.return %r : i64)",
             R"(1)", R"(0)",
             "llvm.call: uninitialized bytes of memory of the heap -> llvm.func: the result is undefined"),
      onHeap("llvm_load_partly", "i32", R"(%s = llvm.trunc %v : i64 to @@
llvm.store %s, %m : @@, !llvm.ptr
%r = llvm.load %m : !llvm.ptr -> i32
llvm.call @free(%m) : (!llvm.ptr) -> ()
llvm.return %r : i32)",
             R"(i16)", R"(i32)",
             "llvm.call: uninitialized bytes of memory of the heap -> llvm.func: the result is undefined"),
      onHeap("llvm_printed", "", R"(llvm.store %v, %m : i64, !llvm.ptr
%p = llvm.getelementptr %m[@@] : (!llvm.ptr) -> !llvm.ptr, i64
%r = llvm.load %p : !llvm.ptr -> i64
llvm.call @printI64(%r) : (i64) -> ()
llvm.return)",
             R"(1)", R"(0)", "uninitialized bytes of memory of the heap -> llvm.call: a printed number is undefined"),
      onHeap("llvm_load_outside", "i64", R"(llvm.store %v, %m : i64, !llvm.ptr
%p = llvm.getelementptr %m[@@] : (!llvm.ptr) -> !llvm.ptr, i64
%r = llvm.load %p : !llvm.ptr -> i64
llvm.call @free(%m) : (!llvm.ptr) -> ()
llvm.return %r : i64)",
             R"(2)", R"(0)", "llvm.load: 8 bytes at offset 16 are out of bounds of 16 bytes"),
      onHeap("llvm_store_outside", "", R"(%p = llvm.getelementptr %m[@@] : (!llvm.ptr) -> !llvm.ptr, i8
llvm.store %v, %p {alignment = 1 : i64} : i64, !llvm.ptr
llvm.return)",
             R"(9)", R"(8)", "llvm.store: 8 bytes at offset 9 are out of bounds of 16 bytes"),
      onHeap("llvm_use_after_free", "i64", R"(llvm.store %v, %m : i64, !llvm.ptr
%o = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
llvm.call @free(@@) : (!llvm.ptr) -> ()
%r = llvm.load %m : !llvm.ptr -> i64
llvm.return %r : i64)",
             R"(%m)", R"(%o)",
             "llvm.call: the memory is freed here -> llvm.load: memory of the heap is used after it is freed"),
      onHeap("llvm_double_free", "", R"(%o = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
llvm.call @free(%m) : (!llvm.ptr) -> ()
llvm.call @free(@@) : (!llvm.ptr) -> ()
llvm.return)",
             R"(%m)", R"(%o)", "llvm.call: freed here first -> llvm.call: double free"),
      onHeap("llvm_free_inside", "", R"(%p = llvm.getelementptr %m[@@] : (!llvm.ptr) -> !llvm.ptr, i8
llvm.call @free(%p) : (!llvm.ptr) -> ()
llvm.return)",
             R"(8)", R"(0)", "an address is freed that is 8 bytes after the begin of its object"),
      onHeap("llvm_free_of_stack", "", R"(%c = llvm.mlir.constant(1 : i64) : i64
%a = llvm.alloca %c x i64 : (i64) -> !llvm.ptr
llvm.call @free(@@) : (!llvm.ptr) -> ()
llvm.return)",
             R"(%a)", R"(%m)", "memory of llvm.alloca is freed, which is not of the heap"),
      onHeap("llvm_null", "", R"(%z = llvm.mlir.zero : !llvm.ptr
llvm.store %v, @@ : i64, !llvm.ptr
llvm.return)",
             R"(%z)", R"(%m)", "the null pointer is accessed"),
      onHeap("llvm_no_object", "", R"(%i = llvm.ptrtoint %m : !llvm.ptr to i64
%d = llvm.mlir.constant(@@ : i64) : i64
%j = llvm.add %i, %d : i64
%p = llvm.inttoptr %j : i64 to !llvm.ptr
llvm.store %v, %p : i64, !llvm.ptr
llvm.return)",
             R"(4096)", R"(8)", "belongs to no object"),
      onHeap(
          "llvm_inbounds", "", R"(%p = llvm.getelementptr inbounds %m[@@] : (!llvm.ptr) -> !llvm.ptr, i64
%q = llvm.getelementptr %p[-1] : (!llvm.ptr) -> !llvm.ptr, i64
llvm.store %v, %q : i64, !llvm.ptr
llvm.return)",
          R"(3)", R"(2)",
          "llvm.getelementptr: offset 24 of an object of 16 bytes is not inbounds -> llvm.store: an address is poison"),
      onHeap("llvm_gep_nuw", "", R"(%p = llvm.getelementptr %m[1] : (!llvm.ptr) -> !llvm.ptr, i64
%q = llvm.getelementptr @@%p[-1] : (!llvm.ptr) -> !llvm.ptr, i64
llvm.store %v, %q : i64, !llvm.ptr
llvm.return)",
             R"(nuw )", R"(nusw )",
             "llvm.getelementptr: the offset -8 wraps (nuw) -> llvm.store: an address is poison"),
      onHeap("llvm_alignment", "i64", R"(llvm.store %v, %m : i64, !llvm.ptr
%r = llvm.load %m {alignment = @@ : i64} : !llvm.ptr -> i64
llvm.call @free(%m) : (!llvm.ptr) -> ()
llvm.return %r : i64)",
             R"(64)", R"(16)", "llvm.load: not aligned to 64 bytes"),
      onHeap("llvm_address", "", R"(%u = llvm.mlir.undef : i64
%p = llvm.getelementptr %m[@@] : (!llvm.ptr, i64) -> !llvm.ptr, i8
llvm.store %v, %p {alignment = 1 : i64} : i64, !llvm.ptr
llvm.return)",
             R"(%u)", R"(%v)", "llvm.mlir.undef: an undefined value -> llvm.store: an address is undefined"),
      onHeap("llvm_memcpy_overlap", "", R"(%p = llvm.getelementptr %m[@@] : (!llvm.ptr) -> !llvm.ptr, i8
%k = llvm.mlir.constant(8 : i64) : i64
"llvm.intr.memcpy"(%p, %m, %k) <{isVolatile = false}> : (!llvm.ptr, !llvm.ptr, i64) -> ()
llvm.return)",
             R"(4)", R"(8)", "what is copied overlaps: 8 bytes from offset 0 to offset 4"),
      onHeap("llvm_memcpy_outside", "", R"(%o = llvm.call @malloc(%n) : (i64) -> !llvm.ptr
%k = llvm.mlir.constant(@@ : i64) : i64
"llvm.intr.memcpy"(%o, %m, %k) <{isVolatile = false}> : (!llvm.ptr, !llvm.ptr, i64) -> ()
llvm.return)",
             R"(17)", R"(16)", "17 bytes at offset 0 are out of bounds of 16 bytes"),
      onHeap("llvm_memset_outside", "", R"(%b = llvm.mlir.constant(1 : i8) : i8
%k = llvm.mlir.constant(@@ : i64) : i64
"llvm.intr.memset"(%m, %b, %k) <{isVolatile = false}> : (!llvm.ptr, i8, i64) -> ()
llvm.return)",
             R"(24)", R"(16)", "24 bytes at offset 0 are out of bounds of 16 bytes"),
      onHeap("llvm_masked_load", "", R"(%b = llvm.mlir.constant(dense<[true, @@]> : vector<2xi1>) : vector<2xi1>
%e = llvm.mlir.constant(dense<0> : vector<2xi64>) : vector<2xi64>
%p = llvm.getelementptr %m[1] : (!llvm.ptr) -> !llvm.ptr, i64
%r = llvm.intr.masked.load %p, %b, %e {alignment = 8 : i32} : (!llvm.ptr, vector<2xi1>, vector<2xi64>) -> vector<2xi64>
llvm.return)",
             R"(true)", R"(false)", "8 bytes at offset 16 are out of bounds of 16 bytes"),
      onHeap("llvm_masked_store", "", R"(%b = llvm.mlir.constant(dense<[true, @@]> : vector<2xi1>) : vector<2xi1>
%e = llvm.mlir.constant(dense<0> : vector<2xi64>) : vector<2xi64>
%p = llvm.getelementptr %m[1] : (!llvm.ptr) -> !llvm.ptr, i64
llvm.intr.masked.store %e, %p, %b {alignment = 8 : i32} : vector<2xi64>, vector<2xi1> into !llvm.ptr
llvm.return)",
             R"(true)", R"(false)", "8 bytes at offset 16 are out of bounds of 16 bytes"),
      twins("llvm_stack_escapes", R"(llvm.func @f() -> i64 {
%p = llvm.call @g() : () -> !llvm.ptr
@@
%v = llvm.mlir.constant(7 : i64) : i64
llvm.return %v : i64
}
llvm.func @g() -> !llvm.ptr {
%c = llvm.mlir.constant(1 : i64) : i64
%a = llvm.alloca %c x i64 : (i64) -> !llvm.ptr
llvm.return %a : !llvm.ptr
})",
            R"(%r = llvm.load %p : !llvm.ptr -> i64)", R"(%r = llvm.ptrtoint %p : !llvm.ptr to i64)",
            "llvm.func: the lifetime ends here -> llvm.load: memory of llvm.alloca is used after its lifetime"),
      twins("llvm_lifetime", R"(llvm.func @f() {
%c = llvm.mlir.constant(1 : i64) : i64
%a = llvm.alloca %c x i64 : (i64) -> !llvm.ptr
llvm.intr.lifetime.start %a : !llvm.ptr
@@llvm.store %c, %a : i64, !llvm.ptr
llvm.return
})",
            R"(llvm.intr.lifetime.end %a : !llvm.ptr
)",
            R"()", "llvm.intr.lifetime.end: the lifetime ends here -> llvm.store"),
      twins("llvm_stackrestore", R"(llvm.func @f() {
%c = llvm.mlir.constant(1 : i64) : i64
%s = llvm.intr.stacksave : !llvm.ptr
%a = llvm.alloca %c x i64 : (i64) -> !llvm.ptr
@@llvm.store %c, %a : i64, !llvm.ptr
llvm.return
})",
            R"(llvm.intr.stackrestore %s : !llvm.ptr
)",
            R"()", "llvm.intr.stackrestore: the lifetime ends here -> llvm.store"),
      twins("llvm_constant_written", R"(llvm.mlir.global internal @@@g(5 : i64) : i64
llvm.func @f() {
%c = llvm.mlir.constant(1 : i64) : i64
%a = llvm.mlir.addressof @g : !llvm.ptr
llvm.store %c, %a : i64, !llvm.ptr
llvm.return
})",
            R"(constant )", R"()",
            "llvm.mlir.global: the global is constant -> llvm.store: a constant global is written"),
      twins("llvm_lane", R"(llvm.func @f() -> i32 {
%a = llvm.mlir.constant(dense<3> : vector<4xi32>) : vector<4xi32>
%i = llvm.mlir.constant(@@ : i64) : i64
%r = llvm.extractelement %a[%i : i64] : vector<4xi32>
llvm.return %r : i32
})",
            R"(4)", R"(3)", "llvm.extractelement: lane 4 of a vector of 4 -> llvm.func: the result is poison"),
      twins("llvm_insert_lane", R"(llvm.func @f() -> vector<4xi32> {
%a = llvm.mlir.constant(dense<3> : vector<4xi32>) : vector<4xi32>
%v = llvm.mlir.constant(3 : i32) : i32
%i = llvm.mlir.constant(@@ : i64) : i64
%r = llvm.insertelement %v, %a[%i : i64] : vector<4xi32>
llvm.return %r : vector<4xi32>
})",
            R"(4)", R"(3)", "llvm.insertelement: lane 4 of a vector of 4"),
      twins("llvm_shuffle", R"(llvm.func @f() -> vector<2xi32> {
%a = llvm.mlir.constant(dense<3> : vector<2xi32>) : vector<2xi32>
%r = llvm.shufflevector %a, %a [0, @@] : vector<2xi32>
llvm.return %r : vector<2xi32>
})",
            R"(-1)", R"(3)", "llvm.shufflevector: a lane of the mask is poison"),
      twins("llvm_descriptor", R"(llvm.func @f() -> !llvm.struct<(i64, array<2 x i64>)> {
%u = llvm.mlir.poison : !llvm.struct<(i64, array<2 x i64>)>
%v = llvm.mlir.constant(3 : i64) : i64
%0 = llvm.insertvalue %v, %u[0] : !llvm.struct<(i64, array<2 x i64>)>
%1 = llvm.insertvalue %v, %0[1, 0] : !llvm.struct<(i64, array<2 x i64>)>
%2 = llvm.insertvalue %v, %1[1, @@] : !llvm.struct<(i64, array<2 x i64>)>
llvm.return %2 : !llvm.struct<(i64, array<2 x i64>)>
})",
            R"(0)", R"(1)", "llvm.mlir.poison: a poison value -> llvm.func: the result is poison"),
      twins("llvm_noundef", R"(llvm.func @f() {
%u = llvm.mlir.undef : i64
%v = llvm.mlir.constant(3 : i64) : i64
llvm.call @g(@@) : (i64) -> ()
llvm.return
}
llvm.func @g(%a: i64 {llvm.noundef}) {
llvm.return
})",
            R"(%u)", R"(%v)",
            "llvm.mlir.undef: an undefined value -> llvm.call: argument 0, which is noundef, is undefined"),
      twins("llvm_noundef_result", R"(llvm.func @f() {
%r = llvm.call @g() : () -> i64
llvm.return
}
llvm.func @g() -> (i64 {llvm.noundef}) {
%u = llvm.mlir.@@ : i64
llvm.return %u : i64
})",
            R"(poison)", R"(constant(3 : i64))",
            "llvm.mlir.poison: a poison value -> llvm.call: the result of @g, which is noundef, is poison"),
      twins("llvm_ctlz", R"(llvm.func @f() -> i32 {
%a = llvm.mlir.constant(@@ : i32) : i32
%r = "llvm.intr.ctlz"(%a) <{is_zero_poison = true}> : (i32) -> i32
llvm.return %r : i32
})",
            R"(0)", R"(1)", "llvm.intr.ctlz: the zeros of 0 are counted"),
      twins("llvm_abs", R"(llvm.func @f() -> i8 {
%a = llvm.mlir.constant(@@ : i8) : i8
%r = "llvm.intr.abs"(%a) <{is_int_min_poison = true}> : (i8) -> i8
llvm.return %r : i8
})",
            R"(-128)", R"(-127)", "llvm.intr.abs: the absolute value of the smallest number"),
      twins("llvm_assume_align", R"(llvm.func @f() {
%n = llvm.mlir.constant(64 : i64) : i64
%k = llvm.mlir.constant(@@ : i64) : i64
%t = llvm.mlir.constant(true) : i1
%a = llvm.alloca %n x i8 {alignment = 16 : i64} : (i64) -> !llvm.ptr
llvm.intr.assume %t ["align"(%a, %k : !llvm.ptr, i64)] : i1
llvm.return
})",
            R"(64)", R"(16)", "an address is not aligned to 64 bytes, as assumed")};
}

} // namespace mica::reference
