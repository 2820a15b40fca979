// One compile, one product, the difference of two products.

const METRIC_GROUPS = [
  ['times', k => /(_us|_s|_ms|_ns)$/.test(k) || /time/.test(k)],
  ['caches', k => /cache/.test(k)],
  ['counts', (k, v) => typeof v === 'number'],
  ['configuration and versions', k => /config|version|feature_usage|backend/.test(k)],
  ['other', () => true],
];

function metricValue(key, value) {
  if (value !== null && typeof value === 'object') return h('code', null, JSON.stringify(value));
  if (typeof value === 'number') {
    if (/^(start|end)_time/.test(key)) return new Date(/_us$/.test(key) ? value / 1000 : value * 1000).toISOString().replace('T', ' ').replace('Z', ' UTC');
    if (/_us$/.test(key)) return duration(value);
    if (/_ms$/.test(key)) return duration(value * 1000);
    if (/_(s)$/.test(key)) return duration(value * 1e6);
    return Number.isInteger(value) ? group(value) : String(value);
  }
  const string = String(value);
  if (/_config$/.test(key) && string.startsWith('{')) {
    try { return h('details', null, h('summary', null, plural(Object.keys(JSON.parse(string)).length, 'option')), h('pre', null, JSON.stringify(JSON.parse(string), null, 1))); } catch { /* shown as it is */ }
  }
  return string.length > 400 ? h('details', null, h('summary', null, string.slice(0, 100) + '…'), h('pre', { class: 'clamp' }, string)) : h('code', null, string);
}

async function metricsPart(list) {
  const parts = [];
  for (const m of list) {
    const record = await json(m.text), left = new Map(Object.entries(isObject(record) ? record : { 'not an object': record }));
    const nulls = [...left].filter(([, v]) => v === null || v === '' || (Array.isArray(v) && !v.length)).map(([k]) => k);
    nulls.forEach(k => left.delete(k));
    const columns = METRIC_GROUPS.map(([title, wanted]) => {
      const rows = [...left].filter(([k, v]) => wanted(k, v));
      rows.forEach(([k]) => left.delete(k));
      return rows.length ? h('div', null, h('table', null, h('thead', null, h('tr', null, h('th', { colspan: '2' }, title))),
        h('tbody', null, rows.map(([k, v]) => h('tr', null, h('td', { class: 'soft' }, k), h('td', { class: 'w' }, metricValue(k, v))))))) : null;
    });
    parts.push(h('details', { open: list.length === 1 }, h('summary', null, h('code', null, m.kind), m.attempt ? ' attempt ' + m.attempt : '', m.round ? ' round ' + (m.round + 1) : ''),
      h('div', { class: 'cols' }, columns), nulls.length ? h('p', { class: 'soft' }, 'without a value: ' + nulls.join(', ')) : null));
  }
  return parts;
}

function frameText(frame) {
  const file = typeof frame.filename === 'string' ? frame.filename : log.strings[frame.filename] || '(unknown)';
  return shortPath(file) + ':' + frame.line + ' ' + frame.name + (frame.loc ? '  ' + frame.loc : '');
}
function factCell(key, value) {
  if (value === null || value === undefined) return '';
  if (/stack$/.test(key) && Array.isArray(value)) return h('details', null, h('summary', null, plural(value.length, 'frame')), h('pre', null, value.map(f => f && typeof f === 'object' ? frameText(f) : String(f)).join('\n')));
  if (typeof value === 'object') { const s = JSON.stringify(value); return s.length > 300 ? h('details', null, h('summary', null, s.slice(0, 80) + '…'), h('code', null, s)) : h('code', null, s); }
  return h('code', null, String(value));
}
function factTable(rows) {
  const keys = [...new Set(rows.flatMap(r => r !== null && typeof r === 'object' && !Array.isArray(r) ? Object.keys(r) : []))].slice(0, 14);
  if (!keys.length) return h('pre', null, rows.map(r => JSON.stringify(r)).join('\n'));
  return table(rows, keys.map(key => [key, r => { const v = r && r[key]; return typeof v === 'number' ? v : String(v); }, r => factCell(key, r && r[key]), 'w']), 40);
}
const listText = list => Array.isArray(list) ? '[' + list.map(String).join(', ') + ']' : String(list ?? '');
const listOf = value => Array.isArray(value) ? value : [];
const isObject = value => value !== null && typeof value === 'object' && !Array.isArray(value);
/** Inputs of a compile: a row per tensor, with where it comes from. */
function inputTable(facts) {
  const source = new Map((facts.describe_source || []).filter(isObject).map(s => [s.describer_id + ' ' + s.id, s.source]));
  return table(facts.describe_tensor.filter(isObject), [
    ['source', t => source.get(t.describer_id + ' ' + t.id), t => h('code', null, String(source.get(t.describer_id + ' ' + t.id) || 'tensor ' + t.id)), 'w'],
    ['shape', t => String(t.size), t => h('code', null, listText(t.size))],
    ['stride', t => String(t.stride), t => h('code', null, listText(t.stride))],
    ['type', t => t.dtype, t => h('code', null, String(t.dtype).replace('torch.', ''))],
    ['device', t => t.device, t => h('code', null, String(t.device).replace(/^device\(type='(\w+)'(?:, index=(\d+))?\)$/, (_, a, b) => b === undefined ? a : a + ':' + b))],
    ['flags', t => '', t => Object.keys(t).filter(k => /^is_/.test(k) && t[k] === true && k !== 'is_leaf').map(k => h('span', { class: 'badge' }, k.slice(3)))],
  ], 30);
}

