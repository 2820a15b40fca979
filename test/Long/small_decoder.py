#!/usr/bin/env python3
"""Prints the decoder step of the shared models with sizes divided by 64, so that its arguments of 7.2 GB become 2 MB and it can be evaluated.

usage: small_decoder.py subgraph0_decode_linalg.mlir

All ops stay. 12 heads of 128 become 12 heads of 2; vectors of 16 elements, in which a head is read, become vectors of 2.
"""
import pathlib
import re
import sys

SIZES = {151936: 2374, 8960: 140, 1536: 24, 1024: 16, 256: 4, 128: 2, 64: 1, 16: 2}


def main():
    text = pathlib.Path(sys.argv[1]).read_text()

    def smaller(found):
        return str(SIZES.get(int(found[1]), found[1]))

    # A number that is a size: not a part of a name or of a float. Between two x it is one, too.
    text = re.sub(r"(?<![%\w#.\-])(\d+)(?![\w.]*\d*e|\.)(?=x|\b)", smaller, text)
    text = re.sub(r"(?<=x)(\d+)(?=x)", smaller, text)
    positions = f"dense<[{list(range(16))}]> : tensor<1x16xi64>"
    sys.stdout.write(re.sub(r'dense<"0x[0-9A-F]*"> : tensor<1x16xi64>', positions, text))


main()
