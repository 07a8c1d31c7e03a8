/**
 * `npm run chaos`: people use a service while faults strike it, and everything acknowledged is compared.
 *
 *   npm run chaos -- [--faults 200] [--minutes 0] [--seed 1] [--people 4] [--only 'kill,clock']
 *
 * Exits with status 1 if the service broke a promise. Prints one line per fault, then a table.
 */
import { parseArgs } from 'node:util';
import { runChaos, usageLine } from './chaos.ts';
import { percentile, table } from './measures.ts';

const { values: options } = parseArgs({
  options: {
    faults: { type: 'string', default: '200' },
    minutes: { type: 'string', default: '0' },
    seed: { type: 'string', default: '1' },
    people: { type: 'string', default: '4' },
    only: { type: 'string', default: '' },
  },
});
const say = (line: string) => process.stderr.write(`${line}\n`);
const since = performance.now();
let isEnough = false;
process.once('SIGINT', () => {
  say('No more faults; comparing what was begun (press Ctrl-C again to exit at once) …');
  isEnough = true;
});
const result = await runChaos({
  seed: Number(options.seed),
  faults: Number(options.faults),
  minutes: Number(options.minutes),
  people: Number(options.people),
  only: options.only.split(',').filter((part) => part !== ''),
  say,
  isEnough: () => isEnough,
});
const print = (text: string) => process.stdout.write(text);
const total = [...result.struck.values()].reduce((sum, count) => sum + count, 0);
print(
  table([
    ['fault', 'times'],
    ...[...result.struck]
      .sort(([a], [b]) => a.localeCompare(b))
      .map(([name, count]) => [name, String(count)]),
    ['all', String(total)],
  ]),
);
for (const [name, why] of result.missing) print(`left out: ${name}: ${why}\n`);
print(`clock: ${result.clock}\n`);
print(
  `acknowledged: ${Object.entries(result.acknowledged)
    .map(([what, count]) => `${count} ${what}`)
    .join(', ')}\n`,
);
print(`${result.answered} answers, ${result.inDoubt} in doubt, ${result.compared} comparisons\n`);
print(
  `answered again after p50 ${percentile(result.recoveryMs, 0.5).toFixed(0)} ms, p99 ${percentile(result.recoveryMs, 0.99).toFixed(0)} ms, at most ${Math.max(0, ...result.recoveryMs).toFixed(0)} ms\n`,
);
print(`before: ${usageLine(result.before)}\nafter:  ${usageLine(result.after)}\n`);
for (const violation of result.violations) print(`VIOLATION ${violation}\n`);
print(
  `seed ${options.seed}, ${((performance.now() - since) / 60_000).toFixed(1)} min, ${result.violations.length} violations\n`,
);
if (result.violations.length > 0) print(`What the service said: ${result.logFile}\n`);
process.exit(result.violations.length > 0 ? 1 : 0);
