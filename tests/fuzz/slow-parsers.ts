/** Parsers of users' bytes or texts, with initial shapes and words to build others from. */

import { writeZip } from '../../src/formats/archive.ts';
import { parseDataJson } from '../../src/formats/data-json.ts';
import { entranceFile } from '../../src/formats/entrance-file.ts';
import type { ModelFile } from '../../src/formats/model-tree.ts';
import { splitPath } from '../../src/formats/path-segment.ts';
import { readDrawFiles } from '../../src/formats/read-draw-files.ts';
import { packTar } from '../../src/formats/tar.ts';
import { formatOf } from '../../src/service/content/data-format.ts';
import { withPackageSections } from '../../src/service/content/package-settings.ts';
import { readSettingsText } from '../../src/service/content/settings-text.ts';
import { isLongYaml } from '../../src/service/content/settings-yaml.ts';
import {
  parseGist,
  parseRepo,
  publicCodeHost,
  readPlace,
} from '../../src/service/fetching/code-host.ts';
import { readArchive } from '../../src/service/fetching/read-archive.ts';
import { parseCallbackCode } from '../../src/service/functions/callback-program.ts';
import { dataScriptLanguage } from '../../src/service/functions/data-script-language.ts';
import { parseHost } from '../../src/service/http/address-checks.ts';
import { networkOf } from '../../src/service/http/caller-network.ts';
import { readDateTime } from '../../src/service/http/date-times.ts';
import { parseFormBody, parseJsonBody, parseLargeBody } from '../../src/service/http/json-body.ts';
import { checkName } from '../../src/service/http/names.ts';
import { readTomlText } from '../../src/service/kinds/model/import-model.ts';
import { describeProgram } from '../../src/service/runs/check-program.ts';
import { checkRunData } from '../../src/service/runs/program.ts';
import { arvizFile } from './arviz-bytes.ts';
import { type Shape, shapeOf } from './shape.ts';

export interface SlowParser {
  readonly name: string;
  /** `main`: on the service's main thread, where nothing may take more than 100 ms; `thread`: in another thread. */
  readonly where: 'main' | 'thread';
  /** The longest input it is given there. */
  readonly maxBytes: number;
  readonly shapes: readonly Shape[];
  readonly words: readonly string[];
  /** Milliseconds the longest input may take although time grows faster than length; absent: not allowed. */
  readonly mostMs?: number;
  run(input: string): unknown;
}

const bytesOf = (text: string): Uint8Array => Buffer.from(text);
const MiB = 2 ** 20;
const small = 64 * 1024;

/** Errors it throws count as answers. */
const quiet = (run: (input: string) => unknown) => async (input: string) => {
  try {
    await run(input);
  } catch (error) {
    if (!(error instanceof Error)) throw error;
  }
};

const json = {
  shapes: [
    shapeOf('[],', { head: '[', end: '[]]' }),
    shapeOf('{"k":1},', { head: '[', end: '1]' }),
    shapeOf('"k#":1,', { head: '{', end: '"z":1}' }),
    shapeOf('[', { close: ']' }),
    shapeOf('\\\\', { head: '"', end: '"' }),
    shapeOf('\\ud800', { head: '["', end: '"]' }),
    shapeOf('"\\""NaN', { head: '[' }),
    shapeOf('NaN,', {
      head: '{"payload":{"object_type":"experiment.text_message","x":[',
      end: '1]}}',
    }),
    shapeOf('1234567890', { head: '[', end: ']' }),
    shapeOf(' '),
  ],
  words: [
    '[',
    ']',
    '{',
    '}',
    '"',
    '\\',
    ',',
    ':',
    '1',
    'NaN',
    'Infinity',
    'null',
    ' ',
    '\\u0000',
    'é',
    '-',
    'e9',
    '#',
    '"a":',
  ],
};

