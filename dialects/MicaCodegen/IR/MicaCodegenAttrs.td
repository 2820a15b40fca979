//===- MicaCodegenAttrs.td - the mica_codegen dialect --------------*- tablegen -*-===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------===//
//
// Attributes by which one pass selects how a later one lowers an op.
//
//===------------------------------------------------------------------------------===//

#ifndef MICACODEGEN_ATTRS
#define MICACODEGEN_ATTRS

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"
include "mlir/IR/OpBase.td"

def MicaCodegen_Dialect : Dialect {
  let name = "mica_codegen";
  let cppNamespace = "::mica::codegen";
  let summary = "attributes that select how ops are lowered";
  let description = [{
    A pass that selects how an op is lowered stores its decision on the op. The passes that tile, vectorize and
    map it to launches read the decision from there. To try another one, edit the attribute in a snapshot and
    run the rest of the pipeline (`mica-run DIR`, or `mica-compile --resume`). The verifier rejects what no pass
    can implement, and its messages name the values that are possible.

    Discardable attributes, verified wherever they occur:

    | attribute | on | value |
    |---|---|---|
    | `mica_codegen.lowering_config` | a `linalg` op | one of the configurations below |
    | `mica_codegen.distribute` | `scf.forall` | unit, or i64 for their maximum number: distributed over work partitions |
    | `mica_codegen.keep_loops` | a `linalg` op | unit: its loops are not collapsed |
    | `mica_codegen.host_reason` | a kernel's function | a string: why the kernel runs on the host |
    | `mica_codegen.launches` | a kernel's function | unit: it launches functions of the `gpu.module` beside it |
    | `mica_codegen.entry` | a function of a `gpu.module` | unit: it is launched |
    | `mica_codegen.memory` | a kernel | unit: a launch allocates device memory |
    | `mica_codegen.checks` | a kernel | `none`, `warn`, `safe` or `all`: the checks that its device code makes |
    | `mica_codegen.copies` | `nvgpu.device_async_create_group` | unit: without an attribute the text of a group without operands cannot be parsed |

    Any other attribute `mica_codegen.*` is an error.
  }];
  let hasOperationAttrVerify = 1;
  let useDefaultAttributePrinterParser = 1;
}

class MicaCodegen_Attr<string name, string attrMnemonic, list<Trait> traits = []>
    : AttrDef<MicaCodegen_Dialect, name, traits> {
  let mnemonic = attrMnemonic;
}

def MicaCodegen_LoweringConfigInterface : AttrInterface<"LoweringConfigAttrInterface"> {
  let cppNamespace = "::mica::codegen";
  let description = [{A value of `mica_codegen.lowering_config`.}];
  let methods = [
    InterfaceMethod<"Verifies that `op` can be lowered with this config; the error on `op` names the possible values.",
                    "::llvm::LogicalResult", "verifyOn", (ins "::mlir::Operation *":$op)>,
    InterfaceMethod<"A description of the config in one line, for readers.", "std::string", "describe">,
  ];
}

/// A list of sizes, printed in brackets.
def MicaCodegen_Sizes : ArrayRefParameter<"int64_t", "sizes"> {
  let printer = [{ $_printer << '['; ::llvm::interleaveComma($_self, $_printer); $_printer << ']' }];
  let parser = [{ ::mica::codegen::parseSizes($_parser) }];
}

//===------------------------------------------------------------------------------===//
// CPU
//===------------------------------------------------------------------------------===//

def MicaCodegen_ContractionForm : I32EnumAttr<"ContractionForm", "elements in the lanes of a vector", [
    I32EnumAttrCase<"Outer", 0, "outer">,
    I32EnumAttrCase<"Dot", 1, "dot">,
    I32EnumAttrCase<"Interleaved", 2, "interleaved">,
    I32EnumAttrCase<"Transposed", 3, "transposed">]> {
  let cppNamespace = "::mica::codegen";
  let genSpecializedAttr = 0;
}

def MicaCodegen_BlockOrder : I32EnumAttr<"BlockOrder", "order of the register blocks", [
    I32EnumAttrCase<"LanesOuter", 0, "lanes_outer">,
    I32EnumAttrCase<"RowsOuter", 1, "rows_outer">]> {
  let cppNamespace = "::mica::codegen";
  let genSpecializedAttr = 0;
}