function productTable(c, products) {
  const most = products.reduce((m, p) => Math.max(m, p.bytes), 0);
  return table(products, [
    ['product', p => p.name, p => h('a', { href: productLink(c, p) }, p.name), 'w'],
    c.attempts ? ['attempt', p => p.attempt, p => String(p.attempt), 'num'] : null,
    c.rounds ? ['round', p => p.round, p => String(p.round + 1), 'num'] : null,
    ['cache', p => p.mark, p => markOf(p.mark)],
    ['size', p => p.bytes, p => bar(p.bytes, most, bytes(p.bytes)), 'num'],
    ['lines', p => p.lines, p => group(p.lines), 'num'],
    ['', p => p.note, p => h('span', { class: 'soft', title: p.note }, /^\/\S+$/.test(p.note) ? p.note.slice(p.note.lastIndexOf('/') + 1) : p.note), 'w'],
    ['log line', p => p.logLine, p => group(p.logLine), 'num'],
  ].filter(Boolean), 100);
}

/** What each attempt began with: why the previous one was rejected. */
async function attemptTable(c, d) {
  const restarts = d.metrics.flatMap(m => m.restarts || []);
  const rows = [];
  for (let n = 0; n <= c.attempts; ++n) {
    const made = d.products.filter(p => p.attempt === n);
    const row = { n, made: made.length, why: n ? restarts[n - 1] || '' : 'the first', what: '', kernel: '', source: '' };
    const told = made.find(p => p.name === 'strategy_fallback.json'), broke = d.products.find(p => p.attempt === n - 1 && /^dynamo_graph_break_reason/.test(p.name));
    if (told && told.text >= 0) {
      try {
        const value = JSON.parse(await text(told.text));
        if (isObject(value)) Object.assign(row, { why: String(value.reason ?? ''), what: String(value.rejected ?? value.given_up ?? '') + ' → ' + String(value.selected ?? value.instead ?? ''), kernel: String(value.kernel ?? ''), source: String(listOf(value.sources).at(-1) ?? '') });
      } catch { /* the product is listed as it is */ }
      row.product = told;
    } else if (broke && broke.text >= 0) Object.assign(row, { why: (await text(broke.text)).split('\n')[0].slice(0, 300), product: broke });
    rows.push(row);
  }
  const some = key => rows.some(r => r[key]);
  return table(rows, [
    ['attempt', r => r.n, r => String(r.n), 'num'],
    ['began because', r => r.why, r => r.product ? h('a', { href: productLink(c, r.product) }, r.why || r.product.name) : r.why, 'w'],
    some('what') ? ['rejected → selected', r => r.what, r => r.what] : null,
    some('kernel') ? ['kernel', r => r.kernel, r => r.kernel && c.artifact >= 0 ? h('a', { href: '#/a' + (c.artifact || '') + '/k/' + encodeURIComponent(r.kernel) }, r.kernel) : r.kernel] : null,
    some('source') ? ['source', r => r.source, r => h('code', { title: r.source }, shortPath(r.source)), 'w'] : null,
    ['products', r => r.made, r => String(r.made), 'num'],
  ].filter(Boolean), 40);
}

