import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { contentDisposition } from '../../../src/service/http/user-bytes.ts';

describe('contentDisposition', () => {
  it.each([
    ['draws.csv', 'attachment; filename="draws.csv"; filename*=UTF-8\'\'draws.csv'],
    [
      '../../etc/passwd',
      'attachment; filename="_.._etc_passwd"; filename*=UTF-8\'\'_.._etc_passwd',
    ],
    [
      'größe µ.csv',
      'attachment; filename="gr__e _.csv"; filename*=UTF-8\'\'gr%C3%B6%C3%9Fe%20%C2%B5.csv',
    ],
    ['', 'attachment; filename="download"; filename*=UTF-8\'\'download'],
    [
      'a"; filename="b.html',
      'attachment; filename="a__ filename=_b.html"; filename*=UTF-8\'\'a_%3B%20filename%3D_b.html',
    ],
  ])('writes %s', (name, header) => expect(contentDisposition(name)).toBe(header));

  it('writes one safe header line for any name', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 400 }), (name) => {
        const header = contentDisposition(name);
        expect(header).toMatch(
          /^attachment; filename="[^"\\/%;]+"; filename\*=UTF-8''[\w.!#$&+^`|~%-]+$/,
        );
        expect(header).not.toMatch(/[^\x20-\x7e]/);
      }),
      { seed: 3, numRuns: 1000 },
    );
  });
});
