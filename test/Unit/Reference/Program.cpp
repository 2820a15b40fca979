//===- Program.cpp - evaluating MLIR text in tests --------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See Program.h.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "Program.h"

#include "dialects/RegisterDialects.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/Parser/Parser.h"

#include <gtest/gtest.h>

using namespace mlir;

namespace mica::reference {

HostTensor tensor(const std::string &type, const std::vector<double> &elements) {
  std::vector<int64_t> shape;
  size_t begin = 0;
  while (true) {
    size_t end = type.find('x', begin);
    if (end == std::string::npos || !isdigit(type[begin]))
      break;
    shape.push_back(std::stoll(type.substr(begin, end - begin)));
    begin = end + 1;
  }
  HostTensor result(*parseDType(type.substr(begin)), shape);
  EXPECT_EQ(result.numElements(), static_cast<int64_t>(elements.size()));
  for (size_t i = 0; i < elements.size(); ++i)
    result.setDouble(i, elements[i]);
  return result;
}

std::vector<double> elements(const HostTensor &tensor) {
  std::vector<double> numbers;
  for (int64_t i = 0; i < tensor.numElements(); ++i)
    numbers.push_back(tensor.asDouble(i));
  return numbers;
}

static DialectRegistry allDialects() {
  DialectRegistry registry;
  registerAllDialects(registry);
  return registry;
}

Program::Program(const std::string &text) : context(allDialects(), MLIRContext::Threading::DISABLED) {
  context.getDiagEngine().registerHandler([this](Diagnostic &diagnostic) {
    auto add = [&](Diagnostic &part, StringRef prefix) {
      llvm::raw_string_ostream stream(messages);
      if (auto place = part.getLocation()->findInstanceOf<FileLineColLoc>())
        stream << place.getLine() << ":" << place.getColumn() << ": ";
      stream << prefix << part << "\n";
    };
    add(diagnostic, "");
    for (Diagnostic &note : diagnostic.getNotes())
      add(note, "note: ");
    return success();
  });
  module = parseSourceString<ModuleOp>(text, &context, "test.mlir");
}

func::FuncOp Program::entry() { return *module->getOps<func::FuncOp>().begin(); }

std::vector<HostTensor> Program::run(const std::vector<HostTensor> &args, const EvalOptions &options) {
  if (!module)
    return {};
  FailureOr<SmallVector<HostTensor>> results = evaluate(entry(), args, options);
  if (failed(results)) {
    EXPECT_FALSE(messages.empty()) << "a failure without a message";
    return {};
  }
  return std::vector<HostTensor>(results->begin(), results->end());
}

std::string Program::undefinedBehavior(const std::vector<HostTensor> &args) {
  if (!module)
    return "failed";
  FunctionOpInterface entry;
  for (auto function : module->getOps<FunctionOpInterface>())
    if (!function.isExternal() && !entry)
      entry = function;
  llvm::SmallVector<EvaluatedPlace> leaks;
  EvalOptions options;
  options.maxTurns = maxTurns;
  FailureOr<std::optional<UndefinedBehavior>> found = findUndefinedBehavior(entry, args, options, &leaks);
  leaked.clear();
  for (const EvaluatedPlace &leak : leaks)
    leaked += leak.op + ": " + leak.what + "\n";
  if (failed(found))
    return "failed";
  if (!*found)
    return "";
  const EvaluatedPlace &origin = (**found).origin, &visible = (**found).visible;
  return origin.op.empty() ? origin.what : origin.op + ": " + origin.what + " -> " + visible.op + ": " + visible.what;
}

std::vector<double> Program::numbers(const std::vector<HostTensor> &args) {
  std::vector<HostTensor> results = run(args);
  EXPECT_EQ(results.size(), 1u) << messages;
  return results.empty() ? std::vector<double>() : elements(results.front());
}

} // namespace mica::reference
