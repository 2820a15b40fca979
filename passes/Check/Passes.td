//===- Passes.td - Run-time check pass definitions -----------------*- tablegen -*-===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------===//

#ifndef MICA_PASSES_CHECK_PASSES
#define MICA_PASSES_CHECK_PASSES

include "mlir/Pass/PassBase.td"

def LowerAffineAccessesPass : Pass<"mica-check-lower-affine-accesses", "::mlir::func::FuncOp"> {
  let summary = "Lower affine loops, conditionals and accesses to scf, memref and vector";
  let description = [{
    Rewrites affine control flow and accesses into the forms that mica-check-insert instruments and
    mica-check-prove analyzes. Unlike upstream's `lower-affine`, index arithmetic stays as `affine.apply`,
    `affine.min` and `affine.max`: expanded into divisions and selects, it could no longer be analyzed.

    Postcondition: no `affine.for`, `affine.if`, `affine.load`, `affine.store`, `affine.vector_load` or
    `affine.vector_store`.

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

def ExposeDivisionsPass : Pass<"mica-check-expose-divisions", "::mlir::func::FuncOp"> {
  let summary = "Write affine maps that divide by a value as arithmetic";
  let description = [{
    Folds of affine ops compose a divisor that turns out to be 0 into the map, and then make `ub.poison` of the
    result: what a run would report disappears. Functions in which an affine map or set divides by a dimension or
    symbol that is not a positive constant are rewritten: these ops become divisions of `arith`, loops and accesses
    that divide become those of `scf` and `memref`, and divisions and shifts of `index` become those of `arith`. Other
    functions do not change.

    Example:

    ```mlir
    %q = affine.apply affine_map<()[s0, s1] -> (s0 mod s1)>()[%n, %d]
    // becomes
    %0 = arith.remsi %n, %d : index
    %1 = arith.cmpi slt, %0, %c0 : index
    %2 = arith.addi %0, %d : index
    %q = arith.select %1, %2, %0 : index
    ```
  }];
  let dependentDialects = ["::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
                           "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect",
                           "::mlir::vector::VectorDialect"];
}

def InsertChecksPass : Pass<"mica-check-insert", "::mlir::func::FuncOp"> {
  let summary = "Insert run-time checks for accesses, divisions, shifts and asserts";
  let description = [{
    Guards each operation that may fail by a predicate of the `mica_check` dialect. A memory access runs only
    where `mica_check.in_bounds` holds; otherwise the failure is reported, a load yields 0 and a store is
    dropped. A view such as `memref.subview` is checked where it is created, and accesses through an
    out-of-bounds view are not executed either. Integer divisions by zero, signed divisions that overflow,
    `math.ipowi` of 0 to a negative power, shifts by at least the bit width and `cf.assert` are guarded in the same way.

    Divisions of the `index` dialect, and those by a value in affine maps, become operations of `arith` first.

    With `level=divisions`, only integer divisions and powers are guarded; in kernels, not those of indices by what is computed
    from sizes alone, but also the accesses that the program itself makes (their locations are marked), and others at
    positions that were loaded or given, or computed from such values. If there is one of them, affine loops and
    accesses are lowered first. A kernel without is left as it is. In host functions, whatever the level, every access
    is guarded. Elements of vectors are guarded at every level where their position comes from data.

    The pass runs on buffers, before vector ops are lowered. In a function with `gpu.launch` ops, only the code
    inside the launches is instrumented. Accesses that are already guarded are skipped, so that the pass can run
    again on a kernel that was edited.

    Sets `mica_check.level` and `mica_check.unchecked`, the number of memory operations that cannot be checked,
    and adds the number of new checks to `mica_check.inserted`.

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
                        "Checks to insert. none: no checks, and cf.assert is removed; divisions: integer divisions "
                        "whose divisor may be 0, shifts by a constant of the width or more, accesses of the program, and "
                        "others at positions that were loaded from memory or given to the kernel; safe: also asserts, "
                        "other shifts and views; warn, all: "
                        "every access as well (with "
                        "warn, a failed check does not fail the kernel)">,
                 Option<"programAccesses", "program-accesses", "bool", "true",
                        "Whether level divisions guards the accesses that the program itself makes in kernels; off for "
                        "targets without run-time checks of memory">];
  let dependentDialects = ["::mica::check::MicaCheckDialect", "::mlir::affine::AffineDialect",
                           "::mlir::arith::ArithDialect", "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect",
                           "::mlir::vector::VectorDialect"];
}

def ProveChecksPass : Pass<"mica-check-prove", "::mlir::func::FuncOp"> {
  let summary = "Eliminate checks that cannot fail";
  let description = [{
    Replaces a predicate of `mica_check` by true where it follows from the bounds of the enclosing loops, the
    arithmetic of the index, the sizes of the buffer, or the conditions that guard it. Uses upstream's value
    bounds and integer range analyses, and of a divisor that a comparison with 0 or -1 chooses. A branch whose
    condition is that predicate alone is replaced by what it guards; the others are folded by the canonicalization
    that follows.

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

def VersionChecksPass : Pass<"mica-check-version", "::mlir::func::FuncOp"> {
  let summary = "Check the accesses of a loop once, before it";
  let description = [{
    Computes, before the loops of a kernel, the smallest and the largest position of each access that is still
    checked, from the bounds of the loops (upstream's value bounds). If all are in bounds, a version of the loops
    runs that does not check these accesses, so that later passes optimize it as if there were no checks; else the
    version that checks each access, reports those that fail and does not execute them.

    A position that is not affine in what is known before the loops, such as one that is loaded, stays checked in
    both versions. The arithmetic before the loops cannot wrap: where a value that it uses is 2^40 or more, or below
    -2^40, the version with the checks runs.

    Precondition: loops have been distributed, because the versions are in the regions of an `scf.if`.

    Example:

    ```mlir
    %n = memref.dim %a, %c0 : memref<?xf32>
    scf.for %i = %c0 to %n step %c1 {
      %ok = mica_check.in_bounds %b[%i] : memref<?xf32>
      scf.if %ok {
        memref.store %v, %b[%i] : memref<?xf32>
      } else {
        mica_check.out_of_bounds store %b[%i] : memref<?xf32>
      }
    }
    // becomes
    scf.if %all_in_bounds {
      scf.for %i = %c0 to %n step %c1 {
        memref.store %v, %b[%i] : memref<?xf32>
      }
    } else {
      // the loop as it was
    }
    ```
  }];
  let dependentDialects = ["::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
                           "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect"];
}

def ProbeFloatsPass : Pass<"mica-check-probe-floats", "::mlir::func::FuncOp"> {
  let summary = "Report where NaN and infinities originate in the scalars of a host function";
  let description = [{
    Inserts a probe after each op that computes a scalar float: if the result is NaN or an infinity and no operand
    is, `mica_check.failed` reports the op's name and number of float operands, with the bits of the result and of
    the operands as f64. The runtime ignores the report unless `nan-check` is set.

    Example:

    ```mlir
    %0 = math.log %x : f32
    // becomes
    %0 = math.log %x : f32
    scf.if %originates {
      mica_check.failed "math.log 1" (%bits, %bits_x : i64, i64) {mica_check.report = "float"}
    }
    ```
  }];
  let dependentDialects = ["::mica::check::MicaCheckDialect", "::mlir::arith::ArithDialect",
                           "::mlir::math::MathDialect", "::mlir::scf::SCFDialect"];
}

def WatchLoopsPass : Pass<"mica-check-watch-loops", "::mlir::func::FuncOp"> {
  let summary = "Report the progress of loops periodically";
  let description = [{
    Counts the iterations of `scf.while` and, in host functions, of `scf.for`. In two of every 1024 iterations it
    reports the count and the loop-carried scalars, so that the runtime can end a loop that makes no progress
    (`hang-timeout`) or runs too long (`loop-timeout`), and can report where. The report holds the type of each
    value (`i`: an integer, `f`: the bits of a float) and whether the loop is `pure`: only these values change; in
    other loops memory may change too.

    The runtime checks loops that submit task lists at each submission. `scf.for` reports its index (`n`) in every
    iteration then, and all report the scalars that they carry (`launches`). An `scf.while` that carries none does not
    change, nor do loops without submissions that have fewer than 1024 iterations.

    Example:

    ```mlir
    scf.while (%x = %a) : (i64) -> i64 {
      %c = arith.cmpi slt, %x, %n : i64
      scf.condition(%c) %x : i64
    } do {
    ^bb0(%x: i64):
      %y = arith.addi %x, %s : i64
      scf.yield %y : i64
    }
    // becomes
    scf.while (%x = %a, %k = %c0) : (i64, i64) -> (i64, i64) {
      %c = arith.cmpi slt, %x, %n : i64
      scf.condition(%c) %x, %k : i64, i64
    } do {
    ^bb0(%x: i64, %k: i64):
      scf.if %due {
        mica_check.failed "pure i" (%k, %x : i64, i64) {mica_check.report = "loop"}
      }
      %y = arith.addi %x, %s : i64
      %next = arith.addi %k, %c1 : i64
      scf.yield %y, %next : i64, i64
    }
    ```
  }];
  let options = [Option<"inKernels", "kernels", "bool", "false",
                        "In a kernel: scf.while alone, and with what mica-check-number needs">];
  let dependentDialects = ["::mica::check::MicaCheckDialect", "::mlir::arith::ArithDialect",
                           "::mlir::scf::SCFDialect"];
}

def RemoveShadowsPass : Pass<"mica-check-remove-shadows", "::mlir::func::FuncOp"> {
  let summary = "Remove the shadow memory that mica-check-insert-shadows inserted";
  let description = [{
    Runs before a kernel that was edited by hand is instrumented again: the edit may have removed a store but
    not the store to its shadow. Canonicalization removes the ops that become dead.

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
  let summary = "Instrument kernels to report uses of uninitialized elements";
  let description = [{
    Gives each buffer a shadow (`mica_check.shadow`) that records for each of its elements whether it was
    written. Every store to the buffer also updates the shadow. When an element is moved, for example loaded and
    stored elsewhere, its shadow is moved with it. Any other use, for example in arithmetic, tests the shadow,
    and reports the use if the element was not written. The runtime supplies the shadows of kernel arguments. A
    buffer allocated in the kernel gets no shadow if it is filled with computed values before it is first read.

    The pass runs after mica-check-insert and mica-check-prove, so that each access to a shadow is guarded by
    the same condition as the access to the buffer. Sets `mica_check.shadows` and `mica_check.reads`, and
    `mica_check.fills` on arguments that the kernel writes in full.

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
  let options = [Option<"prove", "prove", "bool", "true",
                        "Omit checks and shadows where a buffer is provably written before it is read">];
  let dependentDialects = ["::mica::check::MicaCheckDialect", "::mlir::affine::AffineDialect",
                           "::mlir::arith::ArithDialect", "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect",
                           "::mlir::vector::VectorDialect"];
}

def VersionShadowsPass : Pass<"mica-check-version-shadows", "::mlir::func::FuncOp"> {
  let summary = "Add a version of the kernel without shadows for initialized arguments";
  let description = [{
    Duplicates the body of the kernel. The copy has no shadows of arguments. It also has no shadows of local
    buffers that are filled before they are read, unless some other local buffer may be read before it is fully
    written. `mica_check.partly` selects the version at run time: the copy runs where all arguments that are
    read are fully initialized and all others are written in full.

    Precondition: no later pass adds accesses to the kernel.

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
  let summary = "Assign site numbers to the remaining checks";
  let description = [{
    Numbers the reports of a function from 0 in program order and sets `mica_check.sites` to their count. Emits
    one analysis remark with the numbers of checks that were proved, kept and not possible, and one missed
    remark for each check that was kept.

    Example:

    ```mlir
    mica_check.out_of_bounds load %a[%i] : memref<?xf32>
    // becomes
    mica_check.out_of_bounds load %a[%i] {site = 0 : i64} : memref<?xf32>
    ```
  }];
}

def LowerChecksPass : Pass<"mica-check-lower", "::mlir::ModuleOp"> {
  let summary = "Lower predicates to arithmetic, and reports to calls that write the check log";
  let description = [{
    Appends an argument to the kernel's function, the check log of this launch (`mica_check_log_v1` in
    include/mica/ABI/Checks.h). Each report becomes a call of a function that increments the failure count of
    the site and, at the first failure, stores the values of the report in the log.

    With `stop-loops`, an `scf.while` around a report ends in the thread that reported. The value of what failed is 0,
    by which the loop may not end by itself.

    In a function without `mica_check.sites`, such as a host function, only predicates are lowered;
    convert-mica-sched-to-llvm lowers the reports.

    Precondition: sites are numbered (mica-check-number). Postcondition: no op of `mica_check` is left in
    kernels.

    Example:

    ```mlir
    %ok = mica_check.in_bounds %a[%i] : memref<8xf32>
    // becomes
    %ok = arith.cmpi ult, %i, %c8 : index
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::cf::ControlFlowDialect",
                           "::mlir::func::FuncDialect", "::mlir::LLVM::LLVMDialect", "::mlir::memref::MemRefDialect",
                           "::mlir::scf::SCFDialect", "::mlir::vector::VectorDialect"];
  let options = [Option<"stopLoops", "stop-loops", "bool", "false",
                        "End loops after a failed check, as where it is no mere warning">];
}

#endif // MICA_PASSES_CHECK_PASSES
