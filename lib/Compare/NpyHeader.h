//===- NpyHeader.h - the header of an .npy file ------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// Private: the dictionary that an .npy file begins with, as written in Python.
//
//===-------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_COMPARE_NPYHEADER_H
#define MICA_LIB_COMPARE_NPYHEADER_H

#include "mica/Support/Status.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace mica {

struct NpyHeader {
  std::string descr; ///< "<f4"; "" for a list (a structured type)
  bool fortranOrder = false;
  std::vector<int64_t> shape;
  size_t dataOffset = 0; ///< bytes before the data
};

/// Reads magic, version and dictionary from the start of `contents`.
Result<NpyHeader> parseNpyHeader(std::string_view contents, std::string_view file);

} // namespace mica

#endif // MICA_LIB_COMPARE_NPYHEADER_H