def MicaCodegen_ContractionConfig : MicaCodegen_Attr<"ContractionConfig", "contraction_config", [
    DeclareAttrInterfaceMethods<MicaCodegen_LoweringConfigInterface>]> {
  let summary = "register blocks, tiles and packing of a contraction on a CPU";
  let description = [{
    A contraction, convolution or pooling is computed in blocks of `rows` x `columns` results that are kept in
    vector registers. In the form `outer`, the lanes of a vector are consecutive results along `lane_dim`. In
    the form `dot`, they are consecutive products along `reduction_dim`, which are summed at the end. In the
    form `interleaved`, they are consecutive results, and each instruction adds four products of 8-bit integers,
    consecutive along `reduction_dim`, to each. In the form `transposed`, they are consecutive along `row_dim`
    while the products are added, and the finished block is transposed before it is stored: for results whose rows
    are too short to fill vectors, such as the images of a convolution with channels first. Loops are numbered as in
    the indexing maps of the op.

    Constraints:
    - (C1) the op is a `linalg` op with reduction loops and one result;
    - (C2) `lane_dim` is the loop along which the result is contiguous;
    - (C3) `row_dim` is another parallel loop, or -1 if a block has one row; then `rows` is 1;
    - (C4) `rows`, `columns` and `lanes` are at least 1, `lanes` is a power of 2, and a block has at most 4096
      results and 64 accumulators (vectors in the form `outer`, results in the form `dot`);
    - (C5) in the forms `outer` and `interleaved`, `columns` is a multiple of `lanes`; in the forms `outer` and
      `transposed`, `reduction_dim` is -1; in the form `dot`, it is a reduction loop along which every input is
      contiguous or constant, and a single op combines the products; in the form `interleaved`, a reduction loop, as
      in (C8);
    - (C6) `pack_operand` is -1, or, in the forms `outer` and `interleaved`, an input that `row_dim` does not index
      and whose subscripts are single loops;
    - (C7) `tile_sizes` has one size per loop; a loop with size 0 is not tiled;
    - (C8) in the form `interleaved`, the op adds products of 8-bit integers, extended to 32 bits, less values that
      are the same in every iteration; `pack_operand` is the factor that `lane_dim` indexes, the other one is
      contiguous along `reduction_dim`, and `lanes` is 4, 8 or 16;
    - (C9) in the form `transposed`, a single op combines the products; every input is contiguous or constant along
      `row_dim`, the number of whose iterations and, if it is tiled, whose tile size are static multiples of `lanes`,
      the one of the other; `rows` is a multiple of `lanes`, and `columns` is at most `lanes`.

    A block that needs more vector registers than the target has is legal: its results are the same, and it
    spills. `mica-cpu-tile-contraction`, which knows the target, warns with both numbers and the rows that fit.

    Example:

    ```mlir
    #mica_codegen.contraction_config<form = outer, lane_dim = 1, row_dim = 0, rows = 12, columns = 32, lanes = 16,
        pack_operand = 1, order = lanes_outer, tile_sizes = [256, 128, 0], reason = "neighbors along loop 1 ...">
    ```
  }];
  let parameters = (ins
    EnumParameter<MicaCodegen_ContractionForm>:$form,
    AttrParameter<"int64_t", "parallel loop of the lanes of a vector">:$lane_dim,
    DefaultValuedParameter<"int64_t", "-1", "parallel loop of the rows of a block, or -1">:$row_dim,
    DefaultValuedParameter<"int64_t", "-1", "reduction loop of the lanes of a vector, or -1">:$reduction_dim,
    AttrParameter<"int64_t", "rows of a register block">:$rows,
    AttrParameter<"int64_t", "columns of a register block">:$columns,
    AttrParameter<"int64_t", "number of lanes of a vector">:$lanes,
    DefaultValuedParameter<"int64_t", "-1", "input whose panels are packed into a buffer, or -1">:$pack_operand,
    EnumParameter<MicaCodegen_BlockOrder>:$order,
    MicaCodegen_Sizes:$tile_sizes,
    OptionalParameter<"::mlir::StringAttr", "why this config was selected, for readers">:$reason
  );
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
}

//===------------------------------------------------------------------------------===//
// GPU
//===------------------------------------------------------------------------------===//

