// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What an artifact says of the ops of a source file. No part of this knows the editor.
'use strict';

const fs = require('fs');
const path = require('path');

const manifests = new Map(); // by file: {time, manifest}, read again when the file changes

/** The manifest in `file` and its time; throws if there is none. */
function readManifest(file) {
  const time = fs.statSync(file).mtimeMs, known = manifests.get(file);
  if (known && known.time === time) return known;
  const read = { time, manifest: JSON.parse(fs.readFileSync(file, 'utf8')) };
  manifests.set(file, read);
  return read;
}

/** The newest artifact of `source`: `chosen`, if it is not "", or one in build_output of a folder or beside the file. null: none. */
function findArtifact(source, folders, chosen) {
  const name = path.basename(source);
  const candidates = [];
  const consider = folder => {
    try {
      const { time, manifest } = readManifest(path.join(folder, 'manifest.json'));
      if (path.basename(manifest.input_file || '') === name) candidates.push({ folder, manifest, time });
    } catch { /* not an artifact */ }
  };
  if (chosen) {
    consider(chosen);
  } else {
    for (const root of [path.dirname(source), ...folders]) {
      for (const parent of [path.join(root, 'build_output'), root]) {
        let entries = [];
        try { entries = fs.readdirSync(parent, { withFileTypes: true }); } catch { continue; }
        for (const entry of entries) if (entry.isDirectory()) consider(path.join(parent, entry.name));
      }
    }
  }
  candidates.sort((a, b) => b.time - a.time);
  return candidates[0] || null;
}

/** A lens per op of `source` that the artifact knows, at its place there: {line, id, title}. Lines count from 0. */
function lensesOf(artifact, source) {
  const name = path.basename(source), siteOf = new Map();
  // Equal kernels are one, with the ids of the first; a site has those of its own ops.
  for (const site of artifact.manifest.sites || []) for (const id of site.op_ids || []) if (!siteOf.has(id)) siteOf.set(id, site);
  const lenses = [];
  for (const op of artifact.manifest.ops || []) {
    const position = (op.positions || []).find(each => path.basename(each.file) === name);
    if (!position) continue;
    const site = siteOf.get(op.id), others = site ? site.op_ids.length - 1 : 0;
    const where = site ? `kernel ${site.kernel}` + (others ? ` with ${others} other op${others > 1 ? 's' : ''}` : '') : 'no kernel';
    lenses.push({ line: position.line - 1, id: op.id, title: `${op.kind} → ${where}` });
  }
  return lenses;
}

/** The id of the op that is written at `line` (from 0), or the last one before it. null: none. */
function opAt(lenses, line) {
  let found = null;
  for (const lens of lenses) if (lens.line <= line && (!found || lens.line >= found.line)) found = lens;
  return found ? found.id : null;
}

/** The places that `mica-report explain` lists: {file, line}, lines from 1, the first of each file. */
function placesOf(explained) {
  const places = [];
  for (const line of explained.split('\n')) {
    const match = line.match(/^ {2}(\S+\.(?:mlir|ll|s|ptx)): (\d+)/);
    if (match) places.push({ file: match[1], line: Number(match[2]) });
  }
  return places;
}

/** What the tools report on stderr: {file, line, column, message, severity}, with hints and notes added to the error they follow. */
function problemsOf(text) {
  const problems = [];
  for (const line of text.split('\n')) {
    const placed = line.match(/^(?:[\w-]+: )?([^\s:][^:]*):(\d+):(\d+): (error|warning|note): (.*)$/);
    const plain = line.match(/^[\w-]+: (error|warning): (.*)$/);
    const hint = line.match(/^\s+hint: (.*)$/);
    if (placed && placed[4] !== 'note') {
      problems.push({ file: placed[1], line: Number(placed[2]), column: Number(placed[3]), severity: placed[4], message: placed[5] });
    } else if (plain) {
      // "... at model.mlir:7:10 ..." is the place of a run-time fault.
      const at = plain[2].match(/(?:^| )(?:at )?([^\s:()]+\.mlir):(\d+):(\d+)/);
      problems.push({ file: at ? at[1] : '', line: at ? Number(at[2]) : 1, column: at ? Number(at[3]) : 1, severity: plain[1], message: plain[2] });
    } else if (problems.length && (hint || placed)) {
      problems[problems.length - 1].message += '\n' + (hint ? 'hint: ' + hint[1] : placed[5]);
    }
  }
  return problems;
}

module.exports = { findArtifact, lensesOf, opAt, placesOf, problemsOf };
