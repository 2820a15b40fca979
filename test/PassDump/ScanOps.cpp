//===- ScanOps.cpp - what the scanner finds, for tests ---------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// Prints a line per op of each file named, "line name", after a line "FILE name"; and "unparsed N" where lines were not
// read.
//
//===-------------------------------------------------------------------------------------------------------===//

#include "mica/PassDump/Scan.h"
#include "mica/Support/Files.h"

#include <cstdio>

int main(int argc, char **argv) {
  for (int i = 1; i < argc; ++i) {
    const mica::Result<std::string> text = mica::readFile(argv[i]);
    if (!text) {
      std::fprintf(stderr, "%s\n", text.error().message.c_str());
      return 1;
    }
    std::printf("FILE %s\n", argv[i]);
    const mica::passdump::Scan found = mica::passdump::scan(*text, mica::passdump::Language::Mlir);
    for (const mica::passdump::ScannedOp &op : found.ops)
      std::printf("%lld %.*s\n", static_cast<long long>(op.line), static_cast<int>(op.name.size()), op.name.data());
    if (found.unparsedLines())
      std::printf("unparsed %lld\n", static_cast<long long>(found.unparsedLines()));
  }
  return 0;
}
