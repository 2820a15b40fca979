//===- Entry.cpp - the function of a program that is run ----------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See Entry.h. A memref is passed to a function in the LLVM dialect as upstream's conversion does it: allocated
// pointer, aligned pointer, offset, sizes, strides.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "lib/Bisect/Entry.h"

#include "mica/Compare/InputSpec.h"
#include "mica/Compiler/Program/Describe.h"
#include "mica/Support/Text.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/SymbolTable.h"

using namespace mlir;
using namespace mica;
using namespace mica::bisect;

static constexpr llvm::StringLiteral kCaller = "mica_bisect_entry";

static Error noEntry(ModuleOp program, const std::string &name) {
  std::vector<std::string> names;
  for (auto function : program.getOps<func::FuncOp>())
    if (!function.isExternal())
      names.push_back(function.getName().str());
  if (!name.empty())
    return {ErrorCode::NotFound, "the program has no function '" + name + "' with a body",
            names.empty() ? "bisect the program in an earlier form, with a func.func" : "it has: " + joinNames(names)};
  return {ErrorCode::InvalidInput,
          names.empty() ? "the program has no func.func with a body"
                        : "the program has several functions and no main: " + joinNames(names),
          names.empty() ? "bisect the program in an earlier form" : "--entry=NAME chooses one"};
}

static Result<func::FuncOp> findFunction(ModuleOp program, const std::string &name) {
  if (auto function = program.lookupSymbol<func::FuncOp>(name.empty() ? "main" : name);
      function && !function.isExternal())
    return function;
  func::FuncOp only;
  for (auto function : program.getOps<func::FuncOp>()) {
    if (function.isExternal() || function.isPrivate())
      continue;
    if (only || !name.empty())
      return noEntry(program, name);
    only = function;
  }
  if (!only || !name.empty())
    return noEntry(program, name);
  return only;
}

Result<Entry> bisect::findEntry(ModuleOp program, const std::string &name, const std::vector<std::string> &inputs,
                                std::vector<std::string> &notes) {
  MICA_ASSIGN_OR_RETURN(func::FuncOp function, findFunction(program, name));
  Entry entry{function.getName().str(),
              llvm::to_vector(function.getArgumentTypes()),
              llvm::to_vector(function.getResultTypes()),
              {}};
  if (inputs.size() > entry.arguments.size())
    return Error{ErrorCode::InvalidInput,
                 "'" + entry.name + "' takes " + std::to_string(entry.arguments.size()) +
                     " inputs, but --input is given " + std::to_string(inputs.size()) + " times",
                 "give one --input for each argument"};
  for (auto [i, type] : llvm::enumerate(entry.arguments)) {
    const std::optional<artifact::TensorSpec> spec = compiler::specOf(type);
    if (!spec) {
      std::string text;
      llvm::raw_string_ostream(text) << type;
      return Error{ErrorCode::Unsupported, "argument " + std::to_string(i) + " of '" + entry.name + "' is " + text,
                   "give a main without arguments that calls it"};
    }
    if (i < inputs.size()) {
      MICA_ASSIGN_OR_RETURN(const InputSpec input, parseInputSpec(inputs[i]));
      MICA_ASSIGN_OR_RETURN(HostTensor tensor, makeInput(input, *spec, i));
      entry.inputs.push_back(std::move(tensor));
      continue;
    }
    MICA_RETURN_IF_ERROR(checkDefaultInput(*spec, i));
    std::string note;
    entry.inputs.push_back(makeDefaultInput(*spec, i, note));
    notes.push_back(note);
  }
  return entry;
}

namespace {

/// Writes the function that calls the entry.
class Caller {
public:
  Caller(ModuleOp state, const Entry &entry) : state(state), entry(entry), builder(state.getBodyRegion()) {
    builder.setInsertionPointToEnd(state.getBody());
  }

