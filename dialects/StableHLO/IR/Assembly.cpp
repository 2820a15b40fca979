//===- Assembly.cpp - parts of the text of stablehlo -------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See Assembly.h.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "dialects/StableHLO/IR/Assembly.h"

#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace mica;
using namespace mica::stablehlo;

ParseResult stablehlo::parseExponentMantissa(OpAsmParser &parser, IntegerAttr &exponent, IntegerAttr &mantissa) {
  const SMLoc place = parser.getCurrentLocation();
  StringRef text;
  if (parser.parseKeyword(&text))
    return failure();
  int32_t e = 0, m = 0;
  StringRef rest = text;
  if (!rest.consume_front("e") || rest.consumeInteger(10, e) || !rest.consume_front("m") || rest.getAsInteger(10, m))
    return parser.emitError(place, "expected a format such as e5m10, got '") << text << "'";
  exponent = parser.getBuilder().getI32IntegerAttr(e);
  mantissa = parser.getBuilder().getI32IntegerAttr(m);
  return success();
}

void stablehlo::printExponentMantissa(OpAsmPrinter &printer, Operation *, IntegerAttr exponent, IntegerAttr mantissa) {
  printer << 'e' << exponent.getInt() << 'm' << mantissa.getInt();
}

/// The type of the parts of a complex tensor; null for other types.
static Type partOf(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  auto element = tensor ? dyn_cast<ComplexType>(tensor.getElementType()) : ComplexType();
  return element ? tensor.clone(element.getElementType()) : Type();
}

ParseResult stablehlo::parseComplexTypes(OpAsmParser &parser, Type &lhs, Type &rhs, Type &result) {
  const SMLoc place = parser.getCurrentLocation();
  Type type;
  if (parser.parseType(type))
    return failure();
  if (auto function = dyn_cast<FunctionType>(type)) {
    if (function.getNumInputs() != 2 || function.getNumResults() != 1)
      return parser.emitError(place, "expected a type with two operands and one result");
    lhs = function.getInput(0);
    rhs = function.getInput(1);
    result = function.getResult(0);
    return success();
  }
  lhs = rhs = partOf(type);
  result = type;
  return lhs ? success() : parser.emitError(place, "expected a tensor of complex elements, got ") << type;
}

void stablehlo::printComplexTypes(OpAsmPrinter &printer, Operation *op, Type lhs, Type rhs, Type result) {
  if (lhs == rhs && lhs == partOf(result))
    printer << result;
  else
    printer.printFunctionalType(op);
}

ParseResult stablehlo::parseSameResults(OpAsmParser &, SmallVectorImpl<Type> &operands,
                                        SmallVectorImpl<Type> &results) {
  results.assign(operands.begin(), operands.end());
  return success();
}

//===------------------------------------------------------------------------------------------------------------===//
// convolution
//===------------------------------------------------------------------------------------------------------------===//

/// `[b, 0, 1, f]`: the places of the two named dimensions, and of the spatial ones by their numbers.
static ParseResult parseSide(AsmParser &parser, StringRef first, StringRef second, int64_t &firstDim,
                             int64_t &secondDim, SmallVectorImpl<int64_t> &spatial) {
  firstDim = secondDim = -1;
  int64_t place = 0;
  const SMLoc start = parser.getCurrentLocation();
  SmallVector<std::pair<int64_t, int64_t>> numbered;
  const auto parseOne = [&]() -> ParseResult {
    int64_t number = 0;
    const OptionalParseResult parsed = parser.parseOptionalInteger(number);
    if (parsed.has_value()) {
      if (failed(*parsed))
        return failure();
      numbered.push_back({number, place++});
      return success();
    }
    if (succeeded(parser.parseOptionalQuestion())) {
      ++place; // a dimension without a role
      return success();
    }
    StringRef name;
    if (parser.parseKeyword(&name))
      return failure();
    int64_t &dim = name == first ? firstDim : secondDim;
    if ((name != first && name != second) || dim != -1)
      return parser.emitError(start, "expected one '") << first << "', one '" << second << "' and numbers";
    dim = place++;
    return success();
  };
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, parseOne))
    return failure();
  llvm::sort(numbered);
  for (auto [index, entry] : llvm::enumerate(numbered)) {
    if (entry.first != int64_t(index))
      return parser.emitError(start, "expected each spatial dimension once, from 0 to ") << numbered.size() - 1;
    spatial.push_back(entry.second);
  }
  if (firstDim == -1 || secondDim == -1)
    return parser.emitError(start, "expected one '") << first << "', one '" << second << "' and numbers";
  return success();
}

