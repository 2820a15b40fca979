//===- RecordedPipelines.h - the recorded pipelines ---------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// The pipelines that run one after the other on one program, with a position for each of their passes.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_COMPILER_INDEX_RECORDEDPIPELINES_H
#define MICA_LIB_COMPILER_INDEX_RECORDEDPIPELINES_H

#include "mica/Compiler/Index/RecordTypes.h"

#include "mlir/Pass/PassManager.h"

#include <map>

namespace mica::compiler {

class RecordedPipelines {
public:
  /// Adds a pipeline that runs after those added before; `phases` covers its passes in order.
  void add(mlir::PassManager &manager, llvm::ArrayRef<PhaseSpan> phases);
  /// Parses the text of every pipeline again, because a pass manager merges adjacent nested pipelines when it starts,
  /// which changes the order of passes. Returns whether any pipeline changed.
  bool read();

  size_t size() const { return managers.size(); }
  const std::vector<PipelineNode> &roots() const { return trees; }
  const std::vector<RecordedPass> &passes() const { return infos; }
  const RecordedPass &pass(int position) const { return infos[position - 1]; }
  /// Whether the pass is the last of its phase in its nested pipeline.
  bool endsPhase(int position) const { return ends[position - 1]; }
  /// The last position up to `position` after which a record of that mode contains the whole program: in a record of
  /// phases, the end of a phase.
  int wholeState(int position, DumpMode mode) const;
  /// The pipeline of the passes after the one at `from` up to that at `last`.
  const std::string &between(int from, int last);

private:
  void describe(const PipelineNode &node, const std::string &path);
  void findEnds(const PipelineNode &root);

  std::vector<mlir::PassManager *> managers;
  std::vector<std::vector<PhaseSpan>> spans;
  std::vector<PipelineNode> trees;                  ///< one per manager
  std::vector<std::string> printed;                 ///< the texts that read() parsed
  std::vector<RecordedPass> infos;                  ///< by position - 1
  std::vector<char> ends;                           ///< by position - 1
  std::map<std::pair<int, int>, std::string> texts; ///< cached results of between()
};

} // namespace mica::compiler

#endif // MICA_LIB_COMPILER_INDEX_RECORDEDPIPELINES_H
