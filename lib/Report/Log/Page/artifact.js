// An artifact: names for the rows of its data (lib/Report/Artifact), its first page, its files.

const FILE = ['path', 'bytes', 'lines', 'text', 'map', 'state', 'md5', 'url', 'command'];
const KERNEL = ['name', 'root', 'ops', 'kinds', 'bindings', 'scalars', 'grid', 'scratch', 'flops', 'strategy', 'hash', 'masks', 'checks', 'launches', 'files'];
const RUN_OF_PASS = ['position', 'op', 'ms', 'changed', 'file', 'before', 'opsBefore', 'opsAfter', 'diff', 'counts', 'structural', 'asText', 'beforeText', 'afterText', 'beforeIsPart', 'note', 'kinds'];
const REMARK = ['position', 'pass', 'op', 'kind', 'name', 'message', 'args', 'ids', 'sources'];

let art;  // the artifact shown

/** A dependency of a task list, and the memory that both tasks access; null where they share none. */
const edgeOf = ([before, after, implied, reason]) => ({ before, after, implied, reason: reason && named(reason, ['kind', 'memory', 'index', 'begin', 'end']) });

/** The artifact number `index` of the report, ready for pages. */
async function loadArtifact(index) {
  const data = await load('artifact' + index);
  if (data.ready) return data;
  data.ready = true;
  data.index = index;
  data.files = data.files.map((row, i) => Object.assign(named(row, FILE), { index: i }));
  data.byPath = new Map(data.files.map(f => [f.path, f]));
  data.kernels = data.kernels.map((row, i) => Object.assign(named(row, KERNEL), { index: i, code: row[14].map(n => data.files[n]) }));
  data.byKernel = new Map(data.kernels.map(k => [k.name, k]));
  data.byId = new Map(data.ops.map(op => [op[0], op]));
  data.passes = new Map(data.passes.map(p => [p[0], { position: p[0], name: p[1], options: p[2], phase: p[3], anchor: p[4] || '' }]));
  data.passRuns = data.passRuns.map((row, i) => Object.assign(named(row, RUN_OF_PASS), { index: i, pass: data.passes.get(row[0]) || { name: '?', phase: '', options: '' } }));
  data.sites = data.sites.map(([kernel, ids], i) => ({ index: i, kernel, ids }));
  data.sitesOf = data.kernels.map(() => []);
  for (const site of data.sites) if (site.kernel >= 0) data.sitesOf[site.kernel].push(site);
  data.sources = data.sources.map((row, i) => ({ file: row[0], text: row[1], lines: row[2], md5: row[3], index: i }));
  data.lists = data.lists.map(row => ({ name: row[0], parameters: row[1], scalars: row[2], arena: row[3],
    buffers: row[4].map(b => named(b, ['kind', 'at', 'offset', 'bytes', 'type', 'viewOf'])),
    tasks: row[5].map((t, i) => Object.assign(named(t, ['kernel', 'buffers', 'deps', 'site', 'device']), { index: i })),
    edges: (row[6] || []).map(edgeOf), missing: (row[7] || []).map(edgeOf) }));
  data.runs = data.runs.map(([name, launches, tensors, why, dump], i) => ({ index: i, name, launches: launches[0], count: launches[1], failed: launches[2], at: launches[3], tensors, why: why || null, dump: dump || null }));
  data.edited = data.files.filter(f => f.state !== 'same' && f.state !== 'elsewhere');
  data.remarkRows = null;
  return data;
}
const aLink = path => '#/a' + (art.index || '') + '/' + path;
const kernelLink = (k, part) => aLink('k/' + encodeURIComponent(k.name) + (part ? '/' + part : ''));
const fileLink = (f, line) => aLink('f/' + encodeURIComponent(f.path) + (line ? ':' + line : ''));
const passLink = run => aLink('pass/' + run.index);
const opLink = id => aLink('op/' + id);
const passTitle = run => String(run.position).padStart(4, '0') + ' ' + run.pass.name + (run.op ? '@' + run.op : '');
const kernelAnchor = k => h('a', { href: kernelLink(k), class: 'mono' }, k.name);
const remarksOf = async of => of.remarkRows ??= (await json(of.remarks)).map(row => named(row, REMARK));

