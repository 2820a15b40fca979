// Provenance: a line in one stage, and its counterparts in every other, by line maps and the manifest.

/** The map of a file, ready to ask: sets, the set and the kernel line of each line, and the lines of each id and kernel line. */
async function mapOf(file) {
  if (file.ready !== undefined) return file.ready;
  if (file.map < 0) return file.ready = null;
  const raw = await json(file.map), size = raw.lines.reduce((m, r) => Math.max(m, r[1]), 0) + 2;
  const map = { sets: raw.sets.map(([ids, sources]) => ({ ids, sources })), kernels: raw.kernels, setOf: new Int32Array(Math.min(size, 5e6)).fill(-1), kernelOf: null, byId: new Map(), byKernelLine: new Map(), bySource: new Map() };
  if (raw.lines.some(r => r.length >= 5)) map.kernelOf = new Int32Array(map.setOf.length).fill(-1);
  for (const [first, last, set, kernel, kernelLine] of raw.lines) {
    if (!map.sets[set]) continue;
    for (let line = Math.max(1, first); line <= Math.min(last, map.setOf.length - 1); ++line) {
      map.setOf[line] = set;
      if (kernelLine !== undefined && map.kernelOf) {
        map.kernelOf[line] = kernelLine;
        const key = map.kernels[kernel] + ':' + kernelLine;
        if (!map.byKernelLine.has(key)) map.byKernelLine.set(key, []);
        map.byKernelLine.get(key).push(line);
        (map.fileOf ||= new Map()).set(line, map.kernels[kernel]);
      }
    }
  }
  for (const [first, last, set] of raw.lines) {
    if (!map.sets[set]) continue;
    for (const id of map.sets[set].ids) { if (!map.byId.has(id)) map.byId.set(id, []); map.byId.get(id).push([first, last]); }
    for (const source of map.sets[set].sources) {
      const at = source.match(/^(.*?):(\d+)(?::\d+)?$/s);
      if (!at) continue;
      const key = at[1] + '\n' + at[2];
      if (!map.bySource.has(key)) map.bySource.set(key, []);
      map.bySource.get(key).push([first, last]);
    }
  }
  return file.ready = map;
}

