//===- Scanners.h - one scanner per language ---------------------------------------------------------*- C++ -*-===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------------------------------------------===//
//
// Private: what fills a Scan, and what the scanners share.
//
//===-----------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_PASSDUMP_SCANNERS_H
#define MICA_LIB_PASSDUMP_SCANNERS_H

#include "lib/PassDump/Cursor.h"
#include "mica/PassDump/Scan.h"

namespace mica::passdump {

void scanMlir(std::string_view text, Scan &scan, size_t mostOps);
void scanLlvm(std::string_view text, Scan &scan, size_t mostOps);
void scanHlo(std::string_view text, Scan &scan, size_t mostOps);

/// Notes that `line` could not be read.
inline void addUnparsed(Scan &scan, int64_t line) {
  if (!scan.unparsed.empty() && scan.unparsed.back().last >= line - 1)
    scan.unparsed.back().last = std::max(scan.unparsed.back().last, line);
  else
    scan.unparsed.push_back({line, line});
}

/// The hash of op number `number` with all that it depends on; its uses and `own` are final. `inside`: of its regions.
inline uint64_t deepHash(const Scan &scan, size_t number, uint64_t inside) {
  const ScannedOp &op = scan.ops[number];
  uint64_t hash = op.own;
  for (uint32_t i = 0; i < op.useCount; ++i) {
    const ValueUse &use = scan.uses[op.firstUse + i];
    if (use.op < 0)
      hash = mix(hash, 1);
    else
      hash = mix(hash,
                 mix(use.argument ? 2 : scan.ops[static_cast<size_t>(use.op)].deep, static_cast<uint64_t>(use.number)));
  }
  return mix(hash, inside);
}

} // namespace mica::passdump

#endif // MICA_LIB_PASSDUMP_SCANNERS_H
