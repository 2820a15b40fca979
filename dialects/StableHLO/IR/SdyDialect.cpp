//===- SdyDialect.cpp - the dialect sdy ---------------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Annotations are kept as text, and those of bytecode skipped: what they say of devices is not used.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "dialects/StableHLO/IR/SdyDialect.h"

#include "mlir/Bytecode/BytecodeImplementation.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"

using namespace mlir;
using namespace mica;
using namespace mica::sdy;

#include "dialects/StableHLO/IR/SdyDialect.cpp.inc"

static Attribute annotation(MLIRContext *context, StringRef text) {
  return OpaqueAttr::get(StringAttr::get(context, SdyDialect::getDialectNamespace()), text, NoneType::get(context));
}

/// Any token that an annotation may have between its brackets; failure at another, which ends it.
static ParseResult parseToken(OpAsmParser &parser) {
  StringAttr name;
  StringRef word;
  std::string text;
  APInt number;
  if (succeeded(parser.parseOptionalComma()) || succeeded(parser.parseOptionalEqual()) ||
      succeeded(parser.parseOptionalColon()) || succeeded(parser.parseOptionalQuestion()) ||
      succeeded(parser.parseOptionalString(&text)) || succeeded(parser.parseOptionalSymbolName(name)))
    return success();
  const OptionalParseResult integer = parser.parseOptionalInteger(number);
  return integer.has_value() ? *integer : ParseResult(parser.parseOptionalKeyword(&word));
}

/// Consumes an opening bracket and notes it in `open`.
static bool parseOpening(OpAsmParser &parser, SmallVectorImpl<char> &open) {
  if (succeeded(parser.parseOptionalLess()))
    open.push_back('<');
  else if (succeeded(parser.parseOptionalLSquare()))
    open.push_back('[');
  else if (succeeded(parser.parseOptionalLBrace()))
    open.push_back('{');
  else if (succeeded(parser.parseOptionalLParen()))
    open.push_back('(');
  else
    return false;
  return true;
}

/// Consumes the bracket that closes the innermost of `open`.
static bool parseClosing(OpAsmParser &parser, SmallVectorImpl<char> &open) {
  const char bracket = open.back();
  const ParseResult closed = bracket == '<'   ? parser.parseOptionalGreater()
                             : bracket == '[' ? parser.parseOptionalRSquare()
                             : bracket == '{' ? parser.parseOptionalRBrace()
                                              : parser.parseOptionalRParen();
  if (succeeded(closed))
    open.pop_back();
  return succeeded(closed);
}

/// How long the brackets at the beginning of `text` are, which match; comments and more may follow.
static size_t bracketedLength(StringRef text) {
  bool isString = false;
  int depth = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    if (isString && text[i] == '\\')
      ++i;
    else if (text[i] == '"')
      isString = !isString;
    else if (!isString && StringRef("<[{(").contains(text[i]))
      ++depth;
    else if (!isString && StringRef(">]})").contains(text[i]) && --depth == 0)
      return i + 1;
  }
  return text.size();
}

/// `<..>`, `[..]` or `{..}`, with all that it contains.
static ParseResult parseAnnotation(OpAsmParser &parser, Attribute &attribute) {
  const SMLoc place = parser.getCurrentLocation();
  SmallVector<char> open;
  if (!parseOpening(parser, open))
    return parser.emitError(place, "expected an annotation, such as <@mesh, [{\"x\"}, {}]>");
  while (!open.empty())
    if (!parseOpening(parser, open) && !parseClosing(parser, open) && parseToken(parser))
      return parser.emitError(parser.getCurrentLocation(), "an annotation ends with the bracket that closes it");
  const StringRef text(place.getPointer(), parser.getCurrentLocation().getPointer() - place.getPointer());
  attribute = annotation(parser.getContext(), ("annotation<" + text.take_front(bracketedLength(text)) + ">").str());
  return success();
}

