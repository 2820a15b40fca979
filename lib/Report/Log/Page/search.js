// Full-text search: names at once, then every text of the report, pack by pack.

let searching = 0;

async function searchPage(query) {
  const run = ++searching;
  const word = query.toLowerCase();
  let test, place;
  const pattern = query.match(/^\/(.+)\/$/);
  try {
    const expression = pattern && new RegExp(pattern[1], 'i');
    test = expression ? value => expression.test(value) : value => value.toLowerCase().includes(word);
    place = expression ? value => { const m = value.match(expression); return m ? [m.index, m[0].length] : [-1, 0]; } : value => [value.toLowerCase().indexOf(word), word.length];
  } catch (error) {
    return [h('h1', null, 'Search'), h('p', { class: 'alarm' }, 'This is no regular expression: ' + error.message)];
  }
  const state = h('p', { class: 'soft', id: 'searchState' }, 'searching…'), out = h('div', { id: 'hits' });
  const named_ = !top_.logs.length ? [] : log.compiles.filter(c => test(c.id) || test(c.fn) || test(c.file));
  const problems = !top_.logs.length ? [] : log.problems.filter(p => test(p.text));
  const shown = value => {
    const [at, length] = place(value), from = Math.max(0, at - 60);
    return [(from ? '…' : '') + value.slice(from, at), h('mark', null, value.slice(at, at + length)), value.slice(at + length, at + length + 140)];
  };
  /** Names, ops, remarks and texts of every artifact; the number of hits and of texts with some. */
  async function artifactTexts() {
    let count = 0, files = 0, last = performance.now();
    const one = top_.artifacts.length > 1;
    for (let i = 0; i < top_.artifacts.length; ++i) {
      const was = art, a = await loadArtifact(i);
      art = a;
      const links = [...a.kernels.filter(k => test(k.name)).map(kernelAnchor), ...a.ops.filter(op => test(op[0]) || test(op[1]) || test(op[6] || '')).slice(0, 60).map(op => h('span', null, opAnchor(op[0]), h('span', { class: 'soft' }, [' ' + op[1], op[6], placeText(op)].filter(Boolean).join(' ')))),
        ...a.passRuns.filter(r => r.file >= 0 && test(passTitle(r))).slice(0, 60).map(r => h('a', { href: passLink(r) }, passTitle(r)))];
      count += links.length;
      if (links.length) out.append(h('section', null, h('h2', null, (one ? a.name + ': ' : '') + 'kernels, ops and passes'), h('div', { class: 'chips' }, links.map(l => h('span', { class: 'chip' }, l)))));
      const remarks = a.remarkCount ? (await remarksOf(a)).filter(r => test(r.message)) : [];
      count += remarks.length;
      if (remarks.length) out.append(h('section', null, h('h2', null, 'Remarks'), remarkTable(remarks)));
      const seen = new Set();
      const every = [...a.sources.map(s => [s.text, s.file, line => provenanceLink({ source: s.file, line })]), ...a.files.map(f => [f.text, f.path, line => { art = a; return fileLink(f, line); }])];
      for (const [number, name, address] of every) {
        if (run !== searching || count >= 1000) break;
        if (number < 0 || seen.has(number)) continue;
        seen.add(number);
        const raw = await text(number);
        // The page stays usable: no piece of work is longer than a few frames.
        if (performance.now() - last > 30) { state.textContent = plural(count, 'hit') + '…'; await new Promise(next => setTimeout(next)); last = performance.now(); }
        if (run !== searching) break;
        if (!test(pretty(name, raw)) && !test(name)) continue;
        ++files;
        const lines = pretty(name, raw).split('\n'), rows = [];
        let more = 0;
        for (let line = 0; line < lines.length; ++line)
          if (test(lines[line])) { if (rows.length < 12) { ++count; rows.push(h('a', { class: 'hit mono', href: address(line + 1) }, h('span', { class: 'n' }, line + 1), shown(lines[line]))); } else ++more; }
        art = a;
        out.append(h('section', null, h('h2', null, h('a', { href: address(rows.length ? 0 : 1) }, name)), rows, more ? h('p', { class: 'soft' }, 'and ' + group(more) + ' more lines') : null));
      }
      art = was || a;
    }
    return [count, files];
  }
  async function texts() {
    // Where each text is used, so that a hit is shown under its product.
    const users = new Map();
    let [count, files] = await artifactTexts(), done = 0;
    for (const c of top_.logs.length ? log.compiles : []) {
      if (run !== searching) return;
      const d = await details(c);
      for (const p of d.products) {
        if (test(p.name) && count < 1000) { ++count; out.append(h('p', null, idLink(c), ' ', h('a', { href: productLink(c, p) }, p.name), h('span', { class: 'soft' }, ' (name)'))); }
        if (p.text < 0) continue;
        if (!users.has(p.text)) users.set(p.text, []);
        users.get(p.text).push([c, p]);
      }
    }
    for (const [number, used] of [...users].sort((a, b) => a[0] - b[0])) {
      if (run !== searching || count >= 1000) break;
      const [c, p] = used[0], raw = await text(number);
      if (++done % 200 === 0) { state.textContent = group(done) + ' of ' + group(users.size) + ' texts…'; await new Promise(next => setTimeout(next)); }
      if (!test(raw)) continue;
      ++files;
      const lines = pretty(p.name, raw).split('\n'), rows = [];
      for (let i = 0; i < lines.length && rows.length < 20; ++i)
        if (test(lines[i])) { ++count; rows.push(h('a', { class: 'hit mono', href: productLink(c, p, i + 1) }, h('span', { class: 'n' }, i + 1), shown(lines[i]))); }
      out.append(h('section', null, h('h2', null, idLink(c), ' ', h('a', { href: productLink(c, p) }, p.name), used.length > 1 ? h('small', null, ' the same in ' + plural(used.length - 1, 'other place')) : null), rows));
    }
    if (run === searching) state.textContent = plural(count, 'hit') + ' in ' + plural(files, 'text') + (count >= 1000 ? '; there are more' : '') + (top_.plain ? '. This report was made with --plain: names are searched, texts are files.' : '.');
  }
  setTimeout(texts);
  return [h('h1', null, 'Search: ', h('code', null, query)),
    help('Compiles, problems and the text of every product; a query between slashes is a regular expression. Shared texts are searched once.'),
    state,
    named_.length ? h('p', null, 'Compiles: ', idList(named_.map(c => c.index), 20)) : null,
    problems.length ? problemTable(problems) : null, out];
}
