/** Packages as texts: their layout, that equal input gives equal bytes, and that the commands are right. One long
 * file: every method and tool is tried on the same few runs. */
import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { writeZip } from '../../src/formats/archive.ts';
import type { ModelFile } from '../../src/formats/model-tree.ts';
import { buildRunPackage, type RunPackageInput } from '../../src/formats/run-package.ts';
import { pythonScript, type ScriptParts, shellScript } from '../../src/formats/run-scripts.ts';
import { packTar } from '../../src/formats/tar.ts';
import { readSettingsText } from '../../src/service/content/settings-text.ts';
import { itWith } from '../support/needs.ts';
import { PYTHON } from '../support/parts.mjs';

const file = (path: string, text: string): ModelFile => ({
  path,
  bytes: new TextEncoder().encode(text),
  encoding: 'text',
});
const settings = {
  num_chains: 3,
  num_warmup: 200,
  num_samples: 100,
  thin: 2,
  seed: 4294967295,
  init_radius: 1.5,
  adapt_delta: 0.9,
  max_treedepth: 8,
  metric: 'dense',
  save_warmup: true,
  parallel_chains: null,
  inits: null,
  timeout: null,
  iteration_timeout: 600,
};
const stan: RunPackageInput = {
  name: 'Eight schools',
  env: 'stan',
  program: {
    entrance: 'main.stan',
    files: [file('main.stan', 'model {}'), file('lib/f.stan', '')],
  },
  data: new TextEncoder().encode('{"J": 8}'),
  dataJson: '{"J": 8}',
  settings,
};

const textsOf = (input: RunPackageInput) =>
  Object.fromEntries(
    buildRunPackage(input).files.map(({ path, bytes }) => [path, new TextDecoder().decode(bytes)]),
  );

