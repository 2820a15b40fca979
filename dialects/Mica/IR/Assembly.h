//===- Assembly.h - custom assembly directives --------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// custom<Clauses>("\"axis=\"", $axis, "\"keep_dims?\"", $keep_dims)
//   Clauses in any order, each at most once; printed in the given order. A clause is a name with marks that describe
//   what follows, and the variables it sets: `causal` alone a unit attribute, `axis=` an attribute after "=", `bias $`
//   an
//   operand, `scale $:` an operand, ":" and its type, `sizes()` operands in parentheses, `offsets=` with two variables
//   a list of static and dynamic values. `?`: optional. Default values are not printed. oilist of MLIR 22 only supports
//   optional variables.
//
// custom<Types>(type($lhs), ref($bias), type($bias), type($result))
//   One type if all operands and the result have it, else "(types of operands) -> type of result"; both are parsed.
//   The types of optional or variadic operands follow a ref to the operands.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_DIALECTS_MICA_IR_ASSEMBLY_H
#define MICA_DIALECTS_MICA_IR_ASSEMBLY_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"

#include <concepts>
#include <optional>
#include <type_traits>

namespace mica::assembly {

using Operand = mlir::OpAsmParser::UnresolvedOperand;
using Operands = llvm::SmallVectorImpl<Operand>;

/// A clause as written in the format: "keep_dims?".
struct ClauseName {
  explicit ClauseName(llvm::StringRef text)
      : word(text.take_while([](char c) { return llvm::isAlnum(c) || c == '_'; })), isRequired(!text.ends_with("?")) {}
  llvm::StringRef word;
  bool isRequired;
};

//===------------------------------------------------------------------------------------------------------------===//
// Parsing what follows the name of a clause, by the kinds of its variables
//===------------------------------------------------------------------------------------------------------------===//

template <std::derived_from<mlir::Attribute> Attribute>
mlir::ParseResult parseClause(mlir::OpAsmParser &parser, Attribute &attribute) {
  if constexpr (std::is_same_v<Attribute, mlir::UnitAttr>) {
    attribute = parser.getBuilder().getUnitAttr();
    return mlir::success();
  } else {
    if (parser.parseEqual())
      return mlir::failure();
    if constexpr (std::is_same_v<Attribute, mlir::TypedAttr>)
      return parser.parseAttribute(attribute, mlir::Type());
    mlir::Type type;
    if constexpr (std::is_same_v<Attribute, mlir::IntegerAttr>)
      type = parser.getBuilder().getI64Type();
    else if constexpr (std::is_same_v<Attribute, mlir::FloatAttr>)
      type = parser.getBuilder().getF64Type();
    return parser.parseCustomAttributeWithFallback(attribute, type);
  }
}
inline mlir::ParseResult parseClause(mlir::OpAsmParser &parser, Operand &operand) {
  return parser.parseOperand(operand);
}
inline mlir::ParseResult parseClause(mlir::OpAsmParser &parser, std::optional<Operand> &operand) {
  return parser.parseOperand(operand.emplace());
}
template <typename OperandVariable>
mlir::ParseResult parseClause(mlir::OpAsmParser &parser, OperandVariable &operand, mlir::Type &type) {
  return mlir::failure(parseClause(parser, operand) || parser.parseColonType(type));
}
inline mlir::ParseResult parseClause(mlir::OpAsmParser &parser, Operands &operands) {
  return parser.parseOperandList(operands, mlir::OpAsmParser::Delimiter::Paren);
}
inline mlir::ParseResult parseClause(mlir::OpAsmParser &parser, Operands &operands, mlir::DenseI64ArrayAttr &statics) {
  return mlir::failure(parser.parseEqual() || mlir::parseDynamicIndexList(parser, operands, statics));
}

/// Calls `visit(name, variables...)` for each clause of a directive's arguments, in order.
template <typename Visit> void forEachClause(Visit) {}

template <typename T> inline constexpr bool isName = std::is_convertible_v<T, const char *>;

template <typename Visit, typename First, typename... Rest>
void forEachClause(Visit visit, const char *name, First &first, Rest &&...rest) {
  if constexpr (sizeof...(Rest) == 0) {
    visit(ClauseName(name), first);
  } else {
    // A variable without a preceding name is the second variable of its clause.
    auto go = [&]<typename Next, typename... Others>(Next &&next, Others &&...others) {
      if constexpr (isName<Next>) {
        visit(ClauseName(name), first);
        forEachClause(visit, next, others...);
      } else {
        visit(ClauseName(name), first, next);
        forEachClause(visit, others...);
      }
    };
    go(rest...);
  }
}

} // namespace mica::assembly

