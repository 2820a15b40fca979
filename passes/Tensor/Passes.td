//===- Passes.td - Tensor pass definitions -------------------------*- tablegen -*-===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------===//

#ifndef MICA_PASSES_TENSOR_PASSES
#define MICA_PASSES_TENSOR_PASSES

include "mlir/Pass/PassBase.td"

//===------------------------------------------------------------------------------===//
// Phase input
//===------------------------------------------------------------------------------===//

def ApplyTransforms : Pass<"mica-tensor-apply-transforms", "mlir::ModuleOp"> {
  let summary = "Apply a transform script of the input file and remove all scripts";
  let description = [{
    An input file may contain scripts of upstream's transform dialect: `transform.named_sequence` ops beside the
    functions, or in a module of their own. With `entry`, the pass applies the sequence of that name to the
    program. It then erases all ops of the transform dialect, modules that contain nothing else, and
    `transform.*` attributes.

    Postcondition: nothing of the transform dialect is left.

    Example:

    ```mlir
    module attributes {transform.with_named_sequence} {
      func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
        return %x : tensor<4xf32>
      }
      transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
        transform.yield
      }
    }
    // becomes
    module {
      func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
        return %x : tensor<4xf32>
      }
    }
    ```
  }];
  let options = [
    Option<"entry", "entry", "std::string", /*default=*/"",
           "Name of the sequence to apply, for example __transform_main; empty: none">
  ];
}

def LegalizeSignedness : Pass<"mica-tensor-legalize-signedness", "mlir::ModuleOp"> {
  let summary = "Convert signed and unsigned integers to signless ones, and drop memory spaces of buffers";
  let description = [{
    Also among the arguments and results of functions, and in constants. The bits stay: 200 of `ui8` is -56 of `i8`. A
    `vector.print` of unsigned integers prints what they were. Unsigned arguments and results are marked
    `mica.unsigned`: callers of the compiled program pass and get them as they were written.

    A program in which ops of `tosa` or `sparse_tensor` have such operands, or that prints `ui64`, stays as it is: it
    then runs in its host functions.

    Buffers whose memory space is a number (`memref<4xf32, 1>`) get the default one. So do allocations with a layout
    that only loads, stores, copies and structured ops use: they get the plain layout.

    Postcondition: integers are signless, or the program has the integers that it had.

    Example:

    ```mlir
    func.func @f(%x: memref<4xui8>, %i: index) -> ui8 {
      %0 = memref.load %x[%i] : memref<4xui8>
      vector.print %0 : ui8
      return %0 : ui8
    }
    // becomes
    func.func @f(%x: memref<4xi8> {mica.unsigned}, %i: index) -> (i8 {mica.unsigned}) {
      %0 = memref.load %x[%i] : memref<4xi8>
      %1 = arith.extui %0 : i8 to i64
      vector.print %1 : i64
      return %0 : i8
    }
    ```
  }];
}

def SplitComplex : Pass<"mica-tensor-split-complex", "mlir::ModuleOp"> {
  let summary = "Split complex values into their real and imaginary parts";
  let description = [{
    A complex scalar, tensor or buffer becomes two of floats, also among the arguments and results of functions, and a
    global becomes two, whose names end in `.re` and `.im`. Imaginary parts among the arguments and results of a public
    function are marked `mica.imaginary`: callers of the compiled program pass and get one complex value, if the parts
    are of 32 or 64 bits. Ops of `complex` become ops of `arith` and `math` on the
    parts: sums, products and comparisons in the type of the parts, all other functions in 64-bit floats. Named linalg
    ops become `linalg.generic`, which gets both parts; ops that move elements are made once for each part. An
    `scf.parallel` that reduces complex values becomes loops that carry them.

    A program with a complex value in any other op, in a function without a body, or with other than float parts stays
    as it is: it then runs in its host functions.

    Postcondition: no value is complex, or the program is unchanged.

    Example:

    ```mlir
    func.func @f(%x: tensor<4xcomplex<f32>>, %i: index) -> f32 {
      %0 = tensor.extract %x[%i] : tensor<4xcomplex<f32>>
      %1 = complex.conj %0 : complex<f32>
      %2 = complex.im %1 : complex<f32>
      return %2 : f32
    }
    // becomes
    func.func @f(%re: tensor<4xf32>, %im: tensor<4xf32> {mica.imaginary}, %i: index) -> f32 {
      %0 = tensor.extract %re[%i] : tensor<4xf32>
      %1 = tensor.extract %im[%i] : tensor<4xf32>
      %2 = arith.negf %1 : f32
      return %2 : f32
    }
    ```
  }];
  let options = [Option<"entriesOnly", "entries-only", "bool", "false",
                        "Leave a program in which no public function takes or returns complex values">];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::math::MathDialect", "::mlir::linalg::LinalgDialect"];
}

