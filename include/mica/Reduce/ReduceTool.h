//===- ReduceTool.h - mica-reduce ---------------------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Makes a file of IR, and a pipeline, as small as a command that tests them allows.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_REDUCE_REDUCETOOL_H
#define MICA_REDUCE_REDUCETOOL_H

namespace mica::reduce {

/// main of mica-reduce; returns the exit code: 0 the smallest form found is written, 1 wrong use, or a test that does
/// not hold for the file as given.
int runReduceTool(int argc, char **argv);

} // namespace mica::reduce

#endif // MICA_REDUCE_REDUCETOOL_H
