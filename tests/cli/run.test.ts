/**
 * The run command from the outside: a process, its streams, files and exit code. Long because the programs and data of all
 * cases are in one folder, which every case reads.
 */
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { rankSimulation } from '../../src/posterior/simulation-ranks.ts';
import { type BundledWorker, bundleWorker } from '../support/bundle-worker.ts';
import { itWith } from '../support/needs.ts';
import { readData, readProgram, referencePosteriors } from '../support/posteriordb.ts';
import { samplersPython } from '../support/python.ts';
import { readStanCsv } from '../support/read-csv.ts';

let worker: BundledWorker;
let cli: BundledWorker;
let folder: string;
beforeAll(async () => {
  [worker, cli] = await Promise.all([bundleWorker(), bundleWorker('tests/support/cli.ts')]);
  folder = await mkdtemp(join(tmpdir(), 'ergodic-run-'));
  await Promise.all(
    Object.entries(inputs).map(([name, text]) => writeFile(join(folder, name), text)),
  );
});
afterAll(async () => {
  await worker.remove();
  await cli.remove();
  await rm(folder, { recursive: true, force: true });
});

const inputs = {
  'normal.stan': `data { int N; vector[N] y; }
parameters { real mu; real<lower=0> sigma; }
model { mu ~ normal(0, 10); sigma ~ normal(0, 5); y ~ normal(mu, sigma); }
generated quantities { array[2] real rep = normal_rng({mu, mu}, sigma); }
`,
  'edited.stan': `data { int N; vector[N] y; }
parameters { real mu; real<lower=0> sigma; }
model { }
generated quantities { vector[N] log_lik; for (i in 1:N) log_lik[i] = normal_lpdf(y[i] | mu, sigma); }
`,
  'including.stan': `parameters { real x; }
model {
#include target.stan
}
`,
  'target.stan': '  x ~ normal(3, 1);\n',
  'bad.stan': 'parameters { real mu; }\nmodel { mu ~ normal(0, sigma); }\n',
  'nowhere.stan': 'parameters { real mu; }\nmodel { reject("never"); mu ~ normal(0, 1); }\n',
  'lacking.stan': `functions {
  real ll(vector t, real s) { return hmm_marginal(rep_matrix(t[1], 1, 2), [[1]], [1]'); }
  matrix K(int n) { return identity_matrix(n); }
}
parameters { real<lower=0> s; }
model { target += laplace_marginal(ll, (s,), 1, K, (2,)); }
`,
  'fixed.stan': 'generated quantities { real u = uniform_rng(0, 1); }\n',
  'regions.stan': `data { int J; vector[J] y; }
parameters { vector[J] theta; }
model { theta ~ normal(y, 1); }
`,
  'regions.json': '{"J": 2, "y": [1, 2], "meta__": {"labels": {"J": ["North", "South"]}}}',
  'normal.jags': `model {
  for (i in 1:N) { y[i] ~ dnorm(mu, 1 / 4) }
  mu ~ dnorm(0, 1 / 100)
}
`,
  'bad.bug': 'model {\n  mu ~ dnorm(0, tau)\n}\n',
  'data.json': '{"N": 4, "y": [1, 2, 3, 4]}',
  'calibrated.stan': `data { int N; vector[N] y; int prior_only; }
parameters { real mu; }
model { mu ~ normal(0, 1); if (prior_only == 0) y ~ normal(mu, 1); }
generated quantities { array[N] real y_rep = normal_rng(rep_vector(mu, N), 1); }
`,
  'tuples.stan': `functions {
  tuple(real, vector) centred(vector y) { real m = mean(y); return (m, y - m); }
}
data { int N; tuple(vector[N], real<lower=0>) d; array[2] tuple(int, real) prior; }
transformed data { real m; vector[N] z; (m, z) = centred(d.1); }
parameters { tuple(real, vector<lower=0>[2]) p; array[2] tuple(real, simplex[2]) q; }
model {
  p.1 ~ normal(prior[1].2, d.2);
  p.2 ~ exponential(1);
  z + m ~ normal(p.1, p.2[1]);
  for (e in q) e.1 ~ normal(0, 1);
}
generated quantities { tuple(real, array[2] real) rep = (normal_rng(p.1, p.2[1]), {m, p.1}); }
`,
  'tuples.json':
    '{"N": 4, "d": {"1": [1, 2, 3, 6], "2": 5}, "prior": [{"1": 1, "2": 0}, {"1": 2, "2": 1}]}',
  'wrong-tuples.json': '{"N": 4, "d": {"1": [1, 2, 3, 6], "2": -5}, "prior": []}',
  'profiled.stan': `parameters { real mu; }
model {
  profile("prior, wide") { mu ~ normal(0, 5); }
  profile("data") { for (n in 1:3) target += normal_lpdf(n | mu, 1); }
}
`,
  'tuples.csv': 'y\n1\n2\n',
  'complex.stan': `data { int N; complex_vector[N] y; }
parameters { complex mu; complex_vector[2] w; }
model { y - mu ~ cnormal(1); w ~ cnormal(1); }
generated quantities { complex_matrix[1, 2] spectrum = to_matrix(fft(w)'); }
`.replace(
    'data',
    'functions { real cnormal_lpdf(complex_vector z, real s) { return -get_real(dot_self(z)) / s; } }\ndata',
  ),
  'complex.json': '{"N": 3, "y": [[1, 2], [0.5, 3], [2, 1]]}',
  'complex-inits.json': '{"mu": [1, 2], "w": [[0, 0], [0, 1]]}',
  'short.json': '{"N": 4, "y": [1, 2, 3]}',
  'point.json': '{"mu": 2.5, "sigma": 2}',
  'broken.json': '{"N": 4,\n "y": [1, 2,',
  'inits.json': '{"mu": 2.5, "sigma": 1}',
};

