//===- TosaRules.cpp - TOSA before its version 1.0 ---------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Between the versions attributes became operands, and the other way round:
//
//   "tosa.reshape"(%x) {new_shape = array<i64: 6>} : (tensor<2x3xf32>) -> tensor<6xf32>
//   // becomes
//   %s = "tosa.const_shape"() {values = dense<[6]> : tensor<1xindex>} : () -> !tosa.shape<1>
//   "tosa.reshape"(%x, %s) : (tensor<2x3xf32>, !tosa.shape<1>) -> tensor<6xf32>
//
//===------------------------------------------------------------------------------------------------------------===//

#include "lib/Compiler/Upgrade/Rules.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include <algorithm>

using namespace mica;
using namespace mica::compiler;

//===------------------------------------------------------------------------------------------------------------===//
// Constants that replace attributes
//===------------------------------------------------------------------------------------------------------------===//

static std::string list(llvm::ArrayRef<int64_t> numbers) {
  return llvm::join(llvm::map_range(numbers, [](int64_t number) { return std::to_string(number); }), ", ");
}

static void addShape(OpText &op, llvm::ArrayRef<int64_t> sizes, UpgradeContext &context) {
  const std::string rank = std::to_string(sizes.size());
  const std::string type = "!tosa.shape<" + rank + ">";
  op.addOperand(context.define("\"tosa.const_shape\"() {values = dense<[" + list(sizes) + "]> : tensor<" + rank +
                               "xindex>} : () -> " + type),
                type);
}

/// Moves attribute `key` to a shape operand. False if it is not a list of integers.
static bool moveToShape(OpText &op, llvm::StringRef key, UpgradeContext &context) {
  const std::string *attribute = op.attribute(key);
  std::optional<llvm::SmallVector<int64_t>> sizes = attribute ? readIntegers(*attribute) : std::nullopt;
  if (!sizes)
    return false;
  addShape(op, *sizes, context);
  op.erase(key);
  return true;
}

static bool isFloat(llvm::StringRef element) { return element.starts_with("f") || element.starts_with("bf"); }

static std::string elementOf(llvm::StringRef type) {
  std::optional<TensorText> tensor = readTensorType(type);
  return tensor ? tensor->element.str() : std::string();
}

/// A tensor of one element.
static void addScalar(OpText &op, llvm::StringRef value, llvm::StringRef element, UpgradeContext &context) {
  const std::string type = ("tensor<1x" + element + ">").str();
  op.addOperand(
      context.define(("\"tosa.const\"() {values = dense<" + value + "> : " + type + "} : () -> " + type).str()), type);
}

/// Adds a zero point from `quantization_info`, 0 if it has none.
static void addZeroPoint(OpText &op, llvm::StringRef key, llvm::StringRef element, UpgradeContext &context) {
  llvm::StringRef value = isFloat(element) ? "0.0" : "0";
  if (const std::string *info = op.attribute("quantization_info"))
    if (size_t at = info->find((key + " = ").str()); at != std::string::npos)
      value = llvm::StringRef(*info).drop_front(at + key.size() + 3).take_while([](char c) {
        return llvm::isDigit(c) || c == '-';
      });
  addScalar(op, value, element, context);
}

/// Adds the zero points of the first operands, in order, in place of `quantization_info`.
static void addZeroPoints(OpText &op, llvm::ArrayRef<llvm::StringRef> keys, UpgradeContext &context) {
  const llvm::SmallVector<std::string> types(op.operandTypes.begin(), op.operandTypes.end());
  for (auto [index, key] : llvm::enumerate(keys))
    addZeroPoint(op, key, elementOf(types[std::min(index, types.size() - 1)]), context);
  op.erase("quantization_info");
}

static std::string accumulatorFor(llvm::StringRef element) {
  return isFloat(element) ? "f32" : element == "i16" ? "i48" : "i32";
}

//===------------------------------------------------------------------------------------------------------------===//
// Rules on parsed operations: each returns a description of the change, or "" for none
//===------------------------------------------------------------------------------------------------------------===//

using Change = std::string (*)(OpText &op, UpgradeContext &context);

static std::string changeConst(OpText &op, UpgradeContext &context) {
  const std::string *value = op.attribute("value");
  if (!value || op.attribute("values"))
    return "";
  const std::string kept = *value;
  op.erase("value");
  op.set("values", kept);
  return "attribute 'value' is called 'values'";
}

static std::string changeReshape(OpText &op, UpgradeContext &context) {
  return op.operands.size() == 1 && moveToShape(op, "new_shape", context) ? "the shape is an operand" : "";
}

static std::string changeTile(OpText &op, UpgradeContext &context) {
  return op.operands.size() == 1 && moveToShape(op, "multiples", context) ? "'multiples' is an operand" : "";
}

