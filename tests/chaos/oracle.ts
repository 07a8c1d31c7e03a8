/**
 * Whether the service kept what it acknowledged, read back only through the documented API, without any service
 * code, so a fault of the service cannot hide in both.
 */
import { availableParallelism, loadavg } from 'node:os';
import type { KeptModel, KeptOutside, KeptShare } from './ledger.ts';
import type { World } from './people.ts';
import { hasEnded, outsideValues, type RunView, readDraws } from './runs.ts';
import type { Person } from './wire.ts';

/** Work that stalls this long while the service answers never ends. Measured as if it had the machine to itself. */
const STUCK_MS = 30_000;
/** Newest objects of each kind that every check reads; the older ones take turns. */
const NEWEST = 12;

interface Column {
  readonly chain: string;
  readonly variable: string;
  readonly phase: string;
  readonly first_iteration: number;
  readonly count: number;
  readonly offset: number;
}

interface Entry extends RunView {
  readonly name: string;
}

/** Columns in the order they came. */
export type Drawn = readonly {
  /** Chain, variable and the iterations it spans. */
  readonly name: string;
  readonly first: number;
  readonly values: Float64Array;
}[];

/** Where the draws of a run first differ from those of an undisturbed one, in order; null if they are the same. */
function firstDifference(drawn: Drawn, wanted: Drawn): string | null {
  if (drawn.length !== wanted.length)
    return `${drawn.length} columns, not ${wanted.length}: ${drawn.map(({ name }) => name).join('; ')}`;
  const differing = drawn.flatMap(({ name, first, values }, k) => {
    const other = wanted[k];
    if (name !== other.name) return [`${name} in the place of ${other.name}`];
    const at = differingIndex(values, other.values);
    return at < 0 ? [] : [`${name} from ${first + at} on: ${values[at]}, not ${other.values[at]}`];
  });
  return differing.length === 0
    ? null
    : `${differing.length} of ${drawn.length} columns differ: ${differing.slice(0, 12).join('; ')}`;
}

/** -1: the same bits. */
function differingIndex(values: Float64Array, wanted: Float64Array): number {
  const bits = new BigUint64Array(values.buffer);
  const others = new BigUint64Array(wanted.buffer);
  return bits.findIndex((bit, i) => bit !== others[i]);
}

export class Oracle {
  readonly violations: string[] = [];
  /** Objects read and compared. */
  compared = 0;
  /** Milliseconds in which the service was seen to answer, scaled by its share of the machine. */
  private upMs = 0;
  private lastLook = Number.NaN;
  private turn = 0;
  private readonly seen = new Map<string, { signature: string; atMs: number }>();
  private movedAtMs = 0;

  /** `references`: draws of undisturbed runs, by recipe. */
  constructor(
    private readonly world: World,
    readonly references = new Map<string, Drawn>(),
  ) {}

  /** Reads back a part of what was acknowledged, or all of it. People must be resting. */
  async check(isWhole: boolean): Promise<void> {
    const { ledger } = this.world;
    this.turn += 1;
    const part = <T>(kept: readonly T[]): T[] =>
      isWhole ? [...kept] : [...this.older(kept), ...kept.slice(-NEWEST)];
    for (const kept of part(ledger.models)) await this.checkModel(kept);
    for (const kept of part(ledger.shares)) await this.checkShare(kept);
    for (const kept of part(ledger.data)) {
      const view = await this.read(kept.owner, `/api/object/${kept.id}`);
      const { pathname, search } = new URL(
        String((view.data as { path?: string }).path),
        'http://x',
      );
      const file = await this.read(kept.owner, pathname + search);
      this.expect(file.bytes.toString('utf8') === kept.text, `data ${kept.id} are other data`);
    }
    for (const kept of part(ledger.outside)) await this.checkOutside(kept);
    await this.checkEnded();
    await this.checkWatched();
  }

  private older<T>(kept: readonly T[]): T[] {
    const rest = kept.slice(0, -NEWEST);
    const from = (this.turn * NEWEST) % Math.max(1, rest.length);
    return rest.slice(from, from + NEWEST);
  }

  private expect(isTrue: boolean, violation: string): void {
    this.compared += 1;
    if (!isTrue) this.violations.push(violation);
  }

  private read(person: Person | null, path: string, headers: Record<string, string> = {}) {
    return this.world.wire.ask(person, { method: 'GET', path, headers });
  }

  private async checkModel(kept: KeptModel): Promise<void> {
    const { status, data, code, message } = await this.read(kept.owner, `/api/object/${kept.id}`);
    if (code === 'NOT_FOUND') {
      this.expect(kept.removal !== 'none', `model ${kept.id} is gone`);
      return;
    }
    this.expect(status === 200, `model ${kept.id}: ${status} ${code} ${message}`);
    if (status !== 200) return;
    this.expect(kept.removal !== 'done', `model ${kept.id} was deleted and is there`);
    const view = data as { version: number; content: { tree: { content: string }[] } };
    const text = view.content?.tree[0]?.content;
    const isKept = text === kept.text && view.version >= kept.version;
    this.expect(isKept || kept.maybe.includes(text), `model ${kept.id} has another text`);
  }

