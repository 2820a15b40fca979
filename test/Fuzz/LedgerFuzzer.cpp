//===- LedgerFuzzer.cpp - ledgers of launches ---------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// A ledger is what a crashed process left behind: any bytes may be in it.
//
//===-------------------------------------------------------------------------------------------------------===//

#include "test/Fuzz/Fuzz.h"

#include "mica/Runtime/Ledger.h"

using namespace mica;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  Result<runtime::LedgerContents> contents = runtime::parseLedger(fuzz::view(data, size), "run.ledger");
  if (!contents) {
    fuzz::checkRefusal(contents.error());
    return 0;
  }
  for (size_t i = 0; i < contents->entries.size(); ++i) {
    const runtime::LedgerEntry &entry = contents->entries[i];
    fuzz::expect(entry.stage != runtime::LedgerEntry::Stage::None, "an entry is a launch");
    fuzz::expect(i == 0 || contents->entries[i - 1].id <= entry.id, "entries are in the order of their ids");
    fuzz::expect(entry.kernel.size() < 97, "a name ends where its place does");
  }
  return 0;
}
