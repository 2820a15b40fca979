// Tensors: what a dump of a run holds, and its elements along any two axes.

const TENSOR = ['launch', 'iteration', 'after', 'role', 'name', 'dtype', 'shape', 'kernel', 'op', 'from', 'changed', 'stats', 'hash', 'text', 'wide', 'missing', 'sampled', 'written'];
const STATS = ['least', 'most', 'mean', 'largest', 'nan', 'inf', 'zero', 'count'];

/** The dump of a run, with names for the columns of its rows. */
function dumpOfRun(run) {
  if (run.dumped !== undefined || !run.dump) return run.dumped ?? null;
  const [level, ended, missing, rows, left, count] = run.dump;
  const tensors = rows.map((row, i) => {
    const t = Object.assign(named(row, TENSOR), { i, run });
    t.stats = t.stats && named(t.stats, STATS);
    t.type = [...t.shape, t.dtype].join('x');
    return t;
  });
  return run.dumped = { level, ended, missing, tensors, left, count };
}
const tensorTitle = t => (shortNames(t.name) || 'buffer') + ' (' + t.type + ')';
const tensorLink = t => aLink('tensor/' + t.run.index + '/' + t.i);
/** Names of constants are hashes: their beginning. */
const shortNames = text => text.replace(/mica_([0-9a-f]{6})[0-9a-f]{26}/g, 'mica_$1…');
const shortNumber = v => typeof v === 'number' ? String(Number(v.toPrecision(6))) : String(v ?? '–');
const longNumber = v => typeof v === 'number' ? String(Number(v.toPrecision(9))) : String(v);

function tensorsPage(number) {
  const runs = art.runs.filter(r => r.dump), run = runs.find(r => r.index === number) || runs[0];
  if (!run) return missingPage('No run of this artifact has a dump: mica-run DIR --mica-debug=dump-tensors=2 makes one.');
  const dump = dumpOfRun(run), bad = dump.tensors.find(t => t.after && t.stats && t.stats.nan + t.stats.inf > 0);
  const many = value => value ? h('span', { class: 's-failed' }, group(value)) : '0';
  return [h('h1', null, 'Tensors'),
    help('What kernels read before they ran and wrote when they were complete, in the order of launches. A click on a tensor shows its elements along any axes. ', h('b', null, 'Worry about'), ' NaN, infinities, results that are all zero, and what changed since it was written: a dependency may be missing.'),
    h('div', { class: 'tool' }, runChoice(runs, run, 'tensors'), h('span', { class: 'soft' }, plural(dump.count, 'tensor') + ', level ' + dump.level + (dump.left && !top_.tensors ? '; this report has no elements, mica-report --with-tensors adds them' : dump.left ? '; elements of ' + group(dump.left) + ' are only in the dump (mica-dump shows them)' : '') + (dump.tensors.length < dump.count ? '; the first ' + group(dump.tensors.length) + ' are shown' : ''))),
    dump.ended ? null : h('p', { class: 'alarm' }, 'The process ended before the run did.'),
    dump.missing.map(([why, tensors, size]) => h('p', { class: 'alarm' }, plural(tensors, 'tensor') + ' of ' + bytes(size) + ' are missing: ' + why)),
    bad ? h('p', { class: 'alarm' }, h('b', null, 'The first result with NaN or infinities: '), h('a', { href: tensorLink(bad) }, tensorTitle(bad)), ' of launch ' + bad.launch) : null,
    table(dump.tensors, [
      ['#', t => t.i, t => h('a', { href: tensorLink(t) }, String(t.i)), 'num'],
      ['launch', t => t.launch, t => t.launch + (t.iteration ? '.' + t.iteration : ''), 'num'],
      ['', t => t.after ? 1 : 0, t => (t.role === 'inside' ? 'inside' : t.after ? 'after' : 'before')],
      ['tensor', t => t.name, t => [h('a', { href: tensorLink(t) }, tensorTitle(t)), t.text >= 0 ? null : h('span', { class: 'soft' }, t.sampled ? ' statistics of a sample' : ' statistics')], 'w'],
      ['kernel', t => t.kernel, t => t.kernel >= 0 ? kernelAnchor(art.kernels[t.kernel]) : '', 'w'],
      ['op', t => t.op, t => t.op ? opAnchor(t.op) : shortNames(t.from)],
      ['least', t => t.stats ? t.stats.least : 0, t => t.stats ? shortNumber(t.stats.least) : '–', 'num'],
      ['most', t => t.stats ? t.stats.most : 0, t => t.stats ? shortNumber(t.stats.most) : '–', 'num'],
      ['mean', t => t.stats ? t.stats.mean : 0, t => t.stats ? shortNumber(t.stats.mean) : '–', 'num'],
      ['NaN', t => t.stats ? t.stats.nan : 0, t => t.stats ? many(t.stats.nan) : '–', 'num'],
      ['Inf', t => t.stats ? t.stats.inf : 0, t => t.stats ? many(t.stats.inf) : '–', 'num'],
      ['zeros', t => t.stats && t.stats.count ? t.stats.zero / t.stats.count : 0, t => t.stats && t.stats.count ? (t.stats.zero / t.stats.count * 100).toFixed(0) + ' %' : '–', 'num'],
      ['', t => t.changed ? 0 : 1, t => [t.changed ? h('span', { class: 's-failed' }, 'changed since it was written') : null, t.missing ? h('span', { class: 's-failed' }, t.missing) : null]],
    ], 200)];
}

