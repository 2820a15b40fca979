//===- Version.cpp - version of Mica -----------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// MICA_VERSION comes from CMake.
//
//===-------------------------------------------------------------------------------------------------------===//

#include "mica/Support/Version.h"

namespace mica {

std::string_view version() { return MICA_VERSION; }

} // namespace mica
