//===- TextPrinter.cpp - printing many snapshots ------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See TextPrinter.h. Upstream assigns aliases in the order of its first walk; visit() is called for the same symbols in
// the same order.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "lib/Compiler/Snapshot/TextPrinter.h"

#include "mlir/IR/AffineExpr.h"
#include "mlir/IR/AffineMap.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace mica;
using namespace mica::compiler;

namespace {
class OpPrinter : public SymbolPrinter<OpAsmPrinter> {
public:
  OpPrinter(llvm::raw_ostream &os, AttributeTexts &texts, ValueNames &names, OpTemplates &templates,
            llvm::ArrayRef<BuiltOp> built, Snapshot &snapshot)
      : SymbolPrinter(os), texts(texts), names(names), templates(templates), built(built), snapshot(snapshot) {}

  void printFullOp(Operation *op) {
    snapshot.lines.push_back({line, indent, op->getLoc(), op});
    os->indent(indent);
    if (op->getNumResults() > 0) {
      names.printResults(*os, op);
      *os << " = ";
    }
    // Ops are printed in the order in which they were built; some are omitted.
    while (!built.empty() && built.front().op != op)
      built = built.drop_front();
    if (built.empty() || op->getNumRegions() > 0)
      return printCustomOrGenericOp(op);
    if (const OpTemplate *known = templates.find(built.front().head, op, dialects.back()))
      return fill(*known, op);
    learn(built.front().head, op);
  }
  void newLine() {
    *os << '\n';
    ++line;
  }

  //===----------------------------------------------------------------------------------------------------------===//
  // Attributes and types
  //===----------------------------------------------------------------------------------------------------------===//

  void printType(Type type) override { visitAndPrint(type, TypeElision::Never); }
  void printAttribute(Attribute attribute) override { visitAndPrint(attribute, TypeElision::Never); }
  void printAttributeWithoutType(Attribute attribute) override { visitAndPrint(attribute, TypeElision::Must); }
  LogicalResult printAlias(Attribute attribute) override { return printAliasOf(attribute); }
  LogicalResult printAlias(Type type) override { return printAliasOf(type); }
  void printNamedAttribute(NamedAttribute attribute) override {
    visit(texts.of(attribute.getValue()));
    printNamed(attribute);
  }
  void printOptionalAttrDict(ArrayRef<NamedAttribute> attributes, ArrayRef<StringRef> elided) override {
    printDictionary(attributes, elided, " {");
  }
  void printOptionalAttrDictWithKeyword(ArrayRef<NamedAttribute> attributes, ArrayRef<StringRef> elided) override {
    printDictionary(attributes, elided, " attributes {");
  }
  // Recursive occurrences are elided.
  LogicalResult pushCyclicPrinting(const void *) override {
    texts.noteOdd();
    return failure();
  }
  void popCyclicPrinting() override {}
  void noteResource(const AsmDialectResourceHandle &) override { texts.noteOdd(); }

  //===----------------------------------------------------------------------------------------------------------===//
  // Values
  //===----------------------------------------------------------------------------------------------------------===//

  void printOperand(Value value) override {
    if (!learned || !leaveHole(OpTemplate::Operand, value, learned->getOperands()))
      names.print(*os, value);
  }
  void printOperand(Value value, llvm::raw_ostream &to) override {
    if (&to == os)
      return printOperand(value);
    isLearnable = false;
    names.print(to, value);
  }
  void printRegionArgument(BlockArgument argument, ArrayRef<NamedAttribute> attributes, bool omitType) override {
    isLearnable = false;
    names.print(*os, argument);
    SymbolText &type = texts.of(argument.getType());
    visit(type);
    if (!omitType) {
      *os << ": ";
      texts.print(*os, type);
    }
    // Upstream assigns no aliases in these.
    if (!attributes.empty())
      printList(attributes, " {");
  }
  void printOptionalLocationSpecifier(Location) override { texts.noteOdd(); }
  void shadowRegionArgs(Region &region, ValueRange namesToUse) override {
    isLearnable = false;
    names.shadow(region, namesToUse);
  }
  void printAffineMapOfSSAIds(AffineMapAttr map, ValueRange operands) override {
    const unsigned dims = map.getValue().getNumDims();
    llvm::interleaveComma(map.getValue().getResults(), *os, [&](AffineExpr expression) {
      printExpression(expression, operands.take_front(dims), operands.drop_front(dims));
    });
  }
  void printAffineExprOfSSAIds(AffineExpr expression, ValueRange dims, ValueRange symbols) override {
    printExpression(expression, dims, symbols);
  }

  //===----------------------------------------------------------------------------------------------------------===//
  // Blocks and regions
  //===----------------------------------------------------------------------------------------------------------===//