/** The elements of a tensor, as floats in the order of its axes. */
async function elementsOf(t) {
  if (t.values) return t.values;
  const packed = Uint8Array.from(atob(await text(t.text)), c => c.charCodeAt(0));
  return t.values = t.wide ? new Float64Array(packed.buffer) : new Float32Array(packed.buffer);
}

/** Part of a tensor: rows along axis `down`, columns along `across`, all other axes at `at`. -1: there is no such axis. */
function sliceOf(values, shape, down, across, at) {
  const steps = shape.map((_, i) => shape.slice(i + 1).reduce((a, b) => a * b, 1));
  const start = shape.reduce((sum, _, i) => sum + (i === down || i === across ? 0 : at[i] * steps[i]), 0);
  const rows = down < 0 ? 1 : shape[down], columns = across < 0 ? 1 : shape[across];
  const rowStep = down < 0 ? 0 : steps[down], columnStep = across < 0 ? 0 : steps[across];
  return { rows, columns, at: (r, c) => values[start + r * rowStep + c * columnStep] };
}

function statisticsOfSlice(slice) {
  const s = { least: Infinity, most: -Infinity, sum: 0, largest: 0, nan: 0, inf: 0, zero: 0, finite: 0, bins: new Float64Array(24) };
  const each = body => { for (let r = 0; r < slice.rows; ++r) for (let c = 0; c < slice.columns; ++c) body(slice.at(r, c)); };
  each(v => {
    if (Number.isNaN(v)) { ++s.nan; return; }
    if (!Number.isFinite(v)) { ++s.inf; return; }
    ++s.finite;
    s.sum += v;
    s.zero += v === 0;
    s.least = Math.min(s.least, v);
    s.most = Math.max(s.most, v);
  });
  s.largest = s.finite ? Math.max(Math.abs(s.least), Math.abs(s.most)) : 0;
  const width = s.most - s.least;
  each(v => { if (Number.isFinite(v)) ++s.bins[Math.min(23, width > 0 ? Math.floor((v - s.least) / width * 24) : 0)]; });
  return s;
}

/** Colors of mica-dump --picture: white is 0, red positive, blue negative, yellow infinite, black NaN. */
function colorOf(value, scale) {
  if (Number.isNaN(value)) return [0, 0, 0];
  if (!Number.isFinite(value)) return [255, 210, 0];
  const share = scale > 0 ? Math.min(1, Math.abs(value) / scale) : 0, other = Math.round(255 * (1 - share));
  return value >= 0 ? [255, other, other] : [other, other, 255];
}
const conspicuous = v => Number.isNaN(v) ? Infinity : Number.isFinite(v) ? Math.abs(v) : Number.MAX_VALUE;