static void printAnnotation(OpAsmPrinter &printer, Operation *, Attribute attribute) {
  auto opaque = dyn_cast<OpaqueAttr>(attribute);
  StringRef text = opaque ? opaque.getAttrData() : "";
  if (text.consume_front("annotation<") && text.consume_back(">") && !text.empty())
    printer << text;
  else
    printer << "<>";
}

/// `(%arg: type, ..) { .. }`.
static ParseResult parseBody(OpAsmParser &parser, Region &body) {
  SmallVector<OpAsmParser::Argument> arguments;
  return failure(parser.parseArgumentList(arguments, OpAsmParser::Delimiter::Paren, /*allowType=*/true) ||
                 parser.parseRegion(body, arguments));
}

static void printBody(OpAsmPrinter &printer, Operation *, Region &body) {
  printer << '(';
  if (!body.empty())
    llvm::interleaveComma(body.getArguments(), printer,
                          [&](BlockArgument argument) { printer.printRegionArgument(argument); });
  printer << ") ";
  printer.printRegion(body, /*printEntryBlockArgs=*/false);
}

Attribute SdyDialect::parseAttribute(DialectAsmParser &parser, Type) const {
  return annotation(getContext(), parser.getFullSymbolSpec());
}

//===------------------------------------------------------------------------------------------------------------===//
// Bytecode
//===------------------------------------------------------------------------------------------------------------===//

/// The fields of the attributes, by their numbers in Shardy's bytecode.td: a, an attribute, and A, a list of them; o,
/// one that may be missing; s, a string; i, a signed number, and I, a list of them; v, a number with a flag; b, a flag.
static constexpr StringLiteral kFields[] = {"A", "si",       "AI", "ii", "so",  "Abv", "aAA",  "A", "I",
                                            "A", "IAAIIIIb", "A",  "A",  "Aii", "A",   "aAAA", "A"};

static LogicalResult skipField(DialectBytecodeReader &reader, char kind) {
  Attribute attribute;
  SmallVector<Attribute> attributes;
  StringRef text;
  int64_t number;
  SmallVector<int64_t> numbers;
  uint64_t flagged;
  bool flag;
  switch (kind) {
  case 'a':
    return reader.readAttribute(attribute);
  case 'A':
    return reader.readAttributes(attributes);
  case 'o':
    return reader.readOptionalAttribute(attribute);
  case 's':
    return reader.readString(text);
  case 'i':
    return reader.readSignedVarInt(number);
  case 'I':
    return reader.readSignedVarInts(numbers);
  case 'v':
    return reader.readVarIntWithFlag(flagged, flag);
  default:
    return reader.readBool(flag);
  }
}

namespace {
struct Version : DialectVersion {};

struct Reader : BytecodeDialectInterface {
  explicit Reader(Dialect *dialect) : BytecodeDialectInterface(dialect) {}

  Attribute readAttribute(DialectBytecodeReader &reader) const override {
    uint64_t code;
    if (failed(reader.readVarInt(code)))
      return nullptr;
    if (code >= std::size(kFields))
      return reader.emitError() << "sdy: attribute " << code << " is unknown", nullptr;
    for (char kind : kFields[code])
      if (failed(skipField(reader, kind)))
        return nullptr;
    return annotation(reader.getContext(), "annotation<>");
  }

  std::unique_ptr<DialectVersion> readVersion(DialectBytecodeReader &reader) const override {
    uint64_t major, minor, patch;
    if (failed(reader.readVarInt(major)) || failed(reader.readVarInt(minor)) || failed(reader.readVarInt(patch)))
      return nullptr;
    return std::make_unique<Version>();
  }
};
} // namespace

#define GET_OP_CLASSES
#include "dialects/StableHLO/IR/SdyOps.cpp.inc"

void SdyDialect::initialize() {
  addInterfaces<Reader>();
  addOperations<
#define GET_OP_LIST
#include "dialects/StableHLO/IR/SdyOps.cpp.inc"
      >();
}
