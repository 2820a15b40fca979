//===- FakeNvtx.c - a stand-in for the library that a profiler injects ------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------------------------------------------===//
//
// What NVTX calls when NVTX_INJECTION64_PATH names it: takes ranges, and prints them to the file FAKE_NVTX names, a
// line for each begin and end. Written against NVTX's binary interface, not against Mica's.
//
//===-----------------------------------------------------------------------------------------------------------===//

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

typedef void (*Function)(void);
struct Callbacks {
  size_t struct_size;
  int (*get_module_function_table)(int module, Function ***table, unsigned int *size);
};

static uint64_t last;

static void line(const char *what, uint64_t range, const char *text) {
  FILE *file = fopen(getenv("FAKE_NVTX"), "a");
  if (!file)
    return;
  fprintf(file, "%s %llu %s\n", what, (unsigned long long)range, text);
  fclose(file);
}
static uint64_t rangeStart(const char *text) {
  uint64_t range = __atomic_add_fetch(&last, 1, __ATOMIC_RELAXED);
  line("begin", range, text);
  return range;
}
static void rangeEnd(uint64_t range) { line("end", range, ""); }

__attribute__((visibility("default"))) int InitializeInjectionNvtx2(const void *(*get_export_table)(uint32_t)) {
  enum { kCallbacks = 1, kModuleCore = 1, kRangeStartA = 5, kRangeEnd = 7 };
  const struct Callbacks *callbacks = (const struct Callbacks *)get_export_table(kCallbacks);
  Function **table = NULL;
  unsigned int size = 0;
  if (!callbacks || callbacks->struct_size < sizeof *callbacks ||
      !callbacks->get_module_function_table(kModuleCore, &table, &size) || size <= kRangeEnd)
    return 0;
  *table[kRangeStartA] = (Function)rangeStart;
  *table[kRangeEnd] = (Function)rangeEnd;
  return 1;
}
