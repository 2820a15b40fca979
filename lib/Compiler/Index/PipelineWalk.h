//===- PipelineWalk.h - which pass of a pipeline is running -------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// A pass manager hides its nested pass managers behind adaptor passes, and clones them per thread. So the position of a
// running pass is found by walking along: the text of the pipeline is read into a tree (PipelineText.h), every running
// pipeline is a frame with a cursor into one node of the tree, and each pass that begins moves it on.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_COMPILER_INDEX_PIPELINEWALK_H
#define MICA_LIB_COMPILER_INDEX_PIPELINEWALK_H

#include "mica/Compiler/Index/PipelineText.h"

#include "mlir/IR/OperationSupport.h"
#include "llvm/ADT/DenseMap.h"

#include <optional>

namespace mlir {
class Pass;
} // namespace mlir

namespace mica::compiler {

/// A nested pipeline is run by a pass of upstream's that has no argument and is not part of the pipeline's text.
bool isAdaptor(mlir::Pass *pass);

/// Not safe against calls at the same time; the pass manager calls instrumentations one at a time.
class PipelineWalk {
public:
  /// This thread begins to run `root`, which must live as long as it does.
  void start(const PipelineNode &root);
  /// This thread begins, or has run, a pipeline on an op called `name`. `parent`: the pass that runs it.
  void enterPipeline(std::optional<mlir::OperationName> name, const mlir::Pass *parent);
  void leavePipeline();
  /// The next pass that this thread runs; null for one that is not part of the pipeline's text.
  const PipelineNode *next();
  /// The same for an adaptor, which runs all nests that stand side by side.
  void enterAdaptor(mlir::Pass *pass);
  void leaveAdaptor(mlir::Pass *pass);

private:
  /// A pipeline being run on one op: the passes to come, from `cursor`.
  struct Frame {
    const std::vector<PipelineNode> *nodes = nullptr; ///< null: a pipeline that a pass runs by itself
    size_t cursor = 0;
  };
  Frame *current();

  llvm::DenseMap<uint64_t, std::vector<Frame>> frames;                          ///< by thread
  llvm::DenseMap<const mlir::Pass *, std::vector<const PipelineNode *>> groups; ///< adaptor being run -> its pipelines
};

} // namespace mica::compiler

#endif // MICA_LIB_COMPILER_INDEX_PIPELINEWALK_H
