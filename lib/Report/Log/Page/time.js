// Spans on a time axis: depth downwards, wheel zooms, dragging moves, a click opens the compile.

const HUES = name => { let x = 7; for (const c of name) x = (x * 31 + c.charCodeAt(0)) % 360; return x; };

function flame(spans, names) {
  const deepest = spans.reduce((most, s) => Math.max(most, s[2]), 0);
  const first = spans.length ? spans[0][3] : 0;
  const last = spans.reduce((most, s) => Math.max(most, s[3] + Math.max(0, s[4])), first + 1);
  const height = Math.min(26, deepest + 1) * 20 + 22;
  const canvas = h('canvas', { tabindex: '0', role: 'img', 'aria-label': 'time by phase; the table below holds the same numbers' });
  const tip = document.getElementById('tip');
  let from = first, to = last, drag = null, width = 800;
  const x = t => (t - from) / (to - from) * width;
  function draw() {
    width = canvas.clientWidth || 800;
    const scale = window.devicePixelRatio || 1;
    canvas.width = width * scale;
    canvas.height = height * scale;
    canvas.style.height = height + 'px';
    const pen = canvas.getContext('2d'), style = getComputedStyle(document.documentElement);
    const dark = getComputedStyle(document.body).backgroundColor.match(/\d+/g)[0] < 128;
    pen.scale(scale, scale);
    pen.clearRect(0, 0, width, height);
    pen.font = '11px system-ui, sans-serif';
    pen.textBaseline = 'middle';
    pen.fillStyle = style.getPropertyValue('--soft');
    for (let i = 0; i <= 6; ++i) pen.fillText(duration(from - first + (to - from) * i / 6), Math.min(width - 52, width * i / 6 + 2), 10);
    let lastX = new Float64Array(deepest + 1).fill(-1);
    for (const [name, , depth, start, us] of spans) {
      if (start > to || start + Math.max(0, us) < from || depth > 25) continue;
      const a = Math.max(0, x(start)), b = Math.min(width, x(start + Math.max(0, us)));
      // A span that ends within a pixel already drawn is not drawn again.
      if (b < lastX[depth]) continue;
      lastX[depth] = Math.max(b, a + 0.5);
      pen.fillStyle = 'hsl(' + HUES(names[name][0]) + (dark ? ' 38% 34%)' : ' 62% 82%)');
      pen.fillRect(a, 22 + depth * 20, Math.max(0.7, b - a - 0.5), 18);
      if (b - a > 44) {
        pen.save();
        pen.beginPath();
        pen.rect(a, 22 + depth * 20, b - a - 3, 18);
        pen.clip();
        pen.fillStyle = dark ? '#eef' : '#123';
        pen.fillText(names[name][0] + '  ' + duration(us), a + 4, 31 + depth * 20);
        pen.restore();
      }
    }
  }
  function at(event) {
    const box = canvas.getBoundingClientRect(), depth = Math.floor((event.clientY - box.top - 22) / 20);
    const t = from + (event.clientX - box.left) / width * (to - from), slack = (to - from) / width * 2;
    return spans.find(s => s[2] === depth && s[3] - slack <= t && s[3] + Math.max(0, s[4]) + slack >= t);
  }
  canvas.addEventListener('wheel', event => {
    event.preventDefault();
    const t = from + (event.clientX - canvas.getBoundingClientRect().left) / width * (to - from), k = Math.exp(event.deltaY / 400);
    from = Math.max(first, t - (t - from) * k);
    to = Math.min(last, Math.max(from + 5, t + (to - t) * k));
    draw();
  }, { passive: false });
  canvas.addEventListener('pointerdown', event => { drag = [event.clientX, from, to, false]; canvas.setPointerCapture(event.pointerId); });
  canvas.addEventListener('pointermove', event => {
    if (drag) {
      const shift = (event.clientX - drag[0]) / width * (to - from);
      if (Math.abs(event.clientX - drag[0]) > 3) drag[3] = true;
      const moved = Math.max(first, Math.min(last - (drag[2] - drag[1]), drag[1] - shift));
      to = moved + drag[2] - drag[1];
      from = moved;
      return draw();
    }
    const span = at(event);
    tip.hidden = !span;
    if (!span) return;
    const compile = log.compiles[span[1]];
    tip.textContent = names[span[0]][0] + (span[4] >= 0 ? '  ' + duration(span[4]) : '') + '  at ' + duration(span[3] - first) + (compile ? '  ' + titleOf(compile) + ' ' + compile.fn : '');
    tip.style.left = Math.min(event.clientX + 12, innerWidth - 320) + 'px';
    tip.style.top = event.clientY + 16 + 'px';
  });
  canvas.addEventListener('pointerleave', () => { tip.hidden = true; });
  canvas.addEventListener('pointerup', event => {
    const moved = drag && drag[3];
    drag = null;
    const span = moved ? null : at(event);
    if (span && log.compiles[span[1]]) { tip.hidden = true; location.hash = compileLink(log.compiles[span[1]]); }
  });
  canvas.addEventListener('dblclick', () => { from = first; to = last; draw(); });
  canvas.addEventListener('keydown', event => {
    const step = { ArrowLeft: -0.2, ArrowRight: 0.2 }[event.key], zoom = { '+': 0.7, '-': 1.4 }[event.key];
    if (!step && !zoom) return;
    event.preventDefault();
    const length = Math.min(last - first, (to - from) * (zoom || 1)), middle = (from + to) / 2 + (to - from) * (step || 0);
    from = Math.max(first, Math.min(last - length, middle - length / 2));
    to = from + length;
    draw();
  });
  new ResizeObserver(draw).observe(canvas);
  return canvas;
}

function phaseTable(names) {
  const rows = names.filter(n => n[1]).sort((a, b) => b[3] - a[3]), most = rows.length ? rows[0][3] : 0;
  return table(rows, [
    ['phase', r => r[0], null, 'w'],
    ['own time', r => r[3], r => bar(r[3], most, duration(r[3])), 'num'],
    ['in all', r => r[2], r => duration(r[2]), 'num'],
    ['count', r => r[1], r => group(r[1]), 'num'],
  ], 12);
}

async function timePage() {
  const spans = await spansOf(log);
  return [h('h1', null, 'Time'),
    help('Each bar is a phase of a compile, its children below it. ', h('b', null, 'Wheel'), ' zooms, ', h('b', null, 'dragging'), ' moves, a double click shows all, a click opens the compile. ',
      h('b', null, 'Worry about'), ' wide bars that repeat: the same work done for every recompile.'),
    spans.length ? flame(spans, log.spanNames) : h('p', null, 'The log holds no timing events.'),
    heading('By phase', plural(log.events, 'event') + (log.unmatched ? ', ' + group(log.unmatched) + ' without its other half' : '') + (log.dropped ? ', ' + group(log.dropped) + ' beyond what is drawn' : '')),
    phaseTable([...log.spanNames])];
}
