// What the extension does for a program with an artifact, for one that fails, and without tools.
// usage: check_extension.js EXTENSION MODEL FAULTY
'use strict';

const assert = require('assert');
const path = require('path');
const vscode = require('vscode');
const { started } = require('vscode-languageclient/node');
const [extensionFolder, model, faulty] = process.argv.slice(2);
const extension = require(path.join(extensionFolder, 'extension.js'));
const { problemsOf, placesOf } = require(path.join(extensionFolder, 'artifact.js'));

const { seen, settings } = vscode;
Object.assign(settings, { tools: '', artifact: '', runFlags: [] });
const look = (file, line) => { vscode.window.activeTextEditor = { document: { uri: { fsPath: file } }, selection: { active: { line } } }; };

(async () => {
  const context = { subscriptions: [] };
  await extension.activate(context);
  assert.strictEqual(started[0].server.command, 'mica-lsp-server');
  assert.deepStrictEqual(started[0].client.initializationOptions, { codeLens: false });
  assert.deepStrictEqual(seen.messages, []);
  const declared = require(path.join(extensionFolder, 'package.json')).contributes.commands.map(each => each.command).sort();
  assert.deepStrictEqual(Object.keys(seen.commands).sort(), declared);

  // A lens above each op that a kernel computes, from the newest artifact beside the file.
  const lenses = seen.lenses.provideCodeLenses({ uri: { fsPath: model } });
  assert.deepStrictEqual(lenses.map(lens => [lens.range.start.line, lens.command.title]),
    [[1, 'mica.exp → kernel exp_mul_4xf32 with 1 other op'], [2, 'mica.mul → kernel exp_mul_4xf32 with 1 other op']]);

  // What became of it: a text, and a stage that was chosen at the op's line.
  await seen.commands['mica.explain'](...lenses[1].command.arguments);
  assert.match(seen.shown[0].document.content, /mica\.mul/);
  assert.match(seen.shown[1].document.path, /kernels\/exp_mul_4xf32\/kernel\.mlir$/);
  assert(seen.shown[1].options.selection.start.line >= 0);
  look(model, 2);
  seen.shown.length = 0;
  await seen.commands['mica.explain']();
  assert.match(seen.shown[0].document.content, /mica\.mul/);

  // A run shows its text, and its fault at the line of the op.
  look(faulty, 0);
  seen.shown.length = 0;
  settings.runFlags = ['--mica-debug=nan-check', '--input=4xf32=-1'];
  await seen.commands['mica.run']();
  const [found] = seen.diagnostics.get(faulty);
  assert.strictEqual(found.range.start.line, 1);
  assert.match(found.message, /NaN/);
  assert.match(seen.shown[0].document.content, /NaN/);
  settings.runFlags = ['--input=4xf32=1'];
  await seen.commands['mica.run']();
  assert.strictEqual(seen.diagnostics.size, 0);

  look(model, 0);
  await seen.commands['mica.report']();
  assert.match(seen.opened[0], /report\.html$/);

  // No artifact, no tools: what to do.
  look('/nowhere/other.mlir', 0);
  await seen.commands['mica.report']();
  assert.match(seen.messages.pop(), /no artifact of other\.mlir: compile it with mica-compile, or set mica\.artifact/);
  assert.deepStrictEqual(seen.lenses.provideCodeLenses({ uri: { fsPath: '/nowhere/other.mlir' } }), []);
  settings.tools = '/nowhere';
  await seen.commands['mica.restart']();
  assert.match(seen.messages.pop(), /\/nowhere\/mica-lsp-server cannot be started: .*Set mica\.tools/);
  look(model, 0);
  await seen.commands['mica.run']();
  assert.match(seen.messages.pop(), /mica-run is not on PATH: set mica\.tools/);

  // Texts of the tools.
  assert.deepStrictEqual(problemsOf("a.mlir:3:5: error: 'mica.add' op is wrong\na.mlir:2:1: note: here\n  hint: try\n"),
    [{ file: 'a.mlir', line: 3, column: 5, severity: 'error', message: "'mica.add' op is wrong\nhere\nhint: try" }]);
  assert.deepStrictEqual(problemsOf('mica-run: error: no file\n'), [{ file: '', line: 1, column: 1, severity: 'error', message: 'no file' }]);
  assert.deepStrictEqual(problemsOf('1.0 2.0\n'), []);
  assert.deepStrictEqual(placesOf('lines\n  kernels/k/kernel.s: 35, 38-39\n'), [{ file: 'kernels/k/kernel.s', line: 35 }]);
  console.log('the extension does all of it');
})().catch(error => { console.error(error); process.exit(1); });
