//===- ForkedTest.h - testing a candidate in a forked process -----------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Private: a child process works on the candidate, and its parent evaluates the result.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_IRTOOLS_REDUCE_FORKEDTEST_H
#define MICA_LIB_IRTOOLS_REDUCE_FORKEDTEST_H

#include "lib/IRTools/Forked.h"
#include "lib/IRTools/Reduce/Reduction.h"

namespace mica::irtools {

class ForkedTest : public RunningTest {
public:
  using Judge = std::function<bool(const Forked &)>;
  ForkedTest(ForkedRun run, Judge judge) : run(std::move(run)), judge(std::move(judge)) {}
  bool holds() override { return judge(run.wait()); }

private:
  ForkedRun run;
  Judge judge;
};

} // namespace mica::irtools

#endif // MICA_LIB_IRTOOLS_REDUCE_FORKEDTEST_H
