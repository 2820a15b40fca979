//===- Assembly.cpp - custom assembly directives ------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See the header.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "dialects/Mica/IR/Assembly.h"

#include "mlir/IR/BuiltinTypes.h"

using namespace mlir;

ParseResult mica::assembly::parseTypesInto(OpAsmParser &parser, ArrayRef<Type *> slots) {
  const SMLoc place = parser.getCurrentLocation();
  Type written;
  if (parser.parseType(written))
    return failure();
  auto signature = dyn_cast<FunctionType>(written);
  if (!signature) {
    // Upstream's syntax lists the operand types; here a function type is expected, and the op's error about operand
    // types would be confusing.
    const SMLoc next = parser.getCurrentLocation();
    if (succeeded(parser.parseOptionalComma()) || succeeded(parser.parseOptionalArrow()))
      return parser.emitError(next) << "expected one type for all operands and the result, or a function type: "
                                       "(OPERAND, ...) -> RESULT";
    for (Type *slot : slots)
      *slot = written;
    return success();
  }
  const size_t operands = slots.size() - 1;
  if (signature.getNumInputs() != operands)
    return parser.emitError(place) << "got " << signature.getNumInputs() << " operand types, expected " << operands;
  if (signature.getNumResults() != 1)
    return parser.emitError(place) << "got " << signature.getNumResults() << " result types, expected 1";
  for (auto [slot, type] : llvm::zip(slots, signature.getInputs()))
    *slot = type;
  *slots.back() = signature.getResult(0);
  return success();
}
