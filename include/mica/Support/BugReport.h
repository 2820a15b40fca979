//===- BugReport.h - the message of a crash ----------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_SUPPORT_BUGREPORT_H
#define MICA_SUPPORT_BUGREPORT_H

namespace mica {

/// For llvm::setBugReportMsg(): a crash of a Mica tool is reported to Mica, not to LLVM.
inline constexpr char kBugReport[] =
    "PLEASE report this crash to Mica (see CONTRIBUTING.md), with the stack dump, the command and the input.\n";

} // namespace mica

#endif // MICA_SUPPORT_BUGREPORT_H
