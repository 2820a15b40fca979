// The task graph: what waits for what, layers of a network that repeat, the critical path.

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

/** The critical path, and for each of its edges the time without it. Another edge costs nothing. */
function criticalPath(list, times) {
  const ends = endsOf(list, times), length = latest(ends), path = [];
  let i = ends.indexOf(length);
  for (; i >= 0; ) {
    path.unshift(i);
    const start = ends[i] - times[i], deps = list.tasks[i].deps.filter(d => d >= 0 && d < i);
    const next = deps.length ? deps.reduce((a, d) => ends[d] > ends[a] ? d : a) : -1;
    i = next >= 0 && start > 0 && ends[next] >= start * (1 - 1e-12) ? next : -1;
  }
  // What is beyond the budget stays unknown.
  const without = new Map(path.slice(1).map((t, k) => [path[k] + ' ' + t, NaN]));
  for (let k = 1; k < path.length && k * list.tasks.length < 4e6; ++k) without.set(path[k - 1] + ' ' + path[k], latest(endsOf(list, times, path[k - 1], path[k])));
  return { length, work: times.reduce((a, b) => a + b, 0), path, without };
}

const reasonText = reason => !reason ? 'no memory that both access' : reason.kind + ', ' + (reason.memory === 'arena' ? (reason.end < 0 ? 'from byte ' + group(reason.begin) : 'bytes ' + group(reason.begin) + ' to ' + group(reason.end)) + ' of the arena' : reason.memory + ' ' + reason.index);

/** The time that each edge of the critical path costs, and all edges, the dearest first. */
function edgesByCost(list, critical) {
  const after = new Map(critical.path.slice(1).map((t, k) => [t, critical.path[k]])), costs = new Map(), on = [], off = [];
  for (const e of list.edges)
    if (after.get(e.after) === e.before) { on.push(e); costs.set(e, critical.length - critical.without.get(e.before + ' ' + e.after)); } else off.push(e);
  return { costs, edges: [...on.sort((a, b) => (costs.get(b) || 0) - (costs.get(a) || 0)), ...off] };
}

/** Why each dependency is there, and the time without it. */
function dependencies(list, number, { run, times }, critical) {
  const task = i => h('a', { href: aLink('graph/' + number + '/' + i) }, i + '  ' + kernelName(list.tasks[i].kernel));
  const time = us => run ? duration(us) : us + ' steps';
  const { costs, edges } = critical.sorted ||= edgesByCost(list, critical), cost = e => costs.get(e) ?? 0;
  return [heading('Dependencies', 'and the time without each'),
    h('p', null, 'Work ', h('b', null, time(critical.work)), ', critical path ', h('b', null, time(critical.length)), ' of ' + plural(critical.path.length, 'task') + (run ? ', by the times of run ' + run.name + ': ' : ', each task a step: '),
      h('span', { class: 'soft' }, critical.path.slice(0, 24).map((i, k) => [k ? ' → ' : '', h('a', { href: aLink('graph/' + number + '/' + i) }, String(i))]), critical.path.length > 24 ? ' …' : '')),
    list.missing.map(e => h('p', { class: 'alarm' }, h('b', null, 'Missing dependency: '), 'task ', task(e.after), ' has to wait for task ', task(e.before), ': ' + reasonText(e.reason) + '; add ' + e.before + ' to its ', h('code', null, 'deps'), ' in host/tasks.json')),
    table(edges, [['first', e => e.before, e => task(e.before), 'w'], ['then', e => e.after, e => task(e.after), 'w'], ['why', e => e.reason ? e.reason.kind : '', e => e.reason ? reasonText(e.reason) : h('span', { class: 's-failed' }, reasonText(null))],
      ['also by way of others', e => e.implied ? 1 : 0, e => e.implied ? 'yes' : ''],
      ['time without it', e => critical.length - (cost(e) || 0), e => Number.isNaN(cost(e)) ? h('span', { class: 'soft', title: 'the chain is too long to try all of it' }, 'not tried') : cost(e) > 0 ? h('b', null, time(critical.length - cost(e)) + ' (' + (cost(e) / critical.length * 100).toFixed(1) + ' % less)') : 'the same', 'num']], 60)];
}

