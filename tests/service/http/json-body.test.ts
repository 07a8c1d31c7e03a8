import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseJsonBody } from '../../../src/service/http/json-body.ts';
import { ServiceError } from '../../../src/service/http/service-error.ts';

const parse = (text: string | Buffer) => parseJsonBody(Buffer.from(text as string));

describe('parseJsonBody', () => {
  it('reads an empty body as an empty object', () => expect(parse(' \n')).toEqual({}));

  it('returns every JSON value with well-formed strings unchanged', () => {
    fc.assert(
      fc.property(fc.jsonValue({ stringUnit: 'grapheme' }), (value) => {
        const text = JSON.stringify(value);
        if (text.includes('"__proto__"')) return;
        expect(parse(text)).toEqual(JSON.parse(text));
      }),
      { seed: 11, numRuns: 500 },
    );
  });

  it('accepts bare NaN and Infinity in messages of runners, even beside strings with these words', () => {
    const body =
      '{"payload": {"object_type": "experiment.protobuf_message", "logs": {"vars": {"NaN": {"m \\" Infinity": [NaN, -Infinity, Infinity, 1]}}}}}';
    expect(parse(body)).toEqual({
      payload: {
        object_type: 'experiment.protobuf_message',
        logs: { vars: { NaN: { 'm " Infinity': [Number.NaN, -Infinity, Infinity, 1] } } },
      },
    });
  });

  it('refuses bare NaN elsewhere', () =>
    expect(() => parse('{"payload": {"object_type": "experiment", "meta": {"a": NaN}}}')).toThrow(
      ServiceError,
    ));

  it('refuses deeply nested JSON without a stack overflow', () => {
    expect(() => parse('['.repeat(200_000) + ']'.repeat(200_000))).toThrow(/nested deeper/);
    expect(parse('['.repeat(100) + ']'.repeat(100))).toBeInstanceOf(Array);
  });

  it('refuses what is not UTF-8', () =>
    expect(() => parse(Buffer.from([0x22, 0xff, 0x22]))).toThrow(/UTF-8/));

  it('replaces unpaired surrogates in values and keys', () =>
    expect(parse('{"a\\ud800": "b\\udfff"}')).toEqual({ 'a\ufffd': 'b\ufffd' }));

  it('drops __proto__, and changes no prototype', () => {
    const value = parse('{"__proto__": {"polluted": 1}, "a": {"__proto__": 2}}') as Record<
      string,
      unknown
    >;
    expect(Object.keys(value)).toEqual(['a']);
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });
});

describe('bare numbers of a runner', () => {
  const message = (values: string, name = 'x') =>
    `{"payload": {"object_type": "experiment.protobuf_message", "logs": {"${name}": ${values}}}}`;
  const valuesOf = (text: string) =>
    Object.values((parse(text) as { payload: { logs: object } }).payload.logs)[0] as unknown;

  it('are read among all others, and strings that look like them stay strings', () => {
    const item = fc.oneof(
      fc.double(),
      fc.constantFrom(Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY),
      fc.constantFrom('NaN', '"Infinity\\', '-Infinity"', '\\"NaN'),
    );
    fc.assert(
      fc.property(
        fc.array(item),
        fc.constantFrom('x', 'NaN', 'a \\" NaN', '\\\\'),
        (items, name) => {
          const texts = items.map((one) =>
            typeof one === 'string' ? JSON.stringify(one) : `${one}`,
          );
          expect(valuesOf(message(`[${texts.join(', ')}]`, name))).toEqual(
            items.map((one) => (Object.is(one, -0) ? 0 : one)),
          );
        },
      ),
      { seed: 5, numRuns: 300 },
    );
  });

  it('may be the only value, and integers beyond 2^63 are accepted', () => {
    expect(valuesOf(message('NaN'))).toBeNaN();
    expect(valuesOf(message('[1, 2, 17637120000000000012]'))).toEqual([1, 2, 17637120000000000000]);
  });

  it('do not make invalid JSON acceptable', () => {
    for (const broken of ['[NaN', '[Nan]', '[--Infinity]', '["NaN]', '[NaNNaN]'])
      expect(() => parse(message(broken))).toThrow(ServiceError);
  });
});
