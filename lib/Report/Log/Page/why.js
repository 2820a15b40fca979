// Why: what one element was computed from, as the last run with --why found it.

const NODE_OF_WHY = ['kind', 'id', 'source', 'name', 'index', 'iteration', 'value', 'reference', 'bound', 'differs', 'kernel', 'pruned'];
const numberOfWhy = value => value === null ? '–' : typeof value === 'number' ? String(Number(value.toPrecision(9))) : value;

function whyPage(number) {
  const runs = art.runs.filter(r => r.why), run = runs.find(r => r.index === number) || runs[0];
  if (!run) return missingPage('No run of this artifact explained an element.');
  const [question, nodeRows, edgeRows, first, pruned] = run.why;
  const nodes = nodeRows.map((row, i) => Object.assign(named(row, NODE_OF_WHY), { i, inputs: [] }));
  for (const [from, to, share, kind] of edgeRows) nodes[from].inputs.push({ node: nodes[to], share, kind });
  const hasRun = nodes.some(n => n.value !== null);
  // The way to the first difference is open, and so are the first levels; each element is shown once.
  const above = new Map(), shown = new Set();
  for (const n of nodes) for (const e of n.inputs) (above.get(e.node) || above.set(e.node, []).get(e.node)).push(n);
  const path = new Set(), open = first >= 0 ? [nodes[first]] : [];
  while (open.length) {
    const n = open.pop();
    if (path.has(n)) continue;
    path.add(n);
    open.push(...(above.get(n) || []));
  }
  const place = n => [n.id ? [opAnchor(n.id), ' '] : null, h('b', null, n.kind), n.source ? h('span', { class: 'soft' }, ' ' + n.source.slice(n.source.lastIndexOf('/') + 1)) : null, ' ', h('code', null, (n.name || 'element ') + n.index), n.iteration ? ' of iteration ' + n.iteration : ''];
  const values = n => [h('code', null, ' = ' + numberOfWhy(n.value ?? n.reference)),
    hasRun && n.id && n.value === null ? h('span', { class: 'soft' }, ' (reference; inside of a kernel)') : null,
    n.value !== null ? h('span', { class: n.differs ? 's-failed' : 'soft' }, ' reference ' + numberOfWhy(n.reference) + (n.bound ? ', bound ' + numberOfWhy(n.bound) : '') + (n.differs ? ', different' : '')) : null,
    n.i === first ? h('b', { class: 's-failed' }, ' ← first difference') : null,
    n.kernel && art.byKernel.has(n.kernel) ? h('span', { class: 'soft' }, ' by ', kernelAnchor(art.byKernel.get(n.kernel))) : null];
  const shareText = e => e.kind || (typeof e.share === 'number' ? (e.share * 100).toPrecision(3) + ' %' : '');
  function tree(n, edge, depth) {
    const line = [edge ? h('span', { class: 'soft' }, shareText(edge) + ' ') : null, place(n), values(n)];
    const again = shown.has(n);
    shown.add(n);
    if (!n.inputs.length || again) return h('div', { class: 'why' }, line, again && n.inputs.length ? h('span', { class: 'soft' }, ' (see above)') : null);
    return h('details', { class: 'why', open: depth < 3 || path.has(n) }, h('summary', null, line),
      h('div', { class: 'inner' }, n.inputs.map(e => tree(e.node, e, depth + 1)), n.pruned ? h('div', { class: 'soft' }, plural(n.pruned, 'element') + ' that contribute less') : null));
  }
  return [h('h1', null, 'Why'),
    help('What one element was computed from: ops, lines and elements, each below what was computed from it; the value of the run beside the reference evaluator\'s. A percentage is the share of the element above. ', h('b', null, 'Worry about'), ' the first difference: what it was computed from is as it should be.'),
    h('div', { class: 'tool' }, runChoice(runs, run, 'why'), h('code', null, 'mica-run --why=\'' + question + '\''), h('span', { class: 'soft' }, ' ' + plural(nodes.length, 'element') + ', ' + group(pruned) + ' pruned')),
    first >= 0 ? h('p', { class: 'alarm' }, h('b', null, 'First difference: '), place(nodes[first]), values(nodes[first])) : hasRun ? h('p', { class: nodes[0] && nodes[0].differs ? 'alarm' : 's-ok' }, nodes[0] && nodes[0].differs ? 'The element differs; where that begins was not found among these.' : 'No difference from the reference.') : null,
    nodes.length ? tree(nodes[0], null, 0) : null];
}