  void printSuccessor(Block *successor) override {
    if (!learned || !leaveHole(OpTemplate::Successor, successor, learned->getSuccessors()))
      *os << names.of(successor);
  }
  void printSuccessorAndUseList(Block *successor, ValueRange operands) override {
    printSuccessor(successor);
    if (operands.empty())
      return;
    *os << '(';
    printOperands(operands);
    *os << " : ";
    llvm::interleaveComma(operands.getTypes(), *os, [&](Type type) { texts.print(*os, texts.of(type)); });
    *os << ')';
  }
  void printRegion(Region &region, bool printArguments, bool printTerminators, bool printEmptyBlock) override {
    *os << '{';
    newLine();
    if (!region.empty()) {
      auto interface = names.interfaceOf(region.getParentOp());
      dialects.push_back(interface ? interface.getDefaultDialect() : "");
      Block &entry = region.front();
      if (printArguments)
        for (BlockArgument argument : entry.getArguments())
          visit(texts.of(argument.getType()));
      const bool hasHeader = (printEmptyBlock && entry.empty()) || (printArguments && entry.getNumArguments() != 0);
      print(entry, hasHeader, printTerminators);
      for (Block &block : llvm::drop_begin(region))
        print(block, /*withHeader=*/true, /*withTerminator=*/true);
      dialects.pop_back();
    }
    os->indent(indent) << '}';
  }
  void printNewline() override {
    isLearnable = false;
    newLine();
    os->indent(indent);
  }
  void increaseIndent() override { indent += kIndent; }
  void decreaseIndent() override { indent -= kIndent; }

  //===----------------------------------------------------------------------------------------------------------===//
  // Operations
  //===----------------------------------------------------------------------------------------------------------===//

  void printCustomOrGenericOp(Operation *op) override {
    if (op->isRegistered())
      return op->getName().printAssembly(op, *this, dialects.back());
    if (Dialect *dialect = op->getDialect(); dialect && dialect->getOperationPrinter(op))
      texts.noteOdd();
    printGenericOp(op);
  }
  void printGenericOp(Operation *op, bool printName = true) override {
    if (printName)
      printString(op->getName().getStringRef());
    *os << '(';
    printOperands(op->getOperands());
    *os << ')';
    if (op->getNumSuccessors() != 0) {
      *os << '[';
      llvm::interleaveComma(op->getSuccessors(), *os, [&](Block *successor) { printSuccessor(successor); });
      *os << ']';
    }
    if (Attribute properties = op->getPropertiesAsAttribute()) {
      *os << " <";
      texts.print(*os, texts.of(properties));
      *os << '>';
    }
    if (op->getNumRegions() != 0) {
      *os << " (";
      llvm::interleaveComma(op->getRegions(), *os, [&](Region &region) {
        printRegion(region, /*printArguments=*/true, /*printTerminators=*/true, /*printEmptyBlock=*/true);
      });
      *os << ')';
    }
    for (Type type : op->getOperandTypes())
      visit(texts.of(type));
    for (Type type : op->getResultTypes())
      visit(texts.of(type));
    for (NamedAttribute attribute : op->getAttrs())
      visit(texts.of(attribute.getValue()));
    if (auto attributes = llvm::to_vector(op->getDiscardableAttrs()); !attributes.empty())
      printList(attributes, " {");
    *os << " : ";
    printFunctionalType(op);
  }

private:
  void visit(SymbolText &text) {
    texts.visit(text);
    if (learned && text.depth != 0)
      learning.visits.push_back(&text);
  }
  /// Prints `op` and makes a template of its text, with holes for its values.
  void learn(unsigned head, Operation *op) {
    if (!OpTemplates::canLearn(op))
      return printCustomOrGenericOp(op);
    learning = OpTemplate(op, dialects.back());
    isLearnable = !texts.isOdd();
    learned = op;
    llvm::raw_string_ostream to(learning.text);
    llvm::raw_ostream *const around = std::exchange(os, &to);
    printCustomOrGenericOp(op);
    os = around;
    learned = nullptr;
    fill(learning, op);
    if (isLearnable && !texts.isOdd())
      templates.add(head, std::move(learning));
  }
  /// Whether `used` is one of the values of the op for which a template is made; then leaves a hole.
  template <typename Used, typename Range> bool leaveHole(OpTemplate::Kind kind, Used used, Range &&range) {
    auto it = llvm::find(range, used);
    if (it == range.end()) {
      isLearnable = false;
      return false;
    }
    learning.holes.push_back({learning.text.size(), kind, static_cast<unsigned>(std::distance(range.begin(), it))});
    return true;
  }
  void fill(const OpTemplate &known, Operation *op) {
    const llvm::StringRef text = known.text;
    size_t at = 0;
    for (const OpTemplate::Hole &hole : known.holes) {
      *os << text.slice(at, hole.at);
      at = hole.at;
      if (hole.kind == OpTemplate::Operand)
        names.print(*os, op->getOperand(hole.index));
      else
        *os << names.of(op->getSuccessor(hole.index));
    }
    *os << text.substr(at);
    for (SymbolText *symbol : known.visits)
      texts.visit(*symbol);
  }
  template <typename Symbol> void visitAndPrint(Symbol symbol, TypeElision elision) {
    if (!symbol)
      return texts.noteOdd();
    SymbolText &text = texts.of(symbol);
    visit(text);
    texts.print(*os, text, elision);
  }
  template <typename Symbol> LogicalResult printAliasOf(Symbol symbol) {
    SymbolText &text = texts.of(symbol);
    visit(text);
    if (text.alias.empty())
      return failure();
    texts.print(*os, text);
    return success();
  }
  void printNamed(NamedAttribute attribute) {
    printKeywordOrString(attribute.getName());
    if (isa<UnitAttr>(attribute.getValue()))
      return;
    *os << " = ";
    texts.print(*os, texts.of(attribute.getValue()));
  }
  void printList(ArrayRef<NamedAttribute> attributes, StringRef before) {
    *os << before;
    llvm::interleaveComma(attributes, *os, [&](NamedAttribute attribute) { printNamed(attribute); });
    *os << '}';
  }
  void printDictionary(ArrayRef<NamedAttribute> attributes, ArrayRef<StringRef> elided, StringRef before) {
    llvm::SmallVector<NamedAttribute> shown;
    for (NamedAttribute attribute : attributes)
      if (!llvm::is_contained(elided, attribute.getName().getValue()))
        shown.push_back(attribute);
    if (shown.empty())
      return;
    for (NamedAttribute attribute : shown)
      visit(texts.of(attribute.getValue()));
    printList(shown, before);
  }
  /// With values substituted for d0 and s0.
  void printExpression(AffineExpr expression, ValueRange dims, ValueRange symbols) {
    std::string text;
    llvm::raw_string_ostream to(text);
    expression.print(to);
    for (size_t at = 0; at < text.size();) {
      size_t end = at + 1;
      unsigned number = 0;
      if (!llvm::isAlpha(text[at])) {
        *os << text[at];
      } else {
        while (end < text.size() && llvm::isAlnum(text[end]))
          ++end;
        llvm::StringRef word(text.data() + at, end - at);
        if (word.drop_front().getAsInteger(10, number)) {
          *os << word;
        } else if (word.front() == 's') {
          *os << "symbol(";
          printOperand(symbols[number]);
          *os << ')';
        } else {
          printOperand(dims[number]);
        }
      }
      at = end;
    }
  }
  void print(Block &block, bool withHeader, bool withTerminator) {
    if (withHeader)
      printHeader(block);
    indent += kIndent;
    const bool leavesLast = !withTerminator && !block.empty() && block.back().hasTrait<OpTrait::IsTerminator>();
    for (Operation &op : block) {
      if (leavesLast && &op == &block.back())
        break;
      printFullOp(&op);
      newLine();
    }
    indent -= kIndent;
  }
  void printHeader(Block &block) {
    os->indent(indent) << names.of(&block);
    if (!block.args_empty()) {
      *os << '(';
      llvm::interleaveComma(block.getArguments(), *os, [&](BlockArgument argument) {
        names.print(*os, argument);
        *os << ": ";
        printType(argument.getType());
      });
      *os << ')';
    }
    *os << ':';
    if (block.hasNoPredecessors()) {
      if (!block.isEntryBlock())
        *os << "  // no predecessors";
    } else if (Block *only = block.getSinglePredecessor()) {
      *os << "  // pred: " << names.of(only);
    } else {
      auto before = llvm::to_vector<4>(block.getPredecessors());
      llvm::sort(before, [&](Block *a, Block *b) { return names.positionOf(a) < names.positionOf(b); });
      *os << "  // " << before.size() << " preds: ";
      llvm::interleaveComma(before, *os, [&](Block *each) { *os << names.of(each); });
    }
    newLine();
  }

