/** People who use the service as browsers and scripts do, at random from a seed. Answers go into the ledger. */
import type { Rng } from '../../src/math/random/rng.ts';
import { seededRng } from '../support/seeded-rng.ts';
import { type KeptModel, Ledger } from './ledger.ts';
import type { Recipe } from './recipes.ts';
import { pause } from './struck-service.ts';
import type { Answer, Person, Sent, Wire } from './wire.ts';

export interface World {
  readonly wire: Wire;
  readonly ledger: Ledger;
  readonly recipes: readonly Recipe[];
  readonly people: readonly Person[];
  /** Maximum number of concurrent runs of the service's engine. */
  readonly maxRuns: number;
  /** Runs in progress. */
  readonly openRuns: Set<string>;
  /** While it is set, no one begins anything; resolves when people continue. */
  resting: Promise<void> | null;
  /** People in the middle of an act. */
  acting: number;
  /** Everyone stops. */
  isOver: boolean;
}

export function makeWorld(parts: Pick<World, 'wire' | 'recipes' | 'people' | 'maxRuns'>): World {
  const openRuns = new Set<string>();
  return { ...parts, ledger: new Ledger(), openRuns, resting: null, acting: 0, isOver: false };
}

/** What one person does next. */
export type Act = (self: Actor) => Promise<void>;

export class Actor {
  readonly rng: Rng;
  /** Workflow by recipe. */
  readonly workflows = new Map<string, string>();
  /** State that this person's acts keep from one act to the next. */
  readonly own = new Map<string, unknown>();

  constructor(
    readonly world: World,
    readonly person: Person,
    seed: number,
  ) {
    this.rng = seededRng(seed);
  }

  pick<T>(items: readonly T[]): T | undefined {
    return items[Math.floor(this.rng.uniform() * items.length)];
  }

  send(sent: Sent): Promise<Answer | null> {
    return this.world.wire.send(this.person, sent);
  }

  /** `data` of a success; null in doubt; a refusal not in `allowed` is a complaint. */
  async tryTo<T>(what: string, sent: Sent, allowed: readonly string[] = []): Promise<T | null> {
    const answer = await this.send(sent);
    if (answer === null || answer.code === 'RATE_LIMITED') return null;
    if (answer.status < 300) return answer.data as T;
    if (!allowed.includes(answer.code))
      this.world.ledger.complaints.push(
        `${this.person.name}: ${what}: ${answer.status} ${answer.code} ${answer.message}`,
      );
    return null;
  }

  create<T = { short_id: string }>(payload: Record<string, unknown>): Promise<T | null> {
    const what = `making ${String(payload.object_type)}`;
    return this.tryTo<T>(what, { method: 'POST', path: '/api/object', body: { payload } });
  }

  update(id: string, payload: Record<string, unknown>): Promise<Answer | null> {
    return this.send({ method: 'POST', path: `/api/object/${id}`, body: { payload } });
  }
}

/** Acts at random until the world is over, pausing between acts. */
export async function live(
  self: Actor,
  acts: readonly (readonly [weight: number, act: Act])[],
  restMs: () => number,
): Promise<void> {
  const total = acts.reduce((sum, [weight]) => sum + weight, 0);
  while (!self.world.isOver) {
    await self.world.resting;
    let left = self.rng.uniform() * total;
    const [, act] = acts.find(([weight]) => (left -= weight) < 0) ?? acts[0];
    self.world.acting += 1;
    try {
      await act(self);
    } catch (error) {
      if (!self.world.isOver)
        self.world.ledger.complaints.push(`${self.person.name}: ${(error as Error).message}`);
    } finally {
      self.world.acting -= 1;
    }
    await pause(restMs());
  }
}

// Models -------------------------------------------------------------------------------------------------------------

const treeOf = (text: string) => ({
  tree: [{ name: 'main.stan', content: text, encoding: 'text' }],
});

const ownModels = ({ world, person }: Actor) =>
  world.ledger.models.filter((kept) => kept.owner === person && kept.removal === 'none');

