/** Runs of JAGS models and of R programs, from a workflow to draws and statistics, with a service that really listens. */
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { describeWith, itWith } from '../../support/needs.ts';
import { createProgramService, type ProgramService } from '../../support/program-service.ts';
import { drawsOf, valuesOnly } from '../../support/runner-service.ts';

let here: ProgramService;
beforeAll(async () => {
  here = await createProgramService();
});
afterEach(() => here.stopWorkers());
afterAll(() => here.service.close());

const normal = `model {
  for (i in 1:N) {
    y[i] ~ dnorm(mu, 1 / 4)
  }
  mu ~ dnorm(0, 1 / 100)
  for (r in 1:2) {
    for (c in 1:3) {
      twice[r, c] <- 2 * X[r, c]
    }
  }
}
`;
/** One value is missing, and one column is text. */
const data = {
  N: 5,
  y: [1.2, 0.3, null, 2.2, 1.9],
  X: [
    [11, 12, 13],
    [21, 22, 23],
  ],
  site: ['a', 'b', 'c', 'd', 'e'],
};
/** Normal prior and likelihood: precision 1/100 + 4/4. */
const precision = 1 / 100 + 4 / 4;
const exact = { mean: (1.2 + 0.3 + 2.2 + 1.9) / 4 / precision, sd: 1 / Math.sqrt(precision) };

const valuesOf = async (id: string) => valuesOnly(await drawsOf(here.service, here.person, id));

describeWith('jags', 'a JAGS model', () => {
  const start = (model: string, sampling: string, values: unknown = data) =>
    here.start(model, {
      entrance: 'model.jags',
      data: JSON.stringify(values),
      settings: `sampling: ${sampling}`,
    });

  itWith(
    'bubblewrap',
    'is sampled with correct draws, which the same seed reproduces',
    async () => {
      await here.work();
      const sampling =
        '{seed: 5, num_chains: 2, num_adapt: 100, num_warmup: 100, num_samples: 4000, thin: 2}';
      const [one, two] = [await start(normal, sampling), await start(normal, sampling)];
      const done = await here.finished(one);
      expect(done).toMatchObject({ n_chains: 2, n_samples: 2000, meta: { iteration_count: 2000 } });
      expect(done.meta?.settings).toEqual({
        seed: 5,
        num_chains: 2,
        num_adapt: 100,
        num_warmup: 100,
        num_samples: 4000,
        thin: 2,
        sampler: 'jags',
        inits: null,
        parallel_chains: null,
        time_limit: null,
        timeout: null,
      });
      // neither divergences nor energies: JAGS reports none
      expect(done.meta?.verdict).toMatchObject({ state: 'good', divergences: null });
      const { variables } = await here.summary(one);
      const mu = variables.find(({ variable }) => variable === 'mu');
      expect(Math.abs((mu?.mean ?? 0) - exact.mean)).toBeLessThan(4 * (mu?.mcse_mean ?? 0));
      expect(Math.abs((mu?.sd ?? 0) - exact.sd)).toBeLessThan(0.03);
      // missing values are drawn, given ones are not; a matrix keeps its rows and columns
      expect(
        variables.map(({ variable }) => variable).filter((name) => name.startsWith('y')),
      ).toEqual(['y[3]']);
      const draws = await valuesOf(one);
      expect(draws['chain#1']?.['twice[2,1]']?.[0]).toBe(42);
      expect(draws['chain#1']?.mu?.slice(0, 3)).not.toEqual(draws['chain#2']?.mu?.slice(0, 3));
      expect(await here.stdlog(one)).toContain(
        'Left out of the data, since JAGS reads numbers and full arrays only: site.',
      );
      await here.finished(two);
      expect(await valuesOf(two)).toEqual(draws);
    },
    { timeout: 60_000 },
  );

  itWith(
    'bubblewrap',
    'that is invalid fails with the message of JAGS and its line',
    async () => {
      await here.work();
      const sampling = '{num_chains: 2, monitor: mu}';
      const unknown = await start(normal.replace('dnorm(0', 'dnrm(0'), sampling);
      const parsed = await start(normal.replace('mu ~', 'mu ~ ~'), sampling);
      const monitor = await start(normal, '{num_chains: 1, monitor: tau}');
      expect((await here.failed(unknown)).meta?.error).toEqual({
        code: 'PROGRAM_FAILED',
        message: 'JAGS: Compilation error on line 5. Unknown distribution: dnrm',
      });
      expect((await here.failed(parsed)).meta?.error?.message).toBe(
        'JAGS: syntax error on line 5 near "~"',
      );
      expect((await here.failed(monitor)).meta?.error?.message).toBe(
        'JAGS: The model has no variable tau (monitor).',
      );
    },
    { timeout: 60_000 },
  );

  itWith(
    'bubblewrap',
    'stops on request and keeps the draws it has sent',
    async () => {
      await here.work();
      const id = await start(
        normal,
        '{num_chains: 2, num_adapt: 10, num_warmup: 10, num_samples: 100000000, monitor: mu}',
      );
      await here.until(id, ({ n_samples }) => n_samples > 0);
      // the chains send at different times
      await expect.poll(async () => (await valuesOf(id))['chain#1']?.mu?.length).toBeGreaterThan(0);
      await here.person.client.updateObject({
        params: { objid: id },
        body: { payload: { object_type: 'experiment', action: 'stop' } },
      });
      const done = await here.finished(id);
      expect(done.meta).toMatchObject({ action: 'stopped' });
      expect(done.n_samples).toBeGreaterThan(0);
      expect(Object.keys((await valuesOf(id))['chain#1'] ?? {})).toEqual(['mu']);
    },
    { timeout: 60_000 },
  );

  itWith(
    'bubblewrap',
    'stops at its time limit without an error, and says why',
    async () => {
      await here.work();
      const id = await start(
        normal,
        '{num_chains: 2, num_adapt: 10, num_warmup: 10, num_samples: 100000000, monitor: mu, time_limit: 2}',
      );
      const done = await here.finished(id);
      expect(done.meta).toMatchObject({
        action: 'stopped',
        time_limit_reached: true,
        settings: { time_limit: 2 },
      });
      expect(done.meta?.error).toBeUndefined();
      const log = await here.service.inject(
        { url: `/api/log/${id}?stream=platform` },
        here.person.token,
      );
      expect(log.body).toContain('The time limit of 2 seconds (time_limit) has been reached');
    },
    { timeout: 60_000 },
  );

  it('has a log that names the settings that JAGS does not use', async () => {
    const logOf = async (sampling: string) => {
      const id = await start(normal, sampling);
      const url = `/api/log/${id}?stream=platform`;
      return (await here.service.inject({ url }, here.person.token)).body;
    };
    const given =
      '{iteration_count: 10, num_adapt: 5, time_limit: 9, priority: 1, adapt_delta: 0.9, metric: null, tree: 3}';
    expect(await logOf(given)).toContain(
      'Settings under sampling that are unknown, or not used by JAGS: adapt_delta, tree.',
    );
    expect(await logOf('{num_samples: 10, monitor: mu}')).not.toContain('not used by');
  });

  it('is refused with settings that JAGS cannot read', async () => {
    await expect(start(normal, '{num_samples: 5, thin: 10}')).rejects.toThrow(
      'sampling.num_samples must be at least thin, or no draw is kept (5 < 10).',
    );
    await expect(start(normal, '{num_adapt: -1}')).rejects.toThrow(
      'sampling.num_adapt must be a whole number from 0 to 100000000.',
    );
    await expect(start(normal, '{monitor: "mu + 1"}')).rejects.toThrow('sampling.monitor must be');
  });
});

