/** The tasks of a package, run by pyinvoke in another folder, alongside a service that really listens. */
import { execFile } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { createClient } from '../../../src/client/create-client.ts';
import { unpackTar } from '../../../src/formats/tar.ts';
import { itWith } from '../../support/needs.ts';
import { PYTHON } from '../../support/parts.mjs';
import { readStanCsv } from '../../support/read-csv.ts';
import { finalise } from '../../support/runner-service.ts';
import { builtCli } from '../../support/served.ts';
import { createTestService, type Person, type TestService } from '../../support/service.ts';

let service: TestService;
let person: Person;
let origin = '';
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'ergodic-tasks-'));
beforeAll(async () => {
  service = await createTestService({
    makeClient(port, token) {
      origin = `http://127.0.0.1:${port()}`;
      return createClient({ baseUrl: origin, token });
    },
  });
  person = service.owner;
  await person.client.viewUser();
});
afterAll(async () => {
  await service.close();
  fs.rmSync(folder, { recursive: true, force: true });
});

interface Parts {
  readonly model: Readonly<Record<string, string>>;
  readonly analyzer?: Readonly<Record<string, string>>;
  readonly data?: string;
  readonly script?: string;
  readonly settings?: string;
}

interface Package {
  readonly workflow: string;
  readonly place: string;
  /** Runs a task; returns its output on both streams. */
  readonly invoke: (...args: string[]) => Promise<{ code: number; said: string }>;
  readonly has: (name: string) => boolean;
  readonly read: (name: string) => string;
  /** `workflow.yaml` with other settings. */
  readonly set: (settings: string) => void;
}

/** A workflow, downloaded and unpacked. */
async function makePackage({ model, analyzer, data, script, settings }: Parts): Promise<Package> {
  const create = async (payload: Record<string, unknown>) =>
    (
      (await person.client.createObject({ body: { payload: payload as never } })) as {
        short_id: string;
      }
    ).short_id;
  const treeOf = (files: Readonly<Record<string, string>>) =>
    Object.entries(files).map(([name, content]) => ({ name, content, encoding: 'text' }));
  const addModel = (files: Readonly<Record<string, string>>) =>
    create({ object_type: 'model', name: 'a program', content: { tree: treeOf(files) } });
  const workflow = await create({
    object_type: 'workflow',
    name: 'taken along',
    model_id: await addModel(model),
    data_id: data === undefined ? '' : await create({ object_type: 'data', name: 'd', data }),
  });
  const payload = {
    object_type: 'workflow',
    settings: settings ?? '',
    ...(script === undefined ? {} : { data_script: script }),
    ...(analyzer === undefined ? {} : { analyzer_id: await addModel(analyzer) }),
  } as const;
  await person.client.updateObject({ params: { objid: workflow }, body: { payload } });
  const url = `${origin}/download/${workflow}?fmt=tar.gz`;
  const answer = await fetch(url, { headers: { authorization: `Bearer ${person.token}` } });
  const unpacked = unpackTar(new Uint8Array(await answer.arrayBuffer()));
  if (!unpacked.ok) throw new Error(unpacked.error.message);
  const place = path.join(folder, workflow);
  for (const { path: name, bytes } of unpacked.value.files) {
    fs.mkdirSync(path.dirname(path.join(place, name)), { recursive: true });
    fs.writeFileSync(path.join(place, name), bytes);
  }
  const yaml = fs.readFileSync(path.join(place, 'workflow.yaml'), 'utf8');
  return {
    workflow,
    place,
    invoke: (...args) => invoke(place, args),
    has: (name) => fs.existsSync(path.join(place, name)),
    read: (name) => fs.readFileSync(path.join(place, name), 'utf8'),
    set: (text) => fs.writeFileSync(path.join(place, 'workflow.yaml'), `${yaml}${text}`),
  };
}

