/** The built command line from the outside: what it lists, and that every mistake gets a message. */
import { execFile, spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { outlierData, outlierProgram } from '../support/outlier-program.ts';
import { readStanCsv } from '../support/read-csv.ts';
import { builtCli } from '../support/served.ts';

const folder = mkdtempSync(join(tmpdir(), 'ergodic-commands-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const inputs = {
  'reads.stan':
    'data { int N; vector[N] y; }\nparameters { real a; }\nmodel { y ~ normal(a, 1); }\n',
  'normal.stan': 'parameters { real a; }\nmodel { a ~ normal(0, 1); }\n',
  'telling.stan':
    'parameters { real a; }\nmodel { a ~ normal(0, 1); }\ngenerated quantities { print("drawn"); }\n',
  'scale.stan':
    'parameters { real mu; real<lower=0> s; }\nmodel { mu ~ normal(0, 1); s ~ exponential(1); }\n',
  'points.json': '[{"mu": 0.5, "s": 2}, {"mu": -1, "s": 1}]',
  'outside.json': '{"mu": 0, "s": -1}',
  'list.json': '[1, 2]',
  'prose.json': 'hello',
};
for (const [name, text] of Object.entries(inputs)) writeFileSync(join(folder, name), text);

interface Ended {
  readonly code: number;
  readonly out: string;
  readonly messages: string;
}

function ergodic(...args: string[]): Promise<Ended> {
  const options = { cwd: folder, env: { ...process.env, DATABASE_URL: '' } };
  return new Promise((resolve) => {
    const done = (error: unknown, out: string, messages: string) =>
      resolve({
        code: error === null ? 0 : Number((error as { code: unknown }).code),
        out,
        messages,
      });
    execFile(process.execPath, [builtCli, ...args], options, done).stdin?.end();
  });
}

const commands =
  'serve run log-density loo worker token user import export watch purge doctor backup restore migrate'.split(
    ' ',
  );

describe('ergodic --help', () => {
  it('lists every command, and each command has its own help', async () => {
    const { code, out } = await ergodic('--help');
    expect(code).toBe(0);
    const listed = [...out.matchAll(/^ {2}([a-z][a-z-]*)\b/gm)].map(([, name]) => name);
    expect(listed).toEqual(expect.arrayContaining([...commands, 'help']));
    expect(listed.length).toBe(commands.length + 1);
    const helps = await Promise.all(commands.map((command) => ergodic(command, '--help')));
    for (const [i, help] of helps.entries()) {
      expect(help.code).toBe(0);
      expect(help.out).toContain(`Usage: ergodic ${commands[i]}`);
      expect(help.out).toMatch(/Options:/);
    }
  });
});

describe('an error', () => {
  it.each([
    ['an unknown command', ['sampel'], /Unknown command sampel .*--help/],
    ['an unknown option', ['doctor', '--fast'], /unknown option '--fast'/],
    ['an unknown option of run', ['run', 'normal.stan', '--fast'], /unknown option '--fast'/],
    ['a missing argument', ['backup'], /missing required argument 'file'/],
    ['a missing model', ['run'], /missing required argument 'model'/],
    ['an unknown subcommand of user', ['user', 'remove'], /unknown command 'remove'/],
  ])('of usage (%s) exits with code 2', async (_what, args, messages) => {
    const ended = await ergodic(...args);
    expect(ended).toMatchObject({ code: 2, out: '' });
    expect(ended.messages).toMatch(messages);
  });

  it.each([
    ['an invalid port', ['serve', '--port', 'abc'], /--port must be .*"abc"/],
    ['no workers', ['worker', '--workers', '0'], /--workers must be a whole number above 0/],
    ['no jobs', ['worker', '--slurm', '--slurm-max-jobs', '0'], /--slurm-max-jobs must be .* 1000/],
    ['jobs without a database', ['worker', '--slurm'], /--slurm needs --database-url/],
    [
      'a job name',
      ['worker', '--slurm', '--slurm-option=-Jx'],
      /cannot be used: --slurm sets it itself/,
    ],
    ['a lifetime of 0 days', ['token', '--days', '0'], /--days must be/],
    ['a missing backup file', ['restore', 'none.gz'], /file none\.gz does not exist/],
    ['a backup that would overwrite a file', ['backup', 'list.json'], /list\.json already exists/],
    ['an unknown file type', ['import', 'x.csv', '--type', 'xls'], /--type must be stan/],
    ['an import without a token', ['import', 'list.json'], /ERGODIC_TOKEN/],
    [
      'an export that would overwrite a file',
      ['export', 'X0000000', '--out', 'list.json'],
      /already exists/,
    ],
    ['a project as draws', ['export', 'P0000000', '--fmt', 'csv'], /as markdown only/],
    ['draws as a project', ['export', 'X0000000', '--fmt', 'markdown'], /Only a project/],
    ['an unknown format', ['export', 'X0000000', '--fmt', 'xls'], /--fmt must be csv/],
    ['a user name with a space', ['user', 'add', 'a b'], /A user name may contain/],
    ['an empty password', ['user', 'add', 'ada'], /at least 8 characters/],
    ['an unreachable database', ['token', '--database-url', 'postgres://127.0.0.1:1/x'], /./],
    ['a data folder that is a file', ['token', '--data', 'list.json'], /list\.json/],
    ['a missing model file', ['run', 'none.stan'], /none\.stan: the file does not exist/],
    [
      'a point that is not an object',
      ['log-density', 'normal.stan', '--params', 'list.json'],
      /The point \(--params\) must be an object of values/,
    ],
    [
      'a missing point file',
      ['log-density', 'normal.stan', '--params', 'no.json'],
      /Cannot read the point no\.json: ENOENT/,
    ],
    ['a model that is a folder', ['run', '.'], /it is a folder/],
    [
      'a missing data file',
      ['run', 'reads.stan', '--data', 'no.json'],
      /no\.json: the file does not exist/,
    ],
    ['no data', ['run', 'reads.stan'], /reads data \(N, y\): name the data file with --data FILE/],
    ['data that are a list', ['run', 'reads.stan', '--data', 'list.json'], /must be a JSON object/],
    [
      'data that are not JSON',
      ['run', 'reads.stan', '--data', 'prose.json'],
      /prose\.json:1:1: .*hello/,
    ],
    [
      'a folder that cannot be created',
      ['run', 'normal.stan', '--out', 'list.json/x'],
      /Cannot write to/,
    ],
  ])('of input (%s) exits with code 1 and prints no stack', async (_what, args, messages) => {
    const ended = await ergodic(...args);
    expect(ended).toMatchObject({ code: 1, out: '' });
    expect(ended.messages).toMatch(messages);
    expect(ended.messages).not.toMatch(/^\s+at /m);
  });
});

describe('ergodic log-density', () => {
  const at = async (...options: string[]) => {
    const ended = await ergodic('log-density', 'scale.stan', '--params', 'points.json', ...options);
    expect(ended).toMatchObject({ code: 0, messages: '' });
    return ended.out;
  };

  // −mu² / 2 − s without constants, and log s more with the Jacobian
  it('prints one row per point, with the columns of CmdStan', async () => {
    const [header, ...rows] = (await at()).trim().split('\n');
    expect(header).toBe('lp__,g_mu,g_s');
    const [first, second] = rows.map((row) => row.split(',').map(Number));
    expect(first).toEqual([
      expect.closeTo(-0.125 - 2 + Math.LN2, 12),
      -0.5,
      expect.closeTo(-1, 12),
    ]);
    expect(second).toEqual([expect.closeTo(-1.5, 12), 1, expect.closeTo(0, 12)]);
  });

  it('leaves out the Jacobian and prints JSON on request', async () => {
    const [first] = JSON.parse(await at('--jacobian', 'false', '--json')) as [unknown];
    expect(first).toEqual({
      lp: expect.closeTo(-2.125, 12),
      names: ['mu', 's'],
      unconstrained: [0.5, expect.closeTo(Math.LN2, 12)],
      gradient: [-0.5, expect.closeTo(-2, 12)],
    });
  });

  it('names the value that violates its constraint', async () => {
    const ended = await ergodic('log-density', 'scale.stan', '--params', 'outside.json');
    expect(ended).toMatchObject({ code: 1, out: '' });
    expect(ended.messages).toMatch(/\bs\b.*-1/);
  });
});

const foldProgram = `data { int N; vector[N] y; array[N] int<lower=0, upper=1> holdout; }
parameters { real mu; }
model {
  mu ~ normal(0, 2);
  for (i in 1:N) if (holdout[i] == 0) y[i] ~ normal(mu, 1);
}
generated quantities { vector[N] log_lik; for (i in 1:N) log_lik[i] = normal_lpdf(y[i] | mu, 1); }
`;

describe('ergodic loo', () => {
  it('lists unreliable observations with their data, and improves them by moment matching', async () => {
    writeFileSync(join(folder, 'outliers.stan'), outlierProgram);
    writeFileSync(join(folder, 'outliers.json'), JSON.stringify(outlierData));
    const run = ['--data', 'outliers.json', '--seed', '3', '--samples', '500', '--out', 'outliers'];
    expect((await ergodic('run', 'outliers.stan', ...run)).code).toBe(0);
    const draws = readdirSync(join(folder, 'outliers'))
      .filter((name) => name.endsWith('.csv'))
      .map((name) => join('outliers', name));
    const given = ['loo', 'outliers.stan', '--data', 'outliers.json', '--seed', '3'];
    const plain = await ergodic(...given, '--draws', ...draws);
    expect(plain).toMatchObject({ code: 0, messages: '' });
    expect(plain.out).toMatch(/^elpd_loo +-\d+\.\d\d +\(SE \d/);
    expect(plain.out).toMatch(/\d of 24 observations have a Pareto k above 0\.70\. --moment-match/);
    expect(plain.out).toMatch(/^observation +pareto_k +elpd_loo +x +y$/m);
    expect(plain.out).toMatch(/^log_lik\[24\] +\d\.\d\d +-\d+\.\d\d +2 +-17$/m);
    const matched = await ergodic(...given, '--moment-match', '--json', '--draws', ...draws);
    expect(matched.messages).toMatch(/Moment matching: (\d) of \1 observations/);
    const found = JSON.parse(matched.out) as {
      num_high_k: number;
      observations: { observation: string; pareto_k: number; pareto_k_before: number }[];
    };
    const last = found.observations.find(({ observation }) => observation === 'log_lik[24]');
    expect(last?.pareto_k_before).toBeGreaterThan(0.7);
    expect(last?.pareto_k).toBeLessThan(0.7);
  });

  it('with --k-fold refits without each fold and agrees with the exact predictive density', async () => {
    const y = [1.2, 0.3, 2.2, 1.9, -0.4, 3.1];
    const data = { N: y.length, y, site: [1, 1, 2, 2, 3, 3] };
    writeFileSync(join(folder, 'folds.stan'), foldProgram);
    writeFileSync(join(folder, 'folds.json'), JSON.stringify(data));
    const given = ['loo', 'folds.stan', '--data', 'folds.json', '--k-fold', '3', '--json'];
    const few = ['--warmup', '300', '--samples', '3000', '--chains', '2'];
    const ended = await ergodic(...given, ...few, '--group', 'site');
    expect(ended).toMatchObject({ code: 0 });
    expect(ended.messages).toContain('Fold 3 of 3: 2 observations held out');
    const found = JSON.parse(ended.out) as {
      elpd_kfold: number;
      observations: { fold: number; elpd_kfold: number }[];
    };
    const folds = found.observations.map(({ fold }) => fold);
    for (const i of [0, 2, 4]) expect(folds[i]).toBe(folds[i + 1]);
    // normal prior (0, 2) and likelihood (mu, 1): the predictive density of what is held out
    const exact = y.map((value, i) => {
      const rest = y.filter((_, j) => folds[j] !== folds[i]);
      const variance = 1 / (1 / 4 + rest.length);
      const mean = variance * rest.reduce((sum, one) => sum + one, 0);
      const spread = variance + 1;
      return -0.5 * Math.log(2 * Math.PI * spread) - (value - mean) ** 2 / (2 * spread);
    });
    found.observations.forEach(({ elpd_kfold }, i) => {
      expect(Math.abs(elpd_kfold - (exact[i] ?? 0))).toBeLessThan(0.03);
    });
    expect(Math.abs(found.elpd_kfold - exact.reduce((sum, one) => sum + one, 0))).toBeLessThan(
      0.06,
    );
  });

  it('with --k-fold reports a missing holdout flag and invalid options', async () => {
    writeFileSync(join(folder, 'whole.stan'), foldProgram.replaceAll('holdout', 'left'));
    writeFileSync(join(folder, 'whole.json'), '{"N": 3, "y": [1, 2, 3]}');
    const given = ['loo', 'whole.stan', '--data', 'whole.json', '--k-fold'];
    const none = await ergodic(...given);
    expect(none).toMatchObject({ code: 1, out: '' });
    expect(none.messages).toContain('Add `array[N] int<lower=0, upper=1> holdout;`');
    const many = await ergodic(...given, '4', '--holdout', 'left');
    expect(many.messages).toContain('--k-fold must be a whole number from 2 to 3');
    const odd = await ergodic(...given, '2', '--holdout', 'left', '--group', 'site');
    expect(odd.messages).toContain('The data have no 3 numbers site (--group)');
  });

  it('refuses draws that are not from the posterior, and says so', async () => {
    const head = 'lp__,accept_stat__,log_lik.1,log_lik.2\n';
    writeFileSync(join(folder, 'fixed.csv'), `${head}0,0,-1,-2\n0,0,-1,-2\n`);
    const found = await ergodic('loo', 'scale.stan', '--draws', 'fixed.csv');
    expect(found).toMatchObject({ code: 1, out: '' });
    expect(found.messages).toContain(
      'Leave-one-out is not possible: these draws were made at fixed parameters, not from the posterior.',
    );
  });

  it('reports draws without log_lik and a missing file', async () => {
    writeFileSync(join(folder, 'few.csv'), 'lp__,mu,s\n-1,0.5,2\n-1,0.4,2\n');
    const given = ['loo', 'scale.stan', '--draws'];
    expect((await ergodic(...given, 'few.csv')).messages).toContain('have no log_lik');
    expect((await ergodic(...given, 'none.csv')).messages).toContain(
      'Cannot read none.csv: ENOENT',
    );
  });
});

describe('Ctrl-C in the middle of a run', () => {
  it('keeps the draws so far, reports them, and exits with code 130', async () => {
    const args =
      'run telling.stan --chains 2 --parallel 2 --warmup 100 --samples 50000000 --out kept'.split(
        ' ',
      );
    const child = spawn(process.execPath, [builtCli, ...args], { cwd: folder });
    let messages = '';
    let out = '';
    child.stdout.on('data', (chunk: Buffer) => {
      out += chunk.toString('utf8');
    });
    child.stderr.on('data', (chunk: Buffer) => {
      messages += chunk.toString('utf8');
    });
    const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
    // both chains are past warmup when both print
    while (![1, 2].every((chain) => messages.includes(`Chain ${chain}: drawn`)))
      await new Promise((resolve) => setTimeout(resolve, 20));
    child.kill('SIGINT');
    expect(await ended).toBe(130);
    expect(messages).toContain('Stopping and keeping the draws so far');
    const [, one, two] =
      /Interrupted: draws of 50000000 by chain: 1: (\d+), 2: (\d+); written to kept/.exec(
        messages,
      ) ?? [];
    for (const [i, count] of [one, two].entries()) {
      const csv = readStanCsv(readFileSync(join(folder, `kept/chain_${i + 1}.csv`), 'utf8'));
      expect(csv.draws[0].length).toBe(Number(count));
    }
    expect(Number(one) + Number(two)).toBeGreaterThan(0);
    expect(out).toMatch(/^variable/);
  });
});
