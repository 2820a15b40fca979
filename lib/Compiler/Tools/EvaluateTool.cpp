//===- EvaluateTool.cpp - mica-compile --evaluate -----------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See EvaluateTool.h. Inputs are made exactly as in mica-run, so that both can be called with the same flags.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "mica/Compiler/Tools/EvaluateTool.h"

#include "dialects/Mica/Reference/Evaluate.h"
#include "dialects/Mica/Reference/SampledErrors.h"
#include "dialects/MicaSched/IR/MicaSchedDialect.h"
#include "dialects/RegisterDialects.h"
#include "mica/Artifact/Artifact.h"
#include "mica/Artifact/ComplexEntry.h"
#include "mica/Compare/InputSpec.h"
#include "mica/Compare/Npy.h"
#include "mica/Compare/Print.h"
#include "mica/Compare/TensorProto.h"
#include "mica/Compiler/Input/Input.h"
#include "mica/Compiler/Program/Describe.h"
#include "mica/Compiler/Program/EvaluatorForm.h"
#include "mica/Support/Diagnostics.h"
#include "mica/Support/Files.h"
#include "mica/Support/Schemas.h"
#include "passes/Codegen/Reference/Passes.h"
#include "passes/Tensor/OpNumbering.h"

#include "dialects/Mica/IR/OpIds.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

#include <filesystem>

using namespace mlir;
using namespace mica;
using namespace mica::compiler;
namespace fs = std::filesystem;

/// "x.bound.npy" of "x.npy".
static fs::path boundFile(fs::path file) { return file.replace_extension(".bound.npy"); }

namespace {
/// Writes the results of each op as it is evaluated: NNNN_<result>.npy, and ops.json with their descriptions.
class OpWriter {
public:
  OpWriter(fs::path folder, ModuleOp program) : folder(std::move(folder)), json(text) {
    forEachNumberedOp(program, [&](const NumberedOp &numbered) { ids[numbered.op] = numbered.id; });
    json.objectBegin();
    json.attribute("schema", schemaNumber(Schema::EvaluatedOps));
    json.attributeBegin("ops");
    json.arrayBegin();
  }

  LogicalResult write(Operation *op, llvm::ArrayRef<HostTensor> results) {
    llvm::json::Array files;
    for (const auto &[index, tensor] : llvm::enumerate(results)) {
      const fs::path file = fileOf(order.size(), index);
      if (Status status = writeNpyInPlace(file, tensor); !status) {
        problem = status;
        return failure();
      }
      elements += tensor.numElements();
      files.push_back(file.filename().string());
    }
    json.object([&] {
      json.attribute("id", ids.lookup(op));
      json.attribute("kind", op->getName().getStringRef());
      json.attributeArray("sources", [&] {
        for (FileLineColLoc position : getSourcePositions(op->getLoc()))
          json.value((position.getFilename().getValue() + ":" + llvm::Twine(position.getLine()) + ":" +
                      llvm::Twine(position.getColumn()))
                         .str());
      });
      json.attribute("files", std::move(files));
    });
    order.push_back(op);
    return success();
  }

  /// Writes the bounds of the latest results.
  LogicalResult writeBounds(llvm::ArrayRef<HostTensor> bounds) {
    for (const auto &[index, tensor] : llvm::enumerate(bounds)) {
      if (Status status = writeNpyInPlace(boundFile(fileOf(order.size() - 1, index)), tensor); !status) {
        problem = status;
        return failure();
      }
    }
    return success();
  }

  /// Compares the results of an op in an evaluation with errors with those that were written. Fails where the program
  /// took another path.
  LogicalResult addSample(Operation *op, llvm::ArrayRef<HostTensor> results) {
    if (order.empty() || order[place] != op)
      return failure();
    deviations.resize(order.size());
    deviations[place].resize(results.size());
    for (const auto &[index, sample] : llvm::enumerate(results)) {
      Result<HostTensor> value = readNpy(fileOf(place, index), sample.dtype);
      if (!value.isOk() || !deviations[place][index].add(*value, sample))
        return failure();
    }
    place = (place + 1) % order.size();
    return success();
  }
  /// Whether the deviations of all elements take at most a gigabyte.
  bool canSample() const { return elements <= int64_t(1) << 27; }

