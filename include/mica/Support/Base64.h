//===- Base64.h - Base64 encoding ----------------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// RFC 4648, with '+' and '/', padded.
//
//===-------------------------------------------------------------------------------------------------------===//

#ifndef MICA_SUPPORT_BASE64_H
#define MICA_SUPPORT_BASE64_H

#include <optional>
#include <string>
#include <string_view>

namespace mica {

/// Encodes `bytes`: 4 characters for 3 bytes. With `lineLength`, a multiple of 4, a newline follows every `lineLength`
/// characters except after the last line.
std::string encodeBase64(std::string_view bytes, size_t lineLength = 0);

/// Decodes `text`, ignoring newlines. Nothing if encodeBase64() would not write it.
std::optional<std::string> decodeBase64(std::string_view text);

} // namespace mica

#endif // MICA_SUPPORT_BASE64_H
