//===- RecordedConstants.cpp - weights of a record without an artifact --------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See RecordedConstants.h. Enumerates the context's blob manager, not the program: a resource that a pass renamed keeps
// the name that earlier snapshots use.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "mica/Compiler/Record/RecordedConstants.h"

#include "mica/Compiler/Index/RecordIndex.h"
#include "mica/Compiler/Program/Constants.h"

#include "mlir/IR/BuiltinDialect.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "mlir/IR/Operation.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassInstrumentation.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/Path.h"

using namespace mlir;
using namespace mica;
using namespace mica::compiler;

/// The resources of `context` that have bytes.
static std::vector<PlacedConstant> resourcesOf(MLIRContext &context) {
  std::vector<PlacedConstant> constants;
  DenseResourceElementsHandle::getManagerInterface(&context).getBlobManager().getBlobMap([&](const auto &blobs) {
    for (const auto &entry : blobs)
      if (const AsmResourceBlob *blob = entry.second.getBlob())
        constants.push_back({entry.first().str(), {}, blob->getData(), 0});
  });
  llvm::sort(constants, [](const PlacedConstant &a, const PlacedConstant &b) { return a.name < b.name; });
  return constants;
}

std::string compiler::writeRecordedConstants(MLIRContext &context, llvm::StringRef folder) {
  std::vector<PlacedConstant> constants = resourcesOf(context);
  if (constants.empty())
    return "";
  placeConstants(constants);
  std::string problem = writeRecordFile(folder, "constants.json", printConstantsIndex("constants.bin", constants));
  llvm::SmallString<256> path(folder);
  llvm::sys::path::append(path, "constants.bin");
  return problem.empty() ? writeConstants(path, constants) : problem;
}

namespace {
class ConstantsInstrumentation : public PassInstrumentation {
public:
  explicit ConstantsInstrumentation(std::string folder) : folder(std::move(folder)) {}

  void runAfterPass(Pass *pass, Operation *op) override {
    if (op->getParentOp())
      return;
    size_t count = 0;
    DenseResourceElementsHandle::getManagerInterface(op->getContext())
        .getBlobManager()
        .getBlobMap([&](const auto &blobs) { count = blobs.size(); });
    if (count == written)
      return;
    written = count;
    if (std::string problem = writeRecordedConstants(*op->getContext(), folder); !problem.empty()) {
      emitError(op->getLoc()) << problem;
      signalPassFailure(pass);
    }
  }

private:
  std::string folder;
  size_t written = 0; ///< number of resources in the context when constants.bin was last written
};
} // namespace

std::unique_ptr<PassInstrumentation> compiler::createConstantsInstrumentation(std::string folder) {
  return std::make_unique<ConstantsInstrumentation>(std::move(folder));
}