const stan = {
  shapes: [
    shapeOf('  target += normal_lpdf(x * # | 0, 1);\n', {
      head: 'parameters { real x; } model {\n',
      end: '}',
    }),
    shapeOf('real alpha_#;\n', {
      head: 'parameters {\n',
      middle: '} model {',
      close: 'alhpa ~ normal(0,1);\n',
      end: '}',
    }),
    shapeOf('a', { head: 'model { real ', middle: '; ', close: 'a', end: 'b = 1; }' }),
    shapeOf('real f#(real a) { return a; }\n', { head: 'functions {\n', end: '}' }),
    shapeOf('real ;;) = ( ', { head: 'model { ', end: '}' }),
    shapeOf('x# = y# + z;\n', { head: 'model {\n', end: '}' }),
    shapeOf('(', { head: 'model { real x = ', middle: '1', close: ')', end: '; }' }),
    shapeOf('{', { head: 'model ', close: '}' }),
    shapeOf('1+', { head: 'model { real x = ', end: '1; }' }),
    shapeOf('1 ? 1 : ', { head: 'model { real x = ', end: '1; }' }),
    shapeOf('if (1) ; else ', { head: 'model { ', end: '; }' }),
    shapeOf('array[1] ', { head: 'data { ', end: 'real x; }' }),
    shapeOf('1,', { head: 'data { array[', end: '1] real x; }' }),
    shapeOf('rael[', { head: 'model { ', end: '}' }),
    shapeOf('vektor< x#; ', { head: 'model { ' }),
    shapeOf('#include a\n'),
    shapeOf('#include b#.stan\n'),
    shapeOf('/*'),
    shapeOf("x'", { head: 'model { real y = ', end: '; }' }),
    shapeOf('real x# = normal(x#);', { head: 'model { ', end: '}' }),
    shapeOf('real f(array[#] real a); ', { head: 'functions { ', end: '}' }),
    shapeOf('{ real x; ', { head: 'model { ', close: '}', end: '}' }),
    shapeOf('x[1', { head: 'model { real y = ', close: ']', end: '; }' }),
    shapeOf('y# ~ nromal(0, 1);', { head: 'model { ', end: '}' }),
    shapeOf('y = fuu#(1);', { head: 'model { ', end: '}' }),
  ],
  words: [
    '{',
    '}',
    '(',
    ')',
    '[',
    ']',
    ';',
    ',',
    'real ',
    'array[1] ',
    'x',
    'x#',
    'model ',
    'functions ',
    'data ',
    '~',
    ' normal(0,1)',
    '+',
    "'",
    '?',
    ':',
    '<lower=0>',
    'for (i in 1:2) ',
    'if (1) ',
    'else ',
    '"',
    '#include a\n',
    '//',
    '/*',
    '\n',
    '1',
    '|',
    '.*',
    'void f#() ',
    'return ',
    'tuple(real, real) ',
    'target += ',
  ],
};

/** The library is quadratic in the quotes of a text that is not YAML: settings are at most 64 kB, in a thread. */
const yaml = {
  mostMs: 5000,
  shapes: [
    shapeOf('k#: 1\n'),
    shapeOf('[', { close: ']' }),
    shapeOf('{a: ', { close: '}' }),
    shapeOf('a#: &a# [1]\n'),
    shapeOf('- - '),
    shapeOf('? '),
    shapeOf('"', { head: 'a: ' }),
    shapeOf('  ', { head: 'a: |\n' }),
    shapeOf('m#: {<<: *b}\n', { head: '%YAML 1.1\n---\nb: &b {x: 1}\n' }),
    shapeOf('!t ', { head: 'a: ' }),
    shapeOf('# c\n'),
    shapeOf('{', {}),
    shapeOf('a: b: '),
    shapeOf(' \t', { head: 'a:' }),
  ],
  words: [
    'a',
    ': ',
    '- ',
    '\n',
    '[',
    ']',
    '{',
    '}',
    ',',
    '&a ',
    '*a',
    '!',
    '|',
    '>',
    '"',
    "'",
    '  ',
    '\t',
    '%',
    '---\n',
    '? ',
    '<<: ',
    '0',
    '.nan',
    'sampling:\n',
    '#',
  ],
};

