//===- OptTool.h - mica-opt ---------------------------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// mica-opt: upstream's mlir-opt driver with Mica's dialects and passes, and with
//
//   --record=DIR        the record of every pass (PassRecorder.h), for any pipeline
//   --resume=DIR[:N]    the recorded state after pass N as input, and the rest of its pipeline where none is given
//   --mica-check-ids    which pass lost which ids
//
// If the input is a snapshot file of an artifact, its ops get their ids and weights back.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_COMPILER_TOOLS_OPTTOOL_H
#define MICA_COMPILER_TOOLS_OPTTOOL_H

namespace mica::compiler {

/// main of mica-opt; returns the exit code.
int runOptTool(int argc, char **argv);

} // namespace mica::compiler

#endif // MICA_COMPILER_TOOLS_OPTTOOL_H
