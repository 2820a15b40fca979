// Passes: the pipeline over time, and what one pass did, by structure.

const CHANGE_NAMES = ['added', 'removed', 'changed', 'moved'];

function changeCounts(run) {
  if (art.dump && run.asText) return h('span', { class: 'soft' }, run.before < 0 ? 'first text' : run.changed ? 'as text' : 'nothing');
  if (run.file < 0) return h('span', { class: 'soft' }, run.changed ? 'changed' : 'nothing');
  if (run.diff < 0) return h('span', { class: 'soft' }, 'a snapshot');
  if (!run.structural) return h('span', { class: 'soft', title: run.asText }, 'as text');
  const parts = run.counts.map((n, i) => n ? h('span', { class: ['s-ok', 's-failed', 's-restarted', 's-unfinished'][i], title: plural(n, 'op') + ' ' + CHANGE_NAMES[i] }, '+−~↕'[i] + group(n) + ' ') : null).filter(Boolean);
  return parts.length ? h('span', { class: 'mono' }, parts) : h('span', { class: 'soft' }, art.dump ? 'nothing' : 'names or positions only');
}
const opsText = run => run.opsAfter < 0 ? '' : run.opsBefore === run.opsAfter ? group(run.opsAfter) : group(run.opsBefore) + ' → ' + group(run.opsAfter);

function passTable(runs) {
  const most = runs.reduce((m, r) => Math.max(m, r.ms), 0);
  return table(runs, [
    ['', r => r.position, r => String(r.position).padStart(4, '0'), 'num'],
    ['pass', r => r.pass.name, r => r.file >= 0 ? h('a', { href: passLink(r) }, r.pass.name) : h('span', { class: 'soft' }, r.pass.name), 'nw'],
    ['on', r => r.op, r => r.op ? (art.byKernel.has(r.op) ? kernelAnchor(art.byKernel.get(r.op)) : h('code', null, r.op)) : h('span', { class: 'soft' }, 'program'), 'w'],
    [art.dump ? 'module' : 'phase', r => r.pass.phase, r => r.pass.phase, art.dump ? 'w' : ''],
    ['did', r => r.counts.reduce((s, n) => s + n, 0), r => [changeCounts(r), r.note ? h('div', { class: 's-restarted' }, r.note) : null]],
    ['ops', r => r.opsAfter - r.opsBefore, opsText, 'num'],
    ...(most ? [['time', r => r.ms, r => bar(r.ms, most, duration(r.ms * 1000)), 'num']] : []),
  ], 200);
}

/** A row of links, one per pass. */
const passStrip = runs => h('div', { class: 'strip' }, runs.map(r => h('a', { href: passLink(r), title: passTitle(r) }, h('span', { class: 'soft' }, String(r.position).padStart(4, '0') + ' '), r.pass.name, ' ', changeCounts(r))));

function passesPage() {
  const phases = [...new Set(art.passRuns.map(r => r.pass.phase))];
  const state = { phase: '', snapshots: true, slow: false, word: '' };
  const area = h('div'), note = h('span', { class: 'soft' });
  const box = h('input', { type: 'search', id: 'inPage', placeholder: 'pass or kernel ( f )', 'aria-label': 'pass or kernel', oninput: () => { state.word = box.value.toLowerCase(); draw(); } });
  function draw() {
    let runs = art.passRuns.filter(r => (!state.snapshots || r.file >= 0) && (!state.phase || r.pass.phase === state.phase) && (!state.word || passTitle(r).toLowerCase().includes(state.word)));
    if (state.slow) runs = [...runs].sort((a, b) => b.ms - a.ms);
    note.textContent = plural(runs.length, 'run') + (art.dump ? '' : ', ' + duration(runs.reduce((s, r) => s + r.ms, 0) * 1000));
    area.replaceChildren(passTable(runs));
  }
  const toggle = (label, key) => h('button', { 'aria-pressed': state[key], onclick: event => { state[key] = !state[key]; event.target.setAttribute('aria-pressed', state[key]); draw(); } }, label);
  draw();
  return [h('h1', null, 'Passes'),
    help('The pipeline as it ran: a row per pass and op, ', h('span', { class: 'mono' }, h('span', { class: 's-ok' }, '+added '), h('span', { class: 's-failed' }, '−removed '), h('span', { class: 's-restarted' }, '~changed '), h('span', { class: 's-unfinished' }, '↕moved')),
      ' ops. A row with a snapshot opens it. ', h('b', null, 'Worry about'), ' passes you expected to act that did nothing, ops that grow without a lowering, and times out of proportion.'),
    art.failure ? h('p', { class: 'alarm' }, 'The compile ended in ', h('code', null, art.failure)) : null,
    timelineOf(art.passRuns),
    h('div', { class: 'tool' }, box, h('select', { 'aria-label': 'phase', onchange: event => { state.phase = event.target.value; draw(); } }, h('option', { value: '' }, art.dump ? 'every module' : 'every phase'), phases.map(p => h('option', { value: p }, p || '(none)'))),
      toggle(art.dump ? 'changed only' : 'snapshots only', 'snapshots'), art.dump ? null : toggle('slowest first', 'slow'), note),
    area];
}

