"""Walks through the workbench of a report in headless Chromium, as files without network, and prints what holds.

usage: browse_work.py pages PAGE.html FOLDER, or browse_work.py times PAGE.html [MILLISECONDS]
FOLDER gets what the buttons copy: NAME.mlir, a test, and reproducer.txt.
"""
import pathlib
import sys
import time

from browse import Browser, check_inert, low_contrast
from selenium.webdriver.common.keys import Keys


def rows(b, half=1):
    """Rows on the screen of one half: [number, classes, text]."""
    return b.js("""return [...document.querySelectorAll('.both .rows:nth-child(' + (arguments[0] + 1) + ') .line')].map(
      e => [Number((e.querySelector('.no') || {}).textContent || 0), e.className, (e.querySelector('.text') || e).textContent])""", half)


def title(b):
    return b.js("return document.querySelector('.work h1').textContent")


def copied(b, label):
    """What a button copies."""
    return b.driver.execute_async_script("""const done = arguments[1];
      Object.defineProperty(navigator, 'clipboard', { value: { writeText: async value => done(value) }, configurable: true });
      [...document.querySelectorAll('.work button')].find(e => e.textContent === arguments[0]).click();""", label)


def run_of(b, name, on=None):
    return b.js("return art.passRuns.findIndex(r => r.pass.name === arguments[0] && r.file >= 0 && (!arguments[1] || r.op.startsWith(arguments[1])))", name, on)


def pages(b, folder):
    folder = pathlib.Path(folder)
    b.key("w")
    b.until(lambda: "/work" in b.driver.current_url, "the workbench by w")
    b.settle()
    groups = b.js("return [...document.querySelectorAll('.passRow')].map(e => e.textContent)")
    b.expect(any("×" in text for text in groups), f"a pass on several kernels is one row: {groups[:30]}")
    b.expect(len(groups) <= b.js("return art.passes.size"), "as many rows as passes at most")
    before = title(b)
    b.key("j")
    b.until(lambda: title(b) != before, "the next pass by j")
    b.key("k")
    b.until(lambda: title(b) == before, "the previous one by k")
    print("passes: one row for several kernels; j and k")

    # One kernel, a pass with changes of each kind of mark.
    number = run_of(b, "one-shot-bufferize")
    b.go(f"#/a/work/{number}")
    b.until(lambda: "one-shot-bufferize" in title(b), "a pass by its address")
    shown = rows(b)
    b.expect(any(" add" in c for _, c, _ in shown) and any(" del" in c for _, c, _ in rows(b, 0)) and any(" mod" in c for _, c, _ in shown), f"added, removed and changed lines: {shown}")
    b.expect(any(" fold" in c for _, c, _ in shown) or len(shown) < 40, "unchanged lines are folded")
    b.expect(len(rows(b, 0)) == len(shown), "both sides have the same rows")
    address = b.driver.current_url
    b.key("n")
    b.until(lambda: b.driver.current_url != address, "the next change by n")
    b.expect(" of " in b.text(), "which change it is")
    address = b.driver.current_url
    marked = [row for half in (0, 1) for row in rows(b, half) if "cursor" in row[1]]
    b.expect(len(marked) >= 1, "the cursor is on the screen")
    b.key("p")
    b.until(lambda: b.driver.current_url != address, "the one before by p")
    b.driver.get("about:blank")
    b.driver.get(address)
    b.until(lambda: [row for half in (0, 1) for row in rows(b, half) if "cursor" in row[1]] == marked, "the address shows the same")
    b.key("u")
    b.until(lambda: b.js("return document.querySelector('.both').classList.contains('one')") and "/one." in b.driver.current_url, "one column by u")
    b.key("u")
    b.key("z")
    b.until(lambda: ".all" in b.driver.current_url and not any(" fold" in c for _, c, _ in rows(b)), "all lines by z")
    b.key("g")
    b.key("3" + Keys.ENTER)
    b.until(lambda: any(n == 3 and "cursor" in c for n, c, _ in rows(b)), "line 3 by g")
    b.key("/")
    b.key("linalg" + Keys.ENTER)
    b.until(lambda: b.js("return document.querySelectorAll('.both mark').length") > 0 and any("cursor" in c and "linalg" in t for n, c, t in rows(b)), "a line with linalg by /")
    b.key(Keys.ESCAPE)
    print("before and after: aligned, marked, folded, one column; n, p, g, /; by address")

    b.until(lambda: b.js("return document.querySelectorAll('.elsewhere .card').length > 2"), "the op in other stages")
    stages = b.js("return [...document.querySelectorAll('.elsewhere .card[data-stage]')].map(e => e.dataset.stage)")
    b.expect({"source", "loops", "LLVM IR", "assembly"} <= set(stages), f"source, loops, LLVM IR and assembly of it: {stages}")
    b.expect(b.js("return document.querySelectorAll('.elsewhere .storyRow').length") > 5, "the passes that touched it")
    b.key("s")
    b.until(lambda: "/story/" in b.driver.current_url, "its story by s")
    b.settle()
    text = b.text()
    b.expect("Story of" in text and "convert-tosa-to-mica" in text and "removed tosa.conv2d" in text and b.js("return document.querySelectorAll('.story .line.add').length") > 5, "a small diff for each pass")
    b.js("document.querySelectorAll('.story header a')[1].click()")
    b.until(lambda: "/work/" in b.driver.current_url, "from the story to the pass")
    b.settle()
    print("the op in every stage, and its story")

    b.go(f"#/a/work/{number}")
    b.until(lambda: "one-shot-bufferize" in title(b), "the pass again")
    op = copied(b, "copy op")
    b.expect(op.strip() and "\n" in op, f"the text of the op: {op}")
    (folder / "reproducer.txt").write_text(copied(b, "copy reproducer") + "\n")
    for name in ("one-shot-bufferize", "convert-tosa-to-mica", "mica-dispatch-generalize-ops", "cse"):
        b.go(f"#/a/work/{run_of(b, name)}")
        b.until(lambda: name in title(b), name)
        time.sleep(1)  # the buttons have their labels again
        (folder / f"{name}.mlir").write_text(copied(b, "copy test"))
    b.expect(copied(b, "link") == b.driver.current_url, "the link is the address")
    print("copied: op, reproducer, tests, link")

    b.go("#/a/work")
    b.key("c")
    b.key("bufferize")
    b.until(lambda: b.js("return [...document.querySelectorAll('.passRow')].every(e => e.textContent.includes('buffer') || e.classList.contains('inside'))") and "bufferize" in b.driver.current_url, "filter by text, in the address")
    b.key(Keys.ESCAPE)
    b.driver.get("about:blank")
    b.driver.get(b.page + "#/a/work/0/side.fold/kind%3Dlinalg.generic%26changed%3D1")
    b.settle()
    b.expect(b.js("const s = document.querySelector('.filters select'); return s.value") == "linalg.generic", "filter by op, from the address")
    names = b.js("return [...new Set([...document.querySelectorAll('.passRow')].map(e => e.title))]")
    b.expect(names and not any("convert-to-llvm" in n for n in names), f"only passes that changed such an op: {names}")
    print("filters: text, op; in the address")

    for theme in ("dark", "light"):
        b.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": theme}]})
        for width in (1440, 420):
            b.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": False})
            for address in (f"#/a/work/{number}", "#/a/work/" + str(b.js("return art.passRuns.findIndex(r => r.file < 0)")), "#/a/work/99999", "#/a/story/" + b.js("return art.ops[3][0]"), "#/a/story/nothing", "#/a/work/x/y/z"):
                b.go(address)
                b.expect(b.js("return document.documentElement.scrollWidth <= innerWidth"), f"nothing beside the page at {width} pixels of {address}")
                check_inert(b)
                low = low_contrast(b)
                b.expect(not low, f"contrast of at least 4.5 in {theme} at {address}: {low}")
    print("dark, light, wide, narrow; contrast")


