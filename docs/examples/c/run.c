//===- run.c - runs an artifact through Mica's C API -----------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------------------------------------------===//
//
//   cc -o run run.c -lmica
//   ./run build_output/model
//
// Loads the artifact, prints what its first entry takes and gives, runs it on inputs 0, 1, 2, ... and prints the beginning of
// each result; then runs it once more in the background.
//
//===-----------------------------------------------------------------------------------------------------------===//

#include <mica/C/mica.h>

#include <stdio.h>
#include <stdlib.h>

static void check(mica_code code, mica_error *error) {
  if (code == MICA_OK)
    return;
  fprintf(stderr, "run: error: %s\n", error->message);
  if (error->hint && error->hint[0])
    fprintf(stderr, "run: hint: %s\n", error->hint);
  mica_error_clear(error);
  exit(1);
}

static void print_type(const char *what, size_t index, const mica_tensor_info *info) {
  printf("  %s %zu%s%s: ", what, index, info->name[0] ? " " : "", info->name);
  for (int32_t i = 0; i < info->ndim; ++i) {
    if (info->shape[i] < 0)
      printf("?x");
    else
      printf("%lldx", (long long)info->shape[i]);
  }
  printf("%s%d\n", info->dtype.code == kDLFloat ? "f" : "i", info->dtype.bits);
}

// Reads and writes element i of the types this example knows: float and double, 32 and 64 bit integers.
static double get(const DLTensor *tensor, size_t i) {
  const int is_float = tensor->dtype.code == kDLFloat;
  if (tensor->dtype.bits == 64)
    return is_float ? ((double *)tensor->data)[i] : (double)((int64_t *)tensor->data)[i];
  return is_float ? ((float *)tensor->data)[i] : (double)((int32_t *)tensor->data)[i];
}

static void set(DLTensor *tensor, size_t i, double value) {
  const int is_float = tensor->dtype.code == kDLFloat;
  if (tensor->dtype.bits == 64 && is_float)
    ((double *)tensor->data)[i] = value;
  else if (tensor->dtype.bits == 64)
    ((int64_t *)tensor->data)[i] = (int64_t)value;
  else if (is_float)
    ((float *)tensor->data)[i] = (float)value;
  else
    ((int32_t *)tensor->data)[i] = (int32_t)value;
}

static size_t count_elements(const DLTensor *tensor) {
  size_t count = 1;
  for (int32_t i = 0; i < tensor->ndim; ++i)
    count *= (size_t)tensor->shape[i];
  return count;
}

// An input of the given type: 0, 1, 2, ... with 4 for every size that is free.
static DLTensor *make_input(const mica_tensor_info *info) {
  if ((info->dtype.code != kDLFloat && info->dtype.code != kDLInt) || info->dtype.bits < 32) {
    fprintf(stderr, "run: error: this example knows 32 and 64 bit numbers only\n");
    exit(1);
  }
  DLTensor *tensor = calloc(1, sizeof(DLTensor));
  tensor->device.device_type = kDLCPU;
  tensor->ndim = info->ndim;
  tensor->dtype = info->dtype;
  tensor->shape = calloc((size_t)info->ndim + 1, sizeof(int64_t));
  for (int32_t i = 0; i < info->ndim; ++i)
    tensor->shape[i] = info->shape[i] < 0 ? 4 : info->shape[i];
  size_t count = count_elements(tensor);
  // Aligned to 64 bytes, so the library need not copy it.
  tensor->data = aligned_alloc(64, (count * (info->dtype.bits / 8) / 64 + 1) * 64);
  for (size_t i = 0; i < count; ++i)
    set(tensor, i, (double)i);
  return tensor;
}

static void print_and_free(DLManagedTensorVersioned **results, size_t count) {
  for (size_t r = 0; r < count; ++r) {
    const DLTensor *tensor = &results[r]->dl_tensor;
    size_t elements = count_elements(tensor);
    printf("  result %zu:", r);
    for (size_t i = 0; i < elements && i < 8; ++i)
      printf(" %g", get(tensor, i));
    printf("%s\n", elements > 8 ? " ..." : "");
    results[r]->deleter(results[r]);
  }
}

int main(int argc, char **argv) {
  if (argc != 2) {
    fprintf(stderr, "usage: run ARTIFACT\n");
    return 1;
  }
  mica_error error = MICA_ERROR_INIT;
  mica_program *program = NULL;
  check(mica_program_load(argv[1], &program, &error), &error);

  const size_t entry = 0;
  printf("mica %s, entry %s\n", mica_version(), mica_program_entry_name(program, entry));
  const size_t input_count = mica_program_argument_count(program, entry);
  const size_t result_count = mica_program_result_count(program, entry);
  DLTensor **inputs = calloc(input_count + 1, sizeof(DLTensor *));
  DLManagedTensorVersioned **results = calloc(result_count + 1, sizeof(DLManagedTensorVersioned *));
  mica_tensor_info info;
  for (size_t i = 0; i < input_count; ++i) {
    check(mica_program_argument(program, entry, i, &info, &error), &error);
    print_type("argument", i, &info);
    inputs[i] = make_input(&info);
  }
  for (size_t i = 0; i < result_count; ++i) {
    check(mica_program_result(program, entry, i, &info, &error), &error);
    print_type("result", i, &info);
  }

  mica_context_options options = {.struct_size = sizeof(options), .threads = 2};
  mica_context *context = NULL;
  check(mica_context_create(program, &options, &context, &error), &error);
  mica_program_release(program); // the context keeps what it needs

  printf("invoke:\n");
  check(mica_invoke(context, entry, (const DLTensor *const *)inputs, input_count, results, result_count, &error),
        &error);
  print_and_free(results, result_count);

  printf("submit and wait:\n");
  mica_invocation *invocation = NULL;
  check(mica_submit(context, entry, (const DLTensor *const *)inputs, input_count, &invocation, &error), &error);
  check(mica_invocation_wait(invocation, results, result_count, &error), &error);
  print_and_free(results, result_count);
  mica_invocation_release(invocation);

  mica_context_release(context);
  for (size_t i = 0; i < input_count; ++i) {
    free(inputs[i]->data);
    free(inputs[i]->shape);
    free(inputs[i]);
  }
  free(inputs);
  free(results);
  return 0;
}