/** The kernel a file belongs to, or null. */
function kernelOfFile(file) {
  const folder = file.path.match(/^kernels\/([^/]+)\//);
  if (folder) return art.byKernel.get(folder[1]) || null;
  const snapshot = file.path.match(/^passes_dump\/[^@]*@(.*)\.mlir$/);
  return snapshot ? art.byKernel.get(snapshot[1].split('.')[0]) || null : null;
}
/** Equal kernels are compiled once, with the ids of the first site: `ids` of the program as those of the kernel's files. */
function idsInKernel(kernel, ids) {
  const out = new Set(ids);
  for (const site of art.sitesOf[kernel.index]) site.ids.forEach((id, i) => { if (ids.has(id) && kernel.ops[i]) out.add(kernel.ops[i]); });
  return out;
}
/** And back: ids in the kernel's files as those of every site that launches it. */
function idsOfSites(kernel, ids) {
  const out = new Set(ids);
  kernel.ops.forEach((id, i) => { if (ids.has(id)) for (const site of art.sitesOf[kernel.index]) if (site.ids[i]) out.add(site.ids[i]); });
  return out;
}

// What a pane may show: a source text, "s" and its number, or a file, its number.
const paneName = key => key[0] === 's' ? (art.sources[Number(key.slice(1))] || { file: '?' }).file.replace(/^.*\//, '') : (art.files[Number(key)] || { path: '?' }).path.replace(/^(passes_dump|kernels\/[^/]+)\//, '').replace(/@[^.]*(\..*)?\.mlir$/, (_, inner) => inner || '');
function stageOf(key) {
  if (key[0] === 's') return 'source';
  const path = (art.files[Number(key)] || { path: '' }).path;
  if (path.endsWith('.ll')) return 'LLVM IR';
  if (/\.(s|ptx)$/.test(path)) return 'assembly';
  if (/kernel\.mlir$/.test(path)) return 'loops';
  const run = art.passRuns.find(r => r.file === Number(key));
  return run ? run.pass.phase || 'snapshot' : path.startsWith('host/') ? 'schedule' : 'input';
}

/** Snapshots of the program that say most: as parsed, and the last of each phase that has ids. */
function programSnapshots() {
  const last = new Map(), input = art.byPath.get('passes_dump/0000_input.mlir');
  for (const run of art.passRuns) if (run.file >= 0 && !art.byKernel.has(run.op.split('.')[0]) && art.files[run.file].map >= 0) last.set(run.pass.phase, run.file);
  const out = [...last].filter(([phase]) => phase !== 'input').map(([, file]) => file);
  return input && input.map >= 0 ? [input.index, ...out] : out;
}
/** Of a dump: its source, then the last text in each language of what `run` compiled, the first one before them. */
function dumpPanes(run) {
  const panes = art.sources.filter(s => s.text >= 0).slice(0, 1).map(s => 's' + s.index), last = new Map();
  for (const r of art.passRuns)
    if (r.pass.phase === run.pass.phase)
      for (const file of [r.before, r.file])
        if (file >= 0 && art.files[file].map >= 0) {
          const ending = art.files[file].path.replace(/^.*\./, '');
          if (!last.has(ending)) last.set(ending, [file, file]);
          last.get(ending)[1] = file;
        }
  return [...new Set([...panes, ...[...last.values()].flat().map(String)])].slice(0, 5);
}
/** The panes one wants beside a kernel: source, program, loops, LLVM IR, assembly. */
function usualPanes(kernel) {
  if (art.dump) return dumpPanes(art.passRuns[0]);
  const panes = art.sources.filter(s => s.text >= 0).slice(0, 1).map(s => 's' + s.index), snapshotsHere = programSnapshots();
  if (!panes.length && snapshotsHere.length) panes.push(String(snapshotsHere[0]));
  const tensor = snapshotsHere.find(i => { const run = art.passRuns.find(r => r.file === i); return run && run.pass.phase === 'tensor'; });
  if (tensor !== undefined && panes.length < 2) panes.push(String(tensor));
  for (const ending of ['.mlir', '.ll', '.s', '.ptx']) {
    const file = kernel && kernel.code.find(f => f && f.map >= 0 && f.path.endsWith('kernel' + ending));
    if (file) panes.push(String(file.index));
  }
  if (!kernel) for (const i of snapshotsHere.slice(1)) if (panes.length < 4) panes.push(String(i));
  return [...new Set(panes)];
}

/** An address of the page: {files, kernel, file, line, source, id}. */
function provenanceLink({ files, kernel, file, line, source, id }) {
  if (id) return aLink('prov/-/id:' + id);
  if (source !== undefined) {
    const at = art.sources.findIndex(s => s.file === source);
    return aLink('prov/-/' + (at >= 0 ? 's' + at : 'f' + encodeURIComponent(source)) + ':' + line);
  }
  let panes = files ? files.map(String) : usualPanes(kernel);
  if (files) {
    if (art.dump) return aLink('prov/' + [...new Set([...art.sources.slice(0, 1).map(s => 's' + s.index), ...panes])].join('~') + (line && file ? '/' + file.index + ':' + line : ''));
    const own = kernelOfFile(art.files[files[files.length - 1]]);
    panes = [...new Set([...usualPanes(own).filter(p => p[0] === 's' || !own), ...panes, ...(own ? usualPanes(own).filter(p => p[0] !== 's') : [])])].slice(0, 5);
  }
  return aLink('prov/' + panes.join('~') + (line && file ? '/' + file.index + ':' + line : ''));
}

/** What a line stands for: ids as the program has them, positions, and the line of the kernel's loops. */
function meaningOf(pane, line) {
  const m = { ids: new Set(), sources: new Set(), kernelFile: -1, kernelLine: -1 };
  if (pane.source) {
    m.sources.add(pane.source.file + '\n' + line);
    const at = wanted => { for (const op of art.ops) if (op[5].some(place => place[0] === pane.source.file && place[1] === wanted)) m.ids.add(op[0]); };
    at(line);
    if (m.ids.size) return m;
    // Within an op of several lines: the one that begins before.
    const begin = art.ops.reduce((most, op) => op[5].reduce((best, place) => place[0] === pane.source.file && place[1] < line ? Math.max(best, place[1]) : best, most), 0);
    if (begin) { at(begin); m.begin = begin; m.sources.add(pane.source.file + '\n' + begin); }
    return m;
  }
  if (!pane.map) return m;
  const set = pane.map.sets[pane.map.setOf[line] ?? -1];
  if (set) {
    m.ids = pane.kernel ? idsOfSites(pane.kernel, new Set(set.ids)) : new Set(set.ids);
    for (const s of set.sources) { const at = s.match(/^(.*?):(\d+)(?::\d+)?$/s); if (at) m.sources.add(at[1] + '\n' + at[2]); }
  }
  if (/\/kernel\.mlir$/.test(pane.file.path)) { m.kernelFile = pane.file.index; m.kernelLine = line; }
  else if (pane.map.kernelOf && pane.map.kernelOf[line] > 0) { m.kernelFile = pane.map.fileOf.get(line); m.kernelLine = pane.map.kernelOf[line]; }
  return m;
}
/** The lines of a pane that are counterparts: exact ones, and those of the same op. */
function counterpartsOf(pane, m) {
  const exact = [], same = [];
  if (pane.source) {
    for (const key of m.sources) { const [file, line] = key.split('\n'); if (file === pane.source.file) exact.push([Number(line), Number(line)]); }
    if (!exact.length) for (const id of m.ids) for (const at of (art.byId.get(id) || [0, 0, 0, 0, 0, []])[5]) if (at[0] === pane.source.file) same.push([at[1], at[1]]);
    return { exact, same };
  }
  if (!pane.map) return { exact, same };
  if (m.kernelLine > 0) {
    if (pane.file.index === m.kernelFile) exact.push([m.kernelLine, m.kernelLine]);
    else for (const line of pane.map.byKernelLine.get(m.kernelFile + ':' + m.kernelLine) || []) exact.push([line, line]);
  }
  const ids = pane.kernel ? idsInKernel(pane.kernel, m.ids) : m.ids;
  for (const id of ids) for (const range of pane.map.byId.get(id) || []) same.push(range);
  if (!m.ids.size) for (const key of m.sources) for (const range of pane.map.bySource.get(key) || []) same.push(range);
  return { exact, same };
}

async function provenancePage(paneText, placeText_) {
  if (!art.files.some(f => f.map >= 0)) return missingPage('This artifact has no line maps.');
  let keys = paneText && paneText !== '-' ? paneText.split('~') : [], start = null;
  const place = (placeText_ || '').match(/^(id:|f?)(.*?)(?::(\d+))?$/s);
  if (place && place[1] === 'id:') start = { ids: new Set([place[2]]) };
  else if (place && place[1] === 'f') start = { source: place[2], line: Number(place[3]) };
  else if (place && place[3]) start = { key: place[2], line: Number(place[3]) };
  if (start && start.key && start.key[0] === 's' && art.sources[Number(start.key.slice(1))]) Object.assign(start, { source: art.sources[Number(start.key.slice(1))].file });
  if (!keys.length) {
    // The kernel of what was asked for, or the one with the most work.
    const wanted = start && start.ids || new Set(art.ops.filter(op => start && start.source && op[5].some(at => at[0] === start.source && at[1] === start.line)).map(op => op[0]));
    const site = art.sites.find(s => s.kernel >= 0 && s.ids.some(id => wanted.has(id)));
    keys = usualPanes(site ? art.kernels[site.kernel] : [...art.kernels].sort((a, b) => b.flops * b.launches - a.flops * a.launches)[0]);
  }
  keys = keys.filter(k => k[0] === 's' ? art.sources[Number(k.slice(1))] : art.files[Number(k)] && art.files[Number(k)].text >= 0).slice(0, 6);
  if (!keys.length) return missingPage('This report holds no texts to show side by side.');
  const said = h('p', { class: 'said', 'aria-live': 'polite' }, 'Click a line.');
  const row = h('div', { class: 'panes', style: null });
  const panes = [];
  let current = null;
  const address = () => aLink('prov/' + panes.map(p => p.key).join('~') + (current && current.key ? '/' + current.key + ':' + current.line : ''));
  async function makePane(key) {
    const source = key[0] === 's' ? art.sources[Number(key.slice(1))] : null, file = source ? null : art.files[Number(key)];
    const value = await text((source || file).text);
    const pane = { key, source, file, kernel: file ? kernelOfFile(file) : null, map: file ? await mapOf(file) : null };
    const codes = art.files.filter(f => f.text >= 0 && f.map >= 0);
    const optionsOf = pane => {
      const groups = new Map();
      if (art.sources.length) groups.set('source', art.sources.filter(s => s.text >= 0).map(s => ['s' + s.index, s.file.replace(/^.*\//, '')]));
      for (const f of codes) {
        const k = kernelOfFile(f), title = k ? k.name : 'program';
        if (!groups.has(title)) groups.set(title, []);
        groups.get(title).push([String(f.index), paneName(String(f.index))]);
      }
      return [...groups].map(([title, list]) => h('optgroup', { label: title }, list.map(([k, name]) => h('option', { value: k, selected: k === pane.key }, name))));
    };
    // Options are made when the list is opened: there may be thousands.
    const choose = h('select', { 'aria-label': 'what this pane shows', onchange: event => replacePane(pane, event.target.value) }, h('option', { value: key }, paneName(key)));
    let filled = false;
    const fill = () => { if (!filled) { filled = true; choose.replaceChildren(...optionsOf(pane)); } };
    choose.addEventListener('pointerdown', fill);
    choose.addEventListener('focus', fill);
    pane.view = codeView(value, source ? 'ir' : grammarOfFile(file.path), line => select(pane, line), line => select(pane, line));
    pane.view.addEventListener('keydown', event => {
      if ((event.key !== 'ArrowDown' && event.key !== 'ArrowUp') || !current || current.key !== pane.key) return;
      event.preventDefault();
      select(pane, Math.max(1, Math.min(pane.view.lines.length, current.line + (event.key === 'ArrowDown' ? 1 : -1))));
    });
    pane.note = h('span', { class: 'soft' });
    pane.element = h('section', null, h('header', null, h('b', null, stageOf(key)), choose, pane.note, h('button', { class: 'plain', title: 'close this pane', 'aria-label': 'close this pane', onclick: () => { if (panes.length > 1) { panes.splice(panes.indexOf(pane), 1); pane.element.remove(); stay(address()); } } }, '×')), pane.view, paneEdge());
    return pane;
  }
  async function replacePane(pane, key) {
    const made = await makePane(key);
    panes[panes.indexOf(pane)] = made;
    pane.element.replaceWith(made.element);
    if (current) paint();
    stay(address());
  }
  function paint() {
    const m = current.meaning;
    for (const pane of panes) {
      const own = current.key === pane.key;
      const { exact, same } = own ? { exact: [[current.line, current.line]], same: counterpartsOf(pane, m).same } : counterpartsOf(pane, m);
      const lines = merged(same), count = lines.reduce((s, [a, b]) => s + b - a + 1, 0);
      pane.view.bands([...lines.map(([a, b]) => [a, 'same', b]), ...merged(exact).map(([a, b]) => [a, own ? 'own' : 'exact', b])]);
      pane.note.textContent = own ? 'line ' + current.line : exact.length ? plural(exact.length, 'line') + (count > exact.length ? ' of ' + group(count) : '') : count ? plural(count, 'line') + ' of its op' : 'no counterpart';
      if (!own) { const to = exact.length ? merged(exact)[0][0] : lines.length ? lines[0][0] : 0; if (to) pane.view.reveal(to); }
    }
    const ids = [...m.ids], known = ids.map(id => art.byId.get(id)).filter(Boolean);
    said.replaceChildren(...[current.key ? [h('b', null, stageOf(current.key) + ' line ' + current.line), m.begin ? ' (in or after the op of line ' + m.begin + ')' : '', ': '] : null,
      ids.length ? [ids.slice(0, 6).map(id => [opAnchor(id), art.byId.has(id) ? h('span', { class: 'soft' }, ' ' + art.byId.get(id)[1] + ' ') : ' ']), ids.length > 6 ? '+' + (ids.length - 6) + ' ' : null,
        known.length ? ['from ', [...new Set(known.map(placeText))].filter(Boolean).slice(0, 4).join(', ')] : null]
        : m.sources.size ? 'no op; it stands at ' + [...m.sources].slice(0, 3).map(s => s.replace(/^.*\//, '').replace('\n', ':')).join(', ') : 'this line came from no op: it was made by the compiler, or is a header.'].flat(Infinity).filter(x => x !== null));
  }
  function select(pane, line) {
    current = { key: pane.key, line, meaning: meaningOf(pane, line) };
    paint();
    stay(address());
    follow(pane);
  }
  /** Panes of a kernel that does not have what was clicked go to the same stage of one that has. */
  async function follow(clicked) {
    const asked = current, ids = asked.meaning.ids;
    const having = ids.size ? art.kernels.filter(k => k.ops.some(id => ids.has(id)) || art.sitesOf[k.index].some(s => s.ids.some(id => ids.has(id)))) : [];
    if (!having.length) return;
    const target = [clicked, ...panes].map(p => p && p.kernel).find(k => k && having.includes(k)) || having[0];
    for (const pane of [...panes]) {
      if (current !== asked) return;
      if (pane === clicked || !pane.kernel || having.includes(pane.kernel)) continue;
      const key = sameStage(pane, target);
      if (key !== null && key !== pane.key) await replacePane(pane, key);
    }
  }
  /** The file of `kernel` that is what the pane's file is of its kernel. */
  function sameStage(pane, kernel) {
    const own = pane.file.path.match(/^kernels\/[^/]+\/(.*)$/);
    const file = own ? art.byPath.get('kernels/' + kernel.name + '/' + own[1]) : (run => {
      const others = run ? art.passRuns.filter(r => r.file >= 0 && r.op.split('.')[0] === kernel.name && art.files[r.file].map >= 0) : [];
      const at = others.find(r => r.position === run.position && r.op.slice(kernel.name.length) === run.op.slice(pane.kernel.name.length)) || others.filter(r => r.position <= run.position).pop();
      return at ? art.files[at.file] : null;
    })(art.passRuns.find(r => r.file === pane.file.index));
    return file && file.text >= 0 && file.map >= 0 ? String(file.index) : null;
  }
  for (const key of keys) { const pane = await makePane(key); panes.push(pane); row.append(pane.element); }
  provenancePage.step = by => { const pane = current && panes.find(p => p.key === current.key); if (pane) { select(pane, Math.max(1, current.line + by)); pane.view.reveal(current.line); } };
  setTimeout(() => {
    if (!start) return;
    const pane = start.key && panes.find(p => p.key === start.key);
    if (pane) { select(pane, start.line); pane.view.reveal(start.line); return; }
    const m = { ids: start.ids || new Set(), sources: new Set(start.source ? [start.source + '\n' + start.line] : []), kernelFile: -1, kernelLine: -1 };
    if (start.source) for (const op of art.ops) if (op[5].some(at => at[0] === start.source && at[1] === start.line)) m.ids.add(op[0]);
    current = { key: '', line: 0, meaning: m };
    paint();
  });
  const kernelOptions = h('select', { 'aria-label': 'kernel', onchange: event => { location.hash = provenanceLink({ kernel: art.kernels[event.target.value] }); } }, h('option', { value: '' }, 'another kernel…'), art.kernels.map(k => h('option', { value: k.index }, k.name)));
  const add = h('button', { onclick: async () => { if (panes.length >= 6) return; const made = await makePane(panes[panes.length - 1].key); panes.push(made); row.append(made.element); stay(address()); made.element.querySelector('select').focus(); } }, '+ pane');
  return [h('h1', null, 'Provenance'),
    help('The program in several stages. ', h('b', null, 'Click a line'), ' of any pane: its exact counterparts are marked strongly, other lines of the same op faintly; panes of other kernels switch to one that has the op. Arrow keys move on. ' + (art.dump ? 'Lines are matched by the positions in their locations.' : 'Lines are matched by the line maps of the compiler, not by text.') + ' ', h('b', null, 'Worry about'), ' an op that turns into far more lines than its neighbours.'),
    h('div', { class: 'tool' }, art.kernels.length ? kernelOptions : null, add, said), row];
}

/** Ranges sorted, overlapping and neighbouring ones as one. */
function merged(ranges) {
  const out = [];
  for (const [a, b] of [...ranges].sort((x, y) => x[0] - y[0])) {
    const end = out[out.length - 1];
    if (end && a <= end[1] + 1) end[1] = Math.max(end[1], b); else out.push([a, b]);
  }
  return out;
}