/** An id with its kind, as a link to everything about it. */
function opAnchor(id) {
  const op = art.byId.get(id);
  return h('a', { href: opLink(id), class: 'mono', title: op ? op[1] + (op[6] ? ' ' + op[6] : '') + ' in ' + op[2] : 'made by the compiler' }, id);
}
/** What the source, or the model, calls the op. */
const nameOf = id => { const op = art.byId.get(id); return op && op[6] || ''; };
const opPlace = op => op && op[5].length ? op[5][op[5].length - 1] : null;
function placeText(op) {
  const at = opPlace(op);
  return at ? at[0].slice(at[0].lastIndexOf('/') + 1) + ':' + at[1] + ':' + at[2] : '';
}
/** A link to where an op stands in the source, beside what became of it. */
function sourceAnchor(op) {
  const at = opPlace(op);
  if (!at) return h('span', { class: 'soft' }, 'made by the compiler');
  return h('a', { href: provenanceLink({ source: at[0], line: at[1] }), title: at[0] }, placeText(op));
}

const artNav = () => [['', 'Overview'], art.passRuns.length ? ['passes', 'Passes'] : null, art.passRuns.some(r => r.file >= 0 && art.files[r.file].text >= 0) ? ['work', 'Workbench'] : null, art.kernels.length ? ['kernels', 'Kernels'] : null,
  art.files.some(f => f.map >= 0) ? ['prov', 'Provenance'] : null, art.runs.some(r => r.count) ? ['tasks', 'Tasks'] : null, art.lists.some(l => l.tasks.length) ? ['graph', 'Graph'] : null,
  art.memory.some(m => m[4].length) ? ['memory', 'Memory'] : null, art.runs.some(r => r.tensors.length) ? ['numerics', 'Numerics'] : null, art.runs.some(r => r.dump) ? ['tensors', 'Tensors'] : null, art.runs.some(r => r.why) ? ['why', 'Why'] : null, art.remarkCount ? ['remarks', 'Remarks'] : null, ['files', 'Files']].filter(Boolean);

async function artifactPage(parts) {
  const [page, a, b] = parts;
  const place = (a || '').match(/^(.*?)(?::(\d+(?:-\d+)?))?$/s);
  switch (page) {
    case undefined: case '': return art.dump ? dumpOverview() : artOverview();
    case 'passes': return passesPage();
    case 'pass': return passPage(Number(a), b);
    case 'work': return workPage(a, b, parts[3]);
    case 'story': return storyPage(a);
    case 'kernels': return kernelsPage();
    case 'k': return kernelPage(a, b);
    case 'op': return opPage(a);
    case 'prov': return provenancePage(a, b);
    case 'tasks': return tasksPage(Number(a) || 0);
    case 'graph': return graphPage(Number(a) || 0, b);
    case 'memory': return memoryPage(Number(a) || 0);
    case 'numerics': return numericsPage(Number(a) || 0);
    case 'tensors': return tensorsPage(Number(a) || 0);
    case 'tensor': return tensorPage(Number(a) || 0, Number(b) || 0);
    case 'why': return whyPage(Number(a) || 0);
    case 'remarks': return remarksPage(a);
    case 'files': return filesPage();
    case 'f': return filePage(place[1], place[2]);
    default: return missingPage('There is no such page.');
  }
}

function noteList() {
  const notes = [];
  if (art.failure) notes.push(h('p', { class: 'alarm' }, h('b', null, 'The compile did not end: '), h('code', null, art.failure)));
  if (art.edited.length) notes.push(h('p', { class: 'alarm note' }, h('b', null, plural(art.edited.length, 'file') + (art.edited.length === 1 ? ' is' : ' are') + ' not as the compiler left ' + (art.edited.length === 1 ? 'it' : 'them') + ': '),
    art.edited.slice(0, 8).map((f, i) => [i ? ', ' : '', h('a', { href: f.text >= 0 ? fileLink(f) : aLink('files') }, f.path), ' (' + f.state + ')']), art.edited.length > 8 ? ' …' : ''));
  for (const note of art.notes) notes.push(h('p', { class: 'alarm note' }, note));
  return notes;
}

function hintTable() {
  return table(art.hints, [
    ['bytes', r => r[1], r => bytes(r[1]), 'num'],
    ['kernel', r => r[0], r => art.byKernel.has(r[0]) ? kernelAnchor(art.byKernel.get(r[0])) : r[0], 'w'],
    ['what costs', r => r[2], r => r[2], 'w'],
    ['what would help', r => r[3], r => r[3], 'w'],
    ['source', r => r[4], r => h('span', { class: 'soft' }, r[4].slice(r[4].lastIndexOf('/') + 1))],
  ], 12);
}

