//===- EvalPrint.cpp - programs that print ----------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Output goes to EvalOptions::printed, with the bound of each number in it in printedBounds, so that it can be compared
// with that of the compiled program. Addresses are printed as 0x0, and clocks return 0 with an infinite bound.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "dialects/Mica/Reference/EvalPrint.h"

#include "dialects/Mica/Reference/Bounds.h"
#include "dialects/Mica/Reference/PrintedText.h"
#include "dialects/Mica/Reference/Undefined.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

#include <cinttypes>
#include <cmath>

using namespace mlir;

namespace mica::reference {

namespace {
class Printer {
public:
  Printer(Operation *op, Evaluator &evaluator) : op(op), evaluator(evaluator), options(evaluator.options) {}

  void text(StringRef words) {
    if (options.printed)
      *options.printed += words.str();
    else
      llvm::outs() << words;
  }
  void number(const std::string &digits, double bound) {
    text(digits);
    if (options.printedBounds)
      options.printedBounds->push_back(bound);
  }
  void element(const Tensor &tensor, int64_t i, bool asUnsigned = false) {
    char digits[64];
    const Cell cell = tensor.data()[i];
    if (tensor.elementType().isFloat)
      std::snprintf(digits, sizeof digits, "%g", cell.f);
    else if (asUnsigned || tensor.elementType().isUnsigned || tensor.elementType().bits == 1 ||
             tensor.elementType().dtype == DType::Index) // upstream's libraries print an index so
      std::snprintf(digits, sizeof digits, "%" PRIu64, tensor.elementType().asUnsigned(cell.i));
    else
      std::snprintf(digits, sizeof digits, "%" PRId64, tensor.elementType().asSigned(cell.i));
    number(digits, tensor.boundAt(i));
    if (evaluator.undefined())
      noteVisible(op, tensor.boundAt(i), "a printed number", evaluator);
  }

  void vectorFrom(const Tensor &vector, int64_t dim, int64_t &next) {
    if (dim == vector.rank())
      return element(vector, next++);
    text("( ");
    for (int64_t i = 0; i < vector.dim(dim); ++i) {
      if (i > 0)
        text(", ");
      vectorFrom(vector, dim + 1, next);
    }
    text(" )");
  }

