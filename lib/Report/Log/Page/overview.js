// The first page of a log, and what hangs on it: problems, stacks, records.

const WORST = { failure: 'bad', unfinished: 'bad', collectives: 'bad', 'missing kernel': 'bad', 'mismatched kernel': 'bad', 'data dependent': 'bad', guard: 'warn', 'graph break': 'warn', restart: 'warn', recompile: 'warn', 'cache bypass': 'warn', 'strategy rejected': 'warn', 'specialization failed': 'warn' };

function problemTable(problems) {
  return table(problems, [
    ['kind', p => p.kind, p => h('span', { class: 'badge ' + (WORST[p.kind] || '') }, p.kind)],
    ['count', p => p.count, p => group(p.count), 'num'],
    ['what', p => p.text, p => [h('code', { class: 'clamp', title: p.text }, p.text), p.where ? h('div', { class: 'soft' }, shortPath(p.where)) : null], 'w'],
    ['compiles', p => p.compiles.length, p => idList(p.compiles, 6)],
  ], 50);
}

function damageNote() {
  if (!log.damage) return null;
  const kinds = log.defectKinds.filter(([, damage, count]) => damage && count).map(([name, , count]) => name + ' ' + group(count));
  return h('p', { class: 'alarm' }, h('b', null, 'The log is damaged: '), kinds.join(', '), '. What could be read is shown. ', h('a', { href: link('records') }, 'Where'));
}

function compileTable(compiles) {
  const most = compiles.reduce((m, c) => Math.max(m, c.us), 0);
  return table(compiles, [
    ['compile', c => c.index, c => idLink(c)],
    ['status', c => c.status, c => h('span', { class: 's-' + c.status }, c.status)],
    ['function', c => c.fn, c => h('code', null, c.fn || '–'), 'w'],
    ['where', c => c.file + c.line, c => h('span', { class: 'soft' }, c.file ? shortPath(c.file) + ':' + c.line : ''), 'w'],
    ['time', c => c.us, c => bar(c.us, most, duration(c.us)), 'num'],
    ['ops', c => c.ops, c => c.ops < 0 ? '–' : group(c.ops), 'num'],
    ['guards', c => c.guards, c => c.guards < 0 ? '–' : group(c.guards), 'num'],
    ['caches', c => c.caches, c => [...c.caches].map(m => h('span', { class: m === 'h' ? 's-ok' : m === 'm' ? 's-restarted' : 's-failed', title: { h: 'hit', m: 'miss', b: 'bypass' }[m] }, { h: '✓', m: '✗', b: '?' }[m]))],
    ['products', c => c.products, c => group(c.products), 'num'],
    ['bytes', c => c.productBytes, c => bytes(c.productBytes), 'num'],
  ], 80);
}

function byteTable() {
  const rows = [...log.kinds].sort((a, b) => b[3] - a[3]), most = rows.length ? rows[0][3] : 0;
  return table(rows, [
    ['kind of record', r => r[0], r => h('span', { title: r[1] || 'a kind this report does not know' }, h('code', null, r[0]), r[1] ? '' : h('span', { class: 'badge' }, 'unknown kind')), 'w'],
    ['bytes', r => r[3], r => bar(r[3], most, bytes(r[3])), 'num'],
    ['', r => r[3], r => (log.bytes ? (r[3] / log.bytes * 100).toFixed(1) : 0) + ' %', 'num'],
    ['count', r => r[2], r => group(r[2]), 'num'],
  ], 12);
}

async function versionLine() {
  if (log.version < 0) return null;
  const value = await text(log.version);
  return h('span', { class: 'chip mono' }, value.replace(/\s+/g, ' ').slice(0, 300));
}

