// Code: highlighting, lines one can link to, differences.

const WORDS = {
  py: 'False None True and as assert async await break class continue def del elif else except finally for from global if import in is lambda nonlocal not or pass raise return try while with yield self',
  ir: 'func module return define declare declare_dso global constant private internal attributes target datalayout triple br ret call load store alloca getelementptr phi switch unreachable select icmp fcmp true false dense affine_map to step iter_args ins outs',
  c: 'alignas auto bool break case char class const constexpr continue default delete do double else enum extern false float for if inline int int32_t int64_t long namespace new nullptr operator private public return short signed sizeof static struct switch template this true typedef typename unsigned using void volatile while __global__ __device__ __shared__',
  json: 'true false null',
  asm: 'byte word long quad globl type size section text p2align loc file cfi_startproc cfi_endproc zero ascii asciz',
};
const GRAMMARS = {};
function grammar(kind) {
  if (!GRAMMARS[kind]) {
    const comment = kind === 'py' || kind === 'asm' ? '#.*' : kind === 'ir' ? '//.*|;.*' : kind === 'c' ? '//.*|/\\*.*?\\*/' : '(?!)';
    const words = WORDS[kind].split(' ').join('|');
    GRAMMARS[kind] = new RegExp('(' + comment + ')|("(?:[^"\\\\\\n]|\\\\.)*"|\'(?:[^\'\\\\\\n]|\\\\.)*\')|\\b(' + words +
      ')\\b|((?:%|@)[\\w.$-]+|[A-Za-z_][\\w.]*(?=\\())|\\b(0x[0-9a-fA-F]+|\\d[\\d.]*(?:e[+-]?\\d+)?)\\b', 'g');
  }
  return GRAMMARS[kind];
}
const CLASSES = [null, 'com', 'str', 'kw', 'fn', 'nb'];

function grammarOf(name, value) {
  if (/\.json$/.test(name)) return 'json';
  if (/\.py$/.test(name)) return 'py';
  if (/\.(cpp|cu|h)$/.test(name)) return 'c';
  if (/\.(ll|mlir)$/.test(name) || /^\s*(module|func\.func|; ModuleID|target triple)/m.test(value.slice(0, 2000))) return 'ir';
  return /guards|error|reason|metadata/.test(name) ? 'py' : 'py';
}

/** `value` as nodes with classes; `find` is marked. */
function colored(value, kind, find) {
  const out = document.createDocumentFragment();
  const plain = (piece, name) => {
    if (!piece) return;
    if (!find) return out.append(name ? h('span', { class: name }, piece) : piece);
    const low = piece.toLowerCase();
    let at = 0;
    for (let hit; (hit = low.indexOf(find, at)) >= 0; at = hit + find.length) {
      if (hit > at) out.append(name ? h('span', { class: name }, piece.slice(at, hit)) : piece.slice(at, hit));
      out.append(h('mark', { class: name }, piece.slice(hit, hit + find.length)));
    }
    if (at < piece.length) out.append(name ? h('span', { class: name }, piece.slice(at)) : piece.slice(at));
  };
  if (!kind || value.length > 400000) {
    plain(value);
    return out;
  }
  const pattern = grammar(kind);
  pattern.lastIndex = 0;
  let last = 0;
  for (let found; (found = pattern.exec(value)); ) {
    if (!found[0]) { pattern.lastIndex++; continue; }
    plain(value.slice(last, found.index));
    plain(found[0], CLASSES[found.findIndex((part, i) => i && part !== undefined)]);
    last = found.index + found[0].length;
  }
  plain(value.slice(last));
  return out;
}

const LINE = 18;

/**
 * A scrolling view of a text. Blocks of lines are coloured when they come near the screen. `onLine(line, range)`: its number was clicked;
 * `onText(line)`: the line itself.
 */
