//===- Fixes.cpp - the table of error hints -----------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// The table behind fixFor (ErrorHelp.h): message patterns of MLIR's parser and verifiers and of Mica's, and the remedy
// for each. Specific rows come first.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "lib/Compiler/Diagnostics/ErrorHelp.h"

#include "mica/Support/Text.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace mica;
using namespace mica::compiler;

namespace {
/// A row: matches a message that contains both parts.
struct Fix {
  llvm::StringLiteral part, other;
  llvm::StringLiteral advice;
};
} // namespace

static constexpr Fix fixTable[] = {
    // Parsing
    {"__elided__", "",
     "the file was printed without its weights: export again without --mlir-elide-elementsattrs-if-larger, "
     "or "
     "write bytecode (.mlirbc)"},
    {"tosa.", "requires attribute",
     "the file may be of MLIR 20 or older: mica-opt FILE --upgrade -o NEW rewrites older spellings"},
    {"'values'", "", "TOSA before 1.0 called it 'value': mica-opt FILE --upgrade -o NEW rewrites older spellings"},
    {"expected non-function type", "",
     "write a type here; an affine.delinearize_index without results, which MLIR prints as `into () : `, computes "
     "nothing: delete the line"},
    {"expected ':' followed by type", "", "write the types of the op: ` : (operand types) -> result types`"},
    {"use of undeclared SSA value name", "", "define the value before this line, or correct its name"},
    {"redefinition of SSA value", "", "two values have this name: rename one of them"},
    {"expects different type than prior uses", "",
     "this type differs from the value's definition: make them equal, or convert with tensor.cast or "
     "mica.cast"},
    {"undefined symbol alias id", "",
     "the alias (#name or !name) is not defined: copy its definition from the original file"},
    {"does not reference a valid function", "",
     "define the function, or declare it: func.func private @name(...) -> ..."},
    {"undefined symbol", "", "define the symbol in this module, or declare it private"},
    {"custom op", "has no custom assembly form",
     "write it in generic form: \"dialect.op\"(%a) {attributes} : (types) -> types"},
    // Verifiers: attributes
    {"requires attribute", "",
     "write the attribute into the op's dictionary; docs/Dialects and mica-opt --help-list name them"},
    {"attribute", "failed to satisfy constraint",
     "the attribute has the wrong kind or type; the message names the expected one: check the suffix, as "
     "in "
     "2 : i64 or array<i64: 1, 2>"},
    {"invalid properties", "", "the attribute has the wrong kind; array<i64: 1, 0> and [1, 0] are different kinds"},
    // Verifiers: shapes
    {"does not match the operand shape", "", "reshape or broadcast one of them: mica.reshape, mica.broadcast"},
    {"inferred shape of elementwise op", "", "the results must have the operands' shape: change the type after '->'"},
    {"inferred input/output operand", "has shape",
     "the operands of a linalg op must agree in every dimension that their indexing maps share: correct the shape "
     "named, or "
     "the map"},
    {"inferred type(s)", "are incompatible with return type(s)",
     "the result type is inferred from the operands: write the first of the "
     "two types after '->'"},
    {"incompatible dimensions", "", "the sizes must be equal or 1: correct the type, or broadcast first"},
    {"requires the same shape", "",
     "all operands and results must have the same shape: use mica.broadcast or mica.reshape"},
    {"requires all operands and results to have", "shape", "make the shapes equal: use mica.broadcast or mica.reshape"},
    {"expected operand rank", "",
     "the rank is that of the indexing map: add or remove dimensions with tensor.expand_shape or "
     "collapse_shape"},
    {"contracted sizes differ", "", "make the two sizes equal, or transpose an operand: transpose_a, transpose_b"},
    {"the operand has", "elements",
     "a reshape keeps the number of elements: correct one of the sizes, or use mica.broadcast or mica.slice"},
    // Verifiers: element types
    {"must have elements of", "type", "convert the operand first: mica.cast"},
    {"requires the same element type", "", "convert one of them: mica.cast, arith.extf, arith.truncf, arith.sitofp"},
    {"requires the same type for all operands and results", "",
     "convert the value that differs: mica.cast, tensor.cast, arith.extf"},
    {"must be", "but got",
     "the op does not accept this type: convert the value (mica.cast, arith.extf, arith.sitofp), or use the op "
     "of its "
     "type (arith.addi for integers, arith.addf for floats)"},
    // Verifiers: structure
    {"type of return operand", "doesn't match function result type",
     "change the function's result type to that of the returned value, or convert the value"},
    {"operands, but enclosing function", "returns", "return as many values as the function's type has results"},
    {"does not dominate this use", "", "move the definition before the use, out of its region"},
    {"must have at most one", "terminator", "end the block with one terminator: func.return, scf.yield"},
    {"block with no terminator", "", "end the block with its terminator: return, scf.yield, linalg.yield"},
    {"redefinition of symbol", "", "two ops of one module have this name: rename one"},
    {"failed to legalize operation 'tosa.", "",
     "operands that give shapes, scales and zero points must be constants (tosa.const, tosa.const_shape), and the rank "
     "of "
     "tensors known"},
    {"failed to legalize operation", "",
     "no pattern of the pass matches this op: lower it first with the pass of its dialect, or see which patterns were "
     "tried with mica-opt "
     "--dump-passes=patterns"},
    {"operand #", "does not dominate", "a pass moved a use above its definition: mica-diff DIR N shows the move"},
    {"unrealized_conversion_cast", "",
     "an op between the casts was not converted: add the conversion of its dialect before "
     "reconcile-unrealized-casts"},
};