def VerifyInput : Pass<"mica-tensor-verify-input", "mlir::ModuleOp"> {
  let summary = "Reject programs that Mica does not support, reporting all problems at once";
  let description = [{
    Reports every op, type and constant that no later phase supports, each with its location: ops of other
    dialects and single ops of supported dialects, tensors of unknown rank, unsupported element types, types of
    more bytes than any machine has, functions without a body other than the helpers of the runtime, recursion,
    functions that call each other so often that inlining would not end (`most-inlined-ops`), and weights whose
    bytes are missing (`dense_resource<__elided__>`). Fails if there is any problem. Does not change the IR.
    With `on-host`, the program is one without kernels, which `mica-reference-lowering` lowers: it may then also
    have ops of `async`, `complex`, `llvm` and `sparse_tensor`, values of every builtin type, recursion, state, and
    functions without a body, which the linker looks for. With `host-functions`, only these functions may, and
    what stands beside functions.

    Example:

    ```mlir
    func.func @f(%m: memref<4xf32>) {          // error: 'func.func' takes a value of type memref<4xf32>
      %c0 = arith.constant 0 : index
      %0 = memref.load %m[%c0] : memref<4xf32> // error: op 'memref.load' is not supported as input
      return
    }
    ```
  }];
  let options = [Option<"limit", "limit", "unsigned", "20",
                        "Maximum number of locations reported per kind of problem, at least 1; the others are counted">,
                 Option<"mostInlinedOps", "most-inlined-ops", "uint64_t", "100000",
                        "Maximum number of ops in a function after inlining, if this is more than 4 times the "
                        "program's">,
                 Option<"onHost", "on-host", "bool", "false",
                        "Accept what host functions take and kernels do not">,
                 ListOption<"hostFunctions", "host-functions", "std::string",
                            "Names of the functions that are host functions, where not all are">];
}

def OutlineHostOps : Pass<"mica-tensor-outline-host-ops", "mlir::ModuleOp"> {
  let summary = "Outline ops that no kernel takes into functions of their own";
  let description = [{
    Each op whose number is in `ops` becomes a private function with the attribute `mica_sched.host_op`, called
    where the op was. With it go the ops that make or use what a call cannot pass (complex numbers, vectors,
    sparse tensors), those between them, and copies of constants. Of an op in a loop that has no other work for
    kernels, the whole loop is outlined. The function returns tensors in memory of their own.

    An error if a function would have to take or return what cannot be passed, if it would share state with the
    rest of the program (a global that is stored to), or if no op of its caller is left for a kernel.

    Example, with `ops=2`:

    ```mlir
    func.func @f(%x: tensor<4xf32>, %a: f32) -> tensor<4xf32> {
      %0 = complex.create %a, %a : complex<f32>
      %1 = complex.abs %0 : complex<f32>
      %2 = tensor.splat %1 : tensor<4xf32>
      %3 = arith.addf %x, %2 : tensor<4xf32>
      return %3 : tensor<4xf32>
    }
    // becomes
    func.func @f(%x: tensor<4xf32>, %a: f32) -> tensor<4xf32> {
      %1 = call @host_complex_create(%a) : (f32) -> f32
      ..
    }
    func.func private @host_complex_create(%a: f32) -> f32 attributes {mica_sched.host_op} { .. }
    ```
  }];
  let options = [ListOption<"ops", "ops", "int64_t",
                            "Numbers of ops, as an op comes before those in it and the program has number 0">];
  let dependentDialects = ["::mlir::bufferization::BufferizationDialect", "::mlir::func::FuncDialect",
                           "::mica::sched::MicaSchedDialect"];
}