  private async checkShare({ id, objid, password, text, end }: KeptShare): Promise<void> {
    const address = `/api/object/${objid}?share_id=${id}`;
    const { status, data } = await this.read(null, address, { 'x-share-password': password });
    if (end === 'done') this.expect(status >= 400, `share ${id} was ended and opens`);
    if (end !== 'none') return;
    const view = data as { content?: { tree: { content: string }[] } } | null;
    this.expect(
      status === 200 && view?.content?.tree[0]?.content === text,
      `share ${id}: ${status}`,
    );
  }

  /** Expects everything acknowledged and at most one message more, in order, once. */
  private async checkOutside(kept: KeptOutside): Promise<void> {
    if (kept.isProven) return;
    const { columns, values } = await this.drawsOf(kept.owner, kept.id);
    const expected = outsideValues(kept);
    for (const { chain, variable, first_iteration, count, offset } of columns) {
      const wanted = expected[chain]?.[variable] ?? [];
      const stored = [...values.subarray(offset, offset + count)];
      const isSame = stored.every((value, i) => Object.is(value, wanted[i]));
      this.expect(
        isSame && first_iteration === 1 && count >= kept.iterations,
        `outside ${kept.id}, ${chain} ${variable}: ${count} draws from ${first_iteration} (${kept.iterations} acknowledged${isSame ? '' : ', other values'})`,
      );
    }
    const wanted = kept.iterations === 0 ? 0 : 6;
    this.expect(columns.length >= wanted, `outside ${kept.id}: ${columns.length} columns`);
  }

  private async drawsOf(owner: Person, id: string) {
    const bytes = await readDraws(this.world.wire, owner, id);
    const length = bytes.readUInt32LE(0);
    const { columns } = JSON.parse(bytes.subarray(4, 4 + length).toString('utf8')) as {
      columns: Column[];
    };
    const start = 8 * Math.ceil((4 + length) / 8);
    const copy = new Uint8Array(bytes.subarray(start));
    return { columns, values: new Float64Array(copy.buffer, 0, copy.length >> 3) };
  }

  /** What a run drew, for a bitwise comparison with another run. */
  async drawn(owner: Person, id: string): Promise<Drawn> {
    const { columns, values } = await this.drawsOf(owner, id);
    return columns.map(({ chain, variable, phase, first_iteration: first, count, offset }) => ({
      name: `${chain} ${variable}, ${phase} ${first} to ${first + count - 1}`,
      first,
      values: values.slice(offset, offset + count),
    }));
  }

  /** Checks each ended run once: its status and all of its draws. */
  async checkEnded(): Promise<void> {
    const { runs, imports, outside } = this.world.ledger;
    for (const kept of [...runs, ...imports, ...outside.filter((one) => one.isEnded)]) {
      if (kept.isProven) continue;
      const { status, data } = await this.read(kept.owner, `/api/object/${kept.id}`);
      const view = data as RunView;
      this.expect(status === 200, `experiment ${kept.id}: status ${status}`);
      if (status !== 200 || !hasEnded(view)) continue;
      kept.isProven = true;
      this.world.openRuns.delete(kept.id);
      const error = JSON.stringify(view.meta.error ?? null);
      this.expect(view.status === 'FIN', `experiment ${kept.id} failed: ${error}`);
      if (view.status !== 'FIN') continue;
      if ('recipe' in kept) {
        const drawn = await this.drawn(kept.owner, kept.id);
        const other = firstDifference(drawn, this.references.get(kept.recipe) ?? []);
        this.expect(other === null, `run ${kept.id} (${kept.recipe}): ${other}`);
      } else if ('values' in kept) {
        const { columns, values } = await this.drawsOf(kept.owner, kept.id);
        const mu = columns.find(({ variable }) => variable === 'mu');
        const stored = mu && [...values.subarray(mu.offset, mu.offset + mu.count)];
        const isSame = JSON.stringify(stored) === JSON.stringify(kept.values);
        this.expect(isSame, `import ${kept.id} has other draws`);
      } else this.expect(view.n_samples > 0, `outside ${kept.id} lost its draws`);
    }
  }

