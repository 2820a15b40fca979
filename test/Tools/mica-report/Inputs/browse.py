"""Walks through reports in headless Chromium, as files without network, and prints what holds.

usage: browse.py sample|attack|ranks|plain|attempts PAGE.html [--screenshots=DIR]
"""
import pathlib
import sys
import time

from selenium import webdriver
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys


class Browser:
    def __init__(self, page):
        options = Options()
        options.binary_location = "/usr/bin/chromium"
        for flag in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--window-size=1400,900",
                     "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"):
            options.add_argument(flag)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        self.driver = webdriver.Chrome(service=Service("/usr/bin/chromedriver"), options=options)
        self.page = page if page.startswith("http://127.0.0.1:") else pathlib.Path(page).resolve().as_uri()
        self.driver.get(self.page)
        self.settle()

    def js(self, script, *args):
        return self.driver.execute_script(script, *args)

    def until(self, condition, what):
        end = time.time() + 30
        while time.time() < end:
            value = condition()
            if value:
                return value
            time.sleep(0.03)
        sys.exit(f"FAILED waiting for {what} at {self.driver.current_url}: {self.text()[:500]}")

    def settle(self):
        """Until the page of the address is shown."""
        self.until(lambda: self.js("return document.getElementById('main').dataset.page === (location.hash || '#/')"), "the page")

    def go(self, address):
        self.js("location.hash = arguments[0]", address)
        self.settle()

    def key(self, keys):
        # Whichever element has the focus gets it, as from a keyboard.
        webdriver.ActionChains(self.driver).send_keys(keys).perform()
        time.sleep(0.05)

    def text(self):
        return self.js("return document.body ? document.getElementById('main').innerText : ''")

    def title(self):
        return self.js("return document.querySelector('#main h1').innerText")

    def expect(self, holds, what):
        if not holds:
            sys.exit(f"FAILED: {what} at {self.driver.current_url}\n{self.text()[:1500]}")

    def measure(self, act, repeat):
        """Milliseconds from the beginning of the interaction `act`, JavaScript in which i counts the repetitions, until its result is
        laid out and painted; the best of `repeat`. shown(HASH) goes to a page, code(N) is the code of pane N."""
        best = 1e9
        for i in range(repeat):
            took = self.driver.execute_async_script("""const done = arguments[arguments.length - 1], i = arguments[0], begin = performance.now();
              const shown = async hash => { location.hash = hash; while (document.getElementById('main').dataset.page !== hash) await new Promise(next => setTimeout(next, 1)); };
              const code = n => document.querySelectorAll('.panes section')[n].querySelector('.code');
              (async () => { %s; document.body.offsetHeight; await new Promise(next => requestAnimationFrame(() => setTimeout(next))); })().then(() => done(performance.now() - begin), e => done('' + e));""" % act, i)
            self.expect(not isinstance(took, str), f"{act}: {took}")
            best = min(best, took)
        return best

    def errors(self):
        return [entry["message"] for entry in self.driver.get_log("browser") if entry["level"] in ("SEVERE", "WARNING")]


