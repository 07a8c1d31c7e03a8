import { describe, expect, it } from 'vitest';
import { findStart } from '../../src/engine/inits.ts';
import type { Model } from '../../src/engine/model.ts';
import { DomainError, ShapeError } from '../../src/math/errors.ts';
import {
  analyticModel,
  generatedOnlyModel,
  halfNormalModel,
  normalModel,
  standardNormalModel,
} from '../support/analytic-models.ts';
import { scriptedRng, seededRng } from '../support/seeded-rng.ts';

const request = (model: Model, extra: object = {}) =>
  findStart({ model, rng: seededRng(2), radius: 2, inits: null, ...extra });

describe('findStart', () => {
  it('starts uniformly within the radius', () => {
    const numParameters = 2000;
    const model = standardNormalModel(numParameters);
    const found = request(model, { radius: 3 });
    if (!found.ok) throw new Error(found.message);
    const q = [...found.start.q];
    expect(Math.max(...q.map(Math.abs))).toBeLessThan(3);
    const variance = q.reduce((sum, x) => sum + x * x, 0) / numParameters;
    expect(variance).toBeCloseTo(3, 0);
    expect(found.start.gradient[0]).toBe(-q[0]);
  });

  it('uses one random number for each value, from −radius to radius', () => {
    const found = request(normalModel([0, 0], [1, 1]), { rng: scriptedRng([0.75, 0]) });
    if (!found.ok) throw new Error(found.message);
    expect([...found.start.q]).toEqual([1, -2]);
  });

  it('starts at once when there are no parameters', () => {
    expect(request(generatedOnlyModel())).toMatchObject({ ok: true, tries: 1 });
  });

  it('reads inits on the constrained scale and draws missing values at random', () => {
    const found = request(halfNormalModel(1), { inits: { sigma: 5 } });
    expect(found).toMatchObject({ ok: true, tries: 1 });
    if (found.ok) expect(found.start.q[0]).toBeCloseTo(Math.log(5), 14);
    const partly = request(normalModel([0, 0], [1, 1]), { inits: { x2: 1.5 } });
    if (!partly.ok) throw new Error(partly.message);
    expect(partly.start.q[1]).toBe(1.5);
    expect(partly.start.q[0]).not.toBe(0);
  });

  it('tries again until the density is finite', () => {
    let calls = 0;
    const picky = analyticModel({
      names: ['x'],
      density([x], gradient) {
        gradient[0] = -x;
        return ++calls < 40 ? Number.NEGATIVE_INFINITY : -x * x;
      },
    });
    expect(request(picky)).toMatchObject({ ok: true, tries: 40 });
  });

  it('gives up after 100 tries and explains what was wrong', () => {
    let calls = 0;
    const hopeless = analyticModel({
      names: ['x'],
      density(_theta, gradient) {
        gradient[0] = Number.NaN;
        if (calls++ < 60) throw new DomainError('scale parameter is -1, but must be positive');
        return 0;
      },
    });
    const found = request(hopeless);
    expect(found.ok).toBe(false);
    if (found.ok) return;
    expect(calls).toBe(100);
    expect(found.message).toBe(
      'No starting point found in 100 tries between −2 and 2 on the unconstrained scale: the log density was not finite 60 times, its gradient was not finite 40 times. The last reason given: scale parameter is -1, but must be positive. Check that declared constraints match what the model needs, or give inits or a smaller init_radius.',
    );
  });

  it('rejects a point whose gradient is not finite', () => {
    let calls = 0;
    const steep = analyticModel({
      names: ['x', 'y'],
      density(_theta, gradient) {
        gradient.fill(1);
        if (calls++ < 3) gradient[1] = Number.POSITIVE_INFINITY;
        return 0;
      },
    });
    expect(request(steep)).toMatchObject({ ok: true, tries: 4 });
  });

  it('tries only once when every try would be the same', () => {
    const nowhere = analyticModel({ names: ['x'], density: () => Number.NEGATIVE_INFINITY });
    const advice =
      'Check that declared constraints match what the model needs, or give inits or a smaller init_radius.';
    expect(request(nowhere, { radius: 0 })).toEqual({
      ok: false,
      message: `No starting point found in 1 try between −0 and 0 on the unconstrained scale: the log density was not finite once. ${advice}`,
    });
    expect(request(nowhere, { inits: { x: 1 } })).toEqual({
      ok: false,
      message: `No starting point found in 1 try from the inits given (the rest between −2 and 2 on the unconstrained scale): the log density was not finite once. ${advice}`,
    });
    const vertical = analyticModel({
      names: ['x'],
      density(_theta, gradient) {
        gradient[0] = Number.NaN;
        return 0;
      },
    });
    expect(request(vertical, { radius: 0 })).toMatchObject({
      message: expect.stringContaining('scale: its gradient was not finite once. Check'),
    });
  });

  it('keeps trying while a single value is random', () => {
    const nowhere = analyticModel({ names: ['x', 'y'], density: () => Number.NEGATIVE_INFINITY });
    expect(request(nowhere, { inits: { x: 1 } })).toMatchObject({
      message: expect.stringContaining('in 100 tries from the inits given'),
    });
  });

  it('refuses inits that break a constraint, naming the variable', () => {
    expect(request(halfNormalModel(1), { inits: { sigma: -1 } })).toEqual({
      ok: false,
      message: 'The inits cannot be used: sigma must be positive, but is -1',
    });
    const misshapen = analyticModel({
      names: ['x'],
      density: () => 0,
      unconstrain() {
        throw new ShapeError('`x` is missing');
      },
    });
    expect(request(misshapen, { inits: {} })).toEqual({
      ok: false,
      message: 'The inits cannot be used: `x` is missing',
    });
    for (const x of [Number.POSITIVE_INFINITY, Number.NaN])
      expect(request(normalModel([0, 0], [1, 1]), { inits: { x2: x } })).toEqual({
        ok: false,
        message:
          'The inits cannot be used: a value lies on the boundary of its constraint or is not finite.',
      });
  });

  it('rethrows other errors of the program', () => {
    const broken = analyticModel({
      names: ['x'],
      density: () => 0,
      unconstrain() {
        throw new Error('a bug');
      },
    });
    expect(() => request(broken, { inits: {} })).toThrow('a bug');
  });
});
