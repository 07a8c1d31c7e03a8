/** Models, data and workflows created from addresses, with a loopback server that mimics the code host. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectKind } from '../../../src/client/expect-kind.ts';
import type { CreateModel, Model } from '../../../src/contract/model.ts';
import { writeZip } from '../../../src/formats/archive.ts';
import type { ModelFile } from '../../../src/formats/model-tree.ts';
import { packTar } from '../../../src/formats/tar.ts';
import {
  parseGist,
  parseRepo,
  publicCodeHost,
  readPlace,
} from '../../../src/service/fetching/code-host.ts';
import { readTomlText } from '../../../src/service/kinds/model/import-model.ts';
import { createTestService, type Person, type TestService } from '../../support/service.ts';
import { type FileServer, startFileServer } from './file-server.ts';

const file = (path: string, text: string): ModelFile => ({
  path,
  bytes: new TextEncoder().encode(text),
  encoding: 'text',
});
const stan = 'parameters { real x; } model { x ~ normal(0, 1); }\n';
const commit = '0123456789abcdef0123456789abcdef01234567';

function bytesOf(
  result: { ok: true; value: Uint8Array } | { ok: false; error: unknown },
): Uint8Array {
  if (!result.ok) throw new Error(JSON.stringify(result.error));
  return result.value;
}
const tarOf = (files: ModelFile[], gzip = true) =>
  bytesOf(packTar({ files, emptyFolders: [] }, { gzip }));
const zipOf = (files: ModelFile[]) => bytesOf(writeZip({ files, emptyFolders: [] }));

const repoFiles = [
  file(
    'line-0123456/Project.toml',
    'name = "Line"\n[ergodic]\nentrance_file = "src/line.stan" # ours\n',
  ),
  file('line-0123456/src/line.stan', stan),
  file('line-0123456/main.jl', '1 + 1'),
];

/** A link is kind 2 of tar's entries; the header's checksum is corrected. */
function withLink(tar: Uint8Array): Uint8Array {
  const changed = tar.slice();
  changed[156] = '2'.charCodeAt(0);
  changed.fill(32, 148, 156);
  const sum = changed.subarray(0, 512).reduce((total, byte) => total + byte, 0);
  changed.set(new TextEncoder().encode(`${sum.toString(8).padStart(6, '0')}\0 `), 148);
  return changed;
}

const answers: Readonly<Record<string, () => string | Uint8Array>> = {
  '/repos/ada/line/commits/HEAD': () => JSON.stringify({ sha: commit }),
  '/repos/ada/line/commits/dev%2Fnew': () => JSON.stringify({ sha: commit.replace('0', 'f') }),
  [`/ada/line/tar.gz/${commit}`]: () => tarOf(repoFiles),
  [`/ada/line/tar.gz/${commit.replace('0', 'f')}`]: () => tarOf([file('line-f/model.py', 'pass')]),
  '/repos/ada/strange/commits/HEAD': () => JSON.stringify({ sha: '../../etc' }),
  '/gists/abc123': () =>
    JSON.stringify({
      description: 'A snippet\nof two lines',
      files: {
        'model.stan': { filename: 'model.stan', content: stan },
        'big.csv': {
          filename: 'big.csv',
          content: 'x',
          truncated: true,
          raw_url: `${server.origin}/big.csv`,
        },
      },
      history: [{ version: commit }],
    }),
  '/gists/evil': () => JSON.stringify({ files: { a: { filename: '../evil', content: '' } } }),
  '/big.csv': () => 'x,y\n1,2\n',
  '/files/one.stan': () => stan,
  '/files/model.zip': () => zipOf([file('top/main.stan', stan), file('top/README.md', '#')]),
  '/files/model.tar': () => tarOf([file('main.py', 'pass'), file('notes.txt', '')], false),
  '/files/model.tgz': () => tarOf([file('a/run.R', ''), file('b/data.csv', '')]),
  '/files/link.tar': () => withLink(tarOf([file('link', '')], false)),
  '/files/bomb.tar.gz': () =>
    tarOf([{ path: 'zeros', bytes: new Uint8Array(15_000_000), encoding: 'base64' }]),
  '/files/data.json': () => '{"N": 3, "y": [1, 2, 3]}',
  '/ada/line/main/src/line.stan': () => stan,
};