function invoke(cwd: string, args: readonly string[]): Promise<{ code: number; said: string }> {
  const env = {
    ...process.env,
    HOME: folder,
    XDG_CONFIG_HOME: path.join(folder, 'config'),
    ERGODIC: `${process.execPath} ${builtCli}`,
    ERGODIC_TOKEN: '',
    PYTHONDONTWRITEBYTECODE: '1',
  };
  return new Promise((resolve) => {
    execFile(PYTHON, ['-m', 'invoke', ...args], { cwd, env }, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : Number(error.code), said: stdout + stderr }),
    );
  });
}

const experiments = async () =>
  (await person.client.listObjects({ query: { object_type: 'experiment' } })).total;

const program = `
import ergodic
numbers = ergodic.data()["y"]
print("sampling", sum(numbers))
ergodic.sample(({"mu": sum(numbers) + i} for i in range(20)), chain=1)
`;
const analyzer = `
import glob, json, os, sys
given = json.load(open(sys.argv[1]))
rows = [line for name in glob.glob(os.environ["ERGODIC_MCMC_DATA_PATH"] + "/*.csv") for line in open(name)]
with open(os.path.join(os.environ["ERGODIC_ANALYZE_OUTPUT_DIR"], "output.html"), "w") as file:
    file.write("<p>%d draws of %s</p>" % (len(rows), given["workflow_id"]))
`;

describe('tasks of a Python program', () => {
  itWith('pyinvoke', 'keep everything local as long as nothing is synced', async () => {
    const script = 'def parse(workflow, data):\n    return {"y": [10 * y for y in data["y"]]}\n';
    const taken = await makePackage({
      model: { 'main.py': program },
      analyzer: { 'main.py': analyzer },
      data: '{"y": [1, 2]}',
      script,
    });
    const before = await experiments();
    const list = await taken.invoke('--list');
    expect(list.said).toMatch(
      /analyze \(analyse, analyser, analysis, analyzer\)[^]*clean[^]*login[^]*sample \(sampling\)/,
    );
    await taken.invoke('sample');
    const sampled = await taken.invoke('sampling');
    expect(sampled).toEqual({ code: 0, said: 'sampling 30\n' });
    const rows = taken.read('mcmcdata/chain%231.csv').trim().split('\r\n');
    expect([rows.length, rows[0], rows[19]]).toEqual([20, 'chain#1,mu,1,30', 'chain#1,mu,20,49']);
    expect(await taken.invoke('analyse')).toMatchObject({ code: 0 });
    expect(taken.read('analyzer_output/output.html')).toBe(`<p>20 draws of ${taken.workflow}</p>`);
    expect(await experiments()).toBe(before);
    expect(await taken.invoke('clean')).toEqual({ code: 0, said: '' });
    expect(['mcmcdata', 'analyzer_output', 'tmp'].filter(taken.has)).toEqual([]);
    expect(taken.has('model/main.py')).toBe(true);
  });

  itWith(
    'pyinvoke',
    'send draws, log and report to the service on request',
    async () => {
      const taken = await makePackage({
        model: { 'main.py': program },
        analyzer: { 'main.py': analyzer },
        data: '{"y": [1, 2]}',
      });
      taken.set('sampling: {sync: ergodic}\nanalysis: {sync: ergodic}\n');
      const before = await experiments();
      const refused = await taken.invoke('sample');
      expect(refused.code).toBe(1);
      expect(refused.said).toContain('invoke login --token TOKEN');
      expect([taken.has('mcmcdata'), await experiments()]).toEqual([false, before]);
      expect((await taken.invoke('login', '--token', 'erg_wrong')).said).toContain(
        'The token is invalid',
      );
      expect((await taken.invoke('login')).code).toBe(1);

      const login = await taken.invoke('login', '--token', person.token);
      expect(login).toEqual({ code: 0, said: `${person.username}\n` });
      const kept = path.join(folder, 'config', 'ergodic', 'config.yaml');
      expect(fs.statSync(kept).mode & 0o777).toBe(0o600);
      expect(await taken.invoke('login')).toEqual(login);

      const { code, said } = await taken.invoke('sample');
      const [, id] = /^sampling 3\n(X\w{7})\n$/.exec(said) ?? [said, ''];
      expect([code, id]).toEqual([0, expect.stringMatching(/^X/)]);
      await finalise(service, id);
      const view = await person.client.viewObject({ params: { objid: id } });
      expect(view).toMatchObject({
        status: 'FIN',
        name: 'taken along',
        n_chains: 1,
        n_samples: 20,
        workflow_id: taken.workflow,
      });
      const log = await service.inject({ url: `/api/log/${id}?stream=stdlog` }, person.token);
      expect(log.body).toContain('sampling 3');
      expect(taken.has('mcmcdata')).toBe(false);

      expect((await taken.invoke('analysis')).code).toBe(0);
      const workflow = await person.client.viewObject({ params: { objid: taken.workflow } });
      expect(JSON.parse((workflow as { analyzer_result: string }).analyzer_result)).toMatchObject({
        status: 'done',
        return_code: 0,
      });

      const elsewhere = taken
        .read('workflow.yaml')
        .replace(/endpoint: .*/, 'endpoint: "http://127.0.0.1:9"');
      fs.writeFileSync(path.join(taken.place, 'workflow.yaml'), elsewhere);
      expect((await taken.invoke('sample')).said).toContain('No token for http://127.0.0.1:9 yet');
    },
    // fourteen programs one after the other, each of which loads Python or Node
    { timeout: 120_000 },
  );

  itWith('pyinvoke', 'remove no folder that they did not create', async () => {
    const taken = await makePackage({ model: { 'main.py': 'print(1)' } });
    for (const directory of ['..', '.', 'model', '/', 'tmp/../client']) {
      taken.set(`sampling: {mcmc_data: {directory: "${directory}"}}\n`);
      expect(await taken.invoke('clean')).toMatchObject({
        code: 1,
        said: expect.stringContaining('is not removed') as string,
      });
    }
    expect(['model/main.py', 'client', 'tasks.py'].filter(taken.has)).toHaveLength(3);
  });

  itWith('pyinvoke', 'report what cannot run outside the service, and what fails', async () => {
    const script = await makePackage({
      model: { 'main.py': 'print(1)' },
      analyzer: { 'main.js': 'export default () => 1' },
      script: 'export default (workflow, data) => data;',
    });
    expect((await script.invoke('sample')).said).toContain('inside the service only');
    expect((await script.invoke('analyze')).said).toContain('inside the service only');
    expect(script.read('README.txt')).toMatch(
      /What does not run elsewhere:\n {2}data\.js.*\n {2}the analyzer/,
    );
    const failing = await makePackage({ model: { 'main.py': 'raise SystemExit(3)' } });
    expect(await failing.invoke('sample')).toEqual({
      code: 1,
      said: 'The program ended with code 3.\n',
    });
    expect((await failing.invoke('analyze')).said).toContain('No analyzer is in this package');
  });
});

