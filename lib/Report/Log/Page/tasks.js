// Tasks: when they ran, where their buffers lie, what the tensors held.

const launchesOf = async run => run.rows ??= (run.launches < 0 ? [] : (await json(run.launches)).map(r => named(r, ['id', 'kernel', 'site', 'device', 'handed', 'begun', 'done', 'parts', 'status', 'thread'])));
const kernelName = number => number >= 0 && art.kernels[number] ? art.kernels[number].name : '(unknown kernel)';
const kernelHue = number => HUES(kernelName(number));
const runChoice = (runs, run, path) => runs.length > 1 ? h('select', { 'aria-label': 'run', onchange: event => { location.hash = aLink(path + '/' + event.target.value); } }, runs.map(r => h('option', { value: r.index, selected: r === run }, r.name))) : null;

/** The passes of the compile, end to end, the launches of a run and their waits, as a trace of Chrome's format. */
function perfettoTrace(run, bars, labels) {
  const events = [], name = (pid, tid, value) => events.push({ name: tid === null ? 'process_name' : 'thread_name', ph: 'M', pid, ...(tid === null ? {} : { tid }), args: { name: value } });
  name(1, null, 'compile');
  name(1, 1, 'passes, end to end');
  let at = 0;
  for (const r of art.passRuns) {
    if (!(r.ms > 0)) continue;
    events.push({ name: r.pass.name, cat: r.pass.phase || 'pass', ph: 'X', pid: 1, tid: 1, ts: at, dur: r.ms * 1000, args: { on: r.op || 'the program', changed: Boolean(r.changed) } });
    at += r.ms * 1000;
  }
  name(2, null, 'run ' + run.name);
  name(3, null, 'waits of run ' + run.name);
  labels.forEach((label, i) => name(2, i + 1, label || 'launches'));
  for (const b of bars) {
    const site = art.sites[b.r.site], ids = site ? site.ids : [], first = ids.length ? art.byId.get(ids[0]) : null;
    events.push({ name: kernelName(b.r.kernel), cat: 'launch', ph: 'X', pid: 2, tid: b.lane + 1, ts: b.from, dur: b.to - b.from, args: { launch: b.r.id, device: b.r.device, parts: b.r.parts, status: b.r.status, ops: ids.slice(0, 16).join(' '), source: first ? placeText(first) : '' } });
    if (b.wait >= 0 && b.from > b.wait) for (const [ph, ts] of [['b', b.wait], ['e', b.from]]) events.push({ name: kernelName(b.r.kernel), cat: 'wait', ph, id: b.r.id, pid: 3, tid: 1, ts });
  }
  return JSON.stringify({ traceEvents: events });
}