static std::string changeSlice(OpText &op, UpgradeContext &context) {
  if (op.operands.size() != 1 || !op.attribute("size"))
    return "";
  return moveToShape(op, "start", context) && moveToShape(op, "size", context) ? "'start' and 'size' are operands" : "";
}

static std::string changeResize(OpText &op, UpgradeContext &context) {
  if (op.operands.size() != 1)
    return "";
  return moveToShape(op, "scale", context) && moveToShape(op, "offset", context) && moveToShape(op, "border", context)
             ? "'scale', 'offset' and 'border' are operands"
             : "";
}

static std::string changeTranspose(OpText &op, UpgradeContext &context) {
  if (op.operands.size() != 2)
    return "";
  std::optional<llvm::SmallVector<int64_t>> order = context.constant(op.operands[1]);
  if (!order)
    return "";
  op.operands.pop_back();
  op.operandTypes.pop_back();
  op.set("perms", "array<i32: " + list(*order) + ">");
  return "the permutation is an attribute";
}

static std::string changePad(OpText &op, UpgradeContext &context) {
  if (op.operands.size() < 2 || op.operandTypes[1].find("!tosa.shape") == 0)
    return "";
  std::optional<llvm::SmallVector<int64_t>> padding = context.constant(op.operands[1]);
  if (!padding)
    return "";
  const llvm::SmallVector<std::string> operands = op.operands, types = op.operandTypes;
  op.operands.truncate(1);
  op.operandTypes.truncate(1);
  addShape(op, *padding, context);
  if (operands.size() > 2) {
    op.addOperand(operands[2], types[2]);
    // It was a tensor of rank 0.
    if (std::optional<TensorText> constant = readTensorType(types[2]); constant && constant->sizes.empty()) {
      OpText reshape;
      reshape.name = "tosa.reshape";
      reshape.addOperand(operands[2], types[2]);
      reshape.resultTypes = {("tensor<1x" + constant->element + ">").str()};
      addShape(reshape, {1}, context);
      op.operands.back() = context.define(reshape.print());
      op.operandTypes.back() = reshape.resultTypes.front();
    }
  } else {
    addZeroPoint(op, "input_zp", elementOf(types[0]), context);
  }
  op.erase("quantization_info");
  return "the padding is a shape";
}

static std::string changeMul(OpText &op, UpgradeContext &context) {
  if (op.operands.size() != 2)
    return "";
  const std::string *shift = op.attribute("shift");
  addScalar(op, shift ? llvm::StringRef(*shift).split(':').first.trim() : "0", "i8", context);
  op.erase("shift");
  return "the shift is an operand";
}

static std::string changeNegate(OpText &op, UpgradeContext &context) {
  if (op.operands.size() != 1)
    return "";
  addZeroPoints(op, {"input_zp", "output_zp"}, context);
  return "zero points are operands";
}

static std::string changeMatmul(OpText &op, UpgradeContext &context) {
  if (op.operands.size() != 2)
    return "";
  addZeroPoints(op, {"a_zp", "b_zp"}, context);
  return "zero points are operands";
}

/// TOSA 1.0 requires that windows end at the end of the padded image; earlier versions ignored the rest. Reduces the
/// padding behind the image, or, if it is too small, slices the image; `kernel` has the sizes of the window.
static std::string fitWindows(OpText &op, llvm::ArrayRef<int64_t> kernel, UpgradeContext &context) {
  auto integers = [&](llvm::StringRef key, size_t count, int64_t otherwise) {
    const std::string *attribute = op.attribute(key);
    std::optional<llvm::SmallVector<int64_t>> read = attribute ? readIntegers(*attribute) : std::nullopt;
    return read && read->size() == count ? *read : llvm::SmallVector<int64_t>(count, otherwise);
  };
  const std::string imageType = op.operandTypes[0];
  std::optional<TensorText> image = readTensorType(imageType);
  if (!image || image->sizes.size() != kernel.size() + 2 || llvm::is_contained(image->sizes, -1))
    return "";
  llvm::SmallVector<int64_t> pads = integers("pad", 2 * kernel.size(), 0), sizes = image->sizes;
  const llvm::SmallVector<int64_t> strides = integers("stride", kernel.size(), 1);
  const llvm::SmallVector<int64_t> dilations = integers("dilation", kernel.size(), 1);
  bool changed = false;
  for (auto [axis, size] : llvm::enumerate(kernel)) {
    int64_t &after = pads[2 * axis + 1], &extent = sizes[axis + 1];
    const int64_t reach = extent + pads[2 * axis] + after - (size - 1) * dilations[axis] - 1;
    if (reach < 0 || strides[axis] < 1 || reach % strides[axis] == 0)
      continue;
    const int64_t left = reach % strides[axis], padding = std::min(left, std::max<int64_t>(after, 0));
    after -= padding;
    extent -= left - padding;
    changed = true;
  }
  if (!changed)
    return "";
  op.set("pad", "array<i64: " + list(pads) + ">");
  if (sizes != image->sizes) {
    OpText slice;
    slice.name = "tosa.slice";
    slice.addOperand(op.operands[0], op.operandTypes[0]);
    addShape(slice, llvm::SmallVector<int64_t>(sizes.size(), 0), context);
    addShape(slice, sizes, context);
    slice.resultTypes = {"tensor<" +
                         llvm::join(llvm::map_range(sizes, [](int64_t size) { return std::to_string(size); }), "x") +
                         "x" + image->element.str() + ">"};
    op.operands[0] = context.define(slice.print());
    op.operandTypes[0] = slice.resultTypes[0];
  }
  return "elements outside all windows are omitted";
}

