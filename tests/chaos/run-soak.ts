/**
 * `npm run soak`: people and runs for a long time; one row per minute, status 1 if something grows or answers are late.
 *
 *   npm run soak -- [--minutes 60] [--people 50] [--runs 4] [--seed 1] [--p99 1000]
 */
import { parseArgs } from 'node:util';
import { type Minute, runSoak } from './soak.ts';

const { values: options } = parseArgs({
  options: {
    minutes: { type: 'string', default: '60' },
    people: { type: 'string', default: '50' },
    runs: { type: 'string', default: '4' },
    seed: { type: 'string', default: '1' },
    p99: { type: 'string', default: '1000' },
  },
});
const print = (text: string) => process.stdout.write(`${text}\n`);
const cells = (texts: readonly string[]) => texts.map((text) => text.padStart(10)).join('');
print(
  cells([
    'minute',
    'answers',
    'p50 ms',
    'p99 ms',
    'memory MiB',
    'handles',
    'processes',
    'disk MiB',
  ]),
);
const row = (minute: Minute, number: number) =>
  print(
    cells([
      String(number),
      String(minute.answers),
      minute.p50Ms.toFixed(1),
      minute.p99Ms.toFixed(0),
      minute.memoryMiB.toFixed(0),
      String(minute.handles),
      String(minute.processes),
      minute.diskMiB.toFixed(0),
    ]),
  );
const { violations } = await runSoak({
  minutes: Number(options.minutes),
  people: Number(options.people),
  runs: Number(options.runs),
  seed: Number(options.seed),
  p99Ms: Number(options.p99),
  onMinute: row,
});
for (const violation of violations) print(`VIOLATION ${violation}`);
print(`${violations.length} violations`);
process.exit(violations.length > 0 ? 1 : 0);
