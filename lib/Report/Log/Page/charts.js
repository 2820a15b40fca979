// A plane to draw on: the wheel zooms, dragging moves, a double click shows all, arrows and + - work too.

function inkOf(pen) {
  const style = getComputedStyle(document.documentElement), get = name => style.getPropertyValue(name).trim();
  const dark = getComputedStyle(document.body).backgroundColor.match(/\d+/g)[0] < 128;
  return {
    dark, fg: get('--fg'), soft: get('--soft'), line: get('--line'), accent: get('--accent'), panel: get('--panel'), bg: get('--bg'), failed: get('--failed'),
    hue: (degrees, alpha = 1) => 'hsl(' + Math.round(degrees % 360) + (dark ? ' 36% 36% / ' : ' 58% 80% / ') + alpha + ')',
    text: (value, x, y, room, color) => {
      if (room < 16) return;
      pen.save();
      pen.beginPath();
      pen.rect(x - 1, y - 12, room, 24);
      pen.clip();
      pen.fillStyle = color || (dark ? '#eef2f7' : '#16212e');
      pen.fillText(value, x, y);
      pen.restore();
    },
  };
}

/**
 * options: right, bottom: the extent of what is drawn, from 0; height in pixels; xOnly: y is in pixels; draw(pen, view, ink);
 * at(x, y): what is there; tip(it): a text; click(it); ticks: x is in microseconds.
 */
function plane(options) {
  const canvas = h('canvas', { tabindex: '0', role: 'img', 'aria-label': options.label });
  const tip = document.getElementById('tip'), right = Math.max(1e-9, options.right), bottom = Math.max(1e-9, options.bottom);
  const view = { from: 0, to: right, top: 0, end: bottom, width: 800, height: options.height,
    x: value => (value - view.from) / (view.to - view.from) * view.width,
    y: value => options.xOnly ? value : (value - view.top) / (view.end - view.top) * view.height,
    atX: pixel => view.from + pixel / view.width * (view.to - view.from),
    atY: pixel => options.xOnly ? pixel : view.top + pixel / view.height * (view.end - view.top) };
  let drag = null, queued = false;
  function draw() {
    queued = false;
    view.width = canvas.clientWidth || 800;
    const scale = window.devicePixelRatio || 1;
    canvas.width = view.width * scale;
    canvas.height = view.height * scale;
    canvas.style.height = view.height + 'px';
    const pen = canvas.getContext('2d');
    pen.scale(scale, scale);
    pen.clearRect(0, 0, view.width, view.height);
    pen.font = '11px system-ui, sans-serif';
    pen.textBaseline = 'middle';
    const ink = inkOf(pen);
    if (options.ticks) {
      pen.fillStyle = ink.soft;
      const parts = Math.max(2, Math.min(8, Math.floor(view.width / 110)));
      for (let i = 0; i < parts; ++i) pen.fillText(duration(view.from + (view.to - view.from) * i / parts), view.width * i / parts + 3, 10);
    }
    options.draw(pen, view, ink);
  }
  const later = () => { if (!queued) { queued = true; requestAnimationFrame(draw); } };
  function limit() {
    const w = Math.min(right, view.to - view.from), hh = Math.min(bottom, view.end - view.top);
    view.from = Math.max(0, Math.min(right - w, view.from)); view.to = view.from + w;
    view.top = Math.max(0, Math.min(bottom - hh, view.top)); view.end = view.top + hh;
    later();
  }
  function zoom(px, py, k) {
    const x = view.atX(px), y = view.atY(py);
    if ((view.to - view.from) * k < right * 1e-7) return;
    view.from = x - (x - view.from) * k; view.to = x + (view.to - x) * k;
    if (!options.xOnly) { view.top = y - (y - view.top) * k; view.end = y + (view.end - y) * k; }
    limit();
  }
  const inside = event => { const box = canvas.getBoundingClientRect(); return [event.clientX - box.left, event.clientY - box.top]; };
  canvas.addEventListener('wheel', event => {
    if (options.wheelKey && !event.ctrlKey) return;
    event.preventDefault();
    zoom(...inside(event), Math.exp(Math.max(-300, Math.min(300, event.deltaY)) / 400));
  }, { passive: false });
  canvas.addEventListener('pointerdown', event => { drag = { x: event.clientX, y: event.clientY, view: { ...view }, moved: false }; canvas.setPointerCapture(event.pointerId); });
  canvas.addEventListener('pointermove', event => {
    if (drag) {
      const dx = (event.clientX - drag.x) / view.width * (drag.view.to - drag.view.from), dy = (event.clientY - drag.y) / view.height * (drag.view.end - drag.view.top);
      if (Math.abs(event.clientX - drag.x) + Math.abs(event.clientY - drag.y) > 4) drag.moved = true;
      view.from = drag.view.from - dx; view.to = drag.view.to - dx;
      if (!options.xOnly) { view.top = drag.view.top - dy; view.end = drag.view.end - dy; }
      return limit();
    }
    const [px, py] = inside(event), it = options.at && options.at(view.atX(px), view.atY(py), view);
    tip.hidden = !it;
    canvas.style.cursor = it && options.click ? 'pointer' : 'default';
    if (!it) return;
    tip.textContent = options.tip(it);
    tip.style.left = Math.max(4, Math.min(event.clientX + 12, innerWidth - tip.offsetWidth - 8)) + 'px';
    tip.style.top = event.clientY + 16 + 'px';
  });
  canvas.addEventListener('pointerleave', () => { tip.hidden = true; });
  canvas.addEventListener('pointerup', event => {
    const moved = drag && drag.moved;
    drag = null;
    const [px, py] = inside(event), it = !moved && options.click && options.at(view.atX(px), view.atY(py), view);
    if (it) { tip.hidden = true; options.click(it); }
  });
  canvas.addEventListener('dblclick', () => { view.from = 0; view.to = right; view.top = 0; view.end = bottom; limit(); });
  canvas.addEventListener('keydown', event => {
    const w = view.to - view.from, hh = view.end - view.top;
    const move = { ArrowLeft: [-0.2, 0], ArrowRight: [0.2, 0], ArrowUp: [0, -0.2], ArrowDown: [0, 0.2] }[event.key];
    if (move) { view.from += move[0] * w; view.to += move[0] * w; view.top += move[1] * hh; view.end += move[1] * hh; limit(); }
    else if (event.key === '+' || event.key === '-') zoom(view.width / 2, view.height / 2, event.key === '+' ? 0.7 : 1.4);
    else return;
    event.preventDefault();
    event.stopPropagation();
  });
  new ResizeObserver(later).observe(canvas);
  canvas.redraw = later;
  canvas.look = (from, to, top, end) => { view.from = from; view.to = to; if (!options.xOnly) { view.top = top; view.end = end; } limit(); };
  return canvas;
}

