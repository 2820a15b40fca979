//===- Passes.td - passes of the area Cpu ----------------------------*- tablegen -*-===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------===//

#ifndef MICA_PASSES_CPU_PASSES
#define MICA_PASSES_CPU_PASSES

include "mlir/Pass/PassBase.td"

def DecomposeOpsPass : Pass<"mica-cpu-decompose-ops", "::mlir::ModuleOp"> {
  let summary = "Rewrite concat, pad, pack, unpack, softmax and named linalg ops as fills, slices and generics";
  let description = [{
    Leaves the few forms that the strategies and the general path handle: `linalg.generic`, `tensor.insert_slice`,
    `tensor.extract_slice` and reshapes.

    Example:

    ```mlir
    %0 = linalg.exp ins(%a : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
    // becomes
    %0 = linalg.generic {...} ins(%a : tensor<8xf32>) outs(%e : tensor<8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %1 = math.exp %in : f32
      linalg.yield %1 : f32
    } -> tensor<8xf32>
    ```
  }];
  let options = [Option<"maxIterations", "max-iterations", "int64_t", "10",
                        "Rounds over the IR after which the rewriting stops">];
  let dependentDialects = ["::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
                           "::mlir::linalg::LinalgDialect", "::mlir::math::MathDialect", "::mlir::scf::SCFDialect",
                           "::mlir::tensor::TensorDialect"];
}

def DropEmptyLoopsPass : Pass<"mica-cpu-drop-empty-loops", "::mlir::func::FuncOp"> {
  let summary = "Ops without an element to compute leave";
  let description = [{
    A structured op on tensors one of whose loops has the static size 0 is replaced by its inits, a `tensor.insert_slice` of a
    slice without elements by its destination.

    Example:

    ```mlir
    %f = linalg.fill ins(%c : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
    %1 = linalg.reduce {arith.addf} ins(%a : tensor<0x4xf32>) outs(%f : tensor<4xf32>) dimensions = [0]
    // becomes
    %f = linalg.fill ins(%c : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
    ```
  }];
}