async function tasksPage(number) {
  const runs = art.runs.filter(r => r.count), run = runs.find(r => r.index === number) || runs[0];
  if (!run) return missingPage('No run of this artifact recorded events.');
  const rows = (await launchesOf(run)).filter(r => r.begun >= 0);
  const ended = rows.filter(r => r.done >= 0), last = ended.reduce((m, r) => Math.max(m, r.done), 1) / 1000;
  // Lanes: a thread where the events name it, else the first free one of the device.
  const lanes = [], laneOf = new Map();
  for (const r of [...rows].sort((a, b) => a.begun - b.begun)) {
    const end = r.done < 0 ? last * 1000 : r.done;
    let lane = lanes.findIndex(l => l.device === r.device && (r.thread >= 0 ? l.thread === r.thread : l.thread < 0 && l.busy <= r.begun));
    if (lane < 0) lane = lanes.push({ device: r.device, thread: r.thread, busy: 0 }) - 1;
    lanes[lane].busy = end;
    laneOf.set(r, lane);
  }
  // The name of a lane stands over its bars.
  const above = lanes.length > 1 ? 14 : 0, LANE = 26 + above, labels = lanes.map(l => (l.device || '') + (l.thread >= 0 ? ' thread ' + l.thread : ''));
  let chosen = null;
  const detail = h('p', { class: 'soft', 'aria-live': 'polite' }, 'Click a bar for its kernel, ops and times.');
  const bars = rows.map(r => ({ r, lane: laneOf.get(r), from: r.begun / 1000, to: (r.done < 0 ? last * 1000 : r.done) / 1000, wait: r.handed / 1000 })).sort((a, b) => a.from - b.from);
  const gantt = plane({ height: Math.min(24, lanes.length) * LANE + 28, right: last, bottom: 1, xOnly: true, ticks: true, label: 'launches over time; the table below holds the same numbers',
    draw: (pen, view, ink) => {
      const lastX = new Float64Array(lanes.length).fill(-2);
      for (const b of bars) {
        const x0 = view.x(b.from), x1 = view.x(b.to), y = 24 + b.lane * LANE + above;
        if (x1 < 0 || x0 > view.width || x1 < lastX[b.lane] + 0.3) continue;
        lastX[b.lane] = x1;
        if (b.wait >= 0 && b.from - b.wait > 0) { pen.fillStyle = ink.line; pen.fillRect(view.x(b.wait), y + 9, x0 - view.x(b.wait), 3); }
        box(pen, x0, y, Math.max(1, x1 - x0 - 0.5), 20, ink.hue(kernelHue(b.r.kernel)), b === chosen ? ink.accent : b.r.status || b.r.done < 0 ? ink.failed : null);
        ink.text(kernelName(b.r.kernel) + '  ' + duration(b.to - b.from), x0 + 4, y + 10, x1 - x0 - 6);
      }
      if (above) labels.forEach((label, i) => ink.text(label, 3, 24 + i * LANE + 7, 300, ink.soft));
    },
    at: (x, y) => { const lane = Math.floor((y - 24) / LANE), slack = last / 800; return bars.find(b => b.lane === lane && b.from <= x && x <= b.to) || bars.find(b => b.lane === lane && b.from - slack <= x && x <= b.to + slack); },
    tip: b => '[id=' + b.r.id + '] ' + kernelName(b.r.kernel) + '  ' + duration(b.to - b.from) + (b.wait >= 0 ? ', waited ' + duration(b.from - b.wait) : '') + ', at ' + duration(b.from),
    click: b => {
      chosen = b;
      const k = art.kernels[b.r.kernel], site = art.sites[b.r.site];
      detail.replaceChildren(h('b', null, 'launch ' + b.r.id), ' of ', k ? kernelAnchor(k) : '?', ' on ' + (b.r.device || '?') + ': ' + duration(b.to - b.from) + ' in ' + plural(b.r.parts, 'part') + ', submitted at ' + duration(Math.max(0, b.wait)) + ', begun at ' + duration(b.from) + (b.r.status ? ', status ' + b.r.status : '') + (b.r.done < 0 ? ', never done' : ''),
        '. Ops: ', site ? site.ids.slice(0, 12).map(id => [opAnchor(id), ' ']) : '–');
      gantt.redraw();
    } });
  const sums = new Map(), total = { name: 'all launches', value: 0, children: [] }, roots = new Map();
  for (const b of bars.filter(b => b.r.done >= 0)) {
    const k = art.kernels[b.r.kernel], name = kernelName(b.r.kernel), us = b.to - b.from;
    const s = sums.get(name) || { name, k, count: 0, us: 0, most: 0, waited: 0 };
    s.count++; s.us += us; s.most = Math.max(s.most, us); s.waited += Math.max(0, b.from - b.wait);
    sums.set(name, s);
    const kind = (k && k.root) || 'other';
    if (!roots.has(kind)) { roots.set(kind, { name: kind, value: 0, children: [], kernels: new Map() }); total.children.push(roots.get(kind)); }
    const root = roots.get(kind);
    if (!root.kernels.has(name)) { const node = { name, group: kind, value: 0, children: [], sites: new Map(), k }; root.kernels.set(name, node); root.children.push(node); }
    const node = root.kernels.get(name), site = art.sites[b.r.site], first = site && art.byId.get(site.ids[0]);
    if (!node.sites.has(b.r.site)) { const leaf = { name: first ? first[1] + ' ' + placeText(first) : 'site ' + b.r.site, group: kind, value: 0, children: [], k, id: site && site.ids[0] }; node.sites.set(b.r.site, leaf); node.children.push(leaf); }
    node.sites.get(b.r.site).value += us; node.value += us; root.value += us; total.value += us;
  }
  const table_ = [...sums.values()].sort((a, b) => b.us - a.us), most = table_.length ? table_[0].us : 0;
  return [h('h1', null, 'Tasks'),
    help('What ran when: a bar per launch; the thin line before it is its waiting time. ', h('b', null, 'Wheel'), ' zooms, ', h('b', null, 'dragging'), ' moves, a double click shows all. ', h('b', null, 'Worry about'), ' gaps in which nothing runs, long waits, and one kernel that delays all others.'),
    h('div', { class: 'tool' }, runChoice(runs, run, 'tasks'), h('span', { class: 'soft' }, plural(run.count, 'launch', 'launches') + ', ' + duration(last) + (run.at ? ', ' + new Date(run.at).toISOString().replace('T', ' ').slice(0, 19) + ' UTC' : '')), h('button', { title: 'passes, launches and waits as one trace, for ui.perfetto.dev', onclick: () => save(perfettoTrace(run, bars, labels), 'mica_trace.json') }, 'save for Perfetto')),
    run.failed ? h('p', { class: 'alarm' }, plural(run.failed, 'launch', 'launches') + ' failed or never ended.') : null,
    heading('When', 'per device and thread'), gantt, detail,
    total.value ? [heading('Where the time went', 'kind, kernel, place in the program'), icicle(total, 'time by kind, kernel and place', (n, root) => n.name + '  ' + duration(n.value) + ', ' + (n.value / root.value * 100).toFixed(1) + ' %', n => { if (n.id) location.hash = opLink(n.id); else if (n.k) location.hash = kernelLink(n.k); })] : null,
    heading('By kernel'),
    table(table_, [['kernel', s => s.name, s => s.k ? kernelAnchor(s.k) : s.name, 'w'], ['time', s => s.us, s => bar(s.us, most, duration(s.us)), 'num'], ['launches', s => s.count, s => group(s.count), 'num'], ['longest', s => s.most, s => duration(s.most), 'num'], ['waited', s => s.waited, s => duration(s.waited), 'num'],
      ['GFLOP/s', s => s.k && s.k.flops > 0 ? s.k.flops * s.count / s.us : 0, s => s.k && s.k.flops > 0 && s.us > 0 ? (s.k.flops * s.count / s.us / 1000).toFixed(2) : '–', 'num'],
      ['GB/s', s => s.k && memoryOf(s.k) > 0 ? memoryOf(s.k) * s.count / s.us : 0, s => s.k && memoryOf(s.k) > 0 && s.us > 0 ? (memoryOf(s.k) * s.count / s.us / 1000).toFixed(2) : '–', 'num']], 60)];
}

