//===- Evaluate.cpp - entry point of the reference evaluator ----------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// The check before an evaluation, and the conversion of arguments and results of the entry function.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "dialects/Mica/Reference/Evaluate.h"

#include "dialects/Mica/IR/MicaDialect.h"
#include "dialects/Mica/Reference/EvalLLVMOps.h"
#include "dialects/Mica/Reference/EvalPrint.h"
#include "dialects/Mica/Reference/Lifetimes.h"
#include "dialects/Mica/Reference/Tape.h"
#include "dialects/Mica/Reference/Undefined.h"

#include "mlir/Dialect/Async/IR/Async.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

#include <map>

using namespace mlir;

namespace mica::reference {

namespace {

/// What cannot be evaluated, by message, with every occurrence.
using Complaints = llvm::MapVector<std::string, SmallVector<Location>, std::map<std::string, unsigned>>;

/// Larger arguments are converted when an op reads them: all weights of a model at once, at eight bytes per element,
/// could exceed the memory.
constexpr int64_t kMaxEagerElements = 1024;

/// Maximum number of reported positions per message; a model may have thousands.
constexpr size_t kMaxPlaces = 8;

void checkTypes(Operation *op, TypeRange types, Complaints &complaints) {
  for (Type type : types) {
    if (ElementType::of(type))
      continue;
    std::string text;
    llvm::raw_string_ostream(text) << "type " << type << " is not one the reference evaluator has";
    complaints[text].push_back(op->getLoc());
  }
}

void checkFunction(FunctionOpInterface function, const OpTable &table, SymbolTableCollection &symbols,
                   HostedLLVM &hosted, llvm::SetVector<Operation *> &callees, Complaints &complaints) {
  if (function.isExternal()) {
    if (isHelper(function.getName()))
      return;
    complaints["the reference evaluator cannot call '" + function.getName().str() + "': it has no body"].push_back(
        function.getLoc());
    return;
  }
  checkTypes(function, function.getArgumentTypes(), complaints);
  function.getFunctionBody().walk([&](Operation *op) {
    if (isa_and_present<LLVM::LLVMDialect>(op->getDialect())) {
      if (const std::string why = whyLLVMOpIsNotTaken(op, hosted.interpreter); !why.empty())
        complaints["the reference evaluator does not take '" + op->getName().getStringRef().str() + "' here: " + why]
            .push_back(op->getLoc());
      return;
    }
    if (!table.find(op)) {
      complaints["the reference evaluator does not know '" + op->getName().getStringRef().str() + "'" +
                 (table.scalars.contains(op) ? " on these operand types" : "")]
          .push_back(op->getLoc());
      return;
    }
    checkTypes(op, op->getResultTypes(), complaints);
    for (Region &region : op->getRegions())
      for (Block &block : region)
        checkTypes(op, block.getArgumentTypes(), complaints);
    if (auto call = dyn_cast<func::CallOp>(op)) {
      if (Operation *callee = symbols.lookupNearestSymbolFrom<func::FuncOp>(op, call.getCalleeAttr()))
        callees.insert(callee);
    } else if (auto constant = dyn_cast<func::ConstantOp>(op)) {
      if (Operation *callee = symbols.lookupNearestSymbolFrom<func::FuncOp>(op, constant.getValueAttr()))
        callees.insert(callee);
    } else if (auto call = dyn_cast<async::CallOp>(op)) {
      if (Operation *callee = symbols.lookupNearestSymbolFrom<async::FuncOp>(op, call.getCalleeAttr()))
        callees.insert(callee);
    } else if (auto launch = dyn_cast<gpu::LaunchFuncOp>(op)) {
      if (Operation *kernel = symbols.lookupNearestSymbolFrom<gpu::GPUFuncOp>(op, launch.getKernelAttr()))
        callees.insert(kernel);
    }
  });
}

LogicalResult checkEvaluableWith(func::FuncOp entry, const OpTable &table) {
  Complaints complaints;
  SymbolTableCollection symbols;
  const EvalOptions options;
  HostedLLVM hosted(options);
  llvm::SetVector<Operation *> functions;
  functions.insert(entry);
  for (size_t i = 0; i < functions.size(); ++i)
    checkFunction(cast<FunctionOpInterface>(functions[i]), table, symbols, hosted, functions, complaints);
  for (auto &[message, places] : complaints) {
    InFlightDiagnostic error = emitError(places.front(), message);
    for (Location place : ArrayRef(places).slice(1).take_front(kMaxPlaces - 1))
      error.attachNote(place) << "also here";
    if (places.size() > kMaxPlaces)
      error.attachNote(places.back()) << "and at " << (places.size() - kMaxPlaces) << " more places, the last here";
  }
  return success(complaints.empty());
}

} // namespace

LogicalResult checkEvaluable(func::FuncOp entry) { return checkEvaluableWith(entry, OpTable()); }

FailureOr<SmallVector<HostTensor>> evaluate(func::FuncOp entry, ArrayRef<HostTensor> args, const EvalOptions &options) {
  OpTable table;
  if (failed(checkEvaluableWith(entry, table)))
    return failure();

  if (args.size() != entry.getNumArguments())
    return emitError(entry.getLoc()) << "'" << entry.getSymName() << "' takes " << entry.getNumArguments()
                                     << " arguments, " << args.size() << " were given";
  SmallVector<Tensor> values;
  for (auto [i, given, type] : llvm::enumerate(args, entry.getArgumentTypes())) {
    const DType expected = ElementType::of(type)->dtype;
    std::optional<HostTensor> signless;
    if (entry.getArgAttr(i, kUnsignedAttr) && given.dtype == unsignedOf(expected)) {
      signless = given;
      signless->dtype = expected;
    }
    const HostTensor &arg = signless ? *signless : given;
    if (arg.dtype != expected || !shapeFits(arg.shape, type))
      return emitError(entry.getLoc()) << "argument " << i << " of '" << entry.getSymName() << "' is " << type
                                       << ", given " << arg.typeString();
    if (static_cast<int64_t>(arg.data.size()) != arg.numElements() * dtypeBytes(arg.dtype))
      return emitError(entry.getLoc()) << "argument " << i << " of '" << entry.getSymName() << "' (" << arg.typeString()
                                       << ") comes with " << arg.data.size() << " bytes";
    if (auto buffer = dyn_cast<MemRefType>(type))
      values.push_back(newBufferOf(buffer, Tensor::fromHost(arg)));
    else if (isa<BaseMemRefType>(type))
      values.push_back(Tensor::newBuffer(Tensor::fromHost(arg)));
    else
      // A deferred tensor refers to the caller's array, also on a tape that outlives this call; not to a copy.
      values.push_back(!signless && arg.numElements() > kMaxEagerElements ? Tensor::deferred(arg)
                                                                          : Tensor::fromHost(arg));
  }
  if (options.tape)
    options.tape->begin(entry, values);
  Evaluator evaluator(table, options);
  for (const Tensor &value : values)
    noteAllocation(entry, value, Allocation::Kind::Argument, evaluator);
  SmallVector<Tensor> buffers; // shared with the arguments: what the function stores can be read here
  if (options.bufferArguments || options.argumentBounds)
    buffers = values;

  SmallVector<Tensor> results;
  if (failed(evaluator.runFunction(entry, std::move(values), results)))
    return failure();
  if (options.tape)
    options.tape->results = results;
  if (options.bufferArguments)
    for (const auto &[i, value] : llvm::enumerate(buffers)) {
      options.bufferArguments->push_back(value.isBuffer() ? value.toHost() : HostTensor());
      if (entry.getArgAttr(i, kUnsignedAttr))
        options.bufferArguments->back().dtype = unsignedOf(options.bufferArguments->back().dtype);
    }
  SmallVector<HostTensor> host;
  noteLeaks(results, evaluator);
  if (failed(checkAccess(entry, results, evaluator)))
    return failure();
  if (options.undefined)
    for (auto [i, result] : llvm::enumerate(results))
      noteVisible(entry.getOperation(), result, ("result " + Twine(i)).str(), evaluator);
  for (const auto &[i, result] : llvm::enumerate(results)) {
    host.push_back(options.shadow && result.elementType().isFloat ? result.retyped(DType::F64).toHost()
                                                                  : result.toHost());
    if (entry.getResultAttr(i, kUnsignedAttr))
      host.back().dtype = unsignedOf(host.back().dtype);
    if (options.bounds)
      options.bounds->push_back(boundsToHost(result, evaluator.isUndecided));
  }
  if (options.bounds && options.argumentBounds)
    for (const Tensor &value : buffers)
      options.argumentBounds->push_back(value.isBuffer() ? boundsToHost(value, evaluator.isUndecided) : HostTensor());
  return host;
}

} // namespace mica::reference