  /// Lowers the written bounds, if the last sample went through all ops.
  Status lowerBounds() {
    if (place != 0)
      return Status::ok();
    for (const auto &[op, results] : llvm::enumerate(deviations))
      for (const auto &[index, deviation] : llvm::enumerate(results)) {
        const fs::path file = boundFile(fileOf(op, index));
        MICA_ASSIGN_OR_RETURN(HostTensor bound, readNpy(file, DType::F64));
        deviation.lower(bound);
        MICA_RETURN_IF_ERROR(writeNpyInPlace(file, bound));
      }
    return Status::ok();
  }

  Status finish() {
    json.arrayEnd();
    json.attributeEnd();
    json.objectEnd();
    return writeFile(folder / "ops.json", text.str());
  }

  Status problem;

private:
  fs::path fileOf(size_t op, size_t result) const {
    std::string name;
    llvm::raw_string_ostream(name) << llvm::format("%06zu_%zu.npy", op, result);
    return folder / name;
  }

  fs::path folder;
  std::string buffer;
  llvm::raw_string_ostream text{buffer};
  llvm::json::OStream json;
  llvm::DenseMap<Operation *, std::string> ids;
  std::vector<Operation *> order; ///< as they were evaluated
  int64_t elements = 0;           ///< of all results
  std::vector<std::vector<reference::Deviations>> deviations;
  size_t place = 0; ///< in `order`, of the next op of a sample
};
} // namespace

/// "'gpu.launch' at model.mlir:3:5".
static std::string describe(Operation *op) {
  std::string text = "'" + op->getName().getStringRef().str() + "'";
  const auto positions = getSourcePositions(op->getLoc());
  if (!positions.empty())
    text += " at " + positions.back().getFilename().str() + ":" + std::to_string(positions.back().getLine()) + ":" +
            std::to_string(positions.back().getColumn());
  return text;
}

/// Fails if the entry, or a function that it calls, contains compiler-internal ops, which have no reference semantics.
/// `function` is null if the program has renamed it.
static Status checkEvaluable(ModuleOp program, func::FuncOp function, const std::string &name) {
  std::string later;
  SymbolTableCollection symbols;
  llvm::SetVector<Operation *> functions;
  functions.insert(function ? function.getOperation() : program.getOperation());
  for (size_t next = 0; next < functions.size(); ++next)
    functions[next]->walk([&](Operation *op) {
      if (auto call = dyn_cast<func::CallOp>(op))
        if (auto callee = symbols.lookupNearestSymbolFrom<func::FuncOp>(call, call.getCalleeAttr()))
          functions.insert(callee);
      const bool isEntry = op->hasAttr(kPlainEntryAttr) || (isa<func::FuncOp>(op) && op->hasAttr(sched::kEntryAttr));
      const bool isLater = isEntry || isa_and_present<sched::MicaSchedDialect>(op->getDialect());
      if (isLater && later.empty())
        later = describe(op);
    });
  if (!later.empty() || !function)
    return Error{ErrorCode::Unsupported,
                 name + ": is a program of a later phase (" + later +
                     "); the reference evaluates programs as users write them",
                 "compile the program as it was written, without --compile-from, and check that; --golden-data=DIR "
                 "compares this one's results with given ones"};
  return Status::ok();
}

/// The function named `name`, or the only entry; null if the program has renamed it.
static Result<func::FuncOp> findFunction(ModuleOp program, const std::string &name) {
  artifact::Manifest manifest;
  manifest.entries = describeEntries(program);
  MICA_ASSIGN_OR_RETURN(size_t index, artifact::findEntry(manifest, name));
  return program.lookupSymbol<func::FuncOp>(manifest.entries[index].name);
}

static Result<std::vector<HostTensor>> makeInputs(const EvaluateOptions &options, const artifact::EntryRecord &entry) {
  if (options.inputs.size() > entry.args.size())
    return Error{ErrorCode::InvalidInput,
                 "'" + entry.name + "' takes " + std::to_string(entry.args.size()) + " inputs, but --input is given " +
                     std::to_string(options.inputs.size()) + " times",
                 "mica-compile --list shows its arguments"};
  std::vector<HostTensor> tensors;
  for (size_t i = 0; i < entry.args.size(); ++i) {
    if (i < options.inputs.size()) {
      MICA_ASSIGN_OR_RETURN(InputSpec spec, parseInputSpec(options.inputs[i]));
      MICA_ASSIGN_OR_RETURN(HostTensor tensor, makeInput(spec, entry.args[i], i));
      tensors.push_back(std::move(tensor));
    } else {
      std::string note;
      MICA_RETURN_IF_ERROR(checkDefaultInput(entry.args[i], i));
      tensors.push_back(makeDefaultInput(entry.args[i], i, note));
      llvm::errs() << note << "\n";
    }
  }
  return tensors;
}

