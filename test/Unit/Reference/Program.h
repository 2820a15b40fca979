//===- Program.h - evaluating MLIR text in tests ----------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Parse a module from text, evaluate one of its functions, look at numbers and at error messages.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_TEST_UNIT_REFERENCE_PROGRAM_H
#define MICA_TEST_UNIT_REFERENCE_PROGRAM_H

#include "dialects/Mica/Reference/Evaluate.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"

#include <string>
#include <vector>

namespace mica::reference {

/// The tensor of type `type` ("2x3xf32", "i1") with these elements, each converted from a double.
HostTensor tensor(const std::string &type, const std::vector<double> &elements);
/// All elements as doubles.
std::vector<double> elements(const HostTensor &tensor);

/// A module under test. A text that does not parse is an evaluation that fails with the parser's message.
class Program {
public:
  /// `text` is a module; its first function with a body is the entry.
  explicit Program(const std::string &text);

  /// Of a module that parses.
  mlir::func::FuncOp entry();
  /// The results for `args`; empty if the evaluation failed.
  std::vector<HostTensor> run(const std::vector<HostTensor> &args = {}, const EvalOptions &options = {});
  /// The elements of the only result.
  std::vector<double> numbers(const std::vector<HostTensor> &args = {});
  /// What findUndefinedBehavior says: "op: what -> op: what" of the origin and of what became visible, where both are
  /// one the message alone, "" where there is none, "failed" where the program could not be evaluated.
  std::string undefinedBehavior(const std::vector<HostTensor> &args = {});
  /// What that search says of memory that nothing frees: "op: what", one per line.
  const std::string &leaks() const { return leaked; }
  /// All errors so far as "line:column: message", one per line; notes begin with "note: ".
  const std::string &errors() const { return messages; }

  int64_t maxTurns = EvalOptions().maxTurns; ///< of undefinedBehavior

private:
  mlir::MLIRContext context;
  mlir::OwningOpRef<mlir::ModuleOp> module;
  std::string messages, leaked;
};

} // namespace mica::reference

#endif // MICA_TEST_UNIT_REFERENCE_PROGRAM_H
