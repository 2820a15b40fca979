//===- RandomBits.cpp - expanding stablehlo.rng_bit_generator ----------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Threefry2x32 with 20 rounds and Philox4x32 with 10, of Salmon et al., "Parallel random numbers: as easy as 1, 2, 3"
// (SC 2011). Which counter gives which element, and the state afterwards, are as XLA has them, so that the bits agree:
// a state is a key and a counter of 64 bits, or of 128 bits for the Philox state of three words.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "passes/StableHLO/Complex.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mica;
using namespace mica::hlotypes;
namespace hlo = mica::stablehlo;

namespace {
/// Arithmetic on unsigned integers; constants get the type of the other operand.
class Words : public Arith {
public:
  Words(OpBuilder &builder, Location loc)
      : Arith(builder, loc), u32(builder.getIntegerType(32, /*isSigned=*/false)),
        u64(builder.getIntegerType(64, /*isSigned=*/false)) {}

  Value constant(Value like, uint64_t value) {
    const RankedTensorType type = tensorOf(like);
    const Attribute one =
        builder.getIntegerAttr(type.getElementType(), APInt(type.getElementTypeBitWidth(), value, false, true));
    return hlo::ConstantOp::create(builder, loc, type, DenseElementsAttr::get(type, one));
  }
  Value plus(Value a, uint64_t b) { return add(a, constant(a, b)); }
  Value bitXor(Value a, Value b) { return hlo::XorOp::create(builder, loc, a.getType(), a, b); }
  Value bitOr(Value a, Value b) { return hlo::OrOp::create(builder, loc, a.getType(), a, b); }
  Value left(Value a, unsigned bits) {
    return hlo::ShiftLeftOp::create(builder, loc, a.getType(), a, constant(a, bits));
  }
  Value right(Value a, unsigned bits) {
    return hlo::ShiftRightLogicalOp::create(builder, loc, a.getType(), a, constant(a, bits));
  }
  Value rotated(Value a, unsigned bits) { return bitOr(left(a, bits), right(a, 32 - bits)); }
  Value low(Value word) { return as(word, u32); }
  Value high(Value word) { return as(right(word, 32), u32); }
  Value joined(Value low, Value high) { return bitOr(as(low, u64), left(as(high, u64), 32)); }

  Value reshaped(Value value, ArrayRef<int64_t> shape) {
    const RankedTensorType type = tensorOf(value).clone(shape);
    return type == value.getType() ? value : hlo::ReshapeOp::create(builder, loc, type, value).getResult();
  }
  Value concatenated(ValueRange values, int64_t dim) {
    SmallVector<int64_t> shape(tensorOf(values.front()).getShape());
    shape[dim] *= int64_t(values.size());
    return hlo::ConcatenateOp::create(builder, loc, tensorOf(values.front()).clone(shape), values, uint64_t(dim));
  }
  /// The first `sizes` elements.
  Value head(Value value, ArrayRef<int64_t> sizes) {
    if (tensorOf(value).getShape() == sizes)
      return value;
    const SmallVector<int64_t> starts(sizes.size(), 0), steps(sizes.size(), 1);
    return hlo::SliceOp::create(builder, loc, tensorOf(value).clone(sizes), value, list(starts), list(sizes),
                                list(steps));
  }
  /// Word `index` of the state, with one dimension of size 1.
  Value word(Value state, int64_t index) {
    return hlo::SliceOp::create(builder, loc, tensorOf(state).clone({1}), state, list({index}), list({index + 1}),
                                list({1}));
  }
  /// A value with one element, in one dimension of `count`.
  Value repeated(Value value, int64_t count) {
    return hlo::BroadcastInDimOp::create(builder, loc, tensorOf(value).clone({count}), value, list({0}));
  }
  Value indices(int64_t count) { return hlo::IotaOp::create(builder, loc, RankedTensorType::get({count}, u64), 0); }

  Type u32, u64;

private:
  Attribute list(ArrayRef<int64_t> values) { return builder.getDenseI64ArrayAttr(values); }
};

/// What a generator makes of a state: the words, and the counter afterwards.
struct Output {
  Value words, counter;
};

class Generator : public Words {
public:
  Generator(OpBuilder &builder, Location loc, Value state)
      : Words(builder, loc), state(state), size(tensorOf(state).getDimSize(0)) {}

  Output threefry(ArrayRef<int64_t> shape, unsigned width);
  Output philox(ArrayRef<int64_t> shape, unsigned width);

private:
  SmallVector<Value> threefryBlocks(Value counters, int64_t count);
  std::pair<SmallVector<Value>, Value> philoxBlocks(int64_t count);

  Value state;
  int64_t size;
};

int64_t countOf(ArrayRef<int64_t> shape) {
  int64_t count = 1;
  for (int64_t n : shape)
    count *= n;
  return count;
}
} // namespace

SmallVector<Value> Generator::threefryBlocks(Value counters, int64_t count) {
  static constexpr unsigned kRotations[2][4] = {{13, 15, 26, 6}, {17, 29, 16, 24}};
  Value key = word(state, 0);
  const Value first = low(key), second = high(key);
  // The third word of the key schedule has the parity constant of the algorithm.
  const Value third = bitXor(bitXor(first, second), constant(first, 0x1BD11BDA));
  const Value keys[3] = {repeated(first, count), repeated(second, count), repeated(third, count)};
  Value x = add(low(counters), keys[0]), y = add(high(counters), keys[1]);
  for (unsigned group = 0; group < 5; ++group) {
    for (unsigned rotation : kRotations[group % 2]) {
      x = add(x, y);
      y = bitXor(x, rotated(y, rotation));
    }
    x = add(x, keys[(group + 1) % 3]);
    y = plus(add(y, keys[(group + 2) % 3]), group + 1);
  }
  return {x, y};
}

