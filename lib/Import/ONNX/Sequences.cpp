//===- Sequences.cpp - sequences and optionals ----------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// A sequence whose length the graph fixes is a list of tensors while the model is imported; nothing of it is left in
// the program. An optional is the tensor in it.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "lib/Import/ONNX/OpTable.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mica;
using namespace mica::importer;

static void setSequence(Node &node, std::vector<Tensor> tensors) {
  Tensor result;
  result.sequence = std::make_shared<std::vector<Tensor>>(std::move(tensors));
  node.set(0, std::move(result));
}

/// The tensors of input `i`; refuses a tensor.
static const std::vector<Tensor> *sequenceOf(Node &node, unsigned i) {
  if (node.operand(i).sequence)
    return node.operand(i).sequence.get();
  (void)node.refuse("input " + llvm::Twine(i) + " is no sequence");
  return nullptr;
}

/// A position within a sequence of `count`, from input `i`, which must be constant.
static std::optional<int64_t> sequencePosition(Node &node, unsigned i, int64_t count) {
  if (node.operand(i).sequence) {
    (void)node.refuse("input " + llvm::Twine(i) + " is a sequence");
    return std::nullopt;
  }
  std::optional<Ints> values = node.constantsOf(i, "position");
  if (!values)
    return std::nullopt;
  const int64_t given = values->size() == 1 ? values->front() : count, normal = given < 0 ? given + count : given;
  if (normal < 0 || normal >= count) {
    (void)node.refuse("position " + llvm::Twine(given) + " is not within a sequence of " + llvm::Twine(count));
    return std::nullopt;
  }
  return normal;
}

static LogicalResult buildSequenceConstruct(Node &node) {
  std::vector<Tensor> tensors;
  for (unsigned i = 0; i < node.inputCount(); ++i) {
    if (!node.has(i) || node.operand(i).sequence)
      return node.refuse("input " + llvm::Twine(i) + " is no tensor");
    tensors.push_back(node.operand(i));
  }
  setSequence(node, std::move(tensors));
  return success();
}

static LogicalResult buildSequenceEmpty(Node &node) {
  setSequence(node, {});
  return success();
}

static LogicalResult buildSequenceAt(Node &node) {
  const std::vector<Tensor> *tensors = sequenceOf(node, 0);
  std::optional<int64_t> position = tensors ? sequencePosition(node, 1, tensors->size()) : std::nullopt;
  if (!position)
    return failure();
  node.set(0, (*tensors)[*position]);
  return success();
}

static LogicalResult buildSequenceInsert(Node &node) {
  const std::vector<Tensor> *tensors = sequenceOf(node, 0);
  if (!tensors || node.operand(1).sequence)
    return node.refuse("its inputs are not a sequence and a tensor");
  std::vector<Tensor> longer = *tensors;
  int64_t at = longer.size();
  if (node.has(2)) {
    std::optional<int64_t> position = sequencePosition(node, 2, longer.size() + 1);
    if (!position)
      return failure();
    // Of a negative one, -1 is before the last tensor.
    std::optional<Ints> given = node.constantsOf(2, "position");
    at = given && given->front() < 0 ? *position - 1 : *position;
    if (at < 0)
      return node.refuse("position " + llvm::Twine(given->front()) + " is not within the sequence");
  }
  longer.insert(longer.begin() + at, node.operand(1));
  setSequence(node, std::move(longer));
  return success();
}

static LogicalResult buildSequenceErase(Node &node) {
  const std::vector<Tensor> *tensors = sequenceOf(node, 0);
  if (!tensors)
    return failure();
  std::vector<Tensor> shorter = *tensors;
  if (shorter.empty())
    return node.refuse("the sequence is empty");
  int64_t at = static_cast<int64_t>(shorter.size()) - 1;
  if (node.has(1)) {
    std::optional<int64_t> position = sequencePosition(node, 1, shorter.size());
    if (!position)
      return failure();
    at = *position;
  }
  shorter.erase(shorter.begin() + at);
  setSequence(node, std::move(shorter));
  return success();
}

static LogicalResult buildSequenceLength(Node &node) {
  const std::vector<Tensor> *tensors = sequenceOf(node, 0);
  if (!tensors)
    return failure();
  Tensor length;
  length.elements = Sizes{node.index(tensors->size())};
  length.value = node.integerConstant({static_cast<int64_t>(tensors->size())}, {}, node.b.getI64Type());
  node.set(0, std::move(length));
  return success();
}