def ExternalizeConstants : Pass<"mica-tensor-externalize-constants", "mlir::ModuleOp"> {
  let summary = "Convert large constants to resources named by their contents";
  let description = [{
    Constants with more than `limit` elements, except splats, become resources `mica_<hash>`, where the hash is
    that of their bytes. Constants with equal bytes share a resource, whatever they were called in the input.
    Smaller resources become inline constants. After this pass, a snapshot shows weights only as handles, and
    each handle identifies its contents.

    Example:

    ```mlir
    %w = arith.constant dense_resource<torch_tensor_84_120> : tensor<84x120xf32>
    // becomes
    %w = arith.constant dense_resource<mica_5c1f0e9a77d2b3e4> : tensor<84x120xf32>
    ```
  }];
  let options = [Option<"limit", "limit", "int64_t", "64", "Maximum number of elements of an inline constant">];
}

//===------------------------------------------------------------------------------===//
// Phase tensor
//===------------------------------------------------------------------------------===//

def ResolveGlobals : Pass<"mica-tensor-resolve-globals", "mlir::ModuleOp"> {
  let summary = "Replace loads of ml_program globals that are never stored to by constants";
  let description = [{
    Frontends often emit globals, such as `@global_seed`, most of which are unused. A load of a global without
    stores becomes a constant with its initial value. Unused globals are erased. mica-tensor-verify-input rejects
    programs that store to globals.

    Example:

    ```mlir
    ml_program.global private mutable @seed(dense<7> : tensor<i64>) : tensor<i64>
    func.func @f() -> tensor<i64> {
      %0 = ml_program.global_load @seed : tensor<i64>
    // becomes
      %0 = arith.constant dense<7> : tensor<i64>
    ```
  }];
  let dependentDialects = ["mlir::arith::ArithDialect"];
}

def AssignIds : Pass<"mica-tensor-assign-ids", "mlir::ModuleOp"> {
  let summary = "Assign an id to every op of the program";
  let description = [{
    Runs first in phase `tensor`, on the program as parsed. Each op in a function, except constants and
    terminators, gets a fused location whose metadata is `mica.op:` followed by 12 hex digits. These are the
    first digits of the SHA-256 hash of three lines: the name of the function, the name of the op, and the
    ordinal of the op among the ops of this name in the function. Ops in regions that are the computation of an
    op (the body of `linalg.generic` or `tensor.pad`) get the ids of that op; ops in regions of control flow
    (`scf.for`, `tosa.while_loop`) get ids of their own.

    Ops that later passes create from an op take its location, and thereby its id. An op that already has ids
    keeps them, so that a recorded snapshot can be compiled again.

    An op with the attribute `mica_check.dump` loses it, and its location gets the tag of the same name below its
    id. Option `tagged` tags more ops.

    Postcondition: every op named above has at least one id.

    Example:

    ```mlir
    func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
      %0 = math.exp %x : tensor<4xf32> loc("f.mlir":2:8)
      return %0 : tensor<4xf32>
    }
    // becomes: the first op of kind math.exp in @f
      %0 = math.exp %x : tensor<4xf32> loc(fused<"mica.op:a81e53e8196c">["f.mlir":2:8])
    ```
  }];
  let options = [Option<"tagged", "tagged", "std::string", /*default=*/"\"\"",
                        "Ids and kinds of ops that dumps keep, with wildcards, joined by commas">];
}

def LiftCFToSCF : Pass<"mica-tensor-lift-cf-to-scf", "mlir::ModuleOp"> {
  let summary = "Lift branches between blocks to scf";
  let description = [{
    Applies upstream's lifting of `cf` to `scf` to each function and region with more than one block. A value
    that is undefined on some path becomes an empty tensor, or poison if it is not a tensor. Blocks that are not
    reached are erased. The blocks of large
    regions are lifted in segments, because upstream's time grows with the square of their number.

    In front of an `scf.while` without side effects, whose condition is the same in every turn, a
    `mica_sched.check_sizes` with what it carries says that it ends, or a `cf.assert` where the loop may be in a kernel:
    upstream erases such a loop, and the program would go on as if it had ended.

    Postcondition: every region has a single block.

    Example:

    ```mlir
    func.func @f(%c: i1, %x: i32, %y: i32) -> i32 {
      cf.cond_br %c, ^end(%x : i32), ^end(%y : i32)
    ^end(%r: i32):
      return %r : i32
    }
    // becomes
    func.func @f(%c: i1, %x: i32, %y: i32) -> i32 {
      %r = scf.if %c -> (i32) {
        scf.yield %x : i32
      } else {
        scf.yield %y : i32
      }
      return %r : i32
    }
    ```
  }];
  let options = [Option<"segmentBlocks", "segment-blocks", "unsigned", "256",
                        "Minimum number of blocks of a segment; 0: regions are lifted as a whole">];
  let dependentDialects = ["mica::check::MicaCheckDialect", "mica::sched::MicaSchedDialect", "mlir::arith::ArithDialect",
                           "mlir::cf::ControlFlowDialect", "mlir::scf::SCFDialect", "mlir::tensor::TensorDialect",
                           "mlir::ub::UBDialect"];
}

