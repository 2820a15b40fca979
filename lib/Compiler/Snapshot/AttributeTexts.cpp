//===- AttributeTexts.cpp - cached text of attributes and types ---------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See AttributeTexts.h. Upstream prints everything that cannot contain an alias. Containers of the builtin dialect and
// attributes and types with dialect printers, which may contain aliases, are assembled here. Aliases are found and
// numbered in the order of upstream's printer.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "lib/Compiler/Snapshot/AttributeTexts.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinDialect.h"
#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"

using namespace mlir;
using namespace mica;
using namespace mica::compiler;

/// Begins a mark, followed by kMarkDigits characters. No text contains it: strings are escaped.
static constexpr char kMark = '\x01';
static constexpr unsigned kMarkDigits = 4, kDigitBits = 6;

static OpPrintingFlags printingFlags() {
  // A limit of 0 keeps the printer from converting the weights to hexadecimal.
  return OpPrintingFlags().elideLargeResourceString(0);
}

AttributeTexts::AttributeTexts(MLIRContext *context, bool withAliases, const KnownTexts *known)
    : state(context, printingFlags()), interfaces(context), known(known), withAliases(withAliases) {}
AttributeTexts::~AttributeTexts() = default;

//===------------------------------------------------------------------------------------------------------------===//
// Hooks that operations and dialects have in common
//===------------------------------------------------------------------------------------------------------------===//

/// Prints the value as an attribute is printed.
static void printFloatValue(const APFloat &value, raw_ostream &os) {
  if (!value.isInfinity() && !value.isNaN()) {
    SmallString<128> text;
    value.toString(text, /*FormatPrecision=*/6, /*FormatMaxPadding=*/0, /*TruncateZero=*/false);
    if (APFloat(value.getSemantics(), text).bitwiseIsEqual(value)) {
      os << text;
      return;
    }
    text.clear();
    value.toString(text);
    if (text.str().contains('.')) {
      os << text;
      return;
    }
  }
  SmallString<32> digits;
  value.bitcastToAPInt().toString(digits, /*Radix=*/16, /*Signed=*/false, /*formatAsCLiteral=*/true);
  os << digits;
}

static bool isBareIdentifier(StringRef name) {
  return !name.empty() && (llvm::isAlpha(name[0]) || name[0] == '_') &&
         llvm::all_of(name, [](char c) { return llvm::isAlnum(c) || c == '_' || c == '$' || c == '.'; });
}

static void printKeyword(StringRef keyword, raw_ostream &os) {
  if (isBareIdentifier(keyword)) {
    os << keyword;
    return;
  }
  os << '"';
  llvm::printEscapedString(keyword, os);
  os << '"';
}

template <typename Base> void SymbolPrinter<Base>::printFloat(const APFloat &value) { printFloatValue(value, *os); }
template <typename Base> void SymbolPrinter<Base>::printKeywordOrString(StringRef keyword) {
  printKeyword(keyword, *os);
}
template <typename Base> void SymbolPrinter<Base>::printString(StringRef string) {
  *os << '"';
  llvm::printEscapedString(string, *os);
  *os << '"';
}
template <typename Base> void SymbolPrinter<Base>::printSymbolName(StringRef symbol) {
  *os << '@';
  printKeyword(symbol, *os);
}
template <typename Base> void SymbolPrinter<Base>::printResourceHandle(const AsmDialectResourceHandle &resource) {
  *os << cast<OpAsmDialectInterface>(resource.getDialect())->getResourceKey(resource);
  noteResource(resource);
}

template class compiler::SymbolPrinter<OpAsmPrinter>;
template class compiler::SymbolPrinter<DialectAsmPrinter>;

/// Prints attributes and types by dialect printers, and records what they contain.
class AttributeTexts::Hooks : public SymbolPrinter<DialectAsmPrinter> {
public:
  Hooks(raw_ostream &os, AttributeTexts &texts, SymbolText &symbol) : SymbolPrinter(os), texts(texts), symbol(symbol) {}

  void printAttribute(Attribute attribute) override { print(attribute, TypeElision::Never); }
  void printAttributeWithoutType(Attribute attribute) override { print(attribute, TypeElision::Must); }
  void printType(Type type) override { print(type, TypeElision::Never); }
  void printNamedAttribute(NamedAttribute attribute) override {
    printKeyword(attribute.getName(), *os);
    if (isa<UnitAttr>(attribute.getValue()))
      return;
    *os << " = ";
    print(attribute.getValue(), TypeElision::Never);
  }
  LogicalResult printAlias(Attribute attribute) override { return printAliasOf(attribute); }
  LogicalResult printAlias(Type type) override { return printAliasOf(type); }
  void noteResource(const AsmDialectResourceHandle &resource) override {
    texts.state.getDialectResources()[resource.getDialect()].insert(resource);
  }
  void printNewline() override { symbol.isOdd = true; }
  void increaseIndent() override { symbol.isOdd = true; }
  void decreaseIndent() override { symbol.isOdd = true; }
  // Recursive occurrences are elided.
  LogicalResult pushCyclicPrinting(const void *pointer) override {
    symbol.isOdd = true;
    return success(cycle.insert(pointer));
  }
  void popCyclicPrinting() override { cycle.pop_back(); }

