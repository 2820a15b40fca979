//===- client.c - runs an artifact on given inputs, and prints its structured error ----------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------------------------------------------===//
//
//   client ARTIFACT SWITCHES INPUT...          an input: 2x3xf32=1,2,3,4,5,6, or one number for all elements
//
// Ends as mica-run does: 3 where a check found something, 4 for a hang, 1 for what the program cannot take. The line
// "place: {...}" is the structured error as JSON.
//
//===-----------------------------------------------------------------------------------------------------------===//

#include <mica/C/mica.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { kMostInputs = 8, kMostDims = 8, kMostBytes = 4096 };

struct input {
  DLTensor tensor;
  int64_t shape[kMostDims];
  _Alignas(64) char memory[kMostBytes];
};

static uint16_t half_of(double value) {
  const _Float16 half = (_Float16)value;
  uint16_t bits;
  memcpy(&bits, &half, sizeof bits);
  return bits;
}

static void set(DLTensor *tensor, size_t i, const char *text) {
  const double real = strtod(text, NULL);
  const int64_t whole = (int64_t)strtoll(text, NULL, 10);
  const int is_float = tensor->dtype.code == kDLFloat;
  if (is_float && tensor->dtype.bits == 64)
    ((double *)tensor->data)[i] = real;
  else if (is_float && tensor->dtype.bits == 32)
    ((float *)tensor->data)[i] = (float)real;
  else if (is_float)
    ((uint16_t *)tensor->data)[i] = half_of(real);
  else if (tensor->dtype.bits == 64)
    ((int64_t *)tensor->data)[i] = whole;
  else
    ((int32_t *)tensor->data)[i] = (int32_t)whole;
}

/// Fills `input` with what `text` says. Nonzero where it does not understand it.
static int parse(const char *text, struct input *input) {
  DLTensor *tensor = &input->tensor;
  memset(tensor, 0, sizeof *tensor);
  tensor->device.device_type = kDLCPU;
  tensor->shape = input->shape;
  tensor->data = input->memory;
  size_t count = 1;
  while (*text >= '0' && *text <= '9') {
    char *end;
    const int64_t size = strtoll(text, &end, 10);
    input->shape[tensor->ndim++] = size;
    count *= (size_t)size;
    text = end + 1;
  }
  const char *values = strchr(text, '=');
  if (!values || tensor->ndim > kMostDims || count * 8 > kMostBytes)
    return 1;
  tensor->dtype.lanes = 1;
  tensor->dtype.code = *text == 'f' ? kDLFloat : kDLInt;
  tensor->dtype.bits = strncmp(text, "index", 5) == 0 ? 64 : (uint8_t)atoi(text + 1);
  const char *value = values + 1;
  for (size_t i = 0; i < count; ++i) {
    set(tensor, i, value);
    const char *comma = strchr(value, ',');
    value = comma ? comma + 1 : value;
  }
  return 0;
}

static int show_error(mica_error *error) {
  printf("error: %s\n", error->message);
  if (error->place) {
    const mica_error_place *at = error->place;
    printf("place: {\"operation\": \"%s\", \"file\": \"%s\", \"line\": %lld, \"kernel\": \"%s\", \"operands\": \"%s\", "
           "\"element\": \"%s\"}\n",
           at->operation, at->file, (long long)at->line, at->kernel, at->operands, at->element);
  }
  const mica_code code = error->code;
  mica_error_clear(error);
  return code == MICA_CHECK_FAILED ? 3 : code == MICA_HANG ? 4 : code == MICA_INTERNAL ? 2 : 1;
}

int main(int argc, char **argv) {
  static struct input inputs[kMostInputs];
  const DLTensor *pointers[kMostInputs];
  DLManagedTensorVersioned *results[kMostInputs];
  if (argc < 3 || argc - 3 > kMostInputs)
    return 1;
  const size_t count = (size_t)argc - 3;
  for (size_t i = 0; i < count; ++i) {
    if (parse(argv[3 + i], &inputs[i])) {
      fprintf(stderr, "client: error: %s is no input\n", argv[3 + i]);
      return 1;
    }
    pointers[i] = &inputs[i].tensor;
  }
  mica_error error = MICA_ERROR_INIT;
  mica_program *program = NULL;
  mica_context *context = NULL;
  const mica_context_options options = {.struct_size = sizeof(options), .threads = 2};
  int code = 0;
  size_t result_count = 0;
  if ((argv[2][0] && mica_set_switches(argv[2], &error) != MICA_OK) ||
      mica_program_load(argv[1], &program, &error) != MICA_OK ||
      mica_context_create(program, &options, &context, &error) != MICA_OK)
    code = show_error(&error);
  else if ((result_count = mica_program_result_count(program, 0)) > kMostInputs)
    code = 1;
  else if (mica_invoke(context, 0, pointers, count, results, result_count, &error) != MICA_OK)
    code = show_error(&error);
  else
    for (size_t i = 0; i < result_count; ++i)
      results[i]->deleter(results[i]);
  mica_context_release(context);
  mica_program_release(program);
  return code;
}
