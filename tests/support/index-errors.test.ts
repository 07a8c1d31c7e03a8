import { expect, it } from 'vitest';
import { indexErrors, isBroken } from './index-errors.mjs';

const output = `src/math/linalg/products.ts(4,2): error TS2532: Object is possibly 'undefined'.
src/service/http/call.ts(3,7): error TS2322: Type 'string | undefined' is not assignable to type 'string'.
  Type 'undefined' is not assignable to type 'string'.
src/dashboard/ui/a.tsx(1,2): error TS18048: 'row' is possibly 'undefined'.
src/engine/chain.ts(4,2): error TS2532: Object is possibly 'undefined'.
  src/service/ is only named here.
`;

it('extracts the complete errors of the service and the dashboard', () => {
  expect(indexErrors(output)).toEqual([
    `src/service/http/call.ts(3,7): error TS2322: Type 'string | undefined' is not assignable to type 'string'.
  Type 'undefined' is not assignable to type 'string'.`,
    "src/dashboard/ui/a.tsx(1,2): error TS18048: 'row' is possibly 'undefined'.",
  ]);
  expect(isBroken(output, 2)).toBe(false);
});

it('distinguishes a compiler that did not run from one that found no errors', () => {
  expect(isBroken("error TS5023: Unknown compiler option '--x'.", 1)).toBe(true);
  expect(isBroken('', null)).toBe(true);
  expect(isBroken('', 0)).toBe(false);
});
