import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { ApiError } from '../../../src/client/api-error.ts';
import { createClient } from '../../../src/client/create-client.ts';
import type { DataCheck } from '../../../src/dashboard/editor/data-check.ts';
import type { Problem } from '../../../src/dashboard/editor/stan-protocol.ts';
import { textsFor } from '../../../src/dashboard/features/launching/jags-fields.ts';
import {
  launchRun,
  settingOfError,
  settingsText,
} from '../../../src/dashboard/features/launching/launch-run.ts';
import {
  defaultTexts,
  fieldsOf,
  numberOf,
  problemsOf,
  settingProblem,
  settingsToSend,
  textsOfSettings,
  withAlgorithm,
} from '../../../src/dashboard/features/launching/launch-settings.ts';
import {
  fitText,
  type RunSetup,
  runReason,
} from '../../../src/dashboard/features/launching/run-reason.ts';
import { defaultSettings, parseSettings } from '../../../src/engine/settings.ts';
import { algorithms, isUsedBy, settingsTable } from '../../../src/engine/settings-table.ts';
import { jagsKeys } from '../../../src/formats/jags-settings.ts';
import { createFakeModel, createFakeWorkflow } from '../../support/fake-objects.ts';
import { type FakeObject, FakeServer } from '../../support/fake-server.ts';

function setUp(...objects: FakeObject[]) {
  const server = new FakeServer({ objects: [createFakeModel(), ...objects] });
  const client = createClient({
    baseUrl: 'http://fake.test',
    token: server.token,
    fetch: server.fetch,
  });
  return { server, client };
}

const order = {
  modelId: 'M0000001',
  dataId: 'D0000001',
  settings: { num_chains: 2 },
  name: 'Growth',
};

describe('a launch', () => {
  it('uses the newest workflow of the model and data, and keeps settings of other runners', async () => {
    const settings = 'serverless:\n  engine: lambda\nsampling:\n  num_chains: 9\n  thin: 3\n';
    const { server, client } = setUp(
      createFakeWorkflow({ short_id: 'Fother01', data_id: 'D0000002' }),
      createFakeWorkflow({ short_id: 'Fscript1', data_script: 'print(1)' }),
      createFakeWorkflow({ short_id: 'Fplain01', settings }),
      createFakeWorkflow({ short_id: 'Folder01' }),
    );
    const experimentId = await launchRun(client, order);
    expect(server.objects.get(experimentId)).toMatchObject({
      object_type: 'experiment',
      workflow_id: 'Fplain01',
    });
    expect(server.callsOf('createObject')).toEqual([]);
    const workflow = server.objects.get('Fplain01') as { settings: string };
    expect(parse(workflow.settings)).toEqual({
      serverless: { engine: 'lambda' },
      sampling: { num_chains: 2 },
    });
  });

  it('makes a workflow when there is none that fits', async () => {
    const { server, client } = setUp(createFakeWorkflow({ model_id: 'M0000002' }));
    await launchRun(client, { ...order, dataId: '' });
    expect(server.callsOf('createObject')[0].body).toMatchObject({
      payload: { object_type: 'workflow', model_id: 'M0000001', data_id: '', name: 'Growth' },
    });
    expect(server.callsOf('invoke')[0].body).toMatchObject({
      action: 'run_sample',
      get_response: false,
    });
  });

  it('starts nothing when the server refuses the settings, and names the field', async () => {
    const { server, client } = setUp(createFakeWorkflow());
    server.failNext(
      'invoke',
      'INVALID_PARAMETER',
      'sampling.num_chains must be a whole number from 1 to 256, not 0',
    );
    const error: unknown = await launchRun(client, order).catch((thrown: unknown) => thrown);
    expect(settingOfError(error)).toEqual({
      key: 'num_chains',
      message: 'num_chains must be a whole number from 1 to 256, not 0',
    });
    expect(settingOfError(new ApiError('http', 'sampling.x', { code: 'NOT_FOUND' }))).toBeNull();
    expect(
      settingOfError(new ApiError('http', 'no model', { code: 'INVALID_PARAMETER' })),
    ).toBeNull();
  });

  it.each(['', 'not: [yaml', '- a\n- list', 'plain words'])(
    'writes settings over "%s"',
    async (before) => {
      expect(parse(await settingsText(before, { thin: 2 }))).toEqual({ sampling: { thin: 2 } });
    },
  );
});