interface Run {
  readonly code: number;
  readonly out: string;
  readonly messages: string;
}

/** Runs the command with the inputs' folder as the working directory. */
function run(...args: string[]): Promise<Run> {
  const command = [fileURLToPath(cli.url), worker.url.href, 'run', ...args];
  return new Promise((resolve) => {
    execFile(process.execPath, command, { cwd: folder }, (error, out, messages) => {
      resolve({ code: error === null ? 0 : Number(error.code), out, messages });
    });
  });
}

interface SummaryJson {
  readonly variables: Readonly<Record<string, { mean: number; mcse_mean: number; rhat: number }>>;
}

const few = ['--warmup', '200', '--samples', '150', '--seed', '3'];

describe('ergodic run', () => {
  it('agrees with the reference draws of eight schools', async () => {
    const { model, data, adapt_delta, keys } =
      referencePosteriors['eight_schools-eight_schools_noncentered'];
    await writeFile(join(folder, 'schools.stan'), readProgram(model));
    await writeFile(join(folder, 'schools.json'), JSON.stringify(readData(data)));
    const delta = ['--adapt-delta', String(adapt_delta)];
    const seed = ['--seed', '4711'];
    const { code, out } = await run(
      'schools.stan',
      '--data',
      'schools.json',
      ...delta,
      ...seed,
      '--json',
    );
    expect(code).toBe(0);
    const { variables } = JSON.parse(out) as SummaryJson;
    const references = Object.entries(keys ?? {});
    expect(references.length).toBeGreaterThan(9);
    for (const [key, reference] of references) {
      const { mean, mcse_mean, rhat } = variables[key];
      const error = Math.hypot(mcse_mean, reference.sd / Math.sqrt(reference.num_draws));
      expect(Math.abs(mean - reference.mean) / error, key).toBeLessThan(4.5);
      expect(rhat, key).toBeLessThan(1.01);
    }
  });

  it('prints a table, and writes one CSV per chain and a summary', async () => {
    const args = ['--data', 'data.json', ...few, '--init', 'inits.json', '--out', 'out'];
    const { code, out, messages } = await run('normal.stan', ...args);
    expect(messages).toContain('Seed 3');
    expect(code).toBe(0);
    const lines = out.trimEnd().split('\n');
    expect(lines[0].split(/ +/)).toEqual(
      'variable mean mcse sd 5% 50% 95% rhat ess_bulk ess_tail'.split(' '),
    );
    expect(lines.slice(1).map((line) => line.split(' ')[0])).toEqual([
      'lp__',
      'mu',
      'sigma',
      'rep[1]',
      'rep[2]',
    ]);
    const summary = JSON.parse(await readFile(join(folder, 'out/summary.json'), 'utf8'));
    expect(Object.keys(summary.variables.mu)).toEqual(
      'mean mcse_mean sd q5 q50 q95 rhat ess_bulk ess_tail'.split(' '),
    );
    expect(summary).toMatchObject({ model: 'normal.stan', seed: 3 });
    expect(summary.chains).toHaveLength(4);
    expect(summary.chains[1]).toMatchObject({
      chain: 2,
      outcome: 'complete',
      divergences: expect.any(Number),
      warmup_seconds: expect.any(Number),
      sampling_seconds: expect.any(Number),
      leapfrogs: expect.any(Number),
      step_size: expect.any(Number),
    });

    let sum = 0;
    for (const chain of [1, 2, 3, 4]) {
      const csv = readStanCsv(await readFile(join(folder, `out/chain_${chain}.csv`), 'utf8'));
      const mu = csv.draws[csv.variables.indexOf('mu')];
      expect(mu.length).toBe(150);
      for (const value of mu) sum += value;
    }
    expect(sum / 600).toBeCloseTo(summary.variables.mu.mean, 12);
  });

  it('samples tuples from data to summary and CSV, and reads its draws again', async () => {
    const args = ['tuples.stan', '--data', 'tuples.json', ...few, '--chains', '1'];
    const { code, out } = await run(...args, '--out', 'tuples');
    expect(code).toBe(0);
    expect(
      out
        .trimEnd()
        .split('\n')
        .map((line) => line.split(' ')[0]),
    ).toEqual(
      `variable lp__ p:1 p:2[1] p:2[2] q[1]:1 q[2]:1 q[1]:2[1] q[2]:2[1] q[1]:2[2] q[2]:2[2]
       rep:1 rep:2[1] rep:2[2]`.split(/\s+/),
    );
    const text = await readFile(join(folder, 'tuples/chain_1.csv'), 'utf8');
    expect(text).toMatch(/,p:1,p:2\.1,p:2\.2,q\.1:1,q\.1:2\.1,q\.1:2\.2,q\.2:1,q\.2:2\.1,/);
    const csv = readStanCsv(text);
    const column = (name: string) => csv.draws[csv.variables.indexOf(name)];
    expect(column('rep:2[2]')).toEqual(column('p:1'));
    expect(
      [...column('q[2]:2[1]')].every((x, i) => Math.abs(x + column('q[2]:2[2]')[i] - 1) < 1e-9),
    ).toBe(true);
    const from = ['--from', 'tuples', '--out', 'tuples-again'];
    const again = await run('tuples.stan', '--data', 'tuples.json', ...from);
    expect(again.code).toBe(0);
    const other = readStanCsv(await readFile(join(folder, 'tuples-again/chain_1.csv'), 'utf8'));
    expect(other.draws[other.variables.indexOf('q[2]:2[1]')]).toEqual(column('q[2]:2[1]'));
  });

  it('starts chains from the warmup of others, and writes no warmup draws for them', async () => {
    const args = ['normal.stan', '--data', 'data.json', '--seed', '3', '--chains', '3'];
    const short = ['--warmup', '60', '--samples', '40', '--warmup-chains', '2', '--save-warmup'];
    const { code } = await run(...args, ...short, '--out', 'shared');
    expect(code).not.toBe(2);
    const counts = await Promise.all(
      [1, 2, 3].map(async (chain) => {
        const csv = readStanCsv(await readFile(join(folder, `shared/chain_${chain}.csv`), 'utf8'));
        return [csv.warmup[0]?.length ?? 0, csv.draws[0]?.length];
      }),
    );
    expect(counts).toEqual([
      [60, 40],
      [60, 40],
      [0, 40],
    ]);
  });

  it('samples complex numbers from data and initial values to summary and CSV', async () => {
    const args = ['complex.stan', '--data', 'complex.json', ...few, '--chains', '1'];
    const { code, out } = await run(...args, '--init', 'complex-inits.json', '--out', 'complex');
    expect(code).toBe(0);
    const names = out.trimEnd().split('\n');
    expect(names.map((line) => line.split(' ')[0]).slice(2, 5)).toEqual([
      'mu.real',
      'mu.imag',
      'w[1].real',
    ]);
    const text = await readFile(join(folder, 'complex/chain_1.csv'), 'utf8');
    expect(text).toMatch(
      /,mu\.real,mu\.imag,w\.1\.real,w\.1\.imag,w\.2\.real,w\.2\.imag,spectrum\.1\.1\.real,/,
    );
    const csv = readStanCsv(text);
    const column = (name: string) => [...csv.draws[csv.variables.indexOf(name)]];
    const sum = column('w[1].imag').map((x, i) => x + column('w[2].imag')[i]);
    column('spectrum[1,1].imag').forEach((x, i) => {
      expect(x).toBeCloseTo(sum[i], 4);
    });
  });

  it('names the tuple member that is wrong, and says that tables cannot hold tuples', async () => {
    const wrong = await run('tuples.stan', '--data', 'wrong-tuples.json', ...few);
    expect(wrong.messages).toContain('`d.2` is -5: must be at least 0');
    const table = await run('tuples.stan', '--data', 'tuples.csv', ...few);
    expect(table.messages).toContain(
      'reads tuples or complex numbers (d, prior), which columns cannot hold',
    );
  });

  it('shows the labels of the data in the table, the verdict and the summary', async () => {
    const args = ['regions.stan', '--data', 'regions.json', '--samples', '20', '--seed', '1'];
    const table = await run(...args);
    expect(table.out).toMatch(/^theta\[North\] .*\ntheta\[South\] /m);
    expect(table.messages).toMatch(/theta\[[12]\] \((North|South)\)/);
    const { out } = await run(...args, '--json');
    const { variables } = JSON.parse(out);
    expect(variables['theta[2]'].label).toBe('theta[South]');
    expect(variables.lp__).not.toHaveProperty('label');
  });

  it('prints the same numbers as JSON for the same seed, also with --parallel 1', async () => {
    const args = ['normal.stan', '--data', 'data.json', ...few, '--chains', '2', '--json'];
    const [first, second] = await Promise.all([run(...args), run(...args, '--parallel', '1')]);
    const summary = JSON.parse(first.out);
    expect(JSON.parse(second.out).variables).toEqual(summary.variables);
    expect(summary.chains).toHaveLength(2);
  });

  it('finds included files beside the model', async () => {
    const { code, out } = await run('including.stan', ...few, '--chains', '1', '--json');
    expect(code).toBe(0);
    expect(JSON.parse(out).variables.x.mean).toBeCloseTo(3, 0);
  });

  it.each([
    ['optimize', ['lp__', 'converged__'], 1, /^A point estimate: no uncertainty\./m],
    ['laplace', ['log_p__', 'log_q__'], 300, /Pareto k/],
    ['pathfinder', ['lp_approx__', 'lp__', 'path__', 'pareto_k__'], 300, /Pareto k/],
    ['advi', ['lp__', 'log_p__', 'log_g__'], 300, /Pareto k/],
    ['fixed_param', ['lp__', 'accept_stat__'], 300, /^Fixed parameters: nothing to converge\./m],
  ])('runs %s, with the columns and files of CmdStan', async (algorithm, columns, count, says) => {
    const samples = algorithm === 'optimize' ? [] : ['--samples', '300'];
    const args = ['--data', 'data.json', '--algorithm', algorithm, ...samples, '--seed', '3'];
    const out = `out-${algorithm}`;
    const result = await run('normal.stan', ...args, '--out', out, '--json');
    expect(result.messages).toMatch(says);
    expect(result.messages).not.toMatch(/R-hat|ESS/);
    expect(result.code).toBe(0);
    const text = await readFile(join(folder, out, 'chain_1.csv'), 'utf8');
    const csv = readStanCsv(text);
    expect(csv.variables).toEqual([...columns, 'mu', 'sigma', 'rep[1]', 'rep[2]']);
    // the mean of ADVI's approximation comes first, as in CmdStan's files
    expect(csv.draws[0]).toHaveLength(count + (algorithm === 'advi' ? 1 : 0));
    const method = { advi: 'variational', fixed_param: 'sample' }[algorithm] ?? algorithm;
    expect(csv.config.get('method')).toBe(method);
    const summary = JSON.parse(result.out);
    expect(summary.chains).toHaveLength(1);
    expect(summary.variables.mu.rhat).toBeNull();
    expect(summary.verdict.rhat_max).toBeNull();
    if (algorithm === 'fixed_param') return;
    // the posterior of normal.stan and data.json: mean of mu near that of y
    expect(summary.variables.mu.mean).toBeCloseTo(2.5, 0);
  });

  it('prints the times of profiles, and writes them as CmdStan does', async () => {
    const args = ['--chains', '2', '--out', 'out-profiles', ...few];
    const { code, messages } = await run('profiled.stan', ...args);
    expect(code).toBe(0);
    const table = messages.slice(messages.indexOf('profile ')).trimEnd().split('\n');
    expect(table[0].split(/ +/)).toEqual(
      'profile seconds forward reverse gradients values'.split(' '),
    );
    expect(
      table
        .slice(1, 3)
        .map((line) => line.split(/  +/)[0])
        .sort(),
    ).toEqual(['data', 'prior, wide']);
    const lines = (await readFile(join(folder, 'out-profiles', 'profile.csv'), 'utf8'))
      .trimEnd()
      .split('\n');
    expect(lines[0]).toBe(
      'name,chain,total_time,forward_time,reverse_time,autodiff_calls,no_autodiff_calls',
    );
    expect(lines.slice(1).map((line) => line.split(/,(?=\d)/).slice(0, 2))).toEqual([
      ['"prior, wide"', '1'],
      ['"data"', '1'],
      ['"prior, wide"', '2'],
      ['"data"', '2'],
    ]);
    const summary = JSON.parse(
      await readFile(join(folder, 'out-profiles', 'summary.json'), 'utf8'),
    ) as { chains: { profiles: { name: string; total_time: number; autodiff_calls: number }[] }[] };
    const [prior, own] = summary.chains[1].profiles;
    expect(prior.autodiff_calls).toBe(own.autodiff_calls);
    // 350 iterations need more gradients than that
    expect(own.autodiff_calls).toBeGreaterThan(350);
    expect(own.total_time).toBeGreaterThan(0);
  });

  it('calibrates by simulation and writes a file of ranks', async () => {
    const args = [
      '--calibrate',
      '24',
      '--data',
      'data.json',
      '--warmup',
      '200',
      '--samples',
      '300',
    ];
    const rest = ['--seed', '3', '--out', 'out-calibration'];
    const { code, out, messages } = await run('calibrated.stan', ...args, ...rest);
    expect(messages).toMatch(/^24 of 24 simulations$/m);
    expect(messages).toMatch(/^No miscalibration found in 24 simulations\. Seed 3\.$/m);
    expect(code).toBe(0);
    expect(out.split('\n')[0]?.split(/\s+/)).toEqual(
      'quantity posterior distance contraction mean_z sd_z'.split(' '),
    );
    expect(out).toMatch(/^mu +uniform +[\d.]+ +0\.\d+ /m);
    const text = await readFile(join(folder, 'out-calibration', 'ranks.csv'), 'utf8');
    const [head, ...lines] = text.trim().split('\n');
    expect(head).toBe('variable,chain,rank,draws,position,truth');
    expect(lines).toHaveLength(2 * 24);
    // the ranks in a file follow from the draws next to it
    const csv = readStanCsv(await readFile(join(folder, 'out-calibration', 'chain_7.csv'), 'utf8'));
    const column = (name: string) => csv.draws[csv.variables.indexOf(name)] ?? new Float64Array();
    const names = ['mu', 'mu_true__'] as const;
    const { ranks } = rankSimulation('chain#7', new Map(names.map((name) => [name, column(name)])));
    const [one] = ranks;
    expect(
      lines
        .find((line) => line.startsWith('mu,chain#7,'))
        ?.split(',')
        .slice(2, 4),
    ).toEqual([one?.rank, one?.draws].map(String));
    const again = await run('calibrated.stan', ...args, '--chains', '4');
    expect(again.code).toBe(1);
    expect(again.messages).toContain('num_chains is not a setting of the algorithm calibration');
  });

  it('says what a program lacks for calibration', async () => {
    const { code, messages } = await run('normal.stan', '--calibrate', '--data', 'data.json');
    expect(code).toBe(1);
    const problem = 'This program cannot simulate its data. It needs a flag';
    expect(messages).toContain(`Chains 1 to 100 failed: ${problem}`);
  });

  it('starts NUTS from Pathfinder with --init pathfinder', async () => {
    const args = ['--data', 'data.json', ...few, '--chains', '2', '--init', 'pathfinder', '--json'];
    const { code, out } = await run('normal.stan', ...args);
    expect(code).toBe(0);
    expect(JSON.parse(out).variables.mu.mean).toBeCloseTo(2.5, 0);
  });

  it('runs a program that has only generated quantities', async () => {
    const { code, out } = await run('fixed.stan', ...few, '--chains', '1', '--json');
    expect(code).toBe(0);
    expect(JSON.parse(out).variables.u.mean).toBeCloseTo(0.5, 0);
  });

  it.each([
    [
      'a program with an error, and gives its position',
      ['bad.stan'],
      [/bad\.stan:2:/, /sigma/, /\^/],
    ],
    ['a function without second derivatives', ['lacking.stan'], [/lacking\.stan:/, /hmm_marginal/]],
    ['a missing file', ['none.stan'], [/none\.stan/]],
    [
      'data that do not match their declaration',
      ['normal.stan', '--data', 'short.json'],
      [/y/, /4/],
    ],
    ['data that are not JSON', ['normal.stan', '--data', 'broken.json'], [/broken\.json:2/]],
    [
      'a setting out of range',
      ['normal.stan', '--data', 'data.json', '--adapt-delta', '2'],
      [/adapt_delta must be/],
    ],
    [
      'an unknown algorithm',
      ['fixed.stan', '--algorithm', 'newton'],
      [/algorithm must be nuts, optimize/],
    ],
    [
      'a setting of another algorithm',
      ['fixed.stan', '--algorithm', 'optimize', '--warmup', '9'],
      [/num_warmup is not a setting of the algorithm optimize/],
    ],
    [
      'a setting of an algorithm that was not chosen',
      ['fixed.stan', '--num-paths', '9'],
      [/num_paths is not a setting of the algorithm nuts/],
    ],
    [
      'an approximation of a program without parameters',
      ['fixed.stan', '--algorithm', 'laplace'],
      [/no parameters/, /fixed_param/],
    ],
    ['a density that is nowhere finite', ['nowhere.stan'], [/No starting point/, /never/]],
  ])('fails on %s', async (_what, args, messages) => {
    const result = await run(...args);
    expect(result.code).toBe(1);
    expect(result.out).toBe('');
    for (const word of messages) expect(result.messages).toMatch(word);
  });

  it('computes the quantities of an edited program at the draws of a finished run', async () => {
    const data = ['--data', 'data.json'];
    const first = await run('normal.stan', ...data, ...few, '--chains', '2', '--out', 'first');
    expect(first.code).toBe(0);
    const again = await run(
      'edited.stan',
      ...data,
      '--from',
      'first',
      '--out',
      'again',
      '--seed',
      '9',
    );
    expect(again.messages).toContain('a changed model block has no effect');
    expect(again.code).toBe(0);
    for (const file of ['chain_1.csv', 'chain_2.csv']) {
      const [before, after] = await Promise.all(
        ['first', 'again'].map(async (name) =>
          readStanCsv(await readFile(join(folder, name, file), 'utf8')),
        ),
      );
      const column = (chain: typeof before, name: string) =>
        chain?.draws[chain.variables.indexOf(name)] ?? [];
      expect([...column(after, 'mu')]).toEqual([...column(before, 'mu')]);
      expect([...column(after, 'divergent__')]).toEqual([...column(before, 'divergent__')]);
      const [mu, sigma] = [column(after, 'mu')[0] ?? NaN, column(after, 'sigma')[0] ?? NaN];
      const density =
        -0.5 * ((3 - mu) / sigma) ** 2 - Math.log(sigma) - 0.5 * Math.log(2 * Math.PI);
      expect(column(after, 'log_lik[3]')[0]).toBeCloseTo(density, 6);
    }
    const text = await readFile(join(folder, 'again', 'chain_1.csv'), 'utf8');
    expect(text).toContain('# method = generate_quantities');
    const one = await run('edited.stan', ...data, '--from', 'first/chain_2.csv', '--json');
    expect(JSON.parse(one.out)).toMatchObject({ chains: [{ chain: 1, draws: 150 }] });
  });

  it('says why the draws of --from cannot be used', async () => {
    const data = ['--data', 'data.json'];
    const none = await run('edited.stan', ...data, '--algorithm', 'generate_quantities');
    expect(none).toMatchObject({ code: 1, messages: expect.stringContaining('with --from') });
    const gone = await run('edited.stan', ...data, '--from', 'nowhere');
    expect(gone).toMatchObject({
      code: 1,
      messages: 'Cannot read the draws nowhere (--from): ENOENT.\n',
    });
    await run('fixed.stan', '--algorithm', 'fixed_param', '--samples', '5', '--out', 'other');
    const other = await run('edited.stan', ...data, '--from', 'other');
    expect(other.code).toBe(1);
    expect(other.messages).toContain('the program declares mu, sigma, which the draws do not have');
  });
});

