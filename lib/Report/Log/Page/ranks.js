// Several ranks: where they part ways, and two of them beside each other.

/** "0–511, 600": the first ranges of a list of ranks. */
function rankRanges(ranks, most = 12) {
  const sorted = [...ranks].sort((a, b) => a - b), out = [];
  for (let i = 0; i < sorted.length; ) {
    let end = i;
    while (end + 1 < sorted.length && sorted[end + 1] === sorted[end] + 1) ++end;
    out.push(end > i + 1 ? sorted[i] + '–' + sorted[end] : sorted.slice(i, end + 1).join(', '));
    i = end + 1;
  }
  return out.slice(0, most).join(', ') + (out.length > most ? ', …' : '');
}
const rankWords = ranks => (ranks.length > 12 ? plural(ranks.length, 'rank') + ': ' : ranks.length === 1 ? 'rank ' : 'ranks ') + rankRanges(ranks);

/** Ranks that agree in all that is compared, the largest group first. */
function rankGroups() {
  const says = new Map(top_.logs.map(entry => [entry.rank, []]));
  for (const d of top_.desync) d.groups.forEach((g, i) => g.ranks.forEach(rank => { if (says.has(rank) && i) says.get(rank).push([d, g]); }));
  const groups = new Map();
  for (const [rank, list] of says) {
    const key = list.map(([d, g]) => d.what + ' ' + d.groups.indexOf(g)).join('; ');
    if (!groups.has(key)) groups.set(key, { ranks: [], differs: list });
    groups.get(key).ranks.push(rank);
  }
  return [...groups.values()].sort((a, b) => b.ranks.length - a.ranks.length);
}

/** Estimated times: where one rank lets the others wait. */
function timesPart() {
  if (!(top_.times || []).length) return null;
  const slowest = top_.times.reduce((m, r) => Math.max(m, r[6]), 0), ns = x => duration(x / 1000);
  return [heading('Estimated times', 'of each graph, by the compiler; a rank that is slower lets the others wait'),
    h('p', null, h('a', { href: 'runtime_estimates.json', download: 'runtime_estimates.json', hidden: top_.single }, 'runtime_estimates.json'), top_.single ? '' : ' holds them for Perfetto: a process per rank, a thread per graph.'),
    table(top_.times, [
      ['compile', r => r[0], r => h('code', null, '[' + r[0] + ']')],
      ['ranks', r => r[1], r => group(r[1]), 'num'],
      ['median', r => r[2], r => ns(r[2]), 'num'],
      ['fastest', r => r[4], r => [ns(r[4]), h('span', { class: 'soft' }, ' rank ' + r[3])], 'num'],
      ['slowest', r => r[6], r => bar(r[6], slowest, ns(r[6]) + ' rank ' + r[5]), 'num'],
      ['of the median', r => r[2] ? r[6] / r[2] : 0, r => h('span', { class: r[6] > r[2] * 1.1 ? 's-failed' : null }, r[2] ? (r[6] / r[2]).toFixed(2) : '–'), 'num'],
      ['loses most in', r => r[7], r => r[7] ? [h('code', null, r[7]), r[8] ? ' ' + ns(r[8]) : ''] : '', 'w'],
    ], 100)];
}

/** Graphs in the order in which they ran, a column per different order. */
function ordersPart() {
  const orders = top_.orders || [];
  if (!orders.length) return null;
  const length = orders.reduce((m, o) => Math.max(m, o.steps.length), 0), rows = Array.from({ length }, (_, i) => i);
  const differs = i => orders.some(o => o.steps[i] !== orders[0].steps[i]), first = rows.find(differs);
  const cell = (o, i) => h('span', { class: o.steps[i] !== orders[0].steps[i] ? 's-failed' : null }, h('code', null, o.steps[i] ?? '–'));
  return [heading('Execution order', orders.length > 1 ? plural(orders.length, 'order') + '; they part at step ' + group(first + 1) : 'the same on all ranks that say it'),
    table(rows, [['step', i => i + 1, i => h('span', { class: differs(i) ? 's-failed' : null }, group(i + 1)), 'num'],
      ...orders.map(o => [top_.logs.length > 1 ? rankWords(o.ranks) : 'graph', i => o.steps[i] ?? '', i => cell(o, i), 'w'])], 60)];
}

const rankLink = index => h('a', { href: link('', index) }, 'rank ' + top_.logs[index].rank);

