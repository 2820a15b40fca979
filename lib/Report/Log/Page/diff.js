// Two runs beside each other: what one lacks, and what differs.

let comparison;

async function loadComparison() {
  const data = await load('diff');
  if (data.ready) return data;
  data.ready = true;
  data.units = data.units.map((row, index) => Object.assign(named(row, ['name', 'before', 'after', 'facts', 'products', 'times', 'countBefore', 'countAfter']), { index }));
  for (const u of data.units) u.products = u.products.map((p, i) => Object.assign(named(p, ['name', 'bytesBefore', 'bytesAfter', 'removed', 'added', 'from', 'to', 'changes', 'counts', 'asText', 'order']), { index: i }));
  data.different = data.units.filter(u => !u.before || !u.after || u.facts.length || u.products.length);
  return data;
}
const unitLink = (u, p) => '#/d/' + u.index + (p ? '/' + p.index : '');
const unitState = u => !u.before ? ['only after', 's-ok'] : !u.after ? ['only before', 's-failed'] : u.facts.length || u.products.length ? ['differs', 's-restarted'] : ['same', 'soft'];
const timeOf = (u, side) => u.times.reduce((s, t) => s + (t[0] === 'duration_us' || t[0] === 'passes' ? t[side] : 0), 0);
const change = (x, y) => x > 0 && y > 0 ? (y >= x ? '+' : '−') + Math.abs((y - x) / x * 100).toFixed(0) + ' %' : '';

async function diffPage(parts) {
  comparison = await loadComparison();
  passPage.step = null;
  if (parts[0] === 'd') return unitPage(comparison.units[Number(parts[1])], parts[2], parts[3]);
  const { before, after, units, different } = comparison;
  const count = kind => units.filter(u => unitState(u)[0] === kind).length;
  const times = [1, 2].map(side => units.reduce((s, u) => s + timeOf(u, side), 0));
  const changes = different.flatMap(u => u.facts.map(f => [u, ...f]));
  return [h('h1', null, different.length ? plural(different.length, 'unit') + ' differ' + (different.length === 1 ? 's' : '') : 'The two are the same'),
    help('Before: ', h('code', null, before), '. After: ', h('code', null, after), '. Compiles and kernels are paired by their ids and names, products by theirs. Differences in time are ignored. ', h('b', null, 'Worry about'), ' what only one side has, then code that changed without an edit of yours.'),
    comparison.note ? h('p', { class: 'soft' }, comparison.note) : null,
    h('div', { class: 'chips' }, ['only before', 'only after', 'differs', 'same'].map(k => h('span', { class: 'chip' }, group(count(k)) + ' ' + k)), times[0] + times[1] > 0 ? h('span', { class: 'chip' }, 'compile time ' + duration(times[0]) + ' → ' + duration(times[1]) + ' ' + change(times[0], times[1])) : null),
    await firstDifference(), heading('Units'),
    table([...different, ...units.filter(u => !different.includes(u))], [
      ['unit', u => u.name, u => h('a', { href: unitLink(u) }, u.name), 'w'],
      ['', u => unitState(u)[0], u => h('span', { class: unitState(u)[1] }, unitState(u)[0])],
      ['facts', u => u.facts.length, u => u.facts.length ? group(u.facts.length) : '', 'num'],
      ['products', u => u.products.length, u => u.products.length ? group(u.products.length) + ' of ' + group(Math.max(u.countBefore, u.countAfter)) : '', 'num'],
      ['time', u => timeOf(u, 2) - timeOf(u, 1), u => timeOf(u, 1) + timeOf(u, 2) > 0 ? duration(timeOf(u, 1)) + ' → ' + duration(timeOf(u, 2)) + ' ' + change(timeOf(u, 1), timeOf(u, 2)) : '', 'num'],
    ], 200),
    changes.length ? [heading('Facts that differ', plural(changes.length, 'value')), table(changes, [['unit', c => c[0].name, c => h('a', { href: unitLink(c[0]) }, c[0].name), 'w'], ...factColumns(1)], 100)] : null];
}
const factColumns = at => [['what', c => c[at], c => h('code', null, c[at])], ['before', c => c[at + 1], c => h('code', { class: 'clamp' }, c[at + 1] || '–'), 'w'], ['after', c => c[at + 2], c => h('code', { class: 'clamp' }, c[at + 2] || '–'), 'w']];

const unitOf = u => u.name === 'program' ? 'the program' : u.name;
const productState = q => q.added === undefined ? '' : q.bytesBefore < 0 ? h('span', { class: 's-ok' }, 'only after') : q.bytesAfter < 0 ? h('span', { class: 's-failed' }, 'only before') : q.changes >= 0 ? q.counts.map((n, i) => n ? plural(n, 'op') + ' ' + CHANGE_NAMES[i] : null).filter(Boolean).join(', ') || 'attributes of the program' : [h('span', { class: 's-failed' }, '−' + group(q.removed)), ' ', h('span', { class: 's-ok' }, '+' + group(q.added)), ' lines'];

