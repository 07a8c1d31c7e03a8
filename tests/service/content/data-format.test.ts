/** The format of a data object, recognised by its bytes. */
import { expect, it } from 'vitest';
import { formatOf } from '../../../src/service/content/data-format.ts';

const bytes = (text: string) => new TextEncoder().encode(text);
it.each<[string, Uint8Array, string]>([
  ['an object', bytes(' {"N": 1}'), 'json'],
  ['a list with NaN', bytes('[1, NaN]'), 'json'],
  ['broken JSON', bytes('{"N": '), 'raw'],
  ['a bare number', bytes('3'), 'raw'],
  ['an object after a byte order mark', bytes('\ufeff {"N": 1}'), 'json'],
  ['a list after a line end', bytes('\n[1]'), 'json'],
  ['rows and columns', bytes('a,b\n1,2\n3,4\n'), 'csv'],
  ['rows after a byte order mark', bytes('\ufeffa,b\n1,2\n'), 'csv'],
  ['rows among comments and blank lines', bytes('# a\n\na,b\n# c\n1,2\n'), 'csv'],
  ['tabs', bytes('aa\tb\n1\t2\n'), 'csv'],
  ['uneven rows', bytes('a,b\n1,2\n1,2,3\n'), 'raw'],
  ['an uneven row after the first fifty', bytes(`${'1,2\n'.repeat(50)}3\n`), 'csv'],
  ['an uneven row among the first fifty', bytes(`${'1,2\n'.repeat(49)}3\n`), 'raw'],
  ['one column', bytes('a\n1\n2\n'), 'raw'],
  ['long rows', bytes(`${'1,'.repeat(5000)}1\n`.repeat(10)), 'csv'],
  ['two rows of 65536 characters', bytes(`1,2\n${'x'.repeat(65_530)},1`), 'csv'],
  ['an uneven row after long ones', bytes(`${`${'1,'.repeat(5000)}1\n`.repeat(8)}1\n1\n`), 'csv'],
  ['a long first row', bytes(`${'1,'.repeat(50_000)}1\n1,2\n`), 'raw'],
  ['semicolons', bytes('aa;b\r\n1;2\r\n'), 'csv'],
  ['commas in quotes', bytes('a,b\n"1,5",2\n'), 'csv'],
  ['prose with a comma', bytes('Well, yes.\nNo.\n'), 'raw'],
  ['one line', bytes('a,b'), 'csv'],
  ['binary', Uint8Array.of(0x7b, 0, 0x7d), 'raw'],
  ['nothing', bytes(''), 'raw'],
])('recognises the format of %s', (_, content, format) => expect(formatOf(content)).toBe(format));