let server: FileServer;
let service: TestService;
let person: Person;
beforeAll(async () => {
  server = await startFileServer((request, response) => {
    const answer = answers[request.url ?? ''];
    if (answer === undefined) response.writeHead(404).end('not here');
    else response.end(answer());
  });
  const { origin } = server;
  service = await createTestService({
    config: { allowFetch: [origin] },
    codeHost: {
      web: 'https://code.example',
      gists: 'https://gists.example',
      api: origin,
      archives: origin,
      files: origin,
    },
  });
  person = service.owner;
});
afterAll(async () => {
  await service.close();
  await server.close();
});

async function create(payload: Omit<CreateModel, 'object_type'>): Promise<Model> {
  const body = { payload: { object_type: 'model', ...payload } as const };
  return expectKind(await person.client.createObject({ body }), 'model');
}

describe('a model from a repository', () => {
  it('is taken from the latest commit of its branch, with the entrance file of the project', async () => {
    const model = await create({ type: 'repo', repo: 'ada/line' });
    expect(model).toMatchObject({
      name: 'line',
      env: 'stan',
      lang: 'stan',
      tags: ['model'],
      meta: {
        github: 'ada/line',
        commit_id: commit,
        origin_url: 'https://code.example/ada/line',
        fixed_version_url: `https://code.example/ada/line/tree/${commit}`,
      },
    });
    expect(model.content?.meta?.entrance_file).toBe('src/line.stan');
    expect(model.content?.tree.map(({ name }) => name).toSorted()).toEqual([
      'Project.toml',
      'main.jl',
      'src',
    ]);
  });

  it('accepts a branch, a name, and an address on the host', async () => {
    const branch = await create({
      type: 'repo',
      repo: 'ada/line',
      branch: 'dev/new',
      name: 'Mine',
    });
    expect(branch).toMatchObject({ name: 'Mine', env: 'python' });
    for (const source_url of ['https://code.example/ada/line', 'https://code.example/ada/line.git'])
      expect((await create({ type: 'url', source_url })).meta?.commit_id).toBe(commit);
    const page = await create({
      type: 'url',
      source_url: 'https://code.example/ada/line/blob/main/src/line.stan',
    });
    expect(page).toMatchObject({ name: 'line', env: 'stan' });
  });

  it.each([
    [{ repo: 'nobody/nothing' }, /404/],
    [{ repo: 'ada/strange' }, /no commit/],
    [{ repo: 'ada' }, /owner\/name/],
    [{ repo: '../../x' }, /owner\/name/],
    [{ repo: 'ada/line', branch: '../../x' }, /branch/],
    [{}, /payload.repo is missing/],
  ])('is refused with a message: %j', async (parts, expected) => {
    await expect(create({ type: 'repo', ...parts })).rejects.toMatchObject({
      code: 'INVALID_PARAMETER',
      message: expect.stringMatching(expected) as string,
    });
  });
});

describe('a model from a snippet', () => {
  it('has its files, its description as a name, and its version', async () => {
    const model = await create({ type: 'gist', repo: 'abc123' });
    expect(model).toMatchObject({
      name: 'A snippet of two lines',
      env: 'stan',
      meta: {
        commit_id: commit,
        fixed_version_url: `https://gists.example/abc123/${commit}`,
      },
    });
    const csv = model.content?.tree.find(({ name }) => name === 'big.csv');
    expect(csv?.content).toBe('x,y\n1,2\n');
  });

  it('is refused if a file name is a path', async () => {
    await expect(create({ type: 'gist', repo: 'evil' })).rejects.toMatchObject({
      code: 'INVALID_PARAMETER',
    });
  });
});

