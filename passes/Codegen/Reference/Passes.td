//===- Passes.td - Reference lowering pass definitions -------------*- tablegen -*-===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------===//

#ifndef MICA_PASSES_CODEGEN_REFERENCE_PASSES
#define MICA_PASSES_CODEGEN_REFERENCE_PASSES

include "mlir/Pass/PassBase.td"
include "passes/Codegen/Reference/NumberPasses.td"

def EraseShardings : Pass<"mica-reference-erase-shardings", "mlir::ModuleOp"> {
  let summary = "Erase annotations of shardings";
  let description = [{
    What is left is the program as one rank would compute it: the reference for the others. A collective is an error,
    because a program that is written for each rank is no such program.

    Postcondition: no op of `shard` is left.

    Example:

    ```mlir
    shard.grid @g(shape = 4)
    func.func @f(%x: tensor<8xf32>) -> tensor<8xf32> {
      %s = shard.sharding @g split_axes = [[0]] : !shard.sharding
      %0 = shard.shard %x to %s annotate_for_users : tensor<8xf32>
      return %0 : tensor<8xf32>
    }
    // becomes
    func.func @f(%x: tensor<8xf32>) -> tensor<8xf32> {
      return %x : tensor<8xf32>
    }
    ```
  }];
}

def CallKernels : Pass<"mica-reference-call-kernels", "mlir::ModuleOp"> {
  let summary = "Convert kernels and task lists to functions, and dispatches, tasks and submits to calls";
  let description = [{
    Each kernel becomes a function. A dispatch allocates the buffers that the kernel writes and calls it. A task
    list becomes a function that calls the kernels of its tasks in order, and a submit becomes a call of that
    function. A kernel with several work partitions is called once, with a single partition. Entry points become
    private functions; the attribute `plain_entry` records their names and signatures for
    mica-reference-make-entries.

    Precondition: a program of any phase before `lowered`. A program of phase `lowered`, whose host functions
    are LLVM functions already, stays unchanged. Postcondition: there are only functions, and no op of
    `mica_sched` other than `constant` is left.

    Example:

    ```mlir
    %0 = mica_sched.dispatch @exp(%x) : (tensor<4xf32>) -> tensor<4xf32>
    // becomes
    %from = bufferization.to_buffer %x read_only : tensor<4xf32> to memref<4xf32>
    %to = memref.alloc() {alignment = 64 : i64} : memref<4xf32>
    call @mica_plain_exp_exp(%from, %to) : (memref<4xf32>, memref<4xf32>) -> ()
    %0 = bufferization.to_tensor %to restrict writable : memref<4xf32> to tensor<4xf32>
    ```
  }];
  let dependentDialects = ["::mica::sched::MicaSchedDialect", "::mlir::arith::ArithDialect",
                           "::mlir::bufferization::BufferizationDialect", "::mlir::func::FuncDialect",
                           "::mlir::memref::MemRefDialect", "::mlir::LLVM::LLVMDialect"];
}

def HideFunctions : Pass<"mica-reference-hide-functions", "mlir::ModuleOp"> {
  let summary = "Make functions private that only the program itself can call";
  let description = [{
    Callers of an artifact pass tensors, buffers and scalars. A public function that takes or returns anything else
    (vectors, buffers of unknown rank, complex numbers, sparse tensors) becomes private if the program calls it, or
    has a `main` without arguments; otherwise it is an error.

    Example:

    ```mlir
    func.func @twice(%v: vector<2xf32>) -> vector<2xf32>
    // becomes
    func.func private @twice(%v: vector<2xf32>) -> vector<2xf32>
    ```

    With `functions`, only these change.
  }];
  let options = [ListOption<"functions", "functions", "std::string", "Names of the functions; none: all">];
}