/** The first page of another compiler's dump. */
function dumpOverview() {
  const units = new Map();
  for (const r of art.passRuns) {
    const u = units.get(r.pass.phase) || [r.pass.phase || 'the program', 0, 0, -1, -1, r];
    ++u[1]; u[2] += r.changed ? 1 : 0;
    if (r.opsAfter >= 0) { if (u[3] < 0) u[3] = r.opsBefore >= 0 ? r.opsBefore : r.opsAfter; u[4] = r.opsAfter; }
    units.set(r.pass.phase, u);
  }
  // Of two dumps what differs first is the cause of what follows.
  const weight = r => r.counts.reduce((s, n) => s + n, 0), isComparison = art.dump.startsWith('comparison');
  const most = isComparison ? art.passRuns.filter(r => r.changed).slice(0, 12) : [...art.passRuns].filter(weight).sort((a, b) => weight(b) - weight(a)).slice(0, 12);
  return [h('h1', null, art.name),
    isComparison ? help('A row per pass that both dumps have: what the second has other than the first. Before is the text of the first dump, after that of the second. ', h('b', null, 'Start'), ' at the first difference; those after it may follow from it.')
    : help(art.dump + ', read without its compiler: ops are found in the texts, whatever their dialect, and passes compared by structure. ', h('b', null, 'Start'), ' at a pass, or with j and k go through all of them. ', h('b', null, 'Worry about'), ' lines that were not parsed, and passes that change what you did not expect.'),
    noteList(),
    h('div', { class: 'chips' }, h('a', { class: 'chip', href: aLink('passes') }, h('b', null, plural(art.passRuns.length, 'pass or stage', 'passes and stages'))),
      h('span', { class: 'chip' }, group(art.passRuns.filter(r => r.changed).length) + ' changed something'), h('a', { class: 'chip', href: aLink('files') }, plural(art.files.length, 'text') + ', ' + bytes(art.files.reduce((s, f) => s + f.bytes, 0))),
      art.files.some(f => f.map >= 0) ? h('a', { class: 'chip', href: aLink('prov') }, 'lines joined by their locations') : null),
    heading('What was compiled'),
    table([...units.values()], [['module', u => u[0], u => h('a', { href: passLink(u[5]) }, u[0]), 'w'], ['passes', u => u[1], u => group(u[1]), 'num'], ['changed', u => u[2], u => group(u[2]), 'num'],
      ['ops', u => u[4], u => u[4] < 0 ? '' : u[3] === u[4] ? group(u[4]) : group(u[3]) + ' → ' + group(u[4]), 'num']], 50),
    most.length ? [heading(isComparison ? 'What differs, in the order of the passes' : 'What changed most'), passTable(most)] : null];
}

