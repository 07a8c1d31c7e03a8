/**
 * People use a service while faults strike it. After each fault an oracle reads back what was acknowledged; at the end
 * it checks everything: contents, draws against those of undisturbed runs, open states, and resource usage.
 */
import { seededRng } from '../support/seeded-rng.ts';
import { faults as allFaults, type Fault } from './faults.ts';
import { measureUsage, type Usage } from './measures.ts';
import { Oracle } from './oracle.ts';
import {
  Actor,
  addData,
  callFunction,
  endShare,
  live,
  lookAround,
  makeWorld,
  openShare,
  removeModel,
  saveModel,
  shareModel,
  type World,
} from './people.ts';
import { makeRecipes } from './recipes.ts';
import { importFile, pauseAndResume, postDraws, run, startRun, untilEnded } from './runs.ts';
import { pause, StruckService } from './struck-service.ts';
import { watchRun } from './watchers.ts';
import { type Person, Wire } from './wire.ts';

export interface ChaosOptions {
  readonly seed: number;
  readonly faults: number;
  /** Stops early after this many minutes; 0: never. */
  readonly minutes?: number;
  readonly people?: number;
  /** Length of the runs, 1: a few seconds. */
  readonly length?: number;
  /** Names, or parts of names, of the faults to choose from; all when absent. */
  readonly only?: readonly string[];
  /** Maximum milliseconds in which people act before a fault. */
  readonly quietMs?: number;
  /** Seconds for which the service's resource usage is sampled, before and after. */
  readonly usageSeconds?: number;
  readonly say?: (line: string) => void;
  /** No further fault once it returns true; what was begun is still compared. */
  readonly isEnough?: () => boolean;
}

export interface ChaosResult {
  /** Times each fault struck, by name. */
  readonly struck: ReadonlyMap<string, number>;
  /** Faults that could not strike here, and why. */
  readonly missing: ReadonlyMap<string, string>;
  readonly violations: readonly string[];
  readonly acknowledged: Readonly<Record<string, number>>;
  readonly compared: number;
  readonly answered: number;
  readonly inDoubt: number;
  readonly before: Usage;
  readonly after: Usage;
  /** Milliseconds from the end of each fault until a person was answered. */
  readonly recoveryMs: readonly number[];
  readonly clock: string;
  readonly logFile: string;
}

/** Most measurements of usage, since some resources take a while to be released. */
const mostLooks = 10;
/** Allowed growth over the usage before the faults; processes: connections of the pools come and go. */
const bounds = { memoryMiB: 150, handles: 40, processes: 16, diskMiB: 60 };

export async function runChaos(options: ChaosOptions): Promise<ChaosResult> {
  const say = options.say ?? (() => {});
  const service = new StruckService({ workers: 2, diskMiB: 1024 });
  try {
    await service.start();
    const people = await service.addPeople(options.people ?? 4);
    return await new Chaos(options, service, people, say).run();
  } finally {
    const how = await service.stop();
    if (how !== 'exit code 0') say(`The service ended with ${how}.`);
  }
}

class Chaos {
  private readonly wire: Wire;
  private readonly world: World;
  private readonly oracle: Oracle;
  private readonly actors: Actor[];
  private readonly struck = new Map<string, number>();
  private readonly recoveryMs: number[] = [];

  constructor(
    private readonly options: ChaosOptions,
    private readonly service: StruckService,
    people: readonly Person[],
    private readonly say: (line: string) => void,
  ) {
    this.wire = new Wire(service.proxy.port, `127.0.0.1:${service.port}`);
    const recipes = makeRecipes(options.length);
    this.world = makeWorld({ wire: this.wire, recipes, people, maxRuns: 3 });
    this.actors = people.map((person, i) => new Actor(this.world, person, options.seed + i));
    this.oracle = new Oracle(this.world);
  }

  async run(): Promise<ChaosResult> {
    await this.makeReferences();
    const before = await this.usage();
    this.say(`Before: ${usageLine(before)}`);
    const lives = this.actors.map((actor) =>
      live(actor, acts, () => 20 + 180 * actor.rng.uniform()),
    );
    const looking = this.lookOn();
    const missing = await this.strikeAll();
    this.service.clock.set(0);
    this.world.isOver = true;
    await Promise.all([...lives, looking]);
    await this.drain();
    await this.oracle.check(true);
    await this.clean();
    const after = await this.usageAfter(before);
    for (const name of exceeded(before, after))
      this.oracle.violations.push(
        `${name}: ${before[name].toFixed(0)} before, ${after[name].toFixed(0)} after`,
      );
    this.wire.close();
    return this.result(missing, before, after);
  }

