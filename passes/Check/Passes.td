//===- Passes.td - passes of the area Check --------------------------*- tablegen -*-===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------===//

#ifndef MICA_PASSES_CHECK_PASSES
#define MICA_PASSES_CHECK_PASSES

include "mlir/Pass/PassBase.td"

def PlainAccessesPass : Pass<"mica-check-plain-accesses", "::mlir::func::FuncOp"> {
  let summary = "Write loops, conditions and accesses of affine as those of scf, memref and vector";
  let description = [{
    The forms that mica-check-insert checks and mica-check-prove reasons about. Index arithmetic stays `affine.apply`.

    On entry: anything. On exit: no affine.for, affine.if, affine.load, affine.store.

    Example:

    ```mlir
    affine.for %i = 0 to 10 {
      %0 = affine.load %x[%i + 1] : memref<11xf32>
    }
    // becomes
    scf.for %i = %c0 to %c10 step %c1 {
      %1 = affine.apply affine_map<(d0) -> (d0 + 1)>(%i)
      %0 = memref.load %x[%1] : memref<11xf32>
    }
    ```
  }];
  let dependentDialects = ["::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
                           "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect",
                           "::mlir::vector::VectorDialect"];
}

def InsertChecksPass : Pass<"mica-check-insert", "::mlir::func::FuncOp"> {
  let summary = "Check accesses, divisions, shifts and asserts while the kernel runs";
  let description = [{
    On buffers, before vectors are lowered: what could be outside its buffer is done only where `mica_check.in_bounds`
    holds, and reported where not; a load gives 0 then. Slices are checked where they are made, and what is reached through
    a slice that is outside is not touched. Integer division by zero, shifts by the width or more and `cf.assert` likewise.
    What is checked already stays as it is, so that the pass can run again after an edit. Sets `mica_check.level`, and adds to
    `mica_check.inserted` and `mica_check.unchecked`, the numbers of checks and of accesses in a form that has none.

    Example:

    ```mlir
    %0 = memref.load %a[%i] : memref<?xf32>
    // becomes
    %ok = mica_check.in_bounds %a[%i] : memref<?xf32>
    %0 = scf.if %ok -> (f32) {
      %1 = memref.load %a[%i] : memref<?xf32>
      scf.yield %1 : f32
    } else {
      mica_check.out_of_bounds load %a[%i] : memref<?xf32>
      scf.yield %cst : f32
    }
    ```
  }];
  let options = [Option<"level", "level", "std::string", "\"all\"",
                        "none: nothing, and no cf.assert stays; warn or all: every access; safe: asserts, divisions, shifts, slices, and accesses at positions that "
                        "were loaded from memory">];
  let dependentDialects = ["::mica::check::MicaCheckDialect", "::mlir::affine::AffineDialect",
                           "::mlir::arith::ArithDialect", "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect",
                           "::mlir::vector::VectorDialect"];
}

