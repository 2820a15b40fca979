//===- Diagnostics.h - messages to the user ----------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// One form for every tool of the std half, on the standard error: `mica-run: error: <message>` and a hint below. Colors
// on a terminal only, and not with NO_COLOR.
//
//===-------------------------------------------------------------------------------------------------------===//

#ifndef MICA_SUPPORT_DIAGNOSTICS_H
#define MICA_SUPPORT_DIAGNOSTICS_H

#include "mica/Support/Status.h"

#include <string_view>

namespace mica {

void printError(std::string_view tool, const Error &error);
void printWarning(std::string_view tool, std::string_view message, std::string_view hint = {});
void printNote(std::string_view tool, std::string_view message);
/// From now on printNote() prints nothing: another process of the same job prints it. Before threads are started.
void hideNotes();

/// Whether output to this stream (1 or 2) may be colored.
bool wantsColor(int descriptor);

} // namespace mica

#endif // MICA_SUPPORT_DIAGNOSTICS_H
