// Kernels: all of them with their resources, and one with its code.

const memoryOf = k => k.bindings.reduce((sum, [, , size]) => sum < 0 || size < 0 ? -1 : sum + size, 0);
const gridText = k => k.grid < 0 ? 'dynamic' : group(k.grid);

function kernelTable(kernels) {
  const work = Math.max(0, ...kernels.map(k => k.flops)), moved = Math.max(0, ...kernels.map(memoryOf));
  return table(kernels, [
    ['kernel', k => k.name, kernelAnchor, 'w'],
    ['root', k => k.root, k => k.root],
    ['ops', k => k.ops.length, k => group(k.ops.length), 'num'],
    ['launches', k => k.launches, k => group(k.launches), 'num'],
    ['FLOP', k => k.flops, k => k.flops < 0 ? h('td', { class: 'num soft' }, 'unknown') : bar(k.flops, work, count_(k.flops)), 'num'],
    ['bytes', memoryOf, k => memoryOf(k) < 0 ? h('td', { class: 'num soft' }, 'dynamic') : bar(memoryOf(k), moved, bytes(memoryOf(k))), 'num'],
    ['FLOP/byte', k => memoryOf(k) > 0 ? k.flops / memoryOf(k) : -1, k => k.flops > 0 && memoryOf(k) > 0 ? (k.flops / memoryOf(k)).toFixed(1) : '–', 'num'],
    ['grid', k => k.grid, gridText, 'num'],
    ['scratch', k => k.scratch, k => k.scratch ? bytes(k.scratch) : '–', 'num'],
    ['strategy', k => k.strategy, k => k.strategy, 'w'],
  ], 60);
}

function kernelsPage() {
  return [h('h1', null, 'Kernels'),
    help('Each kernel is a group of ops compiled to one function; equal groups share a function. FLOP and bytes are those of one launch. ',
      h('b', null, 'Worry about'), ' few FLOP per byte (memory decides), a grid of 1 on much work (one thread computes it), and scratch beyond the cache.'),
    kernelTable(art.kernels),
    art.boundaries.length ? [heading('Why kernels were not fused', plural(art.boundaries.length, 'edge between kernels', 'edges between kernels')), boundaryTable(art.boundaries)] : null];
}

/** Times of a kernel's launches in the newest run that has some. */
async function timesOf(k) {
  const run = art.runs.find(r => r.count);
  if (!run) return null;
  const rows = (await launchesOf(run)).filter(l => l.kernel === k.index && l.done >= 0);
  if (!rows.length) return null;
  const times = rows.map(l => (l.done - l.begun) / 1000).sort((a, b) => a - b), sum = times.reduce((s, t) => s + t, 0);
  return { count: times.length, sum, median: times[times.length >> 1], most: times[times.length - 1], run };
}

