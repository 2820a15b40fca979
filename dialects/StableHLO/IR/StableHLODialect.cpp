//===- StableHLODialect.cpp - the dialect stablehlo -------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Registration, and the parts of the text that the declarative formats leave to C++.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "dialects/StableHLO/IR/StableHLODialect.h"
#include "dialects/StableHLO/IR/Assembly.h"

#include "dialects/Mica/IR/Assembly.h"

#include "mlir/Dialect/Quant/IR/Quant.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mica;
using namespace mica::stablehlo;

//===------------------------------------------------------------------------------------------------------------===//
// Lists of dimensions
//===------------------------------------------------------------------------------------------------------------===//

ParseResult stablehlo::parseDims(AsmParser &parser, SmallVectorImpl<int64_t> &dims) {
  return parser.parseCommaSeparatedList(AsmParser::Delimiter::Square,
                                        [&] { return parser.parseInteger(dims.emplace_back()); });
}

void stablehlo::printDims(AsmPrinter &printer, ArrayRef<int64_t> dims) {
  printer << '[';
  llvm::interleaveComma(dims, printer);
  printer << ']';
}

/// `3, ?, 5`.
static ParseResult parseSizes(AsmParser &parser, SmallVector<int64_t> &sizes) {
  return parser.parseCommaSeparatedList([&]() -> ParseResult {
    if (succeeded(parser.parseOptionalQuestion())) {
      sizes.push_back(ShapedType::kDynamic);
      return success();
    }
    return parser.parseInteger(sizes.emplace_back());
  });
}

static void printSizes(AsmPrinter &printer, ArrayRef<int64_t> sizes) {
  llvm::interleaveComma(sizes, printer, [&](int64_t size) {
    if (ShapedType::isDynamic(size))
      printer << '?';
    else
      printer << size;
  });
}

/// `[0] x [1]`.
static ParseResult parseDimPair(AsmParser &parser, SmallVectorImpl<int64_t> &lhs, SmallVectorImpl<int64_t> &rhs) {
  return failure(parser.parseEqual() || parseDims(parser, lhs) || parser.parseKeyword("x") || parseDims(parser, rhs));
}

/// `, precision = [DEFAULT, HIGH]`, or nothing.
static ParseResult parsePrecisions(OpAsmParser &parser, ArrayAttr &precisions) {
  if (failed(parser.parseOptionalComma()))
    return success();
  SmallVector<Attribute> values;
  auto parseOne = [&]() -> ParseResult {
    const SMLoc place = parser.getCurrentLocation();
    StringRef name;
    if (parser.parseKeyword(&name))
      return failure();
    const std::optional<Precision> value = symbolizePrecision(name);
    if (!value)
      return parser.emitError(place, "'") << name << "' is no precision: DEFAULT, HIGH and HIGHEST are";
    values.push_back(PrecisionAttr::get(parser.getContext(), *value));
    return success();
  };
  if (parser.parseKeyword("precision") || parser.parseEqual() ||
      parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, parseOne))
    return failure();
  precisions = parser.getBuilder().getArrayAttr(values);
  return success();
}

static void printPrecisions(OpAsmPrinter &printer, Operation *, ArrayAttr precisions) {
  if (!precisions)
    return;
  printer << ", precision = [";
  llvm::interleaveComma(precisions.getAsRange<PrecisionAttr>(), printer,
                        [&](PrecisionAttr value) { printer << stringifyPrecision(value.getValue()); });
  printer << ']';
}

static ParseResult parseDotDimensions(OpAsmParser &parser, DotDimensionNumbersAttr &numbers, ArrayAttr &precisions) {
  SmallVector<int64_t> lhsBatch, rhsBatch, lhsSum, rhsSum;
  if (succeeded(parser.parseOptionalKeyword("batching_dims")) &&
      (parseDimPair(parser, lhsBatch, rhsBatch) || parser.parseComma()))
    return failure();
  if (parser.parseKeyword("contracting_dims") || parseDimPair(parser, lhsSum, rhsSum))
    return failure();
  numbers = DotDimensionNumbersAttr::get(parser.getContext(), lhsBatch, rhsBatch, lhsSum, rhsSum);
  return parsePrecisions(parser, precisions);
}

static void printDotDimensions(OpAsmPrinter &printer, Operation *, DotDimensionNumbersAttr numbers,
                               ArrayAttr precisions) {
  if (!numbers.getLhsBatchingDimensions().empty() || !numbers.getRhsBatchingDimensions().empty()) {
    printer << "batching_dims = ";
    printDims(printer, numbers.getLhsBatchingDimensions());
    printer << " x ";
    printDims(printer, numbers.getRhsBatchingDimensions());
    printer << ", ";
  }
  printer << "contracting_dims = ";
  printDims(printer, numbers.getLhsContractingDimensions());
  printer << " x ";
  printDims(printer, numbers.getRhsContractingDimensions());
  printPrecisions(printer, nullptr, precisions);
}

