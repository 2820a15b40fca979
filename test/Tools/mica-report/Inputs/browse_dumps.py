"""Walks through the pages of dumps of other compilers in headless Chromium, and prints what holds.

usage: browse_dumps.py triton|attack PAGE.html [--screenshots=DIR]
       browse_dumps.py two PAGE.html [--screenshots=DIR]
       browse_dumps.py large PAGE.html MILLISECONDS
"""
import sys
import time

from browse import Browser


def picture(b, folder, name, width=1440, theme="light"):
    if not folder:
        return
    b.driver.set_window_size(width, 900)
    b.js("document.documentElement.dataset.theme = arguments[0]", theme)
    b.driver.save_screenshot(f"{folder}/{name}-{width}-{theme}.png")
    b.driver.set_window_size(1400, 900)


def triton(b, folder):
    text = b.text()
    for part in ("Triton kernels", "What was compiled", "ab12cd/add_kernel", "lines joined by their locations"):
        b.expect(part in text, f"the overview says '{part}'")
    b.expect(b.js("return document.querySelectorAll('#list a').length") == 5, "the stages are listed at the side")
    for width in (1440, 420):
        picture(b, folder, "overview", width)
    b.key("j")
    b.until(lambda: "/pass/" in b.driver.current_url, "the first stage by j")
    b.settle()
    b.key("j")
    b.key("j")
    b.until(lambda: b.title() == "0003 ttgir", "the third stage by j")
    b.settle()
    b.expect("9 ops changed" in b.text() and "~9" in b.js("return document.getElementById('list').innerText"), "the changes of a stage, and their number at the side")
    b.key("n")
    b.until(lambda: "1 of 9: changed module" in b.text(), "the first change by n")
    for width, theme in ((1440, "light"), (1440, "dark"), (420, "light"), (420, "dark")):
        picture(b, folder, "pass", width, theme)
    print("passes: keys, changes by structure, list at the side")
    b.key("v")
    b.until(lambda: "#/a/prov" in b.driver.current_url, "provenance by v")
    b.settle()
    stages = b.js("return [...document.querySelectorAll('.panes section')].map(s => s.querySelector('select').selectedOptions[0].textContent)")
    b.expect(len(stages) >= 4 and stages[0] == "add.py" and stages[-1].endswith(".ptx"), f"panes from Python to PTX: {stages}")
    b.js("""const line = 12, code = document.querySelector('.panes .code'), pre = code.querySelector('pre.text'), box = pre.getBoundingClientRect();
      pre.dispatchEvent(new MouseEvent('click', {bubbles: true, clientX: box.left + 5, clientY: box.top + (line - 1) * 18 + 9}));""")
    found = b.js("""return [...document.querySelectorAll('.panes section')].slice(1).map(s => { const band = s.querySelector('.bands > .same, .bands > .exact'), code = s.querySelector('.code');
      return band ? code.lines[band.offsetTop / 18].trim().split(' loc(')[0] : ''; })""")
    b.expect(all(any(word in line for word in ("addf", "fadd", "add.f32")) for line in found), f"line 12 of the source is the addition in each stage: {found}")
    for width in (1440, 420):
        picture(b, folder, "provenance", width)
    print("provenance: a line of Python in MLIR, LLVM IR and PTX")
    # The story of a line of the source: ops of dumps have no ids, but places.
    b.go("#/a/work/" + str(b.js("return art.passRuns.findIndex(r => r.pass.name === 'ttgir')")))
    for _ in range(9):
        if b.js("return document.querySelectorAll('.elsewhere .storyRow').length"):
            break
        b.key("n")
        time.sleep(0.6)
    b.until(lambda: b.js("return document.querySelectorAll('.elsewhere .storyRow').length"), "passes that touched the line")
    b.key("s")
    b.until(lambda: "/story/src" in b.driver.current_url and "Story of" in b.text(), "its story by s")
    b.expect("ttgir" in b.text() and "add.py:" in b.title() and b.js("return document.querySelectorAll('.story .line').length") > 0, f"small diffs: {b.text()[:300]}")
    picture(b, folder, "story", 1440)
    b.go("#/a/story/src%3Anone.py%3A1")
    b.expect("No pass of this report changed" in b.text(), "a place without a story")
    print("the story of a line")
    b.go("#/search/tt.addptr")
    b.until(lambda: "hits in" in b.text(), "a search")
    b.expect("tt.addptr" in b.text(), "hits of a search")
    for page in ("#/a/files", "#/about", "#/a/passes", "#/a/f/0005_ptx.ptx"):
        b.go(page)
        b.expect("cannot be shown" not in b.text() and "no such page" not in b.text(), page)
    b.expect(b.js("return document.documentElement.scrollWidth <= innerWidth + 1"), "nothing wider than the window")
    print("search, files, about")


def attack(b, folder):
    pages = ["#/a/", "#/a/passes", "#/a/pass/0", "#/a/work", "#/a/work/1/one.all", "#/a/files", "#/a/prov", "#/about", "#/search/pwned"]
    for page in pages:
        b.go(page)
        b.expect(b.js("return window.pwned === undefined && !document.querySelector('#main img, #list img, #main script')"), f"{page} is inert")
        for width in (1440, 420):
            b.driver.set_window_size(width, 900)
            wide = b.js("return [document.documentElement.scrollWidth, innerWidth]")
            b.expect(wide[0] <= wide[1] + 1, f"{page} is wider than a window of {width}: {wide}")
        picture(b, folder, "attack" + page.replace("/", "_").replace("#", ""), 420)
    print(f"{len(pages)} pages of hostile text: inert, at most as wide as the window")


def two(b, folder):
    text = b.text()
    for part in ("A row per pass that both dumps have", "0001\tInliner", "first difference after inline of add_kernel", "What differs, in the order of the passes"):
        b.expect(part in text, f"the overview says '{part}'")
    for width in (1440, 420):
        picture(b, folder, "two", width)
    b.key("j")
    b.until(lambda: "/pass/" in b.driver.current_url, "the first pass by j")
    b.settle()
    b.key("n")
    b.until(lambda: "changed arith.mulf" in b.text(), "the first change by n")
    for width, theme in ((1440, "dark"), (420, "light")):
        picture(b, folder, "two-pass", width, theme)
    print("two dumps: what differs first")


def large(b, most):
    most = float(most)
    pages = {"pass": "await shown('#/a/pass/' + (20 + i % 2))", "next pass": "await shown('#/a/pass/' + (100 + i % 2))", "passes": "await shown(['#/a/passes', '#/a/files'][i % 2])"}
    b.go("#/a/pass/20")
    for name, act in pages.items():
        took = b.measure(act, 6)
        print(f"{name}: {took:.0f} ms", file=sys.stderr)
        b.expect(took <= most, f"{name} took {took:.0f} ms")
    print("fast enough")


def main():
    kind, page, rest = sys.argv[1], sys.argv[2], sys.argv[3:]
    folder = next((argument.split("=", 1)[1] for argument in rest if argument.startswith("--screenshots=")), None)
    b = Browser(page)
    {"triton": triton, "attack": attack, "two": two, "large": large}[kind](b, rest[0] if kind == "large" else folder)
    errors = b.errors()
    print("no error on the console" if not errors else f"FAILED: {errors}")
    b.driver.quit()


main()