async function overviewPage() {
  const compiled = log.compiles.filter(c => c.id);
  const counts = Object.keys(STATUS).map(s => [s, compiled.filter(c => c.status === s).length]).filter(([, n]) => n);
  const total = compiled.reduce((sum, c) => sum + Math.max(0, c.us), 0);
  const again = compiled.filter(c => !/(^|\/)0$/.test(c.id)).length;
  return [
    h('h1', null, log.rank >= 0 ? 'Rank ' + log.rank : 'What was compiled'),
    help(h('code', null, log.name), ': one process; each ', h('b', null, '[frame/compile]'), ' is a piece of the program compiled, and ', h('code', null, '/1'), ' and up are compiles of the same code again. ',
      h('b', null, 'Worry about'), ' anything red, about recompiles that repeat, and about restarts on hot code.'),
    damageNote(), log.notes.map(note => h('p', { class: 'alarm note' }, note)),
    h('div', { class: 'chips' },
      h('span', { class: 'chip' }, h('b', null, plural(compiled.length, 'compile'))),
      counts.map(([s, n]) => h('span', { class: 'chip', title: STATUS[s] }, dot(s), ' ', group(n) + ' ' + s)),
      again ? h('span', { class: 'chip' }, group(again) + ' of them recompiled') : null,
      total ? h('span', { class: 'chip' }, duration(total) + ' compiling') : null,
      h('span', { class: 'chip' }, plural(log.records, 'record') + ', ' + bytes(log.bytes)),
      log.first ? h('span', { class: 'chip', title: log.utc ? 'UTC' : 'local time of the writer; the log does not say its zone' }, log.first.slice(0, 19).replace('T', ' ') + ' – ' + log.last.slice(11, 19) + (log.utc ? ' UTC' : ' local')) : null,
      await versionLine()),
    log.problems.length ? [heading('Look here first', plural(log.problems.length, 'distinct problem')), problemTable(log.problems.slice(0, 12)),
      log.problems.length > 12 ? h('p', null, h('a', { href: link('problems') }, 'all ' + group(log.problems.length))) : null] : [heading('Look here first'), h('p', { class: 's-ok' }, 'No failures, breaks, restarts, recompiles or issues of an export.')],
    h('div', { class: 'cols' },
      h('div', null, heading('Where the time went', 'self time of each phase'), log.spanNames.length ? phaseTable([...log.spanNames]) : h('p', { class: 'soft' }, 'The log holds no timing events.')),
      h('div', null, heading('Where the bytes went', bytes(log.bytes) + ' of log'), byteTable())),
    top_.logs.length === 1 ? [timesPart(), ordersPart()] : null,
    heading('Compiles', 'click a column to sort'),
    compileTable(compiled.length ? compiled : log.compiles),
    log.compiles.some(c => !c.id) ? h('p', null, h('a', { href: link('c/-') }, 'Products that belong to no compile')) : null,
  ];
}

function problemsPage() {
  return [h('h1', null, 'Problems'),
    help('All problems that the compiler reported. Occurrences that differ only in numbers are counted together; the text is that of the first. ',
      h('b', null, 'Worry about'), ' failures first, then whatever has the highest count.'),
    log.problems.length ? problemTable(log.problems) : h('p', { class: 's-ok' }, 'None.')];
}

function stackRows(list) {
  const box = h('div', { class: 'trie' });
  list.forEach(index => {
    const [file, line, fn, source] = log.frames[index];
    box.append(h('div', null, h('code', null, fn), ' ', h('span', { class: 'soft', title: file }, shortPath(file) + ':' + line), source ? h('code', { class: 'src' }, source) : null));
  });
  return box;
}
function framesOf(leaf) {
  const list = [];
  for (let node = leaf; node >= 0; node = log.nodes[node][0]) list.push(log.nodes[node][1]);
  return list.reverse();
}

