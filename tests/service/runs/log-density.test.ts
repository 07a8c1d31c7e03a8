/** The log density of a run's program at a point, through the API: numbers, refusals, and malicious programs. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { insertExperimentOf } from '../../support/frozen-run.ts';
import { createTestService, type Person, type TestService } from '../../support/service.ts';

const source = `data { real y; }
parameters { real mu; real<lower=0> sigma; simplex[3] w; }
model { mu ~ normal(0, 2); y ~ normal(mu, sigma); }
`;

let service: TestService;
let ada: Person;

beforeAll(async () => {
  service = await createTestService();
  ada = await service.addPerson('ada');
});
afterAll(() => service.close());

const runOf = (program = source, data: object = { y: 1 }) =>
  insertExperimentOf(service.database.pool, ada.row.id, {
    source: program,
    data: JSON.stringify(data),
  });
const densityOf = (
  objid: string,
  body: { point?: Record<string, unknown>; unconstrained?: number[] },
  person = ada,
) => person.client.computeLogDensity({ params: { objid }, body });

describe('the log density at a point', { timeout: 60_000 }, () => {
  it('is returned with and without the Jacobian, with the names of the free values', async () => {
    const objid = await runOf();
    const point = { mu: 0.5, sigma: 2, w: [1 / 3, 1 / 3, 1 / 3] };
    const found = await densityOf(objid, { point });
    expect(found.names).toEqual(['mu', 'sigma', 'w.1', 'w.2']);
    expect(found.unconstrained[1]).toBeCloseTo(Math.log(2), 12);
    // constants are dropped; sigma's is not constant
    const lp = -0.5 * (0.5 / 2) ** 2 - Math.log(2) - 0.5 * (0.5 / 2) ** 2;
    expect(found.without_jacobian.lp).toBeCloseTo(lp, 10);
    const { gradient } = found.without_jacobian;
    expect(gradient[0]).toBeCloseTo(-0.5 / 4 + 0.5 / 4, 10);
    // w.r.t. log sigma: sigma times the derivative w.r.t. sigma
    expect(gradient[1]).toBeCloseTo(-1 + (0.5 / 2) ** 2, 10);
    expect(found.with_jacobian.gradient[1]).toBeCloseTo((0.5 / 2) ** 2, 10);
    const again = await densityOf(objid, { unconstrained: found.unconstrained });
    expect(again.with_jacobian.lp).toBeCloseTo(found.with_jacobian.lp ?? NaN, 12);
  });

  it('is refused for an invalid point, with the reason', async () => {
    const objid = await runOf();
    const refused = (body: Parameters<typeof densityOf>[1], message: string) =>
      expect(densityOf(objid, body)).rejects.toMatchObject({
        code: 'INVALID_PARAMETER',
        message: expect.stringContaining(message) as string,
      });
    await refused({ point: { mu: 1 } }, 'The point lacks sigma, w.');
    await refused({ point: { mu: 1, sigma: -1, w: [1, 0, 0] } }, 'The point cannot be used');
    await refused({ unconstrained: [1, 2] }, 'The program has 4 free values, but the point has 2.');
    await refused({}, 'Send either point');
    await refused({ point: {}, unconstrained: [] }, 'Send either point');
    const nowhere = await runOf('parameters { real x; } model { target += log(x); }');
    await expect(densityOf(nowhere, { unconstrained: [-1] })).rejects.toMatchObject({
      code: 'INVALID_PARAMETER',
    });
  });

  it('is not available to other users, even if the run is shared with them', async () => {
    const objid = await runOf();
    const bob = await service.addPerson('bob');
    await ada.client.createObject({
      body: { payload: { object_type: 'share', objid, target_user: bob.username, password: '' } },
    });
    await expect(densityOf(objid, { unconstrained: [0, 0, 0, 0] }, bob)).rejects.toMatchObject({
      code: 'PERMISSION_DENIED',
    });
  });

  it('of a program that never ends is stopped, and blocks no other request', async () => {
    const endless = await runOf(
      'parameters { real x; } model { real s = 0; while (s < 1) { s += 1e-300 * x; } target += s; }',
    );
    const hungry = await runOf(
      'parameters { real x; } model { array[20000, 20000] real a; target += a[1, 1] * x; }',
    );
    const began = densityOf(endless, { unconstrained: [1] }).catch((error: unknown) => error);
    // the service answers meanwhile
    await ada.client.viewConfig({});
    await expect(densityOf(hungry, { unconstrained: [1] })).rejects.toMatchObject({
      code: 'INVALID_PARAMETER',
    });
    expect(await began).toMatchObject({
      code: 'INVALID_PARAMETER',
      message: expect.stringMatching(/loop steps|took longer|longer than/) as string,
    });
  });

  it('is limited to a few requests at once, and available again later', async () => {
    const objid = await runOf();
    const body = { unconstrained: [0, 0, 0, 0] };
    const answers = await Promise.allSettled(
      Array.from({ length: 5 }, () => densityOf(objid, body)),
    );
    const codes = answers.map((one) =>
      one.status === 'fulfilled' ? 'ok' : (one.reason as { code: string }).code,
    );
    expect(codes.filter((code) => code === 'ok').length).toBeGreaterThanOrEqual(2);
    expect(new Set(codes).size).toBeLessThanOrEqual(2);
    expect(codes.every((code) => code === 'ok' || code === 'RATE_LIMITED')).toBe(true);
    expect((await densityOf(objid, body)).names).toHaveLength(4);
  });
});