def RaiseMemRefToTensor : Pass<"mica-tensor-raise-memref-to-tensor", "mlir::ModuleOp"> {
  let summary = "Raise programs on memrefs to programs on tensors";
  let description = [{
    Tracks which tensor each buffer holds, from the top of a function to its end. Buffers are allocations,
    arguments, globals and results of `bufferization.to_buffer`. Structured ops on buffers become the same ops
    on tensors, and subviews become slices. Loops, loads and stores are moved into `mica_sched.buffer_region` ops,
    which have a result for each buffer that they store to. Code that prints or calls external functions becomes
    such an op with `host`. Calls of functions on buffers are inlined.

    Precondition: buffer arguments do not overlap, and functions have a single block. Postcondition: there is no
    buffer outside of `mica_sched.buffer_region`. For each argument that a public function stores to, the function
    has an additional result with the attribute `mica_sched.updates`.

    Example:

    ```mlir
    func.func @f(%x: memref<4xf32>, %y: memref<4xf32>) {
      linalg.exp ins(%x : memref<4xf32>) outs(%y : memref<4xf32>)
      return
    }
    // becomes
    func.func @f(%x: tensor<4xf32>, %y: tensor<4xf32>) -> (tensor<4xf32> {mica_sched.updates = 1 : i64}) {
      %0 = linalg.exp ins(%x : tensor<4xf32>) outs(%y : tensor<4xf32>) -> tensor<4xf32>
      return %0 : tensor<4xf32>
    }
    ```
  }];
  let dependentDialects = ["mica::sched::MicaSchedDialect", "mlir::arith::ArithDialect", "mlir::cf::ControlFlowDialect", "mlir::memref::MemRefDialect",
                           "mlir::bufferization::BufferizationDialect", "mlir::scf::SCFDialect",
                           "mlir::tensor::TensorDialect", "mlir::vector::VectorDialect"];
}

def ConvertTosaToMica : Pass<"convert-tosa-to-mica"> {
  let summary = "Convert tosa ops to their equivalents in mica, one to one";
  let description = [{
    Each op of `tosa` with an equivalent in `mica` becomes that op, with the same location: the elementwise ops
    other than `clz`, `reciprocal`, `rescale` and `table`; `matmul`, `conv2d`, `depthwise_conv2d`,
    `transpose_conv2d`, `max_pool2d`, `avg_pool2d`, `pad`, `resize`, `reduce_sum`, `reduce_product`,
    `reduce_max`, `reduce_min`, `reduce_any`, `reduce_all`, `argmax`, `reshape`, `transpose`, `const`; and, if
    positions and multiples are constants, `concat`, `gather`, `scatter`, `slice`, `tile`, `reverse`.

    An op stays in `tosa` if its semantics differ from those of the equivalent:

    - zero points or a shift that are not a constant 0
    - NaN modes other than `PROPAGATE`
    - right shifts that round
    - element types that `mica` does not support
    - an accumulator type other than the result type
    - means and interpolations of integers
    - dynamic dimensions of elementwise operands that are not known to be equal: at run time, `tosa` broadcasts
      a dimension of size 1, `mica` does not

    Constants used by ops that stay in `tosa` stay as well.

    With `keep-gather`, `tosa.gather` stays: `mica.gather` gives 0 for an index outside, which `tosa` does not
    allow, and a check of `assert-level` is to find.

    Example:

    ```mlir
    func.func @mul(%a: tensor<4xf32>, %b: tensor<4xf32>) -> tensor<4xf32> {
      %shift = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
      %0 = tosa.mul %a, %b, %shift : (tensor<4xf32>, tensor<4xf32>, tensor<1xi8>) -> tensor<4xf32>
      return %0 : tensor<4xf32>
    }
    ```
  }];
  let options = [Option<"keepGather", "keep-gather", "bool", "false", "Do not convert tosa.gather">];
  let dependentDialects = ["::mica::MicaDialect", "::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect",
                           "::mlir::tensor::TensorDialect"];
}

