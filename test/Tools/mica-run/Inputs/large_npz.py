#!/usr/bin/env python3
# Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes an .npz of a megabyte with x, 4 floats, and large, 2^28 floats.

usage: large_npz.py FILE
"""
import struct
import sys
import zipfile


def header(shape):
    text = f"{{'descr': '<f4', 'fortran_order': False, 'shape': {shape}, }}".encode()
    text += b" " * (63 - (10 + len(text)) % 64) + b"\n"
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(text)) + text


with zipfile.ZipFile(sys.argv[1], "w", zipfile.ZIP_DEFLATED) as archive:
    archive.writestr("x.npy", header((4,)) + struct.pack("<4f", 1, 2, 3, 4))
    with archive.open("large.npy", "w", force_zip64=True) as member:
        member.write(header((1 << 28,)))
        for _ in range(1024):
            member.write(bytes(1 << 20))