/** The first pass after which the two differ, with its smallest difference; what follows from it is folded. */
async function firstDifference() {
  const [unit, product] = comparison.first || [], u = comparison.units[unit], p = u && u.products[product];
  if (!p) return null;
  const changes = p.changes >= 0 ? await changesOf(p.changes) : [], c = changes[0];
  const later = comparison.units.flatMap(other => other.products.filter(q => q !== p && q.order >= 0).map(q => [other, q])).sort((x, y) => x[1].order - y[1].order);
  return [heading('The first difference', (p.order ? 'after pass ' + p.order : 'in the input') + '; what is below may follow from it'),
    h('section', { class: 'card', id: 'firstDifference' }, h('header', null, h('b', null, String(p.order).padStart(4, '0') + ' ' + p.name.replace(/(\.\d+)?\.mlir$/, '')), h('span', { class: 'soft' }, ' of ', unitOf(u)), h('span', null, productState(p)), h('a', { href: unitLink(u, p) + (c ? '/1' : '') }, 'both texts')),
      c ? h('div', { class: 'delta' }, h('span', { class: 'badge' }, c.kind), ' ', c.op, c.details.slice(0, 4).map(([what, x, y]) => h('div', null, h('span', { class: 'soft' }, what + ' '), x ? h('del', null, x.slice(0, 300)) : null, ' ', y ? h('ins', null, y.slice(0, 300)) : null)), changes.length > 1 ? h('div', { class: 'soft' }, 'and ' + plural(changes.length - 1, 'change') + ' more') : null) : null,
      later.length ? h('details', null, h('summary', null, plural(later.length, 'later text') + ' that differ' + (later.length === 1 ? 's' : '')),
        table(later, [['pass', x => x[1].order, x => String(x[1].order).padStart(4, '0'), 'num'], ['text', x => x[1].name, x => h('a', { href: unitLink(x[0], x[1]) }, x[1].name), 'w'], ['of', x => x[0].name, x => unitOf(x[0]), 'w'], ['', x => x[1].added, x => productState(x[1])]], 100)) : null)];
}

async function unitPage(u, product, chosen) {
  if (!u) return missingPage('There is no such unit.');
  const p = u.products[Number(product)];
  const head = [h('h1', null, u.name), help(unitState(u)[0] === 'same' ? 'The same on both sides.' : 'What the two sides do not share of it. IR is compared by structure: renamed values and reordered independent ops are no difference. Other texts are compared by their lines.')];
  if (product !== undefined && p) {
    const [x, y] = [p.from >= 0 ? await text(p.from) : '', p.to >= 0 ? await text(p.to) : ''];
    const next = u.products[p.index + 1], before = u.products[p.index - 1];
    return [h('h1', null, h('a', { href: unitLink(u) }, u.name), ' ', p.name), h('span', { class: 'tool' }, before ? h('a', { id: 'prev', href: unitLink(u, before), title: 'k' }, '← ' + before.name) : null, next ? h('a', { id: 'next', href: unitLink(u, next), title: 'j' }, next.name + ' →') : null),
      p.changes >= 0 ? structuralView(await changesOf(p.changes), p.counts, x, y, n => unitLink(u, p) + '/' + n, Number(chosen))
        : [p.asText ? h('p', { class: 'soft' }, 'Compared as text: ' + p.asText + '.') : null, x.length + y.length < 8e6 ? diffView(x, y) : codeView(y, 'ir')]];
  }
  return [head,
    u.facts.length ? [heading('Facts'), table(u.facts, factColumns(0), 100)] : null,
    u.products.length ? [heading('Products'), table([...u.products].sort((a, b) => (a.order < 0) - (b.order < 0) || a.order - b.order), [['product', q => q.name, q => h('a', { href: unitLink(u, q) }, q.name), 'w'], ['pass', q => q.order < 0 ? 1e9 : q.order, q => q.order < 0 ? '' : String(q.order).padStart(4, '0'), 'num'], ['', q => q.added, productState],
      ['before', q => q.bytesBefore, q => q.bytesBefore < 0 ? '–' : bytes(q.bytesBefore), 'num'], ['after', q => q.bytesAfter, q => q.bytesAfter < 0 ? '–' : bytes(q.bytesAfter), 'num']], 200)] : null,
    u.times.length ? [heading('Times', 'not compared'), table(u.times, [['what', t => t[0], t => h('code', null, t[0]), 'w'], ['before', t => t[1], t => duration(t[1]), 'num'], ['after', t => t[2], t => duration(t[2]), 'num'], ['', t => t[1] > 0 ? t[2] / t[1] : 0, t => change(t[1], t[2]), 'num']], 60)] : null];
}
