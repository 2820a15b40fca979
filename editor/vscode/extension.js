// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The extension: starts mica-lsp-server, shows above each op what became of it in the artifact, runs the program and
// shows its errors at their lines.
'use strict';

const childProcess = require('child_process');
const path = require('path');
const vscode = require('vscode');
const { LanguageClient } = require('vscode-languageclient/node');
const { findArtifact, lensesOf, opAt, placesOf, problemsOf } = require('./artifact');

let client = null;

const setting = name => vscode.workspace.getConfiguration('mica').get(name);
const toolPath = tool => (setting('tools') ? path.join(setting('tools'), tool) : tool);
const folders = () => (vscode.workspace.workspaceFolders || []).map(folder => folder.uri.fsPath);
const artifactOf = file => findArtifact(file, folders(), setting('artifact'));

/** Runs a tool; gives {code, out, err}. Of one that cannot be started code is null and err says why. */
function call(tool, args, cwd) {
  return new Promise(resolve => {
    childProcess.execFile(toolPath(tool), args, { cwd, maxBuffer: 1 << 28 }, (error, out, err) => {
      const missing = error && error.code === 'ENOENT';
      resolve({ code: missing ? null : error ? error.code : 0, out, err: missing ? `${tool} is not on PATH: set mica.tools to the folder of Mica's tools` : err });
    });
  });
}

function startServer() {
  const server = { command: toolPath('mica-lsp-server') };
  // The lenses are this extension's, which let the user choose the artifact and the place.
  client = new LanguageClient('mica', 'Mica', server, { documentSelector: [{ scheme: 'file', language: 'mlir' }], initializationOptions: { codeLens: false } });
  return client.start().catch(error => {
    vscode.window.showErrorMessage(`Mica: ${server.command} cannot be started: ${error.message || error}. Set mica.tools to the folder of Mica's tools.`);
  });
}

/** What Mica knows of an op, in a document of its own, and a choice of the places where it is found. */
async function explain(file, id) {
  const artifact = artifactOf(file);
  if (!artifact) return vscode.window.showInformationMessage(`Mica: no artifact of ${path.basename(file)}: compile it with mica-compile, or set mica.artifact`);
  const wanted = id || opAt(lensesOf(artifact, file), vscode.window.activeTextEditor.selection.active.line);
  if (!wanted) return vscode.window.showInformationMessage('Mica: the artifact knows no op at this line');
  const done = await call('mica-report', ['explain', wanted, artifact.folder]);
  if (done.code !== 0) return vscode.window.showErrorMessage('Mica: ' + (done.err || done.out).trim());
  const document = await vscode.workspace.openTextDocument({ content: done.out, language: 'plaintext' });
  await vscode.window.showTextDocument(document, { viewColumn: vscode.ViewColumn.Beside, preview: true });
  const chosen = await vscode.window.showQuickPick(
    placesOf(done.out).map(place => ({ label: place.file, description: `line ${place.line}`, place })), { placeHolder: 'Open a stage of the op' });
  if (!chosen) return undefined;
  const stage = await vscode.workspace.openTextDocument(path.join(artifact.folder, chosen.place.file));
  const at = new vscode.Position(chosen.place.line - 1, 0);
  return vscode.window.showTextDocument(stage, { viewColumn: vscode.ViewColumn.Beside, selection: new vscode.Range(at, at) });
}

/** Runs the program and shows what fails at its lines. */
async function run(file, diagnostics) {
  const done = await call('mica-run', [file, ...setting('runFlags')], path.dirname(file));
  const byFile = new Map();
  for (const problem of problemsOf(done.err)) {
    const target = problem.file && !path.isAbsolute(problem.file) ? path.join(path.dirname(file), path.basename(problem.file)) : problem.file || file;
    const at = new vscode.Position(problem.line - 1, problem.column - 1);
    const severity = problem.severity === 'warning' ? vscode.DiagnosticSeverity.Warning : vscode.DiagnosticSeverity.Error;
    const diagnostic = new vscode.Diagnostic(new vscode.Range(at, at), problem.message, severity);
    diagnostic.source = 'mica-run';
    byFile.set(target, [...(byFile.get(target) || []), diagnostic]);
  }
  diagnostics.clear();
  for (const [target, found] of byFile) diagnostics.set(vscode.Uri.file(target), found);
  if (done.code === null) return vscode.window.showErrorMessage('Mica: ' + done.err);
  const document = await vscode.workspace.openTextDocument({ content: done.out + done.err, language: 'plaintext' });
  return vscode.window.showTextDocument(document, { viewColumn: vscode.ViewColumn.Beside, preview: true, preserveFocus: true });
}

async function report(file) {
  const artifact = artifactOf(file);
  if (!artifact) return vscode.window.showInformationMessage(`Mica: no artifact of ${path.basename(file)}: compile it with mica-compile, or set mica.artifact`);
  const page = path.join(artifact.folder, 'report.html');
  const done = await call('mica-report', [artifact.folder, '-o', page, '--single-file', '--force']);
  if (done.code !== 0) return vscode.window.showErrorMessage('Mica: ' + (done.err || done.out).trim());
  return vscode.env.openExternal(vscode.Uri.file(page));
}

function activate(context) {
  const diagnostics = vscode.languages.createDiagnosticCollection('mica');
  const current = () => vscode.window.activeTextEditor && vscode.window.activeTextEditor.document.uri.fsPath;
  const onFile = work => () => (current() ? work(current()) : undefined);
  context.subscriptions.push(
    diagnostics,
    vscode.commands.registerCommand('mica.run', onFile(file => run(file, diagnostics))),
    vscode.commands.registerCommand('mica.explain', (file, id) => (file && id ? explain(file, id) : current() ? explain(current()) : undefined)),
    vscode.commands.registerCommand('mica.report', onFile(report)),
    vscode.commands.registerCommand('mica.restart', async () => { if (client) await client.stop(); return startServer(); }),
    vscode.languages.registerCodeLensProvider({ scheme: 'file', language: 'mlir' }, {
      provideCodeLenses(document) {
        const artifact = artifactOf(document.uri.fsPath);
        if (!artifact) return [];
        return lensesOf(artifact, document.uri.fsPath).map(lens => new vscode.CodeLens(
          new vscode.Range(lens.line, 0, lens.line, 0), { title: lens.title, command: 'mica.explain', arguments: [document.uri.fsPath, lens.id] }));
      },
    }));
  return startServer();
}

function deactivate() {
  return client ? client.stop() : undefined;
}

module.exports = { activate, deactivate };