def MicaCodegen_GpuStrategy : I32EnumAttr<"GpuContractionStrategy", "hardware units that multiply", [
    I32EnumAttrCase<"TensorCores", 0, "tensor_cores">,
    I32EnumAttrCase<"WorkgroupTiles", 1, "workgroup_tiles">]> {
  let cppNamespace = "::mica::codegen";
  let genSpecializedAttr = 0;
}

def MicaCodegen_GpuContractionConfig : MicaCodegen_Attr<"GpuContractionConfig", "gpu_contraction_config", [
    DeclareAttrInterfaceMethods<MicaCodegen_LoweringConfigInterface>]> {
  let summary = "block tiles of a contraction on a GPU";
  let description = [{
    A thread block computes a tile of m x n results from tiles of the inputs in workgroup memory, k reduction
    steps at a time. With `tensor_cores`, each warp computes a `part` of the tile by `mma.sync`. With
    `workgroup_tiles`, each thread computes a `part` by multiply-adds in registers. Ops with the same `group`
    become one launch.

    Constraints; those that depend on the element types of the tiles are verified by `mica-gpu-map-to-launches`:
    - (C1) the op is a `linalg` op;
    - (C2) `tile` is [m, n, k], each at least 1; `part` is [m, n] and divides the tile;
    - (C3) the resulting number of threads, 32 per part with `tensor_cores` and 1 per part with
      `workgroup_tiles`, is a multiple of 32 and at most 1024;
    - (C4) with `tensor_cores`, `part` is a multiple of 16 x 16, and k is a multiple of the depth of the
      instruction: 16 for f16 and bf16, 32 for i8, 8 for tf32, 4 for f64;
    - (C5) `stages`, the number of steps whose tiles workgroup memory holds, is 1 to 8, and these tiles fit into
      48 KiB;
    - (C6) `tf32`, which rounds f32 inputs to tf32, is given with `tensor_cores` and f32 only, and is required
      for f32;
    - (C7) `group` is not negative;
    - (C8) the sides of `tile` consist of 1, 2, 4 or a multiple of 8 pieces of 16 bytes of each input, the unit
      in which tiles are copied and swizzled.

    Example:

    ```mlir
    #mica_codegen.gpu_contraction_config<strategy = tensor_cores, group = 0, tile = [128, 128, 32], part = [64, 64], stages = 3>
    ```
  }];
  let parameters = (ins
    EnumParameter<MicaCodegen_GpuStrategy>:$strategy,
    AttrParameter<"int64_t", "number of the group of ops that become one launch">:$group,
    MicaCodegen_Sizes:$tile,
    MicaCodegen_Sizes:$part,
    AttrParameter<"int64_t", "number of steps whose tiles workgroup memory holds">:$stages,
    DefaultValuedParameter<"bool", "false", "round f32 inputs to tf32">:$tf32,
    OptionalParameter<"::mlir::StringAttr", "why this config was selected, for readers">:$reason
  );
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
}

def MicaCodegen_GpuReductionConfig : MicaCodegen_Attr<"GpuReductionConfig", "gpu_reduction_config", [
    DeclareAttrInterfaceMethods<MicaCodegen_LoweringConfigInterface>]> {
  let summary = "threads per row of a reduction on a GPU";
  let description = [{
    `threads` threads cooperate on each row and process `elements` consecutive elements of it at a time. Ops
    with the same `group` become one launch.

    Constraints; (C5) and (C6) are verified by `mica-gpu-map-to-launches`:
    - (C1) the op is a `linalg` op;
    - (C2) `threads` is a power of 2 from 32 to 1024;
    - (C3) `elements` is a power of 2 and at most 16;
    - (C4) `group` is not negative;
    - (C5) `elements` is 1, or divides a row whose elements lie side by side, and fits into 16 bytes, the widest
      access of a thread;
    - (C6) the ops of a group have the same `threads` and `elements`.

    Example:

    ```mlir
    #mica_codegen.gpu_reduction_config<group = 0, threads = 128, elements = 4>
    ```
  }];
  let parameters = (ins
    AttrParameter<"int64_t", "number of the group of ops that become one launch">:$group,
    AttrParameter<"int64_t", "number of threads per row">:$threads,
    AttrParameter<"int64_t", "number of elements that a thread reads at once">:$elements,
    OptionalParameter<"::mlir::StringAttr", "why this config was selected, for readers">:$reason
  );
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
}

#endif // MICACODEGEN_ATTRS