/** A picture of a slice; each point of a larger one shows the most conspicuous of its elements. */
function heatCanvas(slice, scale) {
  const width = Math.min(slice.columns, 1024), height = Math.min(slice.rows, 1024);
  const canvas = h('canvas', { class: 'heat', width, height, role: 'img', 'aria-label': 'heat map; the table below holds the elements around the chosen one' });
  const pen = canvas.getContext('2d', { willReadFrequently: true }), image = pen.createImageData(width, height);
  for (let y = 0; y < height; ++y)
    for (let x = 0; x < width; ++x) {
      const r0 = Math.floor(y * slice.rows / height), r1 = Math.max(r0 + 1, Math.floor((y + 1) * slice.rows / height));
      const c0 = Math.floor(x * slice.columns / width), c1 = Math.max(c0 + 1, Math.floor((x + 1) * slice.columns / width));
      let shown = slice.at(r0, c0);
      for (let r = r0; r < r1; ++r)
        for (let c = c0; c < c1; ++c) if (conspicuous(slice.at(r, c)) > conspicuous(shown)) shown = slice.at(r, c);
      image.data.set([...colorOf(shown, scale), 255], (y * width + x) * 4);
    }
  pen.putImageData(image, 0, 0);
  const large = Math.max(1, Math.min(24, Math.floor(760 / width), Math.floor(520 / height)));
  canvas.style.width = width * large + 'px';
  return canvas;
}