namespace mica {

/// Parses the clauses, see the file header. `arguments`: names and variables.
template <typename... Arguments> mlir::ParseResult parseClauses(mlir::OpAsmParser &parser, Arguments &&...arguments) {
  uint64_t seen = 0; // a bit for each clause
  while (true) {
    bool found = false, failed = false;
    unsigned index = 0;
    assembly::forEachClause(
        [&](assembly::ClauseName name, auto &...variables) {
          const uint64_t bit = uint64_t(1) << index++;
          if (found)
            return;
          const mlir::SMLoc place = parser.getCurrentLocation();
          if (mlir::failed(parser.parseOptionalKeyword(name.word)))
            return;
          found = true;
          if (seen & bit)
            failed = mlir::failed(parser.emitError(place, "clause '") << name.word << "' is given twice");
          else
            failed = mlir::failed(assembly::parseClause(parser, variables...));
          seen |= bit;
        },
        arguments...);
    if (failed)
      return mlir::failure();
    if (!found)
      break;
  }
  mlir::ParseResult result = mlir::success();
  unsigned index = 0;
  assembly::forEachClause(
      [&](assembly::ClauseName name, auto &...) {
        const uint64_t bit = uint64_t(1) << index++;
        if (mlir::succeeded(result) && name.isRequired && !(seen & bit))
          result = parser.emitError(parser.getCurrentLocation(), "expected clause '") << name.word << "'";
      },
      arguments...);
  return result;
}

namespace assembly {

//===------------------------------------------------------------------------------------------------------------===//
// Printing
//===------------------------------------------------------------------------------------------------------------===//

/// Whether `attribute` is the default value of `op` for the clause's name.
template <typename Op> bool isDefault(Op op, llvm::StringRef name, mlir::Attribute attribute) {
  if constexpr (requires(typename Op::Properties properties) {
                  Op::populateDefaultProperties(op->getName(), properties);
                }) {
    typename Op::Properties defaults;
    Op::populateDefaultProperties(op->getName(), defaults);
    const std::optional<mlir::Attribute> known = Op::getInherentAttr(op->getContext(), defaults, name);
    return known && *known == attribute;
  }
  return false;
}

template <std::derived_from<mlir::Attribute> Attribute, typename Op>
void printClause(mlir::OpAsmPrinter &printer, Op op, ClauseName name, Attribute attribute) {
  if (!attribute || (!name.isRequired && isDefault(op, name.word, attribute)))
    return;
  printer << ' ' << name.word;
  if constexpr (std::is_same_v<Attribute, mlir::UnitAttr>) {
    return;
  } else {
    printer << " =";
    if constexpr (std::is_same_v<Attribute, mlir::TypedAttr>)
      printer << ' ' << attribute;
    else if constexpr (std::is_same_v<Attribute, mlir::IntegerAttr> || std::is_same_v<Attribute, mlir::FloatAttr>)
      printer << ' ', printer.printAttributeWithoutType(attribute);
    else if constexpr (std::is_same_v<Attribute, mlir::DenseI64ArrayAttr>)
      printer << ' ', printer.printStrippedAttrOrType(attribute);
    else
      printer.printStrippedAttrOrType(attribute); // enums print a leading blank
  }
}
template <typename Op> void printClause(mlir::OpAsmPrinter &printer, Op, ClauseName name, mlir::Value operand) {
  if (operand)
    printer << ' ' << name.word << ' ' << operand;
}
template <typename Op>
void printClause(mlir::OpAsmPrinter &printer, Op, ClauseName name, mlir::Value operand, mlir::Type type) {
  if (operand)
    printer << ' ' << name.word << ' ' << operand << " : " << type;
}
template <typename Op> void printClause(mlir::OpAsmPrinter &printer, Op, ClauseName name, mlir::OperandRange operands) {
  if (!operands.empty())
    printer << ' ' << name.word << '(' << operands << ')';
}
template <typename Op>
void printClause(mlir::OpAsmPrinter &printer, Op op, ClauseName name, mlir::OperandRange operands,
                 mlir::DenseI64ArrayAttr statics) {
  printer << ' ' << name.word << " = ";
  mlir::printDynamicIndexList(printer, op, operands, statics);
}

//===------------------------------------------------------------------------------------------------------------===//
// Types
//===------------------------------------------------------------------------------------------------------------===//

/// The types to set, in the order of operands; the result's comes last.
using TypeSlots = llvm::SmallVector<mlir::Type *, 8>;

inline void addSlots(TypeSlots &) {}
template <typename... Rest>
void addSlots(TypeSlots &slots, const std::optional<Operand> &operand, mlir::Type &type, Rest &&...rest);
template <typename... Rest>
void addSlots(TypeSlots &slots, const Operands &operands, llvm::SmallVectorImpl<mlir::Type> &types, Rest &&...rest);
template <typename... Rest> void addSlots(TypeSlots &slots, mlir::Type &type, Rest &&...rest) {
  slots.push_back(&type);
  addSlots(slots, rest...);
}
template <typename... Rest>
void addSlots(TypeSlots &slots, const std::optional<Operand> &operand, mlir::Type &type, Rest &&...rest) {
  if (operand)
    slots.push_back(&type);
  addSlots(slots, rest...);
}
template <typename... Rest>
void addSlots(TypeSlots &slots, const Operands &operands, llvm::SmallVectorImpl<mlir::Type> &types, Rest &&...rest) {
  types.resize(operands.size());
  for (mlir::Type &type : types)
    slots.push_back(&type);
  addSlots(slots, rest...);
}

mlir::ParseResult parseTypesInto(mlir::OpAsmParser &parser, llvm::ArrayRef<mlir::Type *> slots);

} // namespace assembly

template <typename Op, typename... Arguments>
void printClauses(mlir::OpAsmPrinter &printer, Op op, const Arguments &...arguments) {
  assembly::forEachClause(
      [&](assembly::ClauseName name, auto &...variables) { assembly::printClause(printer, op, name, variables...); },
      arguments...);
}

template <typename... Arguments> mlir::ParseResult parseTypes(mlir::OpAsmParser &parser, Arguments &&...arguments) {
  assembly::TypeSlots slots;
  assembly::addSlots(slots, arguments...);
  return assembly::parseTypesInto(parser, slots);
}

template <typename... Arguments>
void printTypes(mlir::OpAsmPrinter &printer, mlir::Operation *op, const Arguments &...) {
  const mlir::Type result = op->getResult(0).getType();
  if (llvm::all_of(op->getOperandTypes(), [&](mlir::Type type) { return type == result; }))
    printer << result;
  else
    printer.printFunctionalType(op);
}

} // namespace mica

#endif // MICA_DIALECTS_MICA_IR_ASSEMBLY_H
