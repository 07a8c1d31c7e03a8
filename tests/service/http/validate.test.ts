import { describe, expect, it } from 'vitest';
import {
  createBodySchema,
  listQuerySchema,
  viewQuerySchema,
} from '../../../src/contract/objects.ts';
import { validate } from '../../../src/service/http/validate.ts';

const body = (payload: unknown) => () => validate(createBodySchema, { payload }, 'body');
const query = (value: unknown) => () => validate(listQuerySchema, value, 'query');

describe('validate', () => {
  it.each([
    [body({ object_type: 'data', name: 3 }), 'payload.name must be a string.'],
    [body({ object_type: 'data' }), 'payload.name is missing.'],
    [body({ object_type: 'data', name: '' }), 'payload.name is empty.'],
    [body({ object_type: 'data', name: 'x'.repeat(256) }), 'payload.name is longer than 255.'],
    [body({ object_type: 'planet' }), 'payload.object_type does not have one of the known forms.'],
    [body(null), 'payload must be an object.'],
    [
      body({ object_type: 'model', content: { tree: [{ name: 'a', children: [{ name: 1 }] }] } }),
      'payload.content.tree.0.children.0.name must be a string.',
    ],
    [
      query({ object_type: 'model', page_size: '1001' }),
      'page_size must be a whole number from 1 to 1000.',
    ],
    [
      query({ object_type: 'model', with_share_info: 'perhaps' }),
      'with_share_info must be true or false.',
    ],
    [
      query({}),
      "object_type must be one of model, experiment, share, event, callback, relation, data, workflow, project, ''.",
    ],
    [
      () => validate(viewQuerySchema, { fmt: 'pdf' }, 'query'),
      'fmt must be one of csv, grist, arviz, parquet.',
    ],
  ])('names the field and the reason: case %#', (act, message) => expect(act).toThrow(message));

  it('drops unknown keys', () =>
    expect(validate(viewQuerySchema, { unknown: 1, stdlog: 'True' }, 'query')).toMatchObject({
      stdlog: true,
    }));
});
