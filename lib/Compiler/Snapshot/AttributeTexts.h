//===- AttributeTexts.h - cached text of attributes and types -----------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// The snapshots of a program contain the same attributes and types again and again. Their texts are cached across
// snapshots, with marks in place of aliases (#map, #map1), whose names depend on the rest of the snapshot and are known
// only when it is printed.
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

/// Whether the type of an attribute is printed after it.
enum class TypeElision {
  Never, ///< always printed
  May,   ///< printed, except i64 and f64
  Must   ///< never printed
};

/// An attribute or a type, with its text.
struct SymbolText {
  const void *pointer = nullptr;
  bool isType = false;
  bool isMade = false;                         ///< false while it is being printed
  bool isOdd = false;                          ///< the text depends on more than the aliases in it
  bool elidesMay = false;                      ///< May is equivalent to Must
  unsigned number = 0;                         ///< in the order of the texts
  unsigned depth = 0;                          ///< 0: contains no alias
  unsigned visit = 0;                          ///< the last snapshot that contains it
  std::string alias;                           ///< without its number; empty: none
  std::string name;                            ///< in that snapshot, with # and number
  std::string text;                            ///< without an alias for the symbol itself
  std::optional<std::string> bare;             ///< without its type
  llvm::SmallVector<SymbolText *, 0> children; ///< those with an alias in them, in print order
};

/// Texts of attributes that are known already.
using KnownTexts = llvm::DenseMap<mlir::Attribute, llvm::StringRef>;

/// The texts of one context. Not thread-safe.
class AttributeTexts {
public:
  /// Without aliases everything is printed in full. `known`, which may be null, must outlive this.
  AttributeTexts(mlir::MLIRContext *context, bool withAliases, const KnownTexts *known);
  ~AttributeTexts();

  SymbolText &of(mlir::Attribute attribute);
  SymbolText &of(mlir::Type type);
  /// Prints the alias, as a mark, or the text.
  void print(llvm::raw_ostream &os, SymbolText &symbol, TypeElision elision = TypeElision::Never);

  //===----------------------------------------------------------------------------------------------------------===//
  // The aliases of one snapshot
  //===----------------------------------------------------------------------------------------------------------===//

  void start();
  /// The snapshot uses the symbol at its top level, which assigns aliases to its contents.
  void visit(SymbolText &symbol);
  /// The lines that define aliases. Writes their number to `lines`.
  std::string definitions(unsigned &lines);
  /// `text` with alias names in place of marks. After definitions(), before isOdd().
  std::string resolve(std::string text);
  /// Whether the text of `op` ends with resource data, which only upstream's printer prints.
  bool hasResources(mlir::Operation *op);
  /// Whether something was printed that only upstream's printer prints correctly.
  bool isOdd() const { return odd; }
  void noteOdd() { odd = true; }

private:
  class Hooks;
  void make(SymbolText &symbol, mlir::Attribute attribute);
  void make(SymbolText &symbol, mlir::Type type);
  /// Records that `child` is printed inside `symbol`.
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
  std::vector<SymbolText *> visited; ///< with an alias in them, in the order of visits
  unsigned current = 0;
  const KnownTexts *known;
  bool withAliases, odd = false;
};

/// The hooks that printers of operations and of dialect attributes and types have in common.
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
