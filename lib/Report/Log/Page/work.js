// The workbench: passes at the left, one pass before and after in the middle, the op under the cursor in every other
// stage at the right. Its address holds everything that is shown.

const CHANGE_CLASS = { added: 'add', removed: 'del', changed: 'mod', moved: 'mov' };

/** Passes in order, with their runs: kernels that one pass ran on are one group. Dumps have a group per text. */
function passGroups() {
  const groups = new Map();
  for (const run of art.passRuns) {
    const key = art.dump ? run.index : run.position;
    if (!groups.has(key)) groups.set(key, []);
    groups.get(key).push(run);
  }
  return [...groups.values()];
}

/** The address: run, then "side|one.fold|all.a12" (cursor: line 12 after; b before), then filters. */
function workLink(run, { one = false, all = false, cursor = null } = {}, filter = {}) {
  const flags = [one ? 'one' : 'side', all ? 'all' : 'fold', ...(cursor ? [cursor.side + cursor.line] : [])].join('.');
  const words = Object.entries(filter).filter(([, v]) => v !== '' && v !== false && v !== undefined).map(([k, v]) => k + '=' + (v === true ? 1 : v));
  return aLink('work/' + run.index + '/' + flags + (words.length ? '/' + encodeURIComponent(words.join('&')) : ''));
}

/** Lines `i` and on of `lines` that are one op: as far as its closing brace. */
function opLines(lines, i) {
  const indent = line => line.length - line.trimStart().length, own = indent(lines[i]);
  let end = i + 1;
  if (/[{(]\s*$/.test(lines[i]) || (lines[end] !== undefined && lines[end].trim() && indent(lines[end]) > own))
    while (end < lines.length && (!lines[end].trim() || indent(lines[end]) > own || (indent(lines[end]) === own && /^\s*[})\]^]/.test(lines[end])))) ++end;
  return lines.slice(i, end);
}

/** The pipeline that runs the pass of `run` alone on the text before it. */
function pipelineOf(run) {
  const anchors = run.pass.anchor.replace(/\)+$/, '').split('(').filter(Boolean);
  // The text of a kernel has the kernel's module as its root.
  if (run.op && anchors[0] === 'builtin.module' && anchors[1] === 'builtin.module') anchors.shift();
  const options = (run.pass.options || '').replace(/^\{\s*|\s*\}$/g, '').trim().replace(/\s+/g, ' ');
  const inner = run.pass.name + (options ? '{' + options + '}' : '');
  return (anchors.length ? anchors : ['builtin.module']).reduceRight((text, anchor) => anchor + '(' + text + ')', inner);
}

