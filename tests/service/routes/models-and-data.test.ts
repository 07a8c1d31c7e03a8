import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Client } from '../../../src/client/create-client.ts';
import { expectKind } from '../../../src/client/expect-kind.ts';
import type { TreeNode } from '../../../src/contract/model.ts';
import { addData, addModel, codeOf } from '../../support/objects.ts';
import { createTestService, type TestService } from '../../support/service.ts';

let service: TestService;
let client: Client;
beforeAll(async () => {
  service = await createTestService();
  client = (await service.addPerson('ada')).client;
});
afterAll(() => service.close());

const of = (objid: string) => ({ params: { objid } });
const viewModel = async (id: string, version = 0) =>
  expectKind(await client.viewObject({ ...of(id), query: { version } }), 'model');

/** A tree of files with bytes of any kind, in any order with folders, empty ones too. */
const fileName = fc.stringMatching(/^[a-zA-Z_é][\w.é-]{0,12}[\wé]$/);
const file: fc.Arbitrary<TreeNode> = fc
  .tuple(
    fileName,
    fc.oneof(
      fc.uint8Array({ maxLength: 40 }),
      fc.string({ unit: 'grapheme' }).map((text) => new TextEncoder().encode(text)),
    ),
    fc.boolean(),
  )
  .map(([name, bytes, asText]) => {
    const buffer = Buffer.from(bytes);
    const isText =
      asText && Buffer.from(buffer.toString('utf8')).equals(buffer) && !buffer.includes(0);
    return isText
      ? { name, type: 'file', content: buffer.toString('utf8'), encoding: 'text' }
      : { name, type: 'file', content: buffer.toString('base64'), encoding: 'base64' };
  });
const siblings = (node: fc.Arbitrary<TreeNode>) =>
  fc.uniqueArray(node, {
    maxLength: 5,
    selector: ({ name }) => name.normalize('NFC').toLowerCase(),
  });
const { tree } = fc.letrec<{ tree: TreeNode[]; folder: TreeNode }>((tie) => ({
  tree: siblings(fc.oneof({ maxDepth: 3 }, file, tie('folder'))),
  folder: fc
    .tuple(fileName, tie('tree'))
    .map(([name, children]): TreeNode => ({ name, type: 'folder', children })),
}));

/** What the wire adds to a node when it sends it. */
const complete = (nodes: readonly TreeNode[]): TreeNode[] =>
  nodes.map((node) =>
    node.type === 'folder'
      ? { name: node.name, type: 'folder', content: '', children: complete(node.children ?? []) }
      : { ...node, children: [] },
  );