describe('the settings of a form', () => {
  it.each(algorithms)('are those that %s reads, with its defaults', (algorithm) => {
    const texts = withAlgorithm(defaultTexts, algorithm);
    // there is only one way to adapt a low-rank metric, the default
    const rows = settingsTable.filter(
      (row) => isUsedBy(row, algorithm) && row.key !== 'adaptation',
    );
    expect(
      fieldsOf(texts)
        .map(({ key }) => key)
        .toSorted(),
    ).toEqual(rows.map(({ key }) => key).toSorted());
    for (const { label, key } of fieldsOf(texts)) expect(label, key).not.toContain('_');
    // the run to read is required
    const lacking = algorithm === 'generate_quantities' ? ['from'] : [];
    expect([...problemsOf(texts).keys()]).toEqual(lacking);
    expect(parseSettings(settingsToSend(texts))).toEqual({
      ...parseSettings({ algorithm }),
      unknown: [],
    });
    expect(withAlgorithm(texts, 'nuts')).toEqual(defaultTexts);
  });

  it('keep what was typed when the algorithm changes, where it reads it', () => {
    const typed = { ...defaultTexts, num_samples: '500', seed: '7', adapt_delta: '0.99' };
    const texts = withAlgorithm(typed, 'pathfinder');
    expect(settingsToSend(texts)).toMatchObject({
      algorithm: 'pathfinder',
      num_chains: 1,
      num_samples: 500,
      seed: 7,
      iter: 1000,
    });
    expect(settingsToSend(texts)).not.toHaveProperty('adapt_delta');
    expect(settingsToSend(withAlgorithm(texts, 'nuts'))).toMatchObject({
      num_chains: 4,
      adapt_delta: 0.99,
    });
    expect(settingProblem('num_paths', '0', 'pathfinder')).toBe(
      'Must be a whole number from 1 to 1000.',
    );
  });

  it('of a run with another algorithm have its defaults', () => {
    const texts = textsOfSettings({ algorithm: 'advi', num_warmup: 0, approximation: 'fullrank' });
    expect(texts).toMatchObject({ approximation: 'fullrank', iter: '10000', num_chains: '1' });
    expect(settingsToSend(withAlgorithm(texts, 'nuts'))).toMatchObject({ num_warmup: 1000 });
  });

  it('include the adaptation of the metric if there is a choice', () => {
    const keysOf = (metric: string) => fieldsOf({ ...defaultTexts, metric }).map(({ key }) => key);
    expect(keysOf('low-rank')).not.toContain('adaptation');
    expect(keysOf('diag')).toContain('adaptation');
    expect(settingsToSend(defaultTexts)).not.toHaveProperty('adaptation');
    const stan = textsOfSettings({ metric: 'diag', adaptation: 'stan' });
    expect(settingsToSend(stan)).toMatchObject({ metric: 'diag', adaptation: 'stan' });
  });

  it('are the defaults if nothing is changed', () => {
    expect(problemsOf(defaultTexts).size).toBe(0);
    expect(parseSettings(settingsToSend(defaultTexts))).toMatchObject({
      ok: true,
      settings: defaultSettings,
      unknown: [],
    });
  });

  it.each([
    ['num_chains', '0', 'Must be a whole number from 1 to 256.'],
    ['num_chains', 'four', 'Must be a whole number from 1 to 256.'],
    ['adapt_delta', '1', 'Must be a number between 0 and 1 (exclusive).'],
    ['metric', 'round', 'Must be low-rank, diag, dense or unit.'],
    ['inits', '{"mu": ', 'This is not valid JSON.'],
  ])('%s = %s is refused with a message', (key, text, message) => {
    expect(settingProblem(key, text)).toBe(message);
  });

  it.each([
    ['num_samples', '10 000', 10000],
    ['num_samples', '10\u202f000', 10000],
    ['seed', '', undefined],
    ['save_warmup', 'true', true],
    ['inits', '{"mu": 1}', { mu: 1 }],
    ['inits', 'D0000001', 'D0000001'],
  ])('%s = %s is sent as %o', (key, text, value) => {
    expect(settingProblem(key, text)).toBeNull();
    expect(settingsToSend({ [key]: text })[key]).toEqual(value);
  });

  it('are taken from a run as they were, except for its seed', () => {
    const texts = textsOfSettings({ num_chains: 2, seed: 7, metric: 'dense', timeout: null });
    expect(texts).toMatchObject({
      num_chains: '2',
      seed: '',
      metric: 'dense',
      timeout: '',
      num_samples: '1000',
    });
    expect(numberOf({ ...texts, num_samples: '' }, 'num_samples')).toBe(1000);
  });
});

const error = {
  path: 'main.stan',
  line: 13,
  severity: 'error',
  message: 'No variable is called `x`.',
} as Problem;
const setup: RunSetup = {
  entrance: 'main.stan',
  env: 'stan',
  runtimes: { stan: true, julia: false },
  checked: { problems: [], milliseconds: 1 },
  dataId: 'D0000001',
  dataCheck: null,
  settingProblems: new Map(),
};
const check = (...rows: [string, string, boolean][]): DataCheck => ({
  state: 'checked',
  rows: rows.map(([name, found, isGood]) => ({
    name,
    wants: 'int',
    found,
    isGood,
    ...(isGood ? {} : { fault: `\`${name}\` is bad` }),
  })),
  extra: [],
  outputs: null,
});