/** The longest run of tasks in which the same kernels repeat, as from the layers of a network: {start, period, count}, or null. */
function layersOf(tasks) {
  const last = new Map(), gaps = new Map();
  tasks.forEach((t, i) => {
    if (last.has(t.kernel)) {
      const of = gaps.get(t.kernel) || new Map(), gap = i - last.get(t.kernel);
      of.set(gap, (of.get(gap) || 0) + 1);
      gaps.set(t.kernel, of);
    }
    last.set(t.kernel, i);
  });
  // A kernel that a layer has once stands at one distance from itself.
  const candidates = new Set([...gaps.values()].map(of => [...of].reduce((a, b) => b[1] > a[1] ? b : a)[0]));
  let best = null;
  for (const period of [...candidates].sort((a, b) => a - b).slice(0, 200)) {
    if (period < 2) continue;
    for (let i = 0, run = 0; i + period <= tasks.length; ++i) {
      const same = i + period < tasks.length && tasks[i].kernel === tasks[i + period].kernel;
      if (same) { ++run; continue; }
      const count = Math.floor((run + period) / period);
      if (count > 2 && (!best || count * period > best.count * best.period)) best = { start: i - run, period, count };
      run = 0;
    }
  }
  return best;
}

/** What is drawn: tasks, and closed layers as one each. `deps` and `users` are between these. */
function graphNodes(list, layers, open) {
  const nodes = [], nodeOf = new Int32Array(list.tasks.length);
  list.tasks.forEach((t, i) => {
    const layer = layers && i >= layers.start && i < layers.start + layers.period * layers.count ? Math.floor((i - layers.start) / layers.period) : -1;
    const closed = layer >= 0 && !open.has(layer), before = nodes[nodes.length - 1];
    if (closed && before && before.closed && before.layer === layer) before.last = i;
    else nodes.push({ first: i, last: i, layer, closed, deps: [], users: [] });
    nodeOf[i] = nodes.length - 1;
  });
  nodes.forEach((node, n) => {
    const deps = new Set();
    for (let i = node.first; i <= node.last; ++i) for (const d of list.tasks[i].deps) if (d >= 0 && d < i && nodeOf[d] !== n) deps.add(nodeOf[d]);
    node.deps = [...deps];
    node.deps.forEach(d => nodes[d].users.push(n));
  });
  return { nodes, nodeOf };
}

const GRAPH = { W: 236, H: 56, BW: 212, BH: 34, mostBoxes: 4000, mostEdges: 12000 };

