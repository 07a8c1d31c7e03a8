/** The Python client, installed from its folder, with a service: draws arrive once, whatever the network does. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { itWith } from '../support/needs.ts';
import { PYTHON, SAMPLERS_PYTHON } from '../support/parts.mjs';
import { type Ended, type Listening, listen } from './listening-service.ts';

const root = path.resolve(import.meta.dirname, '../..');
const folder = mkdtempSync(path.join(tmpdir(), 'ergodic-python-'));
let here: Listening;
beforeAll(async () => {
  here = await listen();
});
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await here.close();
});

/** The folder where pip installs it, for `PYTHONPATH`. */
let installed: string | null = null;
function install(): string {
  if (installed === null) {
    const build = `import sys; sys.path.insert(0, "clients/python"); import build_wheel; print(build_wheel.build_wheel(${JSON.stringify(folder)}))`;
    const wheel = execFileSync(PYTHON, ['-B', '-c', build], { cwd: root, encoding: 'utf8' }).trim();
    installed = path.join(folder, wheel);
  }
  return installed;
}

async function python(
  text: string,
  env: Record<string, string> = {},
  program = PYTHON,
): Promise<Ended> {
  const script = path.join(folder, 'program.py');
  writeFileSync(script, text);
  return here.run(program, ['-B', script], { PYTHONPATH: install(), ...env });
}

const sampler = `
import json, random, sys
import ergodic
random.seed(4)
kept = {}
with ergodic.Run(sys.argv[1] if len(sys.argv) > 1 else NAME, draws=200, seconds=0.01) as run:
    run.log("begun")
    for i in range(200):
        for chain in (1, 2):
            draw = {"mu": random.gauss(0, 1), "theta": [[random.random(), 0.5], [1, 2]], "ok": i % 2 == 0}
            run.add(draw, chain)
            kept.setdefault("chain#%d" % chain, []).append(draw["mu"])
print(json.dumps(kept))
`;

describe('a sampler in Python', () => {
  itWith('python', 'shows its draws, its log and a verdict', async () => {
    const { code, out, messages } = await python(sampler.replace('NAME', '"plain run"'));
    expect({ code, messages }).toMatchObject({ code: 0 });
    const { experiment, draws } = await here.find('plain run');
    expect(messages).toContain(`${here.origin}/experiments/${experiment.short_id}`);
    expect(experiment).toMatchObject({
      status: 'FIN',
      n_chains: 2,
      n_samples: 200,
      meta: { iteration_count: 200, verdict: { state: expect.any(String) as string } },
    });
    const kept = JSON.parse(out) as Record<string, number[]>;
    expect(draws['chain#1']?.mu).toEqual(kept['chain#1']);
    expect(draws['chain#2']?.mu).toEqual(kept['chain#2']);
    expect(Object.keys(draws['chain#1'] ?? {}).sort()).toEqual([
      'mu',
      'ok',
      'theta[1,1]',
      'theta[1,2]',
      'theta[2,1]',
      'theta[2,2]',
    ]);
  });

  itWith('python', 'loses and duplicates no draws when calls and answers get lost', async () => {
    const server = await here.losing((call) => {
      if (call < 3) return null;
      return call % 4 === 0 ? 'answer' : call % 4 === 1 ? 'question' : null;
    });
    const { code, out, messages } = await python(sampler.replace('NAME', '"lossy run"'), {
      ERGODIC_SERVER: server,
    });
    expect({ code, messages }).toMatchObject({ code: 0 });
    const { experiment, draws } = await here.find('lossy run');
    expect(experiment.status).toBe('FIN');
    const kept = JSON.parse(out) as Record<string, number[]>;
    expect(draws['chain#1']?.mu).toEqual(kept['chain#1']);
    expect(draws['chain#2']?.mu).toEqual(kept['chain#2']);
  });

  itWith('python', 'that fails reports the reason, and keeps its draws', async () => {
    const text =
      'import ergodic\nwith ergodic.Run("failing run") as run:\n    run.add({"x": 1.5})\n    run.add({"x": float("nan")})\n    raise ValueError("no more")\n';
    const { code, messages } = await python(text);
    expect(code).toBe(1);
    expect(messages).toContain('ValueError: no more');
    const { experiment, draws } = await here.find('failing run');
    expect(experiment).toMatchObject({
      status: 'ERR',
      meta: { error: { message: 'ValueError: no more' } },
    });
    expect(draws).toEqual({ 'chain#1': { x: [1.5, Number.NaN] } });
  });

  itWith('python', 'gets ergodic.Stopped when its owner stops the run', async () => {
    const text = `
import time, ergodic
from ergodic.program import _request
run = ergodic.Run("stopped run", seconds=0.01)
run.add({"x": 1})
while not run._sent: time.sleep(0.01)
_request(run.server + "/api/object/" + run.id, run._token, {"payload": {"object_type": "experiment", "action": "stop"}})
try:
    while True: run.add({"x": 2}); time.sleep(0.01)
except ergodic.Stopped:
    print("stopped", run.is_stopped)
run.finish()
`;
    expect(await python(text)).toMatchObject({ code: 0, out: 'stopped True\n' });
    const { experiment } = await here.find('stopped run');
    expect(experiment).toMatchObject({ status: 'FIN', n_samples: 1, meta: { action: 'stopped' } });
  });

  itWith('python', 'gets an error that explains its mistake', async () => {
    const odd =
      'import ergodic\nrun = ergodic.Run("odd", seconds=60)\nrun.add({"a": 1})\nrun.add({"b": 1})\n';
    expect((await python(odd)).messages).toContain("'a' is not in every draw of chain 1.");
    const none = await python('import ergodic\nergodic.Run("x")\n', { ERGODIC_TOKEN: '' });
    expect(none.messages).toContain('An API token is needed: set ERGODIC_TOKEN');
    const wrong = await python('import ergodic\nergodic.Run("x")\n', { ERGODIC_TOKEN: 'no' });
    expect(wrong.messages).toContain('RuntimeError: UNAUTHORIZED');
  });
});

