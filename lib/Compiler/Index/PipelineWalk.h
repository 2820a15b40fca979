//===- PipelineWalk.h - positions of running passes ---------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// A pass manager hides its nested pass managers in adaptor passes, and clones them per thread. So the position of a
// running pass is found by following the execution: the text of the pipeline is parsed to a tree (PipelineText.h),
// every running pipeline is a frame with a cursor into a node of the tree, and each pass that begins advances it.
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

/// Nested pipelines are run by an upstream pass without argument, which is not part of the pipeline's text.
bool isAdaptor(mlir::Pass *pass);

/// Not thread-safe; the pass manager calls instrumentations one at a time.
class PipelineWalk {
public:
  /// This thread begins to run `root`, which must stay valid.
  void start(const PipelineNode &root);
  /// This thread begins, or ends, a pipeline on an op called `name`. `parent`: the pass that runs it.
  void enterPipeline(std::optional<mlir::OperationName> name, const mlir::Pass *parent);
  void leavePipeline();
  /// The next pass of this thread; null for one that is not part of the pipeline's text.
  const PipelineNode *next();
  /// The same for an adaptor, which runs all adjacent nested pipelines.
  void enterAdaptor(mlir::Pass *pass);
  void leaveAdaptor(mlir::Pass *pass);

private:
  /// A pipeline running on one op; the remaining passes start at `cursor`.
  struct Frame {
    const std::vector<PipelineNode> *nodes = nullptr; ///< null: a dynamic pipeline
    size_t cursor = 0;
  };
  Frame *current();

  llvm::DenseMap<uint64_t, std::vector<Frame>> frames;                          ///< by thread
  llvm::DenseMap<const mlir::Pass *, std::vector<const PipelineNode *>> groups; ///< running adaptor -> its pipelines
};

} // namespace mica::compiler

#endif // MICA_LIB_COMPILER_INDEX_PIPELINEWALK_H