function codeView(value, kind, onLine, onText) {
  const lines = value.split('\n');
  if (lines.length > 1 && lines[lines.length - 1] === '') lines.pop();
  const view = h('div', { class: 'code', tabindex: '0' });
  // Blocks are laid out one by one; their gutters have one width.
  view.style.setProperty('--digits', String(lines.length).length + 'ch');
  // Small blocks are coloured faster, fewer ones are laid out faster.
  const blocks = [], BLOCK = lines.length > 12000 ? 150 : 50;
  let find = '';
  const paint = block => {
    if (block.painted === find) return;
    block.painted = find;
    block.pre.replaceChildren(colored(block.value, kind, find));
  };
  const watch = new IntersectionObserver(entries => entries.forEach(entry => {
    entry.target.block.near = entry.isIntersecting;
    if (entry.isIntersecting) paint(entry.target.block);
  }), { root: view, rootMargin: '300px' });
  for (let first = 0; first < lines.length; first += BLOCK) {
    const part = lines.slice(first, first + BLOCK);
    const pre = h('pre', { class: 'text', onclick: onText && (event => {
      if (!String(window.getSelection())) onText(first + 1 + Math.floor((event.clientY - pre.getBoundingClientRect().top) / LINE));
    }) }), numbers = [];
    for (let i = 0; i < part.length; ++i) numbers.push(first + i + 1);
    const no = h('pre', { class: 'no', onclick: event => {
      const line = first + 1 + Math.floor((event.clientY - no.getBoundingClientRect().top) / LINE);
      if (onLine) onLine(line, event.shiftKey);
    } }, numbers.join('\n'));
    const element = h('div', { class: 'block' }, no, pre);
    element.style.containIntrinsicSize = 'auto ' + part.length * LINE + 'px';
    const block = { pre, value: part.join('\n'), painted: null, near: false };
    pre.textContent = block.value;
    element.block = block;
    blocks.push(block);
    view.append(element);
    watch.observe(element);
  }
  const here = h('div', { class: 'here', hidden: true });
  view.append(here);
  view.lines = lines;
  view.show = (first, last = first) => {
    here.hidden = !first;
    if (!first) return;
    here.style.top = (first - 1) * LINE + 'px';
    here.style.height = (last - first + 1) * LINE + 'px';
    view.scrollTop = Math.max(0, (first - 6) * LINE);
  };
  view.reveal = line => { view.scrollTop = Math.max(0, (line - 1) * LINE - view.clientHeight / 3); };
  const bands = h('div', { class: 'bands' });
  view.prepend(bands);
  /** Marks lines: [first, class, last]. */
  view.bands = rows => {
    const made = document.createDocumentFragment();
    for (const [first, name, last = first] of rows) {
      const band = document.createElement('div');
      band.className = name;
      band.style.top = (first - 1) * LINE + 'px';
      band.style.height = (last - first + 1) * LINE + 'px';
      made.append(band);
    }
    bands.replaceChildren(made);
  };
  view.mark = word => {
    find = word.toLowerCase();
    for (const block of blocks) if (block.near) paint(block);
  };
  return view;
}

/** Pairs of equal lines of two lists, by Myers' algorithm; differences beyond `most` are taken as one change. */
function equalLines(a, b, most = 3000) {
  let start = 0, end = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) ++start;
  while (end < a.length - start && end < b.length - start && a[a.length - 1 - end] === b[b.length - 1 - end]) ++end;
  const n = a.length - start - end, m = b.length - start - end;
  const pairs = [];
  for (let i = 0; i < start; ++i) pairs.push([i, i]);
  const trace = [];
  // Lines as numbers, and the furthest x of each diagonal k at v[k + limit + 1].
  const numbers = new Map(), numbered = list => Int32Array.from(list, line => { let id = numbers.get(line); if (id === undefined) numbers.set(line, id = numbers.size); return id; });
  const p = numbered(a.slice(start, start + n)), q = numbered(b.slice(start, start + m)), limit = Math.min(n + m, most), off = limit + 1;
  const v = new Int32Array(2 * limit + 3).fill(-1);
  v[off + 1] = 0;
  let done = n === 0 || m === 0;
  for (let d = 0; !done && d <= limit; ++d) {
    trace.push(v.slice(off - d - 1, off + d + 2));
    for (let k = -d; k <= d; k += 2) {
      let x = k === -d || (k !== d && v[off + k - 1] < v[off + k + 1]) ? v[off + k + 1] : v[off + k - 1] + 1;
      let y = x - k;
      while (x < n && y < m && p[x] === q[y]) { ++x; ++y; }
      v[off + k] = x;
      if (x >= n && y >= m) {
        const middle = [];
        for (let back = trace.length - 1; back >= 0; --back) {
          const w = trace[back], at = k_ => w[k_ + back + 1], kk = x - y;
          const from = kk === -back || (kk !== back && at(kk - 1) < at(kk + 1)) ? kk + 1 : kk - 1;
          const px = back ? at(from) : 0, py = back ? px - from : 0;
          while (x > px && y > py) middle.push([start + --x, start + --y]);
          x = px;
          y = py;
        }
        for (let i = middle.length - 1; i >= 0; --i) pairs.push(middle[i]);
        done = true;
        break;
      }
    }
  }
  for (let i = end; i > 0; --i) pairs.push([a.length - i, b.length - i]);
  return pairs;
}

