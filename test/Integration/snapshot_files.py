"""Snapshots and line maps of an artifact as the tests read them: plain files, and packed ones (docs/Artifact.md, "Snapshots").

Packed files are read through libzstd itself, not through Mica; those of a pack are made by `mica-compile --unpack-snapshots` first.
"""
import ctypes
import ctypes.util
import functools
import json
import pathlib
import struct
import subprocess

SKIPPABLE = 0x184D2A5A


@functools.cache
def zstd():
    library = ctypes.CDLL(ctypes.util.find_library("zstd") or "libzstd.so.1")
    library.ZSTD_findFrameCompressedSize.restype = ctypes.c_size_t
    library.ZSTD_findFrameCompressedSize.argtypes = [ctypes.c_char_p, ctypes.c_size_t]
    library.ZSTD_getFrameContentSize.restype = ctypes.c_ulonglong
    library.ZSTD_getFrameContentSize.argtypes = [ctypes.c_char_p, ctypes.c_size_t]
    library.ZSTD_decompress.restype = ctypes.c_size_t
    library.ZSTD_decompress.argtypes = [ctypes.c_char_p, ctypes.c_size_t, ctypes.c_char_p, ctypes.c_size_t]
    return library


def unpack(data):
    """The contents of a frame."""
    size = zstd().ZSTD_getFrameContentSize(data, len(data))
    out = ctypes.create_string_buffer(max(size, 1))
    assert zstd().ZSTD_decompress(out, size, data, len(data)) == size
    return out.raw[:size].decode()


def unseal(folder):
    """Has the snapshots in `folder`, a record, made of its pack."""
    if pathlib.Path(folder, "snapshots.archive").exists() and not pathlib.Path(folder, "snapshots.json").exists():
        subprocess.run(["mica-compile", f"--unpack-snapshots={folder}"], check=True)


def packed(path):
    """(text, map) of the packed form of `path`."""
    unseal(pathlib.Path(path).parent)
    data = pathlib.Path(f"{path}.zst").read_bytes()
    size = zstd().ZSTD_findFrameCompressedSize(data, len(data))
    magic, length = struct.unpack_from("<II", data, size)
    assert magic == SKIPPABLE and size + 8 + length == len(data), path
    return unpack(data[:size]), unpack(data[size + 8:])


def read_text(path):
    return pathlib.Path(path).read_text() if pathlib.Path(path).exists() else packed(path)[0]


def read_map(path):
    plain = pathlib.Path(f"{path}.map.json")
    return json.loads(plain.read_text() if plain.exists() else packed(path)[1])


def rows(table):
    """(line, position in sets, row) of every line that a map has something of."""
    for row in table["lines"]:
        for line in range(row[0], row[1] + 1):
            yield line, row[2], row


def files(folder):
    """Names of the files of a record, packed ones as if they were not."""
    unseal(folder)
    return sorted(str(p.relative_to(folder)).removesuffix(".zst") for p in pathlib.Path(folder).rglob("*") if p.is_file())
