import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseJsonBody } from '../../../src/service/http/json-body.ts';
import { ServiceError } from '../../../src/service/http/service-error.ts';

const parse = (text: string | Buffer) => parseJsonBody(Buffer.from(text as string));

describe('parseJsonBody', () => {
  it('takes an empty body for an empty object', () => expect(parse(' \n')).toEqual({}));

  it('gives back every JSON value whose texts are well formed', () => {
    fc.assert(
      fc.property(fc.jsonValue({ stringUnit: 'grapheme' }), (value) => {
        const text = JSON.stringify(value);
        if (text.includes('"__proto__"')) return;
        expect(parse(text)).toEqual(JSON.parse(text));
      }),
      { seed: 11, numRuns: 500 },
    );
  });

  it('accepts bare NaN and Infinity in messages of runners, also beside texts that hold the words', () => {
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

  it('refuses what is nested too deep without running out of stack', () => {
    expect(() => parse('['.repeat(200_000) + ']'.repeat(200_000))).toThrow(/nested deeper/);
    expect(parse('['.repeat(100) + ']'.repeat(100))).toBeInstanceOf(Array);
  });

  it('refuses what is not UTF-8', () =>
    expect(() => parse(Buffer.from([0x22, 0xff, 0x22]))).toThrow(/UTF-8/));

  it('replaces halves of surrogate pairs in values and keys', () =>
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
