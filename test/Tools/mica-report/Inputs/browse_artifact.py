"""Walks through the pages of an artifact in headless Chromium, as files without network, and prints what holds.

usage: browse_artifact.py pages|attack PAGE.html, or browse_artifact.py large PAGE.html [MILLISECONDS]
"""
import sys
import time

from browse import Browser, check_inert, low_contrast
from selenium.webdriver.common.keys import Keys


def bands(b, pane, kind):
    """Lines that are marked in a pane, as [first, last]."""
    return b.js("""return [...document.querySelectorAll('.panes section')[arguments[0]].querySelectorAll('.bands > .' + arguments[1])].map(
      e => [e.offsetTop / 18 + 1, (e.offsetTop + e.offsetHeight) / 18])""", pane, kind)


def click_line(b, pane, line):
    """A click on the text of a line, as a reader makes it."""
    return b.js("""const [pane, line] = arguments, code = document.querySelectorAll('.panes section')[pane].querySelector('.code');
      code.scrollTop = Math.max(0, line * 18 - 100);
      const pre = [...code.querySelectorAll('pre.text')].find(e => Number(e.previousSibling.textContent.split('\\n')[0]) <= line && Number(e.previousSibling.textContent.split('\\n').pop()) >= line);
      const first = Number(pre.previousSibling.textContent.split('\\n')[0]), box = pre.getBoundingClientRect(), begin = performance.now();
      pre.dispatchEvent(new MouseEvent('click', {bubbles: true, clientX: box.left + 5, clientY: box.top + (line - first) * 18 + 9}));
      document.body.offsetHeight;
      return performance.now() - begin;""", pane, line)


def line_with(b, pane, text, after=0):
    return b.js("return document.querySelectorAll('.panes section')[arguments[0]].querySelector('.code').lines.findIndex((l, i) => i >= arguments[2] && l.includes(arguments[1])) + 1", pane, text, after)


def passes_shown(b):
    """The panes of the page of each pass hold the texts that the data of the report has, before and after, and no detail is red and green alike."""
    count, made = b.js("return [art.passRuns.length, art.passRuns.filter(r => r.file >= 0 && r.beforeText >= 0).length]")
    runs = b.js("return art.passRuns.filter(r => r.beforeText >= 0 || r.index % 9 === 0).filter(r => r.file >= 0).map(r => r.index)")
    for index in runs:
        b.go(f"#/a/pass/{index}")
        bad = b.js("""const done = arguments[arguments.length - 1], r = art.passRuns[arguments[0]], views = [...document.querySelectorAll('.panes .code')];
          const alike = [...document.querySelectorAll('.delta')].filter(d => d.querySelector('del') && d.querySelector('ins') && d.querySelector('del').textContent === d.querySelector('ins').textContent).length;
          return alike || views.length !== 2 ? [alike, views.length] : null;""", index)
        b.expect(not bad, f"the page of pass {index}: {bad}")
        shown = b.driver.execute_async_script("""const done = arguments[1], r = art.passRuns[arguments[0]], views = [...document.querySelectorAll('.panes .code')].map(v => v.lines.join('\\n'));
          Promise.all([r.beforeText >= 0 ? r.beforeText : art.files[r.before].text, r.afterText >= 0 ? r.afterText : art.files[r.file].text].map(text)).then(texts => done(texts.map((t, i) => t.replace(/\\n$/, '') === views[i])));""", index)
        b.expect(shown == [True, True], f"the panes of pass {index} show the states: {shown}")
    print(f"passes: both panes are the states compared, of {len(runs)} pages" if made and runs else "FAILED: no state is put together")


