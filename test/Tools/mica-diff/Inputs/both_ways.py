"""What mica-diff finds in records by comparing is what it reads from what it keeps beside them.

    python3 both_ways.py SCRATCH RECORD... [--brief RECORD...]

Runs mica-diff on each record in every form that it prints, once with --recompare and once without; on those after --brief in one of the two
forms that say most, in turn.
"""
import pathlib
import re
import subprocess
import sys

FORMS = [["--stat"], ["--json"], ["--json", "--texts"], ["--context=3"], ["--all"], ["--side-by-side", "--width=160"],
         ["--quiet", "--html={html}"]]
BRIEF = [["--json", "--texts"], ["--all"]]


def run(*arguments):
    ran = subprocess.run(["mica-diff", *arguments], capture_output=True)
    if ran.returncode not in (0, 3):
        sys.exit(f"mica-diff {' '.join(map(str, arguments))}: exit code {ran.returncode}: {ran.stderr.decode()}")
    return ran


def main():
    scratch = pathlib.Path(sys.argv[1])
    scratch.mkdir()
    forms = FORMS
    for number, record in enumerate(map(pathlib.Path, sys.argv[2:])):
        if str(record) == "--brief":
            forms = BRIEF
            continue
        folder = record / "passes_dump" if (record / "passes_dump").exists() else record
        kept = folder / "changes.archive"
        assert not kept.exists(), f"{kept} is there before anybody asked"
        run(record, "--stat")
        contents = kept.read_bytes()
        for form in forms if forms is FORMS else [BRIEF[number % 2]]:
            found = []
            for flags in (["--recompare"], []):
                html = scratch / "page.html"
                ran = run(record, *flags, *(word.format(html=html) for word in form), "--mica-logs=import")
                log = ran.stderr.decode()
                compared = log.count(": by structure") + log.count(": as text")
                read = log.count(": kept, ")
                assert compared + read > 0 and (compared if not flags else read) == 0, f"{record} {form} {flags}: {log}"
                page = html.read_bytes() if form[-1].startswith("--html") else b""
                # Each page has a nonce of its own.
                found.append((ran.returncode, ran.stdout, re.sub(rb"nonce(-|=\")\w+", b"nonce", page)))
            assert found[0] == found[1], f"{record}: mica-diff {' '.join(form)} prints another thing with what is kept"
        assert kept.read_bytes() == contents, f"{kept} is another after comparing again"
        print(f"{record.name}: the same both ways")


if __name__ == "__main__":
    main()
