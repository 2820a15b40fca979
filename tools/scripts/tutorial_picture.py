#!/usr/bin/env python3
"""Draws docs/pictures/tutorial.svg, the picture of docs/Tutorial.md: what mica-bisect says of the pass with a fault.

usage: tutorial_picture.py BUILD_DIR [OUTPUT.svg]
"""
import pathlib
import sys
import tempfile

from readme_picture import MARGIN, WIDTH, CHARACTER, run, window


def main():
    build = pathlib.Path(sys.argv[1]).resolve()
    source = pathlib.Path(__file__).resolve().parents[2]
    output = pathlib.Path(sys.argv[2]) if len(sys.argv) > 2 else source / "docs" / "pictures" / "tutorial.svg"
    command = "mica-bisect colors.onnx --load-pass-plugin=MicaFoldDivisions.so --add-passes=tensor:fold-divisions ..."
    with tempfile.TemporaryDirectory() as name:
        folder, tools = pathlib.Path(name), build / "bin"
        run(f"python3 {source}/docs/examples/tutorial/make.py .", folder, tools)
        said = run(f"mica-bisect colors.onnx --load-pass-plugin={build}/test/Plugins/MicaFoldDivisions.so "
                   "--add-passes=tensor:fold-divisions --input=@test_data_set_0/input_0.pb -o verdict", folder, tools)
    step = next(k for k, line in enumerate(said) if "step inside" in line)
    inputs = next(k for k, line in enumerate(said) if "inputs that suffice" in line)
    shown = [f"$ {command}", *said[:3], "  ...", *said[step:step + 2], "  ...", *said[inputs:]]
    parts, height = window("Which pass is wrong, and what in it?", shown, 1)
    width = WIDTH * CHARACTER + 2 * MARGIN
    text = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{width + 2:.0f}" height="{height + 2}" '
            'font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, monospace" font-size="12">', *parts, "</svg>"]
    output.write_text("\n".join(text) + "\n")


if __name__ == "__main__":
    main()