  static constexpr unsigned kIndent = 2;
  AttributeTexts &texts;
  ValueNames &names;
  OpTemplates &templates;
  llvm::ArrayRef<BuiltOp> built; ///< the remaining ops
  Snapshot &snapshot;
  OpTemplate learning;
  Operation *learned = nullptr; ///< null: no template is being made
  bool isLearnable = false;
  llvm::SmallVector<StringRef> dialects{"builtin"}; ///< whose prefix is omitted
  unsigned line = 1, indent = 0;
};
} // namespace

std::optional<Snapshot> TextPrinter::print(Operation *op, llvm::ArrayRef<BuiltOp> built) {
  Snapshot snapshot;
  std::string text;
  // Alias definitions can be printed only for a top-level op.
  const bool isTop = !op->getParentOp();
  AttributeTexts &texts = isTop ? withAliases : withoutAliases;
  texts.start();
  names.start(op);
  text.reserve(lastSize + lastSize / 8);
  {
    llvm::raw_string_ostream os(text);
    os.SetBufferSize(1 << 16); // the printer writes a few characters at a time
    OpPrinter printer(os, texts, names, isTop ? templatesWithAliases : templatesWithoutAliases, built, snapshot);
    printer.printFullOp(op);
    printer.newLine();
    if (isTop)
      printer.newLine();
    os.flush();
  }
  lastSize = text.size();
  unsigned lines = 0;
  snapshot.text = texts.definitions(lines);
  text = texts.resolve(std::move(text));
  if (texts.isOdd() || (isTop && texts.hasResources(op)))
    return std::nullopt;
  snapshot.text = snapshot.text.empty() ? std::move(text) : snapshot.text + text;
  for (Snapshot::Line &line : snapshot.lines)
    line.line += lines;
  return snapshot;
}