describe('tasks of a Stan program', () => {
  itWith('pyinvoke', 'sample with data from the script, and import when synced', async () => {
    const taken = await makePackage({
      model: {
        'main.stan':
          'data { int N; vector[N] y; } parameters { real mu; } model { y ~ normal(mu, 1); }',
      },
      data: 'x,y\n1,1\n2,2\n3,3\n',
      script:
        'def parse(workflow, data):\n    return {"N": data["N"], "y": [1000 + y for y in data["y"]]}\n',
      settings:
        'sampling: {num_chains: 2, num_warmup: 200, num_samples: 50, seed: 3, sync: ergodic}\n',
    });
    await taken.invoke('login', '--token', person.token);
    const before = await experiments();
    const { code, said } = await taken.invoke('sample');
    expect([code, said]).toEqual([0, expect.stringMatching(/\nX\w{7}\n/)]);
    const { variables, draws } = readStanCsv(taken.read('output/chain_1.csv'));
    const mu = draws[variables.indexOf('mu')];
    expect(mu).toHaveLength(50);
    expect(Math.min(...mu)).toBeGreaterThan(990);
    expect(await experiments()).toBe(before + 1);
    await taken.invoke('clean');
    expect(['output', 'tmp'].filter(taken.has)).toEqual([]);
  });
});