/** Two texts as one table of changed lines with three lines of context. */
function diffView(before, after) {
  if (before === after) return h('p', null, 'The texts are the same.');
  const a = before.split('\n'), b = after.split('\n');
  const rows = [];
  let i = 0, j = 0;
  for (const [x, y] of [...equalLines(a, b), [a.length, b.length]]) {
    while (i < x) rows.push(['d', i + 1, '', a[i++]]);
    while (j < y) rows.push(['a', '', j + 1, b[j++]]);
    if (x < a.length) { rows.push(['', x + 1, y + 1, a[x]]); i = x + 1; j = y + 1; }
  }
  const near = rows.map(() => false);
  rows.forEach(([kind], at) => { if (kind) for (let k = Math.max(0, at - 3); k <= Math.min(rows.length - 1, at + 3); ++k) near[k] = true; });
  const body = h('tbody'), visible = rows.flatMap((_, at) => near[at] ? [at] : []), shown = visible.slice(0, 5000);
  // What one sees at first, then the rest a piece at a time: keys and clicks come in between.
  let next = 0;
  (function piece() {
    const made = document.createDocumentFragment();
    for (const end = Math.min(next + 300, shown.length); next < end; ++next) {
      const at = shown[next], [kind, x, y, line] = rows[at];
      if (at !== (next ? shown[next - 1] + 1 : 0)) made.append(h('tr', { class: 'gap' }, h('td', { colspan: '3' }, '⋯')));
      made.append(h('tr', { class: kind || null }, h('td', { class: 'n' }, x), h('td', { class: 'n' }, y), h('td', null, (kind === 'a' ? '+ ' : kind === 'd' ? '− ' : '  ') + line)));
    }
    body.append(made);
    if (next < shown.length) setTimeout(piece, 15);
  })();
  const added = rows.filter(r => r[0] === 'a').length, removed = rows.filter(r => r[0] === 'd').length;
  return h('div', null, h('p', { class: 'soft' }, plural(removed, 'line') + ' removed, ' + plural(added, 'line') + ' added' + (visible.length > shown.length ? '; the first 5,000 rows' : '')),
    h('div', { class: 'table' }, h('table', { class: 'wide diff' }, h('colgroup', null, h('col', { class: 'n' }), h('col', { class: 'n' }), h('col')), body)));
}

/** A box that finds in a view. */
function finder(view) {
  const hits = h('span', { class: 'soft' });
  let current = -1, found = [];
  const box = h('input', { type: 'search', id: 'inPage', placeholder: 'find here ( f )', 'aria-label': 'find here', oninput: () => {
    const word = box.value.toLowerCase();
    found = word ? view.lines.flatMap((l, i) => l.toLowerCase().includes(word) ? [i + 1] : []) : [];
    current = -1;
    view.mark(word);
    step(1);
  }, onkeydown: event => { if (event.key === 'Enter') step(event.shiftKey ? -1 : 1); if (event.key === 'Escape') box.blur(); } });
  function step(by) {
    if (!found.length) { hits.textContent = box.value ? 'not found' : ''; view.show(0); return; }
    current = (current + by + found.length) % found.length;
    hits.textContent = (current + 1) + ' of ' + found.length + (found.length === 1 ? ' line' : ' lines');
    view.show(found[current]);
  }
  return [box, hits];
}
