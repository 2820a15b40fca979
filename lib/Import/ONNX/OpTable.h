//===- OpTable.h - which function builds an operator ----------------------------------------------------*- C++ -*-===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// One table from the name of an operator and the version of its operator set to a builder function. Each subject has a
// file that adds its rows. Operators: https://github.com/onnx/onnx/blob/main/docs/Operators.md and Changelog.md.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_IMPORT_ONNX_OPTABLE_H
#define MICA_IMPORT_ONNX_OPTABLE_H

#include "lib/Import/ONNX/Node.h"

namespace mica::importer {

/// Builds ops for the node and sets its results, or refuses it.
using BuildNode = mlir::LogicalResult (*)(Node &);

/// How an operator is built.
struct OpRow {
  BuildNode build = nullptr;
  unsigned fewestInputs = 0; ///< all given, none left out
  unsigned mostInputs = ~0u;
  bool takesSequences = false; ///< else an input that is one is refused
};

class OpTable {
public:
  OpTable();

  /// Adds an operator of the domain "ai.onnx", or "DOMAIN:NAME" of another.
  void add(llvm::StringRef name, BuildNode build, unsigned fewestInputs, unsigned mostInputs = ~0u) {
    rows[name] = {build, fewestInputs, mostInputs, false};
  }
  void addForSequences(llvm::StringRef name, BuildNode build, unsigned fewestInputs, unsigned mostInputs = ~0u) {
    rows[name] = {build, fewestInputs, mostInputs, true};
  }
  /// An operator that has no form here, and why.
  void refuse(llvm::StringRef name, llvm::StringRef reason) { refusals[name] = reason.str(); }

  const OpRow *find(llvm::StringRef name) const {
    auto row = rows.find(name);
    return row == rows.end() ? nullptr : &row->second;
  }
  llvm::StringRef refusal(llvm::StringRef name) const {
    auto row = refusals.find(name);
    return row == refusals.end() ? llvm::StringRef() : llvm::StringRef(row->second);
  }
  std::vector<std::string> names() const;

private:
  llvm::StringMap<OpRow> rows;
  llvm::StringMap<std::string> refusals;
};

// One function per file of operators.
void addActivations(OpTable &table);
void addAttention(OpTable &table);
void addFusedAttention(OpTable &table);
void addElementwise(OpTable &table);
void addReductions(OpTable &table);
void addParts(OpTable &table);
void addShapes(OpTable &table);
void addContractions(OpTable &table);
void addConvolutions(OpTable &table);
void addPooling(OpTable &table);
void addNormalizations(OpTable &table);
void addQuantization(OpTable &table);
void addIndexing(OpTable &table);
void addControlFlow(OpTable &table);
void addRecurrent(OpTable &table);
void addImages(OpTable &table);
void addSignals(OpTable &table);
void addSelection(OpTable &table);
void addSequences(OpTable &table);
void addLosses(OpTable &table);

} // namespace mica::importer

#endif // MICA_IMPORT_ONNX_OPTABLE_H
