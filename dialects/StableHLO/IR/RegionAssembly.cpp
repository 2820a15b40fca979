//===- RegionAssembly.cpp - text of reduce and while ------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
//   %0 = stablehlo.reduce(%x init: %c) applies stablehlo.add across dimensions = [1] : (..) -> ..
//   %0:2 = stablehlo.reduce(%x init: %c), (%y init: %d) across dimensions = [0] : (..) -> (..)
//     reducer(%a: .., %b: ..) (%p: .., %q: ..) {
//     ..
//   }
//   %0 = stablehlo.while(%i = %x) : tensor<i32> cond { .. } do { .. }
//
// The arguments of a reducer are written in pairs; those of its block are all first ones, then all second ones.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "dialects/StableHLO/IR/StableHLODialect.h"

#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace mica;
using namespace mica::stablehlo;

Operation *stablehlo::singleCombiner(ReduceOp reduce) {
  Block &block = reduce.getBody().front();
  if (block.getNumArguments() != 2 || block.getOperations().size() != 2)
    return nullptr;
  Operation &op = block.front(), &last = block.back();
  const bool combines = op.getNumOperands() == 2 && op.getNumResults() == 1 && op.getNumRegions() == 0 &&
                        op.getOperand(0) == block.getArgument(0) && op.getOperand(1) == block.getArgument(1);
  return combines && isa<ReturnOp>(last) && last.getNumOperands() == 1 && last.getOperand(0) == op.getResult(0)
             ? &op
             : nullptr;
}

//===------------------------------------------------------------------------------------------------------------===//
// reduce
//===------------------------------------------------------------------------------------------------------------===//

/// The block of `applies <op>`, for elements of `element`.
static ParseResult buildApplied(OpAsmParser &parser, OperationState &state, SMLoc place, StringRef name, Type element) {
  const Type type = RankedTensorType::get({}, element);
  const Location loc = state.location;
  const std::optional<RegisteredOperationName> known = RegisteredOperationName::lookup(name, parser.getContext());
  if (!known || known->getDialectNamespace() != "stablehlo")
    return parser.emitError(place, "'") << name << "' is no op of 'stablehlo' that could reduce";
  Region *body = state.addRegion();
  Block &block = body->emplaceBlock();
  block.addArguments({type, type}, {loc, loc});
  OpBuilder builder(parser.getContext());
  builder.setInsertionPointToEnd(&block);
  OperationState combiner(loc, *known);
  combiner.addOperands(block.getArguments());
  combiner.addTypes(type);
  Operation *op = builder.create(combiner);
  ReturnOp::create(builder, loc, op->getResults());
  return success();
}

/// The pairs of arguments after `reducer`, and the region.
static ParseResult parseReducer(OpAsmParser &parser, OperationState &state, size_t numInputs) {
  SmallVector<OpAsmParser::Argument> first, second;
  for (size_t i = 0; i < numInputs; ++i) {
    if (parser.parseLParen() || parser.parseArgument(first.emplace_back(), /*allowType=*/true) || parser.parseComma() ||
        parser.parseArgument(second.emplace_back(), /*allowType=*/true) || parser.parseRParen())
      return failure();
  }
  llvm::append_range(first, second);
  return parser.parseRegion(*state.addRegion(), first);
}

ParseResult ReduceOp::parse(OpAsmParser &parser, OperationState &result) {
  SmallVector<OpAsmParser::UnresolvedOperand> inputs, inits;
  do {
    if (parser.parseLParen() || parser.parseOperand(inputs.emplace_back()) || parser.parseKeyword("init") ||
        parser.parseColon() || parser.parseOperand(inits.emplace_back()) || parser.parseRParen())
      return failure();
  } while (succeeded(parser.parseOptionalComma()));

  SMLoc appliedAt;
  std::string applied;
  if (succeeded(parser.parseOptionalKeyword("applies"))) {
    appliedAt = parser.getCurrentLocation();
    FailureOr<OperationName> name = parser.parseCustomOperationName();
    if (failed(name))
      return failure();
    applied = name->getStringRef().str();
  }
  SmallVector<int64_t> dims;
  const auto parseDim = [&] { return parser.parseInteger(dims.emplace_back()); };
  const SMLoc operandsAt = parser.getCurrentLocation();
  FunctionType type;
  if (parser.parseKeyword("across") || parser.parseKeyword("dimensions") || parser.parseEqual() ||
      parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, parseDim) ||
      parser.parseOptionalAttrDict(result.attributes) || parser.parseColonType(type))
    return failure();
  llvm::append_range(inputs, inits);
  if (parser.resolveOperands(inputs, type.getInputs(), operandsAt, result.operands))
    return failure();
  result.addTypes(type.getResults());
  result.addAttribute(getDimensionsAttrName(result.name), parser.getBuilder().getDenseI64ArrayAttr(dims));
  if (!applied.empty()) {
    auto init = dyn_cast<RankedTensorType>(type.getInputs().back());
    if (inits.size() != 1 || !init)
      return parser.emitError(appliedAt, "'applies' needs one operand and its initial value, both ranked tensors");
    return buildApplied(parser, result, appliedAt, applied, init.getElementType());
  }
  if (parser.parseKeyword("reducer"))
    return failure();
  return parseReducer(parser, result, inits.size());
}