ParseResult stablehlo::parseConvDimensions(AsmParser &parser, ConvDimensionNumbersAttr &numbers) {
  int64_t inBatch, inFeature, kernelIn, kernelOut, outBatch, outFeature;
  SmallVector<int64_t> in, kernel, out;
  if (parseSide(parser, "b", "f", inBatch, inFeature, in))
    return failure();
  // The text is `]x[` with and without blanks.
  if (parser.parseKeyword("x") || parseSide(parser, "i", "o", kernelIn, kernelOut, kernel) || parser.parseArrow() ||
      parseSide(parser, "b", "f", outBatch, outFeature, out))
    return failure();
  numbers = ConvDimensionNumbersAttr::get(parser.getContext(), inBatch, inFeature, in, kernelIn, kernelOut, kernel,
                                          outBatch, outFeature, out);
  return success();
}

static void printSide(AsmPrinter &printer, StringRef first, StringRef second, int64_t firstDim, int64_t secondDim,
                      ArrayRef<int64_t> spatial) {
  SmallVector<std::string> names(spatial.size() + 2, "?");
  const auto put = [&](int64_t dim, std::string name) {
    if (dim >= 0 && dim < int64_t(names.size()))
      names[dim] = std::move(name);
  };
  put(firstDim, first.str());
  put(secondDim, second.str());
  for (auto [index, dim] : llvm::enumerate(spatial))
    put(dim, std::to_string(index));
  printer << '[';
  llvm::interleaveComma(names, printer);
  printer << ']';
}

void stablehlo::printConvDimensions(AsmPrinter &printer, ConvDimensionNumbersAttr numbers) {
  printSide(printer, "b", "f", numbers.getInputBatchDimension(), numbers.getInputFeatureDimension(),
            numbers.getInputSpatialDimensions());
  printer << 'x';
  printSide(printer, "i", "o", numbers.getKernelInputFeatureDimension(), numbers.getKernelOutputFeatureDimension(),
            numbers.getKernelSpatialDimensions());
  printer << "->";
  printSide(printer, "b", "f", numbers.getOutputBatchDimension(), numbers.getOutputFeatureDimension(),
            numbers.getOutputSpatialDimensions());
}

/// `<raw input_batch_dimension = 0, ..>` after `raw`.
static Attribute parseRaw(AsmParser &parser) {
  static constexpr StringLiteral kNumbers[] = {"input_batch_dimension",          "input_feature_dimension",
                                               "kernel_input_feature_dimension", "kernel_output_feature_dimension",
                                               "output_batch_dimension",         "output_feature_dimension"};
  static constexpr StringLiteral kLists[] = {"input_spatial_dimensions", "kernel_spatial_dimensions",
                                             "output_spatial_dimensions"};
  int64_t numbers[6] = {};
  SmallVector<int64_t> lists[3];
  do {
    const SMLoc place = parser.getCurrentLocation();
    StringRef name;
    if (parser.parseKeyword(&name) || parser.parseEqual())
      return {};
    if (const auto *number = llvm::find(kNumbers, name); number != std::end(kNumbers)) {
      if (parser.parseInteger(numbers[number - std::begin(kNumbers)]))
        return {};
    } else if (const auto *list = llvm::find(kLists, name); list != std::end(kLists)) {
      SmallVector<int64_t> &values = lists[list - std::begin(kLists)];
      if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Square,
                                         [&] { return parser.parseInteger(values.emplace_back()); }))
        return {};
    } else {
      parser.emitError(place, "'") << name << "' is no dimension of a convolution";
      return {};
    }
  } while (succeeded(parser.parseOptionalComma()));
  return ConvDimensionNumbersAttr::get(parser.getContext(), numbers[0], numbers[1], lists[0], numbers[2], numbers[3],
                                       lists[1], numbers[4], numbers[5], lists[2]);
}

Attribute ConvDimensionNumbersAttr::parse(AsmParser &parser, Type) {
  if (parser.parseLess())
    return {};
  Attribute result;
  ConvDimensionNumbersAttr numbers;
  if (succeeded(parser.parseOptionalKeyword("raw"))) {
    result = parseRaw(parser);
  } else if (succeeded(parseConvDimensions(parser, numbers))) {
    result = numbers;
  }
  if (!result || parser.parseGreater())
    return {};
  return result;
}