function reproducerOf(run) {
  if (art.dump) return 'mlir-opt before.mlir --' + (run.pass.options || run.pass.name).replace(/^\{.*/, run.pass.name);
  return 'mica-opt --resume=' + art.name + ':' + String(run.position - 1).padStart(4, '0') + ' --reproducer=reproducer';
}

/** A lit test of the pass on this text: a check for each line that it adds or changes, whatever its values are called. */
function litTest(run, before, after, rows) {
  const opName = line => (line.match(/(?:^|= )"?([a-z_]\w*\.[\w.]+)/) || [])[1];
  // Maps and locations are printed in place or under an alias, so only the op is checked then.
  const check = line => /affine_map<|#\w|dense_resource/.test(line) ? opName(line)
    : line.replace(/\[\[|\{\{/g, found => '{{' + found.split('').map(c => '[' + c + ']').join('') + '}}').replace(/%[\w$.-]+(?:#\d+)?/g, '%{{[A-Za-z0-9_.$#-]+}}');
  const checks = [];
  for (const row of rows) {
    if (row.after < 0 || checks.length >= 120) continue;
    const line = after[row.after].trim(), label = /^(?:\w+\.)?func(?:\.func)? /.test(line) && line.match(/@[\w$.-]+/);
    if (label) checks.push('// CHECK-LABEL: ' + label[0]);
    else if (row.kind && opName(line)) checks.push('// CHECK: ' + check(line));
  }
  const kinds = lines => new Set(lines.map(line => opName(line.trim())).filter(Boolean));
  const left = kinds(after), gone = [...kinds(before)].filter(kind => !left.has(kind)).slice(0, 20);
  const tool = art.dump ? 'mlir-opt %s --' + (run.pass.options || run.pass.name).replace(/^\{.*/, run.pass.name) : "mica-opt %s --pass-pipeline='" + pipelineOf(run) + "'";
  return ['// RUN: ' + tool + ' | FileCheck %s' + (gone.length ? ' --implicit-check-not=' + gone[0] : ''),
    art.dump ? null : '// A smaller one, verified: mica-test-gen ' + art.name + ' ' + run.position + (run.op ? ' --op=' + run.op : ''), '',
    before.some(line => line.includes('__elided__')) ? '// Elements of constants are elided; mica-report --with-constants keeps them.\n' : null,
    ...checks.length ? checks : ['// CHECK: {{.}}'], '', ...before].filter(line => line !== null).join('\n') + '\n';
}

/** The rows of both texts: { before, after, kind, change }, positions from 0 or -1. */
function alignedRows(before, after, changes, structural) {
  const byBefore = new Map(), byAfter = new Map();
  for (const c of changes) { if (c.from) byBefore.set(c.from - 1, c); if (c.to) byAfter.set(c.to - 1, c); }
  const known = changes.filter(c => c.kind === 'changed' && c.from && c.to).map(c => [c.from - 1, c.to - 1]);
  const rows = [];
  let i = 0, j = 0;
  const only = (b, a) => {
    const change = b >= 0 ? byBefore.get(b) : byAfter.get(a);
    rows.push({ before: b, after: a, kind: change && change.kind === 'moved' ? 'mov' : b >= 0 ? 'del' : 'add', change });
  };
  for (const [x, y] of [...alignLines(before, after, known), [before.length, after.length]]) {
    while (i < x) only(i++, -1);
    while (j < y) only(-1, j++);
    if (x >= before.length) break;
    const change = byAfter.get(y) || byBefore.get(x);
    const differs = lineShape(before[x]) !== lineShape(after[y]);
    rows.push({ before: x, after: y, kind: change ? CHANGE_CLASS[change.kind] === 'mov' ? 'mov' : 'mod' : differs ? (structural ? 'text' : 'mod') : '', change });
    i = x + 1;
    j = y + 1;
  }
  return rows;
}

/** What is shown of `rows`: all, or changes with three lines around them and folds between. One column has two rows for a change. */
function shownRows(rows, { one, all }, opened) {
  const near = new Uint8Array(rows.length), out = [];
  rows.forEach((row, at) => { if (row.kind && row.kind !== 'text') near.fill(1, Math.max(0, at - 3), at + 4); });
  const isFolded = at => !all && !near[at];
  for (let at = 0; at < rows.length;) {
    if (isFolded(at)) {
      let end = at;
      while (end < rows.length && isFolded(end)) ++end;
      if (end - at > 2 && !opened.has(at)) { out.push({ fold: at, end }); at = end; continue; }
      for (; at < end; ++at) out.push({ row: at });
      continue;
    }
    if (one && rows[at].kind && rows[at].before >= 0 && rows[at].after >= 0 && rows[at].kind !== 'text') {
      let end = at;
      while (end < rows.length && rows[end].kind && rows[end].before >= 0 && rows[end].after >= 0 && rows[end].kind !== 'text') ++end;
      for (let k = at; k < end; ++k) out.push({ row: k, side: 'b' });
      for (let k = at; k < end; ++k) out.push({ row: k, side: 'a' });
      at = end;
      continue;
    }
    out.push({ row: at });
    ++at;
  }
  return out;
}

/** A line with colours; of two that were changed into each other the part that differs is marked. */
function codeLine(line, other, find) {
  const long = line.length > 4000 ? line.slice(0, 4000) + '…' : line;
  if (other === undefined || other === line) return colored(long, 'ir', find);
  let start = 0, end = 0;
  while (start < line.length && start < other.length && line[start] === other[start]) ++start;
  while (end < line.length - start && end < other.length - start && line[line.length - 1 - end] === other[other.length - 1 - end]) ++end;
  while (start > 0 && /[\w%]/.test(line[start - 1])) --start;
  while (end > 0 && /\w/.test(line[line.length - end])) --end;
  const out = document.createDocumentFragment();
  out.append(colored(long.slice(0, start), 'ir', find), h('span', { class: 'diffed' }, colored(long.slice(start, line.length - end), 'ir', find)), colored(long.slice(line.length - end), 'ir', find));
  return out;
}

const lineLists = new Map();  // of the texts shown last
function linesOf(value) {
  let list = lineLists.get(value);
  if (list) return list;
  list = value.split('\n');
  if (list[list.length - 1] === '') list.pop();
  if (lineLists.size >= 16) lineLists.delete(lineLists.keys().next().value);
  lineLists.set(value, list);
  return list;
}

/** The texts of a run before and after, and what changed. */
async function statesOf(run) {
  const before = art.files[run.before], after = art.files[run.file];
  const numbers = [run.beforeText >= 0 ? run.beforeText : before ? before.text : -1, run.afterText >= 0 ? run.afterText : after ? after.text : -1];
  const [old, value] = await Promise.all(numbers.map(n => n >= 0 ? text(n) : ''));
  return { before: linesOf(old), after: linesOf(value), changes: run.diff >= 0 ? await changesOf(run.diff) : [] };
}

/** Stages in which counterparts are looked for: [key of a pane, title]. */
function stageKeys(kernel, but) {
  const keys = [...art.sources.filter(s => s.text >= 0).slice(0, 2).map(s => 's' + s.index), ...usualPanes(kernel)];
  return [...new Set(keys)].filter(key => key !== but);
}

async function stagePane(key) {
  const source = key[0] === 's' ? art.sources[Number(key.slice(1))] : null, file = source ? null : art.files[Number(key)];
  return { key, source, file, kernel: file ? kernelOfFile(file) : null, map: file ? await mapOf(file) : null, lines: linesOf(await text((source || file).text)) };
}

async function workPage(number, flagText, filterText) {
  const groups = passGroups(), withText = run => run.file >= 0 && art.files[run.file].text >= 0;
  const filter = { q: '', kind: '', on: '', changed: true, remarks: false };
  if (filterText !== undefined) filter.changed = false;
  for (const word of (filterText || '').split('&')) {
    const at = word.indexOf('='), key = word.slice(0, at);
    if (at > 0 && Object.hasOwn(filter, key)) filter[key] = typeof filter[key] === 'boolean' ? word.slice(at + 1) === '1' : word.slice(at + 1);
  }
  let run = art.passRuns[Number(number)];
  if (!number || !run) run = art.passRuns.find(r => withText(r) && r.counts.some(Boolean)) || art.passRuns.find(withText);
  if (!run) return missingPage('This report holds no texts of passes.');
  const view = { one: innerWidth < 860, all: false, cursor: null };
  for (const flag of (flagText || '').split('.')) {
    const place = flag.match(/^([ab])(\d{1,9})$/);
    if (place) view.cursor = { side: place[1], line: Number(place[2]) };
    else if (flag === 'one' || flag === 'side') view.one = flag === 'one';
    else if (flag === 'all') view.all = true;
  }
  const remarks = art.remarkCount ? await remarksOf(art) : [], remarkCounts = new Map();
  for (const r of remarks) { const key = r.position + '\n' + r.op; remarkCounts.set(key, (remarkCounts.get(key) || 0) + 1); }
  const remarksOn = r => (remarkCounts.get(r.position + '\n' + r.op) || 0);
  const kinds = art.changedKinds || [], mostMs = art.passRuns.reduce((m, r) => Math.max(m, r.ms), 0);
  let states = { before: [], after: [], changes: [] }, rows = [], shown = [], opened = new Set(), listed = [], open = new Set(), word = '', asked = 0, kernelsOpen = null;

  // Left: the passes.
  const fits = r => (!filter.changed || (withText(r) && r.changed)) && (!filter.on || r.op.split('.')[0] === filter.on) && (!filter.remarks || remarksOn(r) > 0) &&
    (!filter.kind || (r.kinds || []).some(n => kinds[n] === filter.kind)) && (!filter.q || passTitle(r).toLowerCase().includes(filter.q.toLowerCase()));
  function list() {
    listed = [];
    for (const group of groups) {
      const runs = group.filter(fits);
      if (!runs.length) continue;
      if (runs.length === 1) { listed.push({ run: runs[0] }); continue; }
      listed.push({ group: runs });
      if (open.has(runs[0].position) || runs.some(r => r === run && kernelsOpen === r.position)) for (const r of runs) listed.push({ run: r, inside: true });
    }
  }
  const sums = runs => ({ ...runs[0], index: -1, counts: [0, 1, 2, 3].map(i => runs.reduce((s, r) => s + r.counts[i], 0)), ms: runs.reduce((s, r) => s + r.ms, 0), structural: runs.some(r => r.structural), file: Math.max(...runs.map(r => r.file)), diff: Math.max(...runs.map(r => r.diff)) });
  function passRow(i) {
    const { run: one, group: many, inside } = listed[i], r = many ? sums(many) : one, count = many ? many.reduce((s, x) => s + remarksOn(x), 0) : remarksOn(one);
    const isHere = many ? many.includes(run) && !listed.some(x => x.run === run) : one === run, heat = h('i');
    heat.style.width = mostMs ? Math.min(100, r.ms / mostMs * 100) + '%' : '0';
    return h('div', { class: 'passRow' + (inside ? ' inside' : '') + (withText(r) || many ? '' : ' off'), role: 'option', 'aria-selected': isHere ? 'true' : 'false', title: many ? r.pass.name + ' on ' + plural(many.length, 'kernel') : passTitle(one) + (one.pass.phase ? ', ' + one.pass.phase : '') + ', ' + duration(one.ms * 1000),
      onclick: () => {
        if (many) { if (open.has(r.position)) open.delete(r.position); else open.add(r.position); kernelsOpen = null; list(); passes.draw(); if (!many.includes(run) && many.find(withText)) openRun(many.find(withText)); } else openRun(one);
      } },
      h('span', { class: 'soft' }, inside ? '' : String(r.position).padStart(4, '0')), h('b', null, inside ? r.op || 'program' : r.pass.name), h('span', { class: 'soft op' }, inside ? '' : many ? '×' + many.length : r.op), h('span', { class: 'note', title: count ? plural(count, 'remark') : null }, count ? '●' : ''), h('span', { class: 'counts' }, r.structural && !r.counts.some(Boolean) ? h('span', { class: 'soft', title: 'names or positions only' }, 'names') : changeCounts(r)), h('span', { class: 'ms' }, heat, r.ms ? duration(r.ms * 1000) : ''));
  }
  const passes = rowList(24, () => listed.length, passRow, { role: 'listbox', 'aria-label': 'passes' });
  const state = h('span', { class: 'soft' });
  function refilter() {
    list();
    state.textContent = group(listed.reduce((s, x) => s + (x.group ? x.group.length : x.inside ? 0 : 1), 0)) + ' of ' + group(art.passRuns.length);
    passes.draw();
    keep();
  }
  const option = (value, label, chosen) => h('option', { value, selected: value === chosen }, label);
  const toggle = (label, key, title) => h('button', { 'aria-pressed': filter[key], title, onclick: event => { filter[key] = !filter[key]; event.target.setAttribute('aria-pressed', filter[key]); refilter(); } }, label);
  const ons = [...new Set(art.passRuns.map(r => r.op.split('.')[0]))].filter(Boolean).sort();
  const filterBox = h('div', { class: 'filters' },
    h('input', { type: 'search', id: 'workFilter', value: filter.q, placeholder: 'pass or kernel ( c )', 'aria-label': 'filter passes', oninput: event => { filter.q = event.target.value; refilter(); } }),
    kinds.length ? h('select', { 'aria-label': 'op that changed', onchange: event => { filter.kind = event.target.value; refilter(); } }, option('', 'any op', filter.kind), [...kinds].sort().map(k => option(k, k, filter.kind))) : null,
    ons.length > 1 ? h('select', { 'aria-label': 'kernel or function', onchange: event => { filter.on = event.target.value; refilter(); } }, option('', art.dump ? 'any function' : 'any kernel', filter.on), ons.map(k => option(k, k, filter.on))) : null,
    h('div', { class: 'tool' }, toggle('changed', 'changed', 'only passes that changed something'), remarks.length ? toggle('remarks', 'remarks', 'only passes with remarks') : null, state));

  // Middle: before and after.
  const title = h('h1', null), facts = h('span', { class: 'soft' }), where = h('span', { class: 'soft', 'aria-live': 'polite' }), detail = h('div', { class: 'detail' });
  const sideOf_ = { b: 'before', a: 'after' };
  const isHere = at => view.cursor && rows[at] && rows[at][sideOf_[view.cursor.side]] === view.cursor.line - 1;
  function line(half, i) {
    const item = shown[i];
    if (item.fold !== undefined) return h('div', { class: 'line fold', onclick: () => { opened.add(item.fold); refold(); } }, '⋯ ' + plural(item.end - item.fold, 'line'));
    const row = rows[item.row], side = half || item.side || (row.after >= 0 ? 'a' : 'b'), at = row[sideOf_[side]], lines = states[sideOf_[side]];
    if (at < 0) return h('div', { class: 'line none', onclick: () => pick(item.row, side === 'a' ? 'b' : 'a') });
    const kind = row.kind === 'text' ? '' : row.kind === 'mod' && !half && item.side ? (side === 'a' ? 'add' : 'del') : row.kind, other = row.kind === 'mod' ? states[side === 'a' ? 'before' : 'after'][side === 'a' ? row.before : row.after] : undefined;
    const sign = { add: '+', del: '−', mod: '~', mov: '↕' }[kind] || '';
    return h('div', { class: 'line ' + kind + (isHere(item.row) ? ' cursor' : ''), onclick: () => { if (!String(window.getSelection())) pick(item.row, side); } }, h('span', { class: 'no' }, String(at + 1)), h('span', { class: 'sign' }, sign), h('span', { class: 'text' }, codeLine(lines[at], other, word)));
  }
  const halves = [rowList(LINE, () => shown.length, i => line('b', i), { class: 'rows ir', 'aria-label': 'before' }), rowList(LINE, () => shown.length, i => line(view.one ? '' : 'a', i), { class: 'rows ir', 'aria-label': 'after' })];
  halves.forEach((half, i) => half.addEventListener('scroll', () => { const other = halves[1 - i]; if (!view.one && Math.abs(other.scrollTop - half.scrollTop) > 1) other.to(half.scrollTop); }));
  const both = h('div', { class: 'both' }, halves), nothing = h('p', { class: 'soft', hidden: true }, 'This pass changed nothing here. j and k go to passes that did.');
  const widest = lines => lines.reduce((m, l) => Math.max(m, l.length), 0);
  function refold() {
    shown = shownRows(rows, view, opened);
    both.classList.toggle('one', view.one);
    const width = [widest(states.before), widest(states.after)], most = view.one ? Math.max(...width) : 0;
    halves.forEach((half, i) => { half.firstChild.style.minWidth = 'calc(' + Math.min(4010, most || width[i]) + 'ch + 6.5em)'; half.draw(); });
  }
  const placeOf = at => shown.findIndex(item => item.row === at);
  function reveal(at) {
    let place = placeOf(at);
    if (place < 0) {
      const fold = shown.find(item => item.fold !== undefined && item.fold <= at && at < item.end);
      if (fold) { opened.add(fold.fold); refold(); place = placeOf(at); }
    }
    if (place >= 0) halves[1].reveal(place);
    if (place >= 0 && !view.one) halves[0].to(halves[1].scrollTop);
  }
  /** Puts the cursor on a row. */
  function pick(at, side) {
    const row = rows[at];
    if (!row) return;
    side = side && row[sideOf_[side]] >= 0 ? side : row.after >= 0 ? 'a' : 'b';
    view.cursor = { side, line: row[sideOf_[side]] + 1, at };
    halves.forEach(half => half.draw());
    const change = changeOf(at);
    where.textContent = change ? (states.changes.indexOf(change) + 1) + ' of ' + states.changes.length + ': ' + change.kind + ' ' + change.op : rows.some(r => r.kind && r.kind !== 'text') ? '' : 'nothing changed here';
    detail.replaceChildren(...(change ? changeDetail(change) : []));
    keep();
    elsewhere(row, change);
  }
  /** The change of a row, or that of the op around it that was added or removed as a whole. */
  function changeOf(at) {
    if (rows[at].change) return rows[at].change;
    if (!['add', 'del'].includes(rows[at].kind)) return null;
    for (let k = at; k >= 0 && rows[k].kind === rows[at].kind; --k) if (rows[k].change && rows[k].change.nested) return rows[k].change;
    return null;
  }
  const changeDetail = c => [...c.details.slice(0, 8).map(([what, x, y]) => h('div', { class: 'delta' }, h('span', { class: 'soft' }, what + ' '), x ? h('del', null, x.slice(0, 400)) : null, ' ', y ? h('ins', null, y.slice(0, 400)) : null)),
    c.nested ? h('div', { class: 'soft' }, 'with ' + plural(c.nested, 'op') + ' inside') : null, c.rewired ? h('div', { class: 'soft' }, plural(c.rewired, 'use') + ' of its result go past it') : null, c.note ? h('div', { class: 'soft' }, c.note) : null, ...c.why.map(w => h('div', null, h('b', null, 'why: '), w))].filter(Boolean);
  /** Where blocks of changed rows begin. */
  const steps = () => rows.flatMap((row, at) => row.kind && row.kind !== 'text' && (row.change || at === 0 || !rows[at - 1].kind || rows[at - 1].kind === 'text') ? [at] : []);
  function step(by) {
    const all = steps(), at = view.cursor ? view.cursor.at : -1;
    if (!all.length) return;
    const next = by > 0 ? all.find(x => x > at) ?? all[0] : [...all].reverse().find(x => x < at) ?? all[all.length - 1];
    reveal(next);
    pick(next);
  }
  function find(by) {
    const low = word.toLowerCase(), has = at => [['before', rows[at].before], ['after', rows[at].after]].find(([side, k]) => k >= 0 && states[side][k].toLowerCase().includes(low));
    const found = low ? rows.flatMap((_, at) => has(at) ? [at] : []) : [];
    hits.textContent = word ? plural(found.length, 'line') : '';
    halves.forEach(half => half.draw());
    if (!found.length || !by) return;
    const at = view.cursor ? view.cursor.at ?? -1 : -1, next = by > 0 ? found.find(x => x > at) ?? found[0] : [...found].reverse().find(x => x < at) ?? found[found.length - 1];
    reveal(next);
    pick(next, has(next)[0] === 'after' ? 'a' : 'b');
  }
  const hits = h('span', { class: 'soft' });
  const findBox = h('input', { type: 'search', id: 'workFind', placeholder: 'find ( / )', 'aria-label': 'find in both texts', oninput: () => { word = findBox.value.toLowerCase(); find(0); }, onkeydown: event => { if (event.key === 'Enter') find(event.shiftKey ? -1 : 1); } });
  function goLine() {
    const line = Number(lineBox.value), at = rows.findIndex(row => row.after === line - 1);
    if (at >= 0) { reveal(at); pick(at, 'a'); lineBox.blur(); }
  }
  const lineBox = h('input', { id: 'workLine', inputmode: 'numeric', placeholder: 'line ( g )', 'aria-label': 'line after the pass', onkeydown: event => { if (event.key === 'Enter') goLine(); } });
  const press = (label, key, what) => h('button', { 'aria-pressed': view[key], title: what, onclick: () => flip(key) }, label);
  const oneButton = press('one column', 'one', 'both texts in one column ( u )'), allButton = press('all lines', 'all', 'unchanged lines, too ( z )');
  function flip(key) {
    view[key] = !view[key];
    opened = new Set();
    oneButton.setAttribute('aria-pressed', view.one);
    allButton.setAttribute('aria-pressed', view.all);
    refold();
    if (view.cursor && view.cursor.at !== undefined) reveal(view.cursor.at);
    keep();
  }
  const address = () => workLink(run, view, filter);
  const keep = () => stay(address());
  const copyButton = (label, what, value) => h('button', { title: what, onclick: event => copy(value(), event.target) }, label);
  const opText = () => {
    const c = view.cursor;
    return c ? opLines(states[sideOf_[c.side]], c.line - 1).join('\n') + '\n' : '';
  };
  const linkButton = copyButton('link', 'address of this line ( y )', () => location.href.split('#')[0] + address());

  // Right: the op elsewhere.
  const right = h('aside', { class: 'elsewhere', 'aria-label': 'the op in other stages' }), quiet = h('p', { class: 'soft' }, 'The op of the line under the cursor in every other stage.');
  async function elsewhere(row, change) {
    const mine = ++asked;
    // What was asked for is painted first, and of several keys in a row only the last is answered.
    await new Promise(next => setTimeout(next, 40));
    if (mine !== asked) return;
    const file = art.files[run.file], pane = { file, kernel: file ? kernelOfFile(file) : null, map: file ? await mapOf(file) : null };
    let m = { ids: new Set(), sources: new Set(), kernelFile: -1, kernelLine: -1 };
    if (row.after >= 0 && run.afterText < 0 && pane.map) m = meaningOf(pane, row.after + 1);
    else if (row.before >= 0 && run.beforeText < 0 && art.files[run.before]) {
      const old = art.files[run.before];
      m = meaningOf({ file: old, kernel: kernelOfFile(old), map: await mapOf(old) }, row.before + 1);
      if (!art.files[run.before].ready) m = { ids: new Set(), sources: new Set(), kernelFile: -1, kernelLine: -1 };
    }
    if (!m.ids.size && change) m.ids = pane.kernel ? idsOfSites(pane.kernel, new Set(change.ids)) : new Set(change.ids);
    const having = m.ids.size ? art.kernels.filter(k => k.ops.some(id => m.ids.has(id)) || art.sitesOf[k.index].some(s => s.ids.some(id => m.ids.has(id)))) : [];
    const kernel = pane.kernel || having[0] || null, cards = [];
    for (const key of m.ids.size || m.sources.size ? stageKeys(kernel, String(run.file)) : []) {
      const stage = await stagePane(key);
      if (mine !== asked) return;
      const { exact, same } = counterpartsOf(stage, m), ranges = merged(exact.length ? exact : same), count = ranges.reduce((s, [a, b]) => s + b - a + 1, 0);
      if (count) cards.push(stageCard(stage, ranges, count, exact.length > 0));
    }
    const ids = [...m.ids], runs = ids.length ? await runsOf(pane.kernel ? idsInKernel(pane.kernel, m.ids) : m.ids) : art.dump ? await runsOfSources(m.sources) : [];
    if (mine !== asked) return;
    const known = ids.map(id => art.byId.get(id)).filter(Boolean);
    const where_ = [...new Set(known.map(placeText))].filter(Boolean).slice(0, 4).join(', ');
    right.replaceChildren(...[ids.length ? h('p', { class: 'said' }, ids.slice(0, 6).map(id => [opAnchor(id), h('span', { class: 'soft' }, ' ' + (art.byId.has(id) ? art.byId.get(id)[1] : '') + ' ')]), ids.length > 6 ? '+' + (ids.length - 6) : null, where_ ? [' from ', where_] : null)
      : m.sources.size ? h('p', { class: 'said' }, 'from ' + [...m.sources].slice(0, 4).map(s => s.replace(/^.*\//, '').replace('\n', ':')).join(', ')) : h('p', { class: 'soft' }, 'This line came from no op of the program' + (file && file.map >= 0 ? '.' : ': the text has no locations.')),
      ...cards, runs.length ? h('section', { class: 'card' }, h('header', null, h('b', null, 'story'), h('span', { class: 'soft' }, plural(runs.length, 'pass', 'passes') + ' touched it'), h('a', { id: 'story', href: aLink('story/' + encodeURIComponent(ids[0] || 'src:' + [...m.sources][0].replace('\n', ':'))), title: 's' }, 'as diffs')),
        runs.slice(0, 60).map(r => h('a', { class: 'storyRow', href: workLink(r, { one: view.one }, filter), 'aria-current': r === run ? 'true' : null }, h('span', null, passTitle(r)), changeCounts(r)))) : null].filter(Boolean));
  }
  function stageCard(stage, ranges, count, isExact) {
    const lines = [];
    for (const [a, b] of ranges) for (let n = a; n <= b && lines.length < 14; ++n) lines.push(n);
    const kind = stage.source ? 'ir' : grammarOfFile(stage.file.path), href = n => aLink('prov/' + stage.key + '/' + stage.key + ':' + n);
    return h('section', { class: 'card', 'data-stage': stageOf(stage.key) }, h('header', null, h('b', null, stageOf(stage.key)), h('span', { class: 'soft' }, plural(count, 'line') + (isExact ? '' : ' of its op')), h('a', { href: href(lines[0]) }, paneName(stage.key))),
      h('div', { class: 'excerpt' }, lines.map(n => h('div', { class: 'line' }, h('a', { class: 'no', href: href(n) }, String(n)), h('span', { class: 'text' }, colored((stage.lines[n - 1] || '').slice(0, 600), kind))))), count > lines.length ? h('a', { class: 'soft', href: href(lines[lines.length - 1]) }, '+' + group(count - lines.length) + ' lines') : null);
  }

  // Both texts of a pass, aligned: of the one shown and its neighbours, which are made while nothing else is asked for.
  const prepared = new Map();
  function prepare(of) {
    if (!prepared.has(of)) prepared.set(of, (async () => {
      const read = withText(of) ? await statesOf(of) : { before: [], after: [], changes: [] };
      return { states: read, rows: alignedRows(read.before, read.after, read.changes, of.structural) };
    })());
    for (const other of [...prepared.keys()].slice(0, -4)) prepared.delete(other);
    return prepared.get(of);
  }
  async function prepareNeighbours(of) {
    for (const by of [1, -1]) {
      await new Promise(next => setTimeout(next, 120));
      if (run !== of || !page.isConnected) return;
      const next = neighbour(by);
      if (next) await prepare(next);
    }
  }
  async function openRun(next, cursor = null) {
    const mine = ++asked;
    run = next;
    kernelsOpen = run.position;
    list();
    const read = await prepare(run);
    if (mine !== asked) return;
    ({ states, rows } = read);
    opened = new Set();
    view.cursor = cursor;
    if (cursor) cursor.at = rows.findIndex(row => row[sideOf_[cursor.side]] === cursor.line - 1);
    title.textContent = passTitle(run);
    facts.replaceChildren(' ', changeCounts(run), h('span', null, '  ' + [run.opsAfter >= 0 ? 'ops ' + opsText(run) : '', run.ms ? duration(run.ms * 1000) : '', run.pass.phase].filter(Boolean).join(', ')), run.pass.options ? h('code', { title: 'options' }, ' ' + run.pass.options.slice(0, 200)) : '');
    const said = remarks.filter(r => r.position === run.position && (!r.op || !run.op || r.op === run.op));
    why.hidden = !said.length;
    why.replaceChildren(h('summary', null, plural(said.length, 'remark')), ...said.slice(0, 40).map(r => h('div', null, h('span', { class: 'badge ' + (r.kind === 'missed' || r.kind === 'failed' ? 'warn' : r.kind === 'passed' ? 'good' : '') }, r.kind), ' ', r.message)));
    detail.replaceChildren();
    both.hidden = !withText(run);
    nothing.hidden = !both.hidden;
    where.textContent = run.asText && !run.structural ? 'compared as text' : states.changes.length ? plural(states.changes.length, 'change') : '';
    refold();
    const here = listed.findIndex(x => x.run === run) >= 0 ? listed.findIndex(x => x.run === run) : listed.findIndex(x => x.group && x.group.includes(run));
    if (here >= 0) passes.reveal(here);
    passes.draw();
    const first = cursor && cursor.at >= 0 ? cursor.at : steps()[0] ?? 0;
    halves.forEach(half => half.to(0));
    if (!rows.length) { right.replaceChildren(quiet); return keep(); }
    reveal(first);
    pick(first, cursor ? cursor.side : null);
    prepareNeighbours(run);
  }
  const why = h('details', { class: 'whyList', hidden: true });
  /** The next pass of the filter that has a text, or the previous one. */
  function neighbour(by) {
    const runs = groups.flat().filter(r => fits(r) && withText(r)), at = runs.indexOf(run);
    return at >= 0 ? runs[at + by] : by > 0 ? runs.find(r => r.index > run.index) : [...runs].reverse().find(r => r.index < run.index);
  }
  function move(by) {
    const next = neighbour(by);
    if (next) openRun(next);
  }
  workPage.keys = event => {
    const focus = box => { box.focus(); box.select(); event.preventDefault(); };
    switch (event.key) {
      case 'j': move(1); break;
      case 'k': move(-1); break;
      case 'n': step(1); break;
      case 'p': step(-1); break;
      case '/': focus(findBox); break;
      case 'c': focus(filterBox.firstChild); break;
      case 'g': focus(lineBox); break;
      case 'y': copy(location.href.split('#')[0] + address(), linkButton); break;
      case 'u': flip('one'); break;
      case 'z': flip('all'); break;
      case 's': { const story = document.getElementById('story'); if (story) location.hash = story.getAttribute('href'); break; }
      case 'ArrowDown': case 'ArrowUp': {
        const by = event.key === 'ArrowDown' ? 1 : -1, at = shown.findIndex(item => view.cursor && item.row === view.cursor.at);
        if (!both.contains(document.activeElement)) return false;
        for (let i = at + by; i >= 0 && i < shown.length; i += by) if (shown[i].row !== undefined) { reveal(shown[i].row); pick(shown[i].row, shown[i].side); break; }
        event.preventDefault();
        break;
      }
      default: return false;
    }
    return true;
  };
  const page = h('div', { class: 'work' },
    h('nav', { class: 'passPane', 'aria-label': 'passes' }, filterBox, passes), splitter('--left', 1),
    h('section', { class: 'middle' }, h('header', null, title, facts),
      h('div', { class: 'tool' }, h('button', { title: 'previous change ( p )', onclick: () => step(-1) }, '← change'), h('button', { title: 'next change ( n )', onclick: () => step(1) }, 'change →'), oneButton, allButton, findBox, hits, lineBox, linkButton,
        copyButton('copy op', 'the op under the cursor', opText), copyButton('copy reproducer', 'the command that runs this pass alone', () => reproducerOf(run)), copyButton('copy test', 'a lit test of this pass', () => litTest(run, states.before, states.after, rows)), where),
      detail, why, both, nothing), splitter('--right', -1), right);
  right.append(quiet);
  await openRun(run, view.cursor);
  state.textContent = '';
  setTimeout(() => {
    const fitHeight = () => page.style.setProperty('--top', Math.round(page.getBoundingClientRect().top + scrollY) + 'px');
    fitHeight();
    refilter();
    refold();
    if (view.cursor && view.cursor.at >= 0) reveal(view.cursor.at);
    const here = listed.findIndex(x => x.run === run);
    if (here >= 0) passes.reveal(here);
  });
  return [page];
}

/** A bar between panes; dragging it sets the width of one. */
function splitter(property, sign) {
  const bar = h('div', { class: 'splitter', role: 'separator', tabindex: '0', 'aria-orientation': 'vertical', 'aria-label': 'width of the pane' });
  const width = () => parseFloat(getComputedStyle(bar.parentNode).getPropertyValue(property)) || 280;
  const set = value => bar.parentNode.style.setProperty(property, Math.max(120, Math.min(innerWidth * 0.6, value)) + 'px');
  bar.addEventListener('pointerdown', event => {
    const from = event.clientX, begin = width();
    bar.setPointerCapture(event.pointerId);
    bar.onpointermove = moved => set(begin + sign * (moved.clientX - from));
    bar.onpointerup = () => { bar.onpointermove = null; };
  });
  bar.addEventListener('keydown', event => { if (event.key === 'ArrowLeft' || event.key === 'ArrowRight') { set(width() + sign * (event.key === 'ArrowRight' ? 20 : -20)); event.stopPropagation(); event.preventDefault(); } });
  return bar;
}

/** The right edge of a pane beside others; dragging it sets the width of that pane. */
function paneEdge() {
  const bar = h('div', { class: 'splitter edge', role: 'separator', tabindex: '0', 'aria-orientation': 'vertical', 'aria-label': 'width of the pane' });
  const set = width => { bar.parentNode.style.flex = '0 0 ' + Math.max(120, Math.min(innerWidth, width)) + 'px'; };
  const width = () => bar.parentNode.getBoundingClientRect().width;
  bar.addEventListener('pointerdown', event => {
    const from = event.clientX, begin = width();
    bar.setPointerCapture(event.pointerId);
    bar.onpointermove = moved => set(begin + moved.clientX - from);
    bar.onpointerup = () => { bar.onpointermove = null; };
  });
  bar.addEventListener('keydown', event => { if (event.key === 'ArrowLeft' || event.key === 'ArrowRight') { set(width() + (event.key === 'ArrowRight' ? 20 : -20)); event.stopPropagation(); event.preventDefault(); } });
  return bar;
}

/** Passes that changed an op with one of `ids`, in order. */
async function runsOf(ids) {
  if (!(art.touched >= 0)) return [];
  art.touchedRuns ??= await json(art.touched);
  const runs = new Set();
  for (const id of ids) if (Object.hasOwn(art.touchedRuns, id)) for (const n of art.touchedRuns[id]) runs.add(n);
  return [...runs].sort((x, y) => x - y).map(n => art.passRuns[n]).filter(Boolean);
}

/** The source positions, "file\nline", of a change on both sides. */
async function placesOf(run, change) {
  const places = new Set();
  for (const [file, own, line] of [[art.files[run.before], run.beforeText, change.from], [art.files[run.file], run.afterText, change.to]]) {
    const map = file && line && own < 0 ? await mapOf(file) : null, set = map && map.sets[map.setOf[line] ?? -1];
    if (set) for (const source of set.sources) { const at = source.match(/^(.*?):(\d+)(?::\d+)?$/s); if (at) places.add(at[1] + '\n' + at[2]); }
  }
  return places;
}
/** Of a dump, whose ops have no ids: passes that changed an op of one of these source positions, in order. */
async function runsOfSources(sources) {
  art.sourceRuns ??= (async () => {
    const of = new Map();
    for (const run of art.passRuns)
      if (run.diff >= 0)
        for (const change of await changesOf(run.diff))
          for (const place of await placesOf(run, change)) { if (!of.has(place)) of.set(place, new Set()); of.get(place).add(run); }
    return of;
  })();
  const of = await art.sourceRuns;
  return [...new Set([...sources].flatMap(place => [...of.get(place) || []]))].sort((x, y) => x.index - y.index);
}

/** The story of one op, or of a place in the source ("src:FILE:LINE"): each pass that touched it, with its lines before and after. */
async function storyPage(id) {
  const place = id.startsWith('src:') ? id.slice(4).replace(/:(\d+)$/, '\n$1') : null;
  const op = art.byId.get(id), all = new Set([id]);
  for (const site of art.sites) if (site.kernel >= 0 && site.ids.includes(id)) for (const other of idsInKernel(art.kernels[site.kernel], new Set([id]))) all.add(other);
  const runs = place ? await runsOfSources([place]) : await runsOf(all), area = h('div');
  if (!runs.length) return missingPage('No pass of this report changed an op ' + (place ? 'of ' + id.slice(4) : id) + '.');
  let next = 0, isGone = false;
  async function more() {
    button.hidden = true;
    for (const end = Math.min(runs.length, next + 25); next < end; ++next) {
      const run = runs[next], states = await statesOf(run), mine = [];
      for (const c of states.changes) if (place ? (await placesOf(run, c)).has(place) : c.ids.some(other => all.has(other))) mine.push(c);
      const excerpt = (lines, n, kind) => n ? opLines(lines, n - 1).slice(0, 6).map((l, i) => h('div', { class: 'line ' + kind }, h('span', { class: 'no' }, String(n + i)), h('span', { class: 'text' }, colored(l.slice(0, 1000), 'ir')))) : [];
      area.append(h('section', { class: 'card story' }, h('header', null, h('a', { href: workLink(run, { cursor: mine[0] ? mine[0].to ? { side: 'a', line: mine[0].to } : { side: 'b', line: mine[0].from } : null }) }, passTitle(run)), h('span', { class: 'soft' }, plural(mine.length, 'change')), run.pass.phase ? h('span', { class: 'soft' }, run.pass.phase) : null),
        mine.slice(0, 4).map(c => h('div', { class: 'excerpt' }, h('div', { class: 'soft' }, h('span', { class: 'badge ' + ({ added: 'good', removed: 'bad', moved: '', changed: 'warn' })[c.kind] }, c.kind), ' ', c.op),
          c.kind === 'moved' ? null : excerpt(states.before, c.from, 'del'), excerpt(states.after, c.to, c.kind === 'moved' ? 'mov' : 'add'), c.why.map(w => h('div', null, h('b', null, 'why: '), w)))),
        mine.length > 4 ? h('div', { class: 'soft' }, 'and ' + plural(mine.length - 4, 'change') + ' more') : null));
    }
    isGone = next >= runs.length;
    button.hidden = isGone;
    button.textContent = 'show more (' + group(runs.length - next) + ')';
  }
  const button = h('button', { onclick: more }, 'more');
  await more();
  return [h('h1', null, 'Story of ' + (place ? id.slice(4) : id)), help(op ? [op[1], op[6] ? ' ' + op[6] : '', ' from ', sourceAnchor(op), '. '] : null, 'Every pass that added, changed, moved or removed it, in order.'), place ? null : h('p', null, h('a', { href: opLink(id) }, 'everything about this op')), area, button];
}
