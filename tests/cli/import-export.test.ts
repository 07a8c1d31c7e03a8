/** `ergodic import` and `ergodic export` against a listening service. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Command } from 'commander';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { addExportCommand } from '../../src/cli/export.ts';
import { addImportCommand } from '../../src/cli/import.ts';
import { explainFailure } from '../../src/cli/server-options.ts';
import { createClient } from '../../src/client/create-client.ts';
import type { Experiment } from '../../src/contract/experiment.ts';
import { readArvizFile } from '../../src/formats/arviz-reader.ts';
import { loadHdf5 } from '../../src/formats/hdf5.ts';
import { unpackTar } from '../../src/formats/tar.ts';
import { importDraws } from '../../src/service/imports/import-draws.ts';
import { createLogger } from '../../src/service/logging.ts';
import { createDiskStore } from '../../src/service/storage/disk-store.ts';
import { formatCount } from '../../src/shared/readable-numbers.ts';
import { readDrawsCsv, readStanCsv } from '../support/read-csv.ts';
import { finalise, makeOutside, sendAs } from '../support/runner-service.ts';
import { play, scriptOf } from '../support/scripted-runner.ts';
import { createTestService, type TestService } from '../support/service.ts';

let service: TestService;
let server = '';
const folder = mkdtempSync(path.join(tmpdir(), 'ergodic-import-'));
const inFolder = (name: string) => path.join(folder, name);

beforeAll(async () => {
  service = await createTestService({
    makeClient: (port, token) =>
      createClient({ baseUrl: `http://127.0.0.1:${port()}`, token, fetch }),
  });
  const { port } = service.app.server.address() as AddressInfo;
  server = `http://127.0.0.1:${port}`;
  writeFileSync(inFolder('token'), `${(await service.addPerson('ada')).token}\n`);
  for (const chain of [1, 2]) {
    const rows = [0, 1, 2].map((i) => `-1,0.9,0.5,1,1,0,2,${chain + i / 8},${i}`);
    const head = `# method = sample\n# id = ${chain}\nlp__,accept_stat__,stepsize__,treedepth__,n_leapfrog__,divergent__,energy__,theta.1,theta.2`;
    writeFileSync(inFolder(`run_${chain}.csv`), [head, ...rows, ''].join('\n'));
  }
});
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await service.close();
});
afterEach(() => vi.restoreAllMocks());

/** Captures what is written to stderr. */
let onMessage: (text: string) => void = () => {};

async function ergodic(...args: string[]): Promise<{ out: string; messages: string }> {
  let out = '';
  let messages = '';
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => Boolean((out += String(text))));
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
    messages += String(text);
    onMessage(String(text));
    return true;
  });
  const program = new Command('ergodic').exitOverride();
  addImportCommand(program);
  addExportCommand(program);
  const where = ['--server', server, '--token-file', inFolder('token')].filter(
    (_, i) => i > 1 || !args.includes('--server'),
  );
  await program.parseAsync([...args, ...where], { from: 'user' });
  return { out, messages };
}