  /** Runs every recipe once undisturbed, and starts every process that people's work needs. */
  private async makeReferences(): Promise<void> {
    const [first] = this.actors;
    for (const recipe of this.world.recipes) {
      const kept = await startRun(first, recipe);
      if (kept === null) throw new Error(`the undisturbed run of ${recipe.name} did not start`);
      const view = await untilEnded(first, kept.id, 100);
      if (view?.status !== 'FIN') throw new Error(`${recipe.name}: ${JSON.stringify(view?.meta)}`);
      this.oracle.references.set(recipe.name, await this.oracle.drawn(kept.owner, kept.id));
    }
    for (const [, act] of acts) await act(first);
  }

  private async strikeAll(): Promise<Map<string, string>> {
    const { options, service } = this;
    const rng = seededRng(options.seed);
    const { only = [] } = options;
    const chosen = allFaults.filter(
      ({ name }) => only.length === 0 || only.some((part) => name.includes(part)),
    );
    const missing = new Map<string, string>();
    for (const fault of chosen) {
      const reason = fault.missing?.(service) ?? null;
      if (reason !== null) missing.set(fault.name, reason);
    }
    const usable = chosen.filter(({ name }) => !missing.has(name));
    const until = options.minutes ? performance.now() + options.minutes * 60_000 : Infinity;
    let done = 0;
    for (let tries = 0; done < options.faults && performance.now() < until; tries++) {
      if (options.isEnough?.() === true) break;
      if (tries > 5 * options.faults + 50) throw new Error('most faults found nothing to strike');
      await pause(rng.uniform() * (options.quietMs ?? 1500));
      const fault = choose(usable, rng.uniform());
      const what = await fault.strike({ service, rng });
      if (what === null) continue;
      done += 1;
      this.struck.set(fault.name, (this.struck.get(fault.name) ?? 0) + 1);
      await this.judge(`${done}/${options.faults} ${fault.name} (${what})`);
    }
    return missing;
  }

  /** People rest while what they were promised is read back. */
  private async judge(what: string): Promise<void> {
    const since = performance.now();
    const owner = this.world.people[0];
    await this.wire.ask(owner, { method: 'GET', path: '/base/user' });
    const recovery = performance.now() - since;
    this.recoveryMs.push(recovery);
    const violationsBefore = this.violations().length;
    let wake = () => {};
    this.world.resting = new Promise((resolve) => {
      wake = resolve;
    });
    while (this.world.acting > 0) await pause(10);
    await this.oracle.check(false);
    this.world.resting = null;
    wake();
    const found = this.violations().slice(violationsBefore);
    const { size } = this.world.ledger;
    this.say(
      `${what}: answered after ${(recovery / 1000).toFixed(1)} s; ${size} kept, all there${found.length === 0 ? '' : ` but ${found.length}`}`,
    );
    for (const violation of found) this.say(`  VIOLATION ${violation}`);
  }

  private async lookOn(): Promise<void> {
    while (!this.world.isOver) {
      await this.oracle.look();
      await pause(2000);
    }
  }

  /** Waits until all work that was begun has ended; work that stalls for too long is a violation. */
  private async drain(): Promise<void> {
    this.say('The people have gone; waiting for what they began …');
    const { people } = this.world;
    for (let round = 0; ; round++) {
      for (const person of people) await this.resumePaused(person);
      const before = this.oracle.violations.length;
      const open = await this.oracle.look();
      await this.oracle.checkEnded();
      const areCallsOver = await this.oracle.checkCalls();
      const arePagesClosed = await this.oracle.checkWatched();
      if (open === 0 && areCallsOver && arePagesClosed) return;
      // each stalled one was reported once
      if (this.oracle.violations.length > before && round > 20) return;
      if (round > 300) {
        this.oracle.violations.push(`after ten minutes ${open} runs have not ended`);
        this.oracle.violations.push(...this.oracle.stillWatched());
        return;
      }
      await pause(2000);
    }
  }

  /** A pause whose answer was lost may have come after its owner resumed the run. */
  private async resumePaused(person: Person): Promise<void> {
    const path = '/api/object?object_type=experiment&page_size=1000';
    const { data } = await this.wire.ask(person, { method: 'GET', path });
    for (const { short_id, meta } of (
      data as { objects: { short_id: string; meta: { action?: string } }[] }
    ).objects)
      if (meta.action === 'paused')
        await this.wire.ask(person, {
          method: 'POST',
          path: `/api/object/${short_id}`,
          body: { payload: { object_type: 'experiment', action: 'resume' } },
        });
  }