static LogicalResult buildSplitToSequence(Node &node) {
  if (node.operand(0).sequence)
    return node.refuse("input 0 is a sequence");
  std::optional<int64_t> axis = node.axisOf(node.integer("axis", 0), node.rank(0));
  if (!axis)
    return failure();
  const int64_t size = node.operand(0).type().getDimSize(*axis);
  if (ShapedType::isDynamic(size) || size > 4096)
    return node.refuse("the number of its parts is not known when compiling, or too large");
  Ints parts(size, 1);
  bool keeps = node.integer("keepdims", 1) != 0;
  if (node.has(1)) {
    keeps = true;
    std::optional<Ints> given = node.constantsOf(1, "split");
    if (!given)
      return failure();
    parts = *given;
    if (node.rank(1) == 0) {
      if (given->empty() || given->front() < 1)
        return node.refuse("split is not positive");
      parts.clear();
      for (int64_t rest = size; rest > 0; rest -= given->front())
        parts.push_back(std::min(rest, given->front()));
    }
  }
  int64_t sum = 0;
  for (int64_t part : parts) {
    if (part < 0 || part > size)
      return node.refuse("its parts do not fit dimension " + llvm::Twine(*axis));
    sum += part;
  }
  if (sum != size)
    return node.refuse("its parts have " + llvm::Twine(sum) + " positions, but dimension " + llvm::Twine(*axis) +
                       " has " + llvm::Twine(size));
  Sizes sizes = node.sizesOf(node.in(0)), offsets(sizes.size(), node.index(0));
  std::vector<Tensor> tensors;
  int64_t begin = 0;
  for (int64_t part : parts) {
    offsets[*axis] = node.index(begin);
    sizes[*axis] = node.index(part);
    begin += part;
    Tensor tensor;
    tensor.value = node.sliced(node.in(0), offsets, sizes, {});
    if (!keeps)
      tensor.value = node.squeezed(tensor.value, {*axis});
    tensor.isUnsigned = node.isUnsigned(0);
    tensors.push_back(std::move(tensor));
  }
  setSequence(node, std::move(tensors));
  return success();
}

static LogicalResult buildConcatFromSequence(Node &node) {
  const std::vector<Tensor> *tensors = sequenceOf(node, 0);
  if (!tensors || tensors->empty())
    return node.refuse("the sequence is empty");
  const bool isNew = node.integer("new_axis") != 0;
  std::optional<int64_t> axis = node.axisOf(node.integer("axis"), tensors->front().rank() + (isNew ? 1 : 0));
  if (!axis)
    return failure();
  llvm::SmallVector<Value> values;
  for (const Tensor &tensor : *tensors) {
    if (tensor.rank() != tensors->front().rank() || tensor.element() != tensors->front().element())
      return node.refuse("its tensors have different ranks or element types");
    values.push_back(isNew ? node.unsqueezed(tensor.value, {*axis}) : tensor.value);
  }
  node.set(0, node.concatenated(values, *axis), tensors->front().isUnsigned);
  return success();
}

/// An optional with something in it is that.
static LogicalResult buildOptional(Node &node) {
  if (!node.has(0))
    return node.refuse("makes an optional without a value");
  node.set(0, node.operand(0));
  return success();
}

static LogicalResult buildOptionalHasElement(Node &node) {
  Tensor result;
  result.elements = Sizes{node.index(node.has(0))};
  result.value = node.constant(node.b.getI1Type(), node.has(0) ? 1 : 0);
  node.set(0, std::move(result));
  return success();
}

void importer::addSequences(OpTable &table) {
  table.refuse("TfIdfVectorizer", "counts n-grams, which no op of a program does; count them before the program");
  table.refuse("SequenceMap", "calls its graph for each tensor of a sequence; unroll it when exporting");
  table.addForSequences("ConcatFromSequence", buildConcatFromSequence, 1, 1);
  table.addForSequences("Optional", buildOptional, 0, 1);
  table.addForSequences("OptionalGetElement", buildOptional, 1, 1);
  table.addForSequences("OptionalHasElement", buildOptionalHasElement, 0, 1);
  table.addForSequences("SequenceAt", buildSequenceAt, 2, 2);
  table.addForSequences("SequenceConstruct", buildSequenceConstruct, 1);
  table.addForSequences("SequenceEmpty", buildSequenceEmpty, 0, 0);
  table.addForSequences("SequenceErase", buildSequenceErase, 1, 2);
  table.addForSequences("SequenceInsert", buildSequenceInsert, 2, 3);
  table.addForSequences("SequenceLength", buildSequenceLength, 1, 1);
  table.addForSequences("SplitToSequence", buildSplitToSequence, 1, 2);
  for (llvm::StringRef name : {"StringNormalizer", "StringConcat", "StringSplit", "RegexFullMatch", "LabelEncoder"})
    table.refuse(name, "its tensors hold strings: tensors of a program hold numbers");
}
