// Which page the address names, the frame around it, keys, light and dark.

const KEYS = [['/', 'search'], ['f', 'find in the text shown'], ['j  k', 'next, previous compile'], ['[  ]', 'previous, next product'], ['n  p', 'next, previous change of a pass'], ['o', 'overview'], ['p', 'problems'], ['s', 'stacks'], ['t', 'time'], ['r', 'records'],
  ['c', 'filter of compiles'], ['d', 'dark, light, as the system'], ['u', 'up: from a product to its compile'], ['?', 'this list']];

const ART_KEYS = [['o', 'overview'], ['p', 'passes'], ['w', 'workbench'], ['k', 'kernels'], ['v', 'provenance'], ['t', 'tasks'], ['g', 'graph of tasks'], ['m', 'memory'], ['j  k', 'next, previous kernel or pass'], ['n  p', 'next, previous change of a pass'], ['u', 'up: from a kernel or pass to all'], ['', 'in the workbench:'], ['j  k', 'next, previous pass'], ['n  p', 'next, previous change'], ['/', 'find in both texts'], ['g', 'go to a line'], ['y', 'copy the address of the line'], ['u', 'one column or two'], ['z', 'fold unchanged lines, or show them'], ['s', 'story of the op'], ['c', 'filter of passes']];
const keyList = () => top_ && top_.diff ? [['o', 'overview'], ['j  k', 'next, previous product'], ['c', 'filter'], ['d', 'dark, light, as the system'], ['?', 'this list']] : [...(top_ && !top_.logs.length ? [] : KEYS), ...(top_ && top_.artifacts.length ? [...(top_.logs.length ? [['', 'in an artifact:']] : [['/', 'search'], ['f', 'find in the text shown'], ['c', 'filter of kernels'], ['d', 'dark, light, as the system'], ['?', 'this list']]), ...ART_KEYS] : [])];
const keyTable = () => h('table', null, h('tbody', null, keyList().map(([k, what]) => h('tr', null, h('td', null, k ? k.split('  ').map(key => [h('kbd', null, key), ' ']) : null), h('td', null, what)))));

async function pageFor(parts) {
  const [page, a, b] = parts;
  if (page === 'ranks') return ranksPage();
  if (page === 'rankdiff') return rankDiffPage(a, b);
  if (page === 'c' && b) {
    const place = b.match(/^(.*?)(?::(\d+(?:-\d+)?))?$/s);
    return productPage(a, place[1], place[2]);
  }
  if (page === 'c') return compilePage(a);
  if (page === 'inductor') return inductorPage(a, b);
  if (page === 'search') return searchPage(a || '');
  const pages = { '': overviewPage, problems: problemsPage, stacks: stacksPage, time: timePage, records: recordsPage, about: aboutPage };
  return Object.hasOwn(pages, page) ? pages[page]() : missingPage('There is no such page.');
}

function aboutPage() {
  return [h('h1', null, 'About this report'),
    help('How this report was made, what it contains, and what to check before sharing it.'),
    h('p', { class: 'alarm note' }, top_.redacted ? 'Redacted: code, names, paths and constants are masked; sizes, times and structure are as they were.'
      : ['This report holds the source code of the model, file paths and configuration of the machine that ' + (top_.logs.length ? 'wrote the log' : 'compiled it') + (top_.constants ? ', and the constants that the program writes out, such as those of up to 64 elements; other weights are not in it. ' : ', but no weights: of each constant of more than one element the elements are elided in every text (', top_.constants ? null : h('code', null, 'dense_resource<__elided__>'), top_.constants ? null : ', [...]); scalars and splats are code, and stay. '), top_.tensors ? 'It has elements of the tensors that runs kept, which may be weights and data of users. ' : null, h('b', null, 'Do not pass it on if any of that is confidential'), '; ', h('code', null, 'mica-report --redact'), ' makes one that holds none of it.']),
    h('table', null, h('tbody', null, Object.entries(top_.about).map(([k, v]) => h('tr', null, h('td', { class: 'soft' }, k), h('td', { class: 'w' }, h('code', null, String(v))))))),
    heading('Files beside this page'),
    top_.single ? h('p', null, 'None: everything is in this file.') : !top_.logs.length ? h('p', null, 'The folder data, which this page reads. Copy the folder as a whole.') : h('ul', null,
      [['compile_directory.json', 'what each compile left, for scripts'], ['raw.jsonl', 'every record but strings and timing events'], ['chromium_events.json', 'timing events, for Perfetto or chrome://tracing']].map(([f, what]) => {
        const folder = f === 'chromium_events.json' ? '' : top_.logs[log.index].folder;
        return h('li', null, h('a', { href: folder + f }, folder + f), ': ' + what);
      })),
    heading('Keys'), keyTable()];
}