def BlockDynamicFolds : Pass<"mica-tensor-block-dynamic-folds"> {
  let summary = "Rewrite ops of dynamic shape that upstream's folders mishandle";
  let description = [{
    Runs before any pass that folds.

    - `arith.xori %x, %x` folds to a constant of its type, although no constant has a dynamic shape. On tensors
      of dynamic shape, `arith.xori` becomes `mica.bitwise_xor` (of i1 `mica.logical_xor`), `arith.subi` becomes
      `mica.sub`, and `arith.cmpi` becomes `mica.compare` if that has an equivalent.
    - A size of `tensor.expand_shape` that is given as an attribute although its type is dynamic becomes a
      value, because upstream's canonicalization crashes on the attribute.
    - Constant sizes of a rank-reducing `tensor.extract_slice` become attributes, because upstream's
      canonicalization may otherwise drop other dimensions than before.
    - `affine.delinearize_index` without results is erased, and a constant of integers without elements becomes
      `tensor.empty`: upstream's folding, and its inference of ranges, crash on them.
    - Where both operands of `math.atan2` are zeros, the second one becomes 1 or -1, with its sign: upstream folds the
      op on two zeros to NaN.
    - Before an `scf.for` whose step is, or folds to, a constant that is not positive, a `cf.assert` requires that it
      has no iterations: the canonicalization erases such a loop. It is repeated after calls are inlined.
    - `arith.index_cast` and `index_castui` from `index` to a type of fewer than 64 bits, or from a wider one,
      become a cast by i64 and a truncation: a cast there and back folds to the first value.
    - `arith.addi` and `arith.subi` lose their overflow flags: two sums with constants fold to one with the flags of
      both, which may overflow where they did not. `index.sub` becomes `arith.subi`: `index.cmp` of a difference with
      0 becomes one of its operands, whether or not it wraps.
    - `arith.mulsi_extended` and `mului_extended` of `index` are computed in i64: upstream makes a sign extension to
      `index` of a product with 1, on whose width folds crash.
    - `vector.mask` around a transfer or gather becomes a part of its mask, and around a
      `vector.multi_reduction` without dimensions a select: upstream's lowerings drop one of the masks. A masked
      transfer gets a minor identity for a map: upstream's loops take parts of the mask of other dimensions.
    - `scf.index_switch` gets an operand, and cases, below 2^31: upstream's lowering truncates both to 32 bits.

    Example:

    ```mlir
    %0 = arith.xori %x, %y : tensor<2x?xi32>
    // becomes
    %0 = mica.bitwise_xor %x, %y : tensor<2x?xi32>
    ```
  }];
  let dependentDialects = ["::mica::MicaDialect", "::mlir::arith::ArithDialect", "::mlir::cf::ControlFlowDialect",
                           "::mlir::math::MathDialect", "::mlir::scf::SCFDialect", "::mlir::tensor::TensorDialect",
                           "::mlir::vector::VectorDialect"];
}

def LowerTosaImages : Pass<"mica-tensor-lower-tosa-images"> {
  let summary = "Lower tosa.resize, integer tosa.avg_pool2d and convolutions with open weights to linalg";
  let description = [{
    Runs after `convert-tosa-to-mica`, for ops without an equivalent in `mica`, and before upstream's
    conversions, which support no dynamic dimensions other than the batch. Each op becomes ops of
    `linalg` with its location, and any dimension may be dynamic. Elements narrower than f32 are interpolated in
    f32 and rounded once. Integers are interpolated and averaged as the TOSA specification defines. Convolutions
    whose weights and bias have static sizes are left to upstream's conversion. A bias of one element is repeated,
    also where only the run knows its size.

    Postcondition: there is no `tosa.resize` whose scale, offset and border are constants, no
    `tosa.avg_pool2d` of integers and no convolution with weights or a bias of dynamic sizes whose zero points are
    constants.

    Example:

    ```mlir
    func.func @twice(%x: tensor<1x?x?x3xf32>) -> tensor<1x?x?x3xf32> {
      %scale = tosa.const_shape {values = dense<[2, 1, 2, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
      %zero = tosa.const_shape {values = dense<0> : tensor<2xindex>} : () -> !tosa.shape<2>
      %0 = tosa.resize %x, %scale, %zero, %zero {mode = BILINEAR} : (tensor<1x?x?x3xf32>, !tosa.shape<4>, !tosa.shape<2>, !tosa.shape<2>) -> tensor<1x?x?x3xf32>
      return %0 : tensor<1x?x?x3xf32>
    }
    ```
  }];
  let dependentDialects = ["::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
                           "::mlir::linalg::LinalgDialect", "::mlir::math::MathDialect", "::mlir::scf::SCFDialect",
                           "::mlir::tensor::TensorDialect", "::mlir::tosa::TosaDialect"];
}

