//===- Passes.td - CPU pass definitions ----------------------------*- tablegen -*-===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------===//

#ifndef MICA_PASSES_CODEGEN_CPU_PASSES
#define MICA_PASSES_CODEGEN_CPU_PASSES

include "mlir/Pass/PassBase.td"

//===------------------------------------------------------------------------------===//
// Contraction, convolution and pooling
//===------------------------------------------------------------------------------===//

def CPUSelectContractionConfigPass : Pass<"mica-cpu-select-contraction-config", "::mlir::func::FuncOp"> {
  let summary = "Select register blocks, tile sizes and packing of a contraction, convolution or pooling";
  let description = [{
    Applies to kernels on tensors with exactly one contraction of two operands in any layout, convolution or
    pooling, and no other reduction. Sets `mica_codegen.lowering_config` on this op to the selected
    configuration, and `mica_sched.strategy` on the function to a line that describes it. A named op is
    generalized. Transposes and broadcasts of its operands are folded into its indexing maps.

    Example:

    ```mlir
    %0 = linalg.matmul ins(%a, %b : ...) outs(%c : ...) -> tensor<512x512xf32>
    // becomes
    %0 = linalg.generic {...} ins(%a, %b : ...) outs(%c : ...)
        attrs = {mica_codegen.lowering_config = #mica_codegen.contraction_config<form = outer, lane_dim = 1, row_dim = 0,
                 rows = 14, columns = 32, lanes = 16, order = lanes_outer, tile_sizes = [126, 128, 0]>} {...}
    ```
  }];
  let options = [Option<"vectorBits", "vector-bits", "int64_t", "512", "Width of a vector register in bits">,
                 Option<"l1Bytes", "l1-bytes", "int64_t", "32768", "Size in bytes of the L1 data cache of a core">,
                 Option<"l2Bytes", "l2-bytes", "int64_t", "1048576", "Size in bytes of the L2 cache of a core">,
                 Option<"int8DotBits", "int8-dot-bits", "int64_t", "0",
                        "Width in bits of the widest vector whose 32-bit lanes an instruction adds four products of "
                        "8-bit integers to; 0: no such instruction">,
                 Option<"int16PairBits", "int16-pair-bits", "int64_t", "0",
                        "Width in bits of the widest vector for whose 32-bit lanes an instruction adds two products "
                        "of 16-bit integers; 0: no such instruction">];
  let dependentDialects = ["::mica::codegen::MicaCodegenDialect", "::mlir::linalg::LinalgDialect", "::mlir::tensor::TensorDialect"];
}

def CPUPackConstantsPass : Pass<"mica-cpu-pack-constants", "::mlir::ModuleOp"> {
  let summary = "Store constant operands of contractions as the panels that kernels read";
  let description = [{
    A register block of a contraction reads one panel of an operand: all reduction steps of a few neighboring
    columns. This pass changes a kernel whose operand is a constant in every task to read an operand whose
    panels are contiguous, and stores the constant's elements in this order, once, at compile time. The loop of
    the columns becomes a loop over panels and one within a panel, also in the elementwise ops that use the
    result; the output is a view of the same memory. Other uses of the constant keep it.

    The width of a panel is that of the register blocks which `mica-cpu-select-contraction-config` would select,
    or another one that divides the number of columns and costs at most an eighth more. Otherwise, or if a block
    has fewer than four rows to read a panel for, or if a task passes another buffer than a constant, or if the
    kernel has an op that does not allow its columns to be split, the kernel stays as it is.

    If the constant moves along the rows of the blocks instead, as the weights of a convolution with channels first do,
    and its columns would leave lanes of vectors without work, its panels run along the rows: register blocks of the
    form `transposed` read them.

    Precondition: task lists, and kernels on tensors. Postcondition: the same.

    Example:

    ```mlir
    func.func @matmul(%x: memref<64x784xf32>, %w: memref<784x512xf32>, ...)
      linalg.generic ... // loops (m, n, k): %x[m, k], %w[k, n]
    mica_sched.task_list ...
      %c = mica_sched.constant dense_resource<mica_a> : tensor<784x512xf32> -> memref<784x512xf32>
      %t = mica_sched.task @matmul(%x, %c, ...)
    // becomes
    func.func @matmul(%x: memref<64x784xf32>, %w: memref<8x784x64xf32>, ...)
      linalg.generic ... // loops (m, p, c, k): %x[m, k], %w[p, k, c]
    mica_sched.task_list ...
      %c = mica_sched.constant dense_resource<mica_b> : tensor<8x784x64xf32> -> memref<8x784x64xf32>
      %t = mica_sched.task @matmul(%x, %c, ...)
    ```
  }];
  let options = [Option<"vectorBits", "vector-bits", "int64_t", "512", "Width of a vector register in bits">,
                 Option<"l1Bytes", "l1-bytes", "int64_t", "32768", "Size in bytes of the L1 data cache of a core">,
                 Option<"l2Bytes", "l2-bytes", "int64_t", "1048576", "Size in bytes of the L2 cache of a core">,
                 Option<"int8DotBits", "int8-dot-bits", "int64_t", "0",
                        "Width in bits of the widest vector whose 32-bit lanes an instruction adds four products of "
                        "8-bit integers to; 0: no such instruction">,
                 Option<"int16PairBits", "int16-pair-bits", "int64_t", "0",
                        "Width in bits of the widest vector for whose 32-bit lanes an instruction adds two products "
                        "of 16-bit integers; 0: no such instruction">,
                 Option<"minBytes", "min-bytes", "int64_t", "16384",
                        "Minimum size in bytes of a constant: smaller ones stay in the L1 cache">,
                 Option<"maxBytes", "max-bytes", "int64_t", "1073741824",
                        "Maximum size in bytes of all panels: they are stored in addition to the constants">];
  let dependentDialects = ["::mlir::bufferization::BufferizationDialect", "::mlir::linalg::LinalgDialect",
                           "::mlir::memref::MemRefDialect", "::mica::sched::MicaSchedDialect",
                           "::mlir::tensor::TensorDialect"];
}