async function artOverview() {
  const phases = new Map();
  for (const run of art.passRuns) {
    const p = phases.get(run.pass.phase) || [run.pass.phase || '(none)', 0, 0, 0];
    p[1] += run.ms * 1000; ++p[2]; p[3] += run.file >= 0;
    phases.set(run.pass.phase, p);
  }
  const phaseRows = [...phases.values()], mostTime = Math.max(0, ...phaseRows.map(p => p[1]));
  const folders = new Map();
  for (const f of art.files) {
    const slash = f.path.indexOf('/'), key = slash < 0 ? f.path : f.path.slice(0, slash + 1);
    const g = folders.get(key) || [key, 0, 0];
    ++g[1]; g[2] += Math.max(0, f.bytes);
    folders.set(key, g);
  }
  const folderRows = [...folders.values()].sort((a, b) => b[2] - a[2]), mostBytes = folderRows.length ? folderRows[0][2] : 0;
  const missed = art.remarkCount ? (await remarksOf(art)).filter(r => r.kind === 'missed' || r.kind === 'failed').length : 0;
  const kept = art.kernels.reduce((sum, k) => sum + (k.checks ? k.checks[2].length : 0), 0), proved = art.kernels.reduce((sum, k) => sum + (k.checks ? k.checks[0] : 0), 0);
  const totalMs = art.passRuns.reduce((sum, r) => sum + r.ms, 0), flops = art.kernels.reduce((sum, k) => sum + Math.max(0, k.flops) * k.launches, 0);
  const snapshots = art.passRuns.filter(r => r.file >= 0).length;
  return [h('h1', null, art.name),
    help('A program compiled for ', h('code', null, art.target + ', ' + art.cpu), ' from ', h('code', null, art.input.slice(art.input.lastIndexOf('/') + 1)), art.traced ? ', as recorded in the trace: without machine code and ' + (art.holdsValues ? 'without weights of more than 64 elements. ' : art.elided ? 'weights; elements of small constants are elided. ' : 'weights. ') : ', as the compiler wrote it. ',
      h('b', null, 'Start'), ' at a kernel, or click any line under Provenance. ', h('b', null, 'Worry about'), ' files edited by hand, bytes that go through memory between kernels, and whatever a pass says it missed.'),
    noteList(),
    h('div', { class: 'chips' },
      h('a', { class: 'chip', href: aLink('kernels') }, h('b', null, plural(art.kernels.length, 'kernel')), ' of ' + plural(art.ops.length, 'op')),
      snapshots ? h('a', { class: 'chip', href: aLink('passes') }, plural(snapshots, 'snapshot') + ', ' + plural(art.passes.size, 'pass', 'passes') + ', ' + duration(totalMs * 1000)) : null,
      flops ? h('span', { class: 'chip', title: 'floating-point operations of one pass over every task' }, count_(flops) + 'FLOP') : null,
      h('span', { class: 'chip' }, plural(art.constants[0], 'constant') + ', ' + bytes(art.constants[1])),
      art.runs.length ? h('a', { class: 'chip', href: aLink('tasks') }, plural(art.runs.length, 'run')) : null,
      missed ? h('a', { class: 'chip s-restarted', href: aLink('remarks/missed') }, plural(missed, 'missed remark')) : null,
      proved + kept ? h('span', { class: 'chip' }, 'checks: ' + group(proved) + ' proved, ' + group(kept) + ' kept') : null),
    art.hints.length ? [heading('Look here first', 'performance hints of the compiler'), hintTable()] : null,
    heading('Entries'),
    table(art.entries, [['entry', e => e[0], e => h('code', null, e[0])], ['arguments', e => e[1], e => h('code', null, e[1]), 'w'], ['results', e => e[2], e => h('code', null, e[2]), 'w']], 20),
    h('div', { class: 'cols' },
      phaseRows.length ? h('div', null, heading('Where the time went', 'passes by phase; kernels are compiled in parallel'),
        table(phaseRows, [['phase', p => p[0], null, 'w'], ['time', p => p[1], p => bar(p[1], mostTime, duration(p[1])), 'num'], ['runs', p => p[2], p => group(p[2]), 'num'], ['snapshots', p => p[3], p => group(p[3]), 'num']])) : null,
      h('div', null, heading('Where the bytes went', plural(art.files.length, 'file')),
        table(folderRows, [['where', f => f[0], f => h('code', null, f[0]), 'w'], ['size', f => f[2], f => bar(f[2], mostBytes, bytes(f[2])), 'num'], ['files', f => f[1], f => group(f[1]), 'num']]))),
    heading('Kernels', 'click a column to sort'),
    kernelTable(art.kernels),
    heading('How it was compiled'),
    h('table', null, h('tbody', null, [['tools', art.tools], ['command', art.command], ['target', [art.target, art.triple, art.cpu].join(', ')], ['features', art.features.join(' ')], ...art.options]
      .filter(([, v]) => v).map(([k, v]) => h('tr', null, h('td', { class: 'soft' }, k), h('td', { class: 'w' }, h('code', null, v))))))];
}

function count_(n) {
  if (n < 1000) return Math.round(n) + ' ';
  const units = ['k', 'M', 'G', 'T', 'P'];
  let i = -1;
  do { n /= 1000; ++i; } while (n >= 1000 && i < 4);
  return n.toFixed(n < 10 ? 2 : n < 100 ? 1 : 0) + ' ' + units[i];
}