/// The LLVM function to check for undefined behavior: the named one, or the only one; null if the program has func
/// functions.
static LLVM::LLVMFuncOp loweredEntry(ModuleOp program, const EvaluateOptions &options) {
  if (!options.checkUndefined || !program.getOps<func::FuncOp>().empty())
    return {};
  LLVM::LLVMFuncOp only;
  for (auto function : program.getOps<LLVM::LLVMFuncOp>()) {
    if (function.isExternal() || (!options.entry.empty() && function.getName() != options.entry) ||
        (options.entry.empty() && function.getName().starts_with("_mlir_ciface_")))
      continue;
    if (only && function.getName() != "main" && only.getName() != "main")
      return {};
    if (!only || function.getName() == "main")
      only = function;
  }
  return only;
}

/// Its inputs, whose types must be given, because a pointer's type does not determine its contents.
static Result<std::vector<HostTensor>> makeLoweredInputs(const EvaluateOptions &options) {
  std::vector<HostTensor> tensors;
  for (const std::string &text : options.inputs) {
    MICA_ASSIGN_OR_RETURN(const InputSpec spec, parseInputSpec(text));
    artifact::TensorSpec type;
    if (spec.kind == InputSpec::Kind::File) {
      MICA_ASSIGN_OR_RETURN(HostTensor tensor, readTensorFile(spec.file));
      tensors.push_back(std::move(tensor));
      continue;
    }
    if (!spec.dtype)
      return Error{ErrorCode::InvalidInput, "--input=" + text + ": an input of a lowered function needs its type",
                   "write @FILE.npy, 4xf32=1,2,3,4 or i64=5"};
    type.dtype = *spec.dtype;
    type.shape = spec.shape;
    MICA_ASSIGN_OR_RETURN(HostTensor tensor, makeInput(spec, type, tensors.size()));
    tensors.push_back(std::move(tensor));
  }
  return tensors;
}

/// The result that is the final value of argument `index`, which programs from phase tensor on return.
static std::optional<size_t> updateOf(const artifact::EntryRecord &entry, size_t index) {
  for (size_t result = 0; result < entry.results.size(); ++result)
    if (entry.results[result].updates == int64_t(index))
      return result;
  return std::nullopt;
}

/// Whether argument `index` of `entry` is a buffer of `function`, which has two for a complex one.
static bool isBufferArgument(const artifact::EntryRecord &entry, func::FuncOp function, size_t index) {
  unsigned position = 0;
  for (const artifact::TensorSpec &before : llvm::ArrayRef(entry.args).take_front(index))
    position += isComplex(before.dtype) ? 2 : 1;
  return isa<BaseMemRefType>(function.getArgument(position).getType());
}

/// Parses "2@y.npy" and checks it against the entry.
static Result<std::pair<size_t, std::string>> parseArgumentOutput(const std::string &text, func::FuncOp function,
                                                                  const artifact::EntryRecord &entry) {
  auto [number, file] = llvm::StringRef(text).split('@');
  size_t index = 0;
  if (number.getAsInteger(10, index) || file.empty())
    return Error{ErrorCode::InvalidInput, "--argument-output=" + text + ": not an argument and a file",
                 "write it as N@FILE.npy, N counted from 0"};
  if (index >= entry.args.size() || (!isBufferArgument(entry, function, index) && !updateOf(entry, index)))
    return Error{ErrorCode::InvalidInput,
                 "--argument-output=" + text + ": argument " + number.str() + " of '" + function.getName().str() +
                     "' is no buffer",
                 "mica-compile --list shows its arguments"};
  return std::pair(index, file.str());
}

namespace {
/// The files for results.
struct OutputFiles {
  std::vector<std::string> results;                      ///< by result; "": printed
  std::vector<std::pair<size_t, std::string>> arguments; ///< of buffers, by argument
};

/// The outcome of an evaluation.
struct Evaluated {
  llvm::SmallVector<HostTensor> results, stored; ///< final contents of buffers, by argument
  llvm::SmallVector<HostTensor> bounds, argumentBounds;
  std::string printed;
  llvm::SmallVector<double> printedBounds;
};
} // namespace

