//===- AttributeTexts.h - text of attributes and types, printed once ----------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// The snapshots of a program hold the same attributes and types again and again. Their texts are kept from one to the
// next, with marks where an alias (#map, #map1) goes: which name it has depends on what else the snapshot holds, and is
// known when that is printed.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_COMPILER_SNAPSHOT_ATTRIBUTETEXTS_H
#define MICA_LIB_COMPILER_SNAPSHOT_ATTRIBUTETEXTS_H

#include "mlir/IR/AsmState.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/IR/DialectInterface.h"
#include "mlir/IR/OpImplementation.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"

#include <deque>
#include <optional>
#include <string>
#include <vector>

namespace mica::compiler {

/// Whether an attribute's type is printed behind it.
enum class TypeElision {
  Never, ///< it is
  May,   ///< but for i64 and f64
  Must   ///< it is not
};

/// An attribute or a type, and what is printed for it.
struct SymbolText {
  const void *pointer = nullptr;
  bool isType = false;
  bool isMade = false;                         ///< false: it is being printed
  bool isOdd = false;                          ///< what it prints depends on more than the aliases in it
  bool elidesMay = false;                      ///< May is Must
  unsigned number = 0;                         ///< in the order of the texts
  unsigned depth = 0;                          ///< 0: no alias in it
  unsigned visit = 0;                          ///< the last snapshot that holds it
  std::string alias;                           ///< without its number; empty: none
  std::string name;                            ///< in that snapshot, with # and number
  std::string text;                            ///< without an alias for itself
  std::optional<std::string> bare;             ///< without its type
  llvm::SmallVector<SymbolText *, 0> children; ///< those with an alias in them, in the order in which they are printed
};

/// What upstream prints for attributes, where somebody has it already.
using KnownTexts = llvm::DenseMap<mlir::Attribute, llvm::StringRef>;

/// The texts of one context. For one thread at a time.
class AttributeTexts {
public:
  /// Without aliases everything is printed in full. `known`, or null, has to live as long.
  AttributeTexts(mlir::MLIRContext *context, bool withAliases, const KnownTexts *known);
  ~AttributeTexts();

  SymbolText &of(mlir::Attribute attribute);
  SymbolText &of(mlir::Type type);
  /// Writes an alias, as a mark, or the text.
  void print(llvm::raw_ostream &os, SymbolText &symbol, TypeElision elision = TypeElision::Never);

  //===----------------------------------------------------------------------------------------------------------===//
  // The aliases of one snapshot
  //===----------------------------------------------------------------------------------------------------------===//

  void start();
  /// The snapshot prints the symbol at its own level, which gives what is in it an alias.
  void visit(SymbolText &symbol);
  /// Lines with what aliases stand for. Writes their count to `lines`.
  std::string definitions(unsigned &lines);
  /// `text` with names in place of marks. After definitions(), before isOdd().
  std::string resolve(std::string text);
  /// Whether the text of `op` ends with bytes of resources, which upstream's printer prints.
  bool hasResources(mlir::Operation *op);
  /// Whether something was printed that only upstream's printer can print.
  bool isOdd() const { return odd; }
  void noteOdd() { odd = true; }

private:
  class Hooks;
  void make(SymbolText &symbol, mlir::Attribute attribute);
  void make(SymbolText &symbol, mlir::Type type);
  /// `child` is printed inside `symbol`.
  void note(SymbolText &symbol, SymbolText &child);
  const std::string &bareText(SymbolText &symbol);
  const std::string &textOf(SymbolText &symbol, TypeElision elision);
  template <typename Symbol> std::string aliasOf(Symbol symbol);
  template <typename Symbol> SymbolText &find(Symbol symbol, bool isType);
  template <typename Symbol> std::string upstreamText(Symbol symbol);

  mlir::AsmState state;
  mlir::DialectInterfaceCollection<mlir::OpAsmDialectInterface> interfaces;
  llvm::DenseMap<const void *, SymbolText *> symbols;
  std::deque<SymbolText> all;
  std::vector<SymbolText *> visited; ///< with an alias in them, in the order of their visits
  unsigned current = 0;
  const KnownTexts *known;
  bool withAliases, odd = false;
};

/// The hooks of a printer of operations, or of a dialect's attributes and types, that are the same in both.
template <typename Base> class SymbolPrinter : public Base {
public:
  llvm::raw_ostream &getStream() const override { return *os; }
  void printFloat(const llvm::APFloat &value) override;
  void printKeywordOrString(llvm::StringRef keyword) override;
  void printString(llvm::StringRef string) override;
  void printSymbolName(llvm::StringRef symbol) override;
  void printResourceHandle(const mlir::AsmDialectResourceHandle &resource) override;

protected:
  virtual void noteResource(const mlir::AsmDialectResourceHandle &resource) = 0;
  explicit SymbolPrinter(llvm::raw_ostream &os) : os(&os) {}
  llvm::raw_ostream *os;
};

extern template class SymbolPrinter<mlir::OpAsmPrinter>;
extern template class SymbolPrinter<mlir::DialectAsmPrinter>;

} // namespace mica::compiler

#endif // MICA_LIB_COMPILER_SNAPSHOT_ATTRIBUTETEXTS_H