const neighbours = c => {
  const list = log.compiles;
  return h('span', { class: 'tool' }, h('a', { id: 'prev', href: c.index > 0 ? compileLink(list[c.index - 1]) : null, title: 'k' }, c.index > 0 ? '← ' + titleOf(list[c.index - 1]) : ''),
    h('a', { id: 'next', href: c.index + 1 < list.length ? compileLink(list[c.index + 1]) : null, title: 'j' }, c.index + 1 < list.length ? titleOf(list[c.index + 1]) + ' →' : ''));
};
const find = key => log.byKey.get(key);

async function compilePage(key) {
  const c = find(key);
  if (!c) return missingPage('There is no compile ' + key + ' in this log.');
  const d = await details(c);
  const spans = (await spansOf(log)).filter(s => s[1] === c.index);
  const problems = log.problems.filter(p => p.compiles.includes(c.index));
  const stacks = [...new Set(c.stacks.filter(leaf => leaf >= 0))];
  const others = Object.keys(d.facts).filter(k => !/^describe_/.test(k));
  return [
    h('h1', null, dot(c.status), ' ', titleOf(c), ' ', h('code', null, c.fn)),
    neighbours(c),
    help(c.file ? [h('code', { title: c.file }, shortPath(c.file) + ':' + c.line), '. '] : null, c.id ? [h('span', { class: 's-' + c.status }, c.status), ': ' + STATUS[c.status] + '. '] : 'Records that name no compile. ',
      'Products are in the order they were made; ', h('b', null, 'worry about'), ' a miss where the compile before had a hit, and about guards that fix a size.'),
    h('div', { class: 'chips' }, c.artifact >= 0 ? h('a', { class: 'chip', id: 'whole', href: '#/a' + (c.artifact || '') + '/' }, h('b', null, 'passes, kernels, provenance, tasks'), ' →') : null, c.us >= 0 ? h('span', { class: 'chip' }, duration(c.us)) : null, c.ops >= 0 ? h('span', { class: 'chip' }, plural(c.ops, 'op')) : null, c.guards >= 0 ? h('span', { class: 'chip' }, plural(c.guards, 'guard')) : null,
      c.attempts ? h('span', { class: 'chip' }, plural(c.attempts, 'restart')) : null, c.rounds ? h('span', { class: 'chip', title: 'the program reset the compiler; ids restart at 0' }, 'compiled in ' + (c.rounds + 1) + ' rounds') : null,
      h('span', { class: 'chip' }, plural(c.records, 'record') + ', ' + bytes(c.bytes) + ' of log')),
    problems.length ? [heading('Problems'), problemTable(problems)] : null,
    c.attempts ? [heading('Attempts', 'each began when a strategy of the previous one was rejected; the metrics are those of the last'), await attemptTable(c, d)] : null,
    inductorPanes(d).length > 1 ? h('p', null, h('a', { id: 'nodes', href: link('inductor/' + encodeURIComponent(keyOf(c))) }, 'Nodes before and after the passes, and their kernels, side by side →')) : null,
    d.products.some(p => /^exported_program/.test(p.name)) || EXPORT_FACTS.some(kind => (d.facts[kind] || []).length) ? exportPart(c, d) : null,
    heading('Products', plural(d.products.length, 'product') + ', ' + bytes(c.productBytes)),
    d.products.length ? productTable(c, d.products) : h('p', { class: 'soft' }, 'None.'),
    d.links.length ? [heading('Links', 'external addresses from the log'), h('ul', null, d.links.map(([name, url]) => h('li', null, outside(name, url))))] : null,
    stacks.length ? [heading('Stack', 'the call that triggered this compile'), stacks.map(leaf => stackRows(framesOf(leaf)))] : null,
    spans.length ? [heading('Time'), flame(spans.map(s => [...s]), log.spanNames)] : null,
    (d.facts.describe_tensor || []).length ? [heading('Inputs', plural(d.facts.describe_tensor.length, 'tensor')), inputTable(d.facts)] : null,
    d.metrics.length ? [heading('Metrics'), await metricsPart(d.metrics)] : null,
    others.map(kind => [heading(kind, (log.kinds.find(k => k[0] === kind) || [])[1] || ''), factTable(d.facts[kind]), d.more[kind] ? h('p', { class: 'soft' }, group(d.more[kind]) + ' more are in raw.jsonl') : null]),
  ];
}

function pretty(name, value) {
  if (!/\.json$/.test(name)) return value;
  try { return JSON.stringify(JSON.parse(value), null, 2); } catch { return value; }
}