const csv = {
  shapes: [
    shapeOf('1,2,3\n', { head: 'a,b,c\n' }),
    shapeOf('a#,', { end: '\n1' }),
    shapeOf('"', { head: 'a,b\n' }),
    shapeOf('\n', { head: 'a,b\n' }),
    shapeOf('# c\n'),
    shapeOf(' ', { head: 'a,b\n', end: '1,2\n' }),
    shapeOf(',', { close: '\n' }),
    shapeOf('\r', { head: 'a,b\n' }),
  ],
  words: ['1', ',', '\n', '"', ';', '\t', '#', 'a', ' ', '\r', 'NA', 'NaN', '1e9', '-', 'a#'],
};

const draws = {
  shapes: [
    shapeOf('-1,0.9,1,2,3,0,1,#\n', {
      head: '# model = m\nlp__,accept_stat__,stepsize__,treedepth__,n_leapfrog__,divergent__,energy__,x\n',
    }),
    shapeOf('x.#,', { head: '# a\nlp__,', end: 'y\n1\n' }),
    shapeOf('# k = v\n', { end: 'lp__\n1\n' }),
    shapeOf('chain#,x,1\n', { head: 'chain_name,var_name,var_value\n' }),
    shapeOf('c,x,1\n', { head: 'chain_name,var_name,var_value\n' }),
    shapeOf('#,1,0.5\n', { head: 'iteration,chain,mu\n' }),
    shapeOf('c,x#,1\n', { head: 'chain_name,var_name,var_value\n' }),
  ],
  words: [
    ...csv.words,
    'lp__',
    'iteration',
    'chain',
    'x.1.1',
    '# Adaptation terminated\n',
    '# Step size = 1\n',
    'draw',
  ],
};

const regexShapes = {
  shapes: [
    shapeOf('a'),
    shapeOf(' ', { head: '[', end: 'x' }),
    shapeOf(' ', { head: 'a = "', end: 'x' }),
    shapeOf('a.', { end: '!' }),
    shapeOf('/', { head: 'https://github.com' }),
    shapeOf('\t', { end: 'x' }),
    shapeOf('\n'),
    shapeOf(':', { head: '[' }),
    shapeOf('0', { head: '2030-01-01T00:00:00.' }),
    shapeOf('-a'),
    shapeOf('..', { head: '/' }),
    shapeOf('a/', {}),
    shapeOf(' export ', { end: '!' }),
  ],
  words: [
    'a',
    ' ',
    '/',
    '.',
    ':',
    '-',
    '_',
    '[',
    ']',
    '"',
    "'",
    '=',
    '#',
    '\n',
    '\t',
    '0',
    '%',
    '@',
    'gist:',
    'repo:',
    'https://',
    'github.com',
    'export ',
    'T',
    'Z',
    '+',
    '\\',
  ],
};

const fileOf = (path: string): ModelFile => ({ path, bytes: bytesOf('x'), encoding: 'text' });
const archived = (pack: (files: ModelFile[]) => Uint8Array | null) => (input: string) => {
  const names = [...new Set(input.split('\n'))].filter((name) => splitPath(name).ok).slice(0, 4000);
  const packed = pack(names.map(fileOf));
  return packed === null ? null : readArchive(packed);
};
const archiveShapes = {
  shapes: [
    shapeOf('f#\n'),
    shapeOf('d#/f\n'),
    shapeOf('a/', { end: 'f' }),
    shapeOf('d/f#\n'),
    shapeOf('a/b/c/d/e/f/g/h/#\n'),
    shapeOf('É#\n'),
  ],
  words: ['a', '/', '\n', '#', '.', ' ', 'É', 'ﬀ', 'A', '日'],
};

