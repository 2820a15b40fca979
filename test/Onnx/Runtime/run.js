// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs a model by ONNX Runtime: node run.js MODEL FOLDER. Inputs are FOLDER/in/N.npy of f32, in the order of the
// model's; results are written to FOLDER/N.f32, and their shapes printed, one line of JSON each.
"use strict";
const fs = require("fs");
const runtime = require("onnxruntime-node");

function readArray(path) {
  const bytes = fs.readFileSync(path);
  const length = bytes.readUInt16LE(8);
  const header = bytes.subarray(10, 10 + length).toString();
  if (!header.includes("'<f4'")) throw new Error(path + " does not hold f32");
  const shape = header.match(/'shape': \(([^)]*)\)/)[1].split(",").filter((size) => size.trim()).map(Number);
  const data = bytes.buffer.slice(bytes.byteOffset + 10 + length, bytes.byteOffset + bytes.length);
  return new runtime.Tensor("float32", new Float32Array(data), shape);
}

async function main(model, folder) {
  const session = await runtime.InferenceSession.create(model);
  const inputs = Object.fromEntries(session.inputNames.map((name, n) => [name, readArray(`${folder}/in/${n}.npy`)]));
  const results = await session.run(inputs);
  session.outputNames.forEach((name, n) => {
    const { data, dims } = results[name];
    fs.writeFileSync(`${folder}/${n}.f32`, Buffer.from(data.buffer, data.byteOffset, data.byteLength));
    console.log(JSON.stringify(dims));
  });
}

main(...process.argv.slice(2));
