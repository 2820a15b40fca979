//===- GoldenFuzzer.cpp - golden.json and criteria ----------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------------------------------------------===//
//
// Golden data comes from others. What is read prints as text that reads as the same; files are in the folder.
//
//===--------------------------------------------------------------------------------------------------------------===//

#include "test/Fuzz/Fuzz.h"

#include "mica/Compare/Criteria.h"
#include "mica/Compare/GoldenFile.h"

using namespace mica;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  const std::string_view text = fuzz::view(data, size);
  if (const Result<Criteria> criteria = parseCriteria(text); criteria) {
    const Result<Criteria> again = parseCriteria(printCriteria(*criteria));
    fuzz::expect(again && *again == *criteria, "criteria read as they are printed");
  } else {
    fuzz::checkRefusal(criteria.error());
  }
  const Result<Golden> golden = parseGolden(text, "golden.json");
  if (!golden) {
    fuzz::checkRefusal(golden.error());
    return 0;
  }
  for (const auto *tensors : {&golden->inputs, &golden->results})
    for (const GoldenTensor &tensor : *tensors) {
      const std::filesystem::path file = splitArchiveMember(tensor.file).file;
      fuzz::expect(file.is_relative() && tensor.file.find("..") != 0, "files are in the folder");
    }
  const std::string printed = printGolden(*golden);
  const Result<Golden> again = parseGolden(printed, "golden.json");
  fuzz::expect(bool(again), "what is printed is read");
  fuzz::expect(printGolden(*again) == printed, "and is the same");
  return 0;
}