/// `[0:2, 1:4:2]`: start, limit and, where it is not 1, stride of each dimension.
static ParseResult parseRanges(OpAsmParser &parser, Attribute &starts, Attribute &limits, Attribute &strides) {
  SmallVector<int64_t> start, limit, stride;
  auto parseOne = [&]() -> ParseResult {
    if (parser.parseInteger(start.emplace_back()) || parser.parseColon() || parser.parseInteger(limit.emplace_back()))
      return failure();
    stride.push_back(1);
    return succeeded(parser.parseOptionalColon()) ? parser.parseInteger(stride.back()) : success();
  };
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, parseOne))
    return failure();
  Builder &builder = parser.getBuilder();
  starts = builder.getDenseI64ArrayAttr(start);
  limits = builder.getDenseI64ArrayAttr(limit);
  strides = builder.getDenseI64ArrayAttr(stride);
  return success();
}

static void printRanges(OpAsmPrinter &printer, Operation *, Attribute starts, Attribute limits, Attribute strides) {
  // The verifier requires equal lengths; what it rejects is printed in the generic form.
  printer << '[';
  for (auto [dim, start, limit, stride] : llvm::enumerate(listOf(starts), listOf(limits), listOf(strides))) {
    printer << (dim ? ", " : "") << start << ':' << limit;
    if (stride != 1)
      printer << ':' << stride;
  }
  printer << ']';
}

//===------------------------------------------------------------------------------------------------------------===//
// Operands and types
//===------------------------------------------------------------------------------------------------------------===//

/// Operands, each with a comma after it, before a keyword.
static ParseResult parseOperandsBefore(OpAsmParser &parser, SmallVectorImpl<OpAsmParser::UnresolvedOperand> &operands) {
  while (true) {
    OpAsmParser::UnresolvedOperand operand;
    const OptionalParseResult parsed = parser.parseOptionalOperand(operand);
    if (!parsed.has_value())
      return success();
    if (*parsed || parser.parseComma())
      return failure();
    operands.push_back(operand);
  }
}

static void printOperandsBefore(OpAsmPrinter &printer, Operation *, OperandRange operands) {
  for (Value operand : operands)
    printer << operand << ", ";
}

/// The types of a select: `predicate, values` where the values have one type, otherwise a function type.
static ParseResult parseSelectTypes(OpAsmParser &parser, Type &pred, Type &onTrue, Type &onFalse, Type &result) {
  const SMLoc place = parser.getCurrentLocation();
  Type first;
  if (parser.parseType(first))
    return failure();
  if (auto function = dyn_cast<FunctionType>(first)) {
    if (function.getNumInputs() != 3 || function.getNumResults() != 1)
      return parser.emitError(place, "expected a type with three operands and one result");
    pred = function.getInput(0);
    onTrue = function.getInput(1);
    onFalse = function.getInput(2);
    result = function.getResult(0);
    return success();
  }
  pred = first;
  if (parser.parseComma() || parser.parseType(onTrue))
    return failure();
  onFalse = result = onTrue;
  return success();
}

static void printSelectTypes(OpAsmPrinter &printer, Operation *op, Type pred, Type onTrue, Type onFalse, Type result) {
  if (onTrue == onFalse && onTrue == result)
    printer << pred << ", " << result;
  else
    printer.printFunctionalType(op);
}

//===------------------------------------------------------------------------------------------------------------===//
// Registration
//===------------------------------------------------------------------------------------------------------------===//

#include "dialects/StableHLO/IR/StableHLODialect.cpp.inc"
#include "dialects/StableHLO/IR/StableHLOEnums.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "dialects/StableHLO/IR/StableHLOAttrs.cpp.inc"

#define GET_TYPEDEF_CLASSES
#include "dialects/StableHLO/IR/StableHLOTypes.cpp.inc"

#define GET_OP_CLASSES
#include "dialects/StableHLO/IR/StableHLOOps.cpp.inc"

void StableHLODialect::initialize() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "dialects/StableHLO/IR/StableHLOAttrs.cpp.inc"
      >();
  addTypes<
#define GET_TYPEDEF_LIST
#include "dialects/StableHLO/IR/StableHLOTypes.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "dialects/StableHLO/IR/StableHLOOps.cpp.inc"
      >();
}

OpFoldResult stablehlo::ConstantOp::fold(FoldAdaptor) { return getValue(); }
