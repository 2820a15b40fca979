"""usage: check_inert.py FOLDER REPORT SINGLE.html ALL.zip   (of the attack log; all below FOLDER)"""
import pathlib
import re
import sys
import zipfile

folder = pathlib.Path(sys.argv[1])
report, single, archive = (folder / name for name in sys.argv[2:5])
wrong = []
nonces = set()
allowed = {"a.log", "out.txt", "one.txt", "zip.txt", *sys.argv[2:5]}
for path in folder.parents[1].rglob("*"):
    inside = path.relative_to(folder).parts[0] if folder in path.parents else None
    if path.is_file() and inside not in allowed:
        wrong.append(f"a file outside the report: {path}")
names = [p.relative_to(report).as_posix() for p in report.rglob("*") if p.is_file()]
safe = re.compile(r"(data/[a-z0-9]+\.js|[A-Za-z_.]+\.(html|json|jsonl)|[-0-9_]+/[A-Za-z0-9_][A-Za-z0-9_.-]*\.(txt|json|py|cpp|cu|mlir|ll|s|sh))$")
members = zipfile.ZipFile(archive)
if members.testzip():
    wrong.append("the zip is damaged")
for name in names + [n.split("/", 1)[1] for n in members.namelist()]:
    if not safe.match(name) or ".." in name.split("/") or len(name) > 160:
        wrong.append(f"an unsafe name: {name!r}")
# Scripts are those of the tool; texts of the log are in data files, as base64.
for page in (report / "index.html", single):
    text = page.read_text()
    if "mica_attack" in text or "onerror=" in text:
        wrong.append(f"{page}: holds text of the log")
    data = re.findall(r'<script type="text/plain" id="mica-\w+">([^<]*)</script>', text)
    if len(re.findall(r"<script", text)) != 1 + len(data):
        wrong.append(f"{page}: a script that is not the tool's")
    if not all(re.fullmatch(r"[A-Za-z0-9+/=]+", d) for d in data):
        wrong.append(f"{page}: data that is not base64")
    if re.search(r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function", text):
        wrong.append(f"{page}: makes markup or code of strings")
    nonce = re.search(r"Content-Security-Policy\" content=\"default-src 'none'; script-src 'nonce-(\w{20,})'", text)
    if not nonce or f'<script nonce="{nonce[1]}">' not in text:
        wrong.append(f"{page}: no policy")
    elif nonce[1] in nonces:
        wrong.append(f"{page}: the nonce of another page")
    else:
        nonces.add(nonce[1])
for script in (report / "data").iterdir():
    if not re.fullmatch(r'micaData\("\w+","[A-Za-z0-9+/=]*"\)\n', script.read_text()):
        wrong.append(f"{script}: not data alone")
for line in wrong[:20]:
    print("WRONG", line)
print(len(names), "files, all in their places" if not wrong else "files")
if not wrong:
    print("pages hold no text of the log")
sys.exit(bool(wrong))