/** A JSON product whose members are lists of objects, as tables; they fold. */
function jsonTables(name, raw) {
  if (!/\.json$/.test(name) || raw.length > 8e6) return null;
  let value;
  try { value = JSON.parse(raw); } catch { return null; }
  const isTable = list => Array.isArray(list) && list.length > 0 && list.every(isObject);
  const found = isTable(value) ? [[name.replace(/\.json$/, ''), value]] : isObject(value) ? Object.entries(value).filter(([, list]) => isTable(list)) : [];
  return found.length ? found.slice(0, 8).map(([title, list]) => h('details', { open: list.length <= 60 }, h('summary', null, h('b', null, title), ' ', h('span', { class: 'soft' }, plural(list.length, 'row'))), factTable(list))) : null;
}

async function productPage(key, name, line) {
  const c = find(key);
  const d = c && await details(c);
  const p = d && d.products.find(q => productKey(q) === name);
  if (!p) return missingPage('There is no product ' + name + ' of compile ' + key + '.');
  const at = d.products.indexOf(p), steps = [d.products[at - 1], d.products[at + 1]];
  const head = [h('h1', null, h('a', { href: compileLink(c) }, titleOf(c)), ' ', p.name),
    help(plural(p.lines, 'line') + ', ' + bytes(p.bytes) + ', log line ' + group(p.logLine) + (p.note ? '; ' + p.note : '') + '. Click a line number for an address of that line, shift-click for a range.'),
    h('span', { class: 'tool' }, steps[0] ? h('a', { id: 'prevProduct', href: productLink(c, steps[0]), title: '[' }, '← ' + steps[0].name) : null, steps[1] ? h('a', { id: 'nextProduct', href: productLink(c, steps[1]), title: ']' }, steps[1].name + ' →') : null)];
  if (p.text < 0) return [head, h('p', null, 'This report keeps texts as files: ', h('a', { href: p.url }, p.url))];
  const raw = await text(p.text), value = pretty(p.name, raw);
  const others = await sameProduct(c, p);
  const view = codeView(value, grammarOf(p.name, raw), (chosen, range) => {
    const [first] = (line || '').split('-').map(Number);
    const part = range && first ? Math.min(first, chosen) + '-' + Math.max(first, chosen) : String(chosen);
    line = part;
    stay(productLink(c, p, part));
    view.show(...part.split('-').map(Number));
  });
  const area = h('div', null, view);
  const choose = others.length ? h('select', { 'aria-label': 'compare with', onchange: async event => {
    const other = others[event.target.value];
    area.replaceChildren(other ? diffView(pretty(p.name, await text(other.product.text)), value) : view);
  } }, h('option', { value: '' }, 'compare with…'), others.map((o, i) => h('option', { value: i }, o.label))) : null;
  setTimeout(() => { if (line) view.show(...line.split('-').map(Number)); });
  return [head,
    h('div', { class: 'tool' }, finder(view), choose,
      h('button', { onclick: event => { const on = view.classList.toggle('wrap'); event.target.setAttribute('aria-pressed', on); } }, 'wrap'),
      h('button', { onclick: event => copy(raw, event.target) }, 'copy'), h('button', { onclick: () => save(raw, p.name) }, 'save'),
      p.url && !top_.single ? h('a', { href: p.url }, 'file') : null, markOf(p.mark)),
    line ? null : jsonTables(p.name, raw), area];
}

/** The same product of compiles of the same code, nearest first. */
async function sameProduct(c, p) {
  const frame = c.id.replace(/\/[^/]*$/, '');
  const list = log.compiles.filter(o => o.id.replace(/\/[^/]*$/, '') === frame && o.products).sort((a, b) => Math.abs(a.index - c.index) - Math.abs(b.index - c.index)).slice(0, 12);
  const out = [];
  const base = p.name.replace(/\.\d+(?=\.\w+$)/, '');
  for (const o of list)
    for (const q of (await details(o)).products)
      if (q.text >= 0 && q.name.replace(/\.\d+(?=\.\w+$)/, '') === base && !(o === c && q.name === p.name && q.attempt === p.attempt))
        out.push({ product: q, label: titleOf(o) + ' ' + productKey(q) + (q.text === p.text ? ' (the same)' : '') });
  return out;
}

const missingPage = what => [h('h1', null, 'Nothing here'), h('p', null, what), h('p', null, h('a', { href: link('') }, 'Overview'))];
