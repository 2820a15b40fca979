//===- AbiHeader.c - a program with the header that the build asks for ----------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------------------------------------------===//
//
// MICA_TEST_OLD_VERSION: a program of that version from before headers. Otherwise the members as given;
// MICA_TEST_SIMULATOR: the features of a program with kernels for the simulator.
//
//===-----------------------------------------------------------------------------------------------------------===//

#include "mica/ABI/Program.h"

#ifdef MICA_TEST_OLD_VERSION
const uint32_t mica_abi_version = MICA_TEST_OLD_VERSION;
#else
#ifndef MICA_TEST_VERSION
#define MICA_TEST_VERSION MICA_ABI_VERSION
#endif
#ifndef MICA_TEST_HEADER_BYTES
#define MICA_TEST_HEADER_BYTES sizeof(mica_program_header_v1)
#endif
#ifdef MICA_TEST_SIMULATOR
#define MICA_TEST_FEATURES MICA_TEST_SIMULATOR
const void *mica_sim_api = 0;
#endif
#ifndef MICA_TEST_FEATURES
#define MICA_TEST_FEATURES 0
#endif
#ifndef MICA_TEST_SANITIZER
#define MICA_TEST_SANITIZER MICA_SANITIZER_NONE
#endif
const uint32_t mica_abi_version = MICA_TEST_VERSION;
const mica_program_header_v1 mica_program_header = {
    MICA_TEST_VERSION, MICA_TEST_HEADER_BYTES, MICA_TEST_FEATURES, MICA_TEST_SANITIZER, 0, "other-compiler 3.1"};
#endif
