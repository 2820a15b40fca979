//===- Mutate.h - changes of valid programs -----------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Two kinds: of the text, which keeps types consistent by replacing a size or an element type everywhere, and of the IR
// in memory. Neither promises that the result is valid; the caller verifies it.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_TEST_FUZZ_PASSES_MUTATE_H
#define MICA_TEST_FUZZ_PASSES_MUTATE_H

#include "mlir/IR/Attributes.h"
#include "mlir/IR/BuiltinOps.h"

#include <random>
#include <string>
#include <utility>
#include <vector>

namespace mica::fuzz {

using Random = std::mt19937_64;

/// A number below `bound`, which is not 0.
inline size_t below(Random &random, size_t bound) { return random() % bound; }

/// `text` with one size, element type or number replaced by another.
std::string mutateText(const std::string &text, Random &random);

/// Names and values of the attributes that passes leave for each other.
using AttributePool = std::vector<std::pair<mlir::StringAttr, mlir::Attribute>>;
void collectAttributes(mlir::ModuleOp module, AttributePool &pool);

/// Another attribute of mostly the same kind.
mlir::Attribute mutateAttribute(mlir::Attribute attribute, Random &random);

/// Changes one thing of `module`: an operand, an attribute, the place or the number of an op.
void mutateModule(mlir::ModuleOp module, const AttributePool &pool, Random &random);

} // namespace mica::fuzz

#endif // MICA_TEST_FUZZ_PASSES_MUTATE_H
