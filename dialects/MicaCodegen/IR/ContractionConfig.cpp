//===- ContractionConfig.cpp - #mica_codegen.contraction_config --------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Constraints (C1) to (C9) of MicaCodegenAttrs.td: those on the parameters alone in verify(), those on the operation in
// verifyOn().
//
//===------------------------------------------------------------------------------------------------------------===//

#include "dialects/MicaCodegen/IR/ByteProducts.h"
#include "dialects/MicaCodegen/IR/LaneAccess.h"
#include "dialects/MicaCodegen/IR/MicaCodegenDialect.h"

#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Utils/Utils.h"

using namespace mlir;
using namespace mica::codegen;

/// Maximum results and accumulators of a block: beyond these the code of a block exceeds every instruction cache.
static constexpr int64_t kMostResults = 4096, kMostAccumulators = 64;

/// "0, 1"; "none" if there are none.
static std::string listed(ArrayRef<unsigned> loops) {
  std::string text;
  llvm::raw_string_ostream os(text);
  llvm::interleaveComma(loops, os);
  return text.empty() ? "none" : text;
}

LogicalResult ContractionConfigAttr::verify(function_ref<InFlightDiagnostic()> emitError, ContractionForm form,
                                            int64_t laneDim, int64_t rowDim, int64_t reductionDim, int64_t rows,
                                            int64_t columns, int64_t lanes, int64_t packOperand, BlockOrder,
                                            ArrayRef<int64_t> tileSizes, StringAttr) {
  if (rowDim < 0 && rows != 1)
    return emitError() << "(C3) rows = " << rows << " without a row_dim, expected rows = 1 or the row_dim of a loop";
  for (auto [name, value] : {std::pair("rows", rows), std::pair("columns", columns), std::pair("lanes", lanes)})
    if (value < 1)
      return emitError() << "(C4) " << name << " = " << value << ", expected at least 1";
  if (!llvm::isPowerOf2_64(lanes) || lanes > kMostResults)
    return emitError() << "(C4) lanes = " << lanes << ", expected a power of 2 of at most " << kMostResults;
  const bool isDot = form == ContractionForm::Dot, isTransposed = form == ContractionForm::Transposed;
  if (rows > kMostResults || columns > kMostResults || rows * columns > kMostResults ||
      rows * columns > kMostAccumulators * (isDot ? 1 : lanes))
    return emitError() << "(C4) a block of " << rows << " x " << columns << " results, expected at most "
                       << kMostResults << " results and " << kMostAccumulators << " accumulators of "
                       << (isDot ? 1 : lanes);
  if (!isDot && !isTransposed && columns % lanes != 0)
    return emitError() << "(C5) columns = " << columns << ", expected a multiple of lanes = " << lanes;
  if ((form == ContractionForm::Outer || isTransposed) && reductionDim != -1)
    return emitError() << "(C5) reduction_dim = " << reductionDim << " in the form " << stringifyContractionForm(form)
                       << ", expected -1";
  if ((isDot || isTransposed) && packOperand != -1)
    return emitError() << "(C6) pack_operand = " << packOperand << " in the form " << stringifyContractionForm(form)
                       << ", expected -1";
  if (isTransposed && rows % lanes != 0)
    return emitError() << "(C9) rows = " << rows << " in the form transposed, expected a multiple of lanes = " << lanes;
  if (isTransposed && columns > lanes)
    return emitError() << "(C9) columns = " << columns << " in the form transposed, expected at most lanes = " << lanes;
  if (form == ContractionForm::Interleaved && lanes != 4 && lanes != 8 && lanes != 16)
    return emitError() << "(C8) lanes = " << lanes << " in the form interleaved, expected 4, 8 or 16";
  for (int64_t size : tileSizes)
    if (size < 0)
      return emitError() << "(C7) a tile size of " << size << ", expected 0 (not tiled) or more";
  return success();
}

/// (C5), (C9) Why vectors cannot have their lanes along `dim`; empty if they can.
static std::string whyNotLanes(linalg::LinalgOp op, int64_t dim) {
  SmallVector<Operation *> combiners;
  if (!matchReduction(op.getRegionOutputArgs(), 0, combiners) || combiners.size() != 1 ||
      !linalg::getCombinerOpKind(combiners.front()))
    return "the products are not combined by one operation";
  for (OpOperand *input : op.getDpsInputOperands()) {
    if (!isa<ShapedType>(input->get().getType()) || op.getMatchingBlockArgument(input).use_empty())
      continue;
    LaneAccess access = classifyAccess(op.getMatchingIndexingMap(input), dim);
    if (access != LaneAccess::Contiguous && access != LaneAccess::Uniform)
      return "input " + std::to_string(input->getOperandNumber()) + " is not contiguous along it";
  }
  return {};
}