void ConvDimensionNumbersAttr::print(AsmPrinter &printer) const {
  printer << '<';
  printConvDimensions(printer, *this);
  printer << '>';
}

static ParseResult parseInts(OpAsmParser &parser, SmallVectorImpl<int64_t> &values) {
  return parser.parseCommaSeparatedList(AsmParser::Delimiter::Square,
                                        [&] { return parser.parseInteger(values.emplace_back()); });
}

ParseResult stablehlo::parseWindow(OpAsmParser &parser, Attribute &strides, DenseIntElementsAttr &padding,
                                   Attribute &lhsDilation, Attribute &rhsDilation, Attribute &reversal) {
  Builder &builder = parser.getBuilder();
  const auto parseOne = [&]() -> ParseResult {
    const SMLoc place = parser.getCurrentLocation();
    StringRef name;
    if (parser.parseKeyword(&name) || parser.parseEqual())
      return failure();
    SmallVector<int64_t> values;
    if (name == "pad") {
      if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, [&] { return parseInts(parser, values); }))
        return failure();
      if (values.size() % 2 != 0)
        return parser.emitError(place, "expected two paddings for each spatial dimension");
      padding = DenseIntElementsAttr::get(RankedTensorType::get({int64_t(values.size() / 2), 2}, builder.getI64Type()),
                                          values);
      return success();
    }
    if (name == "reverse") {
      SmallVector<bool> flags;
      const auto parseFlag = [&]() -> ParseResult {
        if (succeeded(parser.parseOptionalKeyword("true"))) {
          flags.push_back(true);
          return success();
        }
        int64_t number = 0;
        const OptionalParseResult parsed = parser.parseOptionalInteger(number);
        flags.push_back(parsed.has_value() && number != 0);
        return parsed.has_value() ? *parsed : parser.parseKeyword("false");
      };
      if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, parseFlag))
        return failure();
      reversal = builder.getDenseBoolArrayAttr(flags);
      return success();
    }
    Attribute *slot = name == "stride"       ? &strides
                      : name == "lhs_dilate" ? &lhsDilation
                      : name == "rhs_dilate" ? &rhsDilation
                                             : nullptr;
    if (!slot)
      return parser.emitError(place, "'") << name << "' is no property of a window: expected stride, pad, lhs_dilate, "
                                          << "rhs_dilate or reverse";
    if (parseInts(parser, values))
      return failure();
    *slot = builder.getDenseI64ArrayAttr(values);
    return success();
  };
  return parser.parseCommaSeparatedList(AsmParser::Delimiter::Braces, parseOne);
}

void stablehlo::printWindow(OpAsmPrinter &printer, Operation *, Attribute strides, DenseIntElementsAttr padding,
                            Attribute lhsDilation, Attribute rhsDilation, Attribute reversal) {
  StringRef separator = "";
  const auto printList = [&](StringRef name, Attribute list) {
    if (!list)
      return;
    printer << separator << name << " = [";
    llvm::interleaveComma(listOf(list), printer);
    printer << ']';
    separator = ", ";
  };
  printer << '{';
  printList("stride", strides);
  if (padding) {
    const SmallVector<int64_t> values = listOf(padding);
    printer << separator << "pad = [";
    for (size_t i = 0; i + 1 < values.size(); i += 2)
      printer << (i ? ", [" : "[") << values[i] << ", " << values[i + 1] << ']';
    printer << ']';
    separator = ", ";
  }
  printList("lhs_dilate", lhsDilation);
  printList("rhs_dilate", rhsDilation);
  if (reversal) {
    printer << separator << "reverse = [";
    llvm::interleaveComma(listOf(reversal), printer, [&](int64_t flag) { printer << (flag ? "true" : "false"); });
    printer << ']';
  }
  printer << '}';
}

//===------------------------------------------------------------------------------------------------------------===//
// Other attributes
//===------------------------------------------------------------------------------------------------------------===//

ParseResult stablehlo::parseListOrElements(OpAsmParser &parser, Attribute &list) {
  SmallVector<int64_t> values;
  if (failed(parser.parseOptionalLSquare()))
    return parser.parseAttribute(list);
  if (failed(parser.parseOptionalRSquare()) && (parser.parseCommaSeparatedList([&] {
        return parser.parseInteger(values.emplace_back());
      }) || parser.parseRSquare()))
    return failure();
  list = parser.getBuilder().getDenseI64ArrayAttr(values);
  return success();
}