  /// As upstream's printMemref; `isShape`: without the elements.
  void buffer(const Tensor &buffer, bool isRanked, bool isShape) {
    const Tensor values = buffer.isBuffer() && !isShape ? buffer.loaded() : buffer.materialized();
    SmallVector<int64_t> strides = values.strides();
    PrintedBuffer printed{isRanked, !isShape, 0, buffer.shape(), strides};
    if (buffer.isBuffer()) {
      const BufferView &view = buffer.view();
      for (auto [stride, cells] : llvm::zip_equal(strides, view.strides))
        stride = cells / view.unit();
      printed.offset = view.offset / view.unit();
    }
    // Upstream's library prints an i8 of a buffer as a character.
    const bool isCharacter = values.elementType().bits == 8 && !values.elementType().isFloat;
    int64_t next = 0;
    auto printText = [&](StringRef words) { text(words); };
    auto printNumber = [&](StringRef digits) { number(digits.str(), 0); };
    (void)printBuffer(printed, {printText, printNumber}, [&](ArrayRef<int64_t>) {
      const int64_t i = next++;
      isCharacter ? text(std::string(1, static_cast<char>(values.data()[i].i))) : element(values, i);
      return success();
    });
  }

private:
  Operation *op;
  Evaluator &evaluator;
  const EvalOptions &options;
};

LogicalResult evalPrint(vector::PrintOp op, Operands in, Results &, Evaluator &evaluator) {
  Printer printer(op, evaluator);
  if (std::optional<StringRef> literal = op.getStringLiteral())
    printer.text(*literal);
  int64_t next = 0;
  // A vector without dimensions has parentheses too.
  auto vector = op.getSource() ? dyn_cast<VectorType>(op.getPrintType()) : VectorType();
  const bool isEnclosed = vector && vector.getRank() == 0;
  if (isEnclosed)
    printer.text("( ");
  if (!in.empty())
    printer.vectorFrom(in[0].materialized(), 0, next);
  if (isEnclosed)
    printer.text(" )");
  switch (op.getPunctuation()) {
  case vector::PrintPunctuation::NewLine:
    printer.text("\n");
    break;
  case vector::PrintPunctuation::Comma:
    printer.text(", ");
    break;
  case vector::PrintPunctuation::Open:
    printer.text("( ");
    break;
  case vector::PrintPunctuation::Close:
    printer.text(" )");
    break;
  case vector::PrintPunctuation::NoPunctuation:
    break;
  }
  return success();
}

StringRef bareName(StringRef name) {
  name.consume_front("_mlir_ciface_");
  return name;
}
} // namespace

bool isHelper(StringRef name) {
  name = bareName(name);
  return name.starts_with("printMemref") || name.starts_with("verifyMemRef") ||
         llvm::is_contained({"printI64", "printU64", "printF32", "printF64", "printNewline", "printOpen", "printClose",
                             "printComma", "printFlops", "rtclock", "nanoTime"},
                            name);
}

/// What verifyMemRef returns: the number of elements that differ, f32 and f64 by more than a relative error; -1 if the
/// shapes differ. Elements that rounding may change are its bound.
static Tensor countErrors(const Tensor &actual, const Tensor &expected, Evaluator &evaluator) {
  auto valuesOf = [](const Tensor &buffer) { return buffer.isBuffer() ? buffer.loaded() : buffer.materialized(); };
  const Tensor a = valuesOf(actual), e = valuesOf(expected);
  int64_t errors = 0;
  double uncertain = 0;
  if (a.rank() != e.rank() || !llvm::equal(a.shape(), e.shape())) {
    errors = -1;
  } else {
    const ElementType type = a.elementType();
    const bool isRelative = type.dtype == DType::F32 || type.dtype == DType::F64;
    const double relative = type.dtype == DType::F32 ? 1e-6 : 1e-12;
    for (int64_t i = 0; i < a.size(); ++i) {
      const Cell x = a.data()[i], y = e.data()[i];
      bool agrees = type.isFloat ? x.f == y.f : x.i == y.i;
      if (isRelative)
        agrees = std::isfinite(x.f) && std::isfinite(y.f) && std::abs(x.f - y.f) <= relative * std::abs(y.f);
      errors += !agrees;
      uncertain += a.boundAt(i) + e.boundAt(i) != 0;
    }
  }
  Tensor count = Tensor::scalar(DType::I64, Cell::of(errors));
  if (evaluator.options.bounds && evaluator.tracksBounds())
    count.setBound(Tensor::scalar(DType::F64, Cell::of(uncertain)));
  return count;
}

LogicalResult callHelper(Operation *call, func::FuncOp helper, Operands in, Results &out, Evaluator &evaluator) {
  const StringRef name = bareName(helper.getName());
  Printer printer(call, evaluator);
  if (name == "rtclock" || name == "nanoTime") {
    const ElementType type = *ElementType::of(call->getResult(0).getType());
    Tensor time = Tensor::scalar(type, type.isFloat ? Cell::of(0.0) : Cell::of(int64_t(0)));
    if (evaluator.options.bounds && evaluator.tracksBounds())
      time.setBound(Tensor::scalar(DType::F64, Cell::of(kUnknown)));
    out.push_back(std::move(time));
  } else if (name == "printNewline") {
    printer.text("\n");
  } else if (name == "printOpen") {
    printer.text("( ");
  } else if (name == "printClose") {
    printer.text(" )");
  } else if (name == "printComma") {
    printer.text(", ");
  } else if (name.starts_with("printMemref")) {
    printer.buffer(in[0], llvm::isDigit(name[11]), name.starts_with("printMemrefShape"));
  } else if (name.starts_with("verifyMemRef")) {
    out.push_back(countErrors(in[0], in[1], evaluator));
  } else if (name != "printFlops") { // which prints to the standard error
    printer.element(in[0].materialized(), 0, /*asUnsigned=*/name == "printU64");
  }
  return success();
}

/// printf as on a device: each conversion takes one operand; integers are printed in the device's width.
static LogicalResult evalPrintf(gpu::PrintfOp op, Operands in, Results &, Evaluator &evaluator) {
  Printer printer(op, evaluator);
  size_t next = 0;
  auto convert = [&](const Conversion &conversion) -> LogicalResult {
    const bool isLast = next == in.size();
    if (isLast || (in[next].elementType().isFloat ? !conversion.isOfFloat() : !conversion.isOfInteger()))
      return failure();
    const Tensor &operand = in[next++];
    const Cell cell = operand.value();
    printer.number(operand.elementType().isFloat ? conversion.format(cell.f) : conversion.format(cell.i),
                   operand.scalarBound());
    return success();
  };
  if (succeeded(printFormat(
          op.getFormat(), [&](StringRef text) { printer.text(text); }, convert)))
    return success();
  return op.emitError() << "a conversion of the format has no operand that fits it";
}

void addPrintOps(OpTable &table) {
  table.add<vector::PrintOp>(evalPrint);
  table.add<gpu::PrintfOp>(evalPrintf);
}

} // namespace mica::reference
