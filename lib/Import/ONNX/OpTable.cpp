//===- OpTable.cpp - which function builds an operator --------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See OpTable.h.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "lib/Import/ONNX/OpTable.h"

using namespace mica::importer;

OpTable::OpTable() {
  addActivations(*this);
  addAttention(*this);
  addFusedAttention(*this);
  addElementwise(*this);
  addReductions(*this);
  addParts(*this);
  addShapes(*this);
  addContractions(*this);
  addConvolutions(*this);
  addPooling(*this);
  addNormalizations(*this);
  addQuantization(*this);
  addIndexing(*this);
  addControlFlow(*this);
  addRecurrent(*this);
  addImages(*this);
  addSignals(*this);
  addSelection(*this);
  addSequences(*this);
  addLosses(*this);
}

std::vector<std::string> OpTable::names() const {
  std::vector<std::string> all;
  for (const auto &row : rows)
    all.push_back(row.first().str());
  llvm::sort(all);
  return all;
}