const NAV = [['', 'Overview'], ['problems', 'Problems'], ['stacks', 'Stacks'], ['time', 'Time'], ['records', 'Records'], ['about', 'About']];
let sideOf = null;

function navLinks(parts, inArtifact) {
  const many = top_.logs.length > 1, out = [];
  const entry = (href, title, here) => h('a', { href, 'aria-current': here ? 'page' : null }, title);
  const artTitle = i => top_.artifacts.length > 1 || top_.logs.length ? top_.artifacts[i].name : '';
  if (many) out.push(entry('#/ranks', 'Ranks', parts[0] === 'ranks' || parts[0] === 'rankdiff'));
  if (top_.logs.length && !inArtifact) out.push(...NAV.map(([path, title]) => entry(link(path), title, parts[0] === path)));
  if (top_.logs.length && inArtifact) out.push(entry(link(''), many ? 'rank ' + (log ? log.rank : 0) : 'Log', false));
  top_.artifacts.forEach((a, i) => { if ((!inArtifact || i !== art.index) && (!a.traced || i < 6)) out.push(entry('#/a' + (i || '') + '/', artTitle(i) || 'Artifact', false)); });
  if (inArtifact) {
    const same = { k: 'kernels', pass: 'passes', f: 'files', op: 'kernels', story: 'kernels' };
    out.push(...artNav().map(([path, title]) => entry(aLink(path), title, (same[parts[0]] || parts[0] || '') === path)));
    if (!top_.logs.length) out.push(entry('#/about', 'About', parts[0] === 'about'));
  }
  return out;
}

/** The frame of a comparison: its units at the side. */
function drawDiffFrame(parts) {
  document.getElementById('nav').replaceChildren(...[['#/', 'Comparison', parts[0] === ''], ['#/about', 'About', parts[0] === 'about']].map(([href, title, here]) => h('a', { href, 'aria-current': here ? 'page' : null }, title)));
  document.getElementById('find').hidden = true;
  document.getElementById('filter').placeholder = 'filter ( c )';
  if (!comparison) return;
  const side = document.getElementById('list');
  if (sideOf !== comparison) {
    sideOf = comparison;
    side.replaceChildren(...comparison.units.map(u => h('a', { class: 'two', href: unitLink(u), 'data-key': u.name, title: u.name }, h('span', null, u.name), h('span', { class: 't ' + unitState(u)[1] }, unitState(u)[0]))));
  }
  [...side.children].forEach((entry, i) => { if (parts[0] === 'd' && parts[1] === String(i)) entry.setAttribute('aria-current', 'page'); else entry.removeAttribute('aria-current'); });
}