/// Whether `applies` says all of the body.
static bool isApplied(ReduceOp op) {
  Operation *combiner = singleCombiner(op);
  if (!combiner || !isa_and_present<StableHLODialect>(combiner->getDialect()) || !combiner->getAttrs().empty())
    return false;
  const Type element = cast<RankedTensorType>(op.getInitValues().front().getType()).getElementType();
  const Type scalar = RankedTensorType::get({}, element);
  return combiner->getResult(0).getType() == scalar &&
         llvm::all_of(combiner->getOperandTypes(), [&](Type type) { return type == scalar; });
}

void ReduceOp::print(OpAsmPrinter &printer) {
  const bool applies = isApplied(*this);
  for (auto [index, input, init] : llvm::enumerate(getInputs(), getInitValues()))
    printer << (index ? ", (" : "(") << input << " init: " << init << ')';
  if (applies)
    printer << " applies " << singleCombiner(*this)->getName().getStringRef();
  printer << " across dimensions = [";
  llvm::interleaveComma(getDimensions(), printer);
  printer << ']';
  printer.printOptionalAttrDict((*this)->getAttrs(), {getDimensionsAttrName()});
  printer << " : ";
  printer.printFunctionalType(*this);
  if (applies)
    return;
  printer.printNewline();
  printer << " reducer";
  Block &block = getBody().front();
  const size_t half = block.getNumArguments() / 2;
  for (size_t i = 0; i < half; ++i) {
    printer << (i ? " (" : "(");
    printer.printRegionArgument(block.getArgument(i));
    printer << ", ";
    printer.printRegionArgument(block.getArgument(half + i));
    printer << ')';
  }
  printer << ' ';
  printer.printRegion(getBody(), /*printEntryBlockArgs=*/false);
}

//===------------------------------------------------------------------------------------------------------------===//
// while
//===------------------------------------------------------------------------------------------------------------===//

ParseResult WhileOp::parse(OpAsmParser &parser, OperationState &result) {
  SmallVector<OpAsmParser::Argument> arguments;
  SmallVector<OpAsmParser::UnresolvedOperand> operands;
  const SMLoc place = parser.getCurrentLocation();
  auto parseOne = [&]() -> ParseResult {
    return failure(parser.parseArgument(arguments.emplace_back()) || parser.parseEqual() ||
                   parser.parseOperand(operands.emplace_back()));
  };
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Paren, parseOne))
    return failure();
  SmallVector<Type> types;
  if (!operands.empty() && parser.parseColonTypeList(types))
    return failure();
  if (parser.resolveOperands(operands, types, place, result.operands) ||
      parser.parseOptionalAttrDictWithKeyword(result.attributes))
    return failure();
  for (auto [argument, type] : llvm::zip_equal(arguments, types))
    argument.type = type;
  result.addTypes(types);
  return failure(parser.parseKeyword("cond") || parser.parseRegion(*result.addRegion(), arguments) ||
                 parser.parseKeyword("do") || parser.parseRegion(*result.addRegion(), arguments));
}

void WhileOp::print(OpAsmPrinter &printer) {
  // Both regions name their arguments alike.
  printer.shadowRegionArgs(getBody(), getCond().getArguments());
  printer << '(';
  llvm::interleaveComma(llvm::zip(getCond().getArguments(), getOperand()), printer,
                        [&](auto pair) { printer << std::get<0>(pair) << " = " << std::get<1>(pair); });
  printer << ')';
  if (getNumOperands() != 0) {
    printer << " : ";
    llvm::interleaveComma(getOperandTypes(), printer);
  }
  printer.printOptionalAttrDictWithKeyword((*this)->getAttrs());
  printer.printNewline();
  printer << " cond ";
  printer.printRegion(getCond(), /*printEntryBlockArgs=*/false);
  printer << " do ";
  printer.printRegion(getBody(), /*printEntryBlockArgs=*/false);
}
