//===- EntryFunction.cpp - the entry that the runtime calls -----------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See EntryFunction.h.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "passes/Schedule/EntryFunction.h"

#include "dialects/MicaSched/IR/MicaSchedDialect.h"
#include "dialects/MicaSched/IR/Signatures.h"
#include "mica/ABI/Host.h"
#include "mica/ABI/Memory.h"
#include "passes/Schedule/HostCalls.h"

#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace mica;

/// The location for reading `argument`: that of its users, so that it has the ids of those ops.
static Location locationOfUsers(BlockArgument argument, Location otherwise) {
  llvm::SetVector<Location> users;
  for (Operation *user : argument.getUsers())
    users.insert(user->getLoc());
  if (users.empty())
    return otherwise;
  // Not flattened: the submit of a list of thousands of tasks has all their locations.
  return users.size() == 1 ? users.front() : FusedLoc::get(argument.getContext(), users.getArrayRef());
}

/// Splits long blocks of `body` into chains of short ones. A pattern that returns from the function splits the block at
/// its op and moves all following ops, which is quadratic in the length of the block.
static void splitLongBlocks(Region &body) {
  constexpr size_t kMostOps = 256, kOpsOfPart = 64;
  for (Block &block : llvm::make_early_inc_range(body)) {
    if (llvm::hasNItemsOrLess(block, kMostOps))
      continue;
    SmallVector<Operation *> cuts;
    for (auto [number, op] : llvm::enumerate(block))
      if (number != 0 && number % kOpsOfPart == 0)
        cuts.push_back(&op);
    // From the end, so that each op is moved once.
    for (Operation *cut : llvm::reverse(cuts)) {
      Block *rest = block.splitBlock(cut);
      auto builder = OpBuilder::atBlockEnd(&block);
      LLVM::BrOp::create(builder, cut->getLoc(), ValueRange(), rest);
    }
  }
}

LLVM::LLVMFuncOp sched::makeEntry(func::FuncOp function, const LLVMTypeConverter &converter) {
  OpBuilder builder(function);
  Location loc = function.getLoc();
  auto pointer = LLVM::LLVMPointerType::get(builder.getContext());
  auto type = LLVM::LLVMFunctionType::get(builder.getI32Type(), SmallVector<Type>(4, pointer));
  auto entry = LLVM::LLVMFuncOp::create(builder, loc, ("mica_entry_" + function.getSymName()).str(), type);
  auto program = function->getParentOfType<ModuleOp>();
  const bool allocates = llvm::any_of(program.getOps<sched::HostFunctionsOp>(), [](sched::HostFunctionsOp host) {
    return SymbolTable::lookupSymbolIn(host, MICA_MEMORY_API_SYMBOL) != nullptr;
  });
  SmallVector<int64_t> signature{allocates ? MICA_SIGNATURE_ALLOCATES : 0, function.getNumArguments()};
  for (Type argument : function.getArgumentTypes())
    sched::appendSignature(signature, argument);
  sched::makeSignature(program, loc, MICA_ENTRY_SIGNATURE_PREFIX + function.getSymName(), signature);
  Block &body = function.getBody().front();
  entry.getBody().takeBody(function.getBody());
  Block *first = builder.createBlock(&entry.getBody(), entry.getBody().begin(), SmallVector<Type>(4, pointer),
                                     SmallVector<Location>(4, loc));
  builder.setInsertionPointToEnd(first);
  auto branch = LLVM::BrOp::create(builder, loc, ValueRange(), &body);
  builder.setInsertionPoint(branch);
  int32_t nextDim = 0;
  for (BlockArgument argument : body.getArguments()) {
    Location readLoc = locationOfUsers(argument, loc);
    HostCalls host(builder, branch, readLoc);
    Value slot = LLVM::GEPOp::create(builder, readLoc, pointer, pointer, first->getArgument(2),
                                     ArrayRef<LLVM::GEPArg>{static_cast<int32_t>(argument.getArgNumber())});
    Value memory = LLVM::LoadOp::create(builder, readLoc, pointer, slot);
    Value made;
    if (auto memref = dyn_cast<MemRefType>(argument.getType())) {
      SmallVector<Value> sizes;
      for (int64_t size : memref.getShape()) {
        int32_t position = nextDim++;
        if (!ShapedType::isDynamic(size)) {
          sizes.push_back(host.integer(size));
          continue;
        }
        Value dim = LLVM::GEPOp::create(builder, readLoc, pointer, builder.getI64Type(), first->getArgument(3),
                                        ArrayRef<LLVM::GEPArg>{position});
        sizes.push_back(LLVM::LoadOp::create(builder, readLoc, builder.getI64Type(), dim));
      }
      made = host.descriptor(converter, memref, memory, sizes);
    } else if (argument.getType().isInteger(1)) {
      Value byte = LLVM::LoadOp::create(builder, readLoc, builder.getI8Type(), memory);
      made = LLVM::TruncOp::create(builder, readLoc, builder.getI1Type(), byte);
    } else {
      made = LLVM::LoadOp::create(builder, readLoc, converter.convertType(argument.getType()), memory);
    }
    if (made.getType() != argument.getType())
      made = UnrealizedConversionCastOp::create(builder, readLoc, argument.getType(), made).getResult(0);
    argument.replaceAllUsesWith(made);
  }
  body.eraseArguments(0, body.getNumArguments());
  splitLongBlocks(entry.getBody());
  Block *leave = builder.createBlock(&entry.getBody(), entry.getBody().end(), builder.getI32Type(), loc);
  LLVM::ReturnOp::create(builder, loc, leave->getArgument(0));
  return entry;
}
