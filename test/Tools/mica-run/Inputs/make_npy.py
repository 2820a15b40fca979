#!/usr/bin/env python3
"""Writes a good .npy file in Fortran order and several damaged ones.   usage: make_npy.py FOLDER"""
import pathlib
import struct
import sys

folder = pathlib.Path(sys.argv[1])


def header(descr, fortran, shape):
    text = f"{{'descr': '{descr}', 'fortran_order': {fortran}, 'shape': {shape}, }}\n"
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(text)) + text.encode()


good = header("<f4", True, (2, 3)) + struct.pack("<6f", 0, 3, 1, 4, 2, 5)
(folder / "fortran.npy").write_bytes(good)
(folder / "text.npy").write_text("1 2 3\n")
(folder / "short.npy").write_bytes(good[:-1])
(folder / "header.npy").write_bytes(good[:40])
(folder / "long.npy").write_bytes(good + b"more")
(folder / "objects.npy").write_bytes(header("|O", False, (2, 3)) + b"pickle")
