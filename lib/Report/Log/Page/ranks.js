// Several ranks: where they part ways, and two of them beside each other.

const rankLink = index => h('a', { href: link('', index) }, 'rank ' + top_.logs[index].rank);

async function ranksPage() {
  const rows = top_.logs.map((entry, index) => Object.assign({ index }, entry));
  const most = rows.reduce((m, r) => Math.max(m, r.us), 0);
  return [h('h1', null, plural(rows.length, 'rank')),
    help('One log per rank. Ranks of one program should compile the same things in the same way; if they do not, collectives may hang. ',
      h('b', null, 'Worry about'), ' every warning here, in the order they stand.'),
    heading('Desync warnings', top_.desync.length ? plural(top_.desync.length, 'difference') : 'none'),
    top_.desync.length ? top_.desync.map(d => h('div', { class: 'alarm note' }, h('b', null, d.what), d.first ? [' differ first at ', h('code', null, '[' + d.first + ']')] : ' differ',
      h('ul', null, d.groups.map(g => h('li', null, g.ranks.length > 12 ? plural(g.ranks.length, 'rank') + ': ' + g.ranks.slice(0, 12).join(', ') + '…' : (g.ranks.length === 1 ? 'rank ' : 'ranks ') + g.ranks.join(', '), ' – ', h('code', null, g.says || '(nothing)')))),
      d.groups.length > 1 ? h('a', { href: '#/rankdiff/' + d.groups[0].ranks[0] + '/' + d.groups[1].ranks[0] }, 'compare rank ' + d.groups[0].ranks[0] + ' with rank ' + d.groups[1].ranks[0]) : null))
      : h('p', { class: 's-ok' }, 'Compile ids, statuses, caches, collectives, schedules and tensors agree.'),
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
    ]),
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
