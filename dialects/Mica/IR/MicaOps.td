//===- MicaOps.td - ops of the mica dialect ------------------------*- tablegen -*-===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------===//
//
// Includes all ops; each topic has its own file.
//
//===------------------------------------------------------------------------------===//

#ifndef MICA_OPS
#define MICA_OPS

include "dialects/Mica/IR/AttentionOps.td"
include "dialects/Mica/IR/AxisOps.td"
include "dialects/Mica/IR/CastOps.td"
include "dialects/Mica/IR/ContractionOps.td"
include "dialects/Mica/IR/ControlFlowOps.td"
include "dialects/Mica/IR/ElementwiseOps.td"
include "dialects/Mica/IR/GeneratorOps.td"
include "dialects/Mica/IR/ImageOps.td"
include "dialects/Mica/IR/LogicOps.td"
include "dialects/Mica/IR/MathOps.td"
include "dialects/Mica/IR/MovementOps.td"
include "dialects/Mica/IR/NormOps.td"
include "dialects/Mica/IR/ReductionOps.td"
include "dialects/Mica/IR/ShapeOps.td"
include "dialects/Mica/IR/WindowOps.td"

#endif // MICA_OPS