  template <typename Symbol> void print(Symbol inner, TypeElision elision) {
    if (!inner) {
      symbol.isOdd = true;
      return;
    }
    SymbolText &child = texts.of(inner);
    texts.note(symbol, child);
    // Upstream assigns no alias to a type that is not printed.
    if (elision == TypeElision::Must && child.depth != 0 && child.alias.empty())
      symbol.isOdd = true;
    texts.print(*os, child, elision);
  }

private:
  template <typename Symbol> LogicalResult printAliasOf(Symbol inner) {
    SymbolText &child = texts.of(inner);
    texts.note(symbol, child);
    if (child.alias.empty())
      return failure();
    texts.print(*os, child);
    return success();
  }

  AttributeTexts &texts;
  SymbolText &symbol;
  llvm::SetVector<const void *> cycle;
};

//===------------------------------------------------------------------------------------------------------------===//
// Texts
//===------------------------------------------------------------------------------------------------------------===//

template <typename Symbol> std::string AttributeTexts::aliasOf(Symbol symbol) {
  using Interface =
      std::conditional_t<std::is_base_of_v<Attribute, Symbol>, mlir::OpAsmAttrInterface, mlir::OpAsmTypeInterface>;
  std::string alias, said;
  auto ask = [&](auto &&who) {
    said.clear();
    llvm::raw_string_ostream os(said);
    const OpAsmAliasResult result = who(os);
    if (result != OpAsmAliasResult::NoAlias)
      alias = said;
    return result == OpAsmAliasResult::FinalAlias;
  };
  bool isFinal = false;
  if (auto own = dyn_cast<Interface>(symbol))
    isFinal = ask([&](raw_ostream &os) { return own.getAlias(os); });
  for (const OpAsmDialectInterface &interface : interfaces)
    if (!isFinal)
      isFinal = ask([&](raw_ostream &os) { return interface.getAlias(symbol, os); });
  return alias;
}

/// Whether an alias is a valid identifier as it is.
static bool isPlainAlias(StringRef alias) {
  return !llvm::isDigit(alias.front()) && !llvm::isDigit(alias.back()) &&
         llvm::all_of(alias, [](char c) { return llvm::isAlnum(c) || c == '$' || c == '_' || c == '-'; });
}

template <typename Symbol> SymbolText &AttributeTexts::find(Symbol symbol, bool isType) {
  auto [it, isNew] = symbols.try_emplace(symbol.getAsOpaquePointer(), nullptr);
  if (!isNew) {
    // It contains itself, which upstream prints in another way.
    if (!it->second->isMade)
      it->second->isOdd = true;
    return *it->second;
  }
  SymbolText &text = all.emplace_back();
  it->second = &text;
  text.pointer = symbol.getAsOpaquePointer();
  text.isType = isType;
  text.number = all.size() - 1;
  text.isOdd = text.number >> (kMarkDigits * kDigitBits);
  if (withAliases)
    text.alias = aliasOf(symbol);
  text.isOdd |= !text.alias.empty() && !isPlainAlias(text.alias);
  make(text, symbol);
  if (!text.alias.empty() || text.depth)
    ++text.depth;
  text.isMade = true;
  return text;
}

SymbolText &AttributeTexts::of(Attribute attribute) { return find(attribute, /*isType=*/false); }
SymbolText &AttributeTexts::of(Type type) { return find(type, /*isType=*/true); }

void AttributeTexts::note(SymbolText &symbol, SymbolText &child) {
  symbol.isOdd |= child.isOdd || !child.isMade;
  if (child.depth == 0)
    return;
  symbol.depth = std::max(symbol.depth, child.depth);
  symbol.children.push_back(&child);
}

template <typename Symbol> std::string AttributeTexts::upstreamText(Symbol symbol) {
  std::string text;
  llvm::raw_string_ostream os(text);
  symbol.print(os, state);
  return text;
}

/// Whether a dialect's text can be printed in the pretty form "#dialect.text".
static bool isPretty(StringRef text) {
  if (text.empty() || !llvm::isAlpha(text.front()))
    return false;
  text = text.drop_while([](char c) { return llvm::isAlnum(c) || c == '.' || c == '_'; });
  return text.empty() || (text.front() == '<' && text.back() == '>');
}

