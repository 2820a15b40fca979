// Which page the address names, the frame around it, keys, light and dark.

const KEYS = [['/', 'search'], ['f', 'find in the text shown'], ['j  k', 'next, previous compile'], ['[  ]', 'previous, next product'], ['o', 'overview'], ['p', 'problems'], ['s', 'stacks'], ['t', 'time'], ['r', 'records'],
  ['c', 'filter of compiles'], ['d', 'dark, light, as the system'], ['u', 'up: from a product to its compile'], ['?', 'this list']];

async function pageFor(parts) {
  const [page, a, b] = parts;
  if (page === 'ranks') return ranksPage();
  if (page === 'rankdiff') return rankDiffPage(a, b);
  if (page === 'c' && b) {
    const place = b.match(/^(.*?)(?::(\d+(?:-\d+)?))?$/s);
    return productPage(a, place[1], place[2]);
  }
  if (page === 'c') return compilePage(a);
  if (page === 'search') return searchPage(a || '');
  const pages = { '': overviewPage, problems: problemsPage, stacks: stacksPage, time: timePage, records: recordsPage, about: aboutPage };
  return Object.hasOwn(pages, page) ? pages[page]() : missingPage('There is no such page.');
}

function aboutPage() {
  return [h('h1', null, 'About this report'),
    help('What made it, what it holds, and what to think of before passing it on.'),
    h('p', { class: 'alarm note' }, top_.redacted ? 'Redacted: code, names, paths and constants are masked; sizes, times and structure are as they were.'
      : ['This report holds the source code of the model, file paths and configuration of the machine that wrote the log, but no weights. ', h('b', null, 'Do not pass it on if any of that is confidential'), '; ', h('code', null, 'mica-report --redact'), ' makes one that holds none of it.']),
    h('table', null, h('tbody', null, Object.entries(top_.about).map(([k, v]) => h('tr', null, h('td', { class: 'soft' }, k), h('td', { class: 'w' }, h('code', null, String(v))))))),
    heading('Files beside this page'),
    top_.single ? h('p', null, 'None: everything is in this file.') : h('ul', null,
      [['compile_directory.json', 'what each compile left, for scripts'], ['raw.jsonl', 'every record but strings and timing events'], ['chromium_events.json', 'timing events, for Perfetto or chrome://tracing']].map(([f, what]) => {
        const folder = f === 'chromium_events.json' ? '' : top_.logs[log.index].folder;
        return h('li', null, h('a', { href: folder + f }, folder + f), ': ' + what);
      })),
    heading('Keys'), h('table', null, h('tbody', null, KEYS.map(([k, what]) => h('tr', null, h('td', null, k.split('  ').map(key => [h('kbd', null, key), ' '])), h('td', null, what)))))];
}

const NAV = [['', 'Overview'], ['problems', 'Problems'], ['stacks', 'Stacks'], ['time', 'Time'], ['records', 'Records'], ['about', 'About']];
let sideLog = null;

function drawFrame(parts) {
  const nav = document.getElementById('nav');
  nav.replaceChildren(...[top_.logs.length > 1 ? h('a', { href: '#/ranks', 'aria-current': parts[0] === 'ranks' || parts[0] === 'rankdiff' ? 'page' : null }, 'Ranks') : null,
    ...NAV.map(([path, title]) => h('a', { href: link(path), 'aria-current': parts[0] === path ? 'page' : null }, title))].filter(Boolean));
  document.getElementById('brand').href = top_.logs.length > 1 ? '#/ranks' : '#/';
  document.getElementById('rank').textContent = top_.logs.length > 1 && log ? 'rank ' + log.rank : '';
  const side = document.getElementById('list');
  if (sideLog !== log) {
    sideLog = log;
    side.replaceChildren(...log.compiles.map(c => h('a', { href: compileLink(c), 'data-key': keyOf(c) }, dot(c.status), h('span', null, c.id ? c.id : '–'), h('span', { class: 'soft', title: c.fn }, c.fn || (c.id ? '' : 'no compile')), h('span', { class: 't' }, c.us >= 0 ? duration(c.us) : ''))));
    filterSide();
  }
  for (const entry of side.children) {
    const here = parts[0] === 'c' && entry.dataset.key === parts[1];
    if (here) { entry.setAttribute('aria-current', 'page'); entry.scrollIntoView({ block: 'nearest' }); } else entry.removeAttribute('aria-current');
  }
}
function filterSide() {
  const word = document.getElementById('filter').value.toLowerCase();
  [...document.getElementById('list').children].forEach((entry, i) => {
    const c = log.compiles[i];
    entry.hidden = word && !(c.id + ' ' + c.fn + ' ' + c.status + ' ' + c.file).toLowerCase().includes(word);
    entry.style.display = entry.hidden ? 'none' : '';
  });
}

