/** People who make draws: with the service's engine, with samplers of their own, from files. */
import {
  type RunScript,
  type ScriptMessage,
  scriptedDraws,
  scriptOf,
} from '../support/scripted-runner.ts';
import type { KeptOutside, KeptRun } from './ledger.ts';
import type { Act, Actor } from './people.ts';
import type { Recipe } from './recipes.ts';
import { pause } from './struck-service.ts';
import type { Person, Wire } from './wire.ts';

export interface RunView {
  readonly short_id: string;
  readonly status: string;
  readonly n_samples: number;
  readonly meta: {
    readonly action?: string;
    readonly error?: { readonly code: string; readonly message: string } | null;
    readonly progress?: unknown;
    readonly queue_place?: unknown;
  };
}

export const hasEnded = ({ status }: RunView): boolean => status === 'FIN' || status === 'ERR';

/** Id of this person's workflow for a recipe; null in doubt. */
async function workflowOf(self: Actor, recipe: Recipe): Promise<string | null> {
  const known = self.workflows.get(recipe.name);
  if (known !== undefined) return known;
  const tree = [{ name: 'main.stan', content: recipe.source, encoding: 'text' }];
  const content = { tree };
  const model = await self.create({
    object_type: 'model',
    name: recipe.name,
    env: 'stan',
    content,
  });
  if (model === null) return null;
  let data_id = '';
  if (recipe.data !== '') {
    const data = await self.create({ object_type: 'data', name: recipe.name, data: recipe.data });
    if (data === null) return null;
    data_id = data.short_id;
  }
  const payload = { object_type: 'workflow', name: recipe.name, model_id: model.short_id, data_id };
  const workflow = await self.create(payload);
  if (workflow === null) return null;
  const { settings } = recipe;
  const set = await self.update(workflow.short_id, { object_type: 'workflow', settings });
  if (set === null || set.status >= 300) return null;
  self.workflows.set(recipe.name, workflow.short_id);
  return workflow.short_id;
}

/** The run, as soon as it has begun; null in doubt. */
export async function startRun(self: Actor, recipe: Recipe): Promise<KeptRun | null> {
  const target = await workflowOf(self, recipe);
  if (target === null) return null;
  const body = { target, action: 'run_sample', get_response: false };
  const made = await self.tryTo<{ experiment_id: string }>('starting a run', {
    method: 'POST',
    path: '/invoke',
    body,
  });
  if (made === null) return null;
  const { name } = recipe;
  const run: KeptRun = {
    id: made.experiment_id,
    owner: self.person,
    recipe: name,
    isPaused: false,
    isProven: false,
  };
  self.world.ledger.runs.push(run);
  self.world.openRuns.add(run.id);
  return run;
}

/** The view of a run that has ended; null if people stop before that. */
export async function untilEnded(self: Actor, id: string, everyMs = 500): Promise<RunView | null> {
  const { world, person } = self;
  for (;;) {
    const path = `/api/object/${id}`;
    const answer = await world.wire.ask(person, { method: 'GET', path }, () => world.isOver);
    if (answer.status >= 300) throw new Error(`${id}: ${answer.code} ${answer.message}`);
    if (hasEnded(answer.data as RunView)) {
      world.openRuns.delete(id);
      return answer.data as RunView;
    }
    if (world.isOver) return null;
    await pause(everyMs);
  }
}

/** Starts a run if there is room for one and watches it to its end. */
export const run: Act = async (self) => {
  const { world } = self;
  if (world.openRuns.size >= world.maxRuns) return;
  const recipe = self.pick(world.recipes) as Recipe;
  const started = await startRun(self, recipe);
  if (started === null) return;
  untilEnded(self, started.id).catch((error: unknown) => {
    if (!world.isOver) world.ledger.complaints.push((error as Error).message);
  });
};

