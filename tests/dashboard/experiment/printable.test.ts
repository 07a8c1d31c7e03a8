import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { printable } from '../../../src/dashboard/features/experiment/logs/printable.ts';

describe('the text of a log', () => {
  it.each([
    ['plain \ttext\nnext', 'plain \ttext\nnext'],
    ['\u001b[1;31mred\u001b[0m', 'red'],
    ['\u001b[2K\u001b[1Gdone\u001b[?25h', 'done'],
    ['\u001b]0;title\u0007shown', 'shown'],
    ['\u001b]8;;http://evil\u001b\\link\u001b]8;;\u001b\\', 'link'],
    ['a\r\nb', 'a\nb'],
    ['10 %\r20 %', '10 %␍20 %'],
    ['bell\u0007 null\u0000 del\u007f', 'bell␇ null␀ del␡'],
    ['user\u202egnp.exe', 'user\ufffdgnp.exe'],
    ['\u2066isolate\u2069', '\ufffdisolate\ufffd'],
    ['\u009b31mC1', '\ufffd31mC1'],
    ['cut \u001b[', 'cut ␛['],
    ['<b onclick=x>&amp;', '<b onclick=x>&amp;'],
    ['θ → 鍵 😀', 'θ → 鍵 😀'],
  ])('%j reads %j', (text, shown) => {
    expect(printable(text)).toBe(shown);
  });

  it('never contains control characters or those that change the text direction', () => {
    const piece = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom('\u001b', '[', ']', '0', ';', 'm', '\\', '\u0007', '\r', '\n', '\u202e'),
    );
    fc.assert(
      fc.property(fc.array(piece), (pieces) => {
        const codes = Array.from(
          printable(pieces.join('')),
          (letter) => letter.codePointAt(0) ?? 0,
        );
        const isControl = (code: number) =>
          (code < 32 && code !== 9 && code !== 10) || (code >= 127 && code < 160);
        const turns = (code: number) =>
          (code >= 0x202a && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069);
        expect(codes.filter((code) => isControl(code) || turns(code))).toEqual([]);
      }),
      { seed: 20261121, numRuns: 200 },
    );
  });
});
