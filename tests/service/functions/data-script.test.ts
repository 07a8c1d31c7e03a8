import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectKind } from '../../../src/client/expect-kind.ts';
import type { Experiment } from '../../../src/contract/experiment.ts';
import {
  dataScriptLanguage,
  defaultDataScript,
} from '../../../src/service/functions/data-script-language.ts';
import { findBlob } from '../../../src/service/repositories/blobs.ts';
import { listChains } from '../../../src/service/repositories/chains.ts';
import { findExperiment, findFrozen } from '../../../src/service/repositories/experiments.ts';
import { addData, addModel } from '../../support/objects.ts';
import type { Person } from '../../support/service.ts';
import { createFunctionService, type FunctionService } from './function-service.ts';

let service: FunctionService;
let ada: Person;

beforeAll(async () => {
  service = await createFunctionService();
  ada = await service.addPerson('ada');
});
afterAll(() => service.close());

/** A run of a workflow with this script, its jobs done. */
async function run(
  script: string,
  { data = '{"N": 3}' as string | null, drain = true, program = '' } = {},
): Promise<Experiment> {
  const tree = [{ name: 'model.stan', content: program, encoding: 'text' as const }];
  const model = await addModel(ada.client, program === '' ? {} : { tree });
  const input = data === null ? null : await addData(ada.client, { data });
  const create = {
    object_type: 'workflow',
    name: 'w',
    model_id: model.short_id,
    data_id: input?.short_id ?? '',
  } as const;
  const { short_id: objid } = expectKind(
    await ada.client.createObject({ body: { payload: create } }),
    'workflow',
  );
  const change = {
    object_type: 'workflow',
    data_script: script,
    settings: 'sampling: {num_chains: 2, num_warmup: 5, num_samples: 10}',
  } as const;
  await ada.client.updateObject({ params: { objid }, body: { payload: change } });
  const started = await ada.client.invoke({ body: { target: objid, action: 'run_sample' } });
  if (drain) await service.queue.drain();
  return view(started.experiment_id as string);
}

async function view(objid: string) {
  return expectKind(await ada.client.viewObject({ params: { objid } }), 'experiment');
}

async function readFrozen(objid: string) {
  const { pool } = service.database;
  const row = await findExperiment(pool, objid);
  const kept = await findFrozen(pool, row?.id ?? 0);
  const bytes = kept?.dataHash ? await findBlob(pool, kept.dataHash) : null;
  return {
    text: bytes?.toString('utf8') ?? null,
    chains: (await listChains(pool, row?.id ?? 0)).length,
  };
}

async function readLogs(objid: string) {
  const read = async (stream: 'stdlog' | 'platform') =>
    (await ada.client.viewLog({ params: { objid }, query: { stream, to: 100_000 } })).text;
  return { stdlog: await read('stdlog'), platform: await read('platform') };
}

describe('a data script', () => {
  it('returns the data of the run, and writes to the log of the run', async () => {
    const script =
      'export default function (workflow, data) {\n  console.log("had", data.N, workflow.name);\n  return { ...data, N: data.N + 1 };\n}\n';
    const { short_id, status } = await run(script);
    expect(status).toBe('NEW');
    expect(await readFrozen(short_id)).toEqual({ text: '{"N":4}', chains: 2 });
    const { stdlog, platform } = await readLogs(short_id);
    expect(stdlog).toContain('had 3 w\n');
    expect(platform).toContain('console.log("had", data.N, workflow.name)');
    expect(platform).toMatch(/Data script, \d+ ms:/);
  });

  it('labels the dimensions of the run through `meta__`, as stored data do', async () => {
    const program =
      'data { int J; } parameters { vector[J] theta; } model { theta ~ normal(0, 1); }';
    const labelled = await run(
      'export default () => ({ J: 2, meta__: { labels: { J: ["Ash", "Birch"], K: ["x"] } } });',
      { program },
    );
    expect(labelled.meta?.labels).toEqual({
      coords: { J: ['Ash', 'Birch'] },
      dims: { theta: ['J'] },
    });
    expect((await readFrozen(labelled.short_id)).chains).toBe(2);
    const odd = await run('export default () => ({ J: 2, meta__: { labels: [1] } });', { program });
    expect(odd.meta?.labels).toBeUndefined();
    expect((await readFrozen(odd.short_id)).chains).toBe(2);
  });

  it('must end before any chain is queued', async () => {
    const { short_id, status } = await run('export default () => ({ N: 9 });', { drain: false });
    expect(status).toBe('NEW');
    expect(await readFrozen(short_id)).toEqual({ text: '{"N": 3}', chains: 0 });
    await service.queue.drain();
    expect(await readFrozen(short_id)).toEqual({ text: '{"N":9}', chains: 2 });
  });

  it('creates data for a workflow without data', async () => {
    const { short_id } = await run('export default (workflow, data) => ({ ...data, N: 1 });', {
      data: null,
    });
    expect(await readFrozen(short_id)).toEqual({ text: '{"N":1}', chains: 2 });
  });

  it('reads text that is neither JSON nor a table', async () => {
    const { short_id } = await run(
      'export default (workflow, data) => ({ N: data.split("|").length });',
      { data: 'a|b|c' },
    );
    expect((await readFrozen(short_id)).text).toBe('{"N":3}');
  });

  it('keeps numbers that JSON does not have', async () => {
    const { short_id } = await run(
      'export default (w, data) => ({ ...data, y: data.x.map((x) => -x) });',
      { data: '{"x": [1, NaN, Infinity]}' },
    );
    expect((await readFrozen(short_id)).text).toBe('{"x":[1,NaN,Infinity],"y":[-1,NaN,-Infinity]}');
  });

  const bad: [string, string, RegExp][] = [
    [
      'throws',
      'export default () => {\n  throw new Error("no rows");\n};',
      /data script failed: line 2: no rows/,
    ],
    ['is not a program', 'export default () => {', /data script failed: line 1/],
    ['returns no object', 'export default () => [1];', /must return an object/],
    [
      'never settles its promise',
      'export default () => new Promise(() => {});',
      /promise that is never settled/,
    ],
    [
      'is python without a runtime',
      'import json\n\ndef parse(data):\n    return json.loads(data)\n',
      /taken to be python.*install Python 3/,
    ],
  ];
  it.each(bad)('that %s ends the run with a message', async (_, script, expected) => {
    const { short_id, status, meta } = await run(script);
    expect(status).toBe('ERR');
    expect(meta?.error).toMatchObject({
      code: 'DATA_SCRIPT_FAILED',
      message: expect.stringMatching(expected),
    });
    expect((await readFrozen(short_id)).chains).toBe(0);
  });
});

it('the default script is JavaScript and leaves the data unchanged', async () => {
  expect(dataScriptLanguage(defaultDataScript)).toBe('javascript');
  const { short_id } = await run(defaultDataScript);
  expect((await readFrozen(short_id)).text).toBe('{"N":3}');
});

it('the language is recognised by a line that exports or imports', () => {
  for (const script of [
    'export default function () {}',
    '// c\n  export async function run() {}',
    "import a from 'b';",
    'import "b"',
    "import { a, b } from 'b'",
  ])
    expect([script, dataScriptLanguage(script)]).toEqual([script, 'javascript']);
  // a backtracking regular expression would take hours on the long ones
  for (const script of [
    'import numpy',
    "import a # 'b'",
    '\n'.repeat(1_000_000),
    `import ${'a '.repeat(500_000)}`,
  ])
    expect(dataScriptLanguage(script)).toBe('python');
});