  Result<std::string> call(func::FuncOp function);
  Result<std::string> call(LLVM::LLVMFuncOp function);

private:
  /// A tensor as the buffer it becomes; other types as they are.
  static Type buffered(Type type) {
    if (auto tensor = dyn_cast<RankedTensorType>(type))
      return MemRefType::get(tensor.getShape(), tensor.getElementType());
    return type;
  }
  void begin(TypeRange arguments, TypeRange results) {
    auto function = func::FuncOp::create(builder, state.getLoc(), kCaller, builder.getFunctionType(arguments, results));
    builder.setInsertionPointToStart(function.addEntryBlock());
    callArguments.assign(function.getArguments().begin(), function.getArguments().end());
  }
  Value cast(Value value, Type type) {
    if (value.getType() == type)
      return value;
    if (value.getType().isIndex() || type.isIndex())
      return arith::IndexCastOp::create(builder, state.getLoc(), type, value);
    return UnrealizedConversionCastOp::create(builder, state.getLoc(), type, value).getResult(0);
  }
  Type descriptorOf(MemRefType type) {
    MLIRContext *context = state.getContext();
    Type pointer = LLVM::LLVMPointerType::get(context), i64 = builder.getI64Type();
    SmallVector<Type> members{pointer, pointer, i64};
    if (type.getRank() > 0)
      members.append(2, LLVM::LLVMArrayType::get(i64, type.getRank()));
    return LLVM::LLVMStructType::getLiteral(context, members);
  }
  void expand(Value buffer, SmallVectorImpl<Value> &values) {
    auto type = mlir::cast<MemRefType>(buffer.getType());
    Value descriptor = cast(buffer, descriptorOf(type));
    auto take = [&](ArrayRef<int64_t> at) {
      values.push_back(LLVM::ExtractValueOp::create(builder, state.getLoc(), descriptor, at));
    };
    for (int64_t i : {0, 1, 2})
      take({i});
    for (int64_t part : {3, 4})
      for (int64_t d = 0; d < type.getRank(); ++d)
        take({part, d});
  }
  Error another() const {
    return {ErrorCode::Unsupported, "'" + entry.name + "' has another signature by now", "give a main that prints"};
  }
  /// Buffers of `types` for the results that are given through arguments.
  FailureOr<SmallVector<Value>> allocateResults(TypeRange types) {
    SmallVector<Value> buffers;
    for (Type type : types) {
      auto memref = dyn_cast<MemRefType>(type);
      if (!memref || !memref.hasStaticShape())
        return failure();
      buffers.push_back(memref::AllocOp::create(builder, state.getLoc(), memref));
    }
    return buffers;
  }

  ModuleOp state;
  const Entry &entry;
  OpBuilder builder;
  SmallVector<Value> callArguments;
};

Result<std::string> Caller::call(func::FuncOp function) {
  if (function.getNumArguments() == entry.arguments.size() && function.getNumResults() == entry.results.size())
    return entry.name;
  if (function.getNumArguments() != entry.arguments.size() + entry.results.size() || function.getNumResults() != 0)
    return another();
  ArrayRef<Type> given = function.getArgumentTypes();
  SmallVector<Type> results = llvm::to_vector(given.drop_front(entry.arguments.size()));
  begin(given.take_front(entry.arguments.size()), results);
  FailureOr<SmallVector<Value>> buffers = allocateResults(results);
  if (failed(buffers))
    return another();
  SmallVector<Value> operands = callArguments;
  operands.append(*buffers);
  func::CallOp::create(builder, state.getLoc(), function, operands);
  func::ReturnOp::create(builder, state.getLoc(), *buffers);
  return kCaller.str();
}

Result<std::string> Caller::call(LLVM::LLVMFuncOp function) {
  const SmallVector<Type> results = llvm::map_to_vector(entry.results, buffered);
  begin(llvm::map_to_vector(entry.arguments, buffered), results);
  LLVM::LLVMFunctionType type = function.getFunctionType();
  SmallVector<Value> operands, buffers;
  for (Value argument : callArguments) {
    if (isa<MemRefType>(argument.getType()))
      expand(argument, operands);
    else if (operands.size() < type.getNumParams())
      operands.push_back(cast(argument, type.getParamType(operands.size())));
  }
  const bool givesByArguments = operands.size() < type.getNumParams();
  if (givesByArguments) {
    FailureOr<SmallVector<Value>> allocated = allocateResults(results);
    if (failed(allocated))
      return another();
    buffers = *allocated;
    for (Value buffer : buffers)
      expand(buffer, operands);
  }
  if (!llvm::equal(ValueRange(operands).getTypes(), type.getParams()))
    return another();
  auto call = LLVM::CallOp::create(builder, state.getLoc(), function, operands);
  if (!givesByArguments && results.size() == 1)
    buffers.push_back(cast(call.getResult(), results.front()));
  for (size_t i = 0; !givesByArguments && results.size() > 1 && i < results.size(); ++i)
    buffers.push_back(
        cast(LLVM::ExtractValueOp::create(builder, state.getLoc(), call.getResult(), int64_t(i)), results[i]));
  func::ReturnOp::create(builder, state.getLoc(), buffers);
  return kCaller.str();
}

} // namespace

Result<std::string> bisect::makeCallable(ModuleOp state, const Entry &entry) {
  Operation *symbol = SymbolTable::lookupSymbolIn(state, entry.name);
  if (auto function = dyn_cast_or_null<func::FuncOp>(symbol); function && !function.isExternal())
    return Caller(state, entry).call(function);
  if (auto function = dyn_cast_or_null<LLVM::LLVMFuncOp>(symbol); function && !function.isExternal())
    return Caller(state, entry).call(function);
  return Error{ErrorCode::Unsupported, "there is no function '" + entry.name + "' any more",
               "a pipeline that keeps it can be bisected"};
}
