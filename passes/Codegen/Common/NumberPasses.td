//===- NumberPasses.td - passes on types and functions of numbers ----*- tablegen -*-===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------===//
//
// Passes of kernels on numbers that the target does not compute with, or slowly.
//
//===------------------------------------------------------------------------------===//

#ifndef MICA_PASSES_CODEGEN_COMMON_NUMBERPASSES
#define MICA_PASSES_CODEGEN_COMMON_NUMBERPASSES

include "mlir/Pass/PassBase.td"

def PromoteAccumulatorsPass : Pass<"mica-codegen-promote-accumulators", "::mlir::func::FuncOp"> {
  let summary = "Promote accumulators of narrow floats to f32";
  let description = [{
    A `linalg` op on tensors that adds or multiplies into an accumulator narrower than f32 (bf16, f16, f8) gets
    an f32 accumulator and computes in f32. A separate op rounds the result once. Maxima and minima are exact in
    any type and stay unchanged.

    Example:

    ```mlir
    %0 = linalg.matmul ins(%a, %b : tensor<4x8xbf16>, tensor<8x4xbf16>) outs(%c : tensor<4x4xbf16>) -> tensor<4x4xbf16>
    // becomes
    %1 = linalg.generic {...} ins(%c : tensor<4x4xbf16>) outs(%e : tensor<4x4xf32>) { arith.extf }
    %2 = linalg.generic {...} ins(%a, %b : ...) outs(%1 : tensor<4x4xf32>) { arith.extf, arith.extf, arith.mulf, arith.addf }
    %0 = linalg.generic {...} ins(%2 : tensor<4x4xf32>) outs(%f : tensor<4x4xbf16>) { arith.truncf }
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect",
                           "::mlir::tensor::TensorDialect"];
}

def ExpandNarrowFloatCastsPass : Pass<"mica-codegen-expand-narrow-float-casts", "::mlir::func::FuncOp"> {
  let summary = "Expand arithmetic on narrow floats to f32";
  let description = [{
    Arithmetic on f8E4M3FN and f8E5M2, and `math` ops on bf16 and f16, are computed in f32, and each result is
    rounded to nearest, ties to even. Conversions to and from the f8 types become integer arithmetic on their
    bits. Values that are too large become NaN in f8E4M3FN, which has no infinity, and infinity in f8E5M2.

    For the 16-bit floats listed in `types`, all arithmetic and the conversions are expanded as well. This is
    for targets without correct conversion instructions (x86: bf16, and f16 without F16C).

    An `arith.truncf` with a rounding mode, between any float types, becomes one without: where the nearest number is
    on the wrong side of the operand, its neighbor is taken. A number beyond the largest one becomes that one if the
    mode rounds it toward zero.

    Example:

    ```mlir
    %0 = arith.addf %a, %b : f8E5M2
    // becomes, with the conversions written as arith.extf and arith.truncf
    %1 = arith.extf %a : f8E5M2 to f32
    %2 = arith.extf %b : f8E5M2 to f32
    %3 = arith.addf %1, %2 : f32
    %0 = arith.truncf %3 : f32 to f8E5M2
    ```
  }];
  let options = [ListOption<"types", "types", "std::string",
                            "16-bit float types (f16, bf16) that the target cannot convert to and from f32. Default: "
                            "none">];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::math::MathDialect",
                           "::mlir::vector::VectorDialect"];
}

def LegalizeFloatStoragePass : Pass<"mica-codegen-legalize-float-storage"> {
  let summary = "Represent 16-bit floats as integers of the same width";
  let description = [{
    Replaces the 16-bit floats listed in `types` by i16 in functions and globals of the LLVM dialect, in a module or
    a `gpu.module`. Nested modules stay unchanged. Where the target has no registers for these types, LLVM would call conversion
    routines even to move them, and programs are not linked with these routines.

    Precondition: mica-codegen-expand-narrow-float-casts has run with the same option, so that values of these types are
    moved but no longer computed with.

    Example:

    ```mlir
    %0 = llvm.load %p {alignment = 2 : i64} : !llvm.ptr -> vector<8xbf16>
    // becomes, with types=bf16
    %0 = llvm.load %p {alignment = 2 : i64} : !llvm.ptr -> vector<8xi16>
    ```
  }];
  let options = [ListOption<"types", "types", "std::string",
                            "16-bit float types (f16, bf16) that the target cannot convert to and from f32. Default: "
                            "none">];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
}

def ConvertExpm1Log1pPass : Pass<"mica-codegen-convert-expm1-log1p", "mlir::ModuleOp"> {
  let summary = "Convert math.expm1 and math.log1p to libm calls";
  let description = [{
    Upstream's `convert-math-to-llvm` lowers these ops to `exp(x) - 1` and `log(1 + x)`, which lose all
    significant digits for small `x`. Run this pass before it. Vectors become one call per element; f16 and bf16
    are computed in f32.

    Postcondition: no `math.expm1` or `math.log1p` is left, except in nested modules.

    Example:

    ```mlir
    %0 = math.expm1 %x : f64
    // becomes
    %0 = func.call @expm1(%x) : (f64) -> f64
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::func::FuncDialect", "::mlir::vector::VectorDialect"];
}

def DefineExtremaPass : Pass<"mica-codegen-define-extrema"> {
  let summary = "Define the order of signed zeros in maxnum and minnum";
  let description = [{
    LLVM does not specify whether `maxnum` of -0 and +0 is -0 or +0, so that the result may depend on the vector
    width. After this pass, `arith.maxnumf` and `arith.minnumf` behave as maximumNumber and minimumNumber of
    IEEE 754-2019, on scalars, on vectors and in reductions: if one operand is NaN the result is the other one,
    and -0 is less than +0.

    Precondition: the IR is in the LLVM dialect. Postcondition: no `llvm.intr.maxnum`, no `llvm.intr.minnum` and
    no reduction by them is left.

    Example:

    ```mlir
    %0 = llvm.intr.maxnum(%a, %b) : (f32, f32) -> f32
    // becomes
    %0 = llvm.call_intrinsic "llvm.maximumnum"(%a, %b) : (f32, f32) -> f32
    ```
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
}

def ExpandPowersPass : Pass<"mica-codegen-expand-powers", "mlir::func::FuncOp"> {
  let summary = "Expand fpowi, isinf, isnormal, clampf, scan, multi_reduction and bit counts of matrices";
  let description = [{
    Expands ops that the conversions to LLVM do not support, or support on scalars only:

    - `math.fpowi` becomes multiplications if the exponent is constant. Otherwise the exponent is converted to
      float, which is exact up to 2^24 for f32 and 2^53 for f64, and the op becomes `math.powf`.
    - `math.isinf` and `math.isnormal` compare the magnitude with infinity and with the smallest and the largest
      normal number.
    - `math.clampf` becomes a maximum and a minimum.
    - `vector.scan` and `vector.multi_reduction` become arithmetic on parts of their vectors.
    - `math.absi`, `math.ctlz` and `math.cttz` of vectors of several dimensions work on vectors of one.

    Postcondition: none of these ops is left.

    Example:

    ```mlir
    %c2 = arith.constant dense<2> : vector<4xi32>
    %0 = math.fpowi %x, %c2 : vector<4xf32>, vector<4xi32>
    // becomes
    %0 = arith.mulf %x, %x : vector<4xf32>
    ```
  }];
  let dependentDialects = ["mlir::arith::ArithDialect", "mlir::math::MathDialect", "mlir::vector::VectorDialect"];
}

def ExpandCeilDivisionsPass : Pass<"mica-codegen-expand-ceil-divisions"> {
  let summary = "Expand affine ceildiv without an overflow";
  let description = [{
    Upstream's `lower-affine` negates the dividend of `ceildiv`, which overflows for the smallest number, so that the
    quotient has the wrong sign. This pass runs before it and converts affine ops with such a map to arithmetic, and
    then also the affine loops and accesses of the function, to `scf`, `memref` and `vector`. Divisions of sizes,
    constants and loop variables that are not negative stay.

    Example:

    ```mlir
    %0 = affine.apply affine_map<(a) -> (a ceildiv 4)>(%x)
    // becomes the arithmetic of
    %0 = affine.apply affine_map<(a) -> (a floordiv 4 - (-(a mod 4)) floordiv 4)>(%x)
    ```
  }];
  let dependentDialects = ["::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
                           "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect",
                           "::mlir::vector::VectorDialect"];
}

def EmulateNarrowIntsPass : Pass<"mica-codegen-emulate-narrow-ints", "::mlir::func::FuncOp"> {
  let summary = "Emulate i4 in memory and expand integer powers";
  let description = [{
    Accesses of `memref` and `vector` to a buffer of i4 become accesses to bytes. A load uses the low four bits
    of the byte; a store writes the sign-extended value. `math.ipowi` becomes a sequence of multiplications and
    selects whose length is proportional to the bit width; 0 to a negative power is 0.

    Example:

    ```mlir
    %0 = memref.load %m[%i] : memref<8xi4>
    // becomes
    %b = builtin.unrealized_conversion_cast %m : memref<8xi4> to memref<8xi8>
    %1 = memref.load %b[%i] : memref<8xi8>
    %0 = arith.trunci %1 : i8 to i4
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def ApproximateMathPass : Pass<"mica-codegen-approximate-math"> {
  let summary = "Expand f32 math functions into vector arithmetic";
  let description = [{
    `exp`, `log`, `tanh`, `erf`, `sin`, `cos`, `powf` and similar ops on f32, which would become a call to libm
    per element, become arithmetic on whole vectors. Results are accurate to a few units in the last place,
    including subnormal results and signed zeros; NaN and infinities give the results that IEEE 754 defines.
    `sin` and `cos` are accurate for every f32: vectors with an element of magnitude 2^29 or more take a branch
    that reduces the argument exactly. Other element types are left to libm.

    Also expanded are:

    - `arith.maximumf` and `arith.minimumf` on vectors, into comparisons and selects (NaN is propagated, and -0
      is less than +0): with a constant operand always, of two variable operands with `extrema`. Those marked
      `mica.softmax`, and the reduction of a vector by them, take one instruction, which does not propagate NaN;
    - the division of an f32 vector by a splat, if it has the fast-math flag `arcp`, into a multiplication by
      the reciprocal. The error is at most 1.5 units in the last place; the reciprocal of the divisor must be a
      normal number.

    Example:

    ```mlir
    %0 = arith.divf %a, %splat fastmath<arcp> : vector<16xf32>   // %splat = vector.broadcast %s
    // becomes
    %1 = arith.divf %one, %s : f32
    %2 = vector.broadcast %1 : f32 to vector<16xf32>
    %0 = arith.mulf %a, %2 : vector<16xf32>
    ```
  }];
  let options = [Option<"extrema", "extrema", "bool", "true",
                        "Expand maximumf and minimumf of two variable vectors, for targets without such an instruction">];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::math::MathDialect", "::mlir::scf::SCFDialect",
                           "::mlir::vector::VectorDialect"];
}

#endif // MICA_PASSES_CODEGEN_COMMON_NUMBERPASSES