def LowerHostFunctions : Pass<"mica-reference-lower-host-functions", "mlir::ModuleOp"> {
  let summary = "Lower the functions that no kernel takes to the LLVM dialect";
  let description = [{
    Moves `functions` and those with `mica_sched.host_op`, with copies of what they call, into a `mica_sched.host_functions`, in which the reference
    lowering has lowered them. What no other function refers to then leaves the program. The large constants of
    these functions are the first ones of `mica_sched.constants`. Of a function with `mica_sched.host_op` a
    declaration stays, which the rest of the program calls.

    Precondition: no other function calls one of `functions`, or has state in common with them.

    Example:

    ```mlir
    func.func @f(%x: f32) -> f32 { .. complex.abs .. }
    func.func @g(%x: tensor<4xf32>) -> tensor<4xf32> { .. }
    // becomes
    func.func @g(%x: tensor<4xf32>) -> tensor<4xf32> { .. }
    mica_sched.host_functions [["f", (f32) -> f32, [{} ], [{} ]]] {
      llvm.func @mica_entry_f(%api: !llvm.ptr, %ctx: !llvm.ptr, %args: !llvm.ptr, %dims: !llvm.ptr) -> i32 { .. }
    }
    ```
  }];
  let options = [ListOption<"functions", "functions", "std::string", "Names of the functions that no kernel takes">,
                 ListOption<"emulatedFloats", "emulated-floats", "std::string",
                            "16-bit floats (f16, bf16) that the host does not convert to and from f32">];
  let dependentDialects = ["::mica::sched::MicaSchedDialect", "::mlir::LLVM::LLVMDialect"];
}

def StoredGlobals : Pass<"mica-reference-convert-stored-globals", "mlir::ModuleOp"> {
  let summary = "Convert globals of ml_program that are stored to into buffers";
  let description = [{
    A global that the program stores to becomes a `memref.global`, which begins every call of an entry point with
    its initial value. Loads and stores become copies from and to it. Globals without stores stay as they are.

    Example:

    ```mlir
    ml_program.global private mutable @g(dense<1.0> : tensor<2xf32>) : tensor<2xf32>
    ml_program.global_store @g = %t : tensor<2xf32>
    // becomes
    memref.global "private" @g : memref<2xf32> = dense<1.0>
    %m = memref.get_global @g : memref<2xf32>
    %b = bufferization.to_buffer %t read_only : tensor<2xf32> to memref<2xf32>
    memref.copy %b, %m : memref<2xf32> to memref<2xf32>
    ```
  }];
  let dependentDialects = ["::mlir::bufferization::BufferizationDialect", "::mlir::memref::MemRefDialect"];
}

def LowerSparseTensors : Pass<"mica-reference-lower-sparse-tensors", "mlir::ModuleOp"> {
  let summary = "Lower sparse tensors to buffers and loops by upstream's passes";
  let description = [{
    If the program has tensors with a sparse encoding, runs the part of upstream's pipeline `sparsifier` that
    generates loops over storage formats and bufferizes. The code uses no runtime library. Afterwards there are no
    tensors in the program. Programs without sparse tensors do not change.

    Example:

    ```mlir
    %n = sparse_tensor.number_of_entries %s : tensor<3x4xf32, #CSR>
    // becomes
    %n = llvm.extractvalue %specifier[1, 1] : !llvm.struct<(array<2 x i64>, array<3 x i64>)>
    ```
  }];
  let dependentDialects = ["::mlir::bufferization::BufferizationDialect", "::mlir::linalg::LinalgDialect",
                           "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect", "::mlir::LLVM::LLVMDialect",
                           "::mlir::sparse_tensor::SparseTensorDialect", "::mlir::tensor::TensorDialect",
                           "::mlir::vector::VectorDialect", "::mlir::gpu::GPUDialect", "::mlir::complex::ComplexDialect"];
}

def LowerAsync : Pass<"mica-reference-lower-async", "mlir::ModuleOp"> {
  let summary = "Lower async regions and functions to calls of the async runtime";
  let description = [{
    If the program uses the dialect `async`, runs upstream's passes that outline the regions into coroutines, call
    the runtime for tokens, values and groups, and count references. Other programs do not change.

    An op of a dialect that is not registered is an error next to `async`: upstream's passes read the dialect of
    each op in a loop (docs/UpstreamFindings.md).

    Example:

    ```mlir
    async.await %token : !async.token
    // becomes
    async.runtime.await %token : !async.token
    %0 = async.runtime.is_error %token : !async.token
    ```
  }];
  let dependentDialects = ["::mlir::async::AsyncDialect", "::mlir::arith::ArithDialect",
                           "::mlir::cf::ControlFlowDialect", "::mlir::func::FuncDialect",
                           "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect"];
}

