/** Packages over the wire: what they contain, and that they reproduce the run's own draws elsewhere. */
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { expectKind } from '../../../src/client/expect-kind.ts';
import { readZip } from '../../../src/formats/archive.ts';
import type { ModelFile } from '../../../src/formats/model-tree.ts';
import { unpackTar } from '../../../src/formats/tar.ts';
import { readDraws } from '../../../src/service/repositories/draws.ts';
import { findObject } from '../../../src/service/repositories/objects.ts';
import { type BundledWorker, bundleWorker } from '../../support/bundle-worker.ts';
import { itWith } from '../../support/needs.ts';
import { addData, addModel, addWorkflow } from '../../support/objects.ts';
import { PYTHON } from '../../support/parts.mjs';
import { readStanCsv } from '../../support/read-csv.ts';
import { createTestService, type Person, type TestService } from '../../support/service.ts';
import { startTestWorker } from '../../support/test-worker.ts';

let service: TestService;
let person: Person;
let worker: BundledWorker;
let cli: BundledWorker;
let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'ergodic-package-'));
  [service, worker, cli] = await Promise.all([
    createTestService(),
    bundleWorker(),
    bundleWorker('tests/support/cli.ts'),
  ]);
  person = service.owner;
});
afterAll(async () => {
  await service.close();
  await worker.remove();
  await cli.remove();
  rmSync(folder, { recursive: true, force: true });
});

const download = async (objid: string, query = '') => {
  const answer = await service.inject({ url: `/download/${objid}${query}` }, person.token);
  return { answer, bytes: new Uint8Array(answer.rawPayload) };
};

async function unzip(objid: string): Promise<readonly ModelFile[]> {
  const read = readZip((await download(objid)).bytes);
  if (!read.ok) throw new Error(read.error.message);
  return read.value.files;
}

const textOf = (files: readonly ModelFile[], name: string) =>
  new TextDecoder().decode(files.find((file) => file.path === name)?.bytes);