describe('the settings of a JAGS model', () => {
  const texts = textsFor('jags', defaultTexts);

  it('are its own and those that all runs have', () => {
    const fields = fieldsOf(texts);
    expect(fields.map(({ key }) => key).toSorted()).toEqual(
      [...jagsKeys, 'num_adapt', 'monitor', 'modules'].toSorted(),
    );
    expect(fields.find(({ key }) => key === 'num_warmup')?.label).toBe('Burn-in');
    expect(textsFor('stan', defaultTexts)).toBe(defaultTexts);
  });

  it('are sent as written, and come back from a run', () => {
    const sent = settingsToSend({ ...texts, num_adapt: '200', monitor: 'mu, tau' });
    expect(sent).toMatchObject({ num_adapt: '200', monitor: 'mu, tau', num_chains: 4 });
    expect(sent).not.toHaveProperty('adapt_delta');
    const stored = { sampler: 'jags', num_adapt: 200, monitor: 'mu, tau', num_warmup: 50 };
    expect(textsFor('jags', textsOfSettings(stored))).toMatchObject({
      num_adapt: '200',
      monitor: 'mu, tau',
      num_warmup: '50',
      modules: '',
    });
  });

  it('are checked as the service checks them', () => {
    expect([...problemsOf({ ...texts, num_adapt: 'x', monitor: 'a b', num_chains: '0' })]).toEqual([
      ['num_chains', 'Must be a whole number from 1 to 256.'],
      ['num_adapt', 'Must be a whole number from 0 to 100000000.'],
      ['monitor', 'Must be names of variables of the model, such as "mu, tau".'],
    ]);
  });
});

describe('why a run cannot start', () => {
  it.each<[string, Partial<RunSetup>, string | null]>([
    ['nothing is wrong', {}, null],
    ['the check is not finished', { checked: null }, null],
    [
      'warnings only',
      { checked: { problems: [{ ...error, severity: 'warning' }], milliseconds: 1 } },
      null,
    ],
    ['no entrance', { entrance: null }, 'the model has no entrance file. Mark one under Files.'],
    ['an unavailable runtime', { env: 'julia' }, 'this server does not run Julia.'],
    [
      'JAGS is not installed',
      { env: 'jags', runtimes: { jags: false } },
      'this server does not run JAGS. On the worker’s machine, `apt install r-cran-rjags jags bubblewrap` installs it; `ergodic doctor` lists what is missing.',
    ],
    ['an error', { checked: { problems: [error], milliseconds: 1 } }, 'No variable is called `x`.'],
    [
      'a setting',
      { settingProblems: new Map([['num_chains', 'Must be above 0.']]) },
      'Chains must be above 0.',
    ],
    [
      'a setting the server refused',
      { settingProblems: new Map([['thin', 'thin must be 1']]) },
      'Thin must be 1',
    ],
    [
      'data that do not fit',
      { dataCheck: check(['J', '8', true], ['y', 'Missing', false]) },
      '`y` is bad.',
    ],
    [
      'no data',
      { dataId: '', dataCheck: check(['J', 'Missing', false], ['y', 'Missing', false]) },
      'choose data first. The program reads `J` and `y`.',
    ],
    [
      'data that were deleted',
      { dataCheck: null, isDataDeleted: true },
      'the data of this run were deleted. Choose other data.',
    ],
    ['a workbook', { form: 'workbook' }, 'the data are a workbook. Map the columns of a sheet.'],
    [
      'a table in another encoding',
      { form: 'other-encoding' },
      'the table is not UTF-8. Map its columns.',
    ],
    ['data that are not text', { form: 'bytes' }, 'the data are not UTF-8 text.'],
    ['a workbook for a program that may read it', { form: 'workbook', env: 'python' }, null],
    ['data that are not JSON', { dataCheck: { state: 'no-json', message: 'Line 1.' } }, 'Line 1.'],
  ])('%s', (_, change, message) => {
    expect(runReason({ ...setup, ...change })?.message ?? null).toBe(message);
  });

  it('leads to the line, or to the data', () => {
    expect(runReason({ ...setup, checked: { problems: [error], milliseconds: 1 } })?.problem).toBe(
      error,
    );
    expect(runReason({ ...setup, dataCheck: check(['y', 'Missing', false]) })?.place).toBe('data');
  });

  it('says in one line what fits', () => {
    expect(fitText(check(['J', '8', true], ['y', '8 numbers, −3 to 28', true]))).toBe(
      'Fits the data block: J 8, y 8',
    );
    expect(fitText(check(['J', '8', false]))).toBeNull();
    expect(fitText(check())).toBe('The program reads no data');
  });
});
