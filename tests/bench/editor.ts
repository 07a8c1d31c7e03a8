/** `npm run bench -- editor`: how long the language service takes for a check, a keystroke and the requests in between. */
import { readFileSync } from 'node:fs';
import { StanWorkspace } from '../../src/dashboard/editor/stan-workspace.ts';
import { checkProgram } from '../../src/language/check.ts';
import { longProgram } from '../support/long-program.ts';

/** Milliseconds: the minimum of many, after the code has been compiled; a busy machine only adds to it. */
function least(work: (k: number) => void, times = 25): number {
  for (let k = 0; k < 5; k++) work(k);
  const taken = Array.from({ length: times }, (_, k) => {
    const start = performance.now();
    work(k);
    return performance.now() - start;
  });
  return Math.min(...taken);
}

function report(what: string, milliseconds: number): void {
  process.stdout.write(`${what.padEnd(52)} ${milliseconds.toFixed(1).padStart(8)} ms\n`);
}

for (const lines of [200, 1000, 5000]) {
  const text = longProgram(lines);
  report(
    `check of ${lines} lines`,
    least((k) => checkProgram(`${text}// ${k}\n`)),
  );
}

const real = readFileSync(`${import.meta.dirname}/../engine/posteriordb/accel_gp.stan`, 'utf8');
for (const [name, text] of [
  ['accel_gp', real],
  ['200 lines', longProgram(200)],
  ['5000 lines', longProgram(5000)],
] as const) {
  const workspace = new StanWorkspace();
  const path = 'main.stan';
  const offset = text.lastIndexOf('normal(') + 'normal('.length;
  const type = (k: number) => {
    const typed = `${text.slice(0, offset)}${'x'.repeat((k % 5) + 1)}${text.slice(offset)}`;
    workspace.setFiles({ changed: { [path]: typed }, removed: [], entrance: path });
  };
  const asking = (ask: () => unknown) => (k: number) => {
    type(k);
    ask();
  };
  const at = { path, offset };
  report(`${name}: a keystroke, problems`, least(asking(() => workspace.problems())));
  report(`${name}: a keystroke, signature`, least(asking(() => workspace.answer('signature', at))));
  report(`${name}: a keystroke, completion`, least(asking(() => workspace.answer('complete', at))));
  const fixes = { path, start: offset, end: offset };
  report(`${name}: a keystroke, fixes`, least(asking(() => workspace.answer('fixes', fixes))));
}
