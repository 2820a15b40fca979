//===- NumberPasses.td - passes on types of numbers -----------------*- tablegen -*-===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------===//
//
// Passes of the reference lowering on numbers that LLVM or the C library does not compute with.
//
//===------------------------------------------------------------------------------===//

#ifndef MICA_PASSES_CODEGEN_REFERENCE_NUMBERPASSES
#define MICA_PASSES_CODEGEN_REFERENCE_NUMBERPASSES

include "mlir/Pass/PassBase.td"

def WidenComplex : Pass<"mica-reference-widen-complex"> {
  let summary = "Compute tangents of complex numbers in f64";
  let description = [{
    Upstream's `convert-complex-to-standard` expands `complex.tan` and `complex.tanh` to a quotient that is inaccurate
    near the poles. This pass runs before it. Those of complex<f64> stay.

    Example:

    ```mlir
    %0 = complex.tanh %z : complex<f32>
    // becomes
    %1 = complex.tanh %wide : complex<f64>
    %re = complex.re %1 : complex<f64>
    %re_f32 = arith.truncf %re : f64 to f32
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::complex::ComplexDialect"];
}

def ExpandScalars : Pass<"mica-reference-expand-scalars"> {
  let summary = "Expand scalar and memory ops that have no lowering to LLVM";
  let description = [{
    Expands divisions that round up or down, powers with integer exponents, `maxnumf` and `minnumf`, `rsqrt`,
    `clampf`, `absi`, `copysign`, `sincos`, counts of bits, classifications of floats, loads and stores of `i4`,
    whose elements take one byte each, `memref.generic_atomic_rmw`, which becomes a load and a store, and
    `memref.copy`, which becomes loops.

    Example:

    ```mlir
    %0 = math.isnan %x : f32
    // becomes
    %0 = arith.cmpf uno, %x, %x : f32
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::math::MathDialect", "::mlir::memref::MemRefDialect",
                           "::mlir::scf::SCFDialect", "::mlir::vector::VectorDialect", "::mlir::LLVM::LLVMDialect"];
}

def ComputeNarrowFloats : Pass<"mica-reference-compute-narrow-floats"> {
  let summary = "Expand arithmetic on floats of fewer than 32 bits to f64";
  let description = [{
    Ops on f16, bf16 and the f8 types are computed in f64, and the result is rounded once. Conversions from and
    to these types become arithmetic on integers and f64. So does an `arith.truncf` to f32 with a rounding mode,
    which upstream's lowering leaves out.

    Example:

    ```mlir
    %0 = arith.addf %a, %b : bf16
    // becomes, with each conversion some fifteen operations
    %1 = arith.extf %a : bf16 to f64
    %2 = arith.extf %b : bf16 to f64
    %3 = arith.addf %1, %2 : f64
    %0 = arith.truncf %3 : f64 to bf16
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::math::MathDialect"];
}

def RaiseNarrowFloats : Pass<"mica-reference-raise-narrow-floats"> {
  let summary = "Raise arithmetic of the LLVM dialect on narrow floats to arith and math";
  let description = [{
    For programs that a pipeline has lowered to the LLVM dialect: arithmetic, conversions, comparisons, math
    intrinsics and reductions of vectors on floats of fewer than 32 bits become the ops that
    `mica-reference-compute-narrow-floats` expands. Without that, the program needs instructions or library
    functions for these types, which the host may lack.

    Example:

    ```mlir
    %0 = llvm.fptrunc %a : f32 to bf16
    // becomes
    %0 = arith.truncf %a : f32 to bf16
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::math::MathDialect",
                           "::mlir::vector::VectorDialect"];
}

def CarryBits : Pass<"mica-reference-carry-bits", "mlir::ModuleOp"> {
  let summary = "Represent 16-bit floats as integers of the same width";
  let description = [{
    Applies to functions and globals of the LLVM dialect, for targets without registers for these types.

    Precondition: values of these types are moved but no longer computed with.

    Example:

    ```mlir
    %0 = llvm.load %p : !llvm.ptr -> bf16
    // becomes, with types=bf16
    %0 = llvm.load %p : !llvm.ptr -> i16
    ```
  }];
  let options = [ListOption<"types", "types", "std::string",
                            "16-bit float types (f16, bf16) for which the target has no registers. Default: none">];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
}

#endif // MICA_PASSES_CODEGEN_REFERENCE_NUMBERPASSES
