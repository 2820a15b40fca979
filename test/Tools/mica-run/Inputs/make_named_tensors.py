#!/usr/bin/env python3
"""Writes files of named tensors for the entry affine(x: ?x3xf32), as other writers do.

usage: make_named_tensors.py FOLDER [--numpy]

Without --numpy the .npz files come from Python's zipfile, with it from numpy.savez; .safetensors from its specification: the
header is padded to 8 bytes only, so the data are aligned to nothing more.
"""
import io
import json
import pathlib
import struct
import sys
import zipfile

folder = pathlib.Path(sys.argv[1])
values = [1, 2, 3, 4, 5, 6]


def npy(descr, fortran, shape, data):
    text = f"{{'descr': '{descr}', 'fortran_order': {fortran}, 'shape': {shape}, }}\n"
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(text)) + text.encode() + data


def npz(name, members, method):
    with zipfile.ZipFile(folder / name, "w", method) as file:
        for member, data in members.items():
            file.writestr(member, data)


def safetensors(name, tensors):
    header, data = {"__metadata__": {"format": "np"}}, b""
    for tensor, (dtype, shape, raw) in tensors.items():
        header[tensor] = {"dtype": dtype, "shape": shape, "data_offsets": [len(data), len(data) + len(raw)]}
        data += raw
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    (folder / name).write_bytes(struct.pack("<Q", len(text)) + text + data)


if "--numpy" in sys.argv:
    import numpy
    x = numpy.array(values, "f4").reshape(2, 3)
    numpy.savez(folder / "numpy.npz", x=x, step=numpy.int64(7))
    numpy.savez_compressed(folder / "numpy_compressed.npz", x)  # called arr_0
    numpy.save(folder / "numpy.npy", numpy.asfortranarray(x.astype(">f4")))
    for name in sys.argv[3:]:
        with numpy.load(name) as file:
            for member in sorted(file.files):
                array = file[member]
                print(member, array.dtype, array.shape, array.tolist())
    sys.exit()

good = npy("<f4", False, (2, 3), struct.pack("<6f", *values))
npz("stored.npz", {"x.npy": good, "y.npy": npy(">f4", True, (2, 3), struct.pack(">6f", 1, 4, 2, 5, 3, 6))}, zipfile.ZIP_STORED)
npz("deflated.npz", {"arg0.npy": good, "readme.txt": "passed over"}, zipfile.ZIP_DEFLATED)
npz("lzma.npz", {"x.npy": good}, zipfile.ZIP_LZMA)
npz("others.npz", {"weight.npy": good, "bias.npy": good}, zipfile.ZIP_STORED)
npz("types.npz", {"x.npy": npy("<c8", False, (2, 3), bytes(48))}, zipfile.ZIP_STORED)
raw = struct.pack("<6f", *values)
safetensors("w.safetensors", {"odd": ("U8", [3], b"abc"), "x": ("F32", [2, 3], raw)})
safetensors("half.safetensors", {"x": ("F16", [2, 3], struct.pack("<6e", *values))})
whole = (folder / "w.safetensors").read_bytes()
(folder / "cut.safetensors").write_bytes(whole[:-1])
(folder / "cut.npz").write_bytes((folder / "stored.npz").read_bytes()[:-1])