/** The passes laid end to end, coloured by phase. */
function timelineOf(runs) {
  const phases = [...new Set(runs.map(r => r.pass.phase))];
  let at = 0;
  const bars = runs.map(r => { const start = at; at += r.ms * 1000; return { run: r, start, end: at }; });
  if (!at) return null;
  return plane({ height: 66, right: at, bottom: 1, xOnly: true, label: 'passes laid end to end', ticks: true,
    draw: (pen, view, ink) => {
      let last = -1;
      for (const b of bars) {
        const x0 = view.x(b.start), x1 = view.x(b.end);
        if (x1 < 0 || x0 > view.width || x1 < last + 0.4) continue;
        last = x1;
        pen.fillStyle = ink.hue(phases.indexOf(b.run.pass.phase) * 61 + 205, b.run.file >= 0 ? 1 : 0.35);
        pen.fillRect(x0, 24, Math.max(0.8, x1 - x0 - 0.5), 34);
        if (x1 - x0 > 50) ink.text(b.run.pass.name, x0 + 4, 41, x1 - x0 - 6);
      }
    },
    at: (x, y) => y > 22 ? bars.find(b => b.start <= x && x <= b.end) : null,
    tip: b => passTitle(b.run) + '  ' + duration(b.run.ms * 1000) + (b.run.pass.phase ? '  phase ' + b.run.pass.phase : ''),
    click: b => { location.hash = b.run.file >= 0 ? passLink(b.run) : aLink('passes'); } });
}

async function passPage(number, chosen) {
  const run = art.passRuns[number];
  if (!run) return missingPage('There is no such run of a pass.');
  const same = art.passRuns.filter(r => (art.dump || r.op === run.op) && r.file >= 0), at = same.indexOf(run);
  const before = art.files[run.before], after = art.files[run.file];
  const remarks = art.remarkCount ? (await remarksOf(art)).filter(r => r.position === run.position && (!r.op || !run.op || r.op === run.op)) : [];
  const head = [h('h1', null, passTitle(run)),
    help(run.pass.phase ? (art.dump ? 'Of ' : 'Phase ') + run.pass.phase + '. ' : '', art.dump ? null : duration(run.ms * 1000) + ', ', plural(Math.max(0, run.opsBefore), 'op') + ' before, ' + group(Math.max(0, run.opsAfter)) + ' after. ', 'Changes are found by structure: renamed values and reordered independent ops are none. ', h('b', null, 'n'), ' and ', h('b', null, 'p'), ' go through them.'),
    run.pass.options ? h('p', { class: 'soft' }, art.dump ? 'argument ' : 'options ', h('code', null, run.pass.options)) : null,
    h('span', { class: 'tool' }, same[at - 1] ? h('a', { id: 'prev', href: passLink(same[at - 1]), title: 'k' }, '← ' + passTitle(same[at - 1])) : null, at >= 0 && same[at + 1] ? h('a', { id: 'next', href: passLink(same[at + 1]), title: 'j' }, passTitle(same[at + 1]) + ' →') : null)];
  if (run.note) head.push(h('p', { class: 'alarm note' }, run.note + ': what is missing or not parsed is compared with nothing.'));
  if (!after) return [head, h('p', null, art.dump ? 'It changed nothing.' : 'It changed nothing, so it left no snapshot.')];
  if (after.text < 0) return [head, h('p', { class: 'soft' }, 'This report keeps texts as files.')];
  // The states that were compared: of a file, a part of one, or put together of several.
  const texts = [run.beforeText >= 0 ? run.beforeText : before ? before.text : -1, run.afterText >= 0 ? run.afterText : after.text];
  const [old, value] = [texts[0] >= 0 ? await text(texts[0]) : '', await text(texts[1])];
  const changes = run.diff >= 0 ? await changesOf(run.diff) : [];
  const links = h('p', null, before ? h('a', { href: fileLink(before) }, before.path.replace('passes_dump/', '')) : null, run.beforeText >= 0 ? h('span', { class: 'soft' }, run.beforeIsPart ? ', a part of it' : ', with newer snapshots of its parts') : null, ' → ', h('a', { href: fileLink(after) }, after.path.replace('passes_dump/', '')), ' · ', h('a', { href: workLink(run), title: 'w' }, 'in the workbench'), ' · ', after.map >= 0 ? h('a', { href: provenanceLink({ files: [before && before.map >= 0 ? before.index : -1, after.index].filter(i => i >= 0) }) }, 'with counterparts in every stage') : null);
  const remarksHere = remarks.length ? [heading('Why', plural(remarks.length, 'remark of this pass', 'remarks of this pass')), remarkTable(remarks)] : null;
  if (run.diff < 0 || !run.structural) return [head, links, remarksHere, heading('What changed', run.asText || 'as text'), old && old.length + value.length < 4e6 ? diffView(old, value) : codeView(value, 'ir')];
  return [head, links, remarksHere, structuralView(changes, run.counts, old, value, number => passLink(run) + '/' + number, Number(chosen))];
}