def times(b, limit):
    """Milliseconds of each interaction with the pass that has most lines, and with the list of passes."""
    b.driver.set_script_timeout(60)
    took = {}
    b.go("#/a/work")
    most = b.js("const r = art.passRuns.filter(r => r.file >= 0 && r.counts.some(Boolean)).sort((x, y) => art.files[y.file].lines - art.files[x.file].lines)[0]; return [r.index, art.files[r.file].lines]")
    b.go(f"#/a/work/{most[0]}")
    press = "const run = document.querySelector('.work h1').textContent; document.dispatchEvent(new KeyboardEvent('keydown', {key: '%s', bubbles: true}));"
    changed = " while (document.querySelector('.work h1').textContent === run) await new Promise(next => setTimeout(next, 1));"
    passes = b.js("return art.passRuns.filter(r => r.file >= 0 && r.changed).length")
    for key, what, wait in (("n", "next change", ""), ("p", "previous change", ""), ("u", "one column", ""), ("z", "all lines", ""), ("j", "next pass", changed), ("k", "previous pass", changed)):
        if passes > 8 or not wait:
            took[what] = b.measure(press % key + wait, 4)
    took["scroll"] = b.measure("document.querySelectorAll('.both .rows')[1].scrollTop = 9000 * (i + 1)", 4)
    took["find"] = b.measure("const box = document.getElementById('workFind'); box.value = 'const' + i; box.dispatchEvent(new Event('input'))", 3)
    took["filter"] = b.measure("const box = document.getElementById('workFilter'); box.value = 'ca' + 'no'.slice(i); box.dispatchEvent(new Event('input'))", 3)
    b.go("#/about")
    took["show"] = b.measure(f"if (i) await shown('#/about'); location.hash = '#/a/work/{most[0]}'; while (!document.querySelector('.work h1')) await new Promise(next => setTimeout(next, 1))", 3)
    slow = [f"{what}: {ms:.0f} ms" for what, ms in took.items() if ms > limit]
    for what, ms in took.items():
        print(f"{what}: {ms:.0f} ms", file=sys.stderr)
    b.expect(not slow, f"every interaction within {limit:.0f} ms: {slow}")
    print(f"{len(took)} interactions with a text of {most[1]} lines and {b.js('return art.passRuns.length')} runs of passes")


def main():
    browser = Browser(sys.argv[2])
    try:
        if sys.argv[1] == "times":
            times(browser, float(sys.argv[3]) if len(sys.argv) > 3 else 1e9)
        else:
            pages(browser, sys.argv[3])
        errors = browser.errors()
        print("no error on the console" if not errors else f"FAILED: {errors[:5]}")
        return bool(errors)
    finally:
        browser.driver.quit()


if __name__ == "__main__":
    sys.exit(main())