/// Joins the descriptions of both changes.
static std::string both(const std::string &first, const std::string &second) {
  return first + (first.empty() || second.empty() ? "" : ", ") + second;
}

static std::string fitPool(OpText &op, UpgradeContext &context) {
  const std::string *kernel = op.attribute("kernel");
  std::optional<llvm::SmallVector<int64_t>> sizes = kernel ? readIntegers(*kernel) : std::nullopt;
  return sizes && !op.operands.empty() ? fitWindows(op, *sizes, context) : "";
}

static std::string changeAvgPool(OpText &op, UpgradeContext &context) {
  const std::string fitted = fitPool(op, context);
  if (op.operands.size() != 1)
    return fitted;
  addZeroPoints(op, {"input_zp", "output_zp"}, context);
  if (!op.attribute("acc_type"))
    op.set("acc_type", isFloat(elementOf(op.operandTypes[0])) ? "f32" : "i32");
  return both("zero points are operands, 'acc_type' is named", fitted);
}

/// The spatial sizes of a filter follow its number of outputs, except in depthwise convolutions, where they come first.
static std::string fitConv(OpText &op, UpgradeContext &context) {
  if (op.operands.size() < 2 || op.name.ends_with("transpose_conv2d"))
    return "";
  const std::string filterType = op.operandTypes[1];
  std::optional<TensorText> filter = readTensorType(filterType);
  if (!filter || filter->sizes.size() < 4 || llvm::is_contained(filter->sizes, -1))
    return "";
  llvm::ArrayRef<int64_t> sizes(filter->sizes);
  return fitWindows(op, op.name.ends_with("depthwise_conv2d") ? sizes.drop_back(2) : sizes.drop_front().drop_back(),
                    context);
}

static std::string changeConv(OpText &op, UpgradeContext &context) {
  const std::string fitted = fitConv(op, context);
  if (op.operands.size() != 3)
    return fitted;
  addZeroPoints(op, {"input_zp", "weight_zp"}, context);
  op.erase("out_shape");
  if (!op.attribute("acc_type"))
    op.set("acc_type", accumulatorFor(elementOf(op.operandTypes[0])));
  return both("zero points are operands, 'acc_type' is named", fitted);
}

/// A matmul with transposed weights, as a convolution with a filter of size 1.
static std::string changeFullyConnected(OpText &op, UpgradeContext &context) {
  std::optional<TensorText> input, weight, result;
  const OpText before = op; // owns the text of the types
  if (op.operands.size() == 3 && op.resultTypes.size() == 1) {
    input = readTensorType(before.operandTypes[0]);
    weight = readTensorType(before.operandTypes[1]);
    result = readTensorType(before.resultTypes[0]);
  }
  // The batch size may be dynamic: a shape may have one size of -1.
  auto isMatrix = [](const std::optional<TensorText> &type) {
    return type && type->sizes.size() == 2 && type->sizes[1] >= 0;
  };
  if (!isMatrix(input) || !isMatrix(weight) || !isMatrix(result) || weight->sizes[0] < 0)
    return "";
  auto asImage = [](const TensorText &matrix) {
    return llvm::SmallVector<int64_t>{matrix.sizes[0], 1, 1, matrix.sizes[1]};
  };
  auto typeOf = [](llvm::ArrayRef<int64_t> sizes, llvm::StringRef element) {
    std::string type = "tensor<";
    for (int64_t size : sizes)
      type += (size < 0 ? "?" : std::to_string(size)) + "x";
    return type + element.str() + ">";
  };
  const TensorText matrices[] = {*input, *weight};
  for (auto [position, matrix] : llvm::enumerate(matrices)) {
    OpText reshape;
    reshape.name = "tosa.reshape";
    reshape.addOperand(op.operands[position], op.operandTypes[position]);
    addShape(reshape, asImage(matrix), context);
    reshape.resultTypes = {typeOf(asImage(matrix), matrix.element)};
    op.operands[position] = context.define(reshape.print());
    op.operandTypes[position] = reshape.resultTypes.front();
  }
  op.name = "tosa.conv2d";
  op.set("pad", "array<i64: 0, 0, 0, 0>");
  op.set("stride", "array<i64: 1, 1>");
  op.set("dilation", "array<i64: 1, 1>");
  const std::string matrixType = op.resultTypes[0];
  op.resultTypes = {typeOf(asImage(*result), result->element)};
  changeConv(op, context);
  OpText back;
  back.name = "tosa.reshape";
  back.addOperand(context.define(op.print()), op.resultTypes[0]);
  back.resultTypes = {matrixType};
  addShape(back, result->sizes, context);
  op = back;
  return "replaced by a convolution with a filter of size 1";
}

