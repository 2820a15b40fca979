"""Walks through the tensor browser and the graph of tasks in headless Chromium, as files without network, and prints what holds.

usage: browse_tensors.py PAGE.html [--screenshots=DIR]

The report is of the program of browser-tensors.test, whose elements follow from its inputs by hand.
"""
import sys

from browse import Browser

PAGE = sys.argv[1]
SHOTS = next((a.split("=")[1] for a in sys.argv if a.startswith("--screenshots=")), "")


def x(i, j, k):
    """The input: its own position."""
    return 100 * i + 10 * j + k


def shot(b, name):
    if SHOTS:
        b.driver.save_screenshot(f"{SHOTS}/{name}.png")


def select(b, label, value):
    b.js("""const s = document.querySelector(`[aria-label="${arguments[0]}"]`); s.value = arguments[1]; s.dispatchEvent(new Event('change'));""", label, str(value))


def cells(b):
    """The table of elements: rows of texts, the first of each the row's number."""
    return b.js("return [...document.querySelectorAll('.table')[0].querySelectorAll('tbody tr')].map(r => [...r.cells].map(c => c.innerText))")


def pixel(b, r, c):
    return b.js("return [...document.querySelector('canvas.heat').getContext('2d').getImageData(arguments[1], arguments[0], 1, 1).data].slice(0, 3)", r, c)


def number_of(b, kind, name):
    """Of the list: the position of a tensor."""
    return b.js("return dumpOfRun(art.runs[0]).tensors.findIndex(t => t.after === (arguments[0] === 'after') && t.name === arguments[1])", kind, name)


def tensors(b):
    b.go("#/a/tensors")
    text = b.text()
    for part in ("before", "after", "%y", "2x3x4xf32", "The first result with NaN or infinities"):
        b.expect(part in text, f"the list says '{part}'")
    b.expect("%log" in b.js("return document.querySelector('.alarm a').innerText"), "the first NaN is of %log")
    shot(b, "tensors")

    b.go(f"#/a/tensor/0/{number_of(b, 'after', '%y')}")
    b.until(lambda: b.js("return document.querySelector('canvas.heat') !== null"), "the picture")
    b.expect("slice: least 0, most -" not in b.text() and "of 12" in b.text(), "the slice has 12 elements")
    # Axes 1 and 2 at index 0 of axis 0; y = -x.
    b.expect([row[1:] for row in cells(b)] == [[str(-x(0, j, k)) if x(0, j, k) else "0" for k in range(4)] for j in range(3)], f"the first slice: {cells(b)}")
    select(b, "index of axis 0", 1)
    b.expect([row[1:] for row in cells(b)] == [[str(-x(1, j, k)) for k in range(4)] for j in range(3)], "the slice at index 1 of axis 0")
    b.expect("least -123, most -100, mean -111.5, 0 NaN, 0 Inf, 0 zeros of 12" in b.text(), "the statistics of the slice")
    b.expect(pixel(b, 2, 3) == [0, 0, 255] and pixel(b, 0, 0)[2] == 255 and pixel(b, 0, 0)[0] > 30, f"negative is blue: {pixel(b, 2, 3)}, {pixel(b, 0, 0)}")
    # Rows along axis 2, columns along axis 0, at index 2 of axis 1.
    select(b, "rows", 2)
    select(b, "columns", 0)
    select(b, "index of axis 1", 2)
    b.expect([row[1:] for row in cells(b)] == [[str(-x(i, 2, k)) for i in range(2)] for k in range(4)], f"axes 2 and 0: {cells(b)}")
    # The same axis for both: they change places.
    select(b, "rows", 0)
    b.expect([row[1:] for row in cells(b)] == [[str(-x(i, 2, k)) for k in range(4)] for i in range(2)], f"axes 0 and 2: {cells(b)}")
    b.js("const c = document.querySelector('canvas.heat'), r = c.getBoundingClientRect(); c.dispatchEvent(new MouseEvent('mousemove', {clientX: r.left + r.width * 0.9, clientY: r.top + r.height * 0.9}))")
    b.expect(f"[1, 2, 3] = {-x(1, 2, 3)}" in b.text(), "the element under the pointer")
    shot(b, "tensor")

    # The difference from what the kernel read: -x - x.
    b.js("""const s = document.querySelector('[aria-label="minus"]'); s.value = [...s.options].findIndex(o => o.innerText.includes('before') && o.innerText.includes('2x3x4')) - 1; s.dispatchEvent(new Event('change'));""")
    b.until(lambda: f"{-2 * x(1, 2, 3)}" in b.text(), "the difference")
    print("tensor: slices along any axes, statistics, colors, element, difference")

    b.go(f"#/a/tensor/0/{number_of(b, 'after', '%log')}")
    b.until(lambda: b.js("return document.querySelector('canvas.heat') !== null"), "the picture")
    select(b, "index of axis 0", 1)
    b.expect("12 NaN, 0 Inf" in b.text() and pixel(b, 1, 1) == [0, 0, 0], "NaN is black, and counted")
    select(b, "index of axis 0", 0)
    b.expect("11 NaN, 1 Inf" in b.text() and pixel(b, 0, 0) == [255, 210, 0], f"an infinity is yellow: {pixel(b, 0, 0)}")
    print("tensor: NaN and infinities")


