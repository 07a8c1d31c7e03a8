/** Functions of the server: registered, found by their names, and shown as models that nobody owns. */
import { afterEach, describe, expect, it } from 'vitest';
import type { FunctionParameter } from '../../../src/contract/model.ts';
import {
  builtinToWire,
  findBuiltin,
  listBuiltins,
  registerBuiltin,
} from '../../../src/service/policy/builtin-functions.ts';

const removals: (() => void)[] = [];
afterEach(() => {
  for (const remove of removals.splice(0)) remove();
});
const add = (id: string, name: string) => {
  const builtin = { id, name, description: 'Adds.', readme: '# Sum', handler: async () => 3 };
  removals.push(registerBuiltin(builtin));
  return builtin;
};
const found = (search?: string) => listBuiltins(search).map(({ id }) => id);

describe('built-in functions', () => {
  it('are found until they are removed', () => {
    const builtin = add('M0000001', 'Sum of two');
    expect(findBuiltin('M0000001')).toBe(builtin);
    removals.pop()?.();
    expect(findBuiltin('M0000001')).toBeNull();
    expect(found()).toEqual([]);
  });

  it.each(['X0000001', 'M01', 'sum'])('must have the id of a model, not %s', (id) => {
    expect(() => add(id, 'Sum')).toThrow('the id of a built-in function is the id of a model');
  });

  it('are found by all words in their name, in any case, or by the beginning of their id', () => {
    add('M0000001', 'Sum of two');
    add('M0000002', 'Sum of many');
    add('M1000003', 'Plot');
    expect(found()).toEqual(['M0000001', 'M0000002', 'M1000003']);
    expect(found('SUM')).toEqual(['M0000001', 'M0000002']);
    expect(found('  many   sum ')).toEqual(['M0000002']);
    expect(found('sum plot')).toEqual([]);
    expect(found('M00')).toEqual(['M0000001', 'M0000002']);
    expect(found('0003')).toEqual([]);
  });

  it('are models of one file without an owner', () => {
    expect(builtinToWire(add('M0000001', 'Sum'))).toEqual({
      object_type: 'model',
      id: 0,
      short_id: 'M0000001',
      name: 'Sum',
      meta: {},
      tags: ['builtin', 'code'],
      content: {
        meta: { entrance_file: 'README.md' },
        tree: [
          { name: 'README.md', type: 'file', content: '# Sum', children: [], encoding: 'text' },
        ],
      },
      env: '',
      lang: '',
      single_instance: false,
      description: 'Adds.',
      version: 1,
      created_at: '2025-01-01T00:00:00.000Z',
      updated_at: '2025-01-01T00:00:00.000Z',
      owner: '',
    });
  });

  it('list the parameters of their form, if they have one', () => {
    const builtin = add('M0000001', 'Sum');
    expect(builtinToWire(builtin)).not.toHaveProperty('parameters');
    const parameters = [{ name: 'a' }, { name: 'b' }] as unknown as FunctionParameter[];
    expect(builtinToWire({ ...builtin, parameters }).parameters).toEqual(parameters);
  });
});