describe('a run of two chains', () => {
  let id = '';
  it('is imported, and its counts are reported', async () => {
    const files = [inFolder('run_1.csv'), inFolder('run_2.csv')];
    const { out, messages } = await ergodic('import', ...files, '--name', 'two chains');
    expect(messages).toContain('2 chains of 3 draws, 2 variables.');
    expect(out).toMatch(/^X\w{7,8}\n$/);
    id = out.trim();
  });

  it('is exported as one netCDF file for ArviZ', async () => {
    await ergodic('export', id, '--fmt', 'arviz', '--out', inFolder('run.nc'));
    const read = readArvizFile(await loadHdf5(), readFileSync(inFolder('run.nc')));
    expect(read.chains).toHaveLength(2);
    expect(read.columns.map((column) => column.name).slice(0, 2)).toEqual(['theta[1]', 'theta[2]']);
    expect([...read.chains[1].draws[0]]).toEqual([2, 2.125, 2.25]);
  });

  it('is exported as CSV, limited to the first iterations, and imported again', async () => {
    await ergodic('export', id, '--iterations', '2', '--out', inFolder('run.csv'));
    const table = readDrawsCsv(readFileSync(inFolder('run.csv'), 'utf8'));
    expect(table.chains).toEqual(['chain#1', 'chain#2']);
    const theta = table.variables.find(({ variable }) => variable === 'theta[1]');
    expect(theta?.chains.map((values) => [...values])).toEqual([
      [1, 1.125],
      [2, 2.125],
    ]);
    const { messages } = await ergodic('import', inFolder('run.csv'));
    expect(messages).toContain('2 chains of 2 draws, 2 variables.');
  });

  it('is exported as one CmdStan file per chain, with the same draws, and imported again', async () => {
    const { out } = await ergodic('export', id, '--fmt', 'cmdstan', '--out', inFolder('again'));
    const files = [1, 2].map((chain) => inFolder(`again-chain-${chain}.csv`));
    expect(out).toBe(`${files.join('\n')}\n`);
    const [first] = files.map((file) => readStanCsv(readFileSync(file, 'utf8')));
    expect(first?.variables.join()).toBe(
      'lp__,accept_stat__,stepsize__,treedepth__,n_leapfrog__,divergent__,energy__,theta[1],theta[2]',
    );
    expect(first).toMatchObject({ chainId: 1, isCut: false });
    expect(first?.draws.map((column) => [...column])).toEqual(
      readStanCsv(readFileSync(inFolder('run_1.csv'), 'utf8')).draws.map((column) => [...column]),
    );
    const { messages } = await ergodic('import', ...files);
    expect(messages).toContain('2 chains of 3 draws, 2 variables.');
    await expect(
      ergodic('export', id, '--fmt', 'cmdstan', '--out', inFolder('again.csv')),
    ).rejects.toThrow('again-chain-1.csv already exists');
  });

  it('is exported as a self-contained report', async () => {
    const { out } = await ergodic('export', id, '--fmt', 'html', '--out', inFolder('run.html'));
    const page = readFileSync(out.trim(), 'utf8');
    expect(page).toContain('<h1>two chains</h1>');
    expect(page).toContain('theta[2]');
    expect(page).not.toMatch(/<(?:script|link|img)\b/);
    await expect(
      ergodic('export', id, '--fmt', 'html', '--out', inFolder('none/run.html')),
    ).rejects.toThrow('run.html cannot be written: ENOENT.');
  });

  it('has no ranks to export unless it is a calibration', async () => {
    await expect(
      ergodic('export', id, '--fmt', 'ranks', '--out', inFolder('ranks.csv')),
    ).rejects.toThrow(`${id} is not a calibration.`);
  });

  it('is refused if a file cannot be read, naming the file', async () => {
    writeFileSync(inFolder('bad.csv'), '# method = sample\nlp__,mu\n1,x\n2,3\n');
    await expect(ergodic('import', inFolder('bad.csv'))).rejects.toThrow(
      'bad.csv: line 3: "x" is not a number.',
    );
    await expect(ergodic('import', inFolder('none.csv'))).rejects.toThrow(
      `${inFolder('none.csv')} cannot be read: ENOENT.`,
    );
  });
});

/** A run of another program, with a chain of these names for each, of this many draws. */
async function outsideRun(chains: Readonly<Record<string, number>>): Promise<string> {
  const send = sendAs(service, readFileSync(inFolder('token'), 'utf8').trim());
  const { short_id: experiment } = await makeOutside(send);
  for (const [chain, draws] of Object.entries(chains)) {
    const messages = scriptOf({
      experiment,
      batch: '3VfCkpxbZkyyTJ2pbzyLzL',
      run: `5YtuMyKqJJ5yZ2pbzyLz${chain.length}${draws}`,
      chains: [chain],
      variables: ['mu'],
      batches: [draws],
      client: 'newest',
      value: (_, __, iteration) => draws + iteration / 8,
    });
    await play(send, messages);
  }
  await finalise(service, experiment);
  return experiment;
}