function drawFrame(parts, inArtifact) {
  if (top_.diff) return drawDiffFrame(parts);
  document.getElementById('nav').replaceChildren(...navLinks(parts, inArtifact));
  document.getElementById('brand').href = top_.logs.length > 1 ? '#/ranks' : '#/';
  document.getElementById('rank').textContent = inArtifact ? (top_.logs.length || top_.artifacts.length > 1 ? art.name : '') : top_.logs.length > 1 && log ? 'rank ' + log.rank : '';
  const side = document.getElementById('list'), owner = inArtifact ? art : log;
  document.getElementById('filter').placeholder = inArtifact ? (art.dump ? 'filter passes ( c )' : 'filter kernels ( c )') : 'filter compiles ( c )';
  if (sideOf !== owner) {
    sideOf = owner;
    side.replaceChildren(...(inArtifact && art.dump ? art.passRuns.map(r => h('a', { class: 'two', href: passLink(r), 'data-key': passTitle(r), title: passTitle(r) + (r.pass.phase ? ' of ' + r.pass.phase : '') }, h('span', null, passTitle(r)), h('span', { class: 't' }, changeCounts(r))))
      : inArtifact ? art.kernels.map(k => h('a', { class: 'two', href: kernelLink(k), 'data-key': k.name, title: k.name }, h('span', null, k.name), h('span', { class: 't' }, k.flops > 0 ? count_(k.flops * Math.max(1, k.launches)) : '')))
      : log.compiles.map(c => h('a', { href: compileLink(c), 'data-key': keyOf(c) }, dot(c.status), h('span', null, c.id ? c.id : '–'), h('span', { class: 'soft', title: c.fn }, c.fn || (c.id ? '' : 'no compile')), h('span', { class: 't' }, c.us >= 0 ? duration(c.us) : '')))));
    filterSide();
  }
  const name = inArtifact ? (parts[0] === 'k' ? parts[1] : parts[0] === 'pass' && art.passRuns[Number(parts[1])] ? (art.dump ? passTitle(art.passRuns[Number(parts[1])]) : art.passRuns[Number(parts[1])].op) : null) : parts[0] === 'c' ? parts[1] : null;
  for (const entry of side.children) {
    const here = entry.dataset.key === name;
    if (here) { entry.setAttribute('aria-current', 'page'); entry.scrollIntoView({ block: 'nearest' }); } else if (entry.hasAttribute('aria-current')) entry.removeAttribute('aria-current');
  }
}
function filterSide() {
  const word = document.getElementById('filter').value.toLowerCase();
  [...document.getElementById('list').children].forEach((entry, i) => {
    const c = sideOf === log ? log.compiles[i] : null;
    entry.hidden = word && !(c ? c.id + ' ' + c.fn + ' ' + c.status + ' ' + c.file : entry.dataset.key).toLowerCase().includes(word);
    entry.style.display = entry.hidden ? 'none' : '';
  });
}

let showing = 0;
/** Puts a page into the frame. */
function fill(parts, content, inArtifact) {
  const main = document.getElementById('main');
  drawFrame(parts, inArtifact);
  main.replaceChildren(...[content].flat(Infinity).filter(Boolean), h('footer', null, top_.about.tool, ' · ', h('a', { href: top_.logs.length ? link('about') : '#/about' }, 'about and privacy'), ' · ', h('kbd', null, '?'), ' keys'));
  document.getElementById('frame').classList.toggle('wide', inArtifact && (parts[0] === 'prov' || parts[0] === 'work' || (parts[0] === 'pass' && !art.dump)));
  const title = main.querySelector('h1');
  document.title = (title ? title.textContent + ' – ' : '') + ((inArtifact ? art.name : log && log.name) || 'report');
  if (!/:\d/.test(location.hash)) window.scrollTo(0, 0);
  main.dataset.page = location.hash || '#/';
}

