//===- TouchFunctions.cpp - functions for the common cases of accesses ------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Creates, for a kind of access, a function that calls those of Touch.c with constants:
//
//   llvm.func internal @mica_sim_touch_global_read_8(%warp, %lane, %address, %bytes, %kind, %site, uniforms...) -> i32
//   {
//     %0 = llvm.call @mica_sim_touch(%warp, %lane, %address, 8, 4, %site, uniforms..., 4, false)
//     llvm.return %0
//   }
//
//===------------------------------------------------------------------------------------------------------------===//

#include "passes/Codegen/Sim/Tables.h"

#include "mlir/IR/IRMapping.h"
#include "mlir/Parser/Parser.h"

#include <cstddef>

using namespace mlir;
using namespace mica;
using namespace mica::sim;

namespace mica::sim::helpers {
/// Touch.c in the LLVM dialect.
extern const std::string_view k_Touch_mlir;
} // namespace mica::sim::helpers

/// The arguments of touch functions: warp, thread, address, bytes, kind, site, then these uniforms.
ArrayRef<mica_sim_uniform> Tables::touchUniforms() {
  static constexpr mica_sim_uniform kUniforms[] = {
      MICA_SIM_WORKGROUP,   MICA_SIM_WORKGROUP_BYTES, MICA_SIM_SHADOW,      MICA_SIM_STAMP,
      MICA_SIM_BLOCK_START, MICA_SIM_LAUNCH_START,    MICA_SIM_SUBGROUP_ID, MICA_SIM_PAGES,
  };
  return kUniforms;
}

LLVM::LLVMFuncOp Tables::askFunction(LLVM::LLVMFuncOp declared) {
  OpBuilder builder = OpBuilder::atBlockEnd(module.getBody());
  Location loc = module.getLoc();
  auto function =
      LLVM::LLVMFuncOp::create(builder, loc, declared.getName(), declared.getFunctionType(), LLVM::Linkage::Internal);
  function.setAlwaysInline(true);
  Block *entry = function.addEntryBlock(builder);
  builder.setInsertionPointToEnd(entry);
  Value told = callService(builder, loc, *serviceOffset("touch"), {builder.getI32Type()}, entry->getArguments());
  LLVM::ReturnOp::create(builder, loc, told);
  return function;
}

LLVM::LLVMFuncOp Tables::helper(StringRef name) {
  if (auto known = module.lookupSymbol<LLVM::LLVMFuncOp>(name))
    return known;
  if (!helpers)
    helpers = parseSourceString<ModuleOp>(helpers::k_Touch_mlir, module.getContext());
  auto original = helpers->lookupSymbol<LLVM::LLVMFuncOp>(name);
  if (original.isExternal())
    return askFunction(original);
  // Without its other attributes, which describe the machine on which Mica was built.
  OpBuilder builder = OpBuilder::atBlockEnd(module.getBody());
  auto function =
      LLVM::LLVMFuncOp::create(builder, module.getLoc(), name, original.getFunctionType(), LLVM::Linkage::Internal);
  function.setCConv(original.getCConv());
  function.setAlwaysInline(original.getAlwaysInline().value_or(false));
  function.setNoInline(original.getNoInline().value_or(false));
  IRMapping mapping;
  original.getBody().cloneInto(&function.getBody(), mapping);
  function->walk([&](Operation *op) { op->setLoc(module.getLoc()); });
  function.walk([&](LLVM::CallOp call) {
    if (auto callee = call.getCallee())
      helper(*callee);
  });
  return function;
}

LLVM::LLVMFuncOp Tables::callingFunction(StringRef name, LLVM::LLVMFuncOp general, int32_t kind, int64_t bytes,
                                         llvm::function_ref<void(OpBuilder &, SmallVectorImpl<Value> &)> addLast) {
  OpBuilder builder = OpBuilder::atBlockEnd(module.getBody());
  Location loc = module.getLoc();
  Type i32 = builder.getI32Type(), i64 = builder.getI64Type();
  SmallVector<Type> types{pointer, i32, i64, i64, i32, i32};
  types.append(touchUniforms().size(), i64);
  auto function =
      LLVM::LLVMFuncOp::create(builder, loc, name, LLVM::LLVMFunctionType::get(i32, types), LLVM::Linkage::Internal);
  Block *entry = function.addEntryBlock(builder);
  builder.setInsertionPointToEnd(entry);
  SmallVector<Value> arguments(entry->getArguments());
  arguments[3] = number(builder, loc, i64, bytes);
  arguments[4] = number(builder, loc, i32, kind);
  addLast(builder, arguments);
  auto told = LLVM::CallOp::create(builder, loc, general, arguments);
  LLVM::ReturnOp::create(builder, loc, told.getResult());
  return function;
}

LLVM::LLVMFuncOp Tables::touchFunction(int32_t kind, int64_t bytes, int64_t granule) {
  const bool isGlobal = kind & MICA_SIM_GLOBAL, writes = (kind & MICA_SIM_ACCESS_KIND) == MICA_SIM_WRITE;
  std::string name = "mica_sim_touch_" + std::string(isGlobal ? "global" : "workgroup") +
                     (writes ? "_write_" : "_read_") + std::to_string(bytes);
  if (auto known = module.lookupSymbol<LLVM::LLVMFuncOp>(name))
    return known;
  // One cell of workgroup memory: common cases inline, all others by a call.
  const bool isShort = !isGlobal && bytes == granule;
  auto addGranule = [&](OpBuilder &builder, SmallVectorImpl<Value> &arguments) {
    arguments.push_back(number(builder, module.getLoc(), builder.getI64Type(), granule));
  };
  LLVM::LLVMFuncOp whole =
      callingFunction(isShort ? name + "_whole" : name, helper("mica_sim_touch"), kind, bytes,
                      [&](OpBuilder &builder, SmallVectorImpl<Value> &arguments) {
                        addGranule(builder, arguments);
                        arguments.push_back(number(builder, module.getLoc(), builder.getI1Type(), isShort));
                      });
  whole.setAlwaysInline(isGlobal && bytes == granule);
  whole.setNoInline(isShort);
  if (!isShort)
    return whole;
  LLVM::LLVMFuncOp common = callingFunction(
      name, helper("mica_sim_touch_cell"), kind, bytes, [&](OpBuilder &builder, SmallVectorImpl<Value> &arguments) {
        addGranule(builder, arguments);
        arguments.push_back(LLVM::AddressOfOp::create(builder, module.getLoc(), whole));
      });
  common.setAlwaysInline(true);
  return common;
}
