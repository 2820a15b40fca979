//===- TaskListsFuzzer.cpp - host/tasks.json --------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// Read against a small manifest, whose positions the lists may name.
//
//===-------------------------------------------------------------------------------------------------------===//

#include "test/Fuzz/Fuzz.h"
#include "test/Unit/Artifact/SampleManifest.h"

using namespace mica;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static const artifact::Manifest manifest = artifact::sampleManifest();
  Result<std::vector<artifact::TaskList>> lists =
      artifact::parseTaskLists(fuzz::view(data, size), "tasks.json", manifest);
  if (!lists) {
    fuzz::checkRefusal(lists.error());
    return 0;
  }
  const std::string text = artifact::printTaskLists(*lists);
  Result<std::vector<artifact::TaskList>> second = artifact::parseTaskLists(text, "again.json", manifest);
  fuzz::expect(second.isOk(), "printed task lists can be read");
  fuzz::expect(artifact::printTaskLists(*second) == text, "and print the same");
  return 0;
}