async function show() {
  const run = ++showing;
  const main = document.getElementById('main');
  document.getElementById('tip').hidden = true;
  let parts = location.hash.replace(/^#\/?/, '').split('/').map(part => { try { return decodeURIComponent(part); } catch { return part; } });
  try {
    if (top_.diff) {
      const page = parts[0] === 'about' ? await pageFor(parts) : await diffPage(parts);
      if (run !== showing) return;
      return fill(parts, page, false);
    }
    const inside = parts[0].match(/^a(\d*)$/), about = parts[0] === 'about' || parts[0] === 'search';
    const first = !top_.logs.length && !inside && !about;
    if (inside || (!top_.logs.length && (parts[0] === '' || about)) || first) {
      const number = inside && inside[1] ? Number(inside[1]) : art && about ? art.index : 0;
      if (top_.artifacts[number]) art = await loadArtifact(number);
      const rest = inside ? parts.slice(1) : about ? parts : [''];
      const page = !top_.artifacts[number] ? missingPage('There is no such page.') : about ? await pageFor(parts) : first && parts[0] !== '' ? missingPage('There is no such page.') : await artifactPage(rest);
      if (run !== showing) return;
      return fill(rest, page, true);
    }
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
    fill(parts, content, false);
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

/** Keys on an artifact's pages; whether the key was one. */
function artifactKeys(event, focus, follow, dialog) {
  const parts = location.hash.split('/'), inside = /^a\d*$/.test(parts[1] || '') || !top_.logs.length;
  if (!inside || !art) return false;
  const page = /^a\d*$/.test(parts[1] || '') ? parts[2] : '', to = path => { location.hash = aLink(path); };
  if (page === 'work' && workPage.keys && workPage.keys(event)) return true;
  const has = path => artNav().some(([p]) => p === path);
  if (page === 'pass' && (event.key === 'n' || event.key === 'p') && passPage.step) { passPage.step(event.key === 'n' ? 1 : -1); return true; }
  switch (event.key) {
    case '/': focus('find'); break;
    case 'f': focus('inPage'); break;
    case 'c': focus('filter'); break;
    case 'd': theme(true); break;
    case 'o': to(''); break;
    case 'p': if (has('passes')) to('passes'); break;
    case 'w': if (has('work')) { const run = page === 'pass' ? art.passRuns[Number(parts[parts.indexOf('pass') + 1])] : null; if (run) location.hash = workLink(run); else to('work'); } break;
    case 'v': { const beside = document.getElementById('beside'); if (beside) location.hash = beside.getAttribute('href'); else if (has('prov')) to('prov'); break; }
    case 't': if (has('tasks')) to('tasks'); break;
    case 'g': if (has('graph')) to('graph'); break;
    case 'm': if (has('memory')) to('memory'); break;
    case 'j': if (document.getElementById('next')) follow('next'); else if (art.dump && page !== 'pass') { const first = art.passRuns.find(r => r.file >= 0); if (first) location.hash = passLink(first); } else if (art.kernels[0] && page !== 'k' && page !== 'pass') location.hash = kernelLink(art.kernels[0]); break;
    case 'k': if (page === 'k' || page === 'pass') follow('prev'); else if (has('kernels')) to('kernels'); break;
    case 'u': to(page === 'pass' ? 'passes' : page === 'k' ? 'kernels' : ''); break;
    case '?': if (dialog.open) dialog.close(); else dialog.showModal(); break;
    default: return false;
  }
  return true;
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
  if (top_.diff) {
    if (event.key === 'c') focus('filter');
    else if (event.key === 'o') location.hash = '#/';
    else if (event.key === 'd') theme(true);
    else if (event.key === 'j') follow('next');
    else if (event.key === 'k') follow('prev');
    else if ((event.key === 'n' || event.key === 'p') && passPage.step) passPage.step(event.key === 'n' ? 1 : -1);
    else if (event.key === '?') { if (dialog.open) dialog.close(); else dialog.showModal(); }
    return;
  }
  if (artifactKeys(event, focus, follow, dialog)) return;
  if (!log) return;
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

/** Of a report that is served: shows what is new when the server has made it anew. */
async function follow() {
  const ask = async () => (await fetch('version')).text();
  let seen = null;
  for (;;) {
    try {
      const now = await ask();
      if (seen !== null && now !== seen) {
        loaded.clear();
        for (const script of document.querySelectorAll('head script[src]')) script.remove();
        [log, art, comparison, sideOf] = [undefined, undefined, undefined, null];
        top_ = await load('report');
        const at = window.scrollY;
        await show();
        window.scrollTo(0, at);
        document.documentElement.dataset.version = now;
      }
      seen = now;
    } catch { /* the server has stopped: what is shown stays */ }
    await new Promise(next => setTimeout(next, 1000));
  }
}

async function start() {
  theme(false);
  const dialog = document.getElementById('keys');
  document.getElementById('find').addEventListener('keydown', event => {
    if (event.key !== 'Enter' || !event.target.value) return;
    location.hash = top_.logs.length ? link('search/' + encodeURIComponent(event.target.value)) : '#/search/' + encodeURIComponent(event.target.value);
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
  dialog.append(h('h2', null, 'Keys'), keyTable(), h('button', { onclick: () => dialog.close() }, 'close'));
  window.addEventListener('hashchange', show);
  if (top_.served) follow();
  await show();
}
start();