function nextText(self: Actor): string {
  const n = ((self.own.get('texts') as number | undefined) ?? 0) + 1;
  self.own.set('texts', n);
  const padding = 'x'.repeat(Math.floor(self.rng.uniform() * 2000));
  return `// ${self.person.name}, text ${n} ${padding}\nparameters { real x; } model { x ~ normal(${n}, 1); }\n`;
}

export const saveModel: Act = async (self) => {
  const models = ownModels(self);
  const kept = self.pick(models);
  const text = nextText(self);
  if (kept === undefined || (models.length < 4 && self.rng.uniform() < 0.4)) {
    const payload = { object_type: 'model', name: 'a text', env: 'stan', content: treeOf(text) };
    const made = await self.create<{ short_id: string; version?: number }>(payload);
    if (made === null) return;
    const { short_id: id, version = 1 } = made;
    self.world.ledger.models.push({
      id,
      owner: self.person,
      text,
      version,
      maybe: [],
      removal: 'none',
    });
    return;
  }
  kept.maybe.push(text);
  const answer = await self.update(kept.id, {
    object_type: 'model',
    content: treeOf(text),
    base_version: kept.version,
  });
  if (answer === null || answer.code === 'RATE_LIMITED') return;
  if (answer.code === 'CONFLICT') await adopt(self, kept, text);
  else if (answer.status < 300) {
    kept.text = text;
    kept.version += 1;
    // saves in doubt were based on this version or an older one, so they can no longer succeed
    kept.maybe = [];
  } else self.world.ledger.complaints.push(`saving ${kept.id}: ${answer.code} ${answer.message}`);
};

interface ModelView {
  readonly version: number;
  readonly content: { readonly tree: readonly { readonly content: string }[] };
}

const textOf = (view: unknown): string =>
  (view as ModelView | null)?.content?.tree?.[0]?.content ?? '';

/** A save whose answer was lost had arrived: the person reads the current text and continues from it. */
async function adopt(self: Actor, kept: KeptModel, refused: string): Promise<void> {
  const view = await self.tryTo<ModelView>('viewing a model', {
    method: 'GET',
    path: `/api/object/${kept.id}`,
  });
  if (view === null) return;
  const isKnown = textOf(view) === kept.text || kept.maybe.includes(textOf(view));
  if (!isKnown || view.version === kept.version || textOf(view) === refused)
    self.world.ledger.complaints.push(
      `${kept.id} conflicts with version ${view.version}, which nobody saved over ${kept.version}`,
    );
  kept.text = textOf(view);
  kept.version = view.version;
}

export const removeModel: Act = async (self) => {
  const { shares } = self.world.ledger;
  const isShared = (id: string) => shares.some((share) => share.objid === id);
  const kept = self.pick(ownModels(self).filter((one) => !isShared(one.id)));
  if (kept === undefined || ownModels(self).length < 3) return;
  kept.removal = 'in doubt';
  const removed = await self.tryTo<{ deleted_key: string }>('deleting a model', {
    method: 'DELETE',
    path: `/api/object/${kept.id}`,
  });
  if (removed === null) return;
  kept.removal = 'done';
  if (self.rng.uniform() < 0.5) return;
  kept.removal = 'in doubt';
  const path = `/api/object/${kept.id}?deleted_key=${encodeURIComponent(removed.deleted_key)}`;
  const undone = await self.tryTo('undoing', { method: 'DELETE', path });
  if (undone !== null) kept.removal = 'none';
};

// Shares, data, functions --------------------------------------------------------------------------------------------

export const shareModel: Act = async (self) => {
  const kept = self.pick(ownModels(self).filter((one) => one.maybe.length === 0));
  if (kept === undefined) return;
  const { text } = kept;
  const password = `password ${Math.floor(self.rng.uniform() * 1e9)}`;
  const made = await self.create({ object_type: 'share', objid: kept.id, password });
  if (made === null) return;
  const share = { id: made.short_id, objid: kept.id, password, text, end: 'none' } as const;
  self.world.ledger.shares.push({ ...share });
};