/** A regular expression or a short text of each kind. */
const texts: Readonly<Record<string, (text: string) => unknown>> = {
  'table of a project file': (text) => readTomlText(text, 'ergodic', 'entrance_file'),
  'address of code': (text) => [readPlace(publicCodeHost, text)],
  'name of a repository': (text) => parseRepo(publicCodeHost, text, text),
  'name of a snippet': (text) => parseGist(publicCodeHost, text),
  'code of a callback': (text) => parseCallbackCode(text),
  'language of a data script': (text) => dataScriptLanguage(text),
  'host header': (text) => parseHost(text),
  'network of an address': (text) => networkOf(text),
  'date and time': (text) => readDateTime('a', text),
  'name of an object': (text) => checkName('a', text),
  'path of a file': (text) => splitPath(text),
  'entrance of a model': (text) => entranceFile(null, text.split('\n')),
};

const main = (
  name: string,
  maxBytes: number,
  rest: Pick<SlowParser, 'shapes' | 'words' | 'run' | 'mostMs'>,
): SlowParser => ({ name, where: 'main', maxBytes, ...rest, run: quiet(rest.run) });
const thread = (
  name: string,
  maxBytes: number,
  rest: Pick<SlowParser, 'shapes' | 'words' | 'run' | 'mostMs'>,
): SlowParser => ({ name, where: 'thread', maxBytes, ...rest, run: quiet(rest.run) });

const faultOf = (text: string) =>
  describeProgram({
    name: 'm.stan',
    files: new Map([
      ['m.stan', bytesOf(text)],
      ['a', bytesOf('#include a\n#include m.stan\n')],
    ]),
    hasData: true,
  });

export const parsers: readonly SlowParser[] = [
  main('JSON, short', small, { ...json, run: (text) => parseJsonBody(bytesOf(text)) }),
  main('form', 16 * 1024, { ...regexShapes, run: (text) => parseFormBody(bytesOf(text)) }),
  main('Stan, short', 4096, { ...stan, run: faultOf }),
  main('settings, short', 4096, {
    ...yaml,
    run: (text) => (isLongYaml(text) ? null : readSettingsText(text)),
  }),
  main('data of a run, JSON, short', small, {
    ...json,
    run: (text) => checkRunData(bytesOf(text), 'json'),
  }),
  main('data of a run, CSV, short', small, {
    ...csv,
    run: (text) => checkRunData(bytesOf(text), 'csv'),
  }),
  main('format of data, short', small, { ...csv, run: (text) => formatOf(bytesOf(text)) }),
  ...Object.entries(texts).map(([name, run]) => main(name, small, { ...regexShapes, run })),
  thread('JSON, long', 8 * MiB, { ...json, run: (text) => parseLargeBody(bytesOf(text)) }),
  thread('Stan, long', MiB, { ...stan, run: faultOf }),
  thread('settings, long', small, { ...yaml, run: (text) => readSettingsText(text) }),
  thread('settings of a package', small, { ...yaml, run: (text) => withPackageSections(text) }),
  thread('data, JSON', 4 * MiB, { ...json, run: (text) => parseDataJson(text) }),
  thread('data of a run, CSV', 4 * MiB, {
    ...csv,
    run: (text) => checkRunData(bytesOf(text), 'csv'),
  }),
  thread('format of data', 4 * MiB, { ...csv, run: (text) => formatOf(bytesOf(text)) }),
  thread('zip', small, {
    ...archiveShapes,
    run: archived((files) => {
      const made = writeZip({
        files,
        emptyFolders: files.slice(0, 100).map(({ path }) => `${path}-d`),
      });
      return made.ok ? made.value : null;
    }),
  }),
  thread('tar', small, {
    ...archiveShapes,
    run: archived((files) => {
      const made = packTar({
        files: files.slice(0, 900),
        emptyFolders: files.slice(0, 1000).map(({ path }) => `${path}-d`),
      });
      return made.ok ? made.value : null;
    }),
  }),
  thread('draws, CSV', 4 * MiB, {
    ...draws,
    run: (text) => readDrawFiles([{ name: 'a.csv', bytes: bytesOf(text) }]),
  }),
  thread('draws, HDF5', 4096, {
    shapes: regexShapes.shapes,
    words: regexShapes.words,
    run: async (text) => readDrawFiles([{ name: 'a.nc', bytes: await arvizFile(text) }]),
  }),
];
