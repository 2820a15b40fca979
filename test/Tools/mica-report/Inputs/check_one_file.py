"""usage: check_one_file.py FOLDER SINGLE.html ALL.zip: all of one log."""
import base64
import json
import pathlib
import re
import sys
import zipfile
import zlib

folder, single, archive = (pathlib.Path(a) for a in sys.argv[1:4])


def unpack(text):
    return json.loads(zlib.decompress(base64.b64decode(text)))


page = single.read_text()
inline = {name: unpack(text) for name, text in re.findall(r'id="mica-(\w+)">([^<]*)</script>', page)}
for path in (folder / "data").iterdir():
    name, text = re.fullmatch(r'micaData\("(\w+)","([^"]*)"\)\n', path.read_text()).groups()
    want, have = unpack(text), inline[name]
    if name == "report":
        assert have["single"] and have["logs"] == want["logs"] and have["packs"] == want["packs"]
    elif name.startswith("pack"):
        # Products name no file where there is none.
        strip = lambda texts: [re.sub(r'"[-_0-9]+/[^"]*"', '""', t) if t.startswith('{"products"') else t for t in texts]
        assert strip(have) == strip(want), name
    else:
        assert have == want, name
assert len(inline) == len(list((folder / "data").iterdir()))
assert not re.search(r'(src|href)="(?!#|data:)', page)
# Beside the page's own script and style, it is at most twice its data, compressed.
data = [zlib.decompress(base64.b64decode(text)) for text in re.findall(r'id="mica-\w+">([^<]*)</script>', page)]
code = re.sub(r'<script type="text/plain"[^>]*>[^<]*</script>', "", page)
assert len(page) - len(code) < 2 * sum(len(zlib.compress(each, 9)) for each in data)
print("page: the folder's data, nothing from outside")

members = zipfile.ZipFile(archive)
assert members.testzip() is None
root = "mica_out/"
files = {n[len(root):] for n in members.namelist() if n.startswith(root)}
assert len(files) == len(members.namelist())
# Each page has a nonce of its own.
without_nonces = lambda text: re.sub(rb"nonce(-|=\")\w+", b"nonce", text)
for name in files - {"about.json", "data/report.js"}:
    assert without_nonces(members.read(root + name)) == without_nonces((folder / name).read_bytes()), name
assert files - {"about.json"} == {p.relative_to(folder).as_posix() for p in folder.rglob("*") if p.is_file()}
about = json.loads(members.read(root + "about.json"))
print("zip: the folder's files, and about.json:", about["tool"], json.dumps(about["command"]))
