//===- DumpPlan.h - what the switches dump-* select ------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------------------------------------------===//
//
// Decided once per place of the program, when a context is made; and how large a dump will be, before anything runs.
//
//===-----------------------------------------------------------------------------------------------------------===//

#ifndef MICA_RUNTIME_DUMPPLAN_H
#define MICA_RUNTIME_DUMPPLAN_H

#include "mica/Artifact/Manifest.h"
#include "mica/Runtime/Program.h"
#include "mica/Support/Status.h"
#include "mica/Support/Switches.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace mica::runtime {

/// What is written of a buffer of a launch.
enum class DumpDetail : uint8_t { Nothing, Statistics, Elements };

class DumpPlan {
public:
  /// Nothing where dump-tensors is 0. InvalidInput: level 1 with nothing that selects, an unknown role. Unsupported:
  /// dump-exact with a program that was compiled without.
  static Result<std::optional<DumpPlan>> from(const Switches &switches, const Program &program);

  int64_t level() const { return askedLevel; }
  /// How the lines of a launch name its place: the manifest's sites, then, for launches whose site is unknown, its
  /// kernels.
  size_t placeOf(int64_t site, const artifact::KernelRecord &kernel) const;
  size_t places() const { return details.size(); }
  /// Per binding of the kernel, then, with dump-exact, per tensor inside of it (artifact::DumpReplay).
  const std::vector<DumpDetail> &detailsOf(size_t place) const { return details[place]; }
  /// Whether the launches of a place get lines.
  bool isLogged(size_t place) const { return logged[place]; }
  /// Whether elements of a tensor of so many bytes are written.
  bool takesBytes(int64_t bytes) const { return bytes >= least && bytes <= limit; }

  /// An operation with mica_check.dump of which no tensor is dumped.
  struct Hidden {
    const artifact::OpRecord *op;
    std::string kernel; ///< that keeps it inside; "": the program does not compute it as such
  };
  const std::vector<Hidden> &hidden() const { return hiddenOps; }

  /// Tensors and bytes of one pass over all task lists: of launches in loops that happens again and again. Sizes that
  /// are known at run time only count as 1.
  struct Estimate {
    int64_t tensors = 0, bytes = 0;
    bool isLeast = false; ///< there are such sizes, or loops
  };
  Estimate estimate(const Program &program) const;

private:
  const artifact::Manifest *manifest = nullptr;
  int64_t askedLevel = 0, least = 0, limit = INT64_MAX;
  std::vector<Hidden> hiddenOps;
  std::vector<std::vector<DumpDetail>> details;
  std::vector<bool> logged;
};

} // namespace mica::runtime

#endif // MICA_RUNTIME_DUMPPLAN_H