async function graphPage(number, chosenText) {
  const list = art.lists[number];
  if (!list) return missingPage('There is no such task list.');
  const measured = await (list.measured ||= taskTimesOf(list)), critical_ = list.critical ||= criticalPath(list, measured.times);
  const layers = list.layers === undefined ? list.layers = layersOf(list.tasks) : list.layers;
  const chain = new Set(critical_.path.slice(1).map((t, k) => critical_.path[k] + ' ' + t)), steps = list.steps ||= snapshots(list.tasks);
  const { W, H, BW, BH } = GRAPH, open = new Set();
  let grouped = Boolean(layers) && list.tasks.length > 40, chosen = chosenText && list.tasks[Number(chosenText)] ? Number(chosenText) : -1, word = '', hits = [], hit = -1;
  const layerOf = i => layers && i >= layers.start && i < layers.start + layers.period * layers.count ? Math.floor((i - layers.start) / layers.period) : -1;
  if (chosen >= 0 && layerOf(chosen) >= 0) open.add(layerOf(chosen));
  let nodes = [], nodeOf = null, place = null, X = null, Y = null, total = 1, high = 1, onChain = new Set(), chainNodes = new Set(), canvas = null, near = new Set();
  const holder = h('div', { class: 'graphBox' }), map = h('canvas', { class: 'minimap', role: 'img', 'aria-label': 'the whole graph; a click goes there' });
  const detail = h('div', { class: 'detail', 'aria-live': 'polite' }), found = h('span', { class: 'soft' });
  const time = us => measured.run ? duration(us) : plural(us, 'step');
  const nameOf = node => node.closed ? 'layer ' + (node.layer + 1) + ' of ' + layers.count + ': ' + plural(node.last - node.first + 1, 'task') : kernelName(list.tasks[node.first].kernel);
  let matching = new Set(); // nodes with a hit

  function lay() {
    ({ nodes, nodeOf } = graphNodes(list, grouped ? layers : null, open));
    place = snapshots(nodes);
    const widest = place.rows.reduce((m, r) => Math.max(m, r.length), 1);
    total = Math.max(4 * W, widest * W);
    high = Math.max(1, place.rows.length) * H + 10;
    const shift = (total - widest * W) / 2;
    X = n => shift + (place.across[n] + widest / 2) * W - W / 2 + (W - BW) / 2;
    Y = n => place.depth[n] * H + 10;
    onChain = new Set([...chain].map(edge => edge.split(' ').map(i => nodeOf[i])).filter(([a, b]) => a !== b).map(([a, b]) => a + ' ' + b));
    chainNodes = new Set(critical_.path.map(i => nodeOf[i]));
    matching = new Set(hits.map(i => nodeOf[i]));
    const shown = Math.min(560, Math.max(180, high));
    canvas = plane({ height: shown, right: total, bottom: high, label: 'tasks and what they wait for; the table below holds the same', draw, at, tip: ({ n }) => nameOf(nodes[n]) + ', waits for ' + plural(nodes[n].deps.length, 'task'), click: ({ n }) => click(n) });
    holder.replaceChildren(canvas, map);
    const start = chosen >= 0 ? nodeOf[chosen] : -1;
    setTimeout(() => { look(start); if (chosen >= 0) choose(chosen, true); });
  }

  /** Shows node `n` in the middle, or the beginning; as much of the width as keeps boxes legible. */
  function look(n) {
    const wide = Math.min(Math.min(total, 6 * W), Math.max(W, (canvas.clientWidth || 900) / 0.8)), tall = Math.min(high, canvas.clientHeight * wide / (canvas.clientWidth || 900));
    const cx = n >= 0 ? X(n) + BW / 2 : total / 2, cy = n >= 0 ? Y(n) : 0;
    canvas.look(cx - wide / 2, cx + wide / 2, cy - (n >= 0 ? tall / 2 : 0), cy + (n >= 0 ? tall / 2 : tall));
  }
  function rowsIn(view) { return [Math.max(0, Math.floor((view.top - 10 - BH) / H)), Math.min(place.rows.length - 1, Math.ceil((view.end - 10) / H))]; }

  function draw(pen, view, ink) {
    const kx = view.width / (view.to - view.from), ky = view.height / (view.end - view.top), [top, end] = rowsIn(view);
    const inside = n => X(n) + BW >= view.from && X(n) <= view.to;
    let visible = 0;
    for (let r = top; r <= end; ++r) visible += place.rows[r].length;
    const coarse = visible > GRAPH.mostBoxes || BW * kx < 2.5, centre = chosen >= 0 ? nodeOf[chosen] : -1;
    const line = (d, n, color, width) => {
      const x0 = view.x(X(d) + BW / 2), y0 = view.y(Y(d) + BH), x1 = view.x(X(n) + BW / 2), y1 = view.y(Y(n));
      pen.strokeStyle = color;
      pen.lineWidth = width;
      pen.beginPath();
      pen.moveTo(x0, y0);
      pen.bezierCurveTo(x0, (y0 + y1) / 2, x1, (y0 + y1) / 2, x1, y1);
      pen.stroke();
    };
    const paint = n => {
      const node = nodes[n], x = view.x(X(n)), y = view.y(Y(n)), w = Math.max(1, BW * kx), hh = Math.max(1, BH * ky);
      const alpha = word ? (matching.has(n) ? 1 : 0.2) : centre < 0 || n === centre || near.has(n) ? 1 : 0.4;
      pen.lineWidth = n === centre ? 2.5 : near.has(n) || node.closed ? 1.5 : 1;
      if (alpha < 1) box(pen, x, y, w, hh, ink.bg);
      box(pen, x, y, w, hh, node.closed ? ink.panel : ink.hue(kernelHue(list.tasks[node.first].kernel), alpha), n === centre || near.has(n) ? ink.accent : chainNodes.has(n) && node.closed ? ink.failed : ink.line);
      if (hh > 13) ink.text(nameOf(node), x + 6, y + hh / 2, w - 10, node.closed ? ink.fg : undefined);
    };
    if (coarse) {
      // Too many for boxes: what each row spans.
      pen.fillStyle = ink.soft;
      for (let r = top; r <= end; ++r) {
        const row = place.rows[r], x0 = view.x(X(row[0])), x1 = view.x(X(row[row.length - 1]) + BW);
        pen.fillRect(x0, view.y(r * H + 10), Math.max(1, x1 - x0), Math.max(0.6, BH * ky));
      }
      pen.strokeStyle = ink.failed;
      pen.lineWidth = 1.5;
      pen.beginPath();
      let begun = false;
      for (const n of chainNodes) {
        if (place.depth[n] < top - 1 || place.depth[n] > end + 1) continue;
        const x = view.x(X(n) + BW / 2), y = view.y(Y(n) + BH / 2);
        if (begun) pen.lineTo(x, y); else pen.moveTo(x, y);
        begun = true;
      }
      pen.stroke();
      pen.fillStyle = ink.accent;
      if (word) for (const n of matching) if (place.depth[n] >= top && place.depth[n] <= end) { pen.fillRect(view.x(X(n)), view.y(Y(n)), Math.max(2, BW * kx), Math.max(2, BH * ky)); }
    } else {
      let edges = 0;
      for (let r = top; r <= end; ++r)
        for (const n of place.rows[r]) {
          for (const d of nodes[n].deps) if (++edges < GRAPH.mostEdges && (inside(n) || inside(d))) { const red = onChain.has(d + ' ' + n), own = n === centre || d === centre; line(d, n, own ? ink.accent : red ? ink.failed : ink.soft, own || red ? 2 : 1); }
          for (const u of nodes[n].users) if (place.depth[u] > end && ++edges < GRAPH.mostEdges && (inside(n) || inside(u))) { const red = onChain.has(n + ' ' + u); line(n, u, u === centre || n === centre ? ink.accent : red ? ink.failed : ink.soft, red ? 2 : 1); }
        }
      for (let r = top; r <= end; ++r) for (const n of place.rows[r]) if (inside(n)) paint(n);
    }
    if (centre >= 0) paint(centre);
    drawMap(view, ink);
  }

  // The whole graph, drawn once; the part in view is a frame over it.
  let whole = null;
  function drawMap(view, ink) {
    const width = 150, height = 96, scale = window.devicePixelRatio || 1;
    map.hidden = total <= view.width * 1.4 && high <= view.height * 1.2;
    if (map.hidden) return;
    map.width = width * scale;
    map.height = height * scale;
    const pen = map.getContext('2d');
    if (!whole || whole.of !== place || whole.dark !== ink.dark) {
      whole = document.createElement('canvas');
      Object.assign(whole, { width: width * scale, height: height * scale, of: place, dark: ink.dark });
      const under = whole.getContext('2d');
      under.scale(scale, scale);
      under.fillStyle = ink.bg;
      under.fillRect(0, 0, width, height);
      under.fillStyle = ink.soft;
      place.rows.forEach((row, r) => { const x0 = X(row[0]) / total * width, x1 = (X(row[row.length - 1]) + BW) / total * width; under.fillRect(x0, (r * H + 10) / high * height, Math.max(1, x1 - x0), Math.max(0.3, BH / high * height)); });
      under.fillStyle = ink.failed;
      for (const n of chainNodes) under.fillRect((X(n) + BW / 2) / total * width - 0.7, Y(n) / high * height, 1.4, Math.max(0.7, H / high * height));
    }
    pen.drawImage(whole, 0, 0);
    pen.scale(scale, scale);
    pen.strokeStyle = ink.accent;
    pen.lineWidth = 1.5;
    pen.strokeRect(view.from / total * width + 0.5, view.top / high * height + 0.5, Math.max(3, (view.to - view.from) / total * width - 1), Math.max(3, (view.end - view.top) / high * height - 1));
    map.view = view;
  }
  const goMap = event => {
    const edge = map.getBoundingClientRect(), view = map.view, w = view.to - view.from, hh = view.end - view.top;
    const cx = (event.clientX - edge.left) / edge.width * total, cy = (event.clientY - edge.top) / edge.height * high;
    canvas.look(cx - w / 2, cx + w / 2, cy - hh / 2, cy + hh / 2);
  };
  map.addEventListener('pointerdown', event => { map.setPointerCapture(event.pointerId); goMap(event); });
  map.addEventListener('pointermove', event => { if (event.buttons) goMap(event); });

  function at(x, y) {
    for (const n of place.rows[Math.floor((y - 10) / H)] || []) if (x >= X(n) && x <= X(n) + BW && y >= Y(n) && y <= Y(n) + BH) return { n };
    return null;
  }
  function click(n) {
    const node = nodes[n];
    if (node.closed) { open.add(node.layer); chosen = node.first; lay(); return stay(aLink('graph/' + number + '/' + chosen)); }
    choose(node.first === chosen ? -1 : node.first);
  }
  function choose(i, quiet) {
    chosen = i;
    near = new Set(i < 0 ? [] : [...nodes[nodeOf[i]].deps, ...nodes[nodeOf[i]].users]);
    if (i >= 0) {
      const t = list.tasks[i], k = art.kernels[t.kernel], site = art.sites[t.site], users = nodes[nodeOf[i]].users.map(u => nodes[u]);
      const taskLink = d => h('a', { href: aLink('graph/' + number + '/' + d) }, 'task ' + d);
      const few = (links, all) => [links.slice(0, 40).map((a, j) => [j ? ', ' : '', a]), all > 40 ? ' and ' + group(all - 40) + ' more' : ''];
      detail.replaceChildren(h('p', null, h('b', null, 'task ' + i), ': ', k ? kernelAnchor(k) : '?', t.device ? ' on ' + t.device : '', measured.run ? ', ' + time(measured.times[i]) : '', '. Waits for ', t.deps.length ? few(t.deps.map(taskLink), t.deps.length) : 'nothing', '. Before ', users.length ? few(users.map(u => u.closed ? nameOf(u) : taskLink(u.first)), users.length) : 'nothing', '. Ops: ', site ? site.ids.slice(0, 16).map(id => [opAnchor(id), ' ']) : '–'),
        layerOf(i) >= 0 && grouped ? h('p', null, h('button', { onclick: () => { open.delete(layerOf(i)); chosen = -1; near = new Set(); detail.replaceChildren(); lay(); } }, 'close layer ' + (layerOf(i) + 1))) : null,
        table(t.buffers.map((b, j) => ({ j, b: list.buffers[b], access: k && k.bindings[j] ? k.bindings[j][1] : '' })).filter(x => x.b), [['binding', x => x.j, x => String(x.j), 'num'], ['type', x => x.b.type, x => h('code', null, x.b.type)], ['access', x => x.access, x => x.access], ['where', x => x.b.kind, x => x.b.kind + (x.b.kind === 'arena' ? ' at ' + group(x.b.offset) : x.b.kind === 'dynamic' ? '' : ' ' + x.b.at)], ['bytes', x => x.b.bytes, x => x.b.bytes < 0 ? 'dynamic' : bytes(x.b.bytes), 'num']], 20));
    } else detail.replaceChildren();
    if (!quiet) stay(aLink('graph/' + number + (i >= 0 ? '/' + i : '')));
    canvas.redraw();
  }

  const filter = h('input', { type: 'search', id: 'graphFilter', placeholder: 'filter tasks', 'aria-label': 'filter tasks by kernel or number; Enter goes to the next', oninput: () => {
    word = filter.value.trim().toLowerCase();
    const kernels = new Set(art.kernels.flatMap((k, n) => k.name.toLowerCase().includes(word) ? [n] : []));
    hits = [];
    if (word) list.tasks.forEach((t, i) => { if (kernels.has(t.kernel) || String(i) === word) hits.push(i); });
    matching = new Set(hits.map(i => nodeOf[i]));
    hit = -1;
    found.textContent = word ? plural(hits.length, 'task') : '';
    canvas.redraw();
  }, onkeydown: event => {
    if (event.key === 'Escape') filter.blur();
    if (event.key !== 'Enter' || !hits.length) return;
    hit = (hit + (event.shiftKey ? -1 : 1) + hits.length) % hits.length;
    found.textContent = group(hit + 1) + ' of ' + plural(hits.length, 'task');
    look(nodeOf[hits[hit]]);
  } });
  const byLayer = layers ? h('button', { 'aria-pressed': String(grouped), onclick: () => { grouped = !grouped; open.clear(); byLayer.setAttribute('aria-pressed', String(grouped)); chosen = -1; near = new Set(); detail.replaceChildren(); lay(); } }, 'by layers') : null;
  lay();
  const widest = steps.rows.reduce((m, r) => Math.max(m, r.length), 1), most = list.tasks.reduce((m, t) => Math.max(m, t.deps.length), 0);
  return [h('h1', null, 'Task graph'),
    help('Each box is a launch of a kernel', layers ? ', or a layer that repeats; click to open it' : '', '; a line leads from each task to those that depend on it, a red one along the critical path. ', h('b', null, 'Wheel'), ' zooms, ', h('b', null, 'dragging'), ' moves, a click shows a task. ', h('b', null, 'Worry about'), ' long chains where you expect parallel tasks.'),
    h('div', { class: 'tool' }, listChoice(number, 'graph'), filter, found, byLayer, h('button', { onclick: () => look(nodeOf[critical_.path[0] ?? 0]) }, 'to the critical path'), h('span', { class: 'soft' }, plural(list.tasks.length, 'task') + ' in ' + plural(steps.rows.length, 'step') + ', at most ' + widest + ' side by side' + (layers ? '; ' + layers.count + ' layers of ' + plural(layers.period, 'task') : '') + '; arena ' + bytes(list.arena) + '; at most ' + plural(most, 'dependency', 'dependencies'))),
    holder, detail, dependencies(list, number, measured, critical_),
    heading('Tasks'), table(list.tasks, [['', t => t.index, t => h('a', { href: aLink('graph/' + number + '/' + t.index) }, String(t.index)), 'num'], ['kernel', t => kernelName(t.kernel), t => art.kernels[t.kernel] ? kernelAnchor(art.kernels[t.kernel]) : '', 'w'], ['waits for', t => t.deps.length, t => t.deps.join(', ')], ['step', t => steps.depth[t.index], t => String(steps.depth[t.index]), 'num'], ['device', t => t.device, t => t.device]], 60)];
}
