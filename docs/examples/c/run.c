//===- run.c - runs an artifact through Mica's C API -----------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------------------------------------------===//
//
//   cc -o run run.c -lmica
//   ./run build_output/model [SWITCHES]          such as nan-check,op-log-level=debug: docs/Environment.md
//
// Loads the artifact, prints what its first entry takes and gives, runs it on inputs 0, 1, 2, ... and prints the
// beginning of each result; then runs it once more in the background. Whatever fails, everything is released and the
// error is shown with the operation, the source line and the kernel that failed.
//
//===-----------------------------------------------------------------------------------------------------------===//

#include <mica/C/mica.h>

#include <stdio.h>
#include <stdlib.h>

// Exit code of mica-run for the same failure: 3 where a check hit, 4 for a hang, 2 for a fault of Mica's own.
static int exit_code(mica_code code) {
  return code == MICA_CHECK_FAILED ? 3 : code == MICA_HANG ? 4 : code == MICA_INTERNAL ? 2 : 1;
}

static int show_error(mica_error *error) {
  fprintf(stderr, "run: error: %s\n", error->message);
  if (error->place) {
    const mica_error_place *at = error->place;
    fprintf(stderr, "run: operation %s [%s], kernel '%s'\n", at->operation, at->id, at->kernel);
    if (at->line > 0)
      fprintf(stderr, "run: written at %s:%lld:%lld\n", at->file, (long long)at->line, (long long)at->column);
    if (at->element[0])
      fprintf(stderr, "run: of %s, at element %s\n", at->operands, at->element);
  }
  if (error->hint && error->hint[0])
    fprintf(stderr, "run: hint: %s\n", error->hint);
  const int code = exit_code(error->code);
  mica_error_clear(error);
  return code;
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

// An input of the given type: 0, 1, 2, ... with 4 for every size that is free. Returns 0 where this example cannot make
// one.
static int make_input(const mica_tensor_info *info, DLTensor *tensor) {
  if ((info->dtype.code != kDLFloat && info->dtype.code != kDLInt) || info->dtype.bits < 32) {
    fprintf(stderr, "run: error: this example knows 32 and 64 bit numbers only\n");
    return 0;
  }
  tensor->device.device_type = kDLCPU;
  tensor->ndim = info->ndim;
  tensor->dtype = info->dtype;
  tensor->shape = calloc((size_t)info->ndim + 1, sizeof(int64_t));
  for (int32_t i = 0; tensor->shape && i < info->ndim; ++i)
    tensor->shape[i] = info->shape[i] < 0 ? 4 : info->shape[i];
  const size_t count = tensor->shape ? count_elements(tensor) : 0;
  // Aligned to 64 bytes, so the library reads it where it is.
  tensor->data = aligned_alloc(64, (count * (info->dtype.bits / 8) / 64 + 1) * 64);
  if (!tensor->shape || !tensor->data) {
    fprintf(stderr, "run: error: not enough memory\n");
    return 0;
  }
  for (size_t i = 0; i < count; ++i)
    set(tensor, i, (double)i);
  return 1;
}

// Prints what the library gave, and gives it back.
static void print_and_release(DLManagedTensorVersioned **results, size_t count) {
  for (size_t r = 0; r < count; ++r) {
    const DLTensor *tensor = &results[r]->dl_tensor;
    const size_t elements = count_elements(tensor);
    printf("  result %zu:", r);
    for (size_t i = 0; i < elements && i < 8; ++i)
      printf(" %g", get(tensor, i));
    printf("%s\n", elements > 8 ? " ..." : "");
    results[r]->deleter(results[r]);
  }
}

// Everything that has to be released in the end.
struct run {
  mica_program *program;
  mica_context *context;
  mica_invocation *invocation;
  size_t input_count, result_count;
  DLTensor *inputs;
  const DLTensor **pointers; // to each of the inputs, as mica_invoke() takes them
  DLManagedTensorVersioned **results;
};

// Returns 0; 1 after an error that was shown; 2 after one that is in `error`.
static int run(struct run *r, const char *folder, const char *switches, mica_error *error) {
  if (switches && mica_set_switches(switches, error) != MICA_OK)
    return 2;
  if (mica_program_load(folder, &r->program, error) != MICA_OK)
    return 2;
  const size_t entry = 0;
  printf("mica %s, entry %s\n", mica_version(), mica_program_entry_name(r->program, entry));
  r->input_count = mica_program_argument_count(r->program, entry);
  r->result_count = mica_program_result_count(r->program, entry);
  r->inputs = calloc(r->input_count + 1, sizeof(DLTensor));
  r->pointers = calloc(r->input_count + 1, sizeof(DLTensor *));
  r->results = calloc(r->result_count + 1, sizeof(DLManagedTensorVersioned *));
  if (!r->inputs || !r->pointers || !r->results) {
    fprintf(stderr, "run: error: not enough memory\n");
    return 1;
  }
  mica_tensor_info info;
  for (size_t i = 0; i < r->input_count; ++i) {
    if (mica_program_argument(r->program, entry, i, &info, error) != MICA_OK)
      return 2;
    print_type("argument", i, &info);
    if (!make_input(&info, &r->inputs[i]))
      return 1;
    r->pointers[i] = &r->inputs[i];
  }
  for (size_t i = 0; i < r->result_count; ++i) {
    if (mica_program_result(r->program, entry, i, &info, error) != MICA_OK)
      return 2;
    print_type("result", i, &info);
  }

  const mica_context_options options = {.struct_size = sizeof(options), .threads = 2};
  if (mica_context_create(r->program, &options, &r->context, error) != MICA_OK)
    return 2;

  printf("invoke:\n");
  if (mica_invoke(r->context, entry, r->pointers, r->input_count, r->results, r->result_count, error) != MICA_OK)
    return 2;
  print_and_release(r->results, r->result_count);

  printf("submit and wait:\n");
  if (mica_submit(r->context, entry, r->pointers, r->input_count, &r->invocation, error) != MICA_OK)
    return 2;
  if (mica_invocation_wait(r->invocation, r->results, r->result_count, error) != MICA_OK)
    return 2;
  print_and_release(r->results, r->result_count);
  return 0;
}

int main(int argc, char **argv) {
  if (argc != 2 && argc != 3) {
    fprintf(stderr, "usage: run ARTIFACT [SWITCHES]\n");
    return 1;
  }
  struct run r = {0};
  mica_error error = MICA_ERROR_INIT;
  int code = run(&r, argv[1], argc == 3 ? argv[2] : NULL, &error);
  // In any order: what one needs of another it keeps alive. NULL may be released.
  mica_invocation_release(r.invocation);
  mica_context_release(r.context);
  mica_program_release(r.program);
  for (size_t i = 0; r.inputs && i < r.input_count; ++i) {
    free(r.inputs[i].data);
    free(r.inputs[i].shape);
  }
  free(r.inputs);
  free((void *)r.pointers);
  free(r.results);
  return code == 2 ? show_error(&error) : code;
}