static std::string changeDiv(OpText &op, UpgradeContext &context) {
  op.name = "tosa.intdiv";
  return "it is called 'tosa.intdiv'";
}

/// `value` of an i64 attribute, clamped to the range of integer type `element`.
static std::string clampTo(llvm::StringRef value, llvm::StringRef element) {
  int64_t number = 0;
  unsigned bits = 64;
  value = value.split(':').first.trim();
  if (value.getAsInteger(10, number) ||
      element.drop_while([](char c) { return !llvm::isDigit(c); }).getAsInteger(10, bits) || bits >= 64 || bits == 0)
    return value.str();
  const int64_t bound = int64_t(1) << (bits - 1);
  return std::to_string(std::clamp(number, -bound, bound - 1));
}

static std::string changeClamp(OpText &op, UpgradeContext &context) {
  if (op.attribute("min_val") || op.operands.size() != 1)
    return "";
  const std::string element = elementOf(op.operandTypes[0]);
  for (const char *end : {"min", "max"}) {
    const std::string *value = op.attribute(std::string(end) + (isFloat(element) ? "_fp" : "_int"));
    if (!value)
      return "";
    const std::string number =
        isFloat(element) ? llvm::StringRef(*value).split(':').first.trim().str() : clampTo(*value, element);
    op.set(std::string(end) + "_val", number + " : " + element);
  }
  for (const char *old : {"min_fp", "max_fp", "min_int", "max_int"})
    op.erase(old);
  return "its ends are 'min_val' and 'max_val'";
}

static std::string changeAxis(OpText &op, UpgradeContext &context) {
  const std::string *axis = op.attribute("axis");
  if (!axis || !llvm::StringRef(*axis).ends_with("i64"))
    return "";
  op.set("axis", llvm::StringRef(*axis).drop_back(3).str() + "i32");
  return "'axis' is of type i32";
}

template <Change change> static std::optional<std::string> apply(TextCursor &cursor, UpgradeContext &context) {
  std::optional<OpText> op = readOp(cursor);
  if (!op)
    return std::nullopt;
  const llvm::StringRef name = op->name;
  const std::string what = change(*op, context);
  if (what.empty())
    return std::nullopt;
  context.note(("'" + name + "': " + what).str());
  return op->print();
}

void compiler::addTosaRules(llvm::StringMap<UpgradeRule> &rules) {
  rules["tosa.const"] = apply<changeConst>;
  rules["tosa.reshape"] = apply<changeReshape>;
  rules["tosa.tile"] = apply<changeTile>;
  rules["tosa.slice"] = apply<changeSlice>;
  rules["tosa.resize"] = apply<changeResize>;
  rules["tosa.transpose"] = apply<changeTranspose>;
  rules["tosa.pad"] = apply<changePad>;
  rules["tosa.mul"] = apply<changeMul>;
  rules["tosa.negate"] = apply<changeNegate>;
  rules["tosa.matmul"] = apply<changeMatmul>;
  rules["tosa.avg_pool2d"] = apply<changeAvgPool>;
  rules["tosa.max_pool2d"] = apply<fitPool>;
  for (llvm::StringRef name : {"tosa.conv2d", "tosa.conv3d", "tosa.depthwise_conv2d", "tosa.transpose_conv2d"})
    rules[name] = apply<changeConv>;
  rules["tosa.fully_connected"] = apply<changeFullyConnected>;
  rules["tosa.div"] = apply<changeDiv>;
  rules["tosa.clamp"] = apply<changeClamp>;
  for (llvm::StringRef name :
       {"tosa.argmax", "tosa.concat", "tosa.reverse", "tosa.reduce_sum", "tosa.reduce_max", "tosa.reduce_min",
        "tosa.reduce_prod", "tosa.reduce_product", "tosa.reduce_all", "tosa.reduce_any"})
    rules[name] = apply<changeAxis>;
}