static Result<OutputFiles> outputFiles(const EvaluateOptions &options, func::FuncOp function,
                                       const artifact::EntryRecord &entry) {
  OutputFiles files;
  std::vector<std::string> &outputs = files.results;
  outputs.resize(entry.results.size());
  for (const std::string &text : options.argumentOutputs) {
    MICA_ASSIGN_OR_RETURN(auto output, parseArgumentOutput(text, function, entry));
    if (const std::optional<size_t> result = updateOf(entry, output.first))
      outputs[*result] = output.second;
    else
      files.arguments.push_back(std::move(output));
  }
  for (size_t result = 0, next = 0; result < outputs.size() && next < options.outputs.size(); ++result)
    if (outputs[result].empty())
      outputs[result] = options.outputs[next++];
  return files;
}

/// `program` is its name for errors.
static Status runEvaluator(const EvaluateOptions &options, ModuleOp module, func::FuncOp function,
                           llvm::ArrayRef<HostTensor> arguments, const std::string &program, bool storesArguments,
                           Evaluated &found) {
  reference::EvalOptions evalOptions;
  if (storesArguments)
    evalOptions.bufferArguments = &found.stored;
  if (!options.printed.empty()) {
    evalOptions.printed = &found.printed;
    evalOptions.printedBounds = &found.printedBounds;
  }
  std::optional<OpWriter> writer;
  if (options.bounds) {
    evalOptions.bounds = &found.bounds;
    evalOptions.argumentBounds = &found.argumentBounds;
    evalOptions.narrowAccumulators = options.narrowAccumulators;
    evalOptions.onOpBounds = [&](llvm::ArrayRef<HostTensor> tensors) { return writer->writeBounds(tensors); };
  }
  if (!options.opsFolder.empty()) {
    MICA_RETURN_IF_ERROR(makeFolder(options.opsFolder));
    writer.emplace(options.opsFolder, module);
    evalOptions.onOp = [&](Operation *op, llvm::ArrayRef<HostTensor> results) { return writer->write(op, results); };
  }
  FailureOr<llvm::SmallVector<HostTensor>> results = reference::evaluate(function, arguments, evalOptions);
  if (writer && !writer->problem)
    return writer->problem;
  if (failed(results))
    return Error{ErrorCode::InvalidInput,
                 program + ": '" + function.getName().str() + "' could not be evaluated: see the errors above", ""};
  found.results = std::move(*results);
  if (options.bounds) {
    decltype(evalOptions.onOp) addSample;
    if (writer && writer->canSample())
      addSample = [&](Operation *op, llvm::ArrayRef<HostTensor> sample) { return writer->addSample(op, sample); };
    if (reference::lowerLooseBounds(function, arguments, evalOptions, found.results, found.bounds, addSample) &&
        addSample)
      MICA_RETURN_IF_ERROR(writer->lowerBounds());
  }
  return writer ? writer->finish() : Status::ok();
}

/// Results and final contents as callers see them.
static void joinComplexValues(Evaluated &found, const artifact::EntryRecord &entry) {
  const auto join = [](llvm::SmallVector<HostTensor> &tensors, const auto &specs, auto how) {
    std::vector<HostTensor> joined =
        how({std::make_move_iterator(tensors.begin()), std::make_move_iterator(tensors.end())}, specs);
    tensors.assign(std::make_move_iterator(joined.begin()), std::make_move_iterator(joined.end()));
  };
  join(found.results, entry.results, artifact::joinTensors);
  join(found.bounds, entry.results, artifact::joinNumbers);
  join(found.stored, entry.args, artifact::joinTensors);
  join(found.argumentBounds, entry.args, artifact::joinNumbers);
}

/// Reports undefined behavior of the program, and leaked memory.
static Status checkUndefined(FunctionOpInterface function, llvm::ArrayRef<HostTensor> arguments,
                             const std::string &program) {
  llvm::SmallVector<reference::EvaluatedPlace> leaks;
  auto found = reference::findUndefinedBehavior(function, arguments, {}, &leaks);
  for (const reference::EvaluatedPlace &leak : leaks)
    emitWarning(leak.location) << "memory leak: " << leak.what;
  if (failed(found))
    return Error{
        ErrorCode::InvalidInput,
        program + ": '" + function.getName().str() + "' could not be evaluated: see the errors above",
        "undefined behavior is looked for where the reference evaluator knows the program; see docs/Reference.md"};
  if (!*found)
    return Status::ok();
  const reference::EvaluatedPlace &origin = (*found)->origin, &visible = (*found)->visible;
  const bool isImmediate = (*found)->isImmediate;
  const reference::EvaluatedPlace &first = isImmediate ? visible : origin;
  InFlightDiagnostic error = emitError(first.location) << "undefined behavior: " << first.what;
  if (isImmediate)
    error.attachNote(origin.location) << origin.what;
  else if (!visible.op.empty())
    error.attachNote(visible.location) << "'" << visible.op << "' depends on it: " << visible.what;
  error.report();
  return Error{ErrorCode::Difference, program + ": '" + function.getName().str() + "' has undefined behavior",
               "mend the program first: no pipeline has to keep what it computes"};
}

