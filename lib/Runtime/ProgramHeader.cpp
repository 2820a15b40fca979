//===- ProgramHeader.cpp - whether this runtime meets what a program needs ------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------------------------------------------===//
//
// See the header.
//
//===-----------------------------------------------------------------------------------------------------------===//

#include "lib/Runtime/ProgramHeader.h"

#include "mica/Support/Text.h"
#include "mica/Support/Version.h"

#include <array>
#include <cstring>
#include <string_view>

namespace mica::runtime {
namespace {

/// By bit.
constexpr std::array<std::string_view, 12> kFeatureNames = {
    "checks", "shadows",   "gpu",     "gpu-checks",       "gpu-memory", "sizes",
    "shapes", "simulator", "reports", "simulator-memory", "host-ops",   "releases"};
static_assert(MICA_FEATURES_KNOWN == (UINT64_C(1) << kFeatureNames.size()) - 1);

/// By enum mica_sanitizer.
constexpr std::array<std::string_view, 5> kSanitizerNames = {"", "address", "memory", "thread", "undefined"};

/// The sanitizer whose runtime this process has.
constexpr uint32_t ownSanitizer() {
#if defined(__SANITIZE_ADDRESS__)
  return MICA_SANITIZER_ADDRESS;
#elif defined(__SANITIZE_THREAD__)
  return MICA_SANITIZER_THREAD;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
  return MICA_SANITIZER_ADDRESS;
#elif __has_feature(memory_sanitizer)
  return MICA_SANITIZER_MEMORY;
#elif __has_feature(thread_sanitizer)
  return MICA_SANITIZER_THREAD;
#elif __has_feature(undefined_behavior_sanitizer)
  return MICA_SANITIZER_UNDEFINED;
#else
  return MICA_SANITIZER_NONE;
#endif
#else
  return MICA_SANITIZER_NONE;
#endif
}

/// What programs without a header may have.
constexpr uint64_t kFeaturesBeforeHeaders =
    MICA_FEATURES_KNOWN & ~(MICA_FEATURE_SIMULATOR_MEMORY | MICA_FEATURE_HOST_OPS | MICA_FEATURE_RELEASES);

/// Versions before 9 were a ladder on the CPU (1 to 3), and of programs for a GPU (4 to 6); from 7 on a program could
/// have any feature of an earlier version too.
constexpr std::array<uint64_t, 9> kFeaturesOfVersion = {
    0,
    0,
    MICA_FEATURE_CHECKS,
    MICA_FEATURE_CHECKS | MICA_FEATURE_SHADOWS,
    MICA_FEATURE_GPU,
    MICA_FEATURE_GPU | MICA_FEATURE_GPU_CHECKS,
    MICA_FEATURE_GPU | MICA_FEATURE_GPU_CHECKS | MICA_FEATURE_GPU_MEMORY,
    kFeaturesBeforeHeaders & ~MICA_FEATURE_SHAPES,
    kFeaturesBeforeHeaders,
};

Error wrongVersion(const std::filesystem::path &file, uint32_t version) {
  return {ErrorCode::Unsupported,
          file.string() + ": was compiled for version " + std::to_string(version) + " of the ABI, this runtime (Mica " +
              std::string(mica::version()) + ") takes versions 1 to " + std::to_string(MICA_ABI_VERSION),
          version > MICA_ABI_VERSION ? "use a newer Mica to run it" : "compile the program again"};
}

Error damaged(const std::filesystem::path &file, const std::string &problem) {
  return {ErrorCode::Damaged, file.string() + ": " + problem, "compile the program again"};
}

} // namespace

std::vector<std::string> featureNames(uint64_t features) {
  std::vector<std::string> names;
  for (size_t bit = 0; bit < 64; ++bit)
    if (features >> bit & 1)
      names.push_back(bit < kFeatureNames.size() ? std::string(kFeatureNames[bit]) : "bit " + std::to_string(bit));
  return names;
}

Result<mica_program_header_v1> readProgramHeader(const SharedLibrary &library, const std::filesystem::path &file) {
  mica_program_header_v1 header{};
  const Result<void *> address = library.symbol(MICA_PROGRAM_HEADER_SYMBOL);
  if (!address) {
    MICA_ASSIGN_OR_RETURN(void *version, library.symbol("mica_abi_version"));
    std::memcpy(&header.abi_version, version, sizeof(header.abi_version));
    if (header.abi_version == 0 || header.abi_version > MICA_ABI_VERSION)
      return wrongVersion(file, header.abi_version);
    if (header.abi_version >= kFeaturesOfVersion.size())
      return damaged(file, std::string("has no symbol '") + MICA_PROGRAM_HEADER_SYMBOL + "'");
    header.header_bytes = sizeof(header);
    header.features = kFeaturesOfVersion[header.abi_version];
    return header;
  }

  constexpr size_t kFirst = 2 * sizeof(uint32_t); // that keep their places in every version
  std::memcpy(&header, *address, kFirst);
  if (header.abi_version == 0 || header.abi_version > MICA_ABI_VERSION)
    return wrongVersion(file, header.abi_version);
  if (header.header_bytes < sizeof(header))
    return damaged(file, "the header '" MICA_PROGRAM_HEADER_SYMBOL "' has " + std::to_string(header.header_bytes) +
                             " bytes, expected at least " + std::to_string(sizeof(header)));
  std::memcpy(&header, *address, sizeof(header));
  header.producer[sizeof(header.producer) - 1] = '\0';
  const std::string producer = header.producer[0] ? " (compiled by " + std::string(header.producer) + ")" : "";
  if (const uint64_t missing = header.features & ~MICA_FEATURES_KNOWN)
    return Error{ErrorCode::Unsupported,
                 file.string() + producer + ": needs ABI " + (missing & (missing - 1) ? "features " : "feature ") +
                     joinNames(featureNames(missing)) + ", unknown to this runtime (Mica " +
                     std::string(mica::version()) + ")",
                 "use a newer Mica to run it"};
  if (header.sanitizer >= kSanitizerNames.size())
    return Error{ErrorCode::Unsupported,
                 file.string() + producer + ": is instrumented by sanitizer " + std::to_string(header.sanitizer) +
                     ", unknown to this runtime (Mica " + std::string(mica::version()) + ")",
                 "use a newer Mica to run it"};
  if (header.sanitizer != MICA_SANITIZER_NONE && header.sanitizer != ownSanitizer()) {
    const std::string name(kSanitizerNames[header.sanitizer]);
    return Error{ErrorCode::Unsupported,
                 file.string() + producer + ": is instrumented by the " + name +
                     " sanitizer, and this process does not have its runtime",
                 "run it in a process built with -fsanitize=" + name + ", or compile it without"};
  }
  return header;
}

} // namespace mica::runtime