def without(b):
    b.go("#/a/tensors")
    b.expect("this report has no elements, mica-report --with-tensors adds them" in b.text(), "the list says that there are no elements")
    b.go(f"#/a/tensor/0/{number_of(b, 'after', '%y')}")
    b.expect("This report has statistics alone" in b.text() and b.js("return document.querySelector('canvas.heat') === null"), "the page has no picture")
    b.expect(b.js("return art.runs.every(r => !r.dump || dumpOfRun(r).tensors.every(t => t.text < 0))"), "no tensor has a text")
    print("no elements")


def graph(b):
    b.go("#/a/graph/0")
    text = b.text()
    b.expect("Dependencies" in text and "RAW" in text and "critical path" in text, "dependencies with their reasons")
    # The page's times without an edge, against the longest path counted here.
    times, deps = b.driver.execute_async_script("const done = arguments[0]; taskTimesOf(art.lists[0]).then(m => done([m.times, art.lists[0].tasks.map(t => t.deps)]))")

    def length(without=None):
        ends = []
        for i, mine in enumerate(deps):
            ends.append(times[i] + max([ends[d] for d in mine if (d, i) != without], default=0))
        return max(ends)

    found = b.driver.execute_async_script("""const done = arguments[0]; taskTimesOf(art.lists[0]).then(m => { const c = criticalPath(art.lists[0], m.times);
      done([c.length, art.lists[0].edges.map(e => [e.before, e.after, c.without.get(e.before + ' ' + e.after) ?? c.length])]); })""")
    b.expect(abs(found[0] - length()) < 1e-9, f"the critical path: {found[0]}, {length()}")
    for before, after, time in found[1]:
        b.expect(abs(time - length((before, after))) < 1e-9, f"without {before} to {after}: {time}, {length((before, after))}")
    b.expect(sum(map(len, deps)) == len(found[1]) and any(time < found[0] for _, _, time in found[1]), "all edges are there, and one costs time")
    shot(b, "graph")
    print("graph: reasons, critical path, the time without each edge")


def why(b):
    b.go("#/a/why")
    text = b.text()
    for part in ("mica-run --why='result0[1,2,3]'", "mica.add", "argument 0", "No difference from the reference"):
        b.expect(part in text, f"the page of --why says '{part}'")
    shot(b, "why")
    print("why: the tree of an element")


def main():
    b = Browser(PAGE)
    try:
        if "--without" in sys.argv:
            without(b)
        else:
            tensors(b)
            graph(b)
            why(b)
        errors = b.errors()
        print("no error on the console" if not errors else f"FAILED: {errors[:5]}")
        return bool(errors)
    finally:
        b.driver.quit()


sys.exit(main())
