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
  const named_ = log.compiles.filter(c => test(c.id) || test(c.fn) || test(c.file));
  const problems = log.problems.filter(p => test(p.text));
  const shown = value => {
    const [at, length] = place(value), from = Math.max(0, at - 60);
    return [(from ? '…' : '') + value.slice(from, at), h('mark', null, value.slice(at, at + length)), value.slice(at + length, at + length + 140)];
  };
  async function texts() {
    // Where each text is used, so that a hit is shown under its product.
    const users = new Map();
    let count = 0, files = 0, done = 0;
    for (const c of log.compiles) {
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
    help('Compiles, problems and the text of every product; a query between slashes is a regular expression. Each text is searched once, however many compiles share it.'),
    state,
    named_.length ? h('p', null, 'Compiles: ', idList(named_.map(c => c.index), 20)) : null,
    problems.length ? problemTable(problems) : null, out];
}
