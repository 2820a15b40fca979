//===- MicaCodegenAttrs.td - the dialect `mica_codegen` ---*- tablegen -*-===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------===//
//
// A dialect of attributes: what one pass selects and a later one carries out.
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
  let summary = "How operations are to be lowered";
  let description = [{
    A pass that selects how an operation is lowered writes its decision on the operation; the passes that tile, vectorize and map it to
    launches read it from there. To try another decision, edit the attribute in a snapshot and run the rest of the pipeline
    (`mica-run DIR`, or `mica-compile --resume`). The verifier refuses what no pass can carry out, and names the values that are possible.

    Discardable attributes, verified wherever they occur:

    | attribute | on | value |
    |---|---|---|
    | `mica_codegen.lowering_config` | an operation of `linalg` | one of the configurations below |
    | `mica_codegen.distribute` | `scf.forall` | its iterations are distributed among the threads that run the kernel; an i64: into as many work partitions at most |
    | `mica_codegen.keep_loops` | an operation of `linalg` | unit: its loops are not collapsed |

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
    InterfaceMethod<"Whether `op` can be lowered so; otherwise emits an error on `op` that names what is possible.",
                    "::llvm::LogicalResult", "verifyOn", (ins "::mlir::Operation *":$op)>,
    InterfaceMethod<"The decision in one line for people.", "std::string", "describe">,
  ];
}

/// A list of sizes, in brackets.
def MicaCodegen_Sizes : ArrayRefParameter<"int64_t", "sizes"> {
  let printer = [{ $_printer << '['; ::llvm::interleaveComma($_self, $_printer); $_printer << ']' }];
  let parser = [{ ::mica::codegen::parseSizes($_parser) }];
}

//===------------------------------------------------------------------------------===//
// CPU
//===------------------------------------------------------------------------------===//

def MicaCodegen_ContractionForm : I32EnumAttr<"ContractionForm", "what the lanes of a vector hold", [
    I32EnumAttrCase<"Outer", 0, "outer">,
    I32EnumAttrCase<"Dot", 1, "dot">]> {
  let cppNamespace = "::mica::codegen";
  let genSpecializedAttr = 0;
}

def MicaCodegen_BlockOrder : I32EnumAttr<"BlockOrder", "which register blocks follow each other", [
    I32EnumAttrCase<"LanesOuter", 0, "lanes_outer">,
    I32EnumAttrCase<"RowsOuter", 1, "rows_outer">]> {
  let cppNamespace = "::mica::codegen";
  let genSpecializedAttr = 0;
}

def MicaCodegen_ContractionConfig : MicaCodegen_Attr<"ContractionConfig", "contraction_config", [
    DeclareAttrInterfaceMethods<MicaCodegen_LoweringConfigInterface>]> {
  let summary = "Register blocks, tiles and packing of a contraction on a CPU";
  let description = [{
    A contraction, convolution or pooling is computed in blocks of `rows` x `columns` results that stay in vector registers. In the form
    `outer` the lanes of a vector are neighbors along `lane_dim`; in the form `dot` they are neighbors along `reduction_dim`, and are
    summed at the end. Loops are numbered as in the operation's indexing maps.

    Constraints:
    - (C1) the operation is one of `linalg` with reduction loops and one result;
    - (C2) `lane_dim` is the loop along which neighbors of the result are contiguous;
    - (C3) `row_dim` is another parallel loop, or -1 if a block has one row; then `rows` is 1;
    - (C4) `rows`, `columns` and `lanes` are at least 1, `lanes` is a power of 2, and a block has at most 4096 results and 64
      accumulators (vectors of the form `outer`, results of the form `dot`);
    - (C5) in the form `outer`, `reduction_dim` is -1 and `columns` a multiple of `lanes`; in the form `dot`, `reduction_dim` is a reduction
      loop along which every input is contiguous or constant, and one operation combines the products;
    - (C6) `pack_operand` is -1, or in the form `outer` an input that `row_dim` does not move and whose subscripts are loops;
    - (C7) `tile_sizes` has a size for each loop; 0: the loop is not tiled.

    Example:

    ```mlir
    #mica_codegen.contraction_config<form = outer, lane_dim = 1, row_dim = 0, rows = 12, columns = 32, lanes = 16,
        pack_operand = 1, order = lanes_outer, tile_sizes = [256, 128, 0], reason = "neighbors along loop 1 ...">
    ```
  }];
  let parameters = (ins
    EnumParameter<MicaCodegen_ContractionForm>:$form,
    AttrParameter<"int64_t", "parallel loop of the lanes">:$lane_dim,
    DefaultValuedParameter<"int64_t", "-1", "parallel loop of the rows of a block">:$row_dim,
    DefaultValuedParameter<"int64_t", "-1", "reduction loop of the lanes">:$reduction_dim,
    AttrParameter<"int64_t", "of a block">:$rows,
    AttrParameter<"int64_t", "of a block">:$columns,
    AttrParameter<"int64_t", "elements of a vector">:$lanes,
    DefaultValuedParameter<"int64_t", "-1", "input whose panels are copied to a packed buffer">:$pack_operand,
    EnumParameter<MicaCodegen_BlockOrder>:$order,
    MicaCodegen_Sizes:$tile_sizes,
    OptionalParameter<"::mlir::StringAttr", "why, for people">:$reason
  );
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
}

