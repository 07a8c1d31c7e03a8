/** Many people for a long time without faults: whether memory, handles, disk or waiting times grow. */
import { measureUsage, percentile, surelyGrows, type Usage } from './measures.ts';
import {
  type Act,
  Actor,
  addData,
  callFunction,
  endShare,
  live,
  lookAround,
  makeWorld,
  openShare,
  saveModel,
  shareModel,
} from './people.ts';
import { makeRecipes } from './recipes.ts';
import { importFile, outsideOf, pauseAndResume, postDraws, run } from './runs.ts';
import { pause, StruckService } from './struck-service.ts';
import { Wire } from './wire.ts';

export interface SoakOptions {
  readonly minutes: number;
  readonly people: number;
  readonly runs: number;
  readonly seed: number;
  /** Milliseconds that 99 of 100 answers may take in the median minute. */
  readonly p99Ms: number;
  readonly onMinute?: (minute: Minute, number: number) => void;
}

export interface Minute extends Usage {
  readonly answers: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

export interface SoakResult {
  readonly minutes: readonly Minute[];
  readonly violations: readonly string[];
}

/** Growth per minute that counts as flat: over an hour, a tenth of the service's usage. */
const bounds = { memoryMiB: 0.75, handles: 0.5, processes: 0.1, diskMiB: 1.5 };

/** Objects a person keeps; older ones are deleted for good. */
const KEPT = 6;

/** People tidy up, so that growth is not due to what they keep. */
const tidy: Act = async (self) => {
  const { ledger } = self.world;
  for (const kind of ['experiment', 'model', 'data']) {
    const path = `/api/object?object_type=${kind}&page_size=100`;
    const page = await self.tryTo<{ objects: { short_id: string; status?: string }[] }>('listing', {
      method: 'GET',
      path,
    });
    const inUse = new Set(self.workflows.values());
    // its sampler has more to send, whatever it reported about the end
    const unfinished = outsideOf(self);
    if (unfinished !== null) inUse.add(unfinished);
    const old = (page?.objects ?? [])
      .slice(KEPT)
      .filter(
        ({ short_id, status }) => !inUse.has(short_id) && !['RUN', 'NEW'].includes(status ?? ''),
      )
      .map(({ short_id }) => short_id)
      // a workflow refers to its parts, so they stay
      .filter((id) => kind === 'experiment' || isFree(self, id));
    if (old.length === 0) continue;
    for (const kept of ledger.models) if (old.includes(kept.id)) kept.removal = 'in doubt';
    for (const share of ledger.shares) if (old.includes(share.objid)) share.end = 'in doubt';
    await self.tryTo('tidying', { method: 'DELETE', path: `/api/object/${old.join(',')}` });
  }
  await self.tryTo('freeing', { method: 'POST', path: '/base/space/free' });
};

/** Created by an act that is checked, so no workflow needs it. */
const isFree = ({ world }: Actor, id: string): boolean =>
  world.ledger.models.some((kept) => kept.id === id) ||
  world.ledger.data.some((kept) => kept.id === id);

const acts = [
  [30, lookAround],
  [6, saveModel],
  [1, shareModel],
  [3, openShare],
  [1, endShare],
  [1, addData],
  [1, callFunction],
  [6, run],
  [0.3, pauseAndResume],
  [4, postDraws],
  [0.3, importFile],
  [2, tidy],
] as const;

export async function runSoak(options: SoakOptions): Promise<SoakResult> {
  const service = new StruckService({ workers: 2 });
  try {
    await service.start();
    return await soak(service, options);
  } finally {
    await service.stop();
  }
}

async function soak(service: StruckService, options: SoakOptions): Promise<SoakResult> {
  const wire = new Wire(service.port, `127.0.0.1:${service.port}`);
  const people = await service.addPeople(options.people);
  const world = makeWorld({ wire, recipes: makeRecipes(), people, maxRuns: options.runs });
  const actors = people.map((person, i) => new Actor(world, person, options.seed + i));
  let times: number[] = [];
  wire.onAnswer = (ms) => times.push(ms);
  const lives = actors.map((actor) => live(actor, acts, () => 500 + 1500 * actor.rng.uniform()));
  const minutes: Minute[] = [];
  while (minutes.length < options.minutes) {
    times = [];
    const usage = await leastOfMinute(service);
    const [p50Ms, p99Ms] = [percentile(times, 0.5), percentile(times, 0.99)];
    const minute = { ...usage, answers: times.length, p50Ms, p99Ms };
    minutes.push(minute);
    options.onMinute?.(minute, minutes.length);
  }
  world.isOver = true;
  await Promise.all(lives);
  wire.close();
  return {
    minutes,
    violations: [...world.ledger.complaints, ...wire.improper, ...judge(minutes, options)],
  };
}

/** Work in progress and uncollected garbage come and go; the minimum is what stays. */
async function leastOfMinute(service: StruckService): Promise<Usage> {
  const samples: Usage[] = [];
  const end = performance.now() + 60_000;
  while (performance.now() < end) {
    const pid = service.pidOf('supervisor');
    if (pid !== null) samples.push(measureUsage(pid, service.dataDir));
    await pause(Math.min(3000, end - performance.now()));
  }
  const least = (name: keyof Usage) => Math.min(...samples.map((sample) => sample[name]));
  return {
    memoryMiB: least('memoryMiB'),
    handles: least('handles'),
    processes: least('processes'),
    diskMiB: least('diskMiB'),
  };
}

function judge(minutes: readonly Minute[], { p99Ms }: SoakOptions): string[] {
  const violations: string[] = [];
  // at first everything is used for the first time, and people own little yet
  const steady = minutes.slice(Math.ceil(minutes.length / 3));
  for (const name of Object.keys(bounds) as (keyof Usage)[]) {
    const growth = surelyGrows(
      steady.map((minute) => minute[name]),
      bounds[name],
    );
    if (growth !== null)
      violations.push(`${name} grows by ${growth.toFixed(2)} a minute (bound ${bounds[name]})`);
  }
  const middle = percentile(
    minutes.map((minute) => minute.p99Ms),
    0.5,
  );
  if (middle > p99Ms)
    violations.push(`p99 is ${middle.toFixed(0)} ms in the middle minute (bound ${p99Ms})`);
  return violations;
}
