//===- Constants.cpp - constant attributes as values ------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See Constants.h.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "dialects/Mica/Reference/Constants.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/DialectResourceBlobManager.h"

using namespace mlir;

namespace mica::reference {

/// A float attribute's number as f64: exact for every float type the evaluator has.
static double toDouble(APFloat value) {
  bool losesInfo = false;
  value.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven, &losesInfo);
  return value.convertToDouble();
}

static int64_t toInt(const APInt &value, ElementType type) {
  return type.wrap(static_cast<int64_t>(value.extractBitsAsZExtValue(std::min(value.getBitWidth(), 64u), 0)));
}

std::optional<Cell> scalarOf(Attribute attribute) {
  if (auto number = dyn_cast<FloatAttr>(attribute))
    return Cell::of(toDouble(number.getValue()));
  auto number = dyn_cast<IntegerAttr>(attribute);
  if (!number)
    return std::nullopt;
  std::optional<ElementType> type = ElementType::of(number.getType());
  if (!type)
    return std::nullopt;
  return Cell::of(toInt(number.getValue(), *type));
}

static FailureOr<Tensor> denseTensor(Operation *op, DenseElementsAttr dense, const Evaluator &evaluator) {
  std::optional<ElementType> type = ElementType::of(dense.getElementType());
  if (!type)
    return op->emitError() << "constant of an element type the reference evaluator has not: " << dense.getType();
  FailureOr<Tensor> tensor = evaluator.allocate(op, *type, dense.getType().getShape());
  if (failed(tensor))
    return failure();
  Cell *cells = tensor->mutableData();
  int64_t size = tensor->size();
  if (dense.isSplat()) {
    Cell value = type->isFloat ? Cell::of(toDouble(dense.getSplatValue<APFloat>()))
                               : Cell::of(toInt(dense.getSplatValue<APInt>(), *type));
    std::fill(cells, cells + size, value);
  } else if (type->isFloat) {
    for (const APFloat &value : dense.getValues<APFloat>())
      *cells++ = Cell::of(toDouble(value));
  } else {
    for (const APInt &value : dense.getValues<APInt>())
      *cells++ = Cell::of(toInt(value, *type));
  }
  return tensor;
}

/// A resource's blob holds the elements as HostTensor does: row-major, little endian, i1 and i4 one byte each.
static FailureOr<Tensor> resourceTensor(Operation *op, DenseResourceElementsAttr resource, const Evaluator &evaluator) {
  std::optional<ElementType> type = ElementType::of(resource.getElementType());
  if (!type)
    return op->emitError() << "constant of an element type the reference evaluator has not: " << resource.getType();
  AsmResourceBlob *blob = resource.getRawHandle().getBlob();
  if (!blob)
    return op->emitError() << "the bytes of resource '" << resource.getRawHandle().getKey()
                           << "' are not in this module (elided?); evaluate the module that holds them";
  if (failed(evaluator.allocate(op, *type, resource.getType().getShape())))
    return failure();
  HostTensor host(type->dtype, resource.getType().getShape().vec());
  ArrayRef<char> bytes = blob->getData();
  if (bytes.size() != host.data.size())
    return op->emitError() << "resource '" << resource.getRawHandle().getKey() << "' has " << bytes.size()
                           << " bytes, its type " << resource.getType() << " needs " << host.data.size();
  std::copy(bytes.begin(), bytes.end(), host.data.begin());
  return Tensor::fromHost(host);
}

/// Zeros, and the values at their positions.
static FailureOr<Tensor> sparseTensor(Operation *op, SparseElementsAttr sparse, const Evaluator &evaluator) {
  FailureOr<Tensor> values = denseTensor(op, sparse.getValues(), evaluator);
  if (failed(values))
    return failure();
  ArrayRef<int64_t> shape = sparse.getType().getShape();
  FailureOr<Tensor> tensor = evaluator.allocate(op, values->elementType(), shape);
  if (failed(tensor))
    return failure();
  const SmallVector<int64_t> strides = tensor->strides();
  auto position = sparse.getIndices().value_begin<APInt>();
  for (int64_t i = 0, e = values->size(); i < e; ++i) {
    int64_t linear = 0;
    for (int64_t stride : strides)
      linear += stride * (*position++).getSExtValue();
    tensor->mutableData()[linear] = values->data()[i];
  }
  return tensor;
}

FailureOr<Tensor> tensorOf(Operation *op, Attribute attribute, const Evaluator &evaluator) {
  if (auto dense = dyn_cast<DenseElementsAttr>(attribute))
    return denseTensor(op, dense, evaluator);
  if (auto sparse = dyn_cast<SparseElementsAttr>(attribute))
    return sparseTensor(op, sparse, evaluator);
  if (auto resource = dyn_cast<DenseResourceElementsAttr>(attribute))
    return resourceTensor(op, resource, evaluator);
  std::optional<Cell> value = scalarOf(attribute);
  if (!value)
    return op->emitError() << "the reference evaluator cannot read the constant " << attribute;
  return Tensor::scalar(*ElementType::of(cast<TypedAttr>(attribute).getType()), *value);
}

} // namespace mica::reference
