// Provenance of Inductor's nodes: graphs before and after its passes, and the code; a line in one, and its
// counterparts in the others.
// And what a draft export found.

const MAPPINGS = /^inductor_provenance_tracking_node_mappings/;
/** The panes that a compile has: the last product of each kind. */
function inductorPanes(d) {
  if (!d.products.some(p => MAPPINGS.test(p.name) && p.text >= 0)) return [];
  const last = pattern => d.products.filter(p => pattern.test(p.name) && p.text >= 0).pop();
  return [['before its passes', last(/^(before_pre_grad_graph|inductor_pre_grad_graph)/), 'pre'], ['after its passes', last(/^(after_post_grad_graph|inductor_post_grad_graph)/), 'post'],
    ['kernels', last(/^inductor_output_code/), 'code']].filter(([, product]) => product);
}

/** Lines (from 1) that define each node of a graph: "relu: "f32[8]" = ...", "%relu : [num_users=1] = call_function[...]". */
function nodeLines(lines) {
  const found = new Map();
  lines.forEach((line, i) => {
    const at = line.match(/^\s*%?([A-Za-z_]\w*)\s*(?::[^=]*)?=(?!=)/);
    if (at) { if (!found.has(at[1])) found.set(at[1], []); found.get(at[1]).push(i + 1); }
  });
  return found;
}
/** Lines of the code that launch each kernel; a name with a handle ("name:1") is that of the comment before the launch. */
function kernelLines(lines, names) {
  const found = new Map(), start = Math.max(0, lines.findIndex(line => /\bdef call\(|\brun_impl\(/.test(line)));
  const byName = new Map();
  for (const name of names) { const plain = name.replace(/:\d+$/, ''); if (!byName.has(plain)) byName.set(plain, []); byName.get(plain).push(name); }
  lines.forEach((line, i) => {
    if (i < start) return;
    const handles = line.match(/(?:#|\/\/).*?\[Provenance debug handles\]\s*(.*)$/);
    for (const word of new Set((handles ? handles[1] : line).match(/[A-Za-z_]\w*(?::\d+)?/g) || [])) {
      const wanted = found.get(word) || [];
      if (names.has(word) && (handles || !/:\d+$/.test(word))) found.set(word, [...wanted, i + 1, ...(handles && i + 1 < lines.length ? [i + 2] : [])]);
      else if (!handles && byName.has(word)) for (const name of byName.get(word)) if (!found.has(name)) found.set(name, [i + 1]);
    }
  });
  return found;
}

async function inductorPage(key, place) {
  const c = find(key), d = c && await details(c), wanted = d ? inductorPanes(d) : [];
  if (!wanted.length) return missingPage('Compile ' + key + ' has no mappings of nodes.');
  const mapping = JSON.parse(await text(d.products.filter(p => MAPPINGS.test(p.name) && p.text >= 0).pop().text));
  const of = name => new Map(Object.entries(isObject(mapping[name]) ? mapping[name] : {}).map(([from, to]) => [from, listOf(to).map(String)]));
  const maps = { 'pre post': of('preToPost'), 'post pre': of('postToPre'), 'code post': of('cppCodeToPost'), 'post code': of('postToCppCode') };
  const panes = [], said = h('p', { class: 'said', 'aria-live': 'polite' }, 'Click a line. Lines with a counterpart are marked.');
  const step = (from, to, names) => new Set([...names].flatMap(name => maps[from + ' ' + to].get(name) || []));
  /** What `names` of pane `from` are in pane `to`. */
  const across = (from, to, names) => from === to ? names : maps[from + ' ' + to] ? step(from, to, names) : step('post', to, step(from, 'post', names));
  for (const [title, product, kind] of wanted) {
    const value = await text(product.text), lines = value.split('\n');
    const names = new Set([...maps['code post'].keys(), ...[...maps['post code'].values()].flat()]);
    const pane = { kind, title, product, lines: kind === 'code' ? kernelLines(lines, names) : nodeLines(lines), namesAt: new Map() };
    for (const [name, list] of pane.lines) for (const line of list) { if (!pane.namesAt.has(line)) pane.namesAt.set(line, new Set()); pane.namesAt.get(line).add(name); }
    pane.view = codeView(value, grammarOf(product.name, value), line => select(pane, line), line => select(pane, line));
    pane.note = h('span', { class: 'soft' });
    pane.element = h('section', null, h('header', null, h('b', null, title), h('a', { href: productLink(c, product) }, product.name), pane.note), pane.view, paneEdge());
    panes.push(pane);
  }
  const mapped = pane => merged([...pane.namesAt].filter(([, names]) => panes.some(other => other !== pane && [...across(pane.kind, other.kind, names)].some(name => other.lines.has(name)))).map(([line]) => [line, line]));
  for (const pane of panes) { pane.mapped = mapped(pane); pane.view.bands(pane.mapped.map(([a, b]) => [a, 'same', b])); }
  function select(pane, line) {
    const names = pane.namesAt.get(line) || new Set();
    const told = [];
    for (const other of panes) {
      const there = across(pane.kind, other.kind, names), lines = other === pane ? [line] : [...there].flatMap(name => other.lines.get(name) || []).sort((a, b) => a - b);
      other.view.bands([...other.mapped.map(([a, b]) => [a, 'same', b]), ...merged(lines.map(l => [l, l])).map(([a, b]) => [a, other === pane ? 'own' : 'exact', b])]);
      other.note.textContent = other === pane ? 'line ' + line : lines.length ? plural(lines.length, 'line') : 'no counterpart';
      if (other !== pane && lines.length) other.view.reveal(lines[0]);
      if (other !== pane) told.push(other.title + ': ' + ([...there].join(', ') || '–'));
    }
    said.replaceChildren(h('b', null, pane.title + ' line ' + line), ' ', h('code', null, [...names].join(', ') || 'no node'), '; ', told.join('; '));
    stay(link('inductor/' + encodeURIComponent(key) + '/' + pane.kind + ':' + line));
  }
  const at = (place || '').match(/^(pre|post|code):(\d+)$/), own = at && panes.find(pane => pane.kind === at[1]);
  if (own) setTimeout(() => { select(own, Number(at[2])); own.view.reveal(Number(at[2])); });
  return [h('h1', null, h('a', { href: compileLink(c) }, titleOf(c)), ' nodes and kernels'),
    help('What a node of the graph became: by the mappings that the compiler wrote (', h('code', null, 'inductor_provenance_tracking_node_mappings'), '). ', h('b', null, 'Worry about'), ' nodes without a mark: nothing says what became of them.'),
    said, h('div', { class: 'panes' }, panes.map(pane => pane.element))];
}

const EXPORT_FACTS = ['missing_fake_kernel', 'mismatched_fake_kernel', 'propagate_real_tensors_provenance', 'guard_added'];
const EXPORT_TITLES = { missing_fake_kernel: 'Missing fake kernel', mismatched_fake_kernel: 'Mismatched fake kernel', propagate_real_tensors_provenance: 'Data dependent', guard_added: 'Guard' };

/** How an expression was made, from the leaves: each node once. */
function derivation(facts, id) {
  const nodes = new Map([...listOf(facts.expression_created).filter(isObject).map(n => [n.result_id, n]), ...listOf(facts.create_unbacked_symbol).filter(isObject).map(n => [n.node_id, { result: n.symbol, method: 'unbacked symbol', argument_ids: [], user_stack: n.user_stack, stack: n.stack }])]);
  const seen = new Set();
  const show = (node, depth) => {
    const n = nodes.get(node);
    if (!n || depth > 40) return null;
    if (seen.has(node)) return h('li', { class: 'soft' }, String(n.result), ' (above)');
    seen.add(node);
    const stack = listOf(n.user_stack).at(-1);
    return h('li', null, h('code', null, String(n.result)), ' ', h('span', { class: 'soft' }, String(n.method ?? ''), isObject(stack) ? ' at ' + frameText(stack) : ''), h('ul', null, listOf(n.argument_ids).map(x => show(x, depth + 1))));
  };
  const made = show(id, 0);
  return made ? h('div', { class: 'trie' }, h('ul', null, made)) : null;
}

/** The issues of a draft export, each with what led to it. */
function exportPart(c, d) {
  const issues = EXPORT_FACTS.flatMap(kind => (d.facts[kind] || []).filter(isObject).map(fact => ({ kind, fact })));
  const program = d.products.find(p => /^exported_program/.test(p.name));
  const pairs = object => isObject(object) ? Object.entries(object).map(([name, value]) => h('div', null, h('code', null, name + ' = ' + (typeof value === 'string' ? value : JSON.stringify(value))))) : null;
  const card = ({ kind, fact }) => {
    const locals = isObject(fact.frame_locals) ? fact.frame_locals : {}, frame = listOf(fact.user_stack).at(-1);
    return h('details', { class: 'card issue' }, h('summary', null, h('span', { class: 'badge bad' }, EXPORT_TITLES[kind]), ' ', h('code', null, String(fact.expr ?? fact.op ?? '')), fact.reason ? ': ' + fact.reason : '', isObject(frame) ? h('span', { class: 'soft' }, ' at ' + frameText(frame)) : null),
      listOf(fact.user_stack).length ? [h('b', null, 'Stack'), h('pre', null, fact.user_stack.filter(isObject).map(frameText).join('\n'))] : null,
      isObject(locals.locals) && Object.keys(locals.locals).length ? [h('b', null, 'Locals'), pairs(locals.locals)] : null,
      isObject(locals.symbols ?? fact.symbol_to_sources) ? [h('b', null, 'Symbols'), pairs(locals.symbols ?? fact.symbol_to_sources)] : null,
      fact.expr_node_id !== undefined ? [h('b', null, 'Made from'), derivation(d.facts, fact.expr_node_id)] : null);
  };
  return [heading('Export', issues.length ? plural(issues.length, 'issue') : 'no issues'),
    program ? h('p', null, h('a', { href: productLink(c, program) }, 'the exported program')) : null,
    issues.length ? issues.slice(0, 200).map(card) : h('p', { class: 's-ok' }, 'The program was exported without issues.')];
}
