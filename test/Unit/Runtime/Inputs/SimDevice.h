//===- SimDevice.h - the kernels of TestKernels.c in the simulator ---------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------------------------------------------===//
//
// A kernel is a wrapper that launches blocks of one thread; the thread runs the body for the block's share of the work.
//
//===-----------------------------------------------------------------------------------------------------------===//

#ifndef MICA_TEST_UNIT_RUNTIME_INPUTS_SIMDEVICE_H
#define MICA_TEST_UNIT_RUNTIME_INPUTS_SIMDEVICE_H

#include "mica/ABI/Sim.h"

MICA_DEFINE_PROGRAM_HEADER(MICA_FEATURE_SIMULATOR | MICA_FEATURE_SIMULATOR_MEMORY, "tests");
const mica_sim_api_v1 *mica_sim_api;

typedef struct {
  mica_kernel_fn_v1 body;
  mica_kernel_args_v1 args;
  int32_t code;
} SimCall;

/// A body that ends with it has its thread report a failed check.
enum { kFinding = 400 };

static void runThread(struct mica_sim_warp_v1 *warp) {
  SimCall *call = *(SimCall **)warp->uniform[MICA_SIM_ARGS];
  for (int64_t i = 0; i < warp->num_lanes; ++i) {
    const uint8_t lane = warp->lanes[i];
    call->args.part = warp->uniform[MICA_SIM_BLOCK_ID_X];
    call->args.parts = warp->uniform[MICA_SIM_GRID_DIM_X];
    const int32_t code = call->body(&call->args);
    if (code == kFinding)
      mica_sim_api->report(warp, lane, 0, "a value that is not wanted", 0, 0);
    else if (code != 0)
      call->code = code;
    warp->next[lane] = MICA_SIM_DONE;
  }
}

static int32_t simulate(const char *name, mica_kernel_fn_v1 body, const mica_kernel_args_v1 *args, int64_t blocks) {
  static const mica_sim_region_v1 regions[] = {runThread};
  static const mica_sim_point_v1 points[] = {{MICA_SIM_ENTRY, -1, {0, 0, 0, 0}}};
  static const mica_sim_site_v1 sites[] = {{"memref.load at model.mlir:4:8"}};
  const mica_sim_kernel_v1 kernel = {name, 1, 1, regions, points, sites, 16, 0, MICA_SIM_CHECK_BOUNDS, 4, 0, 0};
  SimCall call = {body, *args, 0};
  struct {
    _Alignas(16) SimCall *call;
  } arguments = {&call};
  const mica_sim_launch_v1 launch = {&kernel, {blocks, 1, 1}, {1, 1, 1}, 0, &arguments, ""};
  if (mica_sim_api->launch(&launch))
    return MICA_STATUS_CHECK_FAILED;
  return call.code;
}

#define KERNEL(name, blocks)                                                                                           \
  static int32_t body_##name(const mica_kernel_args_v1 *args);                                                         \
  int32_t mica_kernel_##name(const mica_kernel_args_v1 *args) { return simulate(#name, body_##name, args, blocks); }   \
  static int32_t body_##name(const mica_kernel_args_v1 *args)

#endif // MICA_TEST_UNIT_RUNTIME_INPUTS_SIMDEVICE_H