async function tensorPage(runNumber, number) {
  const run = art.runs[runNumber], dump = run && dumpOfRun(run), t = dump && dump.tensors[number];
  if (!t) return missingPage('There is no such tensor.');
  const facts = [t.kernel >= 0 ? [t.after ? 'after ' : 'before ', 'launch ' + t.launch + (t.iteration ? ', iteration ' + t.iteration : '') + ' of ', kernelAnchor(art.kernels[t.kernel])] : 'launch ' + t.launch,
    t.op ? [', ', opAnchor(t.op)] : null,
    t.from ? [', from ', t.written >= 0 && dump.tensors[t.written] ? h('a', { href: tensorLink(dump.tensors[t.written]) }, t.from) : shortNames(t.from)] : null, t.changed ? h('span', { class: 's-failed' }, ', changed since') : null];
  const whole = t.stats ? h('p', null, 'least ' + shortNumber(t.stats.least) + ', most ' + shortNumber(t.stats.most) + ', mean ' + shortNumber(t.stats.mean) + ', ' + group(t.stats.nan) + ' NaN, ' + group(t.stats.inf) + ' Inf, ' + group(t.stats.zero) + ' zeros of ' + group(t.stats.count) + (t.sampled ? ' in a sample' : ''), h('span', { class: 'soft' }, ' hash ' + t.hash)) : null;
  const head = [h('h1', null, tensorTitle(t)), h('p', null, facts), whole];
  if (t.text < 0) return [head, h('p', { class: 'alarm note' }, t.missing ? 'Its elements are missing: ' + t.missing : [top_.tensors ? 'The report has its statistics alone. ' : ['This report has statistics alone; ', h('code', null, 'mica-report --with-tensors'), ' adds elements. '], h('code', null, 'mica-dump DIR --tensor=' + t.i + ' --print'), ' shows those of the dump.'])];
  const mine = await elementsOf(t), rank = t.shape.length;
  let values = mine, minus = null, down = rank - 2, across = rank - 1, chosen = [0, 0];
  const at = t.shape.map(() => 0);
  const body = h('div');
  // Tensors of the same shape, of any run: what this one is compared with.
  const others = art.runs.flatMap(r => r.dump ? dumpOfRun(r).tensors : []).filter(o => o !== t && o.text >= 0 && o.shape.join() === t.shape.join()).slice(0, 200);
  const axisName = i => 'axis ' + i + ' (' + t.shape[i] + ')';
  const axisChoice = (label, current, set) => h('label', null, label + ' ', h('select', { 'aria-label': label, onchange: event => { set(Number(event.target.value)); show(); } },
    t.shape.map((_, i) => h('option', { value: i, selected: i === current }, axisName(i)))));
  function choose(set, value) {
    const before = [down, across];
    set(value);
    if (down === across) [down, across] = set === setDown ? [down, before[0]] : [before[1], across];
  }
  const setDown = value => { down = value; }, setAcross = value => { across = value; };
  const indexOf = (r, c) => t.shape.map((_, i) => i === down ? r : i === across ? c : at[i]);
  function show() {
    const slice = sliceOf(values, t.shape, down, across, at), s = statisticsOfSlice(slice), scale = s.largest;
    chosen = [Math.min(chosen[0], slice.rows - 1), Math.min(chosen[1], slice.columns - 1)];
    const canvas = heatCanvas(slice, scale), tip = h('p', { class: 'soft', 'aria-live': 'polite' });
    const say = (r, c) => tip.replaceChildren(h('code', null, '[' + indexOf(r, c).join(', ') + '] = ' + longNumber(slice.at(r, c)) + (minus ? ' (difference)' : '')));
    const place = event => {
      const box = canvas.getBoundingClientRect();
      return [Math.min(slice.rows - 1, Math.max(0, Math.floor((event.clientY - box.top) / box.height * slice.rows))), Math.min(slice.columns - 1, Math.max(0, Math.floor((event.clientX - box.left) / box.width * slice.columns)))];
    };
    canvas.addEventListener('mousemove', event => say(...place(event)));
    canvas.addEventListener('click', event => { chosen = place(event); show(); });
    say(...chosen);
    const top = Math.max(0, Math.min(chosen[0] - 6, slice.rows - 12)), left = Math.max(0, Math.min(chosen[1] - 4, slice.columns - 8));
    const rowNumbers = Array.from({ length: Math.min(12, slice.rows) }, (_, i) => top + i), columnNumbers = Array.from({ length: Math.min(8, slice.columns) }, (_, i) => left + i);
    const most = s.bins.reduce((m, v) => Math.max(m, v), 0), step = (s.most - s.least) / 24;
    body.replaceChildren(
      h('div', { class: 'tool' },
        rank > 1 ? axisChoice('rows', down, value => choose(setDown, value)) : null, rank > 1 ? axisChoice('columns', across, value => choose(setAcross, value)) : null,
        t.shape.map((size, i) => i === down || i === across ? null : h('label', null, 'axis ' + i + ' ', h('input', { type: 'number', min: 0, max: size - 1, value: at[i], 'aria-label': 'index of axis ' + i,
          onchange: event => { at[i] = Math.max(0, Math.min(size - 1, Math.floor(Number(event.target.value)) || 0)); show(); } }), ' of ' + size)),
        others.length ? h('label', null, 'minus ', h('select', { 'aria-label': 'minus', onchange: async event => {
          minus = others[Number(event.target.value)] || null;
          const theirs = minus && await elementsOf(minus);
          values = theirs ? mine.map((v, i) => Object.is(v, theirs[i]) || v === theirs[i] ? 0 : v - theirs[i]) : mine;
          show();
        } }, h('option', { value: -1 }, 'nothing'), others.map((o, i) => h('option', { value: i, selected: o === minus }, '#' + o.i + ' ' + (o.after ? 'after ' : 'before ') + o.launch + ' ' + tensorTitle(o) + (o.run === run ? '' : ', ' + o.run.name))))) : null),
      h('p', { class: 'slice' }, 'slice: least ' + (s.finite ? shortNumber(s.least) : '–') + ', most ' + (s.finite ? shortNumber(s.most) : '–') + ', mean ' + (s.finite ? shortNumber(s.sum / s.finite) : '–') + ', ' + group(s.nan) + ' NaN, ' + group(s.inf) + ' Inf, ' + group(s.zero) + ' zeros of ' + group(slice.rows * slice.columns),
        h('span', { class: 'soft' }, ' white 0, red positive, blue negative, yellow infinite, black NaN; full color at ' + shortNumber(scale))),
      h('div', { class: 'heatBox' }, canvas), tip,
      heading('Elements', 'around the chosen one'),
      table(rowNumbers.map(r => ({ r })), [['', null, x => String(x.r), 'num'], ...columnNumbers.map(c => [String(c), null, x => h('span', { class: x.r === chosen[0] && c === chosen[1] ? 's-ok' : null }, longNumber(slice.at(x.r, c))), 'num'])], 12),
      heading('Histogram', 'of the slice'),
      table([...s.bins].map((count, i) => ({ count, low: s.least + step * i })), [['from', null, x => s.finite ? shortNumber(x.low) : '–', 'num'], ['elements', null, x => bar(x.count, most, group(x.count)), 'num']], 24));
  }
  show();
  return [head, help('Rows and columns are any two axes; the others are at one index each. ', h('b', null, 'minus'), ' shows the difference from another tensor of the same shape.'), body];
}