def ExpandVectors : Pass<"mica-reference-expand-vectors"> {
  let summary = "Expand vector ops that upstream's conversion to LLVM leaves";
  let description = [{
    Expands `vector.multi_reduction`, `vector.scan` and masked forms of ops by upstream's patterns.

    Example:

    ```mlir
    %0 = vector.multi_reduction <add>, %v, %acc [0] : vector<2x3xf32> to vector<3xf32>
    // becomes
    %t = vector.transpose %v, [1, 0] : vector<2x3xf32> to vector<3x2xf32>
    %r = vector.extract %t[0] : vector<2xf32> from vector<3x2xf32>
    %s = vector.reduction <add>, %r, %a : vector<2xf32> into f32
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::memref::MemRefDialect",
                           "::mlir::scf::SCFDialect", "::mlir::vector::VectorDialect"];
}

def SkipEmptyLoops : Pass<"mica-reference-skip-empty-loops", "mlir::func::FuncOp"> {
  let summary = "Skip loops whose body is a loop without iterations";
  let description = [{
    If the body of an `scf.for` consists of another `scf.for`, whose bounds do not depend on the outer loop, and
    of ops without side effects, the outer loop gets zero iterations if the inner one has none. Otherwise the
    outer loop over a tensor of shape 2^62 x 0, which has no elements, would not end in practice.

    Example:

    ```mlir
    scf.for %i = %c0 to %n step %c1 {
      scf.for %j = %c0 to %m step %c1 {
    // becomes
    %turns = arith.cmpi slt, %c0, %m : index
    %end = arith.select %turns, %n, %c0 : index
    scf.for %i = %c0 to %end step %c1 {
      scf.for %j = %c0 to %m step %c1 {
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def ReferenceCheckReshapes : Pass<"mica-reference-check-reshapes", "mlir::func::FuncOp"> {
  let summary = "Insert checks of what ops require of dynamic sizes, in kernels too";
  let description = [{
    The same as `mica-dispatch-check-reshapes`, but in all code, not only in host functions.

    Example:

    ```mlir
    %0 = tensor.cast %x : tensor<?xf32> to tensor<6xf32>
    // becomes
    %n = tensor.dim %x, %c0 : tensor<?xf32>
    mica_sched.check_reshape same_sizes sizes(%n) : tensor<?xf32> to : tensor<6xf32>
    %0 = tensor.cast %x : tensor<?xf32> to tensor<6xf32>
    ```
  }];
  let dependentDialects = ["::mica::MicaDialect", "::mica::sched::MicaSchedDialect", "::mlir::affine::AffineDialect",
                           "::mlir::arith::ArithDialect", "::mica::check::MicaCheckDialect",
                           "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect", "::mlir::tensor::TensorDialect",
                           "::mlir::vector::VectorDialect"];
}

def ReferenceCheckAccesses : Pass<"mica-reference-check-accesses", "mlir::func::FuncOp"> {
  let summary = "Check that accesses to buffers are in bounds and that loop steps are positive";
  let description = [{
    Inserts checks into host functions: each load, store and view is in bounds of its buffer, each vector that is read
    from or written to a tensor is in bounds of it, and the steps of loops are positive.

    Precondition: no affine loops and accesses.

    Example:

    ```mlir
    %0 = memref.load %x[%i] : memref<?xf32>
    // becomes
    %n = memref.dim %x, %c0 : memref<?xf32>
    %ok = arith.cmpi ult, %i, %n : index
    %bad = arith.xori %ok, %true : i1
    scf.if %bad {
      mica_check.failed "memref.load loads outside its buffer" (%i, %c1, %n : index, index, index)
          {mica_check.report = "access"}
    }
    %0 = memref.load %x[%i] : memref<?xf32>
    ```
  }];
  let dependentDialects = ["::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
                           "::mica::check::MicaCheckDialect", "::mlir::memref::MemRefDialect",
                           "::mlir::scf::SCFDialect", "::mlir::tensor::TensorDialect",
                           "::mlir::vector::VectorDialect"];
}

def ConvertMicaToLoops : Pass<"mica-reference-convert-mica-to-loops"> {
  let summary = "Lower the mica dialect to loops over scalars";
  let description = [{
    Implements each op as directly as its description defines it: `scf` loops around loads, arithmetic on a
    single element in f64 or i64, and a store that rounds once. The pass shares no code with
    `convert-mica-to-linalg`, so that each can be used to find errors in the other. `mica.if` and `mica.while`
    become `scf.if` and `scf.while`.

    Example:

    ```mlir
    %0 = mica.neg %x : tensor<4xf32>
    // becomes
    %from = bufferization.to_buffer %x read_only : tensor<4xf32> to memref<4xf32>
    %to = memref.alloc() : memref<4xf32>
    scf.for %i = %c0 to %c4 step %c1 {
      %1 = memref.load %from[%i] : memref<4xf32>
      %2 = arith.extf %1 : f32 to f64
      %3 = arith.negf %2 : f64
      %4 = arith.truncf %3 : f64 to f32
      memref.store %4, %to[%i] : memref<4xf32>
    }
    %0 = bufferization.to_tensor %to restrict writable : memref<4xf32> to tensor<4xf32>
    ```
  }];
  let dependentDialects = ["::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
                           "::mlir::bufferization::BufferizationDialect", "::mlir::math::MathDialect",
                           "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect", "::mlir::tensor::TensorDialect"];
}

def ReturnUpdates : Pass<"mica-reference-return-updates", "mlir::ModuleOp"> {
  let summary = "Return from entry points what they store to their arguments, and reset globals in each call";
  let description = [{
    Wraps each entry point that takes or returns buffers, and in a program with globals every entry point. The
    wrapper copies the arguments that the function stores to, and returns the copies after the original results,
    in the order of the arguments. It sets every `memref.global` to its initial value, and it takes and returns
    buffers with identity layout, whatever layouts the function uses. The arguments that are stored to are found
    by following their uses through views, control flow and calls.

    Precondition: a program without kernels, whose functions may take, return and store to buffers.

    Example:

    ```mlir
    func.func @f(%x: memref<4xf32>) { <store to %x> }
    // becomes
    func.func private @mica_plain_body_f(%x: memref<4xf32>) { <store to %x> }
    func.func @f(%x: memref<4xf32>) -> (memref<4xf32> {mica_sched.updates = 0 : i64}) {
      %copy = memref.alloc() {alignment = 64 : i64} : memref<4xf32>
      memref.copy %x, %copy : memref<4xf32> to memref<4xf32>
      call @mica_plain_body_f(%copy) : (memref<4xf32>) -> ()
      return %copy : memref<4xf32>
    }
    ```
  }];
  let dependentDialects = ["::mica::sched::MicaSchedDialect", "::mlir::arith::ArithDialect",
                           "::mlir::bufferization::BufferizationDialect", "::mlir::func::FuncDialect",
                           "::mlir::memref::MemRefDialect"];
}

def SeparateTensors : Pass<"mica-reference-separate-tensors"> {
  let summary = "Insert copies where tensors become buffers and buffers become tensors";
  let description = [{
    `bufferization.to_tensor`, and `bufferization.to_buffer` unless it is read-only, copy, so that no store to a
    buffer changes a tensor. `linalg` ops on buffers become ops on tensors, whose results are copied to the
    output buffers. Code in `mica_sched.buffer_region` stays unchanged. Of `math.atan2`, no operands are both zeros
    afterwards, because upstream folds them to NaN.

    Example:

    ```mlir
    %m = bufferization.to_buffer %t : tensor<4xf32> to memref<4xf32>
    // becomes
    %from = bufferization.to_buffer %t read_only : tensor<4xf32> to memref<4xf32>
    %m = memref.alloc() {alignment = 64 : i64} : memref<4xf32>
    memref.copy %from, %m : memref<4xf32> to memref<4xf32>
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::bufferization::BufferizationDialect",
                           "::mlir::linalg::LinalgDialect", "::mlir::math::MathDialect",
                           "::mlir::memref::MemRefDialect", "::mlir::tensor::TensorDialect"];
}

def PlaceOnBuffers : Pass<"mica-reference-place-on-buffers"> {
  let summary = "Convert linalg ops and elementwise ops from tensors to buffers";
  let description = [{
    Each `linalg` op on tensors becomes a `linalg.generic` on buffers. It reads its inputs in place and operates
    on copies of its inits, so that elements that it does not write keep their values. Reductions of floats
    accumulate in f64 and round once at the end; casts in the body round where they occur. Other elementwise ops
    on tensors become `scf` loops.

    Example:

    ```mlir
    %0 = linalg.exp ins(%x : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
    // becomes
    %from = bufferization.to_buffer %x read_only : tensor<4xf32> to memref<4xf32>
    %to = memref.alloc() : memref<4xf32>
    linalg.generic .. ins(%from : memref<4xf32>) outs(%to : memref<4xf32>) { .. }
    %0 = bufferization.to_tensor %to restrict writable : memref<4xf32> to tensor<4xf32>
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::bufferization::BufferizationDialect",
                           "::mlir::linalg::LinalgDialect", "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect",
                           "::mlir::tensor::TensorDialect"];
}

def DecomposeTensors : Pass<"mica-reference-decompose-tensors"> {
  let summary = "Decompose pad, concat, pack, unpack, softmax and Winograd ops";
  let description = [{
    Decomposes ops that upstream's conversions to loops do not support, with upstream's patterns and interfaces.
    `tensor.splat` becomes `linalg.fill`. Winograd transforms become loops that accumulate in f64, with matrices
    of f64 precision. Views whose types lack sizes that other values provide get these sizes in their types,
    because upstream's bufferization rejects them otherwise.

    Example:

    ```mlir
    %0 = tensor.splat %v : tensor<4xf32>
    // becomes
    %e = tensor.empty() : tensor<4xf32>
    %0 = linalg.fill ins(%v : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
    ```
  }];
  let dependentDialects = ["::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
                           "::mlir::bufferization::BufferizationDialect", "::mlir::linalg::LinalgDialect",
                           "::mlir::math::MathDialect", "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect",
                           "::mlir::tensor::TensorDialect"];
}

def ReferenceExpandCeilDivisions : Pass<"mica-reference-expand-ceil-divisions"> {
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

def PlaceAsyncOnBuffers : Pass<"mica-reference-place-async-on-buffers", "mlir::ModuleOp"> {
  let summary = "Place the tensors that async tasks give and take on buffers";
  let description = [{
    Upstream bufferizes no op of `async`. Values of type `!async.value<tensor<..>>` become those of buffers: what a task
    yields is copied to a buffer of its own, and what is awaited is read from it. Tensors of the code around a task are
    copied before it, since that code may update them while the task runs.

    Example:

    ```mlir
    async.yield %t : tensor<4xf32>
    // becomes
    %m = memref.alloc() : memref<4xf32>
    bufferization.materialize_in_destination %t in restrict writable %m : (tensor<4xf32>, memref<4xf32>) -> ()
    async.yield %m : memref<4xf32>
    ```
  }];
  let dependentDialects = ["::mlir::async::AsyncDialect", "::mlir::bufferization::BufferizationDialect",
                           "::mlir::memref::MemRefDialect", "::mlir::tensor::TensorDialect"];
}

def ConvertTosaToLoops : Pass<"mica-reference-convert-tosa-to-loops"> {
  let summary = "Lower tosa.resize, avg_pool2d, tile and transpose_conv2d to loops over scalars";
  let description = [{
    Lowers the ops of `tosa` that upstream's conversions do not support for every type and size, or do not
    compute as the specification defines. All other ops are left to upstream's conversions.

    Example: `tosa.avg_pool2d` becomes loops over the elements of its result, which contain loops over the
    window. `tosa.cast` from i1 to a float becomes `arith.uitofp`, because its fold makes -1 of true.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::bufferization::BufferizationDialect",
                           "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect"];
}

def ConvertGlobals : Pass<"mica-reference-convert-globals", "mlir::ModuleOp"> {
  let summary = "Replace loads of ml_program globals by constants and erase dead tosa ops";
  let description = [{
    A load of a global without stores becomes a constant. Dead ops of `tosa` are erased; any other op of `tosa`
    that is left is an error.

    Example:

    ```mlir
    ml_program.global private @g(dense<1> : tensor<2xi32>) : tensor<2xi32>
    %0 = ml_program.global_load_const @g : tensor<2xi32>
    // becomes
    %0 = arith.constant dense<1> : tensor<2xi32>
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def ReferenceLowerDynamicAllocs : Pass<"mica-reference-lower-dynamic-allocs", "mlir::ModuleOp"> {
  let summary = "Lower allocations to calls of the runtime's memory service";
  let description = [{
    The same as `mica-codegen-lower-dynamic-allocs`. With `keeps-all`, the runtime frees all memory when the
    invocation ends.

    Example:

    ```mlir
    %t = memref.alloc(%n) : memref<?xf32>
    // becomes
    %p = llvm.call %allocate(%name, %four, %sizes, %one) : !llvm.ptr, (!llvm.ptr, i64, !llvm.ptr, i64) -> !llvm.ptr
    ```
  }];
  let options = [Option<"keepsAll", "keeps-all", "bool", "false", "Erase memref.dealloc instead of releasing memory">];
  let dependentDialects = ["mlir::arith::ArithDialect", "mlir::LLVM::LLVMDialect", "mlir::memref::MemRefDialect"];
}

def MakeKernelEntries : Pass<"mica-reference-make-kernel-entries", "mlir::ModuleOp"> {
  let summary = "Create the function through which the runtime calls a kernel";
  let description = [{
    In the kernel modules of a program of phase `lowered`, adds a function that takes the struct of kernel
    arguments (include/mica/ABI/Kernel.h), calls the kernel and returns its status.

    Example:

    ```mlir
    func.func @k(%a: memref<4xf32>, %part: index, %parts: index) attributes {mica_sched.grid = 1 : i64}
    // gets beside it
    func.func @mica_kernel_k(%args: !llvm.ptr) -> i32
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::func::FuncDialect", "::mlir::LLVM::LLVMDialect"];
}

def ShareConstants : Pass<"mica-reference-share-constants", "mlir::ModuleOp"> {
  let summary = "Convert large constant tensors to constants that the runtime provides";
  let description = [{
    An `arith.constant` of a tensor with more than 64 elements, or of a resource, becomes a
    `mica_sched.constant`, whose bytes are stored in the artifact's `constants.bin` and not in the code.

    Example:

    ```mlir
    %w = arith.constant dense_resource<mica_1f> : tensor<9x9xf32>
    // becomes
    %b = mica_sched.constant dense_resource<mica_1f> : tensor<9x9xf32> -> memref<9x9xf32>
    %w = bufferization.to_tensor %b restrict : memref<9x9xf32> to tensor<9x9xf32>
    ```
  }];
  let dependentDialects = ["::mica::sched::MicaSchedDialect", "::mlir::bufferization::BufferizationDialect",
                           "::mlir::memref::MemRefDialect"];
}

def CallRuntime : Pass<"mica-reference-call-runtime", "mlir::ModuleOp"> {
  let summary = "Convert constants and assertions to calls";
  let description = [{
    `mica_sched.constant` becomes a call of `mica_plain_constant` with the index of the constant,
    `cf.assert` a call of `mica_plain_assert` with the condition and the message, and `mica_check.failed` a call of
    `mica_plain_report` with the message and the values. mica-reference-make-entries defines these functions. Next to
    `vector.print`, declarations of the functions that it calls, such as `printNewline`, become those of the LLVM
    dialect.

    Example:

    ```mlir
    cf.assert %ok, "sizes differ"
    // becomes
    %text = llvm.mlir.addressof @mica_plain_message_0 : !llvm.ptr
    llvm.call @mica_plain_assert(%ok, %text) : (i1, !llvm.ptr) -> ()
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::memref::MemRefDialect",
                           "::mlir::LLVM::LLVMDialect"];
}

def NormalizeDynamicViews : Pass<"mica-reference-normalize-dynamic-views"> {
  let summary = "Normalize dynamic views that later conversions do not support";
  let description = [{
    Runs right after bufferization.

    - A `memref.cast` from a strided to the identity layout, as bufferization creates for functions that return
      a slice, becomes a copy. For dynamic sizes, the cast does not guarantee that the elements are contiguous.
    - A `memref.expand_shape` of a dimension into several dynamic dimensions becomes a `memref.reinterpret_cast`
      with strides computed from its sizes.
    - A `memref.reshape` becomes a `memref.reinterpret_cast` with sizes loaded from its shape operand.

    Example:

    ```mlir
    %0 = memref.cast %v : memref<2x?xf32, strided<[?, 1]>> to memref<2x?xf32>
    // becomes
    %c1 = arith.constant 1 : index
    %size = memref.dim %v, %c1 : memref<2x?xf32, strided<[?, 1]>>
    %0 = memref.alloc(%size) {alignment = 64 : i64} : memref<2x?xf32>
    memref.copy %v, %0 : memref<2x?xf32, strided<[?, 1]>> to memref<2x?xf32>
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::memref::MemRefDialect"];
}

def GuardRecursion : Pass<"mica-reference-guard-recursion", "mlir::ModuleOp"> {
  let summary = "Make functions that call themselves fail before the stack is exhausted";
  let description = [{
    A function that may call itself, directly or through others, compares the address of its frame with the end of
    the stack and asserts that there is room. In a program with calls through function pointers, these may lead to
    every function whose address is taken. Other functions stay as they are. mica-reference-make-entries fills the
    global `mica_plain_stack_limit` at each invocation.

    Precondition: the program is in the LLVM dialect.

    Example:

    ```mlir
    llvm.func @mica_plain_f(%n: i64) -> i64 {
      %0 = llvm.call @mica_plain_f(%n) : (i64) -> i64
      llvm.return %0 : i64
    }
    // becomes
    llvm.func @mica_plain_f(%n: i64) -> i64 {
      %frame = llvm.call_intrinsic "llvm.frameaddress.p0"(%c0) : (i32) -> !llvm.ptr
      %address = llvm.ptrtoint %frame : !llvm.ptr to i64
      %limit = llvm.load @mica_plain_stack_limit : i64
      %ok = llvm.icmp "uge" %address, %limit : i64
      llvm.call @mica_plain_assert(%ok, "the stack is exhausted: function '@f' calls itself ..")
      %0 = llvm.call @mica_plain_f(%n) : (i64) -> i64
      llvm.return %0 : i64
    }
    ```
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
}

def MakeEntries : Pass<"mica-reference-make-entries", "mlir::ModuleOp"> {
  let summary = "Create the functions through which the runtime calls entry points";
  let description = [{
    For each function with the attribute `plain_entry`, adds a function `mica_entry_<name>` of the host ABI
    (include/mica/ABI/Host.h). It builds descriptors of the arguments, calls the function, and copies the
    returned values to the memory of the results. Memory, constants and failures are services of the runtime;
    memory lives until the invocation ends. A failed assertion fails the invocation after the function has
    returned. Only one invocation may run at a time. With `keep-signatures`, a function without a body keeps the
    signature of each entry point.

    Precondition: the program is in the LLVM dialect.

    Example:

    ```mlir
    llvm.func @mica_plain_f(%p: !llvm.ptr, %q: !llvm.ptr, %offset: i64, %size: i64, %stride: i64) -> i64
        attributes {llvm.emit_c_interface, plain_entry = ["f", (memref<4xf32>) -> index]}
    // gets beside it
    llvm.func @mica_entry_f(%api: !llvm.ptr, %ctx: !llvm.ptr, %args: !llvm.ptr, %dims: !llvm.ptr) -> i32
    ```
  }];
  let options = [Option<"keepSignatures", "keep-signatures", "bool", "false",
                        "Keep a function declaration with the signature of each entry point">];
  let dependentDialects = ["::mica::sched::MicaSchedDialect", "::mlir::func::FuncDialect", "::mlir::LLVM::LLVMDialect"];
}

#endif // MICA_PASSES_CODEGEN_REFERENCE_PASSES