def sample(b):
    text = b.text()
    for part in ("7 compiles", "1 failed", "1 unfinished", "1 restarted", "1 empty", "3 ok", "no kernel for 'softmax'", "graph break: print()", "kind_of_the_future"):
        b.expect(part in text, f"the overview says '{part}'")
    order = [text.index(kind) for kind in ("\nfailure", "\nunfinished", "\nrestart", "\nrecompile")]
    b.expect(order == sorted(order), "problems stand worst first")
    b.expect(b.js("return [...document.querySelectorAll('td .badge')].filter(e => e.textContent === 'recompile').length") == 1, "recompiles that differ in numbers are one problem")
    print("overview: problems, states, times, bytes")

    b.key("o")
    b.key("j")
    b.until(lambda: "torch_version" in b.text() or "[0/0]" in b.title(), "j")
    b.go("#/c/0.1")
    text = b.text()
    for part in ("inductor_output_code.py", "fx_graph_cache_miss.json", "miss", "L['x']", "[4, 4]", "symbolic_shape_specialization", "x.view(4, -1)", "size mismatch", "train.py:20", "inductor_config"):
        b.expect(part in text, f"the page of 0/1 says '{part}'")
    b.key("j")
    b.until(lambda: "#/c/0.2" in b.driver.current_url, "the next compile by j")
    b.key("k")
    b.until(lambda: "#/c/0.1" in b.driver.current_url, "the one before by k")
    print("compile: products, inputs, stack, metrics; j and k")

    b.go("#/c/1.0")
    b.expect("Attempts" in b.text() and "graph break: print() is not supported" in b.text().split("Attempts")[1].split("Products")[0], "an attempt has its reason")
    b.go("#/c/1.0/1~dynamo_output_graph.txt")
    b.expect("# attempt 1" in b.js("return document.querySelector('.code').innerText"), "the attempt's own product is shown")
    b.go("#/c/0.1/inductor_output_code.py:3-4")
    b.settle()
    b.until(lambda: b.js("const e = document.querySelector('.code .here'); return !e.hidden && e.style.height === '36px'"), "lines 3 and 4 marked")
    b.until(lambda: b.js("return [...document.querySelectorAll('.code .kw')].map(e => e.textContent).includes('def')"), "colours")
    b.js("const no = document.querySelector('.code .no'), box = no.getBoundingClientRect(); no.dispatchEvent(new MouseEvent('click', {bubbles: true, clientX: box.left + 2, clientY: box.top + 5}))")
    b.expect(b.driver.current_url.endswith("inductor_output_code.py:1"), "a click on a line number gives its address")
    b.key("f")
    b.key("return")
    b.until(lambda: b.js("return document.querySelectorAll('.code mark').length"), "marks of what was found")
    b.key(Keys.ESCAPE)
    b.js("const s = document.querySelector('select'); s.selectedIndex = 1; s.dispatchEvent(new Event('change'))")
    b.until(lambda: "1 line removed, 1 line added" in b.text(), "the difference with the compile before")
    b.key("]")
    b.until(lambda: "fx_graph_cache_miss" in b.driver.current_url, "the next product by ]")
    b.until(lambda: '"components": [' in b.text(), "JSON laid out")
    b.key("u")
    b.until(lambda: b.driver.current_url.endswith("#/c/0.1"), "up by u")
    print("product: lines, colours, find, difference, keys")

    b.key("/")
    b.key("def forward" + Keys.ENTER)
    b.until(lambda: "hits in" in b.text(), "search")
    b.expect("dynamo_output_graph.txt" in b.text() and b.js("return document.querySelectorAll('#hits mark').length") == 4, "hits in texts")
    b.js("document.querySelector('#hits a.hit').click()")
    b.until(lambda: b.js("const e = document.querySelector('.code .here'); return e && !e.hidden"), "a hit leads to its line")
    b.go("#/search/%2Fattempt%20%5B01%5D%2F")
    b.until(lambda: "hits in" in b.text() and "# attempt 1" in b.text(), "search by a regular expression")
    b.go("#/search/%2F(%2F")
    b.until(lambda: "no regular expression" in b.text(), "a bad expression is refused")
    print("search: texts, regular expressions, to the line")

    b.go("#/stacks")
    b.expect(b.js("return document.querySelectorAll('.trie details').length") == 1 and "model(x3)" in b.text() and "(unknown):3" in b.text(), "stacks share their beginning; an unknown file is shown as such")
    b.go("#/time")
    b.expect(b.js("const c = document.querySelector('canvas'), d = c.getContext('2d').getImageData(0, 0, c.width, c.height).data; let n = 0; for (let i = 3; i < d.length; i += 4) n += d[i] > 0; return n > 500"), "bars are drawn")
    b.go("#/records")
    b.expect("not known to this report" in b.text() and "no damage" in b.text(), "kinds and damage")
    b.go("#/problems")
    b.go("#/about")
    b.expect("Do not pass it on" in b.text() and ("compile_directory.json" in b.text() or "everything is in this file" in b.text()), "privacy and files")
    b.go("#/c/77.0")
    b.expect("Nothing here" in b.title(), "a compile that is not there")
    b.go("#/")
    b.js("document.querySelector('thead button').click()")
    b.key("c")
    b.key("failed")
    b.expect(b.js("return [...document.querySelectorAll('#list a')].filter(a => a.style.display !== 'none').length") == 1, "the filter of compiles")
    b.key(Keys.ESCAPE)
    b.key("?")
    b.expect(b.js("return document.getElementById('keys').open"), "the list of keys")
    b.key("?")
    print("stacks, time, records, about, filter, list of keys")

    for theme, dark in (("dark", True), ("light", False)):
        b.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": theme}]})
        b.expect((b.js("return getComputedStyle(document.body).backgroundColor.match(/\\d+/g)[0] < 128")) == dark, f"{theme} by the system")
        for address in ("#/", "#/c/0.1", "#/c/0.1/inductor_output_code.py", "#/stacks", "#/problems"):
            b.go(address)
            b.expect(not low_contrast(b), f"contrast of at least 4.5 in {theme} of {address}: {low_contrast(b)}")
    b.key("d")
    b.expect(b.js("return document.documentElement.dataset.theme") == "dark", "dark by d")
    for width in (1400, 420):
        b.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": False})
        for address in ("#/", "#/c/0.1", "#/c/0.1/inductor_output_code.py", "#/stacks", "#/records"):
            b.go(address)
            b.expect(b.js("return document.documentElement.scrollWidth <= innerWidth"), f"nothing beside the page at {width} pixels of {address}")
    print("dark, light, wide, narrow")

    # On paper: dark on white whatever the screen, all of a text, nothing to click.
    b.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {"width": 700, "height": 900, "deviceScaleFactor": 1, "mobile": False})
    b.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print", "features": [{"name": "prefers-color-scheme", "value": "dark"}]})
    b.expect(b.js("return document.documentElement.dataset.theme") == "dark", "dark on the screen")
    for address in ("#/", "#/c/0.1", "#/c/0.1/inductor_output_code.py", "#/c/0.1/fx_graph_cache_miss.json", "#/problems"):
        b.go(address)
        b.expect(b.js("return getComputedStyle(document.body).color.match(/\\d+/g)[0] < 60"), f"dark letters of {address}")
        b.expect(not low_contrast(b), f"contrast on paper of {address}: {low_contrast(b)}")
        b.expect(not b.js("return ['#top', '#side', '#main .tool', '#main td button, #main p button'].filter(s => [...document.querySelectorAll(s)].some(e => e.checkVisibility()))"), f"no controls on paper of {address}")
        b.expect(not b.js("return [...document.querySelectorAll('#main *')].filter(e => /auto|scroll|hidden/.test(getComputedStyle(e).overflowX) && e.scrollWidth > e.clientWidth + 1 || /auto|scroll|hidden/.test(getComputedStyle(e).overflowY) && e.scrollHeight > e.clientHeight + 1).filter(e => e.checkVisibility() && !e.closest('canvas, summary, details')).map(e => e.tagName + '.' + e.className)"), f"nothing is cut off on paper of {address}")
        b.expect(b.js("return document.documentElement.scrollWidth <= innerWidth"), f"nothing beside the paper of {address}")
    b.expect(len(b.driver.execute_cdp_cmd("Page.printToPDF", {})["data"]) > 5000, "a PDF")
    b.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "", "features": []})
    print("paper")