describe('a package', () => {
  it('leaves labels out of the data that CmdStan reads', () => {
    const dataJson = '{"J": 2, "y": [NaN, 1], "meta__": {"labels": {"J": ["A", "B"]}}}';
    const { files } = buildRunPackage({ ...stan, dataJson });
    const written = files.find(({ path }) => path === 'data.json');
    expect(new TextDecoder().decode(written?.bytes)).toBe('{"J":2,"y":["NaN",1]}\n');
  });

  it('of a Stan program has the documented files, and commands for three samplers', () => {
    const texts = textsOf({
      ...stan,
      settingsText: 'sampling: {num_chains: 3}\n',
      place: { endpoint: 'https://a.example', workflow_id: 'F1234567' },
      dataScript: { text: 'parse = None', suffix: 'py' },
      startupScript: '# julia',
      analyzer: { entrance: 'a.py', files: [file('a.py', 'print(1)')] },
    });
    expect(Object.keys(texts).toSorted()).toEqual([
      'README.txt',
      'analyzer/.metadata',
      'analyzer/a.py',
      'client/Ergodic.py/ergodic/__init__.py',
      'client/Ergodic.py/ergodic/__main__.py',
      'data',
      'data.json',
      'data.py',
      'model/.metadata',
      'model/lib/f.stan',
      'model/main.stan',
      'model/script.jl',
      'run.R',
      'run.py',
      'run.sh',
      'settings.json',
      'tasks.py',
      'workflow.yaml',
    ]);
    expect(JSON.parse(texts['model/.metadata'])).toEqual({ entrance_file: 'main.stan' });
    expect(texts['workflow.yaml']).toBe(
      'ergodic:\n  endpoint: "https://a.example"\n  workflow_id: "F1234567"\nsampling: {num_chains: 3}\n',
    );
    for (const command of ['run.sh', 'run.py', 'run.R'])
      expect(texts['README.txt']).toContain(command);
    expect(texts['run.sh']).toMatchInlineSnapshot(`
      "#!/bin/sh
      # Samples this package with Ergodic's own engine, without a server: sh run.sh
      # ERGODIC names the command where "ergodic" is not installed, for example "npm run -s --prefix /path/to/ergodic ergodic --".
      set -eu
      cd "$(dirname "$0")"
      here=$(pwd)
      exec \${ERGODIC:-ergodic} run "$here"/'model/main.stan' \\
        --data "$here"/'data.json' \\
        --chains '3' \\
        --warmup '200' \\
        --samples '100' \\
        --seed '4294967295' \\
        --adapt-delta '0.9' \\
        --max-treedepth '8' \\
        --metric 'dense' \\
        --thin '2' \\
        --init '1.5' \\
        --save-warmup \\
        --out "$here"/output "$@"
      "
    `);
    expect(texts['run.py']).toMatchInlineSnapshot(`
      """"Samples this package with CmdStanPy: python run.py (needs cmdstanpy and CmdStan: https://mc-stan.org/cmdstanpy)."""

      import os

      from cmdstanpy import CmdStanModel

      here = os.path.dirname(os.path.abspath(__file__))
      model = CmdStanModel(
          stan_file=os.path.join(here, "model", "main.stan"),
          stanc_options={"include-paths": [os.path.join(here, "model")]},
      )
      fit = model.sample(
          data=os.environ.get("ERGODIC_DATA_FILE", os.path.join(here, "data.json")),
          chains=3,
          iter_warmup=200,
          iter_sampling=100,
          thin=2,
          seed=4294967295,
          adapt_delta=0.9,
          save_warmup=True,
          metric="dense_e",
          max_treedepth=8,
          inits=1.5,
          output_dir=os.path.join(here, "output"),
      )
      print(fit.summary())
      print(fit.diagnose())
      "
    `);
    expect(texts['run.R']).toMatchInlineSnapshot(`
      "# Samples this package with CmdStanR: Rscript run.R (needs cmdstanr and CmdStan: https://mc-stan.org/cmdstanr).

      library(cmdstanr)

      file <- sub("^--file=", "", grep("^--file=", commandArgs(FALSE), value = TRUE))
      here <- if (length(file) == 1) dirname(normalizePath(file)) else getwd()
      dir.create(file.path(here, "output"), showWarnings = FALSE)
      model <- cmdstan_model(
        file.path(here, "model", "main.stan"),
        include_paths = file.path(here, "model")
      )
      fit <- model$sample(
        data = file.path(here, "data.json"),
        chains = 3,
        iter_warmup = 200,
        iter_sampling = 100,
        thin = 2,
        seed = 2147483647,
        adapt_delta = 0.9,
        save_warmup = TRUE,
        metric = "dense_e",
        max_treedepth = 8,
        init = 1.5,
        output_dir = file.path(here, "output")
      )
      print(fit$summary())
      fit$cmdstan_diagnose()
      "
    `);
  });

  it('has starting values in a file that every command reads', () => {
    const texts = textsOf({ ...stan, settings: { ...settings, inits: { mu: 1 } } });
    expect(texts['inits.json']).toBe('{"mu":1}\n');
    expect(texts['run.sh']).toContain('--init "$here"/\'inits.json\'');
    expect(texts['run.py']).toContain('inits=inits,');
    expect(texts['run.R']).toContain('init = jsonlite::fromJSON(');
    const optimized = textsOf({
      ...stan,
      settings: { ...settings, algorithm: 'optimize', inits: { mu: 1 } },
    });
    for (const { 'run.py': python } of [texts, optimized]) {
      expect(python).toContain('import json\n');
      expect(python).toContain(
        'with open(os.path.join(here, "inits.json"), encoding="utf-8") as file:\n    inits = json.load(file)\n',
      );
      expect(python).not.toMatch(/# if |glob/);
    }
  });

  it('leaves each command its defaults where there is no setting', () => {
    for (const algorithm of [null, 'optimize', 'advi']) {
      const texts = textsOf({ ...stan, settings: { algorithm, num_warmup: 7 } });
      expect(texts['run.sh']).not.toContain('--init');
      expect(texts['run.py']).not.toMatch(/null|inits|max_treedepth/);
      expect(texts['run.R']).not.toMatch(/null|init =|max_treedepth/);
      // null means the default algorithm
      expect(texts['run.sh']?.includes("--warmup '7'")).toBe(algorithm === null);
    }
  });

  it.each(['diag', 'unit', 'dense'])('names the metric %s as CmdStan does', (metric) => {
    const texts = textsOf({ ...stan, settings: { metric } });
    expect(texts['run.py']).toContain(`    metric="${metric}_e",\n`);
    expect(texts['run.R']).toContain(`  metric = "${metric}_e",\n`);
  });

  it('adds its folder only to the names of its own files', () => {
    const script = textsOf({ ...stan, settings: { sampler: 'x.json' } })['run.sh'];
    expect(script).toContain("  --sampler 'x.json' \\\n");
  });

  it('of a Python program includes the module that its run had', () => {
    const program = { entrance: 'main.py', files: [file('main.py', 'import ergodic')] };
    const texts = textsOf({ name: 'p', env: 'python', program, settings });
    expect(Object.keys(texts)).toContain('client/Ergodic.py/ergodic/__init__.py');
    expect(texts['run.sh']).toContain("exec python3 'main.py'");
    expect(Object.keys(texts)).not.toContain('run.py');
  });

  it('of a program in an unknown language still includes it', () => {
    const texts = textsOf({
      name: '',
      env: 'cobol',
      program: { entrance: '', files: [file('x', '')] },
    });
    expect(Object.keys(texts)).toContain('model/x');
    expect(Object.keys(texts)).not.toContain('run.sh');
  });

  it('is the same, byte for byte, each time', () => {
    const zips = [1, 2].map(() => writeZip(buildRunPackage(stan)));
    const tars = [1, 2].map(() => packTar(buildRunPackage(stan), { gzip: true }));
    for (const [first, second] of [zips, tars]) {
      expect(first.ok).toBe(true);
      expect(first).toEqual(second);
    }
  });

  it('has the sections that clients read, without syncing, if settings are values', () => {
    expect(
      textsOf({ ...stan, settingsText: null, settings: { num_chains: 3 } })['workflow.yaml'],
    ).toBe(
      `sampling:
  sync: false
  julia_args: []
  mcmc_data: {"directory":"mcmcdata"}
  num_chains: 3
serverless:
  engine: "local"
analysis:
  sync: false
  output_dir: "analyzer_output"
`,
    );
  });

  it('keeps settings that already name a service, or cannot hold one, unchanged', () => {
    const place = { workflow_id: 'F1' };
    for (const settingsText of [
      'ergodic: {endpoint: x}\n',
      '{sampling: {num_chains: 1}}\n',
      '--- \na: 1\n',
    ])
      expect(textsOf({ ...stan, place, settingsText })['workflow.yaml']).toBe(settingsText);
  });
});

const methods = [
  'optimize',
  'laplace',
  'pathfinder',
  'advi',
  'fixed_param',
  'generate_quantities',
] as const;

/** Settings as a run with that algorithm stores them. */
function settingsOf(algorithm: string, more: Record<string, unknown> = {}) {
  const read = readSettingsText(
    `sampling: ${JSON.stringify({ algorithm, seed: 4294967295, ...more })}`,
  );
  if (!read.ok) throw new Error(read.error);
  return { ...read.value.stored };
}

describe('a package of another algorithm', () => {
  it.each(methods)('has commands for all three samplers: %s', (algorithm) => {
    const more = algorithm === 'generate_quantities' ? { from: 'X1234567' } : {};
    const texts = textsOf({ ...stan, settings: settingsOf(algorithm, more) });
    const [shell, python, r] = [texts['run.sh'], texts['run.py'], texts['run.R']];
    expect(shell).toContain(`--algorithm '${algorithm}'`);
    expect({ shell, python, r }).toMatchSnapshot();
    for (const text of [shell, python, r]) expect(text).not.toMatch(/__[A-Z]+__|[A-Z]+__|# if /);
  });

  it('says where to put the draws that are read', () => {
    const texts = textsOf({
      ...stan,
      settings: { ...settingsOf('generate_quantities', { from: 'X1234567' }), num_chains: 4 },
    });
    expect(texts['README.txt']).toContain('put the CSV files of the run X1234567 into draws/');
    expect(texts['run.sh']).toContain(`--from "$here"/'draws'`);
    expect(texts['run.sh']).not.toContain('--chains');
  });

  it('passes starting values and the step size to methods that accept them', () => {
    const inits = { mu: 1 };
    const of = (algorithm: string, more: Record<string, unknown> = {}) =>
      textsOf({ ...stan, settings: settingsOf(algorithm, { inits, ...more }) });
    expect(of('pathfinder')['run.py']).toContain('    inits=inits,');
    expect(of('optimize')['run.R']).toContain('  init = jsonlite::fromJSON(');
    expect(of('laplace')['run.py']).not.toContain('inits');
    expect(of('laplace')['run.R']).not.toContain('init =');
    const fixed = of('advi', { eta: 0.1 })['run.py'];
    expect(fixed).toContain('    eta=0.1,');
    expect(fixed).toContain('    adapt_engaged=False,');
    expect(fixed).not.toContain('adapt_iter');
    expect(of('advi', { eta: 0.1 })['run.sh']).toContain("  --eta '0.1' \\\n");
    const other = textsOf({ ...stan, settings: { algorithm: 'optimize', eta: 0.1 } });
    expect(other['run.py']).not.toContain('adapt_engaged');
  });

  it('samples if the name of the algorithm is invalid', () => {
    for (const algorithm of ['constructor', ['optimize'], 7])
      expect(textsOf({ ...stan, settings: { algorithm } })['run.py']).toContain(
        'fit = model.sample(',
      );
  });

  itWith(
    'python',
    'has Python that compiles and calls the method with arguments that it accepts',
    () => {
      const scripts = methods.map((algorithm) =>
        pythonScript({
          program: 'model/main.stan',
          data: 'data.json',
          inits: null,
          settings: settingsOf(
            algorithm,
            algorithm === 'generate_quantities' ? { from: 'X1' } : {},
          ),
        }),
      );
      // a stand-in with CmdStanPy's own signatures
      const said = execFileSync(PYTHON, ['-c', standIn], {
        input: JSON.stringify(scripts),
        encoding: 'utf8',
      });
      expect(said.trim().split('\n')).toEqual([
        'optimize 1',
        'laplace_sample 2',
        'pathfinder 3',
        'variational 4',
        'sample 5',
        'generate_quantities 6',
      ]);
    },
  );
});

/** The signatures are those of CmdStanPy 1.2 (BSD-3), written down from its documentation. */
const standIn = `
import json, sys, types
class Fit:
    def __getattr__(self, name): return self
    def __call__(self): return self
    def __str__(self): return str(count)
optimiser = dict.fromkeys("init_alpha tol_obj tol_rel_obj tol_grad tol_rel_grad tol_param history_size iter".split())
takes = {
    "optimize": {"data", "seed", "inits", "output_dir", "algorithm", "jacobian", *optimiser},
    "laplace_sample": {"data", "mode", "draws", "jacobian", "seed", "output_dir", "opt_args"},
    "pathfinder": {"data", "seed", "inits", "output_dir", "num_paths", "max_lbfgs_iters", "draws", "num_single_draws",
        "num_elbo_draws", "psis_resample", "calculate_lp", *optimiser} - {"iter"},
    "variational": {"data", "seed", "inits", "output_dir", "algorithm", "iter", "grad_samples", "elbo_samples", "eta",
        "adapt_engaged", "adapt_iter", "tol_rel_obj", "eval_elbo", "draws", "require_converged"},
    "sample": {"data", "chains", "parallel_chains", "seed", "inits", "iter_warmup", "iter_sampling", "thin", "fixed_param", "output_dir"},
    "generate_quantities": {"data", "previous_fit", "seed", "gq_output_dir"},
}
class CmdStanModel:
    def __init__(self, stan_file, stanc_options): pass
    def __getattr__(self, method):
        def call(**given):
            unknown = set(given) - takes[method]
            assert not unknown, (method, unknown)
            assert set(given.get("opt_args", {})) <= set(optimiser)
            print(method, end=" ")
            return Fit()
        return call
sys.modules["cmdstanpy"] = types.SimpleNamespace(CmdStanModel=CmdStanModel)
count = 0
for text in json.load(sys.stdin):
    count += 1
    exec(compile(text, "run.py", "exec"), {"__file__": "/x/run.py", "__name__": "__main__"})
`;

describe('a package with every setting', () => {
  const all = {
    num_chains: 2,
    num_warmup: 3,
    num_samples: 4,
    seed: 5,
    adapt_delta: 0.9,
    max_treedepth: 6,
    metric: 'low-rank',
    adaptation: 'fast',
    sampler: 'nuts',
    thin: 7,
    parallel_chains: 8,
    time_limit: 9,
    timeout: 10,
    algorithm: 'nuts',
    save_warmup: false,
    init_radius: 0.5,
  };
  it('passes each to the commands that read it', () => {
    const texts = textsOf({ ...stan, settings: all });
    expect([texts['run.sh'], texts['run.py'], texts['run.R']].join('\n')).toMatchSnapshot();
  });

  it.each(methods)('passes those of %s too', (algorithm) => {
    const more = {
      jacobian: false,
      iter: 11,
      history_size: 12,
      init_alpha: 0.1,
      tol_obj: 0.2,
      tol_rel_obj: 0.3,
      tol_grad: 0.4,
      tol_rel_grad: 0.5,
      tol_param: 0.6,
      num_paths: 13,
      num_elbo_draws: 14,
      psis_resample: true,
      approximation: 'fullrank',
      grad_samples: 15,
      elbo_samples: 16,
      eval_elbo: 17,
      adapt_iter: 18,
    };
    const texts = textsOf({ ...stan, dataJson: null, settings: { ...all, ...more, algorithm } });
    expect([texts['run.sh'], texts['run.py'], texts['run.R']].join('\n')).toMatchSnapshot();
  });

  it.each([
    ['pathfinder', '--init pathfinder'],
    ['multi-pathfinder', '--init multi-pathfinder'],
  ])('starts from the end of %s if requested', (inits, option) => {
    const script = textsOf({ ...stan, settings: { ...all, inits } })['run.sh'];
    expect(script).toContain(`  ${option} \\\n`);
    expect(script).not.toContain("--init '0.5'");
  });

  it('leaves out settings that are not single values, and metrics that CmdStan lacks', () => {
    const texts = textsOf({ ...stan, settings: { thin: [2], seed: { a: 1 }, metric: 'other' } });
    for (const command of ['run.sh', 'run.py', 'run.R'])
      expect(texts[command]).not.toMatch(/thin|seed|metric_e|other_e/);
  });

  it('passes R a seed that it can hold', () => {
    const seedOf = (seed: number) =>
      /seed = (\d+)/.exec(textsOf({ ...stan, settings: { seed } })['run.R'] ?? '')?.[1];
    expect([2 ** 31 - 1, 2 ** 31, 2 ** 31 + 5].map(seedOf)).toEqual(['2147483647', '0', '5']);
  });

  it('passes the folder of the program to the compiler, at the root or deeper', () => {
    const program = { entrance: 'a/b.stan', files: [file('a/b.stan', '')] };
    const texts = textsOf({ ...stan, program, dataJson: null });
    expect(texts['run.py']).toContain('os.path.join(here, "model", "a", "b.stan")');
    expect(texts['run.py']).toContain('"include-paths": [os.path.join(here, "model", "a")]');
    expect(texts['run.R']).toContain('data = NULL,');
    expect(texts['run.sh']).not.toContain('--data');
    const parts = { program: 'b.stan', data: null, inits: null, settings: {} };
    expect(pythonScript(parts)).toContain('"include-paths": [os.path.join(here, ".")]');
  });

  it('keeps file names that look like placeholders', () => {
    const entrance = "__FOLDER__ $& it's.stan";
    const program = { entrance, files: [file(entrance, '')] };
    const texts = textsOf({ ...stan, program });
    expect(texts['run.sh']).toContain(`'model/__FOLDER__ $& it'\\''s.stan'`);
    expect(texts['run.py']).toContain(`"__FOLDER__ $& it's.stan"`);
    expect(texts['run.R']).toContain(`"__FOLDER__ $& it's.stan"`);
  });
});

describe('the README of a package', () => {
  const readme = (more: Partial<RunPackageInput>) => textsOf({ ...stan, ...more })['README.txt'];
  it('lists its files and how to run it', () => {
    expect(
      readme({
        dataScript: { text: 'parse = None', suffix: 'py' },
        analyzer: { entrance: 'a.py', files: [file('a.py', '')] },
        chainsLeftOut: ['chain#2', 'a\nb'],
      }),
    ).toMatchInlineSnapshot(`
      "Eight schools

      The summary, verdict and plots of the run leave out chain#2, a b; the draw files include all chains.

      To run it:
        sh run.sh        with Ergodic’s own engine: the same draws as on the service, bit for bit, given the same seed
        python run.py    with CmdStanPy: the same posterior, different draws
        Rscript run.R    with CmdStanR: the same posterior, different draws

      What is here:
        model/main.stan    the program that is run, with its other files next to it
        data               the original data
        data.json          the data as the program reads them
        data.py            prepares the data before a run
        settings.json      the settings of the run
        workflow.yaml      the same settings, for a service
        tasks.py           pyinvoke tasks sample, analyze, login and clean: invoke --list
        client/Ergodic.py  the Python module “ergodic”: how a program reads its data and sends its draws
        analyzer/a.py      makes the report
      "
    `);
  });

  it('says what does not run elsewhere', () => {
    expect(
      readme({
        name: 'a\nb',
        env: 'julia',
        program: { entrance: 'main.jl', files: [file('main.jl', '')] },
        data: null,
        dataScript: { text: '', suffix: 'js' },
        analyzer: { entrance: 'a.mjs', files: [file('a.mjs', '')] },
      }),
    ).toMatchInlineSnapshot(`
      "a b

      To run it:
        sh run.sh        draws go to mcmcdata/

      What is here:
        model/main.jl      the program that is run, with its other files next to it
        data.js            prepares the data before a run
        settings.json      the settings of the run
        workflow.yaml      the same settings, for a service
        tasks.py           pyinvoke tasks sample, analyze, login and clean: invoke --list
        client/Ergodic.py  the Python module “ergodic”: how a program reads its data and sends its draws
        analyzer/a.mjs     makes the report

      What does not run elsewhere:
        data.js: it prepares the data inside the service only
        the analyzer: it is written in JavaScript and reads from the service
      "
    `);
    expect(readme({ analyzer: { entrance: 'a.js', files: [] } })).toContain(
      '  the analyzer: it is',
    );
    for (const entrance of ['js', 'a.js.py'])
      expect(readme({ analyzer: { entrance, files: [] } })).not.toContain('elsewhere');
  });

  it('of a program in an unknown language only lists the files', () => {
    expect(
      readme({
        name: '',
        env: '',
        program: { entrance: '', files: [] },
        data: null,
        dataJson: null,
      }),
    ).toMatchInlineSnapshot(`
      "A run

      What is here:
        settings.json      the settings of the run
        workflow.yaml      the same settings, for a service
        tasks.py           pyinvoke tasks sample, analyze, login and clean: invoke --list
        client/Ergodic.py  the Python module “ergodic”: how a program reads its data and sends its draws
      "
    `);
  });

  it('names the run whose draws are read only where it is known', () => {
    const settings = { algorithm: 'generate_quantities' };
    expect(readme({ settings })).toContain(
      'put the CSV files of the run into draws/: the draws are read from there.\n\nWhat is here:\n',
    );
  });
});

describe('files of a package', () => {
  it.each([
    ['python', 'main.py', "exec python3 'main.py'"],
    ['julia', 'main.jl', "exec julia --project=. 'main.jl'"],
    ['r', 'main.R', "exec Rscript 'main.R'"],
  ])('in %s run with its interpreter', (env, entrance, command) => {
    const built = buildRunPackage({ name: 'p', env, program: { entrance, files: [] } });
    expect(built.programs).toEqual(new Set(['run.sh']));
    expect(built.emptyFolders).toEqual([]);
    const script = built.files.find(({ path }) => path === 'run.sh');
    expect(script?.encoding).toBe('base64');
    expect(new TextDecoder().decode(script?.bytes)).toContain(command);
  });

  it.each([
    ['stan', 'main.txt'],
    ['cmdstan', 'main.txt'],
    ['', 'MAIN.Stan'],
  ])('are those of a Stan program by language or file name: %j, %s', (env, entrance) =>
    expect(buildRunPackage({ name: 'p', env, program: { entrance, files: [] } }).programs).toEqual(
      new Set(['run.sh', 'run.py', 'run.R']),
    ),
  );

  it.each(['stan', 'python'])('in %s without a program to run include no commands', (env) =>
    expect(
      buildRunPackage({ name: 'p', env, program: { entrance: '', files: [] } }).programs.size,
    ).toBe(0),
  );

  it.each(['constructor', 'toString'])('in the unknown language %s include no commands', (env) =>
    expect(
      buildRunPackage({ name: 'p', env, program: { entrance: 'x', files: [] } }).programs.size,
    ).toBe(0),
  );

  it('include settings, data and scripts if they are given', () => {
    expect(Object.keys(textsOf({ name: '', env: 'python', program: stan.program }))).toContain(
      'model/lib/f.stan',
    );
    const python = { env: 'python', program: { entrance: 'main.py', files: [] } };
    const texts = textsOf({ ...stan, ...python });
    expect(texts['data.json']).toBeUndefined();
    expect(texts['model/script.jl']).toBeUndefined();
    expect(texts.data).toBe('{"J": 8}');
    expect(JSON.parse(texts['settings.json'])).toEqual(settings);
    expect(texts['settings.json']).toMatch(/^\{\n {2}"num_chains": 3,\n[^]*\}\n$/);
    expect(texts['model/.metadata']).toBe('{"entrance_file":"main.py"}\n');
    const dataScript = { text: 'parse = None', suffix: 'py' } as const;
    const withScript = textsOf({ ...stan, ...python, dataScript, startupScript: 'x = 1' });
    expect(withScript['data.json']).toBe('{"J": 8}');
    expect(withScript['data.py']).toBe('parse = None');
    expect(withScript['model/script.jl']).toBe('x = 1');
    expect(textsOf({ ...stan, settings: { inits: 'pathfinder' } })['inits.json']).toBeUndefined();
    expect(textsOf({ ...stan, settings: { inits: null } })['inits.json']).toBeUndefined();
    expect(textsOf({ name: '', env: '', program: stan.program })['settings.json']).toBe('{}\n');
  });

  it('include data unchanged if they have no labels or are not a JSON object', () => {
    const dataOf = (dataJson: string) => textsOf({ ...stan, dataJson })['data.json'];
    for (const text of [
      '{"y":  [NaN]}',
      '[1, "meta__"]',
      '{"meta__": ',
      '"meta__"',
      'null "meta__"',
    ])
      expect(dataOf(text)).toBe(text);
    expect(dataOf('{"meta__": {}, "y": [NaN, Infinity, -Infinity, 1, "a"]}')).toBe(
      '{"y":["NaN","Inf","-Inf",1,"a"]}\n',
    );
  });

  it('include settings for services, with their text unchanged and the service in front', () => {
    const yaml = (settingsText: string | null, place?: Record<string, string>) =>
      textsOf({
        ...stan,
        place,
        settingsText,
        settings: { 'a-b': 1, c: null, d: undefined, e: '' },
      })['workflow.yaml'];
    expect(yaml('a: 1', { endpoint: 'x', empty: '' })).toBe('ergodic:\n  endpoint: "x"\na: 1\n');
    expect(yaml('a: 1\n', {})).toBe('a: 1\n');
    expect(yaml('a: 1\n')).toBe('a: 1\n');
    for (const text of ['"ergodic" : {}\n', "x: 1\n  'ergodic':\n", ' [1]\n', 'a: 1\n---\nb: 2\n'])
      expect(yaml(text, { endpoint: 'x' })).toBe(text);
    expect(yaml('my_ergodic: 1\nb: {}\n', { endpoint: 'x' })).toMatch(/^ergodic:\n/);
    expect(yaml('a: b---\n', { endpoint: 'x' })).toMatch(/^ergodic:\n/);
    for (const none of ['  \n', '', null])
      expect(yaml(none, { endpoint: 'x' })).toBe(
        `ergodic:
  endpoint: "x"
sampling:
  sync: false
  julia_args: []
  mcmc_data: {"directory":"mcmcdata"}
  "a-b": 1
serverless:
  engine: "local"
analysis:
  sync: false
  output_dir: "analyzer_output"
`,
      );
  });
});

describe('commands', () => {
  const name = fc
    .string({ unit: 'grapheme', minLength: 1, maxLength: 12 })
    .filter(
      (text) =>
        !/[/\0\n\r]/.test(text) && text !== '.' && text !== '..' && !/\p{Surrogate}/u.test(text),
    );
  const parts: fc.Arbitrary<ScriptParts> = fc.record({
    program: name.map((text) => `model/${text}.stan`),
    data: fc.option(fc.constant('data.json')),
    inits: fc.option(fc.constant('inits.json')),
    settings: fc.record({
      num_chains: fc.option(fc.integer({ min: 1, max: 9 })),
      seed: fc.option(fc.nat()),
      adapt_delta: fc.option(fc.double({ min: 0.1, max: 0.9, noNaN: true })),
      max_treedepth: fc.option(fc.nat(20)),
      save_warmup: fc.boolean(),
      metric: fc.constantFrom('diag', 'dense', 'unit', null),
      init_radius: fc.option(fc.double({ min: 0, max: 5, noNaN: true })),
    }),
  });

  itWith('python', 'in Python compile, whatever the program is called', () => {
    const scripts = fc.sample(parts, { numRuns: 150, seed: 11 }).map(pythonScript);
    const check =
      'import sys, json\nfor text in json.load(sys.stdin): compile(text, "run.py", "exec")\nprint("good")';
    const said = execFileSync(PYTHON, ['-c', check], {
      input: JSON.stringify(scripts),
      encoding: 'utf8',
    });
    expect(said).toBe('good\n');
  });

  it('in the shell pass each file as one argument', () => {
    const samples = fc.sample(parts, { numRuns: 40, seed: 12 });
    for (const sample of samples) {
      const args = execFileSync('sh', ['-s'], {
        env: { ...process.env, ERGODIC: 'printf %s\\n' },
        input: shellScript(sample).replace('cd "$(dirname "$0")"', 'cd /'),
        encoding: 'utf8',
      }).split('\n');
      expect(args[0]).toBe('run');
      expect(args[1]).toBe(`//${sample.program}`);
      if (sample.data !== null) expect(args[args.indexOf('--data') + 1]).toBe('//data.json');
    }
  });
});