function filesPage() {
  const states = { edited: 's-restarted', missing: 's-failed', outside: 's-failed', damaged: 's-failed' };
  return [h('h1', null, 'Files'), art.dump ? help('Every text of the dump, each once. Its place is the line of the log, or the file, that it comes from.')
    : help('Every file in the manifest of the artifact, with the tool that wrote it. ', h('b', null, 'Worry about'), ' missing files, and edited files that you did not edit.'),
    table(art.files, [
      ['file', f => f.path, f => f.text >= 0 ? h('a', { href: fileLink(f) }, f.path) : f.url ? h('a', { href: f.url }, f.path) : f.path, 'w'],
      ['size', f => f.bytes, f => f.bytes < 0 ? '–' : bytes(f.bytes), 'num'], ['lines', f => f.lines, f => f.lines ? group(f.lines) : '', 'num'],
      ...(art.dump ? [] : [['state', f => f.state, f => h('span', { class: states[f.state] || 'soft' }, f.state === 'same' ? 'as compiled' : f.state === 'outside' ? 'leads out of the folder' : f.state === 'elsewhere' ? 'not in the trace' : f.state)]]),
      [art.dump ? 'place' : 'made by', f => f.command, f => h('span', { class: 'soft' }, f.command), 'w'],
    ], 400)];
}

const grammarOfFile = path => /\.s$|\.ptx$/.test(path) ? 'asm' : /\.json$/.test(path) ? 'json' : 'ir';

/** A tool bar and a view of a text with addresses of lines: `address(line)` gives them. */
function textArea(raw, value, kind, line, address, extra) {
  const view = codeView(value, kind, (chosen, range) => {
    const [first] = (line || '').split('-').map(Number);
    line = range && first ? Math.min(first, chosen) + '-' + Math.max(first, chosen) : String(chosen);
    stay(address(line));
    view.show(...line.split('-').map(Number));
  });
  if (line) setTimeout(() => view.show(...line.split('-').map(Number)));
  return [h('div', { class: 'tool' }, finder(view), extra,
    h('button', { onclick: event => { const on = view.classList.toggle('wrap'); event.target.setAttribute('aria-pressed', on); } }, 'wrap'),
    h('button', { onclick: event => copy(raw, event.target) }, 'copy')), view];
}

async function filePage(path, line) {
  const f = art.byPath.get(path);
  if (!f || f.text < 0) return missingPage('This report holds no text of the file ' + path + '.');
  const raw = await text(f.text), value = pretty(f.path, raw);
  const at = art.passRuns.find(r => r.file === f.index);
  return [h('h1', null, f.path), help(plural(f.lines, 'line') + ', ' + bytes(f.bytes) + (f.command ? (art.dump ? '; of ' : '; made by ') + f.command : '') + '. Click a line number for an address of that line, shift-click for a range. ',
    f.map >= 0 ? h('a', { href: provenanceLink({ files: [f.index] }) }, 'Its lines beside their counterparts') : null, at ? [' · ', h('a', { href: passLink(at) }, 'what the pass changed')] : null),
    f.state === 'edited' ? h('p', { class: 'alarm note' }, 'Edited by hand since the compile: its lines have no counterparts here.') : null,
    textArea(raw, value, grammarOfFile(f.path), line, chosen => fileLink(f, chosen))];
}