/** What PyMC 5 passes to a callback: its trace, as NDArray stores it, and a Draw. */
const pymc = `
import collections, random
import ergodic
Draw = collections.namedtuple("Draw", "chain is_last draw_idx tuning stats point")
class Trace:
    def __init__(self): self.points = []
    def __len__(self): return len(self.points)
    def point(self, i): return self.points[i]
random.seed(1)
with ergodic.Run("pymc run", seconds=0.01) as run:
    callback = ergodic.watch_pymc(run)
    for chain in (0, 1):
        trace = Trace()
        for i in range(30):
            trace.points.append({"tau": 1.0 + i, "tau_log__": 0.0, "theta": [random.random(), chain]})
            stats = [{"diverging": i == 20, "energy": random.random(), "tree_depth": 3, "step_size": 0.4, "model_logp": -1.0}]
            callback(trace=trace, draw=Draw(chain, i == 29, i, i < 10, stats, {}))
`;

describe('PyMC', () => {
  itWith('python', 'shows the draws after tuning, with the sampler statistics', async () => {
    const { code, messages } = await python(pymc);
    expect({ code, messages }).toMatchObject({ code: 0 });
    const { experiment, draws } = await here.find('pymc run');
    expect(Object.keys(draws['chain#2'] ?? {}).sort()).toEqual([
      'divergent__',
      'energy__',
      'lp__',
      'stepsize__',
      'tau',
      'theta[1]',
      'theta[2]',
      'treedepth__',
    ]);
    expect(draws['chain#1']?.tau).toEqual(Array.from({ length: 20 }, (_, i) => 11 + i));
    expect(experiment).toMatchObject({
      n_chains: 2,
      n_samples: 20,
      meta: { verdict: { divergences: 2 } },
    });
  });
});

/** Prints what the sampler itself stored. */
const realPymc = `
import json, ergodic, pymc as pm
with pm.Model():
    mu = pm.Normal("mu", 0, 10)
    pm.Normal("y", mu, 2, observed=[1.2, 0.3, 2.2, 1.9])
    with ergodic.Run("real pymc", draws=150, seconds=0.1) as run:
        kept = pm.sample(150, tune=150, chains=2, cores=1, random_seed=3, progressbar=False, callback=ergodic.watch_pymc(run))
print(json.dumps(kept.posterior["mu"].values.tolist()))
`;

const realEmcee = `
import json, emcee, ergodic, numpy as np
y = np.array([1.2, 0.3, 2.2, 1.9])
def log_density(p):
    return -0.5 * np.sum((y - p[0]) ** 2) / 4 - 0.5 * p[0] ** 2 / 100 - 0.5 * p[1] ** 2
np.random.seed(5)
sampler = emcee.EnsembleSampler(6, 2, log_density)
with ergodic.Run("real emcee", draws=400, seconds=0.1) as run:
    for i, state in enumerate(sampler.sample(np.random.randn(6, 2), iterations=500)):
        if i >= 100:
            for walker, point in enumerate(state.coords, 1):
                run.add({"mu": point[0], "eta": point[1:]}, chain=walker)
print(json.dumps(sampler.get_chain(discard=100)[:, :, 0].T.tolist()))
`;

describe('a sampler as its users call it', () => {
  itWith(
    'pymc',
    'PyMC: the draws it keeps are the draws shown',
    () => keepsWhatItShows(realPymc, 'real pymc', 150, SAMPLERS_PYTHON),
    { timeout: 300_000 },
  );

  itWith('emcee', 'emcee: each walker is a chain', () =>
    keepsWhatItShows(realEmcee, 'real emcee', 400),
  );
});

async function keepsWhatItShows(
  program: string,
  name: string,
  count: number,
  interpreter?: string,
): Promise<void> {
  const { code, out, messages } = await python(program, {}, interpreter);
  expect({ code, messages }).toMatchObject({ code: 0 });
  const { experiment, draws } = await here.find(name);
  const kept = JSON.parse(out) as number[][];
  expect(experiment).toMatchObject({ status: 'FIN', n_chains: kept.length, n_samples: count });
  kept.forEach((values, c) => {
    expect(draws[`chain#${c + 1}`]?.mu).toEqual(values);
  });
}

describe('pip install ./clients/python', () => {
  itWith('pip', 'needs no network', async () => {
    const target = path.join(folder, 'site');
    const args = ['-m', 'pip', 'install', '-q', '--no-index', '--no-cache-dir', '--target', target];
    const ended = await here.run(PYTHON, [...args, path.join(root, 'clients/python')]);
    expect(ended).toMatchObject({ code: 0 });
    expect(
      readdirSync(path.join(target, 'ergodic'))
        .filter((name) => name.endsWith('.py'))
        .sort(),
    ).toEqual(['__init__.py', 'program.py', 'runs.py']);
  });
});
