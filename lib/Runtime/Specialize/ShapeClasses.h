//===- ShapeClasses.h - which calls share kernels ----------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// Private. A class of calls is an entry with sizes for some of its dynamic dimensions: those are its guards. Which
// classes there are is the policy's, and follows from the calls alone: no file, no clock, no other thread.
//
//===-------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_RUNTIME_SPECIALIZE_SHAPECLASSES_H
#define MICA_LIB_RUNTIME_SPECIALIZE_SHAPECLASSES_H

#include "mica/Artifact/Manifest.h"
#include "mica/Runtime/Tensor.h"
#include "mica/Support/Switches.h"

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

namespace mica::runtime {

/// "Dimension `dimension` of argument `argument` has size `size`."
struct Guard {
  uint32_t argument = 0, dimension = 0;
  int64_t size = 0;

  bool holds(std::span<const TensorView> inputs) const {
    return argument < inputs.size() && dimension < inputs[argument].shape.size() &&
           inputs[argument].shape[dimension] == size;
  }
};

/// Whether all of `guards` hold: a compare of two bounds and of a size for each, until one fails.
inline bool hold(std::span<const Guard> guards, std::span<const TensorView> inputs) {
  for (const Guard &guard : guards)
    if (!guard.holds(inputs))
      return false;
  return true;
}

/// "argument 0 ('x'), dimension 1 == 32 (model.mlir:3:12)".
std::string describeGuard(const artifact::EntryRecord &entry, const Guard &guard);
/// As it would be written in a program: "x.shape[1] == 32".
std::string guardCode(const artifact::EntryRecord &entry, const Guard &guard);
/// The text for mica-compile --specialize=: "main:0.1=32,1.0=8".
std::string specializationText(const artifact::EntryRecord &entry, std::span<const Guard> guards);

/// How classes are formed; the switches of these names.
struct SpecializePolicy {
  enum class Mode : uint8_t { Off, Exact, Auto };
  Mode mode = Mode::Off;
  int64_t after = 1;
  int64_t limit = 8;
  bool wait = false;

  static SpecializePolicy from(const Switches &switches);
};

/// The classes of one entry, as calls form them.
class ShapeClasses {
public:
  ShapeClasses(const artifact::EntryRecord &entry, const SpecializePolicy &policy);

  /// What to do after a call that no finished class takes.
  struct Decision {
    enum class Kind : uint8_t {
      Nothing,
      Compile,
      Limit,   ///< there are as many classes as there may be
      AllVary, ///< policy auto: no size is left that did not change
    };
    Kind kind = Kind::Nothing;
    std::vector<Guard> guards; ///< of the class to compile
    std::vector<std::string>
        failed; ///< why no earlier class takes the call: of each the first guard that failed, with the value
  };
  /// Notes a call with `inputs`; those that do not fit the entry's signature are left to others to refuse.
  Decision note(std::span<const TensorView> inputs);

  /// Whether note() can still come to anything: then false for good.
  bool open() const { return isOpen; }

private:
  struct Dimension {
    uint32_t argument, dimension;
  };
  bool readSizes(std::span<const TensorView> inputs);
  /// Policy auto: some class before is for another size, or for any.
  bool varies(size_t dimension) const;

  static constexpr size_t kMostSeen = 4096; ///< shapes that are counted

  const artifact::EntryRecord &entry;
  SpecializePolicy policy;
  std::vector<Dimension> dimensions;
  std::vector<int64_t> sizes; ///< of the call, per dimension; -1: varies
  std::map<std::vector<int64_t>, int64_t> uses;
  std::vector<std::vector<Guard>> requested;
  bool isOpen = true;
};

} // namespace mica::runtime

#endif // MICA_LIB_RUNTIME_SPECIALIZE_SHAPECLASSES_H