function trie(leaves) {
  // Only the nodes above the leaves wanted.
  const children = new Map(), ends = new Map(), seen = new Set();
  for (const [leaf, compile] of leaves) {
    if (!ends.has(leaf)) ends.set(leaf, []);
    ends.get(leaf).push(compile);
    for (let node = leaf; node >= 0 && !seen.has(node); node = log.nodes[node][0]) {
      seen.add(node);
      const parent = log.nodes[node][0];
      if (!children.has(parent)) children.set(parent, []);
      children.get(parent).push(node);
    }
  }
  const list = parent => h('ul', null, (children.get(parent) || []).sort((a, b) => a - b).map(entry));
  function label(node) {
    const [file, line, fn, source] = log.frames[log.nodes[node][1]];
    const here = ends.get(node);
    return [h('code', null, fn), ' ', h('span', { class: 'soft', title: file }, shortPath(file) + ':' + line), here ? [' ', here[0] === null ? h('span', { class: 'badge' }, group(here.length) + '×') : idList(here, 12)] : null,
      source ? h('code', { class: 'src' }, source) : null];
  }
  function entry(node) {
    // A chain without branches is one entry.
    const chain = [node];
    while (!ends.has(chain[chain.length - 1]) && (children.get(chain[chain.length - 1]) || []).length === 1) chain.push(children.get(chain[chain.length - 1])[0]);
    const last = chain[chain.length - 1], rows = chain.map(n => h('div', null, label(n)));
    if (!children.has(last)) return h('li', null, rows);
    return h('li', null, h('details', { open: true }, h('summary', null, rows[0]), rows.slice(1), list(last)));
  }
  return h('div', { class: 'trie' }, list(-1));
}

function stacksPage() {
  const leaves = [];
  for (const c of log.compiles) for (const leaf of c.stacks) if (leaf >= 0) leaves.push([leaf, c.index]);
  return [h('h1', null, 'Stacks'),
    help('The calls that led to each compile, outermost first; common prefixes are merged. A compile is shown at the line that triggered it. ',
      h('b', null, 'Worry about'), ' many compiles below one line: that code is recompiled over and over.'),
    leaves.length ? trie(leaves) : h('p', { class: 'soft' }, 'The log holds no stacks.'),
    log.otherStacks.length ? [heading('Without a compile', 'records that should have a compile id'), trie(log.otherStacks.map(leaf => [leaf, null]))] : null];
}

function recordsPage() {
  const defects = log.defects.filter(([kind]) => true);
  return [h('h1', null, 'Records'),
    help('The records of the log, and its defects. Every line is a record, a part of one, or counted here as damage. ',
      h('b', null, 'Worry about'), ' damage: what stands in the damaged records is missing from the other pages.'),
    h('p', null, plural(log.lines, 'line') + ', ' + plural(log.records, 'record') + ', ' + bytes(log.bytes) + '; ' + plural(log.pids, 'process', 'processes') + (log.converted ? '; lines end in CR LF: the log was converted' : '') + (log.emptyLines ? '; ' + plural(log.emptyLines, 'empty line') : '') + '.'),
    table([...log.kinds].sort((a, b) => b[2] - a[2]), [
      ['kind', r => r[0], r => h('code', null, r[0])],
      ['count', r => r[2], r => group(r[2]), 'num'], ['bytes', r => r[3], r => bytes(r[3]), 'num'], ['payloads', r => r[4], r => bytes(r[4]), 'num'],
      ['meaning', r => r[1], r => r[1] || h('span', { class: 'badge' }, 'not known to this report; kept in raw.jsonl'), 'w'],
    ], 100),
    heading('Defects', log.damage ? plural(log.damage, 'case') + ' of damage' : 'no damage'),
    h('div', { class: 'chips' }, log.defectKinds.map(([name, damage, count]) => count ? h('span', { class: 'chip ' + (damage ? 's-failed' : '') }, name + ' ' + group(count) + (damage ? '' : ' (legal)')) : null)),
    defects.length ? table(defects, [
      ['line', d => d[1], d => group(d[1]), 'num'],
      ['kind', d => d[0], d => h('span', { class: 'badge ' + (log.defectKinds[d[0]][1] ? 'bad' : '') }, log.defectKinds[d[0]][0])],
      ['what', d => d[2], d => h('code', null, d[2]), 'w'],
    ], 100) : null];
}