def ProveChecksPass : Pass<"mica-check-prove", "::mlir::func::FuncOp"> {
  let summary = "Take away checks that cannot fail";
  let description = [{
    A predicate of mica_check becomes true where the bounds of the loops around it, the arithmetic of its index, the sizes of
    its buffer or the conditions it stands under say so (upstream's value bounds and integer ranges). Its branch and its
    report leave with the canonicalization that follows.

    Example:

    ```mlir
    scf.for %i = %c0 to %c64 step %c16 {
      %ok = mica_check.in_bounds %a[%i] sizes(%c16) : memref<64xf32>
    // becomes
    scf.for %i = %c0 to %c64 step %c16 {
      %ok = arith.constant true
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def RemoveShadowsPass : Pass<"mica-check-remove-shadows", "::mlir::func::FuncOp"> {
  let summary = "Take away what mica-check-insert-shadows made";
  let description = [{
    Before a kernel that was edited by hand gets shadows again: the edit may have taken away a store and left that of its
    shadow. Canonicalization takes what is left without a use.

    Example:

    ```mlir
    %s = mica_check.shadow %a : memref<?xf32>
    memref.store %v, %a[%i] : memref<?xf32>
    memref.store %written, %s[%i] : memref<?xi16>
    // becomes
    memref.store %v, %a[%i] : memref<?xf32>
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def InsertShadowsPass : Pass<"mica-check-insert-shadows", "::mlir::func::FuncOp"> {
  let summary = "Look for uses of elements that nobody wrote";
  let description = [{
    Behind mica-check-insert and mica-check-prove, so that shadows are touched where their buffers are, under the same
    conditions. Each buffer gets a shadow (`mica_check.shadow`) to which is done what is done to the buffer; an element that is
    loaded and moved takes what is known of it along, one that is used is looked at and reported. What an argument of the kernel
    holds when it begins, the runtime says. A buffer of the kernel's own whose elements are all computed before any is read has no
    shadow. Sets `mica_check.shadows`, `mica_check.reads`, and `mica_check.fills` of arguments that are written whole.

    Example:

    ```mlir
    %0 = memref.load %a[%i] : memref<?xf32>
    %1 = arith.negf %0 : f32
    // becomes
    %s = mica_check.shadow %a : memref<?xf32>
    %0 = memref.load %a[%i] : memref<?xf32>
    %o = memref.load %s[%i] : memref<?xi16>
    %ok = mica_check.initialized %o : i16
    scf.if %ok {
    } else {
      mica_check.uninitialized %a[%i] count %c1 origin %o : memref<?xf32>
    }
    %1 = arith.negf %0 : f32
    ```
  }];
  let options = [Option<"prove", "prove", "bool", "true", "leave out what is certainly written before it is read">];
  let dependentDialects = ["::mica::check::MicaCheckDialect", "::mlir::affine::AffineDialect",
                           "::mlir::arith::ArithDialect", "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect",
                           "::mlir::vector::VectorDialect"];
}

def VersionShadowsPass : Pass<"mica-check-version-shadows", "::mlir::func::FuncOp"> {
  let summary = "Give kernels a body without shadows, for arguments that are written whole";
  let description = [{
    The body is there twice: as it is, and without the shadows of arguments, and of what can only hold what was moved from them
    (buffers that are filled, where none inside may be left unwritten).
    `mica_check.partly` chooses.

    On entry: the kernel is in its final form.

    Example:

    ```mlir
    %s = mica_check.shadow %a : memref<?xf32>
    memref.store %v, %a[%i] : memref<?xf32>
    memref.store %written, %s[%i] : memref<?xi16>
    // becomes
    %partly = mica_check.partly
    scf.if %partly {
      %s = mica_check.shadow %a : memref<?xf32>
      memref.store %v, %a[%i] : memref<?xf32>
      memref.store %written, %s[%i] : memref<?xi16>
    } else {
      memref.store %v, %a[%i] : memref<?xf32>
    }
    ```
  }];
  let dependentDialects = ["::mica::check::MicaCheckDialect", "::mlir::arith::ArithDialect",
                           "::mlir::scf::SCFDialect"];
}

def NumberChecksPass : Pass<"mica-check-number", "::mlir::func::FuncOp"> {
  let summary = "Give the checks that are left their sites";
  let description = [{
    Numbers the reports of a function from 0 and sets `mica_check.sites`; a remark says how many checks were proved, kept and
    not possible, and one more for each that was kept.

    Example:

    ```mlir
    mica_check.out_of_bounds load %a[%i] : memref<?xf32>
    // becomes
    mica_check.out_of_bounds load %a[%i] {site = 0 : i64} : memref<?xf32>
    ```
  }];
}

def LowerChecksPass : Pass<"mica-check-lower", "::mlir::ModuleOp"> {
  let summary = "Make predicates arithmetic and reports records in the log of the call";
  let description = [{
    The kernel's function gets a last argument, the log of include/mica/ABI/Checks.h. A report becomes a call of a function
    that counts it there and keeps the numbers of the first.

    On entry: sites are numbered. On exit: no mica_check.

    Example:

    ```mlir
    %ok = mica_check.in_bounds %a[%i] : memref<8xf32>
    // becomes
    %ok = arith.cmpi ult, %i, %c8 : index
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::cf::ControlFlowDialect",
                           "::mlir::func::FuncDialect", "::mlir::LLVM::LLVMDialect", "::mlir::memref::MemRefDialect",
                           "::mlir::vector::VectorDialect"];
}

#endif // MICA_PASSES_CHECK_PASSES
