"""Writes an array: array.py FILE.npy SHAPE f2|f4 VALUE [INDEX=VALUE]...: VALUE everywhere but at the flat positions INDEX."""
import math
import pathlib
import struct
import sys

shape, kind = [int(size) for size in sys.argv[2].split("x")], sys.argv[3]
values = [float(sys.argv[4])] * math.prod(shape)
for place in sys.argv[5:]:
    index, value = place.split("=")
    values[int(index)] = float(value)
head = f"{{'descr': '<{kind}', 'fortran_order': False, 'shape': ({''.join(f'{size},' for size in shape)}), }}"
head = head.ljust(117) + "\n"
pathlib.Path(sys.argv[1]).write_bytes(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(head)) + head.encode() +
                                      struct.pack(f"<{len(values)}{'e' if kind == 'f2' else 'f'}", *values))
