//===- PrintedText.cpp - the formats of printMemref and printf --------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See PrintedText.h.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "dialects/Mica/Reference/PrintedText.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

#include <cstdio>

using namespace mlir;

namespace mica::reference {

static void printList(ArrayRef<int64_t> numbers, PrintSink sink) {
  for (auto [i, number] : llvm::enumerate(numbers)) {
    if (i > 0)
      sink.text(", ");
    sink.number(std::to_string(number));
  }
}

/// The elements at `at`, whose first `dim` indices are chosen.
static LogicalResult printElements(ArrayRef<int64_t> sizes, MutableArrayRef<int64_t> at, size_t dim, PrintSink sink,
                                   llvm::function_ref<LogicalResult(ArrayRef<int64_t>)> element) {
  if (dim == sizes.size())
    return element(at);
  sink.text("[");
  for (at[dim] = 0; at[dim] < sizes[dim]; ++at[dim]) {
    if (at[dim] > 0)
      sink.text((sizes.size() - dim > 1 ? ", \n" : ", ") + std::string(dim + 1, ' '));
    if (failed(printElements(sizes, at, dim + 1, sink, element)))
      return failure();
  }
  sink.text("]");
  return success();
}

LogicalResult printBuffer(const PrintedBuffer &buffer, PrintSink sink,
                          llvm::function_ref<LogicalResult(ArrayRef<int64_t>)> element) {
  sink.text(buffer.isRanked ? "Memref " : "Unranked Memref ");
  sink.text("base@ = 0x0 rank = ");
  sink.number(std::to_string(buffer.sizes.size()));
  sink.text(" offset = ");
  sink.number(std::to_string(buffer.offset));
  sink.text(" sizes = [");
  printList(buffer.sizes, sink);
  sink.text("] strides = [");
  printList(buffer.strides, sink);
  sink.text("]");
  if (!buffer.hasElements)
    return success();
  // An element without dimensions has brackets too.
  const bool isEnclosed = buffer.sizes.empty();
  sink.text(isEnclosed ? " data = \n[" : " data = \n");
  SmallVector<int64_t> at(buffer.sizes.size());
  if (failed(printElements(buffer.sizes, at, 0, sink, element)))
    return failure();
  sink.text(isEnclosed ? "]\n" : "\n");
  return success();
}

template <typename Number> static std::string formatted(const std::string &format, Number number) {
  std::string digits;
  digits.resize(size_t(std::max(0, std::snprintf(nullptr, 0, format.c_str(), number))) + 1);
  std::snprintf(digits.data(), digits.size(), format.c_str(), number);
  digits.pop_back();
  return digits;
}

std::string Conversion::format(double value) const { return formatted("%" + flags + kind, value); }

std::string Conversion::format(int64_t value) const {
  if (kind == 'c')
    return formatted("%" + flags + kind, int(value));
  return formatted("%" + flags + "ll" + kind, static_cast<long long>(value));
}

LogicalResult printFormat(StringRef format, llvm::function_ref<void(StringRef)> text,
                          llvm::function_ref<LogicalResult(const Conversion &)> convert) {
  while (true) {
    const size_t begin = format.find('%');
    text(format.take_front(begin));
    if (begin == StringRef::npos)
      return success();
    format = format.drop_front(begin + 1);
    if (format.consume_front("%")) {
      text("%");
      continue;
    }
    const size_t end = format.find_first_of("diouxXcfFeEgGaAps");
    if (end == StringRef::npos)
      return failure();
    Conversion conversion{format.take_front(end).str(), format[end]};
    llvm::erase_if(conversion.flags, [](char c) { return StringRef("hljztLq").contains(c); });
    // A width among the operands, or anything else that is no flag, width or precision.
    if (conversion.flags.find_first_not_of("-+ #0123456789.") != std::string::npos || failed(convert(conversion)))
      return failure();
    format = format.drop_front(end + 1);
  }
}

} // namespace mica::reference