describe('a model from an address', () => {
  it.each([
    ['one.stan', 'one', 'stan', ['one.stan']],
    ['model.zip', 'model', 'stan', ['README.md', 'main.stan']],
    ['model.tar', 'model', 'python', ['main.py', 'notes.txt']],
    ['model.tgz', 'model', 'r', ['a', 'b']],
  ])('%s', async (path, name, env, files) => {
    const source_url = `${server.origin}/files/${path}`;
    const model = await create({ type: 'url', source_url });
    expect(model).toMatchObject({ name, env, meta: { origin_url: source_url } });
    expect(model.content?.tree.map((node) => node.name).toSorted()).toEqual(files);
  });

  it.each([
    ['link.tar', 'INVALID_PARAMETER'],
    ['bomb.tar.gz', 'TOO_LARGE'],
    ['none', 'INVALID_PARAMETER'],
  ])('%s is refused', async (path, code) => {
    await expect(
      create({ type: 'url', source_url: `${server.origin}/files/${path}` }),
    ).rejects.toMatchObject({ code });
  });

  it('on a host that the operator did not allow is refused, naming the option', async () => {
    await expect(
      create({ type: 'url', source_url: 'https://example.org/a.stan' }),
    ).rejects.toMatchObject({
      code: 'NOT_SUPPORTED',
      message: expect.stringContaining('--allow-fetch example.org') as string,
    });
  });
});

describe('addresses', () => {
  it('of data are fetched when the data are created and when they change', async () => {
    const payload = {
      object_type: 'data',
      name: 'fetched',
      data_uri: `${server.origin}/files/data.json`,
    } as const;
    const made = expectKind(await person.client.createObject({ body: { payload } }), 'data');
    expect(made).toMatchObject({ fmt: 'json', version: 1 });
    const change = { object_type: 'data', data_uri: `${server.origin}/big.csv` } as const;
    const params = { objid: made.short_id };
    const changed = await person.client.updateObject({ params, body: { payload: change } });
    expect(changed).toMatchObject({ fmt: 'csv', version: 2 });
    const missing = { object_type: 'data', data_uri: `${server.origin}/none` } as const;
    await expect(
      person.client.updateObject({ params, body: { payload: missing } }),
    ).rejects.toMatchObject({ code: 'INVALID_PARAMETER' });
  });

  it('of a workflow provide its model', async () => {
    const payload = { object_type: 'workflow', uri: `${server.origin}/files/model.zip` } as const;
    const workflow = expectKind(
      await person.client.createObject({ body: { payload } }),
      'workflow',
    );
    expect(workflow).toMatchObject({ name: 'model', model_name: 'model' });
  });
});

describe('sources', () => {
  it('are recognised in the forms that users write', () => {
    const host = publicCodeHost;
    const expected = { owner: 'a', name: 'b.c', branch: '' };
    for (const text of [
      'a/b.c',
      'https://github.com/a/b.c',
      'https://github.com/a/b.c.git',
      'HTTPS://GitHub.com/a/b.c/?x=1#y',
    ])
      expect(parseRepo(host, text, '')).toEqual(expected);
    expect(parseRepo(host, 'https://github.com/a/b.c/tree/dev/x', '').branch).toBe('dev/x');
    expect(parseRepo(host, 'https://github.com/a/b.c/tree/dev', 'main').branch).toBe('main');
    expect(parseGist(host, 'https://gist.github.com/ada/0a1b')).toBe('0a1b');
    expect(readPlace(host, 'https://example.org/github.com/a/b').kind).toBe('address');
  });

  it('name the entrance file in a TOML table', () => {
    const text =
      'entrance_file = "top"\n["ergodic"] # x\nentrance_func = "f"\nentrance_file = \'a b.jl\'\n[other]\nentrance_file = "c"\n';
    expect(readTomlText(text, 'ergodic', 'entrance_file')).toBe('a b.jl');
    expect(readTomlText(text, 'none', 'entrance_file')).toBeNull();
  });

  it('are searched for the entrance file without backtracking', () => {
    // a backtracking regular expression would take longer than a day
    for (const text of [
      `[${' '.repeat(60_000)}x`,
      `a${' '.repeat(60_000)}x`,
      `a = "${'\\'.repeat(60_000)}`,
    ])
      expect(readTomlText(text, 'ergodic', 'entrance_file')).toBeNull();
  });
});