def TileContractionPass : Pass<"mica-cpu-tile-contraction", "::mlir::func::FuncOp"> {
  let summary = "Tile a contraction and fuse its producers and consumers";
  let description = [{
    Tiles an op that has a `#mica_codegen.contraction_config` by the tile sizes given there. Its parallel loops
    become one `scf.forall` with the attribute `mica_codegen.distribute`, into which the op that initializes the
    result and the elementwise consumers of the result are fused. Long reduction loops become an `scf.for`
    inside.

    Warns, and leaves a remark `spills`, if a register block of the config needs more vector registers than the
    target has: the results are the same, but values are spilled to the stack. The selecting pass never does that.

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
  let options = [Option<"vectorBits", "vector-bits", "int64_t", "512", "Width of a vector register in bits">,
                 Option<"maxIterations", "max-iterations", "int64_t", "10",
                        "Maximum number of iterations of the greedy driver that simplifies slices">];
  let dependentDialects = ["::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
                           "::mlir::linalg::LinalgDialect", "::mlir::scf::SCFDialect",
                           "::mlir::tensor::TensorDialect"];
}

def VectorizeContractionPass : Pass<"mica-cpu-vectorize-contraction", "::mlir::func::FuncOp"> {
  let summary = "Lower a contraction to loops over register blocks of vectors";
  let description = [{
    Runs after bufferization. A contraction with a `#mica_codegen.contraction_config` becomes a loop nest that
    keeps a block of its results in vector values. The reduction loops carry them as `iter_args`. The ops that
    initialize and consume the results operate on them before they are stored. Sums of floats over more than a
    few hundred steps are accumulated in blocks whose sums are then added. Static and dynamic sizes are
    supported: the last vector of a row is masked, and the last rows are a smaller block.

    The form `transposed` sums vectors along the rows and transposes the finished block by shuffles. From then on it is
    a block of the form `outer`.

    The form `interleaved` needs the option `int8-dot-bits` or `int16-pair-bits`. Its factor along the lanes is packed so
    that four steps of the reduction are adjacent. The instruction of the first multiplies unsigned by signed integers;
    for other products, and for zero points, sums of rows and columns are added, which is exact.

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
  let options = [Option<"int8DotBits", "int8-dot-bits", "int64_t", "0",
                        "Width in bits of the widest vector whose 32-bit lanes an instruction adds four products of "
                        "8-bit integers to; 0: no such instruction">,
                 Option<"int16PairBits", "int16-pair-bits", "int64_t", "0",
                        "Width in bits of the widest vector for whose 32-bit lanes an instruction adds two products "
                        "of 16-bit integers; 0: no such instruction">];
  let dependentDialects = ["::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect",
                           "::mlir::LLVM::LLVMDialect", "::mlir::memref::MemRefDialect",
                           "::mlir::vector::VectorDialect"];
}

def TileAndFuseRowsPass : Pass<"mica-cpu-tile-and-fuse-rows", "::mlir::func::FuncOp"> {
  let summary = "Tile and fuse chains of elementwise ops and reductions by rows";
  let description = [{
    Finds the dimensions along which every op of a kernel is parallel, and tiles all ops along these dimensions
    into one `scf.forall` with the attribute `mica_codegen.distribute`. A tile is one row, several short rows,
    or, if the contiguous dimension itself is tiled, a block of a row. If an input is contiguous along another
    of these dimensions than the output (a transpose), both are tiled. Intermediate values shrink from tensors
    to tiles. If ops of the chain are products of two operands (attention), a tile has as many rows as leave its
    intermediate values in the cache.

    Sets `mica_sched.strategy` to "rows", or to "general" with the reason why the kernel was not tiled.
    Functions that already have the attribute are skipped.

    Precondition: `linalg.generic` on tensors. Postcondition: the same ops, inside the loop.

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
                        "Number of elements up to which several short rows form one tile">,
                 Option<"blockElements", "block-elements", "int64_t", "4096",
                        "Number of elements of a tile if the contiguous dimension is tiled">,
                 Option<"transposeSide", "transpose-side", "int64_t", "64",
                        "Number of elements of a tile along each dimension of a transpose">,
                 Option<"productBytes", "product-bytes", "int64_t", "524288",
                        "Bytes of intermediate values of a tile that contains products">,
                 Option<"shareElements", "share-elements", "int64_t", "32768",
                        "Minimum work per partition, in simple scalar operations">];
  let dependentDialects = ["::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
                           "::mlir::linalg::LinalgDialect", "::mlir::scf::SCFDialect", "::mlir::tensor::TensorDialect"];
}

def CPUPlanRowContractionsPass : Pass<"mica-cpu-plan-row-contractions", "::mlir::func::FuncOp"> {
  let summary = "Select register blocks and packing of the contractions in a tile of rows";
  let description = [{
    Applies to kernels with several contractions that `mica-cpu-tile-and-fuse-rows` has tiled (attention). Sets
    `mica_codegen.lowering_config` on each contraction to the configuration selected for the tile, and tiles long
    reduction loops. Parallel loops are not tiled again: a worker computes the whole tile. An op that has the attribute
    already is left as it is.

    Example:

    ```mlir
    %r = scf.forall (%b, %i) = (0, 0) to (12, 512) step (1, 64) shared_outs(%o = %e) -> (tensor<12x512x64xf32>) {
      %s = linalg.generic {...} ins(%q1, %k1 : ...) outs(%f : tensor<1x64x512xf32>) { products are summed }
      ...
      %w = linalg.generic {...} ins(%p, %v1 : ...) outs(%g : tensor<1x64x64xf32>) { products are summed }
      ...
    } {mica_codegen.distribute}
    // becomes
    ... %s = linalg.generic {...} attrs = {mica_codegen.lowering_config = #mica_codegen.contraction_config<...>} ...
    ```
  }];
  let options = [Option<"vectorBits", "vector-bits", "int64_t", "512", "Width of a vector register in bits">,
                 Option<"l1Bytes", "l1-bytes", "int64_t", "32768", "Size in bytes of the L1 data cache of a core">,
                 Option<"l2Bytes", "l2-bytes", "int64_t", "1048576", "Size in bytes of the L2 cache of a core">,
                 Option<"int8DotBits", "int8-dot-bits", "int64_t", "0",
                        "Width in bits of the widest vector whose 32-bit lanes an instruction adds four products of "
                        "8-bit integers to; 0: no such instruction">,
                 Option<"int16PairBits", "int16-pair-bits", "int64_t", "0",
                        "Width in bits of the widest vector for whose 32-bit lanes an instruction adds two products "
                        "of 16-bit integers; 0: no such instruction">];
  let dependentDialects = ["::mica::codegen::MicaCodegenDialect", "::mlir::linalg::LinalgDialect",
                           "::mlir::scf::SCFDialect", "::mlir::tensor::TensorDialect"];
}

def DistributeDataMovementPass : Pass<"mica-cpu-distribute-data-movement", "::mlir::func::FuncOp"> {
  let summary = "Distribute a kernel that only moves data over the rows of its output";
  let description = [{
    Applies to kernels without loops, after bufferization, whose ops are `linalg.generic` without reductions
    that write one argument, in full or in part, and do not read it: concatenations, paddings and slices. All
    ops are moved into one `scf.forall` with the attribute `mica_codegen.distribute` over a dimension of the
    output, the one with the most iterations. In each iteration, an op writes the part of its output that lies
    in the rows of that iteration, so that ops that overwrite the same elements keep their order. Sets
    `mica_sched.strategy`.

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
                        "Minimum number of elements per partition">];
  let dependentDialects = ["::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
                           "::mlir::linalg::LinalgDialect", "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect"];
}

def StreamStoresPass : Pass<"mica-cpu-stream-stores", "::mlir::func::FuncOp"> {
  let summary = "Store large results past the caches";
  let description = [{
    Applies to kernels whose arguments are together larger than `cache-bytes`. Makes vector stores into an argument that
    is only written, and is not smaller than `min-bytes`, nontemporal: the lines of such a result are not read before
    they are written, and evict nothing. Applies to stores that fill whole lines, one
    after the other, of which it is known that they begin at a line. Ends the kernel with `sfence`, because other threads
    may read the result as soon as it returns. Prefetches of what is stored so are erased.

    Precondition: the kernel is distributed.

    Example:

    ```mlir
    vector.store %v, %o[%i, %j] : memref<4096x4096xf32>, vector<32xf32>
    // becomes
    vector.store %v, %o[%i, %j] {alignment = 64 : i64, nontemporal = true} : memref<4096x4096xf32>, vector<32xf32>
    ```
  }];
  let options = [Option<"lineBytes", "line-bytes", "int64_t", "64", "Size in bytes of a line of the cache">,
                 Option<"cacheBytes", "cache-bytes", "int64_t", "33554432",
                        "Size in bytes of all arguments of a kernel together beyond which none stays in a cache">,
                 Option<"minBytes", "min-bytes", "int64_t", "4194304",
                        "Minimum size in bytes of an argument that is stored past the caches">];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect", "::mlir::vector::VectorDialect"];
}

def PrefetchRowsPass : Pass<"mica-cpu-prefetch-rows", "::mlir::func::FuncOp"> {
  let summary = "Prefetch rows while others are computed";
  let description = [{
    Applies to an `scf.forall` with the attribute `mica_codegen.distribute` whose body is three or more nests of loops
    over rows: the first one loads rows of an argument, a later one computes with what is in the cache by then, and the
    last ones store rows of an argument. Memory is idle meanwhile. The first such nest between gets `memref.prefetch`
    ops, one per line of the cache: for the rows that the nests before it load in the next iteration of the
    `scf.forall` (at the end of the argument, the last rows again), and for those that the nests behind it store in this
    one.

    Rows of arguments smaller than `min-bytes` stay in a cache between the kernels of a run, and are not prefetched.

    Example:

    ```mlir
    scf.forall (%i) = (0) to (6144) step (2) {
      %x = memref.subview %arg0[%i, 0] [2, 512] [1, 1] : ...
      scf.for %r ... { scf.for %j ... { maximum of vectors of %x } }
      %next_i = affine.min (%i + 2, 6142)
      %next = memref.subview %arg0[%next_i, 0] [2, 512] [1, 1] : ...
      scf.for %r ... {
        scf.for %j = %c0 to %c512 step %c16 ... {
          memref.prefetch %next[%r, %j], read, locality<3>, data : ...
          memref.prefetch %o[%r, %j], write, locality<3>, data : ...
          ... exponentials of vectors of %x
        }
      }
      scf.for %r ... { scf.for %j ... { vector.store ..., %o[%r, %j] } }
    } {mica_codegen.distribute = 1 : i64}
    ```
  }];
  let options = [Option<"lineBytes", "line-bytes", "int64_t", "64", "Size in bytes of a line of the cache">,
                 Option<"minBytes", "min-bytes", "int64_t", "1048576",
                        "Minimum size in bytes of an argument whose rows are prefetched">];
  let dependentDialects = ["::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
                           "::mlir::memref::MemRefDialect"];
}

#endif // MICA_PASSES_CODEGEN_CPU_PASSES
