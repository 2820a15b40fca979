//===- Stacks.h - stacks of a log as a tree --------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// Private: stacks that begin alike share nodes, so a log's thousands of stacks are a few hundred nodes.
//
//===-------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_REPORT_LOG_STACKS_H
#define MICA_LIB_REPORT_LOG_STACKS_H

#include "mica/Trace/Reader.h"

#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

namespace mica::report {

struct Frame {
  std::string file, function, source; ///< source: the line of code, "" where the log has none
  int64_t line = 0;
};

class Stacks {
public:
  struct Node {
    int parent; ///< -1 for outermost frames
    int frame;
  };

  /// The leaf of a stack: a list of frames, outermost first. The compiler's own innermost frames are left out. -1 for
  /// an empty one. `problem` gets a text where frames are not as they should be.
  int add(std::string_view stack, const trace::StringTable &strings, std::string &problem);

  const std::vector<Frame> &frames() const { return allFrames; }
  const std::vector<Node> &nodes() const { return allNodes; }

private:
  int addFrame(Frame frame);

  std::vector<Frame> allFrames;
  std::vector<Node> allNodes;
  std::map<std::tuple<std::string, std::string, int64_t>, int> frameNumbers;
  std::map<std::pair<int, int>, int> nodeNumbers;
};

/// `json` with the files of its frames by their names, where it has them by the numbers of strings: payloads with
/// stacks, for readers.
std::string nameFiles(std::string_view json, const trace::StringTable &strings);

} // namespace mica::report

#endif // MICA_LIB_REPORT_LOG_STACKS_H
