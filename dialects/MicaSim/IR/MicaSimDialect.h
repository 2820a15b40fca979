//===- MicaSimDialect.h - the dialect `mica_sim` ------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Names of the attributes of simulated kernels. The dialect's description documents them.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_DIALECTS_MICASIM_IR_MICASIMDIALECT_H
#define MICA_DIALECTS_MICASIM_IR_MICASIMDIALECT_H

#include "mlir/IR/Dialect.h"

#include <optional>

#include "dialects/MicaSim/IR/MicaSimDialect.h.inc"

namespace mica::sim {

inline constexpr llvm::StringLiteral kKernelAttr = "mica_sim.kernel";
inline constexpr llvm::StringLiteral kWorkgroupBytesAttr = "mica_sim.workgroup_bytes";
inline constexpr llvm::StringLiteral kChecksAttr = "mica_sim.checks";
inline constexpr llvm::StringLiteral kGranuleAttr = "mica_sim.granule";
inline constexpr llvm::StringLiteral kSitesAttr = "mica_sim.sites";
inline constexpr llvm::StringLiteral kFlagsAttr = "mica_sim.flags";
inline constexpr llvm::StringLiteral kLaunchAttr = "mica_sim.launch";
inline constexpr llvm::StringLiteral kLaunchSiteAttr = "mica_sim.launch_site";
inline constexpr llvm::StringLiteral kUniformAttr = "mica_sim.uniform";
inline constexpr llvm::StringLiteral kLaneAttr = "mica_sim.lane";
inline constexpr llvm::StringLiteral kPointAttr = "mica_sim.point";
inline constexpr llvm::StringLiteral kServiceAttr = "mica_sim.service";
inline constexpr llvm::StringLiteral kHostServiceAttr = "mica_sim.host_service";
inline constexpr llvm::StringLiteral kAlignmentAttr = "mica_sim.alignment";

/// The offset in mica_sim_api_v1 of the function `name`, which a marker may name; nothing for other names.
std::optional<size_t> serviceOffset(llvm::StringRef name);

} // namespace mica::sim

#endif // MICA_DIALECTS_MICASIM_IR_MICASIMDIALECT_H