def pages(b):
    text = b.text()
    for part in ("7 kernels of 10 ops", "conv2d", "Where the time went", "classifier.mlir", "Look here first", "opt-level"):
        b.expect(part in text, f"the overview says '{part}'")
    print("overview: kernels, hints, phases, options")

    b.key("p")
    b.until(lambda: "#/a/passes" in b.driver.current_url, "passes by p")
    b.settle()
    b.expect("convert-tosa-to-mica" in b.text() and "+" in b.text() and b.js("return document.querySelector('canvas') !== null"), "the timeline of passes")
    b.js("[...document.querySelectorAll('#main td a')].find(a => a.textContent === 'convert-tosa-to-mica').click()")
    b.until(lambda: "convert-tosa-to-mica" in b.title(), "the page of a pass")
    b.settle()
    b.expect("ops added" in b.text() and "ops removed" in b.text() and "mica.conv2d" in b.text(), "what changed by structure")
    b.key("n")
    b.until(lambda: "1 of " in b.text() and b.driver.current_url.endswith("/1"), "the next change by n")
    b.expect(b.js("return document.querySelectorAll('.panes .bands > div').length") > 5, "changed lines are marked")
    print("passes: timeline, structural differences, n")
    passes_shown(b)

    b.go("#/a/kernels")
    b.key("j")
    b.until(lambda: "#/a/k/" in b.driver.current_url, "the first kernel by j")
    name = b.js("return [...document.querySelectorAll('#list a')].find(a => a.dataset.key.startsWith('matmul')).dataset.key")
    b.go("#/a/k/" + name)
    for part in ("FLOP", "scratch", "tosa.matmul", "tosa.add", "classifier.mlir:", "Remarks", "Passes that changed it", "kernel.ll", "measured"):
        b.expect(part in b.text(), f"the page of a kernel says '{part}'")
    b.js("[...document.querySelectorAll('.tabs a')].find(a => a.textContent.startsWith('kernel.s')).click()")
    b.until(lambda: "vfmadd" in b.js("return document.querySelector('.code').textContent"), "its assembly")
    print("kernels: resources, ops, remarks, code")

    b.key("v")
    b.until(lambda: "#/a/prov/" in b.driver.current_url, "provenance by v")
    b.settle()
    stages = b.js("return [...document.querySelectorAll('.panes header b')].map(e => e.textContent)")
    b.expect(stages == ["source", "tensor", "loops", "LLVM IR", "assembly"], f"every stage has a pane: {stages}")
    line = line_with(b, 0, "tosa.matmul")
    click_line(b, 0, line)
    b.expect(b.text().count("no counterpart") == 0 and bands(b, 0, "own") == [[line, line]], "a source line has counterparts in every stage")
    tensor = line_with(b, 1, "mica.matmul")
    b.expect(any(a <= tensor <= z for a, z in bands(b, 1, "exact") + bands(b, 1, "same")), "that of the program is the product")
    b.expect(all(not a <= line_with(b, 1, "mica.max_pool") <= z for a, z in bands(b, 1, "same")), "and not another op")
    # From a line of assembly back to the loops and the source.
    asm = line_with(b, 4, "vfmadd") or line_with(b, 4, "mulps")
    click_line(b, 4, asm)
    b.expect(len(bands(b, 2, "exact")) == 1 and len(bands(b, 3, "exact")) > 0, "an instruction has one line of the loops, and its LLVM IR")
    b.expect([line, line] in bands(b, 0, "exact"), "and its source line")
    b.expect(f":{asm}" in b.driver.current_url, "the address names the line")
    address = b.driver.current_url
    b.js("document.querySelectorAll('.panes .code')[4].focus()")
    b.key(Keys.ARROW_DOWN)
    b.until(lambda: b.driver.current_url != address, "the next line by the arrow")
    b.driver.get("about:blank")
    b.driver.get(address)
    b.until(lambda: b.js("return document.querySelectorAll('.panes .bands > .own').length"), "the address leads to the same line")
    b.expect(bands(b, 4, "own") == [[asm, asm]], "of the same pane")
    print("provenance: source, tensor, loops, LLVM IR, assembly, both ways, by address")

    # An edge between panes moves by the keyboard and by dragging; the others keep to the page.
    widths = lambda: b.js("return [...document.querySelectorAll('.panes section')].map(s => Math.round(s.getBoundingClientRect().width))")
    before = widths()
    b.js("document.querySelector('.panes .edge').focus()")
    b.key(Keys.ARROW_RIGHT)
    b.until(lambda: abs(widths()[0] - before[0] - 20) <= 1, f"an edge moves by a key: {before}")
    begun = widths()
    b.js("""const e = document.querySelectorAll('.panes .edge')[1], r = e.getBoundingClientRect(); e.setPointerCapture = () => {};
      for (const [kind, x] of [['pointerdown', 0], ['pointermove', -60], ['pointerup', -60]]) e.dispatchEvent(new PointerEvent(kind, { clientX: r.left + x, pointerId: 1, bubbles: true }));""")
    b.expect(abs(widths()[1] - max(120, begun[1] - 60)) <= 1, f"an edge is dragged: {begun} {widths()}")
    b.expect(b.js("return document.documentElement.scrollWidth <= innerWidth"), "nothing beside the page")
    b.expect(b.js("return [...document.querySelectorAll('.panes .code')].every(c => new Set([...c.querySelectorAll('.no')].map(e => e.getBoundingClientRect().width)).size === 1) && [...document.querySelectorAll('.panes .code')].some(c => c.querySelectorAll('.no').length > 2)"), "gutters have one width, also beyond line 50")
    b.go("#/about")
    b.driver.get("about:blank")
    b.driver.get(address)
    b.until(lambda: b.js("return document.querySelectorAll('.panes .bands > .own').length"), "the address leads to the same line")

    # Each op of the source: panes of another kernel go to the one that has it, and every pane marks lines.
    kernels = lambda: b.js("return [...document.querySelectorAll('.panes section select')].map(s => (s.selectedOptions[0] || {}).value)")
    seen = set()
    for op in ("tosa.conv2d", "tosa.max_pool2d", "tosa.matmul", "tosa.pad"):
        line = line_with(b, 0, op)
        if not line:
            continue
        click_line(b, 0, line)
        b.until(lambda: b.text().count("no counterpart") == 0 and bands(b, 0, "own") == [[line, line]], f"every pane has {op}")
        panes = b.js("return [...document.querySelectorAll('.panes section')].map(s => s.querySelectorAll('.bands > .exact, .bands > .same, .bands > .own').length)")
        b.expect(len(panes) == 5 and all(panes), f"every pane marks lines of {op}: {panes}")
        seen.add(kernels()[4])
    b.expect(len(seen) > 1, f"panes went to several kernels: {seen}")
    print("provenance: panes follow a line of the source to its kernel")

    b.go("#/a/")
    b.js("[...document.querySelectorAll('#main a')].find(a => a.getAttribute('href').includes('/k/')).click()")
    b.settle()
    b.js("[...document.querySelectorAll('#main td a')].find(a => /^[0-9a-f]{12}$/.test(a.textContent)).click()")
    b.until(lambda: "fingerprint" in b.text(), "the page of an op")
    b.settle()
    b.key("t")
    b.until(lambda: "#/a/tasks" in b.driver.current_url, "tasks by t")
    b.settle()
    b.expect(drawn(b) and "7 launches" in b.text() and "GFLOP/s" in b.text(), "launches over time")
    b.key("g")
    b.until(lambda: "#/a/graph" in b.driver.current_url, "graph by g")
    b.settle()
    b.expect(drawn(b) and "7 tasks in 7 steps" in b.text(), "tasks and what they wait for")
    b.go("#/a/graph/0/3")
    b.until(lambda: "Waits for task 2" in b.text(), "a task by its address")
    b.key("m")
    b.until(lambda: "#/a/memory" in b.driver.current_url, "memory by m")
    b.settle()
    b.expect(drawn(b) and "without sharing" in b.text(), "the memory map")
    b.go("#/a/numerics")
    b.expect("No NaN and no infinity" in b.text() and "fingerprint" in b.text(), "numbers")
    print("tasks, graph, memory, numbers")

    for address in ("#/a/remarks", "#/a/remarks/missed", "#/a/files", "#/about"):
        b.go(address)
        b.expect("cannot be shown" not in b.title(), "the page is there")
    b.key("/")
    b.key("tosa.max_pool2d" + Keys.ENTER)
    b.until(lambda: b.js("const s = document.getElementById('searchState'); return s && s.textContent.includes('hits in')"), "search")
    b.expect("classifier.mlir" in b.text() and "0000_input.mlir" in b.text(), "hits in source and snapshots")
    b.js("document.querySelector('#hits a.hit').click()")
    b.until(lambda: "#/a/" in b.driver.current_url, "a hit leads to its line")
    b.settle()
    b.go("#/a/k/nothing")
    b.expect("Nothing here" in b.title(), "a kernel that is not there")
    print("remarks, files, search, about")

    for theme, dark in (("dark", True), ("light", False)):
        b.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": theme}]})
        b.expect((b.js("return getComputedStyle(document.body).backgroundColor.match(/\\d+/g)[0] < 128")) == dark, f"{theme} by the system")
        for address in ("#/a/", "#/a/passes", "#/a/pass/2", "#/a/k/" + name, "#/a/prov", "#/a/tasks", "#/a/numerics", "#/a/remarks", "#/a/files", "#/about"):
            b.go(address)
            b.expect(not low_contrast(b), f"contrast of at least 4.5 in {theme} of {address}: {low_contrast(b)}")
    for width in (1400, 420):
        b.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": False})
        for address in ("#/a/", "#/a/passes", "#/a/pass/2", "#/a/kernels", "#/a/k/" + name, "#/a/prov", "#/a/tasks", "#/a/graph", "#/a/memory", "#/a/numerics", "#/a/remarks", "#/a/files"):
            b.go(address)
            b.expect(b.js("return document.documentElement.scrollWidth <= innerWidth"), f"nothing beside the page at {width} pixels of {address}")
    print("dark, light, wide, narrow")


