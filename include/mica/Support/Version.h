//===- Version.h - version of Mica -------------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// The version of the whole tree, defined by CMake's project().
//
//===-------------------------------------------------------------------------------------------------------===//

#ifndef MICA_SUPPORT_VERSION_H
#define MICA_SUPPORT_VERSION_H

#include <string_view>

namespace mica {

/// "0.1.0".
std::string_view version();

} // namespace mica

#endif // MICA_SUPPORT_VERSION_H