/// Text between the first pair of `quote` in `message`.
static llvm::StringRef quoted(llvm::StringRef message, char open, char close) {
  size_t begin = message.find(open);
  size_t end = begin == llvm::StringRef::npos ? begin : message.find(close, begin + 1);
  return end == llvm::StringRef::npos ? llvm::StringRef() : message.slice(begin + 1, end);
}

/// The op of `dialect` with the name nearest to `name`; "" if none is near.
static std::string nearestOp(llvm::StringRef name, llvm::StringRef dialect, MLIRContext &context) {
  context.getOrLoadDialect(dialect);
  // Without the dialect, which is the same in all.
  std::vector<std::string> ops;
  for (RegisteredOperationName op : context.getRegisteredOperations())
    if (op.getDialectNamespace() == dialect)
      ops.push_back(op.getStringRef().drop_front(dialect.size() + 1).str());
  const std::string near = nearestName(name.split('.').second.str(), ops);
  return near.empty() ? "" : dialect.str() + "." + near;
}

/// A hint for an unknown op or dialect; "" for other messages. `line`: the source line of the error.
static std::string fixUnknownOp(llvm::StringRef message, llvm::StringRef line, MLIRContext &context) {
  llvm::StringRef name;
  if (message.starts_with("Dialect `"))
    name = message.split("custom op '").second.split('\'').first;
  else if (message.starts_with("custom op '") && message.contains("is unknown"))
    name = quoted(message, '\'', '\'');
  else if (message.starts_with("unregistered operation '"))
    name = quoted(message, '\'', '\'');
  else if (message.contains("unregistered dialect"))
    name = quoted(line, '"', '"');
  else
    return "";
  std::vector<std::string> dialects;
  for (llvm::StringRef each : context.getDialectRegistry().getDialectNames())
    dialects.push_back(each.str());
  auto [dialect, op] = name.split('.');
  if (llvm::is_contained(dialects, dialect)) {
    std::string near = nearestOp(name, dialect, context);
    if (dialect == "stablehlo")
      return "docs/StableHLO.md lists the operations that Mica takes" +
             (near.empty() ? "" : "; did you mean '" + near + "'?");
    return near.empty() ? "the dialect '" + dialect.str() + "' has no such op; docs/Dialects lists Mica's"
                        : "did you mean '" + near + "'?";
  }
  std::string near = nearestName(dialect, dialects);
  if (std::string other = near + "." + op.str(); !near.empty() && nearestOp(other, near, context) == other)
    return "did you mean '" + other + "'?";
  return "mica-opt accepts unknown dialects in generic form with --allow-unregistered-dialect; "
         "to "
         "compile them, convert them first with the tools of the dialect" +
         (dialect.empty() ? "" : " '" + dialect.str() + "'");
}

std::string compiler::fixFor(const RecordedDiagnostic &error, llvm::StringRef line, MLIRContext &context) {
  llvm::StringRef message = error.message;
  if (std::string fix = fixUnknownOp(message, line, context); !fix.empty())
    return fix;
  for (const Fix &fix : fixTable)
    if (message.contains(fix.part) && message.contains(fix.other))
      return fix.advice.str();
  return "";
}
