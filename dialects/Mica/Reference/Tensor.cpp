//===- Tensor.cpp - values of the reference evaluator -----------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See Tensor.h.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "dialects/Mica/Reference/Tensor.h"

#include "dialects/Mica/Reference/Bounds.h"
#include "dialects/Mica/Reference/ParallelAccesses.h"
#include "mica/Support/Checked.h"

#include "mlir/Dialect/Async/IR/AsyncTypes.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMTypes.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "mlir/IR/BuiltinTypes.h"

#include <cmath>
#include <cstring>
#include <limits>

using namespace mlir;

namespace mica::reference {

//===------------------------------------------------------------------------------------------------------------===//
// Element types
//===------------------------------------------------------------------------------------------------------------===//

ElementType::ElementType(DType dtype)
    : dtype(dtype), isFloat(mica::isFloat(dtype)),
      isUnsigned(dtype == DType::UI64 || dtype == DType::UI32 || dtype == DType::UI16 || dtype == DType::UI8) {
  switch (dtype) {
  case DType::I1:
    bits = 1;
    break;
  case DType::I4:
    bits = 4;
    break;
  default:
    bits = 8 * dtypeBytes(dtype);
  }
}

std::optional<ElementType> ElementType::of(Type type) {
  if (isa<tosa::shapeType>(type))
    return ElementType(DType::Index);
  if (auto shaped = dyn_cast<ShapedType>(type))
    type = shaped.getElementType();
  // Of a buffer of vectors, and of one of buffers, which are numbered.
  if (auto vector = dyn_cast<VectorType>(type))
    type = vector.getElementType();
  else if (isa<BaseMemRefType>(type))
    return ElementType(DType::Index);
  if (type.isF64())
    return ElementType(DType::F64);
  if (type.isF32())
    return ElementType(DType::F32);
  if (type.isF16())
    return ElementType(DType::F16);
  if (type.isBF16())
    return ElementType(DType::BF16);
  if (isa<Float8E4M3FNType>(type))
    return ElementType(DType::F8E4M3FN);
  if (isa<Float8E5M2Type>(type))
    return ElementType(DType::F8E5M2);
  if (type.isIndex())
    return ElementType(DType::Index);
  if (auto value = dyn_cast<async::ValueType>(type))
    return of(value.getValueType());
  if (isa<FunctionType, gpu::AsyncTokenType, nvgpu::DeviceAsyncTokenType, async::TokenType, async::GroupType,
          LLVM::LLVMPointerType, LLVM::LLVMStructType, LLVM::LLVMArrayType>(type))
    return ElementType(DType::Index);
  auto integer = dyn_cast<IntegerType>(type);
  if (!integer)
    return std::nullopt;
  bool isUnsigned = integer.isUnsigned();
  switch (integer.getWidth()) {
  case 64:
    return ElementType(isUnsigned ? DType::UI64 : DType::I64);
  case 32:
    return ElementType(isUnsigned ? DType::UI32 : DType::I32);
  case 16:
    return ElementType(isUnsigned ? DType::UI16 : DType::I16);
  case 8:
    return ElementType(isUnsigned ? DType::UI8 : DType::I8);
  case 4:
    return isUnsigned ? std::nullopt : std::optional<ElementType>(DType::I4);
  case 1:
    return ElementType(DType::I1);
  default:
    if (integer.getWidth() > 64 || integer.getWidth() == 0 || isUnsigned)
      return std::nullopt;
    ElementType narrow(DType::I64);
    narrow.bits = integer.getWidth();
    return narrow;
  }
}

/// `value` as an integer.
static double roundToInteger(double value, FloatRounding mode) {
  switch (mode) {
  case FloatRounding::NearestEven:
    return std::nearbyint(value);
  case FloatRounding::NearestAway:
    return std::round(value);
  case FloatRounding::TowardZero:
    return std::trunc(value);
  case FloatRounding::Downward:
    return std::floor(value);
  case FloatRounding::Upward:
    return std::ceil(value);
  }
  llvm_unreachable("covered");
}

/// Whether a number beyond the largest one becomes that one.
static bool staysFinite(double value, FloatRounding mode) {
  return mode == FloatRounding::TowardZero || (mode == FloatRounding::Downward && value > 0.0) ||
         (mode == FloatRounding::Upward && value < 0.0);
}

/// Rounds `value` to a binary format with `precision` significant bits (the hidden one included), smallest normal
/// exponent `minExponent` and largest finite number `largest`; returns `overflow` with the sign of `value` beyond it.
static double roundToFormat(double value, int precision, int minExponent, double largest, double overflow,
                            FloatRounding mode) {
  if (std::isnan(value) || value == 0.0)
    return value;
  if (std::isinf(value))
    return std::copysign(overflow, value);
  int exponent = std::max(std::ilogb(value), minExponent);
  int lastBit = exponent - (precision - 1);
  // Scaling by a power of two is exact in f64.
  double rounded = std::ldexp(roundToInteger(std::ldexp(value, -lastBit), mode), lastBit);
  if (std::fabs(rounded) <= largest)
    return rounded;
  return std::copysign(staysFinite(value, mode) ? largest : overflow, value);
}

/// Set while rounding is disabled.
static thread_local bool roundingIsOff = false;

WithoutRounding::WithoutRounding() : before(std::exchange(roundingIsOff, true)) {}
WithoutRounding::~WithoutRounding() { roundingIsOff = before; }

double ElementType::round(double value, FloatRounding mode) const {
  if (roundingIsOff)
    return value;
  constexpr double inf = std::numeric_limits<double>::infinity();
  switch (dtype) {
  case DType::F32:
    return mode == FloatRounding::NearestEven ? static_cast<float>(value)
                                              : roundToFormat(value, 24, -126, 0x1.FFFFFEp127, inf, mode);
  case DType::F16:
    return roundToFormat(value, 11, -14, 65504.0, inf, mode);
  case DType::BF16:
    return roundToFormat(value, 8, -126, 0x1.FEp127, inf, mode);
  case DType::F8E4M3FN:
    return roundToFormat(value, 4, -6, 448.0, std::numeric_limits<double>::quiet_NaN(), mode);
  case DType::F8E5M2:
    return roundToFormat(value, 3, -14, 57344.0, inf, mode);
  default:
    return value;
  }
}

double ElementType::ofUnsigned(uint64_t value) const {
  if (dtype == DType::F64 || value < uint64_t(1) << 53)
    return round(double(value));
  // The bits that exceed the mantissa of f64 become one sticky bit: enough to round to fewer bits.
  constexpr uint64_t kRest = 0x7ff;
  return round(double((value & ~kRest) | (value & kRest ? kRest + 1 : 0)));
}

double ElementType::ofSigned(int64_t value) const {
  return value < 0 ? -ofUnsigned(-uint64_t(value)) : ofUnsigned(uint64_t(value));
}

int64_t ElementType::asSigned(int64_t value) const {
  return bits == 64 ? value : static_cast<int64_t>(static_cast<uint64_t>(value) << (64 - bits)) >> (64 - bits);
}

uint64_t ElementType::asUnsigned(int64_t value) const {
  return bits == 64 ? static_cast<uint64_t>(value) : static_cast<uint64_t>(value) & ((uint64_t(1) << bits) - 1);
}

int64_t ElementType::wrap(int64_t value) const {
  return isUnsigned || bits == 1 ? static_cast<int64_t>(asUnsigned(value)) : asSigned(value);
}

Cell ElementType::lowest() const {
  if (dtype == DType::F8E4M3FN)
    return Cell::of(-448.0);
  if (isFloat)
    return Cell::of(-std::numeric_limits<double>::infinity());
  return Cell::of(isUnsigned || bits == 1 ? int64_t(0) : asSigned(int64_t(uint64_t(1) << (bits - 1))));
}

Cell ElementType::highest() const {
  if (dtype == DType::F8E4M3FN)
    return Cell::of(448.0);
  if (isFloat)
    return Cell::of(std::numeric_limits<double>::infinity());
  if (isUnsigned || bits == 1)
    return Cell::of(static_cast<int64_t>(asUnsigned(-1)));
  return Cell::of(static_cast<int64_t>((uint64_t(1) << (bits - 1)) - 1));
}

Cell ElementType::number(double value) const {
  return isFloat ? Cell::of(round(value)) : Cell::of(wrap(static_cast<int64_t>(value)));
}

uint64_t ElementType::toBits(Cell cell) const {
  if (!isFloat)
    return asUnsigned(cell.i);
  HostTensor one(dtype, {});
  one.setDouble(0, cell.f);
  uint64_t found = 0;
  std::memcpy(&found, one.data.data(), one.data.size());
  return found;
}

Cell ElementType::ofBits(uint64_t given) const {
  if (!isFloat)
    return Cell::of(wrap(int64_t(given)));
  HostTensor one(dtype, {});
  std::memcpy(one.data.data(), &given, one.data.size());
  return Cell::of(one.asDouble(0));
}

//===------------------------------------------------------------------------------------------------------------===//
// Tensors
//===------------------------------------------------------------------------------------------------------------===//

Tensor::Tensor(ElementType type, ArrayRef<int64_t> shape) : type(type), dims(shape) {
  if (!dims.empty())
    cells = std::make_shared<std::vector<Cell>>(sizeOf(dims), Cell::of(int64_t(0)));
}

Tensor Tensor::scalar(ElementType type, Cell value) {
  Tensor result(type, {});
  result.single = value;
  return result;
}

Tensor Tensor::indices(ArrayRef<int64_t> values) {
  Tensor result(DType::Index, {static_cast<int64_t>(values.size())});
  Cell *out = result.mutableData();
  for (int64_t value : values)
    *out++ = Cell::of(value);
  return result;
}

Tensor Tensor::fromHost(const HostTensor &host) {
  Tensor result(host.dtype, host.shape);
  Cell *out = result.mutableData();
  for (int64_t i = 0, e = host.numElements(); i < e; ++i)
    out[i] = result.type.isFloat ? Cell::of(host.asDouble(i)) : Cell::of(result.type.wrap(host.asInt(i)));
  return result;
}

Tensor Tensor::deferred(const HostTensor &host) {
  Tensor result;
  result.type = host.dtype;
  result.dims.assign(host.shape.begin(), host.shape.end());
  result.source = &host;
  return result;
}

Tensor Tensor::buffer(ElementType type, ArrayRef<int64_t> shape, BufferView view) {
  Tensor result;
  result.type = type;
  result.dims.assign(shape.begin(), shape.end());
  result.place = std::move(view);
  return result;
}

Tensor Tensor::newBuffer(const Tensor &values) {
  auto memory = std::make_shared<BufferMemory>(values.data(), values.data() + values.size());
  if (values.bound)
    memory->bounds = std::make_shared<BufferMemory>(values.bound->data(), values.bound->data() + values.size());
  return buffer(values.type, values.dims, {std::move(memory), 0, values.strides()});
}

int64_t Tensor::bufferPosition(ArrayRef<int64_t> position) const {
  return place.offset + linearize(position, place.strides);
}

Cell Tensor::cellAt(int64_t at) const {
  const Cell *cells = place.memory->data() + at;
  if (!place.bytes)
    return *cells;
  uint64_t found = 0;
  for (unsigned i = 0; i < place.bytes; ++i)
    found |= uint64_t(uint8_t(cells[i].i)) << (8 * i);
  return type.ofBits(found);
}

void Tensor::setCellAt(int64_t at, Cell value) const {
  Cell *cells = place.memory->data() + at;
  if (!place.bytes) {
    *cells = value;
    return;
  }
  const uint64_t given = type.toBits(value);
  for (unsigned i = 0; i < place.bytes; ++i)
    cells[i] = Cell::of(int64_t(int8_t(given >> (8 * i))));
}

Tensor Tensor::loaded() const {
  Tensor result(type, dims);
  Cell *cell = result.mutableData();
  const bool isNoted = ParallelAccesses::isAnyNoted();
  forEachPosition(dims, [&](ArrayRef<int64_t> position) {
    const int64_t at = bufferPosition(position);
    *cell++ = cellAt(at);
    if (isNoted)
      noteAccess(*place.memory, at, AccessKind::Read);
  });
  if (place.memory->bounds)
    result.setBound(boundTwin().loaded());
  return result;
}

Tensor Tensor::boundTwin() const {
  if (!isBuffer())
    return bound ? *bound : Tensor(type, dims);
  if (!place.memory->bounds)
    place.memory->bounds = std::make_shared<BufferMemory>(place.memory->size(), Cell::of(0.0));
  return buffer(type, dims, {place.memory->bounds, place.offset, place.strides});
}

void Tensor::setBound(Tensor bounds) {
  bounds.bound = nullptr;
  const Cell *cells = bounds.data();
  bound = std::any_of(cells, cells + bounds.size(), [](Cell cell) { return cell.f != 0; })
              ? std::make_shared<const Tensor>(std::move(bounds))
              : nullptr;
}

void Tensor::store(const Tensor &values) const {
  const Cell *cell = values.data();
  const bool isNoted = ParallelAccesses::isAnyNoted();
  forEachPosition(dims, [&](ArrayRef<int64_t> position) {
    const int64_t at = bufferPosition(position);
    if (isNoted)
      noteAccess(*place.memory, at, AccessKind::Write, cellAt(at).i != cell->i);
    setCellAt(at, *cell++);
  });
  if (values.bound || place.memory->bounds) {
    Tensor bounds = values.boundTwin();
    boundTwin().store(bounds);
  }
}

HostTensor Tensor::toHost() const {
  if (source)
    return *source;
  if (isBuffer())
    return loaded().toHost();
  HostTensor host(type.dtype, std::vector<int64_t>(dims.begin(), dims.end()));
  const Cell *in = data();
  for (int64_t i = 0, e = size(); i < e; ++i) {
    if (type.isFloat)
      host.setDouble(i, in[i].f);
    else
      host.setInt(i, in[i].i);
  }
  return host;
}

int64_t Tensor::size() const { return sizeOf(dims); }

SmallVector<int64_t> Tensor::strides() const { return stridesOf(dims); }

Cell *Tensor::mutableData() {
  if (!cells)
    return &single;
  if (cells.use_count() > 1)
    cells = std::make_shared<std::vector<Cell>>(*cells);
  return cells->data();
}

Cell Tensor::at(ArrayRef<int64_t> position) const { return data()[linearize(position, strides())]; }

SmallVector<int64_t> Tensor::toInts() const {
  SmallVector<int64_t> values;
  for (int64_t i = 0, e = size(); i < e; ++i)
    values.push_back(intAt(i));
  return values;
}

Tensor Tensor::reshaped(ArrayRef<int64_t> shape) const {
  assert(sizeOf(shape) == size() && "a reshape keeps the number of elements");
  Tensor result = *this;
  result.dims.assign(shape.begin(), shape.end());
  // Rank 0 has its cell inline, every other rank in the vector.
  if (shape.empty() && cells) {
    result.single = value();
    result.cells.reset();
  } else if (!shape.empty() && !cells) {
    result.cells = std::make_shared<std::vector<Cell>>(1, single);
  }
  return result;
}

Tensor Tensor::retyped(ElementType newType) const {
  Tensor result = *this;
  result.type = newType;
  return result;
}

void Tensor::roundAll() {
  if (!type.isFloat || type.dtype == DType::F64)
    return;
  Cell *cell = mutableData();
  for (int64_t i = 0, e = size(); i < e; ++i)
    cell[i].f = type.round(cell[i].f);
}

std::string Tensor::typeString() const {
  return shapedTypeString(std::vector<int64_t>(dims.begin(), dims.end()), type.dtype);
}

//===------------------------------------------------------------------------------------------------------------===//
// Shapes and positions
//===------------------------------------------------------------------------------------------------------------===//

int64_t sizeOf(ArrayRef<int64_t> shape) { return checkedElements(shape).value_or(0); }

SmallVector<int64_t> stridesOf(ArrayRef<int64_t> shape) {
  SmallVector<int64_t> strides(shape.size(), 1);
  for (size_t i = shape.size(); i-- > 1;)
    strides[i - 1] = strides[i] * shape[i];
  return strides;
}

int64_t linearize(ArrayRef<int64_t> position, ArrayRef<int64_t> strides) {
  int64_t linear = 0;
  for (auto [p, stride] : llvm::zip_equal(position, strides))
    linear += p * stride;
  return linear;
}

LogicalResult tryEachPosition(ArrayRef<int64_t> shape, function_ref<LogicalResult(ArrayRef<int64_t>)> visit) {
  for (int64_t extent : shape)
    if (extent <= 0)
      return success();
  SmallVector<int64_t> position(shape.size(), 0);
  while (true) {
    if (failed(visit(position)))
      return failure();
    int64_t d = static_cast<int64_t>(shape.size()) - 1;
    while (d >= 0 && ++position[d] == shape[d])
      position[d--] = 0;
    if (d < 0)
      return success();
  }
}

void forEachPosition(ArrayRef<int64_t> shape, function_ref<void(ArrayRef<int64_t>)> visit) {
  (void)tryEachPosition(shape, [&](ArrayRef<int64_t> position) -> LogicalResult {
    visit(position);
    return success();
  });
}

} // namespace mica::reference