def drawn(b):
    time.sleep(0.1)
    return b.js("const c = document.querySelector('canvas'), d = c.getContext('2d').getImageData(0, 0, c.width, c.height).data; let n = 0; for (let i = 3; i < d.length; i += 4) n += d[i] > 0; return n > 500")


def attack(b):
    seen, wait = set(), ["#/", "#/a/passes", "#/a/kernels", "#/a/prov", "#/a/tasks", "#/a/graph", "#/a/memory", "#/a/numerics", "#/a/remarks", "#/a/files", "#/about",
                         "#/search/window", "#/search/%3Cscript%3E", "#/a/k/%3Cimg src=x onerror=window.mica_attack=1%3E", "#/a/prov/s9~99~x/1:1", "#/a/prov/-/id:%3Cb%3E", "#/a/pass/-1", "#/a/op/__proto__", "#/a/graph/0/99", "#/a/work", "#/a/work/1", "#/a/work/0/one.all.b3/q%3D%3Cb%3E", "#/a/work/-1/a99999999", "#/a/story/%3Cb%3E", "#/a/story/__proto__", "#/a9/", "#/a/f/..%2F..%2Fetc%2Fpasswd"]
    while wait and len(seen) < 120:
        address = wait.pop(0)
        if address in seen:
            continue
        seen.add(address)
        b.go(address)
        check_inert(b)
        b.js("document.querySelectorAll('#main button:not(.plain), #main summary').forEach(e => e.click())")
        check_inert(b)
        wait += b.js("return [...new Set([...document.querySelectorAll('#main a')].map(a => a.getAttribute('href')).filter(h => h && h.startsWith('#/')))].slice(0, 40)")
    print(f"{len(seen)} pages of a hostile artifact: inert")


