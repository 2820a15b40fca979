'use strict';
// Data and DOM. Everything a log says reaches the page as text of a node or as a number: there is no markup made of
// strings.

const waiting = new Map();
const loaded = new Map();

/** Called by the scripts in data/, which hold deflated JSON in base64. */
window.micaData = (name, packed) => {
  const take = waiting.get(name);
  if (take) take(packed);
};

async function unpack(packed) {
  const bytes = Uint8Array.from(atob(packed), c => c.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate'));
  return JSON.parse(await new Response(stream).text());
}

/** The JSON named `name`: of the page itself in a single file, else of data/<name>.js. */
// Of this script; its attribute is hidden from the page.
const nonce = document.currentScript.nonce;

function load(name) {
  if (loaded.has(name)) return loaded.get(name);
  const inline = document.getElementById('mica-' + name);
  const packed = inline ? Promise.resolve(inline.textContent.trim()) : new Promise((resolve, reject) => {
    waiting.set(name, resolve);
    const script = document.createElement('script');
    script.nonce = nonce;
    script.src = 'data/' + name + '.js';
    script.onerror = () => reject(new Error('data/' + name + '.js is missing: was the folder copied whole?'));
    document.head.append(script);
  });
  const result = packed.then(unpack);
  loaded.set(name, result);
  // Packs are large and many: only the last ones are kept.
  const packs = [...loaded.keys()].filter(key => key.startsWith('pack'));
  if (packs.length > 32) loaded.delete(packs[0]);
  return result;
}

let top_;  // what is common to all logs of the report
let log;   // the log shown, see model.js

function packOf(number) {
  let low = 0, high = top_.packs.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (top_.packs[middle] <= number) low = middle; else high = middle - 1;
  }
  return low;
}
/** The text with this number in the store. */
async function text(number) {
  const pack = packOf(number);
  return (await load('pack' + pack))[number - top_.packs[pack]];
}
const json = async number => JSON.parse(await text(number));

/** An element. Properties: `class`, `on<event>`, anything else an attribute; children: nodes, texts, lists, null. */
function h(tag, properties, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties || {})) {
    if (value === null || value === undefined || (value === false && name !== 'aria-pressed')) continue;
    if (name.startsWith('on')) element.addEventListener(name.slice(2), value);
    else if (name === 'class') element.className = value;
    else if (name === 'value') element.value = value;
    else element.setAttribute(name, value === true && !name.startsWith('aria-') ? '' : value);
  }
  element.append(...children.flat(Infinity).filter(child => child !== null && child !== undefined && child !== false));
  return element;
}

const group = n => String(Math.round(n)).replace(/\B(?=(\d{3})+$)/g, ',');
function bytes(n) {
  if (n < 1024) return n + ' B';
  const units = ['KiB', 'MiB', 'GiB', 'TiB'];
  let i = -1;
  do { n /= 1024; ++i; } while (n >= 1024 && i < 3);
  return n.toFixed(n < 10 ? 1 : 0) + ' ' + units[i];
}
function duration(us) {
  if (us === null || us === undefined || us < 0) return '–';
  if (us < 1000) return Math.round(us) + ' µs';
  if (us < 1e6) return (us / 1e3).toFixed(us < 1e4 ? 2 : 1) + ' ms';
  if (us < 120e6) return (us / 1e6).toFixed(2) + ' s';
  return Math.floor(us / 60e6) + ' min ' + Math.round(us % 60e6 / 1e6) + ' s';
}
const plural = (n, one, many) => group(n) + ' ' + (n === 1 ? one : many || one + 's');

/** A link out of the report: only to the web, and named by where it goes. Anything else is text. */
function outside(name, url) {
  if (!/^https?:\/\/[^\s]+$/i.test(url)) return h('span', null, name, ' ', h('code', { class: 'soft' }, url));
  return h('a', { href: url, rel: 'noopener noreferrer', target: '_blank', title: url }, name || url, ' ↗');
}

/** A value in a cell with a bar behind it. */
function bar(value, most, label) {
  const cell = h('td', { class: 'bar num' }, h('i'), h('span', null, label));
  cell.firstChild.style.width = (most > 0 ? Math.max(0, value) / most * 100 : 0) + '%';
  return cell;
}

/**
 * A table that sorts by a click on a column. Columns: [title, value for sorting, cell or text, 'num'].
 * More than `page` rows are added as one scrolls to the end.
 */
function table(rows, columns, page = 300) {
  const body = h('tbody');
  let shown = 0, order = rows;
  const more = h('button', { onclick: () => add() }, 'more');
  function add() {
    for (const row of order.slice(shown, shown + page))
      body.append(h('tr', null, columns.map(([, value, cell, kind]) => {
        const made = cell ? cell(row) : String(value(row) ?? '');
        return made instanceof HTMLTableCellElement ? made : h('td', { class: kind || null }, made);
      })));
    shown = Math.min(order.length, shown + page);
    more.hidden = shown >= order.length;
    more.textContent = 'show more (' + group(order.length - shown) + ')';
  }
  const head = h('tr', null, columns.map(([title, value, , kind]) => {
    const cell = h('th', { class: kind === 'num' ? 'num' : null, scope: 'col' },
      value ? h('button', { onclick: () => {
        const down = cell.getAttribute('aria-sort') ? cell.getAttribute('aria-sort') === 'ascending' : kind === 'num';
        for (const other of head.children) other.removeAttribute('aria-sort');
        cell.setAttribute('aria-sort', down ? 'descending' : 'ascending');
        order = [...rows].sort((a, b) => {
          const x = value(a), y = value(b);
          return (x < y ? -1 : x > y ? 1 : 0) * (down ? -1 : 1);
        });
        body.replaceChildren();
        shown = 0;
        add();
      } }, title) : title);
    return cell;
  }));
  add();
  return h('div', { class: 'table' }, h('table', { class: 'wide' }, h('thead', null, head), body), more);
}

const help = (...parts) => h('p', { class: 'help' }, parts);
const heading = (title, note) => h('h2', null, title, note ? [' ', h('small', null, note)] : null);

async function copy(value, button) {
  try { await navigator.clipboard.writeText(value); } catch {
    const area = h('textarea', { value });
    document.body.append(area);
    area.select();
    document.execCommand('copy');
    area.remove();
  }
  const label = button.textContent;
  button.textContent = 'copied';
  setTimeout(() => { button.textContent = label; }, 900);
}
function save(value, name) {
  const url = URL.createObjectURL(new Blob([value], { type: 'text/plain' }));
  h('a', { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 1000);
}

/** Names the place on the page in its address, without leaving the page. */
function stay(href) {
  history.replaceState(null, '', href);
  document.getElementById('main').dataset.page = location.hash;
}
