// Two programs aligned line by line, and lists that hold only the rows on the screen.

/** A line without what passes renumber (names of values) and without indentation. */
const lineShape = line => line.trim().replace(/%[\w$.-]+(?::\d+)?(?:#\d+)?/g, '%');

/** Positions of a longest increasing run of `values`. */
function increasing(values) {
  const ends = [], back = new Int32Array(values.length), out = [];
  values.forEach((value, i) => {
    let low = 0, high = ends.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (values[ends[middle]] < value) low = middle + 1; else high = middle;
    }
    back[i] = low ? ends[low - 1] : -1;
    ends[low] = i;
  });
  for (let i = ends.length ? ends[ends.length - 1] : -1; i >= 0; i = back[i]) out.push(i);
  return out.reverse();
}

/**
 * Pairs [i, j] of lines of `a` and `b`, both rising. Lines of one shape are paired: first those that occur once in each text,
 * then by the shortest script in between. `known` are pairs to keep where they fit, such as an op before and after its change.
 */
function alignLines(a, b, known) {
  const numbers = new Map(), pairs = [];
  const shapes = list => Int32Array.from(list, line => {
    const shape = lineShape(line);
    if (!numbers.has(shape)) numbers.set(shape, numbers.size);
    return numbers.get(shape);
  });
  const p = shapes(a), q = shapes(b), countP = new Int32Array(numbers.size), countQ = new Int32Array(numbers.size), placeQ = new Int32Array(numbers.size);
  /** Lines that occur once in each range, and known pairs in it. */
  function anchorsIn(a0, a1, b0, b1) {
    for (let i = a0; i < a1; ++i) ++countP[p[i]];
    for (let j = b0; j < b1; ++j) { ++countQ[q[j]]; placeQ[q[j]] = j; }
    const found = new Map(known.filter(([i, j]) => i >= a0 && i < a1 && j >= b0 && j < b1));
    for (let i = a0; i < a1; ++i) if (countP[p[i]] === 1 && countQ[p[i]] === 1) found.set(i, placeQ[p[i]]);
    for (let i = a0; i < a1; ++i) countP[p[i]] = 0;
    for (let j = b0; j < b1; ++j) countQ[q[j]] = 0;
    const sorted = [...found].sort((x, y) => x[0] - y[0]);
    return increasing(sorted.map(pair => pair[1])).map(i => sorted[i]);
  }
  function align(a0, a1, b0, b1) {
    while (a0 < a1 && b0 < b1 && p[a0] === q[b0]) pairs.push([a0++, b0++]);
    let end = 0;
    while (a1 > a0 && b1 > b0 && p[a1 - 1] === q[b1 - 1]) { --a1; --b1; ++end; }
    if (a0 < a1 && b0 < b1) {
      const anchors = anchorsIn(a0, a1, b0, b1);
      if (anchors.length) {
        let i = a0, j = b0;
        for (const [x, y] of anchors) { align(i, x, j, y); pairs.push([x, y]); i = x + 1; j = y + 1; }
        align(i, a1, j, b1);
      } else if (a1 - a0 + b1 - b0 < 1500) {
        for (const [x, y] of equalLines([...p.subarray(a0, a1)], [...q.subarray(b0, b1)], 400)) pairs.push([a0 + x, b0 + y]);
      }
    }
    for (let k = 0; k < end; ++k) pairs.push([a1 + k, b1 + k]);
  }
  align(0, a.length, 0, b.length);
  return pairs;
}

/**
 * A scrolling list of `count()` rows of `height` pixels of which only those on the screen exist; `make(i)` makes one.
 * draw() shows them anew.
 */
function rowList(height, count, make, properties) {
  const layer = h('div', { class: 'layer' }), space = h('div', { class: 'space' }, layer);
  const list = h('div', { class: 'rows', tabindex: '0', ...properties }, space);
  let waits = false;
  // Where it is scrolled to and how high it is: asking the element would lay out the page in the middle of a change.
  let top = 0, view = 0;
  list.draw = () => {
    waits = false;
    const rows = count(), first = Math.max(0, Math.min(Math.floor(top / height) - 6, rows - 1));
    const last = Math.min(rows, Math.ceil((top + (view || 900)) / height) + 6);
    space.style.height = rows * height + 'px';
    layer.style.transform = 'translateY(' + first * height + 'px)';
    const made = document.createDocumentFragment();
    for (let i = first; i < last; ++i) made.append(make(i));
    layer.replaceChildren(made);
  };
  list.later = () => { if (!waits) { waits = true; requestAnimationFrame(list.draw); } };
  /** Scrolls so that row `i` is on the screen, at a third of it if it was not. */
  list.reveal = i => {
    const at = i * height, high = view || 600;
    space.style.height = count() * height + 'px';
    if (at < top + height || at > top + high - 2 * height) list.to(Math.max(0, at - high / 3));
  };
  list.to = value => {
    if (value === top) return;
    list.scrollTop = value;
    top = list.scrollTop;
  };
  list.addEventListener('scroll', () => { top = list.scrollTop; list.later(); });
  new ResizeObserver(() => { view = list.clientHeight; top = list.scrollTop; list.later(); }).observe(list);
  return list;
}
