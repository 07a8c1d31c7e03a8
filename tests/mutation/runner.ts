/**
 * Runs each test as usual, then again with each mutant that it reached and that has survived so far. A mutant
 * reached while modules load is tried with fresh modules. Stryker's own runner starts vitest for each mutant, which
 * takes seconds; this takes as long as the test.
 */
import fs from 'node:fs';
import path from 'node:path';
import { type File, type Suite, startTests, type Test } from '@vitest/runner';
import { vi } from 'vitest';
import { VitestTestRunner } from 'vitest/runners';
import { type Mutants, mutants } from './active-mutant.ts';

(globalThis as { __mutants?: Mutants }).__mutants = mutants;

// Timers and clocks in tests may be fakes.
const { setTimeout: later, clearTimeout: never } = globalThis;
const now = performance.now.bind(performance);

const work = process.env.MUTATE_WORK ?? '';
/** Tests and test files that take longer are left for the next round. */
const mostMs = Number(process.env.MUTATE_MOST_MS);
const isTriedFresh = process.env.MUTATE_FRESH === '1';
const results = path.join(work, 'results.jsonl');

/** `tried` before an attempt, so that the one a process hung on is known. */
type Note =
  | { readonly tried: string }
  | { readonly killed: string; readonly by: string }
  | { readonly reached: readonly string[] }
  /** All its mutants were tried, so the next round need not try them. */
  | { readonly done: string }
  | { readonly fault: string };
const note = (line: Note) => fs.appendFileSync(results, `${JSON.stringify(line)}\n`);

const before = JSON.parse(fs.readFileSync(path.join(work, 'before.json'), 'utf8')) as {
  readonly killed: string[];
  readonly done: string[];
};
const killed = new Set(before.killed);
const done = new Set(before.done);
const kill = (id: string, by: string) => {
  killed.add(id);
  note({ killed: id, by });
};

const nameOf = (test: Test) => `${path.basename(test.file.filepath)}: ${test.name}`;

/** From the file down to the suite of the test. */
function suitesOf(test: Test): Suite[] {
  const suites: Suite[] = [];
  for (
    let suite: Suite | undefined = test.suite ?? test.file;
    suite;
    suite = suite.suite ?? undefined
  )
    suites.unshift(suite);
  if (suites[0] !== test.file) suites.unshift(test.file);
  return suites;
}

type Hook = (context: unknown, suite: Suite) => unknown;

export default class MutantRunner extends VitestTestRunner {
  /** Reached while modules load, so a rerun test does not reach them. */
  #atLoad = new Set<string>();
  /** Set while a file runs with fresh modules and a mutant. */
  #isQuiet = false;
  #hasFailed = false;
  #cleanups: unknown[] = [];