let showing = 0;
async function show() {
  const run = ++showing;
  const main = document.getElementById('main');
  document.getElementById('tip').hidden = true;
  let parts = location.hash.replace(/^#\/?/, '').split('/').map(part => { try { return decodeURIComponent(part); } catch { return part; } });
  try {
    let index = log ? log.index : 0;
    const rank = parts[0].match(/^r(-?\d+)$/);
    if (rank) {
      index = Math.max(0, top_.logs.findIndex(entry => String(entry.rank) === rank[1]));
      parts = parts.slice(1);
      if (!parts.length) parts = [''];
    } else if (top_.logs.length > 1 && parts[0] === '') {
      parts = ['ranks'];
    }
    log = await loadLog(index);
    const content = await pageFor(parts);
    if (run !== showing) return;
    drawFrame(parts);
    main.replaceChildren(...[content].flat(Infinity).filter(Boolean), h('footer', null, top_.about.tool, ' · ', h('a', { href: link('about') }, 'about and privacy'), ' · ', h('kbd', null, '?'), ' keys'));
    const title = main.querySelector('h1');
    document.title = (title ? title.textContent + ' – ' : '') + (log.name || 'report');
    if (!location.hash.includes(':')) window.scrollTo(0, 0);
    main.dataset.page = location.hash || '#/';
  } catch (error) {
    if (run !== showing) return;
    main.replaceChildren(h('h1', null, 'This page cannot be shown'), h('p', { class: 'alarm' }, String(error.message || error)));
    main.dataset.page = location.hash || '#/';
    console.error(error);
  }
}

function theme(next) {
  const order = ['', 'dark', 'light'], root = document.documentElement;
  if (next) {
    const value = order[(order.indexOf(root.dataset.theme || '') + 1) % 3];
    try { localStorage.setItem('mica-theme', value); } catch { /* from a file there may be no storage */ }
    root.dataset.theme = value;
  } else {
    try { root.dataset.theme = localStorage.getItem('mica-theme') || ''; } catch { /* as above */ }
  }
  window.dispatchEvent(new Event('resize'));
}

function keys(event) {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const dialog = document.getElementById('keys');
  if (/^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName)) {
    if (event.key === 'Escape') event.target.blur();
    return;
  }
  const focus = id => { const box = document.getElementById(id); if (box) { box.focus(); box.select(); event.preventDefault(); } };
  const follow = id => { const anchor = document.getElementById(id); if (anchor && anchor.href) location.hash = anchor.getAttribute('href'); };
  const go = path => { location.hash = link(path); };
  const parts = location.hash.split('/');
  const at = () => { const i = parts.indexOf('c'); return i >= 0 && parts[i + 1] !== undefined ? find(decodeURIComponent(parts[i + 1])) : null; };
  switch (event.key) {
    case '/': return focus('find');
    case 'f': return focus('inPage');
    case 'c': return focus('filter');
    case 'o': return go('');
    case 'p': return go('problems');
    case 's': return go('stacks');
    case 't': return go('time');
    case 'r': return go('records');
    case 'd': return theme(true);
    case 'j': case 'k': {
      const here = at(), next = log.compiles[here ? here.index + (event.key === 'j' ? 1 : -1) : 0];
      if (next) location.hash = compileLink(next);
      return;
    }
    case 'u': { const here = at(); if (here) location.hash = compileLink(here); return; }
    case '[': return follow('prevProduct');
    case ']': return follow('nextProduct');
    case '?': return dialog.open ? dialog.close() : dialog.showModal();
    default:
  }
}

async function start() {
  theme(false);
  const dialog = document.getElementById('keys');
  dialog.append(h('h2', null, 'Keys'), h('table', null, h('tbody', null, KEYS.map(([k, what]) => h('tr', null, h('td', null, k.split('  ').map(key => [h('kbd', null, key), ' '])), h('td', null, what))))), h('button', { onclick: () => dialog.close() }, 'close'));
  document.getElementById('find').addEventListener('keydown', event => {
    if (event.key !== 'Enter' || !event.target.value) return;
    location.hash = link('search/' + encodeURIComponent(event.target.value));
    event.target.blur(); // so that keys work on the results
  });
  document.getElementById('filter').addEventListener('input', filterSide);
  document.getElementById('theme').addEventListener('click', () => theme(true));
  document.addEventListener('keydown', keys);
  const top = document.getElementById('top');
  new ResizeObserver(() => document.documentElement.style.setProperty('--topheight', top.offsetHeight + 'px')).observe(top);
  try { top_ = await load('report'); } catch (error) {
    document.getElementById('main').replaceChildren(h('p', { class: 'alarm' }, String(error.message || error)));
    return;
  }
  window.addEventListener('hashchange', show);
  await show();
}
start();
