# Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The levels of x86-64 that this machine runs, for scripts and tests that compile for one of them."""
import pathlib

# What x86-64-v3 adds (psABI, section 3.1.1), as /proc/cpuinfo names it.
X86_64_V3 = {"avx", "avx2", "bmi1", "bmi2", "f16c", "fma", "abm", "movbe", "xsave"}


def level_up_to_3():
    """3, or 2 where a part of 3 is missing: a hypervisor may hide a single extension of a processor that has all."""
    return 3 if X86_64_V3 <= set(pathlib.Path("/proc/cpuinfo").read_text().split()) else 2
