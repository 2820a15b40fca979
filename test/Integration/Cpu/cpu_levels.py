# Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Levels of processors that this machine runs."""
import pathlib


def level_with_avx2():
    """x86-64-v3; x86-64-v2 where the machine, or the virtual machine, lacks an extension of it."""
    flags = set(pathlib.Path("/proc/cpuinfo").read_text().split())
    return "x86-64-v3" if {"avx", "avx2", "bmi1", "bmi2", "f16c", "fma", "abm", "movbe"} <= flags else "x86-64-v2"
