// Names for the rows that the report's data is made of (lib/Report/Log/PageData.cpp).

function named(row, names) {
  const object = {};
  names.forEach((name, i) => { object[name] = row[i]; });
  return object;
}
const COMPILE = ['id', 'status', 'fn', 'file', 'line', 'us', 'ops', 'guards', 'products', 'productBytes', 'attempts', 'rounds', 'caches',
  'stacks', 'text', 'bytes', 'records', 'firstLine', 'artifact'];
const PRODUCT = ['name', 'attempt', 'round', 'bytes', 'lines', 'text', 'logLine', 'mark', 'note', 'url', 'md5'];
const METRICS = ['kind', 'text', 'attempt', 'round', 'restarts', 'recompile', 'failType', 'failReason', 'failFile', 'failLine'];

const STATUS = {
  failed: 'the compile ended with an error',
  unfinished: 'the compile began; its end is not in the log',
  restarted: 'compiled, after a graph break, a rejected strategy or another restart reason',
  empty: 'compiled, but no op was captured',
  ok: 'compiled',
  none: 'records that name no compile',
};

/** The log of rank number `index` of the report, ready for pages. */
async function loadLog(index) {
  const data = await load('log' + index);
  if (data.ready) return data;
  data.ready = true;
  data.index = index;
  data.compiles = data.compiles.map((row, i) => Object.assign(named(row, COMPILE), { index: i }));
  data.byKey = new Map(data.compiles.map(c => [keyOf(c), c]));
  data.problems = data.problems.map(row => named(row, ['kind', 'text', 'where', 'count', 'compiles']));
  data.damage = data.defectKinds.reduce((sum, [, damage, count]) => sum + (damage ? count : 0), 0);
  data.prefix = commonFolder(data.frames.map(f => f[0]));
  return data;
}

/** How a compile is named in addresses: "0.1" for 0/1, "-" for records of no compile. */
const keyOf = c => c.id ? c.id.replace(/\//g, '.') : '-';
const titleOf = c => c.id ? '[' + c.id + ']' : 'no compile id';
const rankPart = index => top_.logs.length > 1 ? 'r' + top_.logs[index].rank + '/' : '';
const link = (path, index) => '#/' + (top_.logs.length ? rankPart(index ?? (log ? log.index : 0)) : '') + path;
const productKey = p => (p.attempt ? p.attempt + '~' : '') + p.name;
const compileLink = (c, index) => link('c/' + encodeURIComponent(keyOf(c)), index);
const productLink = (c, p, line) => compileLink(c) + '/' + encodeURIComponent(productKey(p)) + (line ? ':' + line : '');

const dot = status => h('span', { class: 'dot ' + status, title: status + ': ' + STATUS[status] });
const idLink = c => h('a', { class: 'id', href: compileLink(c), title: c.fn + '  ' + c.status }, dot(c.status), titleOf(c));

/** Links to the compiles at these positions, the first of them. */
function idList(positions, most = 8) {
  const list = h('span', { class: 'ids' }, positions.slice(0, most).map(i => idLink(log.compiles[i])));
  if (positions.length > most)
    list.append(h('button', { onclick: event => {
      event.target.remove();
      list.append(...positions.slice(most).map(i => idLink(log.compiles[i])));
    } }, '+' + (positions.length - most)));
  return list;
}

function commonFolder(files) {
  const full = [...new Set(files)].filter(f => f.startsWith('/'));
  if (full.length < 2) return full.length ? full[0].slice(0, full[0].lastIndexOf('/') + 1) : '';
  let prefix = full[0];
  for (const file of full)
    while (!file.startsWith(prefix)) prefix = prefix.slice(0, prefix.lastIndexOf('/', prefix.length - 2) + 1);
  return prefix.slice(0, prefix.lastIndexOf('/') + 1);
}
/** A path without what says nothing: the folder all share, or the installation's. */
function shortPath(file) {
  const library = file.match(/\/(?:site|dist)-packages\/(.*)$/) || file.match(/^.*\/((?:torch|python3\.\d+)\/.*)$/);
  if (library) return library[1];
  if (log.prefix.length > 1 && file.startsWith(log.prefix)) return file.slice(log.prefix.length);
  const parts = file.split('/');
  return parts.length > 5 ? '…/' + parts.slice(-3).join('/') : file;
}

/** The spans of the log, parsed once. */
const spansOf = of => of.spanRows ??= json(of.spans);

const details = async compile => {
  const data = await json(compile.text);
  return {
    products: data.products.map(row => named(row, PRODUCT)),
    metrics: data.metrics.map(row => named(row, METRICS)),
    links: data.links, facts: data.facts, more: data.more,
  };
};

function markOf(mark) {
  if (mark === 'hit') return h('span', { class: 'badge good', title: 'found in the cache' }, '✓ hit');
  if (mark === 'miss') return h('span', { class: 'badge warn', title: 'not in the cache' }, '✗ miss');
  if (mark === 'bypass') return h('span', { class: 'badge bad', title: 'the cache could not be used' }, '? bypass');
  return '';
}