async function ranksPage() {
  const rows = top_.logs.map((entry, index) => Object.assign({ index }, entry));
  const most = rows.reduce((m, r) => Math.max(m, r.us), 0);
  return [h('h1', null, plural(rows.length, 'rank')),
    help('One log per rank. Ranks of one program should compile the same things in the same way; if they do not, collectives may hang. ',
      h('b', null, 'Worry about'), ' every warning here, in the order they stand.'),
    heading('Desync warnings', top_.desync.length ? plural(top_.desync.length, 'difference') : 'none'),
    top_.desync.length ? top_.desync.map(d => h('div', { class: 'alarm note' }, h('b', null, d.what), /^(status|execution order)$/.test(d.what) ? ' differs' : ' differ', d.first ? [' first at ', h('code', null, '[' + d.first + ']')] : null,
      h('ul', null, d.groups.map(g => h('li', null, rankWords(g.ranks), ' – ', h('code', null, g.says || '(nothing)')))),
      d.groups.length > 1 ? h('a', { href: '#/rankdiff/' + d.groups[0].ranks[0] + '/' + d.groups[1].ranks[0] }, 'compare rank ' + d.groups[0].ranks[0] + ' with rank ' + d.groups[1].ranks[0]) : null))
      : h('p', { class: 's-ok' }, 'Compile ids, statuses, caches, collectives, schedules and tensors agree.'),
    top_.desync.length ? [heading('Groups', 'ranks that agree in all of this'), table(rankGroups(), [
      ['ranks', g => g.ranks.length, g => group(g.ranks.length), 'num'],
      ['which', g => g.ranks[0], g => rankRanges(g.ranks, 40), 'w'],
      ['differ from most in', g => g.differs.length, g => g.differs.length ? g.differs.map(([d, x]) => h('div', null, d.what + (d.first ? ' at [' + d.first + ']' : ''), ': ', h('code', null, x.says || '(nothing)'))) : h('span', { class: 's-ok' }, 'nothing'), 'w'],
    ], 40)] : null,
    timesPart(), ordersPart(),
    heading('Ranks'),
    table(rows, [
      ['rank', r => r.rank, r => rankLink(r.index)],
      ['compiles', r => r.compiles, r => group(r.compiles), 'num'],
      ['status', r => r.failed, r => Object.keys(STATUS).map(s => r.status[s] ? h('span', { class: 'id' }, dot(s), group(r.status[s]) + ' ') : null)],
      ['time', r => r.us, r => bar(r.us, most, duration(r.us)), 'num'],
      ['cache hits', r => r.hits, r => group(r.hits), 'num'], ['misses', r => r.misses, r => group(r.misses), 'num'],
      ['damage', r => r.damage, r => r.damage ? h('span', { class: 's-failed' }, group(r.damage)) : '0', 'num'],
      ['log', r => r.bytes, r => bytes(r.bytes), 'num'],
      ['file', r => r.name, r => h('code', null, r.name), 'w'],
    ], 100),
    rows.length > 1 ? h('p', null, 'Compare ', rankChoice(0, 1)) : null];
}
function rankChoice(a, b) {
  const select = chosen => h('select', null, top_.logs.map((entry, i) => h('option', { value: i, selected: i === chosen }, 'rank ' + entry.rank)));
  const left = select(a), right = select(b);
  return h('span', { class: 'tool' }, left, ' with ', right, h('button', { onclick: () => { location.hash = '#/rankdiff/' + top_.logs[left.value].rank + '/' + top_.logs[right.value].rank; } }, 'compare'));
}

async function rankDiffPage(left, right) {
  const numbers = [left, right].map(rank => top_.logs.findIndex(entry => String(entry.rank) === rank));
  if (numbers.includes(-1)) return missingPage('There is no such rank.');
  const [a, b] = await Promise.all(numbers.map(loadLog));
  const rows = [];
  for (const key of new Set([...a.byKey.keys(), ...b.byKey.keys()])) {
    const x = a.byKey.get(key), y = b.byKey.get(key);
    const one = { key, x, y, differ: [] };
    if (x && y) {
      const [dx, dy] = await Promise.all([details(x), details(y)]);
      const names = new Map(dx.products.map(p => [productKey(p), [p]]));
      for (const p of dy.products) names.set(productKey(p), [(names.get(productKey(p)) || [])[0], p]);
      for (const [name, [p, q]] of names) if (!p || !q || p.md5 !== q.md5) one.differ.push([name, p, q]);
    }
    rows.push(one);
  }
  const area = h('div');
  const cell = (c, index) => c ? h('a', { class: 'id', href: compileLink(c, index) }, dot(c.status), titleOf(c), ' ', c.fn) : h('span', { class: 's-failed' }, 'absent');
  return [h('h1', null, 'Rank ' + left + ' and rank ' + right),
    help('Compiles are paired by their ids, products by their names. ', h('b', null, 'Worry about'), ' compiles that one side lacks, and about different graphs; cache keys and times always differ.'),
    h('p', null, 'Compare ', rankChoice(...numbers)),
    table(rows, [
      ['rank ' + left, r => r.key, r => cell(r.x, numbers[0])],
      ['rank ' + right, r => r.key, r => cell(r.y, numbers[1])],
      ['time', r => r.x ? r.x.us : -1, r => (r.x ? duration(r.x.us) : '–') + ' / ' + (r.y ? duration(r.y.us) : '–'), 'num'],
      ['products that differ', r => r.differ.length, r => !r.x || !r.y ? '' : r.differ.length ? r.differ.map(([name, p, q]) => [p && q && p.text >= 0 ? h('button', { onclick: async () => {
        area.replaceChildren(heading('[' + r.key.replace(/\./g, '/') + '] ' + name), diffView(pretty(p.name, await text(p.text)), pretty(q.name, await text(q.text))));
        area.scrollIntoView({ block: 'start' });
      } }, name) : h('span', { class: 's-failed' }, name + (p && q ? '' : ' (only ' + (p ? left : right) + ')')), ' ']) : h('span', { class: 's-ok' }, 'none'), 'w'],
    ], 200), area];
}