/** A box with rounded corners. */
function box(pen, x, y, w, hh, fill, stroke) {
  pen.beginPath();
  if (w > 8 && hh > 8) pen.roundRect(x, y, w, hh, 3); else pen.rect(x, y, w, hh);
  pen.fillStyle = fill;
  pen.fill();
  if (stroke) { pen.strokeStyle = stroke; pen.stroke(); }
}

/** Boxes in rows, each below those it is part of. Nodes: {name, value, children}. */
function icicle(root, label, tipOf, click) {
  const rows = [];
  const place = (node, depth, start) => {
    rows.push({ node, depth, start, end: start + node.value });
    let at = start;
    for (const child of [...node.children].sort((a, b) => b.value - a.value)) { place(child, depth + 1, at); at += child.value; }
  };
  place(root, 0, 0);
  const deepest = rows.reduce((m, r) => Math.max(m, r.depth), 0);
  return plane({ height: (deepest + 1) * 24 + 4, right: root.value, bottom: 1, xOnly: true, label,
    draw: (pen, view, ink) => {
      for (const r of rows) {
        const x0 = Math.max(-2, view.x(r.start)), x1 = Math.min(view.width + 2, view.x(r.end));
        if (x1 - x0 < 0.3 || x1 < 0 || x0 > view.width) continue;
        box(pen, x0, r.depth * 24 + 2, Math.max(0.6, x1 - x0 - 1), 22, r.depth ? ink.hue(HUES(r.node.group || r.node.name)) : ink.line);
        ink.text(r.node.name + '  ' + duration(r.node.value), x0 + 5, r.depth * 24 + 13, x1 - x0 - 8);
      }
    },
    at: (x, y) => rows.find(r => r.depth === Math.floor((y - 2) / 24) && r.start <= x && x < r.end),
    tip: r => tipOf(r.node, root), click: r => click && click(r.node) });
}