  /** Calls of functions that have ended are proven; the others count as work in progress. */
  async checkCalls(): Promise<boolean> {
    for (const call of this.world.ledger.calls.filter((one) => !one.isProven)) {
      const { data } = await this.read(call.owner, `/api/object/${call.id}`);
      const { runs = [] } = data as { runs?: { state: string; error: string }[] };
      call.isProven =
        runs.length > 0 && runs.every(({ state }) => ['done', 'failed'].includes(state));
      if (!call.isProven) continue;
      // a function process killed twice counts as out of memory; one whose worker is killed three times counts as the
      // cause of its worker's deaths
      const isKilled = (error: string) =>
        error.includes('more memory than is available') || error.includes('was lost 3 times');
      for (const { state, error } of runs)
        this.expect(state === 'done' || isKilled(error), `a call of ${call.id} failed: ${error}`);
    }
    return this.world.ledger.calls.every((call) => call.isProven);
  }

  /** Pages of ended runs are closed once they have shown every draw, the same bits as stored; true when none is open. */
  async checkWatched(): Promise<boolean> {
    const { watched, runs } = this.world.ledger;
    for (const page of watched.filter(({ isClosed }) => !isClosed)) {
      if (!runs.some(({ id, isProven }) => id === page.id && isProven)) continue;
      const { columns, values } = await this.drawsOf(page.owner, page.id);
      const stored = new Map(
        columns
          .filter(({ phase }) => phase === 'sampling')
          .map(({ chain, variable, offset, count }) => [
            `${chain} ${variable}`,
            values.subarray(offset, offset + count),
          ]),
      );
      const shown = [...page.drawn].map(([name, drawn]) => ({
        name,
        drawn,
        wanted: stored.get(name),
      }));
      const isWhole = shown.every(({ drawn, wanted }) => drawn.length >= (wanted?.length ?? 0));
      if (shown.length === 0 || !isWhole || !page.hasFinished) continue;
      for (const { name, drawn, wanted } of shown)
        this.expect(
          drawn.length === wanted?.length && drawn.every((value, i) => Object.is(value, wanted[i])),
          `the socket of ${page.id} showed other draws of ${name}`,
        );
      page.close();
    }
    return watched.every(({ isClosed }) => isClosed);
  }

  /** Pages that never showed everything, and what they showed. */
  stillWatched(): string[] {
    return this.world.ledger.watched
      .filter(({ isClosed }) => !isClosed)
      .map(({ id, drawn, hasFinished }) => {
        const counts = [...drawn].map(([name, { length }]) => `${name}: ${length}`).join(', ');
        return `the socket of ${id} showed ${counts || 'nothing'}${hasFinished ? '' : ', no end'}`;
      });
  }

  /** Looks at everything that has not ended and returns its number; call it every few seconds. */
  async look(): Promise<number> {
    let open = 0;
    const found: { key: string; isWaiting: boolean }[] = [];
    const entries: Entry[] = [];
    for (const person of this.world.people) {
      const path = '/api/object?object_type=experiment&page_size=1000';
      const answer = await this.world.wire.send(person, { method: 'GET', path });
      if (answer === null || answer.status !== 200) {
        this.lastLook = Number.NaN;
        return -1;
      }
      entries.push(...(answer.data as { objects: Entry[] }).objects);
    }
    const now = performance.now();
    // long silences are not the service's time, and on a busy machine only a share of the time is
    const share = Math.min(1, availableParallelism() / Math.max(loadavg()[0], 1e-3));
    if (!Number.isNaN(this.lastLook)) this.upMs += share * Math.min(now - this.lastLook, 5000);
    this.lastLook = now;
    for (const entry of entries) {
      if (hasEnded(entry) || entry.meta.action === 'paused' || this.isOutside(entry)) {
        this.seen.delete(entry.short_id);
        continue;
      }
      open += 1;
      const { status, n_samples, meta } = entry;
      const signature = JSON.stringify([
        status,
        n_samples,
        meta.action,
        meta.progress,
        meta.queue_place,
      ]);
      const before = this.seen.get(entry.short_id);
      if (before?.signature !== signature) {
        this.seen.set(entry.short_id, { signature, atMs: this.upMs });
        this.movedAtMs = this.upMs;
      }
      found.push({ key: entry.short_id, isWaiting: Number(meta.queue_place ?? 0) > 0 });
    }
    for (const { key, isWaiting } of found) {
      const { atMs, signature } = this.seen.get(key) as { atMs: number; signature: string };
      const stillMs = this.upMs - (isWaiting ? Math.max(atMs, this.movedAtMs) : atMs);
      if (stillMs < STUCK_MS) continue;
      this.violations.push(
        `${key} has not moved for ${Math.round(stillMs / 1000)} s: ${signature}`,
      );
      this.seen.set(key, { signature, atMs: this.upMs });
    }
    return open;
  }

  /** Its owner may take any time; if an answer was in doubt, it may never get more draws. */
  private isOutside({ short_id, name }: Entry): boolean {
    if (name !== 'from outside') return false;
    return !this.world.ledger.outside.some(({ id, isEnded }) => id === short_id && isEnded);
  }
}