def attack(b):
    addresses = ["#/", "#/problems", "#/stacks", "#/time", "#/records", "#/about", "#/search/window", "#/search/%3Cscript%3E"]
    addresses += b.js("return [...document.querySelectorAll('#list a')].map(a => a.getAttribute('href'))")
    seen = 0
    for address in addresses:
        b.go(address)
        if address.startswith("#/c/") and seen < 40:
            for product in b.js("return [...document.querySelectorAll('#main td a')].map(a => a.getAttribute('href')).filter(h => h.split('/').length > 3)"):
                if seen < 40:
                    b.go(product)
                    seen += 1
                    check_inert(b)
            b.go(address)
        check_inert(b)
        # Everything that can be clicked without leaving.
        b.js("document.querySelectorAll('#main button, #main summary').forEach(e => e.click())")
        check_inert(b)
    for hash_ in ("#/c/%3Cimg src=x onerror=window.mica_attack=1%3E", "#/javascript:window.mica_attack=1", "#/search/%2F(a%2B)%2B%24%2F", "#/r99/c/%00", "#/c/0.0/%E0%A4%A", "#/__proto__", "#/constructor"):
        b.go(hash_)
        check_inert(b)
    # Among the names are some of 5,000 characters.
    b.expect(b.js("return Math.max(...log.compiles.map(c => c.fn.length)) > 5000"), "a long name is there")
    for width in (420, 1440):
        b.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": False})
        for address in ("#/", "#/c/0.0", "#/problems", "#/records", "#/stacks"):
            b.go(address)
            b.expect(b.js("return document.documentElement.scrollWidth <= innerWidth"), f"nothing beside the page at {width} pixels of {address}")
    print(f"{len(addresses) + seen} pages of hostile text: inert")


def check_inert(b):
    bad = b.js("""
      const bad = [];
      if (window.mica_attack) bad.push('a script of the log ran');
      for (const e of document.querySelectorAll('*')) {
        if (['IMG', 'SVG', 'svg', 'IFRAME', 'OBJECT', 'EMBED', 'FORM', 'BASE'].includes(e.tagName)) bad.push('element ' + e.tagName);
        for (const a of e.attributes) if (/^on/i.test(a.name)) bad.push('attribute ' + a.name);
        if (e.tagName === 'SCRIPT' && e.src && !/\\/data\\/[a-z0-9]+\\.js$/.test(e.src)) bad.push('script ' + e.src);
      }
      for (const a of document.querySelectorAll('a[href]'))
        if (!/^(#\\/|https?:\\/\\/|[\\w.-]+\\.(json|jsonl)$|[-\\w]+\\/[\\w.-]+$)/.test(a.getAttribute('href'))) bad.push('link ' + a.getAttribute('href'));
      return bad.slice(0, 5);""")
    b.expect(not bad, f"inert: {bad}")
    b.expect(b.js("return document.querySelectorAll('style').length") == 1, "one style")