/// Words of 64 bits are one block each. Words of 32 bits are the halves of blocks, side by side along the first
/// dimension of even size, or else along the largest one.
Output Generator::threefry(ArrayRef<int64_t> shape, unsigned width) {
  SmallVector<int64_t> half(shape.empty() ? ArrayRef<int64_t>{1} : shape);
  size_t split = 0;
  if (width < 64 && !shape.empty()) {
    const auto *even = llvm::find_if(shape, [](int64_t n) { return n % 2 == 0; });
    split = size_t((even != shape.end() ? even : llvm::max_element(shape)) - shape.begin());
    half[split] = llvm::divideCeil(half[split], 2);
  }
  const int64_t count = countOf(half);
  Value counter = word(state, 1);
  SmallVector<Value> blocks = threefryBlocks(add(repeated(counter, count), indices(count)), count);
  Value next = plus(counter, uint64_t(count));
  if (width == 64)
    return {reshaped(joined(blocks[0], blocks[1]), shape), next};
  if (shape.empty())
    return {reshaped(blocks[0], {}), next};
  SmallVector<int64_t> parts(half), whole(half);
  parts.insert(parts.begin() + split + 1, 1);
  whole[split] *= 2;
  for (Value &block : blocks)
    block = reshaped(block, parts);
  return {head(reshaped(concatenated(blocks, int64_t(split) + 1), whole), shape), next};
}

/// `count` blocks of four words, and the counter after them.
std::pair<SmallVector<Value>, Value> Generator::philoxBlocks(int64_t count) {
  // A state of two words has its key in the upper half of the counter too.
  Value lower = word(state, 1), upper = size == 3 ? word(state, 2) : word(state, 0);
  const auto advanced = [&](Value by, int64_t n) -> std::pair<Value, Value> {
    Value from = repeated(lower, n), top = repeated(upper, n), sum = add(from, by);
    return {sum, select(less(sum, from), plus(top, 1), top)};
  };
  const auto [low64, high64] = advanced(indices(count), count);
  SmallVector<Value> x = {low(low64), high(low64), low(high64), high(high64)};
  Value key = word(state, 0), first = low(key), second = high(key);
  const auto product = [&](Value a, uint64_t factor) {
    Value wide = as(a, u64);
    wide = mul(wide, constant(wide, factor));
    return std::pair(low(wide), high(wide));
  };
  for (unsigned round = 0; round < 10; ++round) {
    const auto [lowA, highA] = product(x[0], 0xD2511F53);
    const auto [lowB, highB] = product(x[2], 0xCD9E8D57);
    x = {bitXor(bitXor(highB, x[1]), repeated(first, count)), lowB,
         bitXor(bitXor(highA, x[3]), repeated(second, count)), lowA};
    first = plus(first, 0x9E3779B9);
    second = plus(second, 0xBB67AE85);
  }
  const auto [nextLow, nextHigh] = advanced(constant(lower, uint64_t(count)), 1);
  return {x, size == 3 ? concatenated({nextLow, nextHigh}, 0) : nextLow};
}

/// The words of a block follow each other.
Output Generator::philox(ArrayRef<int64_t> shape, unsigned width) {
  const int64_t elements = countOf(shape), perBlock = width == 64 ? 2 : 4;
  const int64_t count = llvm::divideCeil(elements, perBlock);
  auto [x, next] = philoxBlocks(count);
  if (width == 64)
    x = {joined(x[0], x[1]), joined(x[2], x[3])};
  for (Value &word : x)
    word = reshaped(word, {count, 1});
  Value words = reshaped(concatenated(x, 1), {count * perBlock});
  return {reshaped(head(words, {elements}), shape), next};
}

std::optional<SmallVector<Value>> hlotypes::expandRandomBits(hlo::RngBitGeneratorOp op, OpBuilder &builder) {
  const Location loc = op.getLoc();
  RankedTensorType type = tensorOf(op.getOutput()), stateType = tensorOf(op.getInitialState());
  const Type element = type.getElementType();
  const auto algorithm = op.getRngAlgorithm();
  if (!type.hasStaticShape() || !stateType.hasStaticShape() || !element.isIntOrFloat() || element.isInteger(1) ||
      !stateType.getElementType().isInteger(64) || stateType.getRank() != 1)
    return std::nullopt;
  const int64_t size = stateType.getDimSize(0);
  const bool isThreefry = algorithm == hlo::RngAlgorithm::THREE_FRY;
  if (size != 2 && (isThreefry || size != 3))
    return std::nullopt;
  const unsigned width = element.getIntOrFloatBitWidth(), drawn = width == 64 ? 64 : 32;
  Words words(builder, loc);
  Value state = op.getInitialState();
  if (stateType.getElementType() != words.u64)
    state = hlo::BitcastConvertOp::create(builder, loc, stateType.clone(words.u64), state);
  Generator generator(builder, loc, state);
  Output output = isThreefry ? generator.threefry(type.getShape(), drawn) : generator.philox(type.getShape(), drawn);
  // Narrow elements are the low bits of words.
  const Type bits = builder.getIntegerType(width, /*isSigned=*/false);
  Value result = words.as(output.words, bits);
  if (element != bits)
    result = hlo::BitcastConvertOp::create(builder, loc, type, result);
  Value next = words.concatenated({words.word(state, 0)}, 0);
  next = hlo::ConcatenateOp::create(builder, loc, tensorOf(state), ValueRange{next, output.counter}, uint64_t(0));
  if (stateType.getElementType() != words.u64)
    next = hlo::BitcastConvertOp::create(builder, loc, stateType, next);
  return SmallVector<Value>{next, result};
}
