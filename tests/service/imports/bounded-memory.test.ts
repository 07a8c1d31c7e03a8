/**
 * Files are read in memory that does not grow with them: a separate process, so that nothing else counts. Needs
 * `npm run build` first.
 */
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { builtServerFile } from '../../../src/service/built-file.ts';

const MB = 1e6;
const fileBytes = 100 * MB;
const limit = 210 * MB;
const numColumns = 20;
let folder: string;
let file: string;
let numRows = 0;

beforeAll(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'ergodic-bounded-'));
  file = path.join(folder, 'draws.csv');
  const handle = fs.openSync(file, 'w');
  const names = Array.from({ length: numColumns - 1 }, (_, i) => `x.${i + 1}`);
  let written = fs.writeSync(handle, `lp__,${names.join(',')}\n`);
  const cell = (k: number) => `0.${((numRows * 7919 + k * 104_729) % 90_000) + 10_000}`;
  while (written < fileBytes) {
    let block = '';
    for (let i = 0; i < 5000; i++, numRows++)
      block += `${Array.from({ length: numColumns }, (_, k) => cell(k)).join(',')}\n`;
    written += fs.writeSync(handle, block);
  }
  fs.closeSync(handle);
});
afterAll(() => fs.rmSync(folder, { recursive: true }));

const child = `
  const { Worker } = require('node:worker_threads');
  const [program, request] = process.argv.slice(1);
  let peak = 0, values = 0;
  const thread = new Worker(program, { resourceLimits: { maxOldGenerationSizeMb: 192, maxYoungGenerationSizeMb: 16 }, env: {} });
  const timer = setInterval(() => { peak = Math.max(peak, process.memoryUsage.rss()); }, 5);
  const end = () => { clearInterval(timer); console.log(JSON.stringify({ peak, values })); };
  thread.on('message', (message) => {
    if (message.problem) throw new Error(message.problem);
    if (message === 'done') end();
    if (message.content) {
      values = message.content.draws.chains[0].draws.reduce((sum, column) => sum + column.length, 0);
      end();
    }
    if (message.batch) { values += message.batch.values.length; thread.postMessage('taken'); }
  });
  const asked = JSON.parse(request);
  if (asked.files) asked.files[0].bytes = require('node:fs').readFileSync(asked.files[0].path);
  thread.postMessage(asked);
`;

function measure(request: object): { peak: number; values: number } {
  const program = builtServerFile('node-draws-reader-worker.js');
  const args = ['--max-old-space-size=32', '-e', child, program, JSON.stringify(request)];
  return JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8' }));
}

it('reading a file of 100 MB in pieces needs a fraction of the memory of reading it whole', () => {
  const size = fs.statSync(file).size;
  const request = { stream: [{ name: 'draws.csv', path: file, size }], type: null, folder };
  // The collector may be late once: a peak of 166 or of 212 MB for the same work. The minimum is what is needed.
  let inPieces = measure(request);
  for (let again = 0; again < 3 && inPieces.peak >= limit; again++) inPieces = measure(request);
  expect(inPieces.values).toBe(numRows * numColumns);
  expect(inPieces.peak).toBeLessThan(limit);
  const asWhole = measure({ files: [{ name: 'draws.csv', path: file }], type: null });
  expect(asWhole.values).toBe(numRows * numColumns);
  expect(asWhole.peak).toBeGreaterThan(1.5 * inPieces.peak);
  expect(fs.readdirSync(folder)).toEqual(['draws.csv']);
}, 120_000);