it('a JAGS model is ERR if JAGS is not installed, with a message about what to install', async () => {
  const runtimes = async () => {
    const report = await here.found();
    const message =
      'JAGS is not installed where the worker runs (Debian: apt install r-cran-rjags jags).';
    return { ...report, missing: { ...report.missing, jags: message } };
  };
  await here.work({ runtimes });
  const id = await here.start('model { mu ~ dnorm(0, 1) }', { entrance: 'model.bug' });
  const { meta } = await here.failed(id);
  expect(meta?.error).toMatchObject({ code: 'RUNTIME_MISSING' });
  expect(meta?.error?.message).toContain('apt install r-cran-rjags jags');
});

describeWith('jags', 'a program in R', () => {
  itWith(
    'bubblewrap',
    'samples with rjags, and shows the draws of each block as it arrives',
    async () => {
      await here.work();
      const program = `
source(Sys.getenv("ERGODIC_R"))
suppressPackageStartupMessages(library(rjags))
settings <- ergodic_settings()
data <- ergodic_data()
run <- ergodic_run()
code <- "model { for (i in 1:3) { y[i] ~ dnorm(mu[1], 1) } mu[1] ~ dnorm(0, 0.01); mu[2] ~ dnorm(0, 1) }"
for (chain in seq_len(settings$num_chains)) {
  inits <- list(.RNG.name = "base::Mersenne-Twister", .RNG.seed = settings$seed + chain)
  model <- jags.model(textConnection(code), data["y"], inits, quiet = TRUE)
  for (block in 1:5) {
    draws <- coda.samples(model, "mu", 10, progress.bar = "none")
    ergodic_send(run, as.matrix(draws[[1]]), chain)
  }
}
ergodic_finish(run)
cat("done with", length(data$y), "numbers\\n")
`;
      const id = await here.start(program, {
        entrance: 'main.R',
        data: JSON.stringify({ y: [1, 2, 3] }),
      });
      const done = await here.finished(id);
      expect(done).toMatchObject({ n_chains: 2, n_samples: 50, meta: { runtime: 'r' } });
      const draws = await valuesOf(id);
      const mu = draws['chain#2']?.['mu[1]'] ?? [];
      expect(mu).toHaveLength(50);
      expect(mu.reduce((sum, value) => sum + value / 50, 0)).toBeCloseTo(2, 0);
      expect(await here.stdlog(id)).toContain('done with 3 numbers');
    },
    { timeout: 60_000 },
  );
});
