//===- ConstantParts.cpp - parts of constants that ranks have ---------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See ConstantParts.h.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "passes/Schedule/ConstantParts.h"

#include "passes/Tensor/ConstantNames.h"

#include "mlir/IR/AsmState.h"
#include "mlir/IR/BuiltinDialect.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mica;

/// The collective that is all that the kernel of `dispatch` does, if it slices.
static sched::CollectiveOp sliceOf(sched::DispatchOp dispatch, SymbolTableCollection &symbols) {
  ModuleOp kernel = sched::lookupKernel(dispatch, dispatch.getKernel(), symbols);
  sched::CollectiveOp found;
  if (kernel)
    kernel.walk([&](sched::CollectiveOp op) { found = op; });
  return found && found.getKind() == sched::CollectiveKind::AllSlice ? found : nullptr;
}

/// `whole`, `parts` tensors of `shape`, each cut along `dim` into `count`.
static std::vector<char> cut(ArrayRef<char> whole, int64_t parts, ArrayRef<int64_t> shape, int64_t elementBytes,
                             int64_t dim, int64_t count) {
  int64_t outer = 1, row = elementBytes;
  for (auto [i, size] : llvm::enumerate(shape))
    (static_cast<int64_t>(i) < dim ? outer : row) *= size;
  row /= count;
  std::vector<char> bytes(whole.size());
  char *target = bytes.data();
  for (int64_t part = 0; part < parts; ++part)
    for (int64_t piece = 0; piece < count; ++piece)
      for (int64_t i = 0; i < outer; ++i, target += row)
        std::copy_n(whole.data() + ((part * outer + i) * count + piece) * row, row, target);
  return bytes;
}

/// See slicedConstant(); parts of any size.
static std::optional<ConstantParts> slicesOf(sched::DispatchOp dispatch, SymbolTableCollection &symbols) {
  sched::CollectiveOp slice = sliceOf(dispatch, symbols);
  if (!slice || dispatch.getInputs().size() != 1 || dispatch->getNumResults() != 1)
    return std::nullopt;
  Value source = dispatch.getInputs()[0];
  auto from = dyn_cast<RankedTensorType>(source.getType());
  auto to = dyn_cast<RankedTensorType>(dispatch->getResult(0).getType());
  std::optional<int64_t> bytes = from ? sched::bufferBytes(from) : std::nullopt;
  if (!to || !bytes || *bytes == 0 || !to.hasStaticShape())
    return std::nullopt;
  ConstantParts parts;
  int64_t number = 1;
  Attribute constant;
  if (auto before = source.getDefiningOp<sched::DispatchOp>()) {
    std::optional<ConstantParts> outer = slicesOf(before, symbols);
    if (!outer || outer->grid != SmallVector<int64_t>(slice.getGrid()))
      return std::nullopt;
    parts = std::move(*outer);
    number = parts.value.getType().getShape().front();
  } else if (matchPattern(source, m_Constant(&constant)) && isa<DenseResourceElementsAttr>(constant)) {
    parts = {cast<DenseResourceElementsAttr>(constant), SmallVector<int64_t>(slice.getGrid()), {}};
  } else {
    return std::nullopt;
  }
  const AsmResourceBlob *blob = parts.value.getRawHandle().getBlob();
  if (!blob || static_cast<int64_t>(blob->getData().size()) != *bytes * number)
    return std::nullopt;
  int64_t count = 1;
  for (int64_t axis : slice.getAxes())
    count *= slice.getGrid()[axis];
  SmallVector<int64_t> shape{number * count};
  llvm::append_range(shape, to.getShape());
  auto type = RankedTensorType::get(shape, to.getElementType());
  const auto dim = static_cast<int64_t>(slice.getDim().value_or(0));
  // Along the first dimension parts lie one after the other already.
  parts.value = dim == 0 ? DenseResourceElementsAttr::get(type, parts.value.getRawHandle())
                         : constantResource(type, cut(blob->getData(), number, from.getShape(),
                                                      *sched::elementBytes(to.getElementType()), dim, count));
  llvm::append_range(parts.axes, slice.getAxes());
  return parts;
}

std::optional<ConstantParts> mica::slicedConstant(sched::DispatchOp dispatch, SymbolTableCollection &symbols) {
  std::optional<ConstantParts> parts = slicesOf(dispatch, symbols);
  if (!parts || *sched::bufferBytes(cast<ShapedType>(dispatch->getResult(0).getType())) % sched::kBufferAlignment != 0)
    return std::nullopt;
  return parts;
}

Value mica::makePart(OpBuilder &builder, Location loc, MemRefType type, const ConstantParts &parts) {
  auto constant = sched::ConstantOp::create(builder, loc, type, parts.value);
  constant->setAttr(sched::kPartsAttr, builder.getDictionaryAttr(
                                           {builder.getNamedAttr("axes", builder.getDenseI64ArrayAttr(parts.axes)),
                                            builder.getNamedAttr("grid", builder.getDenseI64ArrayAttr(parts.grid))}));
  return constant;
}
