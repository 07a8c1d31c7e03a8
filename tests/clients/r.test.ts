/** The R client with a service: draws arrive exactly once, whatever the network does. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { itWith } from '../support/needs.ts';
import { type Ended, type Listening, listen } from './listening-service.ts';

const client = path.resolve(import.meta.dirname, '../../clients/r/ergodic.R');
const folder = mkdtempSync(path.join(tmpdir(), 'ergodic-r-'));
let here: Listening;
beforeAll(async () => {
  here = await listen();
});
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await here.close();
});

function rscript(text: string, env: Record<string, string> = {}): Promise<Ended> {
  const script = path.join(folder, 'program.R');
  writeFileSync(script, `source(${JSON.stringify(client)})\n${text}`);
  return here.run('Rscript', ['--vanilla', script], env);
}

/** Writes its draws with all digits, for comparison. */
const sampler = `
set.seed(7)
run <- ergodic_run(NAME, draws = 60, seconds = 0.1)
kept <- list()
for (i in 1:60) for (chain in 1:2) {
  draw <- list(mu = rnorm(1), theta = matrix(c(1, 2, 3, i), 2))
  ergodic_add(run, draw, chain)
  kept[[paste0("chain#", chain)]] <- c(kept[[paste0("chain#", chain)]], draw$mu)
}
ergodic_finish(run)
ergodic_finish(run)
for (chain in kept) cat(sprintf("%.17g", chain), "\\n")
`;

const numbersOf = (out: string) =>
  out
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number));

describe('a sampler in R', () => {
  itWith('r', 'shows its draws and a verdict, without changing its random numbers', async () => {
    const { code, out, messages } = await rscript(sampler.replace('NAME', '"a \\"plain\\" rün"'));
    expect({ code, messages }).toMatchObject({ code: 0 });
    const { experiment, draws } = await here.find('rün');
    expect(messages).toContain(`${here.origin}/experiments/${experiment.short_id}`);
    expect(experiment).toMatchObject({
      name: 'a "plain" rün',
      status: 'FIN',
      n_chains: 2,
      n_samples: 60,
      meta: { iteration_count: 60, verdict: { state: expect.any(String) as string } },
    });
    const [one, two] = numbersOf(out);
    expect(draws['chain#1']?.mu).toEqual(one);
    expect(draws['chain#2']?.mu).toEqual(two);
    expect(Object.keys(draws['chain#1'] ?? {}).sort()).toEqual([
      'mu',
      'theta[1,1]',
      'theta[1,2]',
      'theta[2,1]',
      'theta[2,2]',
    ]);
    expect(draws['chain#1']?.['theta[2,1]']?.[0]).toBe(2);
    const { out: alone } = await here.run('Rscript', [
      '--vanilla',
      '-e',
      'set.seed(7); cat(sprintf("%.17g", rnorm(1)))',
    ]);
    expect(one?.[0]).toBe(Number(alone));
  });

  itWith('r', 'loses and duplicates no draws when calls and answers get lost', async () => {
    const server = await here.losing((call) => {
      if (call < 3) return null;
      return call % 4 === 0 ? 'answer' : call % 4 === 1 ? 'question' : null;
    });
    const { code, out, messages } = await rscript(sampler.replace('NAME', '"lossy"'), {
      ERGODIC_SERVER: server,
    });
    expect({ code, messages }).toMatchObject({ code: 0 });
    expect(messages).toContain('draws are kept');
    const { experiment, draws } = await here.find('lossy');
    expect(experiment.status).toBe('FIN');
    const [one, two] = numbersOf(out);
    expect(draws['chain#1']?.mu).toEqual(one);
    expect(draws['chain#2']?.mu).toEqual(two);
  });

  itWith('r', 'sends a whole table in one call, and fails with the reason it gives', async () => {
    const text =
      'run <- ergodic_run("table"); ergodic_send(run, cbind(a = c(1, NaN, Inf), "b[1]" = 1:3)); ergodic_fail(run, "no more")\n';
    expect(await rscript(text)).toMatchObject({ code: 0 });
    const { experiment, draws } = await here.find('table');
    expect(experiment).toMatchObject({ status: 'ERR', meta: { error: { message: 'no more' } } });
    expect(draws).toEqual({
      'chain#1': { a: [1, Number.NaN, Number.POSITIVE_INFINITY], 'b[1]': [1, 2, 3] },
    });
  });

  itWith('r', 'gets an error that explains its mistake', async () => {
    const none = await rscript('ergodic_run("x")\n', { ERGODIC_TOKEN: '' });
    expect(none.messages).toContain('An API token is needed: set ERGODIC_TOKEN');
    const wrong = await rscript('ergodic_run("x")\n', { ERGODIC_TOKEN: 'no' });
    expect(wrong.messages).toMatch(/Ergodic: \w.*\./);
    expect(wrong.code).toBe(1);
    const odd = await rscript(
      'run <- ergodic_run("odd", seconds = 60); ergodic_add(run, list(a = 1)); ergodic_add(run, list(b = 1))\n',
    );
    expect(odd.messages).toContain('The variables of chain#1 are not those of its earlier draws.');
  });
});
