//===- DumpTool.h - mica-dump ------------------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// The tool as a function; tools/mica-dump has the main.
//
//===-------------------------------------------------------------------------------------------------------===//

#ifndef MICA_DUMPTOOL_DUMPTOOL_H
#define MICA_DUMPTOOL_DUMPTOOL_H

namespace mica {

/// mica-dump with its command line; gives the exit code.
int dumpTool(int argc, char **argv);

} // namespace mica

#endif // MICA_DUMPTOOL_DUMPTOOL_H