def VerifyTosaLowered : Pass<"mica-tensor-verify-tosa-lowered"> {
  let summary = "Verify that no tosa op is left and erase unused tosa constants";
  let description = [{
    Runs after upstream's conversions of `tosa`. Erases ops of `tosa` that are unused and have no side effects,
    such as leftover constants and shapes, and emits an error for every other op of `tosa`.

    Example:

    ```mlir
    func.func @unused() {
      %0 = tosa.const_shape {values = dense<[2, 2]> : tensor<2xindex>} : () -> !tosa.shape<2>
      return
    }
    ```
  }];
}

def FillEmptyTensors : Pass<"mica-tensor-fill-empty-tensors"> {
  let summary = "Fill the tensors of undefined elements that are read with zeros";
  let description = [{
    The elements of `tensor.empty` and `bufferization.alloc_tensor` are undefined, so a program that reads one gives
    another result in every run. The reference evaluator takes 0. For each use that may read an element before it is
    written, the pass fills the tensor with 0; uses that write every element, or that need the sizes only, keep the
    empty tensor. Slices at constant positions that cover a tensor together count as one write. A use that certainly
    reads undefined elements is a warning.

    The pipeline leaves the pass out where such reads are reported at run time: with `uninitialized-read-check`, and
    for the simulator with `sim-check=init` or `all`, its default.

    Example:

    ```mlir
    %e = tensor.empty() : tensor<4x4xf32>
    %0 = linalg.matmul ins(%x, %y : tensor<4x4xf32>, tensor<4x4xf32>) outs(%e : tensor<4x4xf32>) -> tensor<4x4xf32>
    // becomes
    %e = tensor.empty() : tensor<4x4xf32>
    %zero = arith.constant 0.0 : f32
    %f = linalg.fill ins(%zero : f32) outs(%e : tensor<4x4xf32>) -> tensor<4x4xf32>
    %0 = linalg.matmul ins(%x, %y : tensor<4x4xf32>, tensor<4x4xf32>) outs(%f : tensor<4x4xf32>) -> tensor<4x4xf32>
    ```
  }];
  let dependentDialects = ["mlir::arith::ArithDialect", "mlir::linalg::LinalgDialect"];
}

def CoverOutputs : Pass<"mica-tensor-cover-outputs"> {
  let summary = "Rewrite structured ops that write only part of an output";
  let description = [{
    Elements of an init that a `linalg` op does not write are part of its result, even if the body does not read
    the init. Later passes, upstream's canonicalization and bufferization among them, treat an init that is not
    read as uninitialized memory. The pass therefore rewrites ops whose output maps omit elements (an offset, a
    stride, a constant, a diagonal). If each dimension of the map is a single loop or constant, the op is
    rewritten to operate on a slice of the init. Otherwise it becomes loops that update the init element by
    element: in `mica_sched.buffer_region`, or on tensors inside of `scf.forall` and in kernels.

    The same applies if a loop that does not occur in the output map may write an element several times or not
    at all, unless it is a reduction loop with an accumulator.

    Postcondition: each structured op on tensors writes every element of each output, or reads its init.

    Example:

    ```mlir
    %0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i + 1)>],
                         iterator_types = ["parallel"]} ins(%x : tensor<3xf32>) outs(%y : tensor<4xf32>) { .. }
    // becomes
    %e = tensor.empty() : tensor<3xf32>
    %1 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>],
                         iterator_types = ["parallel"]} ins(%x : tensor<3xf32>) outs(%e : tensor<3xf32>) { .. }
    %0 = tensor.insert_slice %1 into %y[1] [3] [1] : tensor<3xf32> into tensor<4xf32>
    ```
  }];
  let dependentDialects = ["mica::sched::MicaSchedDialect", "mlir::affine::AffineDialect", "mlir::arith::ArithDialect",
                           "mlir::linalg::LinalgDialect", "mlir::memref::MemRefDialect", "mlir::scf::SCFDialect",
                           "mlir::tensor::TensorDialect"];
}

