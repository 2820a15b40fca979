//===- ReduceTool.h - mica-reduce ---------------------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Reduces a file of IR, and a pipeline, as far as a user's test command still succeeds.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_REDUCE_REDUCETOOL_H
#define MICA_REDUCE_REDUCETOOL_H

namespace mica::reduce {

/// main of mica-reduce; returns the exit code: 0 the smallest form found is written, 1 wrong use, or the test does not
/// succeed on the given file.
int runReduceTool(int argc, char **argv);

} // namespace mica::reduce

#endif // MICA_REDUCE_REDUCETOOL_H