describe('a model', () => {
  it('is returned byte for byte, in the order and encoding in which it was sent', async () => {
    await fc.assert(
      fc.asyncProperty(tree, async (sent) => {
        const made = await addModel(client, { tree: sent });
        expect((await viewModel(made.short_id)).content?.tree).toEqual(complete(sent));
      }),
      { seed: 20, numRuns: 60 },
    );
  });

  it('has its encodings and types inferred if old clients omit them', async () => {
    const made = await addModel(client, {
      tree: [
        { name: 'main.jl', content: Buffer.from('x = 1\n').toString('base64') },
        { name: 'plain.txt', content: 'not base64!' },
        { name: 'inner', children: [{ name: 'empty' }] },
      ],
    });
    expect(made.content?.tree).toMatchObject([
      { type: 'file', encoding: 'base64', content: 'eCA9IDEK' },
      { type: 'file', encoding: 'text', content: 'not base64!' },
      { type: 'folder', children: [{ name: 'empty', type: 'folder' }] },
    ]);
    expect(made).toMatchObject({ env: 'julia', lang: 'julia' });
  });

  it('keeps versions, and refuses an edit of an old one', async () => {
    const { short_id: id } = await addModel(client);
    const save = (name: string, base_version?: number) =>
      client.updateObject({
        ...of(id),
        body: {
          payload: {
            object_type: 'model',
            content: { tree: [{ name, content: 'x', type: 'file', encoding: 'text' }] },
            base_version,
          },
        },
      });
    await save('two.stan', 1);
    await expect(save('stale.stan', 1)).rejects.toMatchObject({
      code: 'CONFLICT',
      details: { version: 2 },
    });
    await save('three.stan');
    expect((await client.listVersions(of(id))).versions.map((entry) => entry.version)).toEqual([
      3, 2, 1,
    ]);
    expect((await viewModel(id, 2)).content?.tree[0].name).toBe('two.stan');
    expect((await viewModel(id)).version).toBe(3);
    expect(await codeOf(viewModel(id, 4))).toBe('NOT_FOUND');
  });

  it('is saved by one of two simultaneous saves of the same version; the other is a conflict', async () => {
    const { short_id: id } = await addModel(client);
    const save = (name: string) =>
      codeOf(
        client.updateObject({
          ...of(id),
          body: {
            payload: {
              object_type: 'model',
              content: { tree: [{ name, content: 'x' }] },
              base_version: 1,
            },
          },
        }),
      );
    expect((await Promise.all([save('a'), save('b')])).toSorted()).toEqual(['CONFLICT', null]);
  });

  it.each(['../x', '..', '.', '', 'a/b', 'a\\b', 'a\0b', 'a\nb', 'C:x', 'nul', 'x'.repeat(300)])(
    'refuses a file named %j, naming the field',
    async (name) => {
      const sent = addModel(client, { tree: [{ name, content: 'x' }] });
      await expect(sent).rejects.toMatchObject({
        code: 'INVALID_PARAMETER',
        details: { field: 'payload.content.tree' },
      });
    },
  );

  it('refuses two files of the same name, a file with children, and a folder with content', async () => {
    for (const nodes of [
      [
        { name: 'a', content: 'x' },
        { name: 'a', content: 'y' },
      ],
      [{ name: 'a', type: 'file', children: [{ name: 'b', content: '' }] }],
      [{ name: 'a', type: 'folder', content: 'x' }],
    ] as TreeNode[][])
      expect(await codeOf(addModel(client, { tree: nodes }))).toBe('INVALID_PARAMETER');
  });

  it('is refused with the limit that a large file exceeds', async () => {
    const big = addModel(client, {
      tree: [{ name: 'big', content: 'x'.repeat(16 * 2 ** 20 + 1), encoding: 'text' }],
    });
    await expect(big).rejects.toMatchObject({
      code: 'TOO_LARGE',
      status: 413,
      details: { limit: 16_777_216, size: 16_777_217 },
    });
  });

  it('accepts no name with a line break, and no tag that is reserved for the service', async () => {
    expect(await codeOf(addModel(client, { name: 'a\nb' }))).toBe('INVALID_PARAMETER');
    const payload = { object_type: 'model', tags: ['builtin'] } as const;
    expect(
      await codeOf(client.createObject({ body: { payload: { ...payload, tags: ['builtin'] } } })),
    ).toBe('INVALID_PARAMETER');
    const { short_id: id } = await addModel(client);
    expect(
      await codeOf(
        client.updateObject({ ...of(id), body: { payload: { ...payload, tags: ['reserved'] } } }),
      ),
    ).toBe('INVALID_PARAMETER');
  });

  it('can be imported from the gallery, and from nowhere else by default', async () => {
    const fromGallery = {
      object_type: 'model',
      type: 'url',
      source_url: 'ergodic-gallery:eight-schools',
    } as const;
    const made = expectKind(await client.createObject({ body: { payload: fromGallery } }), 'model');
    expect(made).toMatchObject({
      env: 'stan',
      tags: ['model'],
      meta: { origin_url: 'ergodic-gallery:eight-schools' },
    });
    const from = (payload: object) =>
      codeOf(client.createObject({ body: { payload: { object_type: 'model', ...payload } } }));
    expect(await from({ type: 'url', source_url: 'ergodic-gallery:nothing' })).toBe('NOT_FOUND');
    expect(await from({ type: 'url', source_url: 'https://example.org/x' })).toBe('NOT_SUPPORTED');
    expect(await from({ type: 'repo', repo: 'a/b' })).toBe('NOT_SUPPORTED');
  });

  it('of the gallery is combined with the requested data', async () => {
    const { short_id: own } = await addData(client, { name: 'My own', data: '{"J": 1}' });
    const uri = 'ergodic-gallery:eight-schools';
    const create = (data_id?: string) =>
      client.createObject({
        body: { payload: { object_type: 'workflow', name: 'w', uri, ...(data_id && { data_id }) } },
      });
    expect(await create(own)).toMatchObject({ data_id: own, data_name: 'My own' });
    expect(await create()).toMatchObject({ data_name: expect.not.stringContaining('My own') });
    expect(await codeOf(create('D0000000'))).toBe('NOT_FOUND');
  });
});

describe('data', () => {
  it.each([
    ['{"a": [1, 2]}', 'json'],
    ['[1, 2]', 'json'],
    ['{"a": }', 'raw'],
    ['a,b\n1,2\n3,4\n', 'csv'],
    ['a;b\n1;2\n', 'csv'],
    ['"x,y",b\n"1,2",3\n', 'csv'],
    ['a,b\n1,2,3\n', 'raw'],
    ['some words', 'raw'],
    ['', 'raw'],
  ])('with the text %j have the format %s', async (data, fmt) =>
    expect(await addData(client, { data })).toMatchObject({ fmt, version: 1, size: data.length }),
  );

  it('are downloaded byte for byte from their signed address, for an hour', async () => {
    const bytes = Buffer.from([0, 255, 10, 13, 128]);
    const payload = {
      object_type: 'data',
      name: '<b>ü.bin',
      data: bytes.toString('base64'),
      base64_encoded: true,
    } as const;
    const made = expectKind(await client.createObject({ body: { payload } }), 'data');
    const view = expectKind(await client.viewObject(of(made.short_id)), 'data');
    const { pathname: url } = new URL(view.path as string);
    const response = await service.inject({ method: 'GET', url });
    expect(response.rawPayload).toEqual(bytes);
    expect(response.headers).toMatchObject({
      'content-type': 'application/octet-stream',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "sandbox; default-src 'none'; frame-ancestors 'none'",
      'content-disposition': `attachment; filename="_b__.bin"; filename*=UTF-8''_b_%C3%BC.bin`,
    });
    service.clock.now += 3_600_000;
    expect((await service.inject({ method: 'GET', url })).json().code).toBe('PERMISSION_DENIED');
  });
});