def MergeEqualOps : Pass<"mica-tensor-merge-equal-ops"> {
  let summary = "Eliminate common subexpressions in time that grows with the program";
  let description = [{
    Does what upstream's `cse` does, with its driver. `cse` compares each op that has regions with all that have the
    same operands, attributes and types, so 10,000 `scf.if` on one condition are compared 50 million times. This
    pass compares only ops whose regions have the same hash. In a group of more than 16 ops that `cse` would compare,
    ops whose regions become equal during this run are not merged.

    Postcondition: the program computes the same.

    Example: `func.func(mica-tensor-merge-equal-ops)` turns

    ```mlir
    func.func @twice(%x: tensor<4xf32>) -> tensor<4xf32> {
      %0 = math.exp %x : tensor<4xf32>
      %1 = math.exp %x : tensor<4xf32>
      %2 = arith.addf %0, %1 : tensor<4xf32>
      return %2 : tensor<4xf32>
    }
    // becomes
      %0 = math.exp %x : tensor<4xf32>
      %1 = arith.addf %0, %0 : tensor<4xf32>
    ```
  }];
}

def Simplify : Pass<"mica-tensor-simplify"> {
  let summary = "Canonicalize and eliminate common subexpressions, preserving ids";
  let description = [{
    Runs upstream's canonicalization and CSE in one pass, because a listener observes both: an op that replaces
    another one takes over its ids, and those of the ops that only the other one used. An op that replaces
    several equal ones carries the ids of all of them. Fills, broadcasts, `tensor.splat` and `tensor.empty` are
    not merged, because each kernel creates its own. Ops of `mica` on results of `tensor.cast` use the operand
    of the cast if its type has more static sizes. An op that folds away (`x * 1`, an op on constants) leaves no
    id.

    Postcondition: the program computes the same; the remaining ops carry their own ids and those of the ops
    that they replaced.

    Example:

    ```mlir
    func.func @twice(%x: tensor<4xf32>) -> tensor<4xf32> {
      %0 = mica.exp %x : tensor<4xf32>              // id A
      %1 = mica.exp %x : tensor<4xf32>              // id B
      %2 = mica.add %0, %1 : tensor<4xf32>
      return %2 : tensor<4xf32>
    }
    // becomes
      %0 = mica.exp %x : tensor<4xf32>              // ids A, B
      %1 = mica.add %0, %0 : tensor<4xf32>
    ```
  }];
  let options = [Option<"maxIterations", "max-iterations", "int64_t", /*default=*/"10",
                        "Maximum number of iterations of canonicalization">];
}

def AnnotateKinds : Pass<"mica-tensor-annotate-kinds", "mlir::func::FuncOp"> {
  let summary = "Annotate linalg ops with their kind";
  let description = [{
    Sets `mica.kind` on each op of `linalg` on tensors: `fill`, `copy`, `transpose`, `broadcast`, `gather`,
    `move`, `elementwise`, `reduction`, `softmax`, `matmul`, `matvec`, `dot` (prefixed with `batch_` if there
    are batch dimensions), `conv2d`, `depthwise_conv2d`, `max_pool2d` and the like. The kind follows from the
    structure of the op, not from its name: a `linalg.generic` that multiplies matrices is a `matmul`.

    The attribute is for readers only. Fusion analyzes the structure again, so that an op that was edited needs
    no new kind and a wrong kind has no effect on the code. Running the pass again updates every kind.

    Example:

    ```mlir
    %1 = linalg.generic {...a product of matrices...} ins(%a, %b) outs(%c) ...
    // becomes
    %1 = linalg.generic {...a product of matrices...} ins(%a, %b) outs(%c) attrs = {mica.kind = "matmul"} ...
    ```
  }];
}

#endif // MICA_PASSES_TENSOR_PASSES
