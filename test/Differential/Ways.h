//===- Ways.h - the ways a program can be run, in one process ----------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------------===//
//
// A file of programs, each a function of one module, with a line of JSON that says how to run it:
//
//   // run {"entry": "p0", "inputs": ["4x3xf32=random:1:-2:2", "index=2"], "error": [1e-5, 0]}
//
// `error` holds, per result, how far an element may lie from the reference's; 0: equal. "twin": "p1" says that the
// results are also those of entry p1, as the reference gives them. "stores": [1] says that the program stores to
// argument 1: what that holds in the end is a further result. "relative": true takes the tolerance of mica-run
// --check-reference in the place of `error`.
//
//===-------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_TEST_DIFFERENTIAL_WAYS_H
#define MICA_TEST_DIFFERENTIAL_WAYS_H

#include "mica/Support/HostTensor.h"
#include "mica/Support/Status.h"

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace mica::differential {

/// One line `// run`.
struct Run {
  std::string entry;
  std::vector<std::string> inputs; ///< as --input= takes them, or "4x3xf32=whole:SEED:LO:HI"
  std::vector<double> error;
  std::string twin;
  bool signs = false;         ///< whether zeros have to have the reference's sign
  std::vector<size_t> stores; ///< arguments, of memref type
  bool relative = false;      ///< whether results are compared by the tolerance of their type
};

/// The lines `// run` of the program in `file`.
Result<std::vector<Run>> readRuns(const std::filesystem::path &file);

/// What entries give and, for those that give nothing, why.
struct Outcome {
  std::map<std::string, std::vector<HostTensor>> results;
  std::map<std::string, std::string> failures;
};

/// The inputs of each run, and what the reference evaluator gives for them.
struct Reference : Outcome {
  std::map<std::string, std::vector<HostTensor>> inputs;
};
Result<Reference> evaluateRuns(const std::filesystem::path &file, const std::vector<Run> &runs);

/// A way of compiling: "plain", "O0" to "O3", "reads" (-O1 with uninitialized-read-check, which must find nothing:
/// programs write what they read), "sim" (-O3 for the simulator of a GPU, with all its checks, which must find nothing
/// either), "opencl" (-O3 for the first OpenCL device).
struct Way {
  std::string name;
  bool plain = false;
  int optLevel = 3;
  bool trackReads = false;
  bool onDevice = false; ///< the name is that of a target with launches
};
Result<Way> parseWay(const std::string &name);

/// Compiles `file` into `folder`; what the compiler has to say is on stderr. With `verifyEach` the IR is verified after
/// every pass.
Status compileWay(const std::filesystem::path &file, const Way &way, const std::filesystem::path &folder,
                  bool verifyEach);

/// Runs every entry of the artifact in `folder` on `threads` threads, work cut into shares however small it is.
Result<Outcome> runArtifact(const std::filesystem::path &folder, const std::vector<Run> &runs,
                            const Reference &reference, int threads);

} // namespace mica::differential

#endif // MICA_TEST_DIFFERENTIAL_WAYS_H