const listChoice = (number, path) => art.lists.length > 1 ? h('select', { 'aria-label': 'task list', onchange: event => { location.hash = aLink(path + '/' + event.target.value); } }, art.lists.map((l, i) => h('option', { value: i, selected: i === number }, l.name + ', ' + plural(l.tasks.length, 'task')))) : null;

function memoryPage(number) {
  const map = art.memory[number];
  if (!map) return missingPage('There is no memory map.');
  const [name, arena, unshared, dynamic, rows] = map;
  const pieces = rows.map((r, index) => ({ index, offset: r[0], bytes: r[1], type: r[2], first: r[3], last: r[4], by: r[5], readers: r[6] }));
  const list = art.lists.find(l => l.name === name), steps = Math.max(1, ...pieces.map(p => p.last + 1), list ? list.tasks.length : 1);
  const live = new Float64Array(steps);
  for (const p of pieces) for (let t = Math.max(0, p.first); t <= Math.min(steps - 1, p.last); ++t) live[t] += p.bytes;
  const peak = live.reduce((m, v) => Math.max(m, v), 0);
  const detail = h('p', { class: 'soft', 'aria-live': 'polite' }, 'Click a buffer to see what writes and reads it.');
  let chosen = null;
  const canvas = plane({ height: 380, right: steps, bottom: Math.max(1, arena), label: 'pieces of the arena by task and offset; the table below holds the same',
    draw: (pen, view, ink) => {
      for (let t = 0; t <= steps; t += Math.max(1, Math.ceil(steps / 40))) { pen.fillStyle = ink.line; pen.fillRect(view.x(t), 0, 1, view.height); }
      for (const p of pieces) {
        const x0 = view.x(p.first), x1 = view.x(p.last + 1), y0 = view.y(p.offset), y1 = view.y(p.offset + p.bytes);
        if (x1 < 0 || x0 > view.width || y1 < 0 || y0 > view.height) continue;
        box(pen, x0 + 1, y0, Math.max(1, x1 - x0 - 2), Math.max(1, y1 - y0 - 1), ink.hue(HUES(p.by)), p === chosen ? ink.accent : null);
        if (y1 - y0 > 13) ink.text(p.type + '  ' + bytes(p.bytes), Math.max(x0, 0) + 6, (Math.max(0, y0) + Math.min(view.height, y1)) / 2, Math.min(x1, view.width) - Math.max(x0, 0) - 8);
      }
    },
    at: (x, y) => pieces.find(p => p.first <= x && x < p.last + 1 && p.offset <= y && y < p.offset + p.bytes),
    tip: p => p.type + ', ' + bytes(p.bytes) + ' at ' + group(p.offset) + ', tasks ' + p.first + ' to ' + p.last + ', written by ' + p.by,
    click: p => {
      chosen = p;
      const task = t => list ? h('a', { href: aLink('graph/' + art.lists.indexOf(list) + '/' + t) }, 'task ' + t) : 'task ' + t;
      detail.replaceChildren(h('b', null, p.type), ', ' + bytes(p.bytes) + ' at offset ' + group(p.offset) + ': written by ', task(p.first), ' (', art.byKernel.has(p.by) ? kernelAnchor(art.byKernel.get(p.by)) : p.by, '), read by ', p.readers.length ? p.readers.map((t, i) => [i ? ', ' : '', task(t)]) : 'nothing');
      canvas.redraw();
    } });
  const choice = art.memory.length > 1 ? h('select', { 'aria-label': 'task list', onchange: event => { location.hash = aLink('memory/' + event.target.value); } }, art.memory.map((m, i) => h('option', { value: i, selected: i === number }, m[0] + ', ' + bytes(m[1])))) : null;
  return [h('h1', null, 'Memory map'),
    help('The arena of a task list: tasks from left to right, offsets from top to bottom; a buffer is live from the task that writes it to the last that reads it. ', h('b', null, 'Worry about'), ' buffers that are live across the whole width, and gaps that no buffer fits in.'),
    h('div', { class: 'tool' }, choice, h('span', { class: 'chip' }, 'arena ', h('b', null, bytes(arena))), h('span', { class: 'chip', title: 'the total if no buffers shared memory' }, 'without sharing ' + bytes(unshared)), h('span', { class: 'chip', title: 'the most that is live at once' }, 'live at most ' + bytes(peak) + (arena ? ', ' + (peak / arena * 100).toFixed(0) + ' % of the arena' : '')), dynamic ? h('span', { class: 'chip' }, plural(dynamic, 'dynamic buffer') + ' outside') : null),
    canvas, detail,
    table(pieces, [['offset', p => p.offset, p => group(p.offset), 'num'], ['bytes', p => p.bytes, p => bar(p.bytes, Math.max(...pieces.map(q => q.bytes)), bytes(p.bytes)), 'num'], ['type', p => p.type, p => h('code', null, p.type)], ['tasks', p => p.first, p => p.first + ' – ' + p.last, 'num'], ['written by', p => p.by, p => art.byKernel.has(p.by) ? kernelAnchor(art.byKernel.get(p.by)) : p.by, 'w'], ['read by', p => p.readers.length, p => p.readers.join(', ')]], 60)];
}

