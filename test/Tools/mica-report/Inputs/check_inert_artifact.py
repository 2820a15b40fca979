"""usage: check_inert_artifact.py FOLDER REPORT SINGLE.html ALL.zip   (of the hostile artifact; all in FOLDER/deep/er)"""
import base64
import pathlib
import re
import sys
import zipfile
import zlib

folder = pathlib.Path(sys.argv[1])
here = folder / "deep/er"
report, single, archive = (here / name for name in sys.argv[2:5])
wrong = []
for path in folder.rglob("*"):
    inside = path.relative_to(here).parts[0] if here in path.parents else None
    if path.is_file() and path != folder / "secret.mlir" and inside not in {"a", "out.txt", "one.txt", "zip.txt", *sys.argv[2:5]}:
        wrong.append(f"a file outside the report: {path}")
names = [p.relative_to(report).as_posix() for p in report.rglob("*") if p.is_file()]
members = zipfile.ZipFile(archive).namelist()
for name in names + [n.split("/", 1)[1] for n in members]:
    if not re.match(r"(data/[a-z0-9]+\.js|[A-Za-z_.]+\.(html|json|jsonl))$", name):
        wrong.append(f"an unsafe name: {name!r}")
data = {p.name: re.fullmatch(r'micaData\("\w+","([A-Za-z0-9+/=]*)"\)\n', p.read_text()) for p in (report / "data").iterdir()}
for name, match in data.items():
    if not match:
        wrong.append(f"{name}: not data alone")
    elif b"the-secret" in zlib.decompress(base64.b64decode(match.group(1))):
        wrong.append(f"{name}: holds another file's text")
for page in (report / "index.html", single):
    text = page.read_text()
    inline = re.findall(r'<script type="text/plain" id="mica-\w+">([^<]*)</script>', text)
    if "mica_attack" in text or "onerror=" in text or "the-secret" in text or len(re.findall(r"<script", text)) != 1 + len(inline):
        wrong.append(f"{page}: holds text of the artifact")
    if any(b"the-secret" in zlib.decompress(base64.b64decode(d)) for d in inline):
        wrong.append(f"{page}: holds another file's text")
for line in wrong[:20]:
    print("WRONG", line)
if not wrong:
    print(len(names), "files, all in their places")
    print("pages hold no text of the artifact, and nothing of other files")
sys.exit(bool(wrong))
