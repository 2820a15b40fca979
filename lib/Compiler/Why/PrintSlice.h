//===- PrintSlice.h - the tree of an element as text and JSON -----------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Private.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_COMPILER_WHY_PRINTSLICE_H
#define MICA_LIB_COMPILER_WHY_PRINTSLICE_H

#include "lib/Compiler/Why/Slice.h"

#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

namespace mica::compiler {

/// "question: ..." and a line per element, indented below the one that was computed from it.
void printSlice(const Slice &slice, const reference::Tape &tape, const std::string &question,
                const CompiledValues &compiled, llvm::raw_ostream &os);
void printSliceJson(const Slice &slice, const reference::Tape &tape, const std::string &question,
                    const CompiledValues &compiled, llvm::raw_ostream &os);

/// "0.125" as short as it reads as the same f64 of 9 digits; "NaN", "inf".
std::string numberText(double value);
/// A number, or a text where JSON has none.
llvm::json::Value numberJson(double value);
/// "[0, 3, 7]".
std::string indexText(int64_t flat, llvm::ArrayRef<int64_t> shape);

} // namespace mica::compiler

#endif // MICA_LIB_COMPILER_WHY_PRINTSLICE_H