async function kernelPage(name, part) {
  const k = art.byKernel.get(name);
  if (!k) return missingPage('There is no kernel ' + name + '.');
  const [tab, line] = (part || '').split(':');
  const code = k.code.filter(f => f && f.text >= 0);
  const shown = code.find(f => f.path.endsWith('.' + tab)) || code[0];
  const passes = art.passRuns.filter(r => r.op === k.name && r.file >= 0), sites = art.sitesOf[k.index];
  const remarks = art.remarkCount ? (await remarksOf(art)).filter(r => r.op === k.name || (r.ids.length && r.ids.every(id => k.ops.includes(id)))) : [];
  const hints = art.hints.filter(r => r[0] === k.name), times = await timesOf(k), moved = memoryOf(k);
  const chip = (label, value, title) => h('span', { class: 'chip', title }, h('span', { class: 'soft' }, label + ' '), value);
  const tasks = art.lists.flatMap((list, l) => list.tasks.filter(t => t.kernel === k.index).map(t => [list, l, t]));
  const view = shown ? textArea(await text(shown.text), await text(shown.text), grammarOfFile(shown.path), line, chosen => kernelLink(k, shown.path.split('.').pop() + ':' + chosen),
    [h('span', { class: 'tabs', role: 'tablist' }, code.map(f => h('a', { role: 'tab', href: kernelLink(k, f.path.split('.').pop()), 'aria-current': f === shown ? 'page' : null }, f.path.slice(f.path.lastIndexOf('/') + 1), h('span', { class: 'soft' }, ' ' + group(f.lines))))),
      h('a', { href: provenanceLink({ kernel: k, line: line ? Number(line.split('-')[0]) : 0, file: shown }), id: 'beside' }, 'side by side')]) : null;
  return [h('h1', null, k.name),
    help(k.root ? ['A ', h('b', null, k.root), ' kernel'] : 'A kernel', k.strategy ? ': ' + k.strategy : '', '. ', h('b', null, 'Worry about'), ' remarks that say missed, few FLOP per byte, and scratch beyond the cache.'),
    kernelNeighbours(k),
    h('div', { class: 'chips' }, chip('FLOP', k.flops < 0 ? 'unknown' : count_(k.flops), 'of one launch'), chip('bytes', moved < 0 ? 'dynamic' : bytes(moved), 'of the buffers of one launch'),
      k.flops > 0 && moved > 0 ? chip('FLOP/byte', (k.flops / moved).toFixed(1)) : null, chip('grid', gridText(k), 'independent shares of its work'), chip('scratch', k.scratch ? bytes(k.scratch) : 'none', 'per call'),
      k.scalars ? chip('scalars', group(k.scalars)) : null, k.masks ? chip('chooses', '-inf', 'it writes -inf itself where a condition says so') : null, k.hash ? chip('hash', h('code', null, k.hash), 'of its IR without names and locations') : null,
      times ? chip('measured', duration(times.median) + ' median of ' + group(times.count), 'newest run') : null,
      times && k.flops > 0 && times.median > 0 ? chip('rate', (k.flops / times.median / 1000).toFixed(2) + ' GFLOP/s') : null),
    hints.length ? [heading('Performance hints'), h('ul', null, hints.map(r => h('li', null, bytes(r[1]) + ': ' + r[2] + '. ', h('b', null, r[3]))))] : null,
    h('div', { class: 'cols' },
      h('div', null, heading('Ops', 'root first'), table(k.ops.map((id, i) => [id, k.kinds[i], i]), [['', r => r[2], r => String(r[2]), 'num'], ['op', r => r[1], r => h('code', null, r[1] || '')], k.ops.some(id => nameOf(id)) ? ['name', r => nameOf(r[0]), r => h('code', null, nameOf(r[0]))] : null, ['id', r => r[0], r => opAnchor(r[0])], ['source', r => placeText(art.byId.get(r[0])), r => sourceAnchor(art.byId.get(r[0])), 'w']].filter(Boolean), 14)),
      h('div', null, heading('Buffers'), table(k.bindings.map((b, i) => [i, ...b]), [['', r => r[0], r => String(r[0]), 'num'], ['type', r => r[1], r => h('code', null, r[1])], ['access', r => r[2], r => r[2]], ['bytes', r => r[3], r => r[3] < 0 ? 'dynamic' : bytes(r[3]), 'num']], 14),
        heading('Launched by', plural(sites.length, 'site')), tasks.length ? h('ul', { class: 'plain' }, tasks.slice(0, 12).map(([list, l, t]) => h('li', null, h('a', { href: aLink('graph/' + l + '/' + t.index) }, 'task ' + t.index + ' of ' + list.name), t.device ? ' on ' + t.device : '')), tasks.length > 12 ? h('li', { class: 'soft' }, 'and ' + (tasks.length - 12) + ' more') : null) : h('p', { class: 'soft' }, 'no task'))),
    k.checks ? [heading('Checks', group(k.checks[0]) + ' proved, ' + group(k.checks[2].length) + ' made at run time' + (k.checks[1] ? ', ' + group(k.checks[1]) + ' not checkable' : '')),
      k.checks[2].length ? table(k.checks[2], [['check', c => c[0] || c[1], c => c[0] || c[1], 'w'], ['buffer', c => c[2], c => c[2] < 0 ? 'its own' : String(c[2]), 'num'], ['ops', c => c[3].length, c => c[3].map(i => k.ops[i] ? [opAnchor(k.ops[i]), ' '] : null)]], 20) : null] : null,
    remarks.length ? [heading('Remarks', plural(remarks.length, 'remark')), remarkTable(remarks)] : null,
    passes.length ? [heading('Passes that changed it', plural(passes.length, 'snapshot')), passStrip(passes)] : null,
    shown ? [heading('Code'), view] : h('p', { class: 'soft' }, art.files.length ? 'This report holds no texts.' : '')];
}

function kernelNeighbours(k) {
  const before = art.kernels[k.index - 1], after = art.kernels[k.index + 1];
  return h('span', { class: 'tool' }, before ? h('a', { id: 'prev', href: kernelLink(before), title: 'k' }, '← ' + before.name) : null, after ? h('a', { id: 'next', href: kernelLink(after), title: 'j' }, after.name + ' →') : null);
}
