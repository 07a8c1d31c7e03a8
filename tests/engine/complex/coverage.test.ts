/** Every signature of complex numbers compiles, for data and for parameters. */
import { describe, expect, it } from 'vitest';
import { librarySignatures } from '../../../src/language/types/signatures/signature-table.ts';
import { isComplex, type StanType } from '../../../src/language/types/stan-type.ts';
import { modelOf } from '../../support/stan-program.ts';

const sizesOf = (base: string) =>
  base.endsWith('matrix') ? '[2, 2]' : base.endsWith('vector') ? '[2]' : '';

function declared({ base, arrayDepth }: StanType, name: string): string {
  const array =
    arrayDepth === 0 ? '' : `array[${Array.from({ length: arrayDepth }, () => '2').join(', ')}] `;
  return `${array}${base}${sizesOf(base)} ${name};`;
}

const nameOf = ({ base, arrayDepth }: StanType) => `${base}_${arrayDepth}`;

const signatures = [...librarySignatures(1)].filter(
  ({ arguments: types, result }) =>
    [...types, result, ...(result.members ?? [])].some(isComplex) &&
    types.every(({ base, members, arrayDepth }) => base !== 'void' && !members && arrayDepth < 4),
);

describe('signatures of complex numbers', () => {
  it('compile', () => {
    expect(signatures.length).toBeGreaterThan(300);
    const types = new Map(
      signatures.flatMap(({ arguments: all }) => all.map((type) => [nameOf(type), type])),
    );
    const [ints, others] = [true, false].map((isInt) =>
      [...types.values()].filter(({ base }) => (base === 'int') === isInt),
    );
    const calls = signatures.map(
      ({ name, arguments: all }) => `print(${name}(${all.map(nameOf).join(', ')}));`,
    );
    const declarations = (list: readonly StanType[]) =>
      list.map((type) => declared(type, nameOf(type))).join('\n');
    // operators are functions too
    const program = (block: string) => `data { ${declarations(ints)} }
      ${block} { ${declarations(others)} }
      model { if (0) { ${calls.join('\n')} } }`;
    const zeros = (depth: number): unknown =>
      depth === 0 ? 1 : [zeros(depth - 1), zeros(depth - 1)];
    const data = Object.fromEntries(ints.map((type) => [nameOf(type), zeros(type.arrayDepth)]));
    expect(() => modelOf(program('parameters'), data)).not.toThrow();
    expect(() => modelOf(program('transformed data'), data)).not.toThrow();
  });
});
