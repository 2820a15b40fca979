//===- OriginalProgram.cpp - the program as parsed, for the reference evaluator -----------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See the header. Constants are renamed here and not by mica-tensor-externalize-constants, because the reference must
// not depend on a pass.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "lib/Compiler/Emit/OriginalProgram.h"

#include "mica/Artifact/Manifest.h"
#include "mica/Compiler/Input/Input.h"
#include "mica/Compiler/Program/Constants.h"
#include "mica/Compiler/Program/Version.h"
#include "passes/Tensor/ConstantNames.h"

#include "mlir/Bytecode/BytecodeWriter.h"
#include "mlir/IR/AsmState.h"
#include "mlir/IR/AttrTypeSubElements.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinDialect.h"
#include "mlir/IR/DialectResourceBlobManager.h"

#include <filesystem>

using namespace mlir;
using namespace mica;
using namespace mica::compiler;
namespace fs = std::filesystem;

/// Larger constants become resources; as in phase input, so that both programs share them.
static constexpr int64_t kMaxInlineElements = 64;

Result<OwningOpRef<ModuleOp>> compiler::originalOf(ModuleOp parsed, const std::string &file) {
  const fs::path path(file);
  const fs::path sibling = path.parent_path() / artifact::kOriginalFile;
  std::error_code missing;
  if (path.filename() == artifact::kInputFile && fs::exists(sibling, missing)) {
    MICA_ASSIGN_OR_RETURN(Input input, readInput(sibling.string(), *parsed.getContext()));
    return std::move(input.module);
  }
  return OwningOpRef<ModuleOp>(cast<ModuleOp>(parsed->clone()));
}

namespace {
class Namer {
public:
  explicit Namer(MLIRContext &context) : manager(DenseResourceElementsHandle::getManagerInterface(&context)) {}

  Attribute named(DenseResourceElementsAttr attr) {
    AsmResourceBlob *blob = attr.getRawHandle().getBlob();
    return blob ? resource(attr.getType(), blob->getData(), nullptr) : attr;
  }

  Attribute named(DenseElementsAttr attr) {
    const Type element = attr.getElementType();
    if (isa<DenseStringElementsAttr>(attr) || attr.isSplat() || attr.getNumElements() <= kMaxInlineElements ||
        !element.isIntOrIndexOrFloat() ||
        (!element.isInteger(1) && !element.isIndex() && element.getIntOrFloatBitWidth() % 8))
      return attr;
    auto bytes = std::make_shared<std::vector<char>>();
    if (element.isInteger(1))
      for (bool value : attr.getValues<bool>())
        bytes->push_back(value);
    else
      bytes->assign(attr.getRawData().begin(), attr.getRawData().end());
    return resource(attr.getType(), *bytes, bytes);
  }

private:
  /// A resource with these bytes, under the first free name derived from them.
  Attribute resource(ShapedType type, llvm::ArrayRef<char> bytes, std::shared_ptr<std::vector<char>> owner) {
    const std::string base = constantName(bytes);
    for (int attempt = 0;; ++attempt) {
      const std::string name = attempt == 0 ? base : base + "_o" + std::to_string(attempt);
      if (auto *known = manager.getBlobManager().lookup(name)) {
        const AsmResourceBlob *blob = known->getBlob();
        if (!blob || (blob->getData().data() != bytes.data() && blob->getData() != bytes))
          continue;
        return DenseResourceElementsAttr::get(
            type, DenseResourceElementsHandle(known, cast<BuiltinDialect>(manager.getDialect())));
      }
      return DenseResourceElementsAttr::get(
          type, manager.insert(name, UnmanagedAsmResourceBlob::allocateWithAlign(bytes, alignof(std::max_align_t),
                                                                                 [owner](void *, size_t, size_t) {})));
    }
  }

  DenseResourceElementsHandle::ManagerInterface &manager;
};
} // namespace

void compiler::nameConstants(ModuleOp original) {
  Namer namer(*original.getContext());
  AttrTypeReplacer replacer;
  replacer.addReplacement(
      [&](DenseResourceElementsAttr attr) { return std::pair(namer.named(attr), WalkResult::skip()); });
  replacer.addReplacement([&](DenseElementsAttr attr) { return std::pair(namer.named(attr), WalkResult::skip()); });
  original->walk([&](Operation *op) { replacer.replaceElementsIn(op); });
}

Result<std::string> compiler::bytecodeOf(ModuleOp program, const std::string &name) {
  std::string bytes;
  llvm::raw_string_ostream os(bytes);
  BytecodeWriterConfig config("Mica " + micaVersion());
  config.setElideResourceDataFlag();
  if (failed(writeBytecodeToFile(program, os, config)))
    return Error{ErrorCode::Internal, name + " could not be written", ""};
  return bytes;
}