static std::string withDialect(char prefix, StringRef dialect, StringRef text) {
  std::string all(1, prefix);
  all += dialect;
  all += isPretty(text) ? "." : "<";
  all += text;
  if (!isPretty(text))
    all += '>';
  return all;
}

void AttributeTexts::make(SymbolText &symbol, Attribute attribute) {
  llvm::raw_string_ostream os(symbol.text);
  Hooks hooks(os, *this, symbol);
  auto typed = dyn_cast<TypedAttr>(attribute);
  if (!isa<BuiltinDialect>(attribute.getDialect())) {
    std::string text;
    llvm::raw_string_ostream inner(text);
    Hooks own(inner, *this, symbol);
    attribute.getDialect().printAttribute(attribute, own);
    os << withDialect('#', attribute.getDialect().getNamespace(), text);
    if (typed && !isa<NoneType>(typed.getType())) {
      symbol.bare = symbol.text;
      os << " : ";
      hooks.printType(typed.getType());
    }
    return;
  }
  if (isa<DistinctAttr, LocationAttr>(attribute)) {
    symbol.isOdd = true;
  } else if (auto dictionary = dyn_cast<DictionaryAttr>(attribute)) {
    os << '{';
    llvm::interleaveComma(dictionary, os, [&](NamedAttribute each) { hooks.printNamedAttribute(each); });
    os << '}';
  } else if (auto array = dyn_cast<ArrayAttr>(attribute)) {
    os << '[';
    llvm::interleaveComma(array, os, [&](Attribute each) { hooks.print(each, TypeElision::May); });
    os << ']';
  } else if (auto type = dyn_cast<TypeAttr>(attribute)) {
    hooks.printType(type.getValue());
  } else {
    auto it = known ? known->find(attribute) : KnownTexts::const_iterator();
    if (known && it != known->end())
      os << it->second;
    else
      os << upstreamText(attribute);
    if (auto integer = dyn_cast<IntegerAttr>(attribute))
      symbol.elidesMay = integer.getType().isSignlessInteger(64);
    else if (auto number = dyn_cast<FloatAttr>(attribute))
      symbol.elidesMay = number.getType().isF64();
    // A type with an alias in it is printed by the alias' name, which upstream's text lacks.
    if (typed && !isa<AffineMapAttr, IntegerSetAttr>(attribute))
      symbol.isOdd |= of(typed.getType()).depth != 0 || of(typed.getType()).isOdd;
    if (auto list = dyn_cast<DenseArrayAttr>(attribute))
      symbol.isOdd |= of(list.getElementType()).depth != 0;
  }
}

void AttributeTexts::make(SymbolText &symbol, Type type) {
  llvm::raw_string_ostream os(symbol.text);
  Hooks hooks(os, *this, symbol);
  if (!isa<BuiltinDialect>(type.getDialect())) {
    std::string text;
    llvm::raw_string_ostream inner(text);
    Hooks own(inner, *this, symbol);
    type.getDialect().printType(type, own);
    os << withDialect('!', type.getDialect().getNamespace(), text);
    return;
  }
  // Aliases inside are found in upstream's order.
  auto noteAlias = [&](auto element) {
    if (element)
      note(symbol, of(element));
  };
  auto memref = dyn_cast<MemRefType>(type);
  if (memref) {
    noteAlias(memref.getElementType());
    if (!isa<AffineMapAttr>(memref.getLayout()) || !memref.getLayout().isIdentity())
      noteAlias(Attribute(memref.getLayout()));
    noteAlias(memref.getMemorySpace());
  } else {
    type.walkImmediateSubElements(noteAlias, noteAlias);
  }
  if (symbol.depth == 0) {
    os << upstreamText(type);
    return;
  }
  auto printShape = [&](ArrayRef<int64_t> shape) {
    for (int64_t size : shape)
      (ShapedType::isDynamic(size) ? os << '?' : os << size) << 'x';
  };
  auto printList = [&](TypeRange types) {
    os << '(';
    llvm::interleaveComma(types, os, [&](Type each) { hooks.printType(each); });
    os << ')';
  };
  if (memref) {
    os << "memref<";
    printShape(memref.getShape());
    hooks.printType(memref.getElementType());
    if (!isa<AffineMapAttr>(memref.getLayout()) || !memref.getLayout().isIdentity()) {
      os << ", ";
      hooks.print(Attribute(memref.getLayout()), TypeElision::May);
    }
    if (memref.getMemorySpace()) {
      os << ", ";
      hooks.print(memref.getMemorySpace(), TypeElision::May);
    }
    os << '>';
  } else if (auto tensor = dyn_cast<RankedTensorType>(type)) {
    os << "tensor<";
    printShape(tensor.getShape());
    hooks.printType(tensor.getElementType());
    if (tensor.getEncoding()) {
      os << ", ";
      hooks.printAttribute(tensor.getEncoding());
    }
    os << '>';
  } else if (auto function = dyn_cast<FunctionType>(type)) {
    printList(function.getInputs());
    os << " -> ";
    if (function.getNumResults() == 1 && !isa<FunctionType>(function.getResult(0)))
      hooks.printType(function.getResult(0));
    else
      printList(function.getResults());
  } else {
    symbol.isOdd = true;
  }
}