/** Numbers of a run: ranges, NaN and where they began, fingerprints. */
async function numericsPage(number) {
  const runs = art.runs.filter(r => r.tensors.length), run = runs.find(r => r.index === number) || runs[0];
  if (!run) return missingPage('No run of this artifact kept tensors.');
  const rows = run.tensors.map(r => named(r, ['where', 'file', 'launch', 'kernel', 'binding', 'type', 'bytes', 'least', 'most', 'mean', 'nan', 'inf', 'zero', 'count', 'print']));
  // A launch whose outputs have NaN while nothing before it had any: there the NaN originates.
  const bad = rows.filter(r => r.nan || r.inf), fromOutside = rows.some(r => r.where === 'data/in' && (r.nan || r.inf));
  const captures = rows.filter(r => r.where === 'captures').sort((a, b) => a.launch - b.launch);
  const origin = fromOutside ? null : captures.find(r => r.nan || r.inf);
  const before = runs.find(r => r !== run), other = new Map(before ? before.tensors.map(t => [t[0] + '/' + t[1], t[14]]) : []);
  const places = { 'data/in': 'input', captures: 'kernel', 'data/out': 'result' };
  const compared = before && rows.some(r => other.has(r.where + '/' + r.file));
  return [h('h1', null, 'Numerics'),
    help('What the tensors of a run held: inputs, what kernels wrote (kept by ', h('code', null, 'mica-run --check-reference=ops'), '), results. Tensors with the same fingerprint are bitwise equal. ', h('b', null, 'Worry about'), ' NaN and infinities, first their origin; then ranges that grow from kernel to kernel.'),
    h('div', { class: 'tool' }, runChoice(runs, run, 'numerics'), h('span', { class: 'soft' }, plural(rows.length, 'tensor'))),
    origin ? h('p', { class: 'alarm' }, h('b', null, 'NaN or Inf originates'), ' in launch ' + origin.launch + ', ', art.kernels[origin.kernel] ? kernelAnchor(art.kernels[origin.kernel]) : '?', ': ' + group(origin.nan) + ' NaN and ' + group(origin.inf) + ' Inf of ' + group(origin.count) + ' elements.')
      : bad.length ? h('p', { class: 'alarm' }, fromOutside ? 'The inputs contain NaN or Inf.' : 'The results contain NaN or Inf. mica-run --mica-debug=nan-check reports their origin.') : h('p', { class: 's-ok' }, 'No NaN and no infinity.'),
    table(rows, [
      ['where', r => r.where + String(r.launch).padStart(9, '0'), r => places[r.where] + (r.launch >= 0 ? ' ' + r.launch : ''), 'nw'],
      ['tensor', r => r.file, r => r.kernel >= 0 ? [kernelAnchor(art.kernels[r.kernel]), h('span', { class: 'soft' }, ' binding ' + r.binding)] : h('code', null, r.file), 'w'],
      ['type', r => r.type, r => h('code', null, r.type)],
      ['least', r => r.least ?? 0, r => r.least === null ? '–' : String(Number(r.least.toPrecision(6))), 'num'], ['most', r => r.most ?? 0, r => r.most === null ? '–' : String(Number(r.most.toPrecision(6))), 'num'], ['mean', r => r.mean ?? 0, r => r.mean === null ? '–' : String(Number(r.mean.toPrecision(4))), 'num'],
      ['zeros', r => r.zero / r.count, r => r.count ? (r.zero / r.count * 100).toFixed(r.zero && r.zero < r.count ? 1 : 0) + ' %' : '–', 'num'],
      ['NaN', r => r.nan, r => r.nan ? h('span', { class: 's-failed' }, group(r.nan)) : '0', 'num'], ['Inf', r => r.inf, r => r.inf ? h('span', { class: 's-failed' }, group(r.inf)) : '0', 'num'],
      rows[0].print ? ['fingerprint', r => r.print, r => h('code', null, r.print)] : null,
      compared ? ['as in ' + before.name, r => other.get(r.where + '/' + r.file) === r.print ? 1 : 0, r => !other.has(r.where + '/' + r.file) ? '' : other.get(r.where + '/' + r.file) === r.print ? h('span', { class: 's-ok' }, 'same') : h('span', { class: 's-restarted' }, 'differs')] : null,
    ].filter(Boolean), 200)];
}