/** Everything about one op. */
async function opPage(id) {
  const op = art.byId.get(id);
  const sites = art.sites.filter(s => s.ids.includes(id));
  const all = art.remarkCount ? await remarksOf(art) : [];
  if (!op && !sites.length && !all.some(r => r.ids.includes(id))) return missingPage('The program has no op ' + id + '.');
  const remarks = all.filter(r => r.ids.includes(id));
  const tasks = art.lists.flatMap((list, l) => list.tasks.filter(t => sites.some(s => s.index === t.site)).map(t => [list, l, t]));
  const edges = art.boundaries.filter(b => b[1].includes(id) || b[4].includes(id));
  return [h('h1', null, op ? op[1] : 'op', ' ', op && op[6] ? [h('code', null, op[6]), ' '] : null, h('code', null, id)),
    help('One operation of the program: its source, the kernels that compute it, and the remarks of passes. ', h('b', null, 'Worry about'), ' an op in no kernel that you expect at run time: it was folded or not needed.'),
    h('div', { class: 'chips' }, op ? h('span', { class: 'chip' }, 'number ' + op[3] + ' of its kind in ' + op[2]) : h('span', { class: 'chip' }, 'made by the compiler'), op && op[4] ? h('span', { class: 'chip mono', title: 'a hash of attributes, types and operands' }, 'fingerprint ' + op[4]) : null),
    op && op[5].length ? h('p', null, 'From ', op[5].map((at, i) => [i ? ', ' : '', h('a', { href: provenanceLink({ source: at[0], line: at[1] }) }, at[0] + ':' + at[1] + ':' + at[2])])) : null,
    h('p', null, h('a', { href: provenanceLink({ id }), id: 'toLines' }, 'Its lines in every stage, side by side')),
    heading('Kernels', sites.length ? '' : 'none: folded, merged with an equal op, or not needed'),
    table(sites, [['kernel', s => s.kernel, s => s.kernel >= 0 ? kernelAnchor(art.kernels[s.kernel]) : '', 'w'], ['site', s => s.index, s => String(s.index), 'num'],
      ['as', s => s.ids.indexOf(id), s => s.ids.indexOf(id) === 0 ? 'the root' : 'ordinal ' + s.ids.indexOf(id) + ' of ' + s.ids.length],
      ['with', s => s.ids.length, s => h('span', { class: 'ids' }, s.ids.filter(o => o !== id).slice(0, 12).map(opAnchor)), 'w']], 20),
    tasks.length ? [heading('Launched by'), h('ul', null, tasks.slice(0, 40).map(([list, l, t]) => h('li', null, h('a', { href: aLink('graph/' + l + '/' + t.index) }, 'task ' + t.index + ' of ' + list.name), t.device ? ' on ' + t.device : '')))] : null,
    edges.length ? [heading('Why not fused'), boundaryTable(edges)] : null,
    remarks.length ? [heading('Remarks', plural(remarks.length, 'remark')), remarkTable(remarks)] : null];
}

function boundaryTable(edges) {
  const one = (name, ids, site) => [h('code', null, name), ' ', h('span', { class: 'ids' }, ids.slice(0, 4).map(opAnchor)), site >= 0 && art.sites[site] && art.kernels[art.sites[site].kernel] ? h('div', { class: 'soft' }, art.kernels[art.sites[site].kernel].name) : null];
  return table(edges, [['makes', e => e[0], e => one(e[0], e[1], e[2]), 'w'], ['reads', e => e[3], e => one(e[3], e[4], e[5]), 'w'], ['why they are two kernels', e => e[6], e => e[6], 'w']], 30);
}

function remarkTable(remarks) {
  return table(remarks, [
    ['kind', r => r.kind, r => h('span', { class: 'badge ' + (r.kind === 'missed' || r.kind === 'failed' ? 'warn' : r.kind === 'passed' ? 'good' : '') }, r.kind)],
    ['pass', r => r.position, r => { const run = art.passRuns.find(p => p.position === r.position && (p.op === r.op || !r.op)); return run ? h('a', { href: passLink(run) }, r.pass) : r.pass; }],
    ['on', r => r.op, r => art.byKernel.has(r.op) ? kernelAnchor(art.byKernel.get(r.op)) : r.op, 'w'],
    ['what', r => r.message, r => [r.message, r.args.length ? h('div', { class: 'soft' }, r.args.map(([k, v]) => k + ' ' + v).join('; ')) : null], 'w'],
    ['ops', r => r.ids.length, r => h('span', { class: 'ids' }, r.ids.slice(0, 4).map(opAnchor), r.ids.length > 4 ? '+' + (r.ids.length - 4) : null)],
  ], 100);
}

async function remarksPage(kind) {
  const all = await remarksOf(art), kinds = [...new Set(all.map(r => r.kind))].sort();
  const shown = kind ? all.filter(r => r.kind === kind) : all;
  return [h('h1', null, 'Remarks'), help('What passes did to ops, what they could not do, and why. ', h('b', null, 'Worry about'), ' missed ones on ops that take time.'),
    h('div', { class: 'chips' }, h('a', { class: 'chip', href: aLink('remarks'), 'aria-current': kind ? null : 'page' }, 'all ' + group(all.length)), kinds.map(k => h('a', { class: 'chip', href: aLink('remarks/' + k), 'aria-current': k === kind ? 'page' : null }, k + ' ' + group(all.filter(r => r.kind === k).length)))),
    remarkTable(shown), art.boundaries.length && !kind ? [heading('Why kernels were not fused', plural(art.boundaries.length, 'edge')), boundaryTable(art.boundaries)] : null];
}