def WidenReductionsPass : Pass<"mica-cpu-widen-reductions", "::mlir::func::FuncOp"> {
  let summary = "Make sums of floats with fewer bits than f32 in f32";
  let description = [{
    A `linalg` op on tensors whose accumulator is bf16, f16 or smaller and goes through an addition or multiplication gets
    an f32 accumulator and a body in f32; its result is rounded once, by an op of its own. Maxima and minima are exact as
    they are and stay.

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

def EmulateSmallFloatsPass : Pass<"mica-cpu-emulate-small-floats", "::mlir::func::FuncOp"> {
  let summary = "Compute floats that the machine has no arithmetic for in f32";
  let description = [{
    Arithmetic on f8E4M3FN and f8E5M2, and functions of the math dialect on bf16 and f16 besides, become f32 with a rounding
    to nearest even after each operation. Conversions to and from the f8 types become integer arithmetic on their bits;
    what is too large becomes NaN in f8E4M3FN, which has no infinity, and infinity in f8E5M2. The same becomes of the 16-bit
    floats that `types` names, as a machine without right conversions of its own needs it (x86: bf16, and f16 without F16C).

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
                            "16-bit floats (f16, bf16) that the machine does not convert to and from f32; default: none">];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::vector::VectorDialect"];
}

def CarrySmallFloatsPass : Pass<"mica-cpu-carry-small-floats", "::mlir::ModuleOp"> {
  let summary = "Move floats that no register holds as their bits";
  let description = [{
    In functions and globals of the LLVM dialect, the 16-bit floats that `types` names become integers; those of nested modules stay.
    To be run behind `mica-cpu-emulate-small-floats` with the same option, when nothing computes with them any more.

    Example:

    ```mlir
    %0 = llvm.load %p {alignment = 2 : i64} : !llvm.ptr -> vector<8xbf16>
    // becomes, with types=bf16
    %0 = llvm.load %p {alignment = 2 : i64} : !llvm.ptr -> vector<8xi16>
    ```
  }];
  let options = [ListOption<"types", "types", "std::string",
                            "16-bit floats (f16, bf16) that the machine does not convert to and from f32; default: none">];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
}

def ConvertExpm1Log1pPass : Pass<"mica-cpu-convert-expm1-log1p", "mlir::ModuleOp"> {
  let summary = "Convert math.expm1 and math.log1p to calls of libm";
  let description = [{
    Upstream's `convert-math-to-llvm` computes `exp(x) - 1` and `log(1 + x)`, which lose all digits of a small `x`. Run this pass
    before it. Vectors become one call per element; f16 and bf16 are computed in f32.

    On entry: anything. On exit: no `math.expm1`, `math.log1p` outside of nested modules.

    Example:

    ```mlir
    %0 = math.expm1 %x : f64
    // becomes
    %0 = func.call @expm1(%x) : (f64) -> f64
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::func::FuncDialect", "::mlir::vector::VectorDialect"];
}

def DefineExtremaPass : Pass<"mica-cpu-define-extrema"> {
  let summary = "Give maxnum and minnum a defined order of -0 and +0";
  let description = [{
    LLVM leaves open whether `maxnum` of -0 and +0 is -0 or +0, and so the answer depends on the width of the vectors. Behind
    this pass `arith.maxnumf` and `arith.minnumf` are maximumNumber and minimumNumber of IEEE 754-2019, for scalars and
    vectors and in reductions: the other operand where one is NaN, and -0 is less than +0.

    On entry: the LLVM dialect. On exit: no `llvm.intr.maxnum`, `llvm.intr.minnum` and no reduction by them.

    Example:

    ```mlir
    %0 = llvm.intr.maxnum(%a, %b) : (f32, f32) -> f32
    // becomes
    %0 = llvm.call_intrinsic "llvm.maximumnum"(%a, %b) : (f32, f32) -> f32
    ```
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
}

def ExpandPowersPass : Pass<"mica-cpu-expand-powers", "mlir::func::FuncOp"> {
  let summary = "Expand powers with integer exponents, clampf, isinf and isnormal";
  let description = [{
    The target has no instruction for `math.fpowi`, and the conversion to LLVM takes it on scalars only. A constant exponent
    becomes products; another one becomes a float, which it is exactly up to 2^24 (f32) and 2^53 (f64). That conversion does
    not take `math.isinf`, `math.isnormal` and `math.clampf` at all: the first two compare the magnitude with infinity, the least and the
    largest number, the third is a minimum and a maximum. Nor does it take `vector.scan` and `vector.multi_reduction`, which become
    arithmetic on parts of their vectors.

    On entry: anything. On exit: no `math.fpowi`, `math.isinf`, `math.isnormal`, `math.clampf`, `vector.scan`, `vector.multi_reduction`.

    Example:

    ```mlir
    %c2 = arith.constant dense<2> : vector<4xi32>
    %0 = math.fpowi %x, %c2 : vector<4xf32>, vector<4xi32>
    // becomes
    %0 = arith.mulf %x, %x : vector<4xf32>
    ```
  }];
  let dependentDialects = ["mlir::arith::ArithDialect", "mlir::math::MathDialect"];
}

def EmulateIntegersPass : Pass<"mica-cpu-emulate-integers", "::mlir::func::FuncOp"> {
  let summary = "Keep i4 in bytes, and make powers of integers of multiplications";
  let description = [{
    Loads and stores of `memref` and `vector` that touch a buffer of i4 touch it as bytes: of what is loaded the four low
    bits count, what is stored is sign-extended. `math.ipowi` becomes multiplications and selects, as many as its type has
    bits; 0 to a negative power is 0.

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

def ConvertCopiesPass : Pass<"mica-cpu-convert-copies"> {
  let summary = "Turn memref.copy into linalg.generic";
  let description = [{
    A strided `memref.copy` would become a call into MLIR's runner library. As `linalg.generic` it becomes loops, vectors
    and part of loop fusion. Copies of a view onto itself are removed.

    Example:

    ```mlir
    memref.copy %a, %b : memref<4x8xf32, strided<[16, 1]>> to memref<4x8xf32>
    // becomes
    linalg.generic {...} ins(%a : memref<4x8xf32, strided<[16, 1]>>) outs(%b : memref<4x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    }
    ```
  }];
  let dependentDialects = ["::mlir::linalg::LinalgDialect"];
}

def AllocateScratchPass : Pass<"mica-cpu-allocate-scratch", "::mlir::func::FuncOp"> {
  let summary = "Put a kernel's temporaries on the stack or into its scratch argument";
  let description = [{
    Small buffers of constant size go to the stack; larger ones become views into one argument `%scratch: memref<Nxi8>`,
    sharing bytes where their lifetimes are disjoint; sizes with a constant upper bound count as constant. What is known
    only at run time stays `memref.alloc` and is freed at the end of its block. The function gets `mica_sched.scratch_bytes`.

    Example:

    ```mlir
    func.func @k(%a: memref<512x512xf32>) {
      %t = memref.alloc() : memref<512x512xf32>
    // becomes
    func.func @k(%a: memref<512x512xf32>, %scratch: memref<1048576xi8>)
        attributes {mica_sched.scratch_bytes = 1048576 : i64} {
      %c0 = arith.constant 0 : index
      %t = memref.view %scratch[%c0][] : memref<1048576xi8> to memref<512x512xf32>
    ```
  }];
  let options = [Option<"stackBytes", "stack-bytes", "int64_t", "16384", "Largest temporary in bytes kept on the stack">,
                 Option<"stackTotalBytes", "stack-total-bytes", "int64_t", "65536",
                        "Bytes of all temporaries of a kernel on the stack">];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::memref::MemRefDialect"];
}

def LowerDynamicAllocsPass : Pass<"mica-cpu-lower-dynamic-allocs", "::mlir::ModuleOp"> {
  let summary = "Convert allocations to calls of the runtime's memory service";
  let description = [{
    `memref.alloc`, and `memref.alloca` of a size that is unknown or larger than `stack-bytes`, call `allocate` of the table
    `mica_memory_api` (include/mica/ABI/Memory.h), which checks sizes and memory. `memref.dealloc` calls `release`, or, with
    `keeps-all`, goes away: the memory then lives until the call of the runtime ends.

    Example:

    ```mlir
    %t = memref.alloc(%n) : memref<?xf32>
    // becomes
    %p = llvm.call %allocate(%name, %four, %sizes, %one) : !llvm.ptr, (!llvm.ptr, i64, !llvm.ptr, i64) -> !llvm.ptr
    ```
  }];
  let options = [Option<"stackBytes", "stack-bytes", "int64_t", "65536", "Largest memref.alloca in bytes that stays one">,
                 Option<"keepsAll", "keeps-all", "bool", "false", "Take memref.dealloc away">];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::LLVM::LLVMDialect", "::mlir::memref::MemRefDialect"];
}

def DistributePass : Pass<"mica-cpu-distribute", "::mlir::func::FuncOp"> {
  let summary = "Divide a kernel's marked loop into shares of work";
  let description = [{
    Appends the arguments `%part` and `%parts` and makes the outermost `scf.forall` that carries `mica_codegen.distribute` a loop
    over this share of its iterations, linearised: [total * part / parts, total * (part + 1) / parts). The attribute's
    value, where it is an integer, limits the number of shares that are worth having. Other `scf.forall` become loops. A
    kernel without a marked loop, or one that writes its arguments outside of it, is serial: only share 0 works. Sets
    `mica_sched.grid`: the number of shares, 1 for a serial kernel, -1 if known only at run time. A written buffer of which
    iteration k writes at most the elements k * n to (k + 1) * n gets `mica.share_elements = n`.

    Example:

    ```mlir
    scf.forall (%i) in (64) { ... } {mica_codegen.distribute}
    // becomes
    %b = 64 * %part / %parts
    %e = 64 * (%part + 1) / %parts
    scf.for %i = %b to %e step %c1 { ... }
    ```
  }];
  let dependentDialects = ["::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect"];
}

def ConvertKernelEntryPass : Pass<"mica-cpu-convert-kernel-entry", "::mlir::ModuleOp"> {
  let summary = "Make the function that the runtime calls for a kernel";
  let description = [{
    Replaces the kernel function by an internal body on bare, non-aliasing, aligned pointers and the exported
    `mica_kernel_<name>` of include/mica/ABI/Kernel.h, which loads the body's arguments from the structure it is given.
    Works on modules with the attribute `mica_sched.kernel` and functions with `mica_sched.grid`.

    Example:

    ```mlir
    func.func @relu(%a: memref<8xf32>, %o: memref<8xf32>, %part: index, %parts: index)
    // becomes
    func.func private @mica_body_relu(%a: !llvm.ptr {llvm.noalias, ...}, %o: !llvm.ptr {...}, %part: i64, %parts: i64)
    func.func @mica_kernel_relu(%args: !llvm.ptr) -> i32
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::func::FuncDialect", "::mlir::LLVM::LLVMDialect"];
}

def VectorizeLoopsPass : Pass<"mica-cpu-vectorize-loops", "::mlir::func::FuncOp"> {
  let summary = "Write linalg ops on buffers as nests of vector loops";
  let description = [{
    Every `linalg.generic` on buffers becomes `scf.for` loops whose innermost one works on vectors as wide as is useful
    (several registers), with narrower loops for what is left; neighbouring ops over the same iterations that only meet in
    elements just computed share a nest. Accumulators of reductions, argmax included, are registers; long float sums are
    made of the sums of blocks, which keeps rounding errors small.

    On entry: linalg on memrefs. On exit: no linalg.

    Example:

    ```mlir
    linalg.generic {...} ins(%a : memref<1024xf32>) outs(%o : memref<1024xf32>) {
    ^bb0(%in: f32, %out: f32):
      %0 = arith.negf %in : f32
      linalg.yield %0 : f32
    }
    // becomes
    scf.for %i = %c0 to %c1024 step %c64 {
      %0 = vector.load %a[%i] : memref<1024xf32>, vector<64xf32>
      %1 = arith.negf %0 : vector<64xf32>
      vector.store %1, %o[%i] : memref<1024xf32>, vector<64xf32>
    }
    ```
  }];
  let options = [Option<"vectorBits", "vector-bits", "int64_t", "512",
                        "Width in bits of a vector register; 0: scalar loops, none shared">];
  let dependentDialects = ["::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
                           "::mlir::linalg::LinalgDialect", "::mlir::LLVM::LLVMDialect",
                           "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect",
                           "::mlir::vector::VectorDialect"];
}

def ApproximateMathPass : Pass<"mica-cpu-approximate-math"> {
  let summary = "Expand exp, tanh, erf, log and others on f32 into vector arithmetic";
  let description = [{
    What would be a call into libm per element becomes arithmetic on the whole vector, within a few units in the last
    place, subnormal results and signs of zero included; NaN and infinities give what they should. sin and cos are right for
    every f32: vectors with an element of magnitude 2^29 or more take a branch that reduces the angle exactly. `maximumf`
    and `minimumf` on vectors become comparisons and selections (NaN stays NaN, -0 is less than +0), those of two vectors with
    `extrema` alone, and a division of an f32 vector by a splat that carries the flag `arcp` becomes a multiplication by its
    inverse (at most 1.5 units in the last place; the divisor's inverse must be a normal number). Other types are left to
    libm.

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
                        "Expand maximumf and minimumf of two vectors: the target has no instruction for them">];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::math::MathDialect", "::mlir::scf::SCFDialect",
                           "::mlir::vector::VectorDialect"];
}

//===------------------------------------------------------------------------------===//
// Contraction, convolution and pooling
//===------------------------------------------------------------------------------===//

def PlanContractionPass : Pass<"mica-cpu-plan-contraction", "::mlir::func::FuncOp"> {
  let summary = "Choose register blocks, packing and tiles for a contraction, convolution or pooling";
  let description = [{
    Looks for the one linalg op on tensors that a kernel's work lies in: a contraction of two operands in any layout, a
    convolution or a pooling. Writes the decision onto it as `mica_codegen.lowering_config`, and a line of text onto the
    function as `mica_sched.strategy`. A named op becomes a `linalg.generic`; transposes and broadcasts of its operands
    become part of its indexing maps. Functions without such an op, or with another reduction beside it, stay as they are.

    Example:

    ```mlir
    %0 = linalg.matmul ins(%a, %b : ...) outs(%c : ...) -> tensor<512x512xf32>
    // becomes
    %0 = linalg.generic {...} ins(%a, %b : ...) outs(%c : ...)
        attrs = {mica_codegen.lowering_config = #mica_codegen.contraction_config<form = outer, lane_dim = 1, row_dim = 0,
                 rows = 14, columns = 32, lanes = 16, order = lanes_outer, tile_sizes = [126, 128, 0]>} {...}
    ```
  }];
  let options = [Option<"vectorBits", "vector-bits", "int64_t", "512", "Width in bits of a vector register">,
                 Option<"l1Bytes", "l1-bytes", "int64_t", "32768", "Size in bytes of a core's first-level data cache">,
                 Option<"l2Bytes", "l2-bytes", "int64_t", "1048576", "Size in bytes of a core's second-level cache">];
  let dependentDialects = ["::mica::codegen::MicaCodegenDialect", "::mlir::linalg::LinalgDialect", "::mlir::tensor::TensorDialect"];
}

def TileContractionPass : Pass<"mica-cpu-tile-contraction", "::mlir::func::FuncOp"> {
  let summary = "Cut a planned contraction and the ops fused with it into tiles";
  let description = [{
    Parallel loops become one `scf.forall` with the attribute `mica_codegen.distribute`, which holds the contraction, the op that
    initialises its result and its elementwise consumers; long reduction loops become an `scf.for` inside.

    Example:

    ```mlir
    %0 = linalg.generic {...} attrs = {mica_codegen.lowering_config =
        #mica_codegen.contraction_config<..., tile_sizes = [128, 64, 0]>}
    // becomes
    %0 = scf.forall (%i, %j) = (0, 0) to (512, 512) step (128, 64) shared_outs(%o = %c) -> (tensor<512x512xf32>) {
      %1 = linalg.generic {...} ins(%a_slice, %b_slice : ...) outs(%o_slice : ...)
      scf.forall.in_parallel { tensor.parallel_insert_slice %1 into %o[%i, %j] [128, 64] [1, 1] ... }
    } {mica_codegen.distribute}
    ```
  }];
  let options = [Option<"maxIterations", "max-iterations", "int64_t", "10",
                        "Rounds over the IR after which the simplification of slices stops">];
  let dependentDialects = ["::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
                           "::mlir::linalg::LinalgDialect", "::mlir::scf::SCFDialect",
                           "::mlir::tensor::TensorDialect"];
}

def VectorizeContractionPass : Pass<"mica-cpu-vectorize-contraction", "::mlir::func::FuncOp"> {
  let summary = "Replace a planned contraction by loops over register blocks of vectors";
  let description = [{
    Runs after bufferization. A planned contraction becomes loops that hold a block of results in vector values:
    the reduction carries them as loop arguments, the op that initialises and the ops that consume the result work on
    them before they are stored. Float sums of more than a few hundred steps are made of the sums of blocks. Works on any sizes, static or not: the last vector of a row is masked, the last rows are
    a smaller block.

    Example:

    ```mlir
    linalg.generic {...} ins(%a, %b) outs(%c) attrs = {mica_codegen.lowering_config =
        #mica_codegen.contraction_config<form = outer, ..., rows = 2, columns = 16, ...>}
    // becomes
    scf.for %j ... { scf.for %i ... {
      %s:2 = scf.for %k ... iter_args(%s0 = %c0, %s1 = %c1) -> (vector<16xf32>, vector<16xf32>) {
        %b0 = vector.transfer_read %b[%k, %j] ...
        %a0 = memref.load %a[%i, %k]
        %v0 = vector.broadcast %a0
        %n0 = vector.fma %v0, %b0, %s0
        ...
    ```
  }];
  let dependentDialects = ["::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect",
                           "::mlir::LLVM::LLVMDialect", "::mlir::memref::MemRefDialect",
                           "::mlir::vector::VectorDialect"];
}

def TileRowsPass : Pass<"mica-cpu-tile-rows", "::mlir::func::FuncOp"> {
  let summary = "Put chains of elementwise ops and reductions into one loop over rows";
  let description = [{
    Finds the dimensions along which every op of the kernel is parallel and tiles the whole chain by them, a row (or a few
    short rows, or a block of a row) at a time, in one `scf.forall` marked `mica_codegen.distribute`. Intermediates become a row
    long. Sets `mica_sched.strategy`: "rows", or "general" and the reason; functions that have the attribute are skipped.

    On entry: linalg.generic on tensors. On exit: the same, inside the loop.

    Example:

    ```mlir
    %0 = linalg.generic {...} ins(%a : tensor<64x1024xf32>) outs(%e : tensor<64x1024xf32>) { ... }
    bufferization.materialize_in_destination %0 in restrict writable %o
    // becomes
    %0 = scf.forall (%i) in (64) shared_outs(%out = %e) {
      %1 = tensor.extract_slice %a[%i, 0] [1, 1024] [1, 1] : tensor<64x1024xf32> to tensor<1x1024xf32>
      %2 = linalg.generic {...} ins(%1 : tensor<1x1024xf32>) outs(... : tensor<1x1024xf32>) { ... }
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %2 into %out[%i, 0] [1, 1024] [1, 1] : ...
      }
    } {mica_codegen.distribute = 4 : i64}
    bufferization.materialize_in_destination %0 in restrict writable %o
    ```
  }];
  let options = [Option<"rowElements", "row-elements", "int64_t", "1024",
                        "Elements up to which short rows are taken together">,
                 Option<"blockElements", "block-elements", "int64_t", "4096",
                        "Elements of a block where the contiguous dimension is divided">,
                 Option<"shareElements", "share-elements", "int64_t", "32768",
                        "Work, in simple operations on elements, below which another share is not worth having">];
  let dependentDialects = ["::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
                           "::mlir::linalg::LinalgDialect", "::mlir::scf::SCFDialect", "::mlir::tensor::TensorDialect"];
}

def FuseElementwisePass : Pass<"mica-cpu-fuse-elementwise", "::mlir::func::FuncOp"> {
  let summary = "Join elementwise linalg ops with the ops that read their results";
  let description = [{
    The value between two joined ops is a register. A result with one reader is always joined; one with several is
    computed again for each if that takes at most `max-repeated-ops` simple operations.

    Example:

    ```mlir
    %d = linalg.generic {...} ins(%x, %m : ...) { arith.subf }
    %r = linalg.generic {...} ins(%d, %s : ...) { arith.mulf }
    // becomes
    %r = linalg.generic {...} ins(%x, %m, %s : ...) { arith.subf, arith.mulf }
    ```
  }];
  let options = [Option<"maxRepeatedOps", "max-repeated-ops", "int64_t", "3",
                        "Operations of a body that may be computed again for each reader">];
  let dependentDialects = ["::mlir::affine::AffineDialect", "::mlir::linalg::LinalgDialect"];
}

def SeparateEmptiesPass : Pass<"mica-cpu-separate-empties", "::mlir::func::FuncOp"> {
  let summary = "Give each reader of a tensor.empty one of its own";
  let description = [{
    Undoes what CSE merged, so that bufferization finds a buffer for each value instead of copies out of a shared one.

    Example:

    ```mlir
    %e = tensor.empty() : tensor<8xf32>
    %0 = linalg.fill ins(%a : f32) outs(%e : tensor<8xf32>) -> tensor<8xf32>
    %1 = linalg.fill ins(%b : f32) outs(%e : tensor<8xf32>) -> tensor<8xf32>
    // becomes
    %e0 = tensor.empty() : tensor<8xf32>
    %0 = linalg.fill ins(%a : f32) outs(%e0 : tensor<8xf32>) -> tensor<8xf32>
    %e1 = tensor.empty() : tensor<8xf32>
    %1 = linalg.fill ins(%b : f32) outs(%e1 : tensor<8xf32>) -> tensor<8xf32>
    ```
  }];
  let dependentDialects = ["::mlir::tensor::TensorDialect"];
}

def DivideCopiesPass : Pass<"mica-cpu-divide-copies", "::mlir::func::FuncOp"> {
  let summary = "Divide a kernel that only places elements by the rows of its output";
  let description = [{
    Runs after bufferization on kernels without a loop, whose ops are `linalg.generic` without reductions that write one
    argument, whole or parts of it, and read others: concatenations, paddings, slices. They go into one `scf.forall` marked
    `mica_codegen.distribute` over one dimension of the output, the one that gives most steps; each op does in a step what falls
    into its rows, so that those over the same elements stay in order. Sets `mica_sched.strategy`.

    Example:

    ```mlir
    linalg.generic {...} ins(%a : memref<100x256xf32>) outs(%first_rows_of_o : ...) { yield %in }
    linalg.generic {...} ins(%b : memref<200x256xf32>) outs(%other_rows_of_o : ...) { yield %in }
    // becomes
    scf.forall (%r) = (0) to (300) step (16) {
      linalg.generic {...} ins(rows of %a that go to rows %r to %r + 16 of %o) outs(those rows) { yield %in }
      linalg.generic {...} ins(the same of %b) outs(those rows) { yield %in }
    } {mica_codegen.distribute = 2 : i64}
    ```
  }];
  let options = [Option<"shareElements", "share-elements", "int64_t", "32768",
                        "Elements below which another share is not worth having">];
  let dependentDialects = ["::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
                           "::mlir::linalg::LinalgDialect", "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect"];
}

def CollapseLoopsPass : Pass<"mica-cpu-collapse-loops", "::mlir::func::FuncOp"> {
  let summary = "Make one dimension of those that lie next to each other in memory for all operands";
  let description = [{
    Runs on linalg.generic on buffers, before vectorization, so that short inner dimensions still fill vectors.

    Example:

    ```mlir
    linalg.generic {...} ins(%a : memref<16x8xf32>) outs(%o : memref<16x8xf32>) { ... }
    // becomes
    %0 = memref.collapse_shape %a [[0, 1]] : memref<16x8xf32> into memref<128xf32>
    %1 = memref.collapse_shape %o [[0, 1]] : memref<16x8xf32> into memref<128xf32>
    linalg.generic {...} ins(%0 : memref<128xf32>) outs(%1 : memref<128xf32>) { ... }
    ```
  }];
  let dependentDialects = ["::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
                           "::mlir::linalg::LinalgDialect", "::mlir::memref::MemRefDialect"];
}

#endif // MICA_PASSES_CPU_PASSES