/** What mica-diff found, of the text number `number`. */
const changesOf = async number => {
  const data = await json(number), rows = data.rows || data, sets = data.sets || [];
  return rows.map((r, i) => ({ kind: r[0], op: r[1], from: r[2], to: r[3], details: r[4], nested: r[5], rewired: r[6], note: r[7], why: r[8], first: r[9] ?? i, ids: sets[r[10]] || [], index: i }));
};

/** Two programs side by side with what changed between them; n and p go through the changes, `address(n)` is that of the nth. */
function structuralView(changes, counts, old, value, address, chosen) {
  const left = codeView(old, 'ir'), right = codeView(value, 'ir');
  left.bands(changes.filter(c => c.from).map(c => [c.from, c.kind === 'removed' ? 'del' : 'mod']));
  right.bands(changes.filter(c => c.to).map(c => [c.to, c.kind === 'added' ? 'add' : 'mod']));
  let current = -1;
  const where = h('span', { class: 'soft' });
  function step(to) {
    if (!changes.length) return;
    current = (to + changes.length) % changes.length;
    const c = changes[current];
    left.show(c.from); right.show(c.to);
    where.textContent = (current + 1) + ' of ' + changes.length + ': ' + c.kind + ' ' + c.op;
    stay(address(current + 1));
  }
  // A change that is made in several places is one row.
  const places = new Map(changes.map(c => [c.index, []]));
  for (const c of changes) (places.get(c.first) || places.get(c.index)).push(c);
  const linesOf = c => c.from && c.to && c.from !== c.to ? c.from + ' → ' + c.to : String(c.from || c.to);
  const rows = table(changes.filter(c => places.get(c.index).length), [
    ['', c => c.kind, c => h('span', { class: 'badge ' + ({ added: 'good', removed: 'bad', moved: '', changed: 'warn' })[c.kind] }, c.kind)],
    ['op', c => c.op, c => h('button', { class: 'plain mono', onclick: () => step(c.index) }, c.op), 'w'],
    ['line', c => c.from || c.to, c => places.get(c.index).length === 1 ? (c.from && c.to ? c.from + ' → ' + c.to : linesOf(c)) : [h('div', null, 'same change in ' + plural(places.get(c.index).length, 'place') + ':'),
      places.get(c.index).slice(0, 24).map((p, i) => [i ? ', ' : '', h('button', { class: 'plain', onclick: () => step(p.index) }, linesOf(p))]), places.get(c.index).length > 24 ? ' …' : ''], 'num'],
    ['details', c => c.details.length, c => [c.details.slice(0, 6).map(([what, x, y]) => h('div', { class: 'delta' }, h('span', { class: 'soft' }, what + ' '), x ? h('del', null, x.slice(0, 400)) : null, ' ', y ? h('ins', null, y.slice(0, 400)) : null)), c.details.length > 6 ? h('div', { class: 'soft' }, 'and ' + (c.details.length - 6) + ' more') : null,
      c.nested ? h('div', { class: 'soft' }, 'with ' + plural(c.nested, 'op') + ' inside') : null, c.rewired ? h('div', { class: 'soft' }, plural(c.rewired, 'use') + ' of its result go past it') : null, c.note ? h('div', { class: 'soft' }, c.note) : null, c.why.map(w => h('div', null, h('b', null, 'why: '), w))], 'w'],
  ], 100);
  passPage.step = by => step(current < 0 ? (by > 0 ? 0 : changes.length - 1) : current + by);
  // Both panes open at the first change; the address stays.
  setTimeout(() => { if (chosen) step(chosen - 1); else if (changes.length) { left.reveal(changes[0].from || 1); right.reveal(changes[0].to || 1); } });
  return [heading('What changed', counts.map((n, i) => n ? plural(n, 'op') + ' ' + CHANGE_NAMES[i] : null).filter(Boolean).join(', ') || 'names or positions only'),
    h('div', { class: 'tool' }, h('button', { onclick: () => passPage.step(-1), title: 'p' }, '← change'), h('button', { onclick: () => passPage.step(1), title: 'n' }, 'change →'), where),
    h('div', { class: 'panes two' }, h('section', null, h('header', null, 'before'), left), h('section', null, h('header', null, 'after'), right)),
    changes.length ? rows : null];
}