def low_contrast(b):
    """Texts of less contrast than WCAG AA asks for: 4.5 to what is behind them."""
    return b.js("""
      const paint = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
      const rgba = css => { paint.clearRect(0, 0, 1, 1); paint.fillStyle = css; paint.fillRect(0, 0, 1, 1); return [...paint.getImageData(0, 0, 1, 1).data]; };
      const light = ([r, g, b]) => { const f = v => (v /= 255) <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4; return 0.2126 * f(r) + 0.7152 * f(g) + 0.0722 * f(b); };
      const behind = e => { const layers = []; for (; e; e = e.parentElement) { const c = rgba(getComputedStyle(e).backgroundColor); if (c[3]) layers.push(c); if (c[3] === 255) break; }
        let out = layers.pop() || [255, 255, 255, 255]; while (layers.length) { const c = layers.pop(), a = c[3] / 255; out = [0, 1, 2].map(i => c[i] * a + out[i] * (1 - a)); } return out; };
      const bad = new Map();
      for (const e of document.querySelectorAll('body *')) {
        if (![...e.childNodes].some(n => n.nodeType === 3 && n.data.trim()) || !e.checkVisibility() || e.disabled) continue;
        const fg = light(rgba(getComputedStyle(e).color)), bg = light(behind(e)), ratio = (Math.max(fg, bg) + 0.05) / (Math.min(fg, bg) + 0.05);
        if (ratio < 4.5) bad.set(e.className + ' ' + getComputedStyle(e).color + ' on ' + behind(e).map(Math.round), ratio.toFixed(2) + ' ' + e.textContent.slice(0, 30));
      }
      return [...bad].slice(0, 6);""")


def ranks(b):
    text = b.text()
    for part in ("3 ranks", "compile ids", "caches", "ranks 0, 1", "rank 2", "fx_graph_cache_hit"):
        b.expect(part in text, f"the first page says '{part}'")
    b.js("[...document.querySelectorAll('.alarm a')][0].click()")
    b.until(lambda: "Rank 0 and rank 2" in b.text(), "two ranks beside each other")
    b.expect("absent" in b.text() and "fx_graph_cache_miss.json (only 0)" in b.text(), "what differs")
    b.go("#/r2/")
    b.expect("8 compiles" in b.text() and b.js("return document.querySelectorAll('#list a').length") == 9, "the overview of rank 2")
    b.go("#/r2/c/5.0/inductor_output_code.py")
    b.until(lambda: b.js("return document.querySelector('.code') !== null"), "a product of rank 2")
    b.go("#/r0/c/5.0")
    b.expect("Nothing here" in b.title(), "which rank 0 lacks")
    print("ranks: warnings, two beside each other, their pages")


def plain(b):
    b.go("#/c/0.1/inductor_output_code.py")
    b.expect(b.js("return document.querySelector('#main p a[href=\"-_0_1_0/inductor_output_code.py\"]') !== null"), "a link to the file")
    b.go("#/c/0.1")
    b.expect("L['x']" in b.text(), "the page of a compile")
    b.go("#/search/runnable")
    b.until(lambda: "names are searched" in b.text() and "fx_graph_runnable.py" in b.text(), "search by name")
    print("plain: files instead of texts")


def attempts(b):
    """Of test/Trace/attempts.test."""
    b.go("#/c/1.0")
    section = b.text().split("Attempts")[1].split("Products")[0]
    for part in ("its body has an operation without a vector form", "vectors → scalar loops", "if_8x64xf32", "gives-up.mlir:14:8"):
        b.expect(part in section, f"the attempts say '{part}'")
    b.js("[...document.querySelectorAll('#main td a')].find(a => a.textContent === 'if_8x64xf32').click()")
    b.until(lambda: b.title() == "if_8x64xf32", "the kernel's page")
    print("attempts: reason, strategies, source; to the kernel")


def main():
    browser = Browser(sys.argv[2])
    try:
        {"sample": sample, "attack": attack, "ranks": ranks, "plain": plain, "attempts": attempts}[sys.argv[1]](browser)
        errors = browser.errors()
        print("no error on the console" if not errors else f"FAILED: {errors[:5]}")
        return bool(errors)
    finally:
        browser.driver.quit()


if __name__ == "__main__":
    sys.exit(main())
