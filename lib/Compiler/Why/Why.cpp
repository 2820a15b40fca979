//===- Why.cpp - why one element of a result is what it is --------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See the header. Forward: the program is evaluated again with the element a little larger and a little smaller, and
// what changes is what uses it.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "mica/Compiler/Why/Why.h"

#include "dialects/Mica/IR/OpIds.h"
#include "dialects/Mica/Reference/Evaluate.h"
#include "dialects/Mica/Reference/Tape.h"
#include "dialects/MicaSched/IR/MicaSchedDialect.h"
#include "lib/Compiler/Why/PrintSlice.h"
#include "lib/Compiler/Why/Question.h"
#include "lib/Compiler/Why/Slice.h"
#include "mica/Artifact/ComplexEntry.h"
#include "mica/Support/Files.h"
#include "passes/Tensor/OpNumbering.h"
#include "passes/Tensor/Passes.h"

#include "mlir/Pass/PassManager.h"

#include "llvm/Support/raw_ostream.h"

#include <cmath>

using namespace mlir;

namespace mica::compiler {
namespace {

using reference::Tape;
using reference::TapeStep;
using reference::Tensor;

bool usesBuffers(func::FuncOp function) {
  auto isBuffer = [](Type type) { return isa<BaseMemRefType>(type); };
  return llvm::any_of(function.getArgumentTypes(), isBuffer) ||
         function
             .walk([&](Operation *op) {
               return llvm::any_of(op->getOperandTypes(), isBuffer) || llvm::any_of(op->getResultTypes(), isBuffer)
                          ? WalkResult::interrupt()
                          : WalkResult::advance();
             })
             .wasInterrupted();
}

/// A program on buffers as one on tensors.
struct Raised {
  OwningOpRef<ModuleOp> module;
  /// Not null: loads and stores were left; results are those of the program on buffers, in this order.
  Operation *codeOnBuffers = nullptr;
  std::vector<int64_t> argumentOfResult; ///< which argument holds it at the end; -1: it is a result of its own
};

/// The program on tensors: the elements of a buffer change, those of a tensor have an origin. An argument that is
/// stored to has a result of its own, as of the compiled program. The ops of `names` are those of the new module.
Result<Raised> raiseBuffers(ModuleOp module, func::FuncOp function, const std::string &program, OpNames &names) {
  Raised raised;
  raised.module = module.clone();
  PassManager passes(module.getContext());
  passes.addPass(createAssignIds());
  passes.addPass(createRaiseMemRefToTensor());
  if (failed(passes.run(*raised.module)))
    return Error{ErrorCode::Unsupported, program + ": what it stores in buffers is not followed: see the errors above",
                 ""};
  auto onTensors = raised.module->lookupSymbol<func::FuncOp>(function.getName());
  onTensors->walk([&](Operation *op) {
    if (isa<sched::BufferRegionOp>(op) && !raised.codeOnBuffers)
      raised.codeOnBuffers = op;
    if (const SmallVector<StringRef> ids = getOpIds(op); !ids.empty())
      names.ids[op] = ids.front().str();
  });
  for (unsigned i = 0; i < onTensors.getNumResults(); ++i) {
    auto updated = onTensors.getResultAttrOfType<IntegerAttr>(i, sched::kUpdatesAttr);
    raised.argumentOfResult.push_back(updated ? updated.getInt() : -1);
  }
  return raised;
}

/// The results as of the compiled program: arguments that hold one at the end included.
void orderResults(Tape &tape, const std::vector<int64_t> &argumentOfResult) {
  SmallVector<Tensor> own = std::move(tape.results);
  tape.results.clear();
  size_t next = 0;
  for (const int64_t argument : argumentOfResult)
    if (argument >= 0 && static_cast<size_t>(argument) < tape.arguments.size())
      tape.results.push_back(tape.arguments[static_cast<size_t>(argument)]);
    else if (next < own.size())
      tape.results.push_back(own[next++]);
}

/// What is evaluated, and what a user calls its values.
struct Evaluated {
  func::FuncOp function;
  ArrayRef<HostTensor> arguments;
  const std::string &program;
  const OpNames &names;
  std::vector<int64_t> argumentOfResult; ///< of a program on buffers, as Raised
  const artifact::EntryRecord &entry;    ///< as callers see it
};

/// Which of the values with these names (artifact::partNames) `name` is, "result1.im" or "result1"; of a complex one
/// without a part, the real one.
std::optional<unsigned> positionOf(const std::string &name, const std::string &prefix,
                                   const std::vector<std::string> &names) {
  if (!name.starts_with(prefix))
    return std::nullopt;
  const std::string asked = name.substr(prefix.size());
  for (auto [position, own] : llvm::enumerate(names))
    if (own == asked || own == asked + ".re")
      return position;
  return std::nullopt;
}

Result<Tape> record(const Evaluated &evaluated, ArrayRef<HostTensor> arguments, bool bounded) {
  func::FuncOp function = evaluated.function;
  Tape tape;
  reference::EvalOptions options;
  std::string printed;
  options.tape = &tape;
  options.printed = &printed;
  SmallVector<HostTensor> bounds;
  if (bounded)
    options.bounds = &bounds;
  if (failed(reference::evaluate(function, arguments, options)))
    return Error{
        ErrorCode::InvalidInput,
        evaluated.program + ": '" + function.getName().str() + "' could not be evaluated: see the errors above", ""};
  if (!evaluated.argumentOfResult.empty())
    orderResults(tape, evaluated.argumentOfResult);
  for (Tensor &result : tape.results) {
    if (!result.isBuffer()) {
      result = result.materialized();
      tape.resultCells.push_back(nullptr);
      continue;
    }
    tape.resultCells.push_back(reference::originsOf(result));
    result = result.loaded();
  }
  return tape;
}

/// The element of the results that is NaN, or furthest from the reference.
Result<std::pair<unsigned, int64_t>> findElement(const std::string &asked, const Tape &tape,
                                                 const CompiledValues &compiled) {
  const bool wantsNan = asked == "nan";
  if (!wantsNan && !compiled.hasRun())
    return Error{ErrorCode::InvalidInput, "largest: there is no run to compare with the reference",
                 "mica-run PROGRAM --why=largest"};
  std::optional<std::pair<unsigned, int64_t>> found;
  double largest = 0;
  for (auto [i, result] : llvm::enumerate(tape.results)) {
    const HostTensor *actual = compiled.result(i);
    for (int64_t element = 0; element < result.size(); ++element) {
      const double expected = valueOf(result, element), value = actual ? actual->asDouble(element) : expected;
      if (wantsNan && std::isnan(value))
        return std::pair(static_cast<unsigned>(i), element);
      if (wantsNan || !isBeyond(value, expected, 0))
        continue;
      const double bound = result.boundAt(element), difference = std::fabs(value - expected);
      const double excess = std::isfinite(difference) ? difference / std::max(bound, 1e-300) : 1e301;
      if (excess > largest) {
        largest = excess;
        found = {static_cast<unsigned>(i), element};
      }
    }
  }
  if (found)
    return *found;
  return Error{ErrorCode::InvalidInput,
               wantsNan ? "nan: no element of the results is NaN" : "largest: all results equal the reference",
               "name an element: --why='result0[3,7]'"};
}

/// The last value of the op with `id`.
const TapeStep *findStep(const Tape &tape, const OpNames &names, const std::string &id) {
  const TapeStep *found = nullptr;
  for (const TapeStep &step : tape.steps)
    if (auto it = names.ids.find(step.op); it != names.ids.end() && it->second == id && !step.results.empty())
      found = &step;
  return found;
}

/// The value and element that `options` asks about.
struct Asked {
  Tensor tensor;
  int64_t element = 0;
  std::optional<double> compiled;
  std::string text;
  Tensor::Origin origin; ///< of the element, which is in it
};

Result<Asked> findAsked(const std::string &text, const Tape &tape, const CompiledValues &compiled, const OpNames &names,
                        const std::vector<std::string> &resultNames) {
  Asked asked;
  std::optional<unsigned> result;
  if (text == "nan" || text == "largest") {
    MICA_ASSIGN_OR_RETURN(const auto found, findElement(text, tape, compiled));
    result = found.first;
    asked.element = found.second;
    asked.tensor = tape.results[*result];
    asked.text = "result" + resultNames[*result] + indexText(asked.element, asked.tensor.shape());
  } else {
    MICA_ASSIGN_OR_RETURN(const Question question, parseQuestion(text));
    asked.text = text;
    result = positionOf(question.name, "result", resultNames);
    if (result && *result < tape.results.size()) {
      asked.tensor = tape.results[*result];
    } else if (const TapeStep *step = result ? nullptr : findStep(tape, names, question.name)) {
      asked.tensor = step->results[0];
    } else {
      return Error{ErrorCode::InvalidInput,
                   text + ": there is no value '" + question.name + "'; the program has " +
                       std::to_string(resultNames.size()) + " results",
                   "name a result, result0[3,7], or an op by the id that mica-run prints, 3f2a91c07b1e[3,7]"};
    }
    if (asked.tensor.isBuffer())
      return Error{ErrorCode::Unsupported, text + ": is a buffer; elements of tensors are followed", ""};
    MICA_ASSIGN_OR_RETURN(asked.element, elementIn(question, asked.tensor.shape(), asked.tensor.typeString()));
  }
  if (const HostTensor *value = result ? compiled.result(*result) : nullptr)
    asked.compiled = value->asDouble(asked.element);
  asked.origin = asked.tensor.origin;
  if (result && tape.resultCells[*result])
    asked.origin = (*tape.resultCells[*result])[static_cast<size_t>(asked.element)];
  if (asked.origin.element < 0)
    asked.origin.element = asked.element;
  return asked;
}

Status explainBackward(const WhyOptions &options, const Evaluated &evaluated) {
  const OpNames &names = evaluated.names;
  MICA_ASSIGN_OR_RETURN(const Tape tape, record(evaluated, evaluated.arguments, true));
  CompiledValues compiled;
  std::vector<std::string> resultNames = artifact::partNames(evaluated.entry.results);
  // A program on buffers gives more results once it is on tensors.
  while (resultNames.size() < tape.results.size())
    resultNames.push_back(std::to_string(resultNames.size()));
  if (!options.run.empty()) {
    std::vector<DType> types;
    for (const Tensor &result : tape.results)
      types.push_back(result.elementType().dtype);
    MICA_ASSIGN_OR_RETURN(compiled, CompiledValues::open(options.run, types));
    for (auto [i, result] : llvm::enumerate(tape.results))
      if (!result.isBuffer() && compiled.result(i)->numElements() != result.size())
        return Error{ErrorCode::Damaged,
                     options.run + ": result " + std::to_string(i) + " is " + compiled.result(i)->typeString() +
                         ", expected " + result.typeString(),
                     ""};
  }
  MICA_ASSIGN_OR_RETURN(const Asked asked, findAsked(options.element, tape, compiled, names, resultNames));
  if (asked.origin.step < 0)
    return Error{ErrorCode::Unsupported, options.element + ": no op computed it that is followed",
                 "numbers that a loop counts, memory that nobody wrote, and stores of ops that --why does not know"};
  const Slice slice =
      makeSlice(tape, asked.origin, asked.origin.element, asked.compiled, compiled, names, options.maxNodes);
  (options.json ? printSliceJson : printSlice)(slice, tape, asked.text, compiled, llvm::outs());
  llvm::outs().flush();
  if (!options.file.empty()) {
    std::string text;
    llvm::raw_string_ostream stream(text);
    printSliceJson(slice, tape, asked.text, compiled, stream);
    MICA_RETURN_IF_ERROR(writeFileAtomic(options.file, text));
  }
  if (slice.nodes[0].differs)
    return Error{ErrorCode::Difference, asked.text + " is not what the reference says", ""};
  return {};
}

/// What changes of the result of a step.
struct Change {
  int64_t count = 0, element = -1;
  double before = 0, after = 0;
  SmallVector<int64_t> low, high; ///< the box of the elements that change
};

void addChanges(const Tensor &before, const Tensor &after, Change &change) {
  const SmallVector<int64_t> shape(before.shape());
  SmallVector<int64_t> place(shape.size(), 0);
  for (int64_t i = 0; i < before.size(); ++i) {
    const double old = valueOf(before, i), now = valueOf(after, i);
    if (old == now || (std::isnan(old) && std::isnan(now)))
      continue;
    int64_t rest = i;
    for (size_t d = shape.size(); d-- > 0; rest /= shape[d])
      place[d] = rest % shape[d];
    if (change.count++ == 0) {
      change.low = place;
      change.high = place;
    }
    for (size_t d = 0; d < shape.size(); ++d) {
      change.low[d] = std::min(change.low[d], place[d]);
      change.high[d] = std::max(change.high[d], place[d]);
    }
    if (change.element < 0 || !(std::fabs(now - old) <= std::fabs(change.after - change.before))) {
      change.element = i;
      change.before = old;
      change.after = now;
    }
  }
}

std::string boxText(const Change &change) {
  std::string text;
  for (size_t d = 0; d < change.low.size(); ++d)
    text += (d ? ", " : "") + std::to_string(change.low[d]) +
            (change.low[d] == change.high[d] ? "" : ":" + std::to_string(change.high[d] + 1));
  return "[" + text + "]";
}

Status explainForward(const WhyOptions &options, const Evaluated &evaluated) {
  const OpNames &names = evaluated.names;
  const ArrayRef<HostTensor> arguments = evaluated.arguments;
  MICA_ASSIGN_OR_RETURN(const Question question, parseQuestion(options.user));
  const std::optional<unsigned> position = positionOf(question.name, "arg", artifact::partNames(evaluated.entry.args));
  if (!position || *position >= arguments.size())
    return Error{ErrorCode::InvalidInput,
                 options.user + ": there is no argument '" + question.name + "'; the program has " +
                     std::to_string(arguments.size()),
                 "name an argument: --who-uses='arg0[0,5]'"};
  const HostTensor &argument = arguments[*position];
  MICA_ASSIGN_OR_RETURN(const int64_t element, elementIn(question, argument.shape, argument.typeString()));
  MICA_ASSIGN_OR_RETURN(const Tape before, record(evaluated, arguments, false));
  std::vector<Change> changes(before.steps.size());
  bool sameSteps = true;
  for (const double sign : {1.0, -1.0}) {
    SmallVector<HostTensor> changed(arguments.begin(), arguments.end());
    HostTensor &tensor = changed[*position];
    if (isFloat(tensor.dtype))
      tensor.setDouble(element,
                       tensor.asDouble(element) + sign * std::max(std::fabs(tensor.asDouble(element)), 1.0) / 4);
    else
      tensor.setInt(element, tensor.dtype == DType::I1 ? 1 - tensor.asInt(element)
                                                       : tensor.asInt(element) + static_cast<int64_t>(sign));
    // An index that is changed may be out of range.
    ScopedDiagnosticHandler quiet(evaluated.function->getContext(), [](Diagnostic &) { return success(); });
    const Result<Tape> after = record(evaluated, changed, false);
    if (!after || after->steps.size() != before.steps.size()) {
      sameSteps = false;
      continue;
    }
    for (size_t i = 0; i < before.steps.size(); ++i)
      for (auto [old, now] : llvm::zip_equal(before.steps[i].results, after->steps[i].results))
        if (i > 0 && before.steps[i].op == after->steps[i].op && !old.isBuffer() && old.shape() == now.shape())
          addChanges(old, now, changes[i]);
  }
  int64_t total = 0;
  for (const Change &change : changes)
    total += change.count > 0;
  llvm::raw_ostream &os = llvm::outs();
  if (options.json) {
    llvm::json::OStream json(os, 2);
    json.object([&] {
      json.attribute("question", options.user);
      json.attribute("same_steps", sameSteps);
      json.attributeArray("uses", [&] {
        for (size_t i = 0; i < changes.size(); ++i)
          if (changes[i].count > 0)
            json.object([&] {
              json.attribute("kind", before.steps[i].op->getName().getStringRef());
              json.attribute("op", names.ids.lookup(before.steps[i].op));
              json.attribute("source", sourceOf(before.steps[i].op));
              json.attribute("elements", boxText(changes[i]));
              json.attribute("before", numberJson(changes[i].before));
              json.attribute("after", numberJson(changes[i].after));
            });
      });
    });
    os << "\n";
    return {};
  }
  os << "who uses " << options.user << " = " << numberText(argument.asDouble(element)) << ": " << total
     << " ops; elements that change if it does\n";
  for (size_t i = 0; i < changes.size(); ++i) {
    const Change &change = changes[i];
    if (change.count == 0)
      continue;
    const TapeStep &step = before.steps[i];
    os << "  " << step.op->getName().getStringRef() << " [" << names.ids.lookup(step.op) << "]";
    if (const std::string source = sourceOf(step.op); !source.empty())
      os << " at " << source;
    os << ": " << boxText(change) << " of " << step.results[0].typeString() << ", most at "
       << indexText(change.element, step.results[0].shape()) << ", " << numberText(change.before) << " -> "
       << numberText(change.after) << "\n";
  }
  if (!sameSteps)
    os << "  a change of it makes the program take another way, or fail: what that uses is not shown\n";
  os.flush();
  return {};
}

} // namespace

Status explain(const WhyOptions &options, ModuleOp module, func::FuncOp function, ArrayRef<HostTensor> arguments,
               const std::string &program, const artifact::EntryRecord &entry) {
  OpNames names;
  Evaluated evaluated{function, arguments, program, names, {}, entry};
  Raised raised;
  if (usesBuffers(function)) {
    MICA_ASSIGN_OR_RETURN(raised, raiseBuffers(module, function, program, names));
    if (raised.codeOnBuffers)
      evaluated.argumentOfResult = raised.argumentOfResult;
    else
      evaluated.function = raised.module->lookupSymbol<func::FuncOp>(function.getName());
  }
  if (evaluated.function == function)
    forEachNumberedOp(module, [&](const NumberedOp &numbered) { names.ids[numbered.op] = numbered.id; });
  return options.user.empty() ? explainBackward(options, evaluated) : explainForward(options, evaluated);
}

} // namespace mica::compiler
