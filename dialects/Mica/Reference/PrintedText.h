//===- PrintedText.h - the formats of printMemref and printf ----------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// For the evaluator of tensors and the interpreter of the LLVM dialect. Internal to dialects/Mica/Reference.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_DIALECTS_MICA_REFERENCE_PRINTEDTEXT_H
#define MICA_DIALECTS_MICA_REFERENCE_PRINTEDTEXT_H

#include "mlir/Support/LLVM.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"

#include <string>

namespace mica::reference {

/// Receives what is printed: text, and numbers that are exact.
struct PrintSink {
  llvm::function_ref<void(llvm::StringRef)> text;
  llvm::function_ref<void(llvm::StringRef)> number;
};

/// A buffer as upstream's printMemref functions describe it; offset and strides in elements.
struct PrintedBuffer {
  bool isRanked = false;   ///< of a function that takes a ranked buffer
  bool hasElements = true; ///< printMemrefShape prints none
  int64_t offset = 0;
  llvm::ArrayRef<int64_t> sizes, strides;
};
/// Prints it; `element` prints the element at a position. The address is 0x0.
llvm::LogicalResult printBuffer(const PrintedBuffer &buffer, PrintSink sink,
                                llvm::function_ref<llvm::LogicalResult(llvm::ArrayRef<int64_t>)> element);

/// A conversion of a printf format: "%-5.2f" has the flags "-5.2" and the kind 'f'; size modifiers are left out.
struct Conversion {
  std::string flags;
  char kind = 0;

  bool isOfFloat() const { return llvm::StringRef("fFeEgGaA").contains(kind); }
  bool isOfInteger() const { return llvm::StringRef("diouxXc").contains(kind); }
  std::string format(double value) const;
  std::string format(int64_t value) const;
};
/// Prints the text of `format`, and calls `convert` at each conversion. Fails if that fails, or if a conversion is not
/// complete.
llvm::LogicalResult printFormat(llvm::StringRef format, llvm::function_ref<void(llvm::StringRef)> text,
                                llvm::function_ref<llvm::LogicalResult(const Conversion &)> convert);

} // namespace mica::reference

#endif // MICA_DIALECTS_MICA_REFERENCE_PRINTEDTEXT_H