void stablehlo::printListOrElements(OpAsmPrinter &printer, Operation *, Attribute list) {
  printer << '[';
  llvm::interleaveComma(listOf(list), printer);
  printer << ']';
}

template <typename Attr, typename Symbolize>
static ParseResult parseCase(OpAsmParser &parser, Attr &attribute, Symbolize symbolize, StringRef what) {
  const SMLoc place = parser.getCurrentLocation();
  StringRef name;
  if (parser.parseKeyword(&name))
    return failure();
  const auto value = symbolize(name);
  if (!value)
    return parser.emitError(place, "'") << name << "' is no " << what;
  attribute = Attr::get(parser.getContext(), *value);
  return success();
}

ParseResult stablehlo::parseFftKind(OpAsmParser &parser, FftTypeAttr &kind) {
  return parseCase(
      parser, kind, [](StringRef name) { return symbolizeFftType(name); }, "kind of Fourier transform");
}

void stablehlo::printFftKind(OpAsmPrinter &printer, Operation *, FftTypeAttr kind) {
  printer << stringifyFftType(kind.getValue());
}

ParseResult stablehlo::parseAlgorithm(OpAsmParser &parser, RngAlgorithmAttr &algorithm) {
  return parseCase(
      parser, algorithm, [](StringRef name) { return symbolizeRngAlgorithm(name); }, "algorithm of random bits");
}

void stablehlo::printAlgorithm(OpAsmPrinter &printer, Operation *, RngAlgorithmAttr algorithm) {
  printer << stringifyRngAlgorithm(algorithm.getValue());
}

ParseResult stablehlo::parseDistribution(OpAsmParser &parser, RngDistributionAttr &distribution) {
  return parseCase(
      parser, distribution, [](StringRef name) { return symbolizeRngDistribution(name); }, "distribution");
}

void stablehlo::printDistribution(OpAsmPrinter &printer, Operation *, RngDistributionAttr distribution) {
  printer << stringifyRngDistribution(distribution.getValue());
}

ParseResult stablehlo::parseTupleType(OpAsmParser &parser, SmallVectorImpl<Type> &elements, Type &result) {
  const SMLoc place = parser.getCurrentLocation();
  if (parser.parseType(result))
    return failure();
  auto tuple = dyn_cast<TupleType>(result);
  if (!tuple)
    return parser.emitError(place, "expected the type of a tuple, got ") << result;
  elements.assign(tuple.begin(), tuple.end());
  return success();
}

ParseResult stablehlo::parseCallTarget(OpAsmParser &parser, StringAttr &name) { return parser.parseSymbolName(name); }

void stablehlo::printCallTarget(OpAsmPrinter &printer, Operation *, StringAttr name) {
  printer.printSymbolName(name.getValue());
}

//===------------------------------------------------------------------------------------------------------------===//
// constant
//===------------------------------------------------------------------------------------------------------------===//

/// `dense<1.0> : tensor<f32>`, or where the types differ `() {value = dense<1> : tensor<i8>} : () -> tensor<..>`.
ParseResult ConstantOp::parse(OpAsmParser &parser, OperationState &result) {
  if (succeeded(parser.parseOptionalLParen())) {
    FunctionType type;
    const SMLoc place = parser.getCurrentLocation();
    if (parser.parseRParen() || parser.parseOptionalAttrDict(result.attributes) || parser.parseColonType(type))
      return failure();
    if (type.getNumInputs() != 0 || type.getNumResults() != 1)
      return parser.emitError(place, "expected a type with one result and no operands");
    result.addTypes(type.getResults());
    return success();
  }
  ElementsAttr value;
  if (parser.parseOptionalAttrDict(result.attributes) || parser.parseAttribute(value, "value", result.attributes))
    return failure();
  result.addTypes(value.getType());
  return success();
}

void ConstantOp::print(OpAsmPrinter &printer) {
  if (getValue().getType() == getType()) {
    printer.printOptionalAttrDict((*this)->getAttrs(), {getValueAttrName()});
    printer << ' ' << getValue();
    return;
  }
  printer << "() ";
  printer.printOptionalAttrDict((*this)->getAttrs());
  printer << " : ";
  printer.printFunctionalType(*this);
}