  /** People delete everything for good, and the database frees the space. */
  private async clean(): Promise<void> {
    for (const person of this.world.people) {
      for (const kind of ['workflow', 'experiment', 'model', 'data']) {
        for (;;) {
          const path = `/api/object?object_type=${kind}&page_size=100`;
          const { data } = await this.wire.ask(person, { method: 'GET', path });
          const ids = (data as { objects: { short_id: string }[] }).objects.map(
            (one) => one.short_id,
          );
          if (ids.length === 0) break;
          await this.wire.ask(person, { method: 'DELETE', path: `/api/object/${ids.join(',')}` });
        }
      }
      const freed = await this.wire.ask(person, { method: 'POST', path: '/base/space/free' });
      if (freed.status !== 200)
        this.oracle.violations.push(`freeing: ${freed.code} ${freed.message}`);
    }
    await this.service.query('vacuum full');
    await this.service.query('checkpoint');
  }

  /** The minimum over a few seconds, since work in progress and uncollected garbage come and go. */
  private async usage(): Promise<Usage> {
    const samples: Usage[] = [];
    for (let i = 0; i < (this.options.usageSeconds ?? 8); i++) {
      const pid = this.service.pidOf('supervisor');
      if (pid !== null) samples.push(measureUsage(pid, this.service.dataDir));
      await pause(1000);
    }
    const least = (name: keyof Usage) => Math.min(...samples.map((sample) => sample[name]));
    return {
      memoryMiB: least('memoryMiB'),
      handles: least('handles'),
      processes: least('processes'),
      diskMiB: least('diskMiB'),
    };
  }

  /** Idle connections stay in their pools for 10 s before they close, so usage may take a few samples to fall. */
  private async usageAfter(before: Usage): Promise<Usage> {
    let after = await this.usage();
    for (let look = 1; look < mostLooks && exceeded(before, after).length > 0; look++)
      after = await this.usage();
    return after;
  }

  private violations(): string[] {
    const { gaveUp } = this.service;
    return [
      ...this.oracle.violations,
      ...this.world.ledger.complaints,
      ...this.wire.improper,
      ...gaveUp.map((how) => `the service gave up: ${how}`),
    ];
  }

  private result(missing: Map<string, string>, before: Usage, after: Usage): ChaosResult {
    const { models, shares, runs, outside, imports, data, calls, watched } = this.world.ledger;
    const count = (kept: readonly unknown[]) => kept.length;
    return {
      struck: this.struck,
      missing,
      violations: this.violations(),
      acknowledged: {
        models: count(models),
        'versions of them': models.reduce((sum, { version }) => sum + version, 0),
        shares: count(shares),
        data: count(data),
        runs: count(runs),
        'outside runs': count(outside),
        imports: count(imports),
        'functions called': count(calls),
        'runs watched live': count(watched),
      },
      compared: this.oracle.compared,
      answered: this.wire.counts.answered,
      inDoubt: this.wire.counts.inDoubt,
      before,
      after,
      recoveryMs: this.recoveryMs,
      clock: this.service.clock.how,
      logFile: this.service.logFile,
    };
  }
}

const acts = [
  [6, saveModel],
  [1, removeModel],
  [2, shareModel],
  [4, openShare],
  [1, endShare],
  [2, addData],
  [2, callFunction],
  [4, run],
  [1, pauseAndResume],
  [8, postDraws],
  [1, importFile],
  [3, lookAround],
  [4, watchRun],
] as const;

const exceeded = (before: Usage, after: Usage) =>
  (Object.keys(bounds) as (keyof Usage)[]).filter(
    (name) => after[name] > before[name] + bounds[name],
  );

export const usageLine = ({ memoryMiB, handles, processes, diskMiB }: Usage): string =>
  `${memoryMiB.toFixed(0)} MiB of memory, ${handles} handles, ${processes} processes, ${diskMiB.toFixed(0)} MiB of disk`;

function choose(usable: readonly Fault[], uniform: number): Fault {
  let left = uniform * usable.reduce((sum, { weight }) => sum + weight, 0);
  return usable.find(({ weight }) => (left -= weight) < 0) ?? usable[0];
}