LogicalResult ContractionConfigAttr::verifyOn(Operation *target) const {
  auto error = [&] { return target->emitOpError() << "'" << kLoweringConfigAttr << "': "; };
  auto op = dyn_cast<linalg::LinalgOp>(target);
  if (!op || op.getNumReductionLoops() == 0 || op.getNumDpsInits() != 1)
    return error() << "(C1) a contraction_config, expected an operation of linalg with reduction loops and one result";
  SmallVector<unsigned> parallel, reductions;
  op.getParallelDims(parallel);
  op.getReductionDims(reductions);
  AffineMap result = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
  const auto *lanes =
      llvm::find_if(parallel, [&](unsigned dim) { return classifyAccess(result, dim) == LaneAccess::Contiguous; });
  if (lanes == parallel.end() || getLaneDim() != *lanes)
    return error() << "(C2) lane_dim = " << getLaneDim() << ", expected the loop of the result's last dimension: "
                   << (lanes == parallel.end() ? std::string("none") : std::to_string(*lanes));
  if (getRowDim() != -1 && (getRowDim() == getLaneDim() || !llvm::is_contained(parallel, getRowDim()))) {
    llvm::erase(parallel, *lanes);
    return error() << "(C3) row_dim = " << getRowDim()
                   << ", expected -1 or another parallel loop: " << listed(parallel);
  }
  if (getForm() == ContractionForm::Dot || getForm() == ContractionForm::Interleaved) {
    if (!llvm::is_contained(reductions, getReductionDim()))
      return error() << "(C5) reduction_dim = " << getReductionDim()
                     << ", expected a reduction loop: " << listed(reductions);
    std::string why = getForm() == ContractionForm::Dot ? whyNotLanes(op, getReductionDim()) : "";
    if (!why.empty())
      return error() << "(C5) reduction_dim = " << getReductionDim() << " in the form dot: " << why;
  }
  if (getForm() == ContractionForm::Interleaved) {
    std::string why;
    auto products = matchByteProducts(op, getLaneDim(), getRowDim(), getReductionDim(), why);
    if (!products)
      return error() << "(C8) the form interleaved: " << why;
    if (getPackOperand() != products->lane.input)
      return error() << "(C8) pack_operand = " << getPackOperand()
                     << " in the form interleaved, expected the factor along the lanes: " << products->lane.input;
  }
  if (getForm() == ContractionForm::Transposed) {
    if (getRowDim() == -1)
      return error() << "(C9) row_dim = -1 in the form transposed, expected a parallel loop";
    if (std::string why = whyNotLanes(op, getRowDim()); !why.empty())
      return error() << "(C9) row_dim = " << getRowDim() << " in the form transposed: " << why;
    const int64_t size = op.getStaticLoopRanges()[getRowDim()];
    if (ShapedType::isDynamic(size) || size % getLanes() != 0)
      return error() << "(C9) row_dim = " << getRowDim() << " in the form transposed, a loop of "
                     << (ShapedType::isDynamic(size) ? "unknown size" : "size " + std::to_string(size))
                     << ", expected a multiple of lanes = " << getLanes();
    const ArrayRef<int64_t> tiles = getTileSizes();
    const int64_t tile = getRowDim() < static_cast<int64_t>(tiles.size()) ? tiles[getRowDim()] : 0;
    if (tile != 0 && (tile % getLanes() != 0 || (tile < size && size % tile != 0)))
      return error() << "(C9) a tile size of " << tile
                     << " for row_dim in the form transposed, expected 0 or a multiple "
                     << "of lanes = " << getLanes() << " that divides " << size;
  }
  if (getPackOperand() != -1) {
    SmallVector<unsigned> possible;
    for (OpOperand *input : op.getDpsInputOperands()) {
      AffineMap map = op.getMatchingIndexingMap(input);
      if (isa<ShapedType>(input->get().getType()) && map.getNumResults() > 0 &&
          map.isProjectedPermutation(/*allowZeroInResults=*/false) &&
          (getRowDim() < 0 || !map.isFunctionOfDim(getRowDim())))
        possible.push_back(input->getOperandNumber());
    }
    if (!llvm::is_contained(possible, getPackOperand()))
      return error() << "(C6) pack_operand = " << getPackOperand()
                     << ", expected -1 or an input that row_dim does not move: " << listed(possible);
  }
  if (getTileSizes().size() != op.getNumLoops())
    return error() << "(C7) " << getTileSizes().size() << " tile_sizes, expected one for each of the "
                   << op.getNumLoops() << " loops";
  return success();
}

std::string ContractionConfigAttr::describe() const {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << "contraction, "
     << (getForm() == ContractionForm::Outer         ? "outer products"
         : getForm() == ContractionForm::Dot         ? "dot products"
         : getForm() == ContractionForm::Interleaved ? "dot products of 4 bytes"
                                                     : "outer products, transposed")
     << ", blocks of " << getRows() << "x" << getColumns() << ", vectors of " << getLanes();
  if (getPackOperand() >= 0)
    os << ", operand " << getPackOperand() << " packed";
  os << ", tiles ";
  llvm::interleave(getTileSizes(), os, "x");
  return text;
}