def large(b, limit):
    """How long the page takes to show what was asked for, of a kernel with 10,000 ops: from the event to the frame after it."""
    b.driver.set_script_timeout(60)
    times = {}

    def measure(what, act, repeat=3):
        times[what] = b.measure(act, repeat)

    for page, what in (("a/kernels", "kernels"), ("a/k/k", "kernel"), ("a/passes", "passes"), ("a/pass/1", "pass"), ("a/prov", "provenance"), ("a/tasks", "tasks"), ("a/graph", "graph"), ("a/files", "files"), ("a/op/0000000003e8", "op"), ("a/k/k/s", "assembly")):
        b.go("#/" + page)  # data is loaded at the first visit
        b.go("#/about")
        measure("show " + what, f"if (i) await shown('#/about'); await shown('#/{page}')", repeat=4)
    b.go("#/a/prov")
    for pane, what in ((0, "loops"), (1, "LLVM IR"), (2, "assembly")):
        click = """const line = 200 * (i + 1) + 7, view = code(%d); view.scrollTop = (line - 5) * 18;
          const pre = [...view.querySelectorAll('pre.text')].find(e => Number(e.previousSibling.textContent.split('\\n').pop()) >= line), first = Number(pre.previousSibling.textContent.split('\\n')[0]), box = pre.getBoundingClientRect();
          pre.dispatchEvent(new MouseEvent('click', {bubbles: true, clientX: box.left + 5, clientY: box.top + (line - first) * 18 + 9}))""" % pane
        measure("click a line of " + what, click)
        b.expect("no counterpart" not in b.text(), f"a line of {what} has counterparts")
    b.go("#/a/pass/1")
    b.expect("100 ops removed" in b.text() or "as text" in b.text() or "lines removed" in b.text(), "what the pass removed")
    if b.js("return document.querySelectorAll('.panes .code').length"):
        measure("next change", "document.dispatchEvent(new KeyboardEvent('keydown', {key: 'n', bubbles: true}))")
    b.go("#/a/k/k/s")
    measure("find in 30,000 lines", "const box = document.getElementById('inPage'); box.value = 'xmm' + i; box.dispatchEvent(new Event('input'))")
    measure("filter kernels", "const box = document.getElementById('filter'); box.value = 'k' + i; box.dispatchEvent(new Event('input'))")
    b.js("document.getElementById('filter').value = ''; document.getElementById('filter').dispatchEvent(new Event('input'))")
    # A search goes through every text; the page has to answer while it does: the longest time it did not.
    b.js("window.longest = 0; new PerformanceObserver(list => list.getEntries().forEach(e => { window.longest = Math.max(window.longest, e.duration); })).observe({entryTypes: ['longtask']})")
    measure("begin a search", "await shown('#/search/v99' + i)")
    b.until(lambda: b.js("const s = document.getElementById('searchState'); return s && / in /.test(s.textContent)"), "the search")
    times["longest pause of a search"] = b.js("return window.longest")
    slow = []
    for what, took in times.items():
        print(f"{what}: {took:.0f} ms", file=sys.stderr)
        if took > limit:
            slow.append(f"{what}: {took:.0f} ms")
    b.expect(not slow, f"every interaction within {limit:.0f} ms: {slow}")
    print(f"{len(times)} interactions with a kernel of 10,000 ops")


def main():
    browser = Browser(sys.argv[2])
    try:
        if sys.argv[1] == "large":
            large(browser, float(sys.argv[3]) if len(sys.argv) > 3 else 1e9)
        else:
            {"pages": pages, "attack": attack}[sys.argv[1]](browser)
        errors = browser.errors()
        print("no error on the console" if not errors else f"FAILED: {errors[:5]}")
        return bool(errors)
    finally:
        browser.driver.quit()


if __name__ == "__main__":
    sys.exit(main())