export const pauseAndResume: Act = async (self) => {
  const mine = self.world.ledger.runs.filter(
    ({ id, owner }) => owner === self.person && self.world.openRuns.has(id),
  );
  const kept = self.pick(mine);
  if (kept === undefined) return;
  const command = (action: string) =>
    self.tryTo(
      action,
      {
        method: 'POST',
        path: `/api/object/${kept.id}`,
        body: { payload: { object_type: 'experiment', action } },
      },
      // it ended meanwhile, or the other command whose answer was lost was carried out
      ['CONFLICT'],
    );
  kept.isPaused = true;
  await command('pause');
  await pause(self.rng.uniform() * 1500);
  await command('resume');
  kept.isPaused = false;
};

// Outside runners ----------------------------------------------------------------------------------------------------

interface OutsideProcess {
  readonly kept: KeptOutside;
  readonly messages: readonly ScriptMessage[];
  next: number;
}

/** The run that a sampler of this person sends draws to, until its last message. */
export const outsideOf = ({ own }: Actor): string | null =>
  (own.get('outside') as OutsideProcess | undefined)?.kept.id ?? null;

/** One message of a sampler of this person; one that was not answered is sent again, as clients do. */
export const postDraws: Act = async (self) => {
  const process =
    (self.own.get('outside') as OutsideProcess | undefined) ?? (await beginOutside(self));
  if (process === null) return;
  self.own.set('outside', process);
  const { kept, messages } = process;
  const message = messages[process.next];
  const answer = await self.send({ method: 'POST', path: message.path, body: message.body });
  if (answer === null || answer.code === 'RATE_LIMITED') return;
  if (answer.status >= 300)
    self.world.ledger.complaints.push(
      `outside ${kept.id}, ${message.what}: ${answer.code} ${answer.message}`,
    );
  if (message.what === 'draws') {
    const sent = messages.slice(0, process.next + 1).filter(({ what }) => what === 'draws').length;
    kept.iterations = kept.script.batches.slice(0, sent).reduce((sum, count) => sum + count, 0);
  }
  process.next += 1;
  if (process.next < messages.length) return;
  kept.isEnded = true;
  self.own.delete('outside');
};

async function beginOutside(self: Actor): Promise<OutsideProcess | null> {
  const made = await self.create({
    object_type: 'experiment',
    name: 'from outside',
    meta: { status: 'RUN' },
    run_on: 'local',
  });
  if (made === null) return null;
  const batches = Array.from({ length: 6 }, () => 1 + Math.floor(self.rng.uniform() * 30));
  const script: RunScript = {
    experiment: made.short_id,
    batch: 'b',
    run: 'r',
    chains: ['chain#1', 'chain#2'],
    variables: ['a/val', 'flag', 'odd'],
    batches,
    client: self.rng.uniform() < 0.5 ? 'accumulating' : 'newest',
    lines: ['it begins', 'it goes on'],
  };
  const kept: KeptOutside = {
    id: made.short_id,
    owner: self.person,
    script,
    iterations: 0,
    isEnded: false,
    isProven: false,
  };
  self.world.ledger.outside.push(kept);
  return { kept, messages: scriptOf(script), next: 0 };
}

export const outsideValues = (kept: KeptOutside) => scriptedDraws(kept.script);

// Imports ------------------------------------------------------------------------------------------------------------

/** A file small enough to be read at once, or one that a worker reads. */
export const importFile: Act = async (self) => {
  const count = self.rng.uniform() < 0.7 ? 500 : 60_000;
  const base = Math.floor(self.rng.uniform() * 1e6);
  const values = Array.from({ length: count }, (_, i) => base + i / 8);
  const file = `lp__,mu\n${values.map((value, i) => `-${i % 97},${value}`).join('\n')}\n`;
  const made = await self.create({
    object_type: 'experiment',
    name: 'imported',
    data_files: [file],
    data_file_type: 'stan csv',
  });
  if (made !== null)
    self.world.ledger.imports.push({
      id: made.short_id,
      owner: self.person,
      values,
      isProven: false,
    });
};

/** Bytes of the draws of a run, as the service sends them. */
export async function readDraws(wire: Wire, owner: Person, id: string): Promise<Buffer> {
  const answer = await wire.ask(owner, { method: 'GET', path: `/api/draws/${id}` });
  if (answer.status !== 200) throw new Error(`draws of ${id}: ${answer.code} ${answer.message}`);
  return answer.bytes;
}
