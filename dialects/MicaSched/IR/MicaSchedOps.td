//===- MicaSchedOps.td - the operations of the dialect `mica_sched` ---*- tablegen -*-===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------===//

#ifndef MICASCHED_OPS
#define MICASCHED_OPS

include "dialects/MicaSched/IR/MicaSchedDialect.td"

#endif // MICASCHED_OPS
