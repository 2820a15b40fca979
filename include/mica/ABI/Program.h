//===- Program.h - what a program relies on, by version and features ------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------------------------------------------===//
//
// The header of a program.so, in plain C. The runtime reads it before anything else, and rejects a program whose
// requirements it does not meet, naming what is missing. Any compiler can target these contracts.
//
// Rules of evolution:
// - A structure named *_v1 only grows, at its end. A program that reads or calls an added member sets the feature bit
//   that came with it.
// - A member that changes its meaning or its place makes a structure *_v2 and a new MICA_ABI_VERSION.
// - A feature bit is never reused. A runtime rejects a program with a bit that it does not know.
// - A runtime takes programs of every version up to its own.
//
//===-----------------------------------------------------------------------------------------------------------===//

#ifndef MICA_ABI_PROGRAM_H
#define MICA_ABI_PROGRAM_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Version of the structures in include/mica/ABI. Programs of versions 1 to 8 have no header: each of these versions
/// stands for one more feature, and the symbol `mica_abi_version` alone gives it.
#define MICA_ABI_VERSION 9u

/// Features that a program requires beyond the first members of mica_kernel_args_v1 (`buffers` to `parts`) and of
/// mica_host_api_v1 (`abi_version` to `fail`). Bits of mica_program_header_v1::features.
#define MICA_FEATURE_CHECKS                                                                                            \
  (UINT64_C(1) << 0) ///< `checks` of kernel arguments and `report` of host services (Checks.h)
#define MICA_FEATURE_SHADOWS (UINT64_C(1) << 1) ///< shadow memory in the logs of checks
#define MICA_FEATURE_GPU (UINT64_C(1) << 2)     ///< kernels launch code on a device: `gpu` of kernel arguments (Gpu.h)
#define MICA_FEATURE_GPU_CHECKS (UINT64_C(1) << 3) ///< logs that the device can access (mica_gpu_check_log_v1)
#define MICA_FEATURE_GPU_MEMORY (UINT64_C(1) << 4) ///< `allocate` and `release` of mica_gpu_services_v1
#define MICA_FEATURE_SIZES (UINT64_C(1) << 5)      ///< the table of Memory.h; `allocate` and `bytes` of host services
#define MICA_FEATURE_SHAPES (UINT64_C(1) << 6)     ///< `allocate_aligned` and `reshape` of both; `result_of`
#define MICA_FEATURE_SIMULATOR (UINT64_C(1) << 7)  ///< the simulator's table of Sim.h, version 2
#define MICA_FEATURE_REPORTS (UINT64_C(1) << 8)    ///< MICA_REPORT_FLOATS and MICA_REPORT_LOOP of Host.h
/// Version 3 of the simulator's table, with MICA_FEATURE_SIMULATOR: kernels have flags, launches a site, and the
/// program tells of its memory. A program of version 2 is rejected.
#define MICA_FEATURE_SIMULATOR_MEMORY (UINT64_C(1) << 9)
#define MICA_FEATURE_HOST_OPS (UINT64_C(1) << 10) ///< MICA_REPORT_HOST_OP of Host.h
#define MICA_FEATURE_RELEASES (UINT64_C(1) << 11) ///< `mark` and `release` of host services
/// All of the above.
#define MICA_FEATURES_KNOWN ((UINT64_C(1) << 12) - 1)

/// Sanitizer instrumentation of a program: the process that runs it must have the same sanitizer's runtime.
enum mica_sanitizer {
  MICA_SANITIZER_NONE = 0,
  MICA_SANITIZER_ADDRESS = 1,
  MICA_SANITIZER_MEMORY = 2,
  MICA_SANITIZER_THREAD = 3,
  MICA_SANITIZER_UNDEFINED = 4,
};

#define MICA_PROGRAM_HEADER_SYMBOL "mica_program_header"

/// The constant `mica_program_header` of program.so. The first two members keep their offsets in every version.
typedef struct mica_program_header_v1 {
  uint32_t abi_version;  ///< MICA_ABI_VERSION for which the program was compiled
  uint32_t header_bytes; ///< size of this structure when the program was compiled
  uint64_t features;     ///< MICA_FEATURE_* that the code requires
  uint32_t sanitizer;    ///< enum mica_sanitizer
  uint32_t reserved;     ///< 0
  char producer[32];     ///< "mica 0.1.0": the compiler, for messages; NUL-terminated
} mica_program_header_v1;

/// Defines the header of a program written in C, and the symbol by which runtimes before version 9 reject it.
#define MICA_DEFINE_PROGRAM_HEADER(FEATURES, PRODUCER)                                                                 \
  const uint32_t mica_abi_version = MICA_ABI_VERSION;                                                                  \
  const mica_program_header_v1 mica_program_header = {                                                                 \
      MICA_ABI_VERSION, sizeof(mica_program_header_v1), (FEATURES), MICA_SANITIZER_NONE, 0, PRODUCER}

#ifdef __cplusplus
} // extern "C"
#endif

#endif // MICA_ABI_PROGRAM_H
