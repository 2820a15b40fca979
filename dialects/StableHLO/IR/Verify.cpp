//===- Verify.cpp - what the verifiers of stablehlo share ---------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See Verify.h.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "dialects/StableHLO/IR/Verify.h"

#include "mlir/Dialect/Quant/IR/QuantTypes.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/SmallBitVector.h"

using namespace mlir;
using namespace mica;
using namespace mica::stablehlo;

RankedTensorType verifier::typeOf(Value value) { return cast<RankedTensorType>(value.getType()); }

bool verifier::fits(int64_t a, int64_t b) { return a == b || ShapedType::isDynamic(a) || ShapedType::isDynamic(b); }

bool verifier::fit(ArrayRef<int64_t> a, ArrayRef<int64_t> b) {
  return a.size() == b.size() && llvm::all_of_zip(a, b, [](int64_t x, int64_t y) { return fits(x, y); });
}

bool verifier::isScalar(Value value) { return typeOf(value).getRank() == 0; }

std::string verifier::text(ArrayRef<int64_t> shape) {
  std::string result;
  llvm::raw_string_ostream os(result);
  os << '[';
  llvm::interleaveComma(shape, os, [&](int64_t size) {
    if (ShapedType::isDynamic(size))
      os << '?';
    else
      os << size;
  });
  os << ']';
  return result;
}

/// Checks that the result has the sizes `shape` and the element type `element`.
LogicalResult verifier::verifyResult(Operation *op, ArrayRef<int64_t> shape, Type element) {
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  if (!fit(shape, type.getShape()))
    return op->emitOpError("has a result of sizes ") << text(type.getShape()) << ", expected " << text(shape);
  if (!areSameElements(type.getElementType(), element))
    return op->emitOpError("has a result of element type ") << type.getElementType() << ", expected " << element;
  return success();
}

/// Checks that the dimensions are different and less than `rank`.
LogicalResult verifier::verifyDims(Operation *op, ArrayRef<int64_t> dims, int64_t rank, StringRef what) {
  llvm::SmallBitVector seen(rank);
  for (int64_t dim : dims) {
    if (dim < 0 || dim >= rank)
      return op->emitOpError() << what << " contain " << dim << ", expected numbers from 0 to " << rank - 1;
    if (seen.test(dim))
      return op->emitOpError() << what << " contain " << dim << " twice";
    seen.set(dim);
  }
  return success();
}

LogicalResult verifier::verifyCount(Operation *op, size_t count, int64_t rank, StringRef what) {
  if (count != size_t(rank))
    return op->emitOpError("has ") << count << ' ' << what << ", expected one for each of the " << rank
                                   << " dimensions";
  return success();
}

/// Checks that `block` has arguments and a return of the given types. Sizes may be known better on one side.
LogicalResult verifier::verifyBlock(Operation *op, Block &block, TypeRange arguments, TypeRange results) {
  auto match = [](TypeRange a, TypeRange b) {
    return a.size() == b.size() && llvm::all_of_zip(a, b, [](Type x, Type y) {
             return getElementTypeOrSelf(x) == getElementTypeOrSelf(y) && succeeded(verifyCompatibleShape(x, y));
           });
  };
  if (!match(block.getArgumentTypes(), arguments))
    return op->emitOpError("has a region with arguments of types (")
           << block.getArgumentTypes() << "), expected (" << arguments << ')';
  auto last = block.empty() ? ReturnOp() : dyn_cast<ReturnOp>(block.back());
  if (!last)
    return op->emitOpError("has a region that does not end in stablehlo.return");
  if (!match(last->getOperandTypes(), results))
    return op->emitOpError("has a region that returns (")
           << last->getOperandTypes() << "), expected (" << results << ')';
  return success();
}

bool stablehlo::areSameElements(Type a, Type b) {
  auto one = dyn_cast<quant::QuantizedType>(a), other = dyn_cast<quant::QuantizedType>(b);
  if (!one || !other)
    return a == b;
  return one.getExpressedType() == other.getExpressedType() && one.getStorageType() == other.getStorageType() &&
         one.isSigned() == other.isSigned();
}

LogicalResult stablehlo::verifySameElements(Operation *op) {
  SmallVector<Type> types(op->getOperandTypes());
  llvm::append_range(types, op->getResultTypes());
  for (Type type : types)
    if (!areSameElements(getElementTypeOrSelf(type), getElementTypeOrSelf(types.front())))
      return op->emitOpError("requires the same element type for all operands and results");
  return success();
}

SmallVector<int64_t> stablehlo::listOf(Attribute list) {
  if (auto array = dyn_cast_if_present<DenseI64ArrayAttr>(list))
    return SmallVector<int64_t>(array.asArrayRef());
  if (auto flags = dyn_cast_if_present<DenseBoolArrayAttr>(list))
    return llvm::map_to_vector(flags.asArrayRef(), [](bool flag) { return int64_t(flag); });
  SmallVector<int64_t> values;
  if (auto elements = dyn_cast_if_present<DenseIntElementsAttr>(list))
    for (const APInt &value : elements.getValues<APInt>())
      values.push_back(value.getBitWidth() == 1 ? int64_t(value.getZExtValue()) : value.getSExtValue());
  return values;
}

SmallVector<int64_t> stablehlo::listOr(Attribute list, int64_t rank, int64_t value) {
  return list ? listOf(list) : SmallVector<int64_t>(rank, value);
}

int64_t verifier::windowed(int64_t size, int64_t baseDilation, int64_t low, int64_t high, int64_t window,
                           int64_t windowDilation, int64_t stride) {
  if (ShapedType::isDynamic(size) || ShapedType::isDynamic(window))
    return ShapedType::kDynamic;
  const int64_t padded = low + (size == 0 ? 0 : (size - 1) * baseDilation + 1) + high;
  const int64_t reach = window == 0 ? 0 : (window - 1) * windowDilation + 1;
  return padded == 0 || reach > padded ? 0 : (padded - reach) / stride + 1;
}

LogicalResult verifier::verifyLists(Operation *op, ArrayRef<std::pair<StringRef, SmallVector<int64_t>>> lists,
                                    int64_t rank, int64_t least) {
  for (const auto &[name, list] : lists) {
    if (list.size() != size_t(rank))
      return op->emitOpError("has ") << list.size() << " values in '" << name << "', expected " << rank;
    for (int64_t value : list)
      if (value < least)
        return op->emitOpError("has ") << value << " in '" << name << "', expected at least " << least;
  }
  return success();
}
