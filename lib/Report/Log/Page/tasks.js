// Tasks: when they ran, what waits for what, where their buffers lie, what the tensors held.

const launchesOf = async run => run.rows ??= (run.launches < 0 ? [] : (await json(run.launches)).map(r => named(r, ['id', 'kernel', 'site', 'device', 'handed', 'begun', 'done', 'parts', 'status', 'thread'])));
const kernelName = number => number >= 0 && art.kernels[number] ? art.kernels[number].name : '(unknown kernel)';
const kernelHue = number => HUES(kernelName(number));
const runChoice = (runs, run, path) => runs.length > 1 ? h('select', { 'aria-label': 'run', onchange: event => { location.hash = aLink(path + '/' + event.target.value); } }, runs.map(r => h('option', { value: r.index, selected: r === run }, r.name))) : null;

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
  const LANE = 26, labels = lanes.map(l => (l.device || '') + (l.thread >= 0 ? ' thread ' + l.thread : ''));
  let chosen = null;
  const detail = h('p', { class: 'soft', 'aria-live': 'polite' }, 'Click a bar for its kernel, ops and times.');
  const bars = rows.map(r => ({ r, lane: laneOf.get(r), from: r.begun / 1000, to: (r.done < 0 ? last * 1000 : r.done) / 1000, wait: r.handed / 1000 })).sort((a, b) => a.from - b.from);
  const gantt = plane({ height: Math.min(24, lanes.length) * LANE + 28, right: last, bottom: 1, xOnly: true, ticks: true, label: 'launches over time; the table below holds the same numbers',
    draw: (pen, view, ink) => {
      const lastX = new Float64Array(lanes.length).fill(-2);
      for (const b of bars) {
        const x0 = view.x(b.from), x1 = view.x(b.to), y = 24 + b.lane * LANE;
        if (x1 < 0 || x0 > view.width || x1 < lastX[b.lane] + 0.3) continue;
        lastX[b.lane] = x1;
        if (b.wait >= 0 && b.from - b.wait > 0) { pen.fillStyle = ink.line; pen.fillRect(view.x(b.wait), y + 9, x0 - view.x(b.wait), 3); }
        box(pen, x0, y, Math.max(1, x1 - x0 - 0.5), 20, ink.hue(kernelHue(b.r.kernel)), b === chosen ? ink.accent : b.r.status || b.r.done < 0 ? ink.failed : null);
        ink.text(kernelName(b.r.kernel) + '  ' + duration(b.to - b.from), x0 + 4, y + 10, x1 - x0 - 6);
      }
      labels.forEach((label, i) => ink.text(label, view.width - 130, 24 + i * LANE + 10, lanes.length > 1 ? 126 : 0, ink.soft));
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
    h('div', { class: 'tool' }, runChoice(runs, run, 'tasks'), h('span', { class: 'soft' }, plural(run.count, 'launch', 'launches') + ', ' + duration(last) + (run.at ? ', ' + new Date(run.at).toISOString().replace('T', ' ').slice(0, 19) + ' UTC' : ''))),
    run.failed ? h('p', { class: 'alarm' }, plural(run.failed, 'launch', 'launches') + ' failed or never ended.') : null,
    heading('When', 'per device and thread'), gantt, detail,
    total.value ? [heading('Where the time went', 'kind, kernel, place in the program'), icicle(total, 'time by kind, kernel and place', (n, root) => n.name + '  ' + duration(n.value) + ', ' + (n.value / root.value * 100).toFixed(1) + ' %', n => { if (n.id) location.hash = opLink(n.id); else if (n.k) location.hash = kernelLink(n.k); })] : null,
    heading('By kernel'),
    table(table_, [['kernel', s => s.name, s => s.k ? kernelAnchor(s.k) : s.name, 'w'], ['time', s => s.us, s => bar(s.us, most, duration(s.us)), 'num'], ['launches', s => s.count, s => group(s.count), 'num'], ['longest', s => s.most, s => duration(s.most), 'num'], ['waited', s => s.waited, s => duration(s.waited), 'num'],
      ['GFLOP/s', s => s.k && s.k.flops > 0 ? s.k.flops * s.count / s.us : 0, s => s.k && s.k.flops > 0 && s.us > 0 ? (s.k.flops * s.count / s.us / 1000).toFixed(2) : '–', 'num'],
      ['GB/s', s => s.k && memoryOf(s.k) > 0 ? memoryOf(s.k) * s.count / s.us : 0, s => s.k && memoryOf(s.k) > 0 && s.us > 0 ? (memoryOf(s.k) * s.count / s.us / 1000).toFixed(2) : '–', 'num']], 60)];
}

const listChoice = (number, path) => art.lists.length > 1 ? h('select', { 'aria-label': 'task list', onchange: event => { location.hash = aLink(path + '/' + event.target.value); } }, art.lists.map((l, i) => h('option', { value: i, selected: i === number }, l.name + ', ' + plural(l.tasks.length, 'task')))) : null;

/** Tasks in snapshots: each below everything it waits for, near what it reads from. */
function snapshots(tasks) {
  const depth = new Int32Array(tasks.length), rows = [];
  tasks.forEach((t, i) => { for (const d of t.deps) if (d >= 0 && d < i) depth[i] = Math.max(depth[i], depth[d] + 1); (rows[depth[i]] ||= []).push(i); });
  const across = new Float64Array(tasks.length);
  rows.forEach(row => {
    row.forEach(i => { const from = tasks[i].deps.filter(d => d < i); across[i] = from.length ? from.reduce((s, d) => s + across[d], 0) / from.length : 0; });
    row.sort((a, b) => across[a] - across[b]);
    row.forEach((i, k) => { across[i] = k - (row.length - 1) / 2; });
  });
  return { depth, across, rows };
}

/** How long each task of a list took: the mean of its place's launches in the newest run with times; 1 each where there is none. */
async function taskTimesOf(list) {
  const run = art.runs.find(r => r.count);
  if (!run) return { run: null, times: list.tasks.map(() => 1) };
  const sums = new Map();
  for (const r of await launchesOf(run)) {
    if (r.begun < 0 || r.done < 0) continue;
    for (const key of ['s' + r.site, 'k' + r.kernel]) {
      const s = sums.get(key) || { us: 0, count: 0 };
      s.us += (r.done - r.begun) / 1000;
      s.count++;
      sums.set(key, s);
    }
  }
  return { run, times: list.tasks.map(t => { const s = sums.get('s' + t.site) || sums.get('k' + t.kernel); return s ? s.us / s.count : 0; }) };
}

/** When each task ends if it runs as soon as it may, on as many threads as it takes; without the edge from `before` to `after`, if these are given. */
function endsOf(list, times, before, after) {
  const ends = new Float64Array(list.tasks.length);
  list.tasks.forEach((t, i) => {
    let start = 0;
    for (const d of t.deps) if (d >= 0 && d < i && !(d === before && i === after)) start = Math.max(start, ends[d]);
    ends[i] = start + times[i];
  });
  return ends;
}
const latest = ends => ends.reduce((m, v) => Math.max(m, v), 0);

/** The longest chain of dependencies, and for each of its edges the time without it. Another edge costs nothing. */
function criticalPath(list, times) {
  const ends = endsOf(list, times), length = latest(ends), path = [];
  let i = ends.indexOf(length);
  for (; i >= 0; ) {
    path.unshift(i);
    const start = ends[i] - times[i], deps = list.tasks[i].deps.filter(d => d >= 0 && d < i);
    const next = deps.length ? deps.reduce((a, d) => ends[d] > ends[a] ? d : a) : -1;
    i = next >= 0 && start > 0 && ends[next] >= start * (1 - 1e-12) ? next : -1;
  }
  const without = new Map();
  for (let k = 1; k < path.length && k * list.tasks.length < 2e7; ++k) without.set(path[k - 1] + ' ' + path[k], latest(endsOf(list, times, path[k - 1], path[k])));
  return { length, work: times.reduce((a, b) => a + b, 0), path, without };
}

const reasonText = reason => !reason ? 'no memory that both access' : reason.kind + ', ' + (reason.memory === 'arena' ? (reason.end < 0 ? 'from byte ' + group(reason.begin) : 'bytes ' + group(reason.begin) + ' to ' + group(reason.end)) + ' of the arena' : reason.memory + ' ' + reason.index);

/** Why each dependency is there, and the time without it. */
function dependencies(list, number, { run, times }, critical) {
  const task = i => h('a', { href: aLink('graph/' + number + '/' + i) }, i + '  ' + kernelName(list.tasks[i].kernel));
  const time = us => run ? duration(us) : us + ' steps';
  const cost = e => critical.length - (critical.without.get(e.before + ' ' + e.after) ?? critical.length);
  const edges = [...list.edges].sort((a, b) => cost(b) - cost(a));
  return [heading('Dependencies', 'and the time without each'),
    h('p', null, 'Work ', h('b', null, time(critical.work)), ', longest chain ', h('b', null, time(critical.length)), ' of ' + plural(critical.path.length, 'task') + (run ? ', by the times of run ' + run.name + ': ' : ', each task a step: '),
      h('span', { class: 'soft' }, critical.path.slice(0, 24).map((i, k) => [k ? ' → ' : '', h('a', { href: aLink('graph/' + number + '/' + i) }, String(i))]), critical.path.length > 24 ? ' …' : '')),
    list.missing.map(e => h('p', { class: 'alarm' }, h('b', null, 'Missing dependency: '), 'task ', task(e.after), ' has to wait for task ', task(e.before), ': ' + reasonText(e.reason) + '; add ' + e.before + ' to its ', h('code', null, 'deps'), ' in host/tasks.json')),
    table(edges, [['first', e => e.before, e => task(e.before), 'w'], ['then', e => e.after, e => task(e.after), 'w'], ['why', e => e.reason ? e.reason.kind : '', e => e.reason ? reasonText(e.reason) : h('span', { class: 's-failed' }, reasonText(null))],
      ['also by way of others', e => e.implied ? 1 : 0, e => e.implied ? 'yes' : ''],
      ['time without it', e => critical.length - cost(e), e => cost(e) > 0 ? h('b', null, time(critical.length - cost(e)) + ' (' + (cost(e) / critical.length * 100).toFixed(1) + ' % less)') : 'the same', 'num']], 60)];
}

async function graphPage(number, chosenText) {
  const list = art.lists[number];
  if (!list) return missingPage('There is no such task list.');
  const measured = await taskTimesOf(list), critical_ = criticalPath(list, measured.times), onPath = new Set(critical_.path.slice(1).map((t, k) => critical_.path[k] + ' ' + t));
  const { depth, across, rows } = snapshots(list.tasks);
  const widest = rows.reduce((m, r) => Math.max(m, r.length), 1), W = 236, H = 56, BW = 212, BH = 34;
  const X = i => shift + (across[i] + widest / 2) * W - W / 2 + (W - BW) / 2, Y = i => depth[i] * H + 10;
  const users = list.tasks.map(() => []);
  list.tasks.forEach((t, i) => t.deps.forEach(d => { if (users[d]) users[d].push(i); }));
  let chosen = chosenText === undefined || chosenText === '' ? -1 : Number(chosenText), near = new Set();
  const detail = h('div', { class: 'detail', 'aria-live': 'polite' });
  const label = i => 'task ' + i + '  ' + kernelName(list.tasks[i].kernel);
  function choose(i, quiet) {
    chosen = i;
    near = new Set(i < 0 ? [] : [...list.tasks[i].deps, ...users[i]]);
    if (i >= 0) {
      const t = list.tasks[i], k = art.kernels[t.kernel], site = art.sites[t.site];
      const taskLink = d => h('a', { href: aLink('graph/' + number + '/' + d) }, 'task ' + d);
      detail.replaceChildren(h('p', null, h('b', null, 'task ' + i), ': ', k ? kernelAnchor(k) : '?', t.device ? ' on ' + t.device : '', '. Waits for ', t.deps.length ? t.deps.map((d, j) => [j ? ', ' : '', taskLink(d)]) : 'nothing', '. Before ', users[i].length ? users[i].map((d, j) => [j ? ', ' : '', taskLink(d)]) : 'nothing', '. Ops: ', site ? site.ids.slice(0, 16).map(id => [opAnchor(id), ' ']) : '–'),
        table(t.buffers.map((b, j) => ({ j, b: list.buffers[b], access: k && k.bindings[j] ? k.bindings[j][1] : '' })).filter(x => x.b), [['binding', x => x.j, x => String(x.j), 'num'], ['type', x => x.b.type, x => h('code', null, x.b.type)], ['access', x => x.access, x => x.access], ['where', x => x.b.kind, x => x.b.kind + (x.b.kind === 'arena' ? ' at ' + group(x.b.offset) : x.b.kind === 'dynamic' ? '' : ' ' + x.b.at)], ['bytes', x => x.b.bytes, x => x.b.bytes < 0 ? 'dynamic' : bytes(x.b.bytes), 'num']], 20));
    }
    if (!quiet) stay(aLink('graph/' + number + (i >= 0 ? '/' + i : '')));
    canvas.redraw();
  }
  const total = Math.max(4 * W, widest * W), shift = (total - widest * W) / 2, high = Math.max(1, rows.length) * H + 10, shown = Math.min(560, Math.max(180, high));
  const canvas = plane({ height: shown, right: total, bottom: high, label: 'tasks and what they wait for; the table below holds the same',
    draw: (pen, view, ink) => {
      const kx = view.width / (view.to - view.from), ky = view.height / (view.end - view.top);
      const seen = i => Y(i) + BH >= view.top && Y(i) <= view.end;
      pen.lineWidth = 1;
      for (let i = 0; i < list.tasks.length; ++i)
        for (const d of list.tasks[i].deps) {
          if (!seen(i) && !seen(d) && !(Y(d) < view.top && Y(i) > view.end)) continue;
          const x0 = view.x(X(d) + BW / 2), y0 = view.y(Y(d) + BH), x1 = view.x(X(i) + BW / 2), y1 = view.y(Y(i));
          pen.strokeStyle = i === chosen || d === chosen ? ink.accent : onPath.has(d + ' ' + i) ? ink.failed : ink.soft;
          pen.lineWidth = i === chosen || d === chosen || onPath.has(d + ' ' + i) ? 2 : 1;
          pen.beginPath();
          pen.moveTo(x0, y0);
          pen.bezierCurveTo(x0, (y0 + y1) / 2, x1, (y0 + y1) / 2, x1, y1);
          pen.stroke();
        }
      for (let i = 0; i < list.tasks.length; ++i) {
        if (!seen(i)) continue;
        const x = view.x(X(i)), y = view.y(Y(i)), w = BW * kx, hh = BH * ky;
        if (x + w < 0 || x > view.width) continue;
        pen.lineWidth = i === chosen ? 2.5 : near.has(i) ? 1.5 : 1;
        box(pen, x, y, Math.max(1, w), Math.max(1, hh), ink.hue(kernelHue(list.tasks[i].kernel), chosen < 0 || i === chosen || near.has(i) ? 1 : 0.4), i === chosen || near.has(i) ? ink.accent : ink.line);
        if (hh > 13) ink.text(label(i).slice(5), x + 6, y + hh / 2, w - 10);
      }
    },
    at: (x, y) => { for (let i = 0; i < list.tasks.length; ++i) if (x >= X(i) && x <= X(i) + BW && y >= Y(i) && y <= Y(i) + BH) return { i }; return null; },
    tip: ({ i }) => label(i) + ', waits for ' + plural(list.tasks[i].deps.length, 'task'),
    click: ({ i }) => choose(i === chosen ? -1 : i) });
  // At first the width is used, or as much of it as keeps boxes legible.
  const across_ = Math.min(total, Math.max(W, 6 * W)), start = chosen >= 0 && list.tasks[chosen] ? chosen : -1;
  setTimeout(() => {
    const wide = Math.min(across_, Math.max(W, (canvas.clientWidth || 900) / 0.8)), tall = Math.min(high, shown * wide / (canvas.clientWidth || 900));
    const cx = start >= 0 ? X(start) + BW / 2 : total / 2, cy = start >= 0 ? Y(start) : 0;
    canvas.look(cx - wide / 2, cx + wide / 2, cy - (start >= 0 ? tall / 2 : 0), cy + (start >= 0 ? tall / 2 : tall));
    if (start >= 0) choose(start, true);
  });
  const critical = rows.length, most = list.tasks.reduce((m, t) => Math.max(m, t.deps.length), 0);
  return [h('h1', null, 'Task graph'),
    help('Each box is a launch of a kernel; a line leads from each task to those that depend on it, a red one along the longest chain. ', h('b', null, 'Wheel'), ' zooms, ', h('b', null, 'dragging'), ' moves, a click shows a task. ', h('b', null, 'Worry about'), ' long chains where you expect parallel tasks.'),
    h('div', { class: 'tool' }, listChoice(number, 'graph'), h('span', { class: 'soft' }, plural(list.tasks.length, 'task') + ' in ' + plural(critical, 'step') + ', at most ' + widest + ' side by side; arena ' + bytes(list.arena) + '; at most ' + plural(most, 'dependency', 'dependencies'))),
    canvas, detail, dependencies(list, number, measured, critical_),
    heading('Tasks'), table(list.tasks, [['', t => t.index, t => h('a', { href: aLink('graph/' + number + '/' + t.index) }, String(t.index)), 'num'], ['kernel', t => kernelName(t.kernel), t => art.kernels[t.kernel] ? kernelAnchor(art.kernels[t.kernel]) : '', 'w'], ['waits for', t => t.deps.length, t => t.deps.join(', ')], ['step', t => depth[t.index], t => String(depth[t.index]), 'num'], ['device', t => t.device, t => t.device]], 60)];
}

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