  override onCollectStart(file: File): void {
    if (!this.#isQuiet) {
      mutants.note(this.#atLoad);
      // From here, counts the steps the file needs without a mutant.
      mutants.activate(null);
    }
    super.onCollectStart(file);
  }

  override async onBeforeRunTask(test: Test): Promise<void> {
    if (this.#isQuiet && this.#hasFailed) test.mode = 'skip';
    await super.onBeforeRunTask(test);
  }

  override onAfterRunTask(test: Test): void {
    if (this.#isQuiet && test.result?.state === 'fail') this.#hasFailed = true;
    super.onAfterRunTask(test);
  }

  async runTask(test: Test): Promise<void> {
    const run = VitestTestRunner.getTestFn(test);
    if (this.#isQuiet || isTriedFresh || done.has(test.id)) {
      await run();
      return;
    }
    const reached = new Set<string>();
    mutants.note(reached);
    const since = now();
    try {
      await run();
    } finally {
      mutants.note(null);
    }
    note({ reached: [...reached] });
    const ids = [...reached].filter((id) => !killed.has(id));
    const ms = now() - since;
    if (ids.length > 0 && ms < mostMs) await this.#tryAll(test, ids, ms);
  }

  async #tryAll(test: Test, ids: readonly string[], ms: number): Promise<void> {
    const { result } = test;
    // generous, because the machine may be busy with other work
    const mostOfOne = 5_000 + 20 * ms;
    // A test that fails when rerun would seem to find every mutant.
    mutants.activate(null);
    const failure = await this.#attempt(test, mostOfOne);
    if (failure !== null) {
      note({ fault: `${nameOf(test)}: fails when it is run again (${failure})` });
      return;
    }
    const mostSteps = 1_000_000 + 20 * mutants.steps();
    for (const id of ids) {
      note({ tried: id });
      mutants.activate(id, mostSteps);
      const found = await this.#attempt(test, mostOfOne);
      mutants.activate(null);
      if (found !== null) kill(id, nameOf(test));
    }
    note({ done: test.id });
    test.result = result;
  }

  /** Reruns hooks and test; returns null, or why it fails. */
  async #attempt(test: Test, most: number): Promise<string | null> {
    test.result = { state: 'run', startTime: Date.now() } as Test['result'];
    let timer: ReturnType<typeof setTimeout> | undefined;
    const end = new Promise<never>((_, reject) => {
      timer = later(() => reject(new Error('takes too long')), most);
    });
    try {
      await Promise.race([this.#again(test), end]);
      return test.result?.state === 'fail' ? 'an expectation that is soft' : null;
    } catch (error) {
      return String((error as Error)?.message ?? error);
    } finally {
      never(timer);
    }
  }

  async #again(test: Test): Promise<void> {
    const suites = suitesOf(test);
    for (const suite of suites.toReversed())
      for (const hook of VitestTestRunner.getSuiteHooks(suite).afterEach as unknown as Hook[])
        await hook(test.context, suite);
    for (const cleanup of this.#cleanups.splice(0).toReversed())
      if (typeof cleanup === 'function') await cleanup();
    const registered = test as Test & { onFinished?: ((context: unknown) => unknown)[] };
    for (const finished of (registered.onFinished ?? []).toReversed()) await finished(test.context);
    registered.onFinished = [];
    this.onBeforeTryTask(test);
    for (const suite of suites)
      for (const hook of VitestTestRunner.getSuiteHooks(suite).beforeEach as unknown as Hook[])
        this.#cleanups.push(await hook(test.context, suite));
    await VitestTestRunner.getTestFn(test)();
    this.onAfterTryTask(test);
  }

  async onBeforeRunFiles(): Promise<void> {
    mutants.note(null);
    if (!this.#isQuiet) note({ reached: [...this.#atLoad] });
  }

  // vitest waits for it, though the type of its own runner has nothing to wait for
  // oxlint-disable-next-line typescript/no-misused-promises
  override async onAfterRunFiles(files: File[] = []): Promise<void> {
    const atLoad = [...this.#atLoad].filter((id) => !killed.has(id));
    this.#atLoad = new Set();
    const [file] = files;
    const mostSteps = 50_000_000 + 5 * mutants.steps();
    if (isTriedFresh && !this.#isQuiet && file && (file.result?.duration ?? 0) < mostMs)
      for (const id of atLoad) await this.#tryFresh(file.filepath, id, mostSteps);
    if (!this.#isQuiet) super.onAfterRunFiles();
  }

  async #tryFresh(filepath: string, id: string, mostSteps: number): Promise<void> {
    note({ tried: id });
    this.#isQuiet = true;
    this.#hasFailed = false;
    const { onCollected, onTaskUpdate } = this as never as Record<string, unknown>;
    Object.assign(this, { onCollected: undefined, onTaskUpdate: undefined });
    try {
      vi.resetModules();
      mutants.activate(id, mostSteps);
      const [file] = await startTests([filepath], this);
      if (this.#hasFailed || file?.result?.state === 'fail') kill(id, path.basename(filepath));
    } catch {
      kill(id, path.basename(filepath));
    } finally {
      mutants.activate(null);
      Object.assign(this, { onCollected, onTaskUpdate });
      this.#isQuiet = false;
    }
  }
}