static Status writePrinted(const EvaluateOptions &options, const Evaluated &found) {
  if (options.printed.empty())
    return Status::ok();
  std::string numbers;
  llvm::raw_string_ostream os(numbers);
  for (double bound : found.printedBounds)
    os << llvm::format("%.17g\n", bound);
  MICA_RETURN_IF_ERROR(writeFile(options.printed, found.printed));
  MICA_RETURN_IF_ERROR(writeFile(options.printed + ".bounds", os.str()));
  return Status::ok();
}

static Status writeResults(const EvaluateOptions &options, const OutputFiles &files, const Evaluated &found) {
  for (const auto &[index, tensor] : llvm::enumerate(found.results)) {
    if (files.results[index].empty()) {
      if (options.opsFolder.empty())
        llvm::outs() << "result " << index << " (" << tensor.typeString() << ")\n" << formatTensor(tensor) << "\n";
      continue;
    }
    std::string file = files.results[index];
    if (file.front() == '@')
      file.erase(0, 1);
    // Files with bounds are for a comparison, in a folder that no other process reads.
    MICA_RETURN_IF_ERROR(options.bounds ? writeNpyInPlace(file, tensor) : writeNpy(file, tensor));
    if (options.bounds)
      MICA_RETURN_IF_ERROR(writeNpyInPlace(boundFile(file), found.bounds[index]));
  }
  for (const auto &[index, file] : files.arguments) {
    MICA_RETURN_IF_ERROR(options.bounds ? writeNpyInPlace(file, found.stored[index])
                                        : writeNpy(file, found.stored[index]));
    if (options.bounds)
      MICA_RETURN_IF_ERROR(writeNpyInPlace(boundFile(file), found.argumentBounds[index]));
  }
  return Status::ok();
}

Status compiler::evaluate(const EvaluateOptions &options) {
  DialectRegistry registry;
  registerAllDialects(registry);
  MLIRContext context(registry);
  MICA_ASSIGN_OR_RETURN(Input input, readInput(options.input, context));
  if (failed(convertForEvaluator(*input.module)))
    return Error{ErrorCode::InvalidInput, input.name + ": an op is not supported: see the errors above", ""};
  if (LLVM::LLVMFuncOp lowered = loweredEntry(*input.module, options); lowered) {
    MICA_ASSIGN_OR_RETURN(const std::vector<HostTensor> inputs, makeLoweredInputs(options));
    return checkUndefined(lowered, inputs, input.name);
  }
  MICA_ASSIGN_OR_RETURN(func::FuncOp function, findFunction(*input.module, options.entry));
  MICA_RETURN_IF_ERROR(checkEvaluable(*input.module, function, input.name));
  artifact::EntryRecord entry;
  for (artifact::EntryRecord &candidate : describeEntries(*input.module))
    if (candidate.name == function.getName())
      entry = candidate;
  if (options.outputs.size() > entry.results.size())
    return Error{ErrorCode::InvalidInput,
                 "'" + entry.name + "' has " + std::to_string(entry.results.size()) +
                     " results, but --output is given " + std::to_string(options.outputs.size()) + " times",
                 "mica-compile --list shows its results"};
  MICA_ASSIGN_OR_RETURN(std::vector<HostTensor> inputs, makeInputs(options, entry));
  const std::vector<HostTensor> arguments = artifact::splitTensors(std::move(inputs));
  if (options.checkUndefined)
    return checkUndefined(function, arguments, input.name);
  if (options.why.isAsked())
    return explain(options.why, *input.module, function, arguments, input.name, entry);
  MICA_ASSIGN_OR_RETURN(const OutputFiles files, outputFiles(options, function, entry));
  Evaluated found;
  MICA_RETURN_IF_ERROR(
      runEvaluator(options, *input.module, function, arguments, input.name, !files.arguments.empty(), found));
  joinComplexValues(found, entry);
  MICA_RETURN_IF_ERROR(writePrinted(options, found));
  return writeResults(options, files, found);
}
