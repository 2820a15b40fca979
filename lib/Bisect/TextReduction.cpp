//===- TextReduction.cpp - the smallest text with a property ------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See TextReduction.h. Units are lines, or a line with all that its braces hold. Runs of units are cut out, long ones
// first, from the end: uses go before what defines them.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "lib/Bisect/TextReduction.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringRef.h"

#include <chrono>
#include <vector>

using namespace mica;
using namespace mica::bisect;

namespace {

class LineReducer {
public:
  LineReducer(llvm::StringRef text, llvm::function_ref<bool(const std::string &)> keeps, double seconds)
      : keeps(keeps), end(Clock::now() + std::chrono::milliseconds(static_cast<int64_t>(seconds * 1000))) {
    for (llvm::StringRef line : llvm::split(text.rtrim(), '\n'))
      lines.push_back(line.str());
  }

  TextReduction run() {
    TextReduction result;
    result.linesGiven = static_cast<int64_t>(lines.size());
    while (pass() && Clock::now() < end)
      continue;
    result.lines = static_cast<int64_t>(lines.size());
    result.attempts = attempts;
    result.text = join(lines);
    return result;
  }

private:
  using Clock = std::chrono::steady_clock;
  using Lines = std::vector<std::string>;

  static std::string join(const Lines &lines) { return llvm::join(lines, "\n") + "\n"; }

  /// The line behind the unit that begins at `start`.
  size_t endOf(size_t start) const {
    int64_t open = 0;
    for (size_t i = start; i < lines.size(); ++i) {
      open += llvm::StringRef(lines[i]).count('{');
      open -= llvm::StringRef(lines[i]).count('}');
      if (open <= 0)
        return i + 1;
    }
    return lines.size();
  }

  bool attempt(Lines candidate) {
    if (candidate.size() >= lines.size() || Clock::now() >= end)
      return false;
    ++attempts;
    if (!keeps(join(candidate)))
      return false;
    lines = std::move(candidate);
    return true;
  }

  bool cut(size_t first, size_t last) {
    Lines candidate(lines.begin(), lines.begin() + first);
    candidate.insert(candidate.end(), lines.begin() + last, lines.end());
    return attempt(std::move(candidate));
  }

  /// Leaves what the braces of a unit hold, without the lines that open and close them.
  bool unwrap(size_t first, size_t last) {
    if (last - first < 3)
      return false;
    Lines candidate(lines.begin(), lines.begin() + first);
    candidate.insert(candidate.end(), lines.begin() + first + 1, lines.begin() + last - 1);
    candidate.insert(candidate.end(), lines.begin() + last, lines.end());
    return attempt(std::move(candidate));
  }

  /// Runs of `length` lines, then each unit; true where any could be cut.
  bool pass() {
    bool isSmaller = false;
    for (size_t length = lines.size() / 2; length > 0; length /= 2)
      for (size_t last = lines.size(); last >= length && last > 0;) {
        if (cut(last - length, last))
          isSmaller = true;
        last = last > length ? std::min(last - length, lines.size()) : 0;
      }
    for (size_t i = lines.size(); i-- > 0;) {
      if (i >= lines.size())
        continue;
      const size_t behind = endOf(i);
      if ((behind > i + 1 && cut(i, behind)) || unwrap(i, behind))
        isSmaller = true;
    }
    return isSmaller;
  }

  llvm::function_ref<bool(const std::string &)> keeps;
  Clock::time_point end;
  Lines lines;
  int64_t attempts = 0;
};

} // namespace

TextReduction bisect::reduceText(const std::string &text, llvm::function_ref<bool(const std::string &)> keeps,
                                 double seconds) {
  return LineReducer(text, keeps, seconds).run();
}
