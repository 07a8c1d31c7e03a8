import { describe, expect, it } from 'vitest';
import { binaryPart } from '../../../src/math/library/families/binary.ts';
import { decompositionsPart } from '../../../src/math/library/families/decompositions.ts';
import { diagonalsPart } from '../../../src/math/library/families/diagonals.ts';
import { elementwisePart } from '../../../src/math/library/families/elementwise.ts';
import { covariancePart } from '../../../src/math/library/families/gp-covariance.ts';
import { linearAlgebraPart } from '../../../src/math/library/families/linear-algebra.ts';
import { reductionsPart } from '../../../src/math/library/families/reductions.ts';
import { specialFunctionsPart } from '../../../src/math/library/families/special-functions.ts';
import { vectorFunctionsPart } from '../../../src/math/library/families/vector-functions.ts';
import type { LibraryFunction } from '../../../src/math/library/machinery/implementation.ts';
import { createRng } from '../../../src/math/random/xoshiro.ts';
import type { Domain } from '../support/domains.ts';
import {
  combineData,
  drawArgument,
  evaluate,
  exactCall,
  gradientError,
  lengthOfArrays,
  numbersOf,
  splitKinds,
  thetaOf,
} from '../support/gradient.ts';
import {
  containers,
  covarianceDomains,
  covariances,
  elementwise,
  matrices,
} from './exact-cases.ts';

const seed = 77;
const cases: Readonly<Record<string, readonly Domain[]>> = {
  ...elementwise,
  ...containers,
  ...matrices,
};
const everything: Readonly<Record<string, LibraryFunction>> = {
  ...elementwisePart,
  ...binaryPart,
  ...specialFunctionsPart,
  ...reductionsPart,
  ...vectorFunctionsPart,
  ...linearAlgebraPart,
  ...decompositionsPart,
  ...diagonalsPart,
  ...covariancePart,
};

const names = [...new Set(Object.keys(everything).map((key) => key.split('__')[0]))];

function keysOf(name: string): string[] {
  return Object.keys(everything).filter((key) => key.split('__')[0] === name);
}

/** Functions whose result is a list of positions: nothing to differentiate. */
const resultIsInt = /^(sort_indices|rank|int_step|is_)/;

function drawAll(key: string, salt: number) {
  const [name, kindText] = key.split('__');
  const kinds = splitKinds(kindText);
  const domains = cases[name] ?? covarianceDomains(name, kinds);
  const rng = createRng(seed, salt, key);
  const length = lengthOfArrays(kinds);
  return kinds.map((kind, k) =>
    drawArgument(rng, kind, domains[Math.min(k, domains.length - 1)], length),
  );
}

describe.each(names)('%s', (name) => {
  it('has a test case', () => {
    expect(name in cases || covariances.includes(name)).toBe(true);
  });

  it('has the gradient of its value in every active form', () => {
    for (const key of keysOf(name)) {
      if (!/[vVW]/.test(key.split('__')[1])) continue;
      if (resultIsInt.test(name)) continue;
      const error = gradientError(exactCall(everything[key]), drawAll(key, 1));
      expect(error, `${key}, seed ${seed}`).toBeLessThan(2e-7);
    }
  });

  it('has the same value in data form and in active form', () => {
    for (const key of keysOf(name)) {
      const kinds = key.split('__')[1];
      if (!/[vVW]/.test(kinds)) continue;
      const dataKey = `${name}__${kinds.replaceAll('v', 'r').replaceAll('V', 'R').replaceAll('W', 'M')}`;
      const data = everything[dataKey];
      expect(data, `${key} needs ${dataKey}`).toBeDefined();
      if (resultIsInt.test(name)) continue;
      const args = drawAll(key, 2);
      const active = evaluate(exactCall(everything[key]), args, thetaOf(args), null);
      const plain = args.map((a) => ({
        ...a,
        kind: a.kind.replace('v', 'r').replace('V', 'R').replace('W', 'M'),
      }));
      const value = combineData(exactValue(data, plain));
      expect(Math.abs(active - value), key).toBeLessThan(1e-12 * (1 + Math.abs(value)));
    }
  });

  it('returns finite numbers in every data form', () => {
    for (const key of keysOf(name)) {
      if (/[vVW]/.test(key.split('__')[1])) continue;
      const value = numbersOf(exactValue(everything[key], drawAll(key, 3)));
      expect(value.every(Number.isFinite), `${key} gave ${value.join(' ')}`).toBe(true);
    }
  });
});

function exactValue(fn: LibraryFunction, args: ReturnType<typeof drawAll>): unknown {
  let out: unknown;
  evaluate(
    (_, built) => {
      out = fn(...built);
      return [];
    },
    args,
    new Float64Array(0),
    null,
  );
  return out;
}