describe('a run of another program whose chains have names that no file can have', () => {
  let id = '';
  beforeAll(async () => {
    id = await outsideRun({ 'node1:chain 1': 2, 'c/"1"': 3, 'chain-1': 4, 'CHAIN-1': 5 });
  });

  it('is exported to ArviZ with those names, and imported again', async () => {
    await ergodic('export', id, '--fmt', 'arviz', '--out', inFolder('names.tar'));
    const files = unpackTar(readFileSync(inFolder('names.tar')));
    const hdf5 = await loadHdf5();
    const inside = files.ok ? files.value.files : [];
    expect(
      inside.map(({ path: name, bytes }) => [name, readArvizFile(hdf5, bytes).chains[0]?.name]),
    ).toEqual([
      ['chain-2.nc', 'node1:chain 1'],
      ['chain-3.nc', 'c/"1"'],
      ['chain-1.nc', 'chain-1'],
      ['chain-4.nc', 'CHAIN-1'],
    ]);
    const { messages } = await ergodic('import', inFolder('names.tar'));
    expect(messages).toContain('4 chains of 2 draws');
  });

  it('is exported as one netCDF file', async () => {
    await ergodic('export', id, '--fmt', 'arviz', '--out', inFolder('names.nc'));
    const read = readArvizFile(await loadHdf5(), readFileSync(inFolder('names.nc')));
    expect(read.chains.map((chain) => chain.draws[0]?.[0])).toEqual([2.125, 3.125, 4.125, 5.125]);
  });
});

describe('a run of chains of 6, 5 and 3 draws, one of which was left out', () => {
  let id = '';
  const last = (name: string) => readFileSync(inFolder(name), 'utf8');
  beforeAll(async () => {
    id = await outsideRun({ 'chain#1': 6, 'chain#2': 5, 'chain#3': 3 });
    const client = createClient({ baseUrl: server, token: last('token').trim(), fetch });
    const payload = { object_type: 'experiment', meta: { chains_left_out: ['chain#2'] } } as const;
    await client.updateObject({ params: { objid: id }, body: { payload } });
  });

  it('is cut to the shortest chain in one netCDF file, with a message and the mark', async () => {
    const { messages } = await ergodic('export', id, '--fmt', 'arviz', '--out', inFolder('cut.nc'));
    expect(messages).toContain(
      'The chains have 3 to 6 draws; one netCDF file holds only the first 3 of each. All are in the output of --out FILE.tar, --fmt csv or --fmt cmdstan.',
    );
    const read = readArvizFile(await loadHdf5(), readFileSync(inFolder('cut.nc')));
    expect(read.chains.map((chain) => chain.draws[0]?.length)).toEqual([3, 3, 3]);
    expect(read.chains.map((chain) => chain.leftOut === true)).toEqual([false, true, false]);
  });

  it('is marked in CmdStan files, with a message', async () => {
    const args = ['--fmt', 'cmdstan', '--out', inFolder('left.csv')];
    const { messages } = await ergodic('export', id, ...args);
    expect(messages).toContain(
      'chain#2 was left out of the run: its file is marked with `# left_out = yes`, which only Ergodic reads.',
    );
    const marked = [1, 2, 3].map((chain) => last(`left-chain-${chain}.csv`).includes('# left_out'));
    expect(marked).toEqual([false, true, false]);
  });

  it.each([
    ['csv', ['left.csv']],
    ['arviz', ['left.tar']],
    ['arviz', ['left.nc']],
    ['cmdstan', ['left-chain-1.csv', 'left-chain-2.csv', 'left-chain-3.csv']],
  ])('leaves out the same chain once imported from %s, %s', async (fmt, files) => {
    const [first = ''] = files;
    if (fmt !== 'cmdstan') await ergodic('export', id, '--fmt', fmt, '--out', inFolder(first));
    const { messages, out } = await ergodic('import', ...files.map(inFolder), '--json');
    expect(messages).toContain('- chain#2 is left out of summary and verdict, as in the files.');
    const { meta, n_variables: numVariables } = JSON.parse(out) as Experiment;
    expect(meta?.chains_left_out).toEqual(['chain#2']);
    expect(meta?.verdict?.chains_left_out).toEqual(['chain#2']);
    expect(numVariables).toBe(1);
  });
});

describe('a failure', () => {
  it('is blamed on the server only if it came from there', async () => {
    const bug = new TypeError('columns is undefined');
    await expect(explainFailure(server, Promise.reject(bug))).rejects.toBe(bug);
    const nowhere = 'http://127.0.0.1:1';
    await expect(explainFailure(nowhere, fetch(nowhere))).rejects.toThrow(
      `No answer from ${nowhere}: The server cannot be reached.`,
    );
    await expect(
      ergodic('export', 'X1234567', '--server', nowhere, '--out', inFolder('no.csv')),
    ).rejects.toThrow(`No answer from ${nowhere}: The server cannot be reached.`);
  });
});

