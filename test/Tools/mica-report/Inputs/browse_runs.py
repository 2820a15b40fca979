"""What reports of logs say of runs: ranks, times, orders, nodes and kernels, exports; in headless Chromium.

usage: browse_runs.py ranks|nodes|export PAGE.html [SCREENSHOT.png]
"""
import sys

from browse import Browser


def ranks(b):
    text = b.text()
    for part in ("step 2: reduce_scatter_tensor", "step 2: all_reduce", "998 ranks: 0, 1, 4–999", "ranks 2, 3", "rank 999", "step 2: 1/0", "step 2: 0/0",
                 "2 orders; they part at step 2"):
        b.expect(part in text, f"the page says '{part}'")
    b.expect("variant" not in text, "differences are named")
    rows = b.js("return [...document.querySelectorAll('#main table')].map(t => [...t.querySelectorAll('tbody tr')].map(r => r.innerText.replace(/\\s+/g, ' ')))")
    groups = next(t for t in rows if any(r.startswith("997 0, 1, 4–998") for r in t))
    b.expect(len(groups) == 3 and any("collectives at [1/0]" in r and "execution order" in r for r in groups), f"groups: {groups}")
    times = next(t for t in rows if any(r.startswith("[0/0]") for r in t))
    b.expect(any("rank 1" in r and "3.00" in r and "mm" in r for r in times), f"the straggler: {times}")
    b.expect(b.js("return document.querySelectorAll('.s-failed').length") > 3, "what differs is marked")
    b.expect(len(max(rows, key=len)) <= 101, "a page of ranks at a time")
    print("ranks: differences by name, groups, stragglers, orders")


def nodes(b):
    b.go("#/c/0.0")
    b.js("document.getElementById('nodes').click()")
    b.until(lambda: b.js("return document.querySelectorAll('.panes .code').length") == 3, "three panes")
    lines = "return [...document.querySelectorAll('.panes section')].map(s => [...s.querySelectorAll('.bands > div')].filter(e => /own|exact/.test(e.className)).flatMap(e => { const first = Math.round(parseFloat(e.style.top) / 18) + 1; return Array.from({ length: Math.round(parseFloat(e.style.height) / 18) }, (_, i) => first + i); }))"
    marked = b.js(lines.replace("own|exact", "same"))
    b.expect(marked == [[3, 4], [3, 4, 5], [6, 7, 8, 9]], f"lines with counterparts: {marked}")
    for address, wanted in (("pre:3", [[3], [3, 4], [6, 7]]), ("pre:4", [[4], [5], [8, 9]]), ("code:9", [[4], [5], [9]]), ("post:3", [[3], [3], []]), ("pre:5", [[5], [], []])):
        b.go("#/inductor/0.0/" + address)
        b.until(lambda: b.js(lines) == wanted, f"counterparts of {address}: {b.js(lines)} instead of {wanted}")
    b.js("document.querySelectorAll('.panes section')[1].querySelector('.no').dispatchEvent(new MouseEvent('click', { bubbles: true, clientY: document.querySelectorAll('.panes section')[1].querySelector('.no').getBoundingClientRect().top + 18 * 4 + 9 }))")
    b.until(lambda: "post:5" in b.driver.current_url and b.js(lines) == [[4], [5], [8, 9]], f"a click: {b.js(lines)} {b.driver.current_url}")
    b.expect("relu_1" in b.text() and "triton_poi_fused_relu_0:2" in b.text(), "names are said")
    print("nodes: graphs and kernels follow each other")


def export(b):
    b.go("#/c/0.0")
    text = b.text()
    for part in ("4 issues", "the exported program", "Missing fake kernel", "Guard Eq(s0, 4)", "net.py:31"):
        b.expect(part in text, f"the page says '{part}'")
    b.js("document.querySelectorAll('.issue').forEach(e => { e.open = true; })")
    text = b.text()
    for part in ("x = Tensor", "s0 = 4", "Made from", "eq at"):
        b.expect(part in text, f"an issue says '{part}'")
    print("export: issues with locals, symbols and what they were made from")


def main():
    browser = Browser(sys.argv[2])
    try:
        {"ranks": ranks, "nodes": nodes, "export": export}[sys.argv[1]](browser)
        if len(sys.argv) > 3:
            browser.driver.save_screenshot(sys.argv[3])
        for width in (420, 1440):
            browser.driver.set_window_size(width, 900)
            wide = browser.js("return document.documentElement.scrollWidth - innerWidth")
            browser.expect(wide <= 0, f"nothing is wider than {width}: {wide}")
        errors = browser.errors()
        print("no error on the console" if not errors else f"FAILED: {errors[:5]}")
        return bool(errors)
    finally:
        browser.driver.quit()


if __name__ == "__main__":
    sys.exit(main())