const std::string &AttributeTexts::bareText(SymbolText &symbol) {
  if (!symbol.bare) {
    auto attribute = Attribute::getFromOpaquePointer(symbol.pointer);
    if (symbol.depth == 0 && isa<TypedAttr>(attribute)) {
      llvm::raw_string_ostream os(symbol.bare.emplace());
      attribute.print(os, state, /*elideType=*/true);
    } else {
      symbol.bare = symbol.text;
    }
  }
  return *symbol.bare;
}

const std::string &AttributeTexts::textOf(SymbolText &symbol, TypeElision elision) {
  const bool isBare = elision == TypeElision::Must || (elision == TypeElision::May && symbol.elidesMay);
  return isBare && !symbol.isType ? bareText(symbol) : symbol.text;
}

void AttributeTexts::print(raw_ostream &os, SymbolText &symbol, TypeElision elision) {
  odd |= symbol.isOdd;
  if (symbol.alias.empty()) {
    os << textOf(symbol, elision);
    return;
  }
  os << kMark;
  for (unsigned digit = 0; digit < kMarkDigits; ++digit)
    os << static_cast<char>('@' + (symbol.number >> digit * kDigitBits & ((1 << kDigitBits) - 1)));
}

namespace {
/// Detects whether there are any resources.
struct ResourceProbe : public AsmResourceBuilder {
  void buildBool(StringRef, bool) override { isEmpty = false; }
  void buildString(StringRef, StringRef) override { isEmpty = false; }
  void buildBlob(StringRef, ArrayRef<char>, uint32_t) override { isEmpty = false; }
  bool isEmpty = true;
};
} // namespace

bool AttributeTexts::hasResources(Operation *op) {
  ResourceProbe probe;
  for (const OpAsmDialectInterface &interface : interfaces)
    interface.buildResources(op, state.getDialectResources()[interface.getDialect()], probe);
  return !probe.isEmpty;
}

//===------------------------------------------------------------------------------------------------------------===//
// The aliases of one snapshot
//===------------------------------------------------------------------------------------------------------------===//

void AttributeTexts::start() {
  ++current;
  visited.clear();
  odd = false;
}

void AttributeTexts::visit(SymbolText &symbol) {
  odd |= symbol.isOdd;
  if (symbol.depth == 0 || symbol.visit == current)
    return;
  symbol.visit = current;
  visited.push_back(&symbol);
  for (SymbolText *child : symbol.children)
    visit(*child);
}

std::string AttributeTexts::definitions(unsigned &lines) {
  lines = 0;
  if (visited.empty())
    return "";
  llvm::erase_if(visited, [](SymbolText *symbol) { return symbol->alias.empty(); });
  llvm::stable_sort(visited, [](SymbolText *a, SymbolText *b) {
    return std::tuple(a->depth, !a->isType, llvm::StringRef(a->alias)) <
           std::tuple(b->depth, !b->isType, llvm::StringRef(b->alias));
  });
  llvm::StringMap<unsigned> counts;
  for (SymbolText *symbol : visited) {
    const unsigned count = counts[symbol->alias]++;
    symbol->name = (symbol->isType ? "!" : "#") + symbol->alias + (count ? std::to_string(count) : "");
  }
  std::string text;
  for (SymbolText *symbol : visited)
    text += symbol->name + " = " + resolve(symbol->text) + "\n";
  lines = visited.size();
  return text;
}

std::string AttributeTexts::resolve(std::string marked) {
  llvm::StringRef text = marked;
  if (!text.contains(kMark))
    return marked;
  std::string result;
  result.reserve(text.size() + text.size() / 8);
  for (;;) {
    const size_t at = text.find(kMark);
    result += text.take_front(at);
    if (at == StringRef::npos)
      return result;
    text = text.drop_front(at + 1);
    unsigned number = 0;
    for (unsigned digit = 0; digit < kMarkDigits; ++digit)
      number |= static_cast<unsigned>(text[digit] - '@') << digit * kDigitBits;
    text = text.drop_front(kMarkDigits);
    const SymbolText &symbol = all[number];
    odd |= symbol.visit != current; // upstream assigned no alias to it
    result += symbol.name;
  }
}