it('a project is exported as one Markdown file with its notebook', async () => {
  const text = readFileSync(inFolder('token'), 'utf8').trim();
  const client = createClient({ baseUrl: server, token: text, fetch });
  const { out: run } = await ergodic('import', inFolder('run_1.csv'), '--name', 'a run');
  const payload = {
    object_type: 'project' as const,
    name: 'A question',
    note: 'Why?',
    members: [run.trim()],
  };
  const { short_id: id } = await client.createObject({ body: { payload } });
  const entry = { object_type: 'project.entry', text: 'Decided.' } as const;
  await client.updateObject({ params: { objid: id }, body: { payload: entry } });
  const { out } = await ergodic('export', id, '--out', inFolder('question.md'));
  expect(out).toBe(`${inFolder('question.md')}\n`);
  const file = readFileSync(inFolder('question.md'), 'utf8');
  expect(file).toMatch(/^# A question\n\nWhy\?\n\n## Notebook\n\n### .* UTC · a run \(`X\w+`\)\n/);
  expect(file).toMatch(/\n\nDecided\.\n$/);
  await expect(ergodic('export', id, '--out', inFolder('question.md'))).rejects.toThrow(
    'already exists',
  );
});

describe('a file to import', () => {
  const numRows = 400_000;
  const name = 'large.csv';
  const deps = (of: TestService) => ({
    pool: of.database.pool,
    files: createDiskStore(of.filesDir),
    logger: createLogger({ level: 'silent' }),
  });
  /** Runs a service's jobs while `work` is in progress. */
  async function withJobs<T>(of: TestService, work: () => Promise<T>): Promise<T> {
    const timer = setInterval(() => void of.queue.drain(), 20);
    return work().finally(() => clearInterval(timer));
  }
  beforeAll(async () => {
    const rows = Array.from({ length: numRows }, (_, i) => `-${i % 97}.5,0.${i + 1e6},${i}`);
    writeFileSync(inFolder(name), `lp__,mu,tau\n${rows.join('\n')}\n`);
    await service.queue.work('import', (job) => importDraws(deps(service), job));
  });
  afterEach(() => {
    onMessage = () => {};
    process.exitCode = 0;
  });

  it('that is too large for one request is uploaded; after Ctrl-C the same command resumes', async () => {
    onMessage = (text) => {
      if (text.startsWith('Uploading')) process.listeners('SIGINT').at(-1)?.('SIGINT');
    };
    const { messages, out } = await ergodic('import', inFolder(name));
    expect(messages).toContain('Uploading large.csv: ');
    expect(messages).toContain('Within a day, the same command continues where this one stopped.');
    expect([out, process.exitCode]).toEqual(['', 130]);
    onMessage = () => {};
    const client = service.clientOf(readFileSync(inFolder('token'), 'utf8').trim());
    const [begun] = await client.listUploads();
    expect(begun.offset).toBeGreaterThan(0);
    expect(begun.offset).toBeLessThan(begun.size);
    const { messages: again } = await withJobs(service, () => ergodic('import', inFolder(name)));
    expect(again).toContain(`1 chain of ${formatCount(numRows)} draws, 2 variables.`);
    expect(await client.listUploads()).toEqual([]);
  });

  it('that is too large is sent in one request to a server without uploads', async () => {
    const old = await createTestService({
      database: service.database,
      config: { maxUpload: 0 },
      makeClient: (port, token) =>
        createClient({ baseUrl: `http://127.0.0.1:${port()}`, token, fetch }),
    });
    await old.queue.work('import', (job) => importDraws(deps(old), job));
    const { port } = old.app.server.address() as AddressInfo;
    const { messages } = await withJobs(old, () =>
      ergodic('import', inFolder(name), '--server', `http://127.0.0.1:${port}`),
    );
    expect(messages).toContain(`1 chain of ${formatCount(numRows)} draws, 2 variables.`);
    expect(messages).not.toContain('Uploading');
    await old.app.close();
  });

  it('that is empty or a folder is named in the error', async () => {
    writeFileSync(inFolder('empty.csv'), '');
    await expect(ergodic('import', inFolder('empty.csv'))).rejects.toThrow('empty.csv is empty.');
    await expect(ergodic('import', folder)).rejects.toThrow(`${folder} is not a file.`);
  });
});