/** By anybody who has the link and the password. */
export const openShare: Act = async (self) => {
  const share = self.pick(self.world.ledger.shares.filter(({ end }) => end === 'none'));
  if (share === undefined) return;
  const answer = await self.world.wire.send(null, {
    method: 'GET',
    path: `/api/object/${share.objid}?share_id=${share.id}`,
    headers: { 'x-share-password': share.password },
  });
  if (answer === null || share.end !== 'none') return;
  if (answer.status !== 200)
    self.world.ledger.complaints.push(`share ${share.id}: ${answer.code} ${answer.message}`);
  else if (textOf(answer.data) !== share.text)
    self.world.ledger.complaints.push(`share ${share.id} shows another text`);
};

export const endShare: Act = async (self) => {
  const { shares, models } = self.world.ledger;
  const mine = new Set(models.filter(({ owner }) => owner === self.person).map(({ id }) => id));
  const share = self.pick(shares.filter(({ end, objid }) => end === 'none' && mine.has(objid)));
  if (share === undefined || shares.length < 5) return;
  share.end = 'in doubt';
  const ended = await self.tryTo('ending a share', {
    method: 'DELETE',
    path: `/api/object/${share.id}`,
  });
  if (ended !== null) share.end = 'done';
};

export const addData: Act = async (self) => {
  const values = Array.from({ length: 20 }, () => Math.floor(self.rng.uniform() * 1e6));
  const text = JSON.stringify({ N: values.length, y: values });
  const made = await self.create({ object_type: 'data', name: 'numbers', data: text });
  if (made !== null) self.world.ledger.data.push({ id: made.short_id, owner: self.person, text });
};

const doubling =
  'export default ({ n }) => { let s = 0; for (let i = 0; i < 3e6; i++) s += i % 7; return 2 * n + 0 * s; };';

/** An awaited call ends when its caller stops waiting; all others are carried out. */
export const callFunction: Act = async (self) => {
  const isAwaited = self.rng.uniform() < 0.5;
  const key = isAwaited ? 'function, awaited' : 'function';
  let id = self.own.get(key) as string | undefined;
  if (id === undefined) {
    const tree = [{ name: 'main.js', content: doubling, encoding: 'text' }];
    const payload = { object_type: 'model', name: 'doubling', tags: ['code'], content: { tree } };
    id = (await self.create(payload))?.short_id;
    if (id === undefined) return;
    self.own.set(key, id);
  }
  const n = Math.floor(self.rng.uniform() * 1000);
  const body = { target: id, action: 'run', parameters: { n }, get_response: isAwaited };
  const answer = await self.tryTo<{ cloudfunction_response?: unknown }>('calling a function', {
    method: 'POST',
    path: '/invoke',
    body,
  });
  if (answer === null) return;
  const { ledger } = self.world;
  if (!isAwaited && !ledger.calls.some((call) => call.id === id))
    ledger.calls.push({ id, owner: self.person, isProven: false });
  if (isAwaited && answer.cloudfunction_response !== 2 * n)
    ledger.complaints.push(`a function answered ${JSON.stringify(answer)} instead of ${2 * n}`);
};

/** Reads as an open dashboard does. */
export const lookAround: Act = async (self) => {
  const { models, data } = self.world.ledger;
  const mine = [...models.filter((kept) => kept.removal === 'none'), ...data].filter(
    ({ owner }) => owner === self.person,
  );
  const paths = [
    '/api/object?object_type=experiment&page_size=50',
    '/api/notification?status=unread&page_size=20',
    '/base/space',
  ];
  const one = self.pick(mine);
  if (one !== undefined) paths.push(`/api/object/${one.id}`);
  const run = self.pick([...self.world.openRuns]);
  const owned = self.world.ledger.runs.find(({ id }) => id === run);
  if (owned?.owner === self.person)
    paths.push(`/api/object/${run}`, `/api/draws/${run}?max_points=500`, `/api/summary/${run}`);
  for (const path of paths)
    await self.tryTo(`looking at ${path}`, { method: 'GET', path }, ['NOT_FOUND']);
};