//===------------------------------------------------------------------------------===//
// GPU
//===------------------------------------------------------------------------------===//

def MicaCodegen_GpuStrategy : I32EnumAttr<"GpuContractionStrategy", "which units multiply", [
    I32EnumAttrCase<"TensorCores", 0, "tensor_cores">,
    I32EnumAttrCase<"WorkgroupTiles", 1, "workgroup_tiles">]> {
  let cppNamespace = "::mica::codegen";
  let genSpecializedAttr = 0;
}

def MicaCodegen_GpuContractionConfig : MicaCodegen_Attr<"GpuContractionConfig", "gpu_contraction_config", [
    DeclareAttrInterfaceMethods<MicaCodegen_LoweringConfigInterface>]> {
  let summary = "Block tiles of a contraction on a GPU";
  let description = [{
    A block of threads computes a tile of m x n results from tiles of the inputs in workgroup memory, k steps of the reduction at a time.
    With `tensor_cores` each warp computes `part` of the tile by mma.sync; with `workgroup_tiles` each thread computes `part`, by
    multiply-adds in its registers. Operations with the same `group` become one launch.

    Constraints; those that depend on the types in the tiles are verified by `mica-gpu-form-launches`:
    - (C1) the operation is one of `linalg`;
    - (C2) `tile` is [m, n, k], each at least 1; `part` is [m, n] and divides the tile;
    - (C3) the threads that follow, 32 for each part of `tensor_cores` and 1 for each of `workgroup_tiles`, are a multiple of 32 and at most 1024;
    - (C4) with `tensor_cores`, `part` is a multiple of 16 x 16, and k of the depth of the instruction: 16 for f16 and bf16, 32 for i8, 8 for
      tf32, 4 for f64;
    - (C5) `stages`, the steps whose tiles workgroup memory holds, is at least 1 and at most 8, and they fit into 48 KiB;
    - (C6) `tf32`, inputs of f32 rounded to tf32, goes with `tensor_cores` and f32, which need it;
    - (C7) `group` is not negative;
    - (C8) the sides of `tile` have 1, 2, 4 or a multiple of 8 pieces of 16 bytes of each input, in which it is copied and swizzled.

    Example:

    ```mlir
    #mica_codegen.gpu_contraction_config<strategy = tensor_cores, group = 0, tile = [128, 128, 32], part = [64, 64], stages = 3>
    ```
  }];
  let parameters = (ins
    EnumParameter<MicaCodegen_GpuStrategy>:$strategy,
    AttrParameter<"int64_t", "of operations that become one launch">:$group,
    MicaCodegen_Sizes:$tile,
    MicaCodegen_Sizes:$part,
    AttrParameter<"int64_t", "steps whose tiles workgroup memory holds">:$stages,
    DefaultValuedParameter<"bool", "false", "inputs are rounded to tf32">:$tf32,
    OptionalParameter<"::mlir::StringAttr", "why, for people">:$reason
  );
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
}

def MicaCodegen_GpuReductionConfig : MicaCodegen_Attr<"GpuReductionConfig", "gpu_reduction_config", [
    DeclareAttrInterfaceMethods<MicaCodegen_LoweringConfigInterface>]> {
  let summary = "Threads of a row of a reduction on a GPU";
  let description = [{
    `threads` threads cooperate on each row, `elements` consecutive elements of it at a time. Operations with the same `group` become one
    launch.

    Constraints:
    - (C1) the operation is one of `linalg`;
    - (C2) `threads` is a power of 2 from 32 to 1024;
    - (C3) `elements` is a power of 2 and at most 16;
    - (C4) `group` is not negative.

    Example:

    ```mlir
    #mica_codegen.gpu_reduction_config<group = 0, threads = 128, elements = 4>
    ```
  }];
  let parameters = (ins
    AttrParameter<"int64_t", "of operations that become one launch">:$group,
    AttrParameter<"int64_t", "of a row">:$threads,
    AttrParameter<"int64_t", "that a thread reads at once">:$elements,
    OptionalParameter<"::mlir::StringAttr", "why, for people">:$reason
  );
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
}

#endif // MICACODEGEN_ATTRS