describe('CmdStanPy', () => {
  itWith('cmdstanpy', 'reads the CSV files as its own', async () => {
    const args = ['--data', 'data.json', '--warmup', '200', '--samples', '150', '--seed', '3'];
    await run('normal.stan', ...args, '--out', 'csv');
    const script = `
import sys, json, cmdstanpy
fit = cmdstanpy.from_csv([f"{sys.argv[1]}/chain_{c}.csv" for c in (1, 2, 3, 4)])
print(json.dumps(dict(mu=fit.stan_variable("mu").tolist(), rep=list(fit.stan_variable("rep").shape))))`;
    const { mu, rep } = (await samplersPython(script, join(folder, 'csv'))) as {
      mu: number[];
      rep: number[];
    };
    expect(rep).toEqual([600, 2]);
    const first = readStanCsv(await readFile(join(folder, 'csv/chain_1.csv'), 'utf8'));
    expect(mu.slice(0, 150)).toEqual([...(first.draws[first.variables.indexOf('mu')] ?? [])]);
  });
});

describe('ergodic run with a JAGS model', () => {
  itWith('jags', 'samples with rjags and judges convergence only', async () => {
    const data = ['--data', 'data.json', '--chains', '2', '--num-adapt', '100', '--seed', '3'];
    const long = ['--warmup', '100', '--samples', '3000', '--out', 'jags'];
    const { code, out, messages } = await run('normal.jags', ...data, ...long, '--json');
    expect({ code, messages }).toMatchObject({ code: 0 });
    expect(messages).toContain('Looks converged. Seed 3.');
    const { variables, chains } = JSON.parse(out) as SummaryJson & { chains: unknown[] };
    // precision 1/100 + 4/4
    expect(Math.abs(variables.mu.mean - 2.5 / 1.01)).toBeLessThan(4 * variables.mu.mcse_mean);
    expect(Object.keys(variables)).toEqual(['mu']);
    expect(chains[0]).toMatchObject({ draws: 3000, divergences: null, step_size: null });
    const again = await run('normal.jags', ...data, ...long, '--json');
    expect(again.out).toBe(out);
    const csv = readStanCsv(await readFile(join(folder, 'jags/chain_2.csv'), 'utf8'));
    expect(csv.draws[csv.variables.indexOf('mu')]).toHaveLength(3000);
  });

  itWith('jags', 'reports the message of JAGS about an invalid model', async () => {
    const { code, messages } = await run('bad.bug', '--chains', '1');
    expect(code).toBe(1);
    expect(messages).toContain('Compilation error on line 2. Unknown variable tau');
    const none = await run('normal.jags', '--monitor', 'mu + 1');
    expect(none.messages).toContain('monitor must be names of variables of the model');
  });
});
