"""unpack_archive.py FILES ARCHIVE: compares the snapshots of an artifact of plain files with those of an unpacked one, byte for byte."""
import json
import pathlib
import sys

from snapshot_files import packed

files, archive = (pathlib.Path(folder, "passes_dump") for folder in sys.argv[1:3])
names = sorted(path.name for path in files.glob("*.mlir"))
assert names == sorted(path.name for path in archive.glob("*.mlir"))
for name in names:
    text = (files / name).read_bytes()
    assert text == (archive / name).read_bytes(), name
    lines = json.loads((files / f"{name}.map.json").read_text())
    # A map beside its own text needs no hashes of it.
    hashes = lines.pop("hashes")
    assert len(hashes) == 8 * (text.count(b"\n") + 1), name
    other = json.loads(packed(archive / name)[1])
    other.pop("hashes", None)
    assert lines == other, name
print(f"{len(names)} snapshots, texts and line maps the same")