async function runToEnd(workflow: string): Promise<string> {
  const body = { target: workflow, action: 'run_sample' };
  const objid = (await person.client.invoke({ body })).experiment_id as string;
  const running = await startTestWorker(service, { workerUrl: worker.url });
  for (;;) {
    await service.queue.drain();
    const { status, meta } = expectKind(
      await person.client.viewObject({ params: { objid } }),
      'experiment',
    );
    if (status === 'ERR') throw new Error(JSON.stringify(meta));
    if (status === 'FIN') break;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  await running.stop();
  return objid;
}

const program = `#include priors.stan
data { int N; vector[N] x; vector[N] y; }
parameters { real a; real b; real<lower=0> sigma; }
model { a ~ normal(0, 5); b ~ normal(0, 5); sigma ~ normal(0, 2); y ~ normal(a + b * x, sigma); }
`;
const tree = [
  { name: 'main.stan', content: program, encoding: 'text' as const },
  { name: 'priors.stan', content: '// nothing yet\n', encoding: 'text' as const },
];
const settings =
  'sampling: {num_chains: 2, num_warmup: 150, num_samples: 60, seed: 41, metric: dense, thin: 2, adapt_delta: 0.9}\n';

async function makeWorkflow(): Promise<string> {
  const model = await addModel(person.client, { name: 'Line', tree });
  const data = await addData(person.client, { data: 'x,y\n1,2.1\n2,3.9\n3,6.2\n4,7.8\n5,10.1\n' });
  const payload = {
    object_type: 'workflow',
    name: 'A line',
    model_id: model.short_id,
    data_id: data.short_id,
  } as const;
  const { short_id: objid } = expectKind(
    await person.client.createObject({ body: { payload } }),
    'workflow',
  );
  const change = { object_type: 'workflow', settings } as const;
  await person.client.updateObject({ params: { objid }, body: { payload: change } });
  return objid;
}

describe('the package of an experiment', () => {
  it('reproduces the same draws, bit for bit, without a server', async () => {
    const workflow = await makeWorkflow();
    const experiment = await runToEnd(workflow);
    for (const { path: name, bytes } of await unzip(experiment)) {
      mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
      writeFileSync(path.join(folder, name), bytes);
    }
    const env = {
      ...process.env,
      ERGODIC: `${process.execPath} ${fileURLToPath(cli.url)} ${worker.url.href}`,
    };
    await promisify(execFile)('sh', [path.join(folder, 'run.sh')], { env });
    const object = await findObject(service.database.pool, experiment);
    const segments = await readDraws(service.database.pool, { experimentId: object?.id ?? 0 });
    expect(segments).toHaveLength(20);
    for (const chain of [1, 2]) {
      const read = readStanCsv(
        readFileSync(path.join(folder, 'output', `chain_${chain}.csv`), 'utf8'),
      );
      for (const { variable, values } of segments.filter(({ name }) => name === `chain#${chain}`)) {
        const column = read.variables.indexOf(variable);
        expect([variable, Array.from(read.draws[column])]).toEqual([variable, Array.from(values)]);
      }
    }
  });

  itWith('python', 'has a script in Python that compiles', async () => {
    const files = await unzip(await runToEnd(await makeWorkflow()));
    const script = files.find(({ path: name }) => name.endsWith('run.py'));
    const file = path.join(folder, 'compiled.py');
    writeFileSync(file, script?.bytes ?? '');
    expect(script?.bytes.length).toBeGreaterThan(0);
    await promisify(execFile)(PYTHON, ['-m', 'py_compile', file]);
  });
});

describe('the package of a workflow', () => {
  it('contains model, data, settings and scripts, in both kinds of archive', async () => {
    const workflow = await makeWorkflow();
    const scripts = {
      data_script: 'def parse(workflow, data): return data',
      startup_script: '# start',
    };
    const payload = { object_type: 'workflow', ...scripts } as const;
    await person.client.updateObject({ params: { objid: workflow }, body: { payload } });
    const { answer, bytes } = await download(workflow, '?fmt=tar.gz&is_cloud=True');
    expect(answer.headers).toMatchObject({
      'content-type': 'application/gzip',
      'content-disposition': expect.stringContaining(`A-line-${workflow}.tar.gz`) as string,
    });
    const untarred = unpackTar(bytes);
    const files = await unzip(workflow);
    const byPath = (list: readonly ModelFile[]) =>
      Object.fromEntries(list.map((file) => [file.path, Buffer.from(file.bytes).toString()]));
    expect(untarred.ok && byPath(untarred.value.files)).toEqual(byPath(files));
    expect(files.map((file) => file.path).toSorted()).toEqual([
      'README.txt',
      'client/Ergodic.py/ergodic/__init__.py',
      'client/Ergodic.py/ergodic/__main__.py',
      'data',
      'data.json',
      'data.py',
      'model/.metadata',
      'model/main.stan',
      'model/priors.stan',
      'model/script.jl',
      'run.R',
      'run.py',
      'run.sh',
      'settings.json',
      'tasks.py',
      'workflow.yaml',
    ]);
    expect(textOf(files, 'data')).toMatch(/^x,y\n/);
    expect(JSON.parse(textOf(files, 'data.json'))).toEqual({
      x: [1, 2, 3, 4, 5],
      y: [2.1, 3.9, 6.2, 7.8, 10.1],
      N: 5,
    });
    const text = textOf(files, 'workflow.yaml');
    expect(text).toMatch(new RegExp(`workflow_id: "${workflow}"\n${settings.split('}')[0]}, sync`));
    expect(parse(text)).toMatchObject({
      sampling: { ...parse(settings).sampling, sync: false, mcmc_data: { directory: 'mcmcdata' } },
      serverless: { engine: 'local' },
      analysis: { sync: false, output_dir: 'analyzer_output' },
    });
    expect(textOf(files, 'run.sh')).toContain("--seed '41'");
  });

  it('is identical each time, without a seed that is not in the settings', async () => {
    const { short_id: workflow } = await addWorkflow(person.client);
    const payload = { object_type: 'workflow', settings: '' } as const;
    await person.client.updateObject({ params: { objid: workflow }, body: { payload } });
    const [first, second] = [await download(workflow), await download(workflow)];
    expect(first.bytes).toEqual(second.bytes);
    expect(textOf(await unzip(workflow), 'run.sh')).not.toContain('--seed');
  });

  it('contains no token', async () => {
    const files = await unzip(await makeWorkflow());
    for (const file of files)
      expect(Buffer.from(file.bytes).toString()).not.toMatch(/erg_[\w-]{20}/);
  });
});

describe('an object that cannot be packed', () => {
  it('is refused with the reason', async () => {
    const { short_id: data } = await addData(person.client);
    const empty = expectKind(
      await person.client.createObject({
        body: { payload: { object_type: 'workflow', name: 'empty' } },
      }),
      'workflow',
    );
    const outside = expectKind(
      await person.client.createObject({
        body: { payload: { object_type: 'experiment', name: 'outside' } },
      }),
      'experiment',
    );
    const words: [string, RegExp][] = [
      [data, /workflows, models and experiments/],
      [empty.short_id, /no model/],
      [outside.short_id, /did not run the experiment/],
    ];
    for (const [objid, expected] of words) {
      const answer = (await download(objid)).answer.json() as { code: string; message: string };
      expect(answer.code).toBe('INVALID_PARAMETER');
      expect(answer.message).toMatch(expected);
    }
  });
});
