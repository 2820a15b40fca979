//===- Elements.h - texts without the elements of constants -----------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// Private: small constants lie in the code itself, in every stage of it. A report that is to hold no weights leaves the
// elements of constants of more than one element out of every text; a splat and a scalar are code, and stay.
//
//===-------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_REPORT_ELEMENTS_H
#define MICA_LIB_REPORT_ELEMENTS_H

#include <string>
#include <string_view>

namespace mica::report {

/// `text` without the elements of constants; lines and their numbers stay. The form is that of the text:
///
///   MLIR       dense<[1.5, 2.5]>, dense<"0x..">, sparse<..>   dense_resource<__elided__>, as MLIR elides them
///              w: "0x04000000..." (a resource)                w: "0x..."
///   LLVM IR    [2 x float] [float 1.5, float 2.5], c"..."     [2 x float] [...], c"..."
///   assembly   a label's directives .long 1, .ascii ".."      .long ...; vector constants in comments likewise
///   PTX        .b8 w[4] = {0, 0, 1, 2}                        .b8 w[4] = {...}
///
/// What Mica's compiler itself writes for the runtime (names that begin with mica_: messages, signatures) stays, as do
/// masks of shuffles.
std::string elideElements(std::string_view text);

} // namespace mica::report

#endif // MICA_LIB_REPORT_ELEMENTS_H
