import { beforeEach, describe, expect, it } from 'vitest';
import { type Client, createClient } from '../../../src/client/create-client.ts';
import type { Model, ModelContent, TreeNode } from '../../../src/contract/model.ts';
import { fileText, listFiles, remove, setText } from '../../../src/dashboard/editor/file-tree.ts';
import { defaultChoices } from '../../../src/dashboard/editor/merge-trees.ts';
import { EditSession, saveText } from '../../../src/dashboard/features/models/edit-session.ts';
import { createFakeModel } from '../../support/fake-objects.ts';
import { FakeServer } from '../../support/fake-server.ts';
import { idOf } from '../editor/trees.ts';
import { DraftMemory } from './draft-memory.ts';

const text = (name: string, content: string): TreeNode => ({
  name,
  type: 'file',
  content,
  encoding: 'text',
});
const content = (): ModelContent => ({
  meta: { entrance_file: 'main.stan' },
  tree: [text('main.stan', 'one'), text('notes.md', 'notes'), text('part.stan', 'part')],
});

/** A server that counts versions and refuses an edit of an old one. */
class VersionedServer extends FakeServer {
  conflicts = 0;
  /** `fetch` with versions counted. */
  get versionedFetch(): FakeServer['fetch'] {
    const inner = this.fetch;
    return async (input, init) => {
      const [model] = this.objects.values();
      if (init?.method === 'POST' && model.object_type === 'model' && model.version !== undefined) {
        const { payload } = JSON.parse(init.body as string) as {
          payload: { base_version?: number };
        };
        if (payload.base_version !== undefined && payload.base_version !== model.version) {
          this.conflicts++;
          const details = { version: model.version };
          return Response.json(
            { status: 'error', code: 'CONFLICT', message: 'It was changed since.', details },
            { status: 400 },
          );
        }
        const answer = await inner(input, init);
        if (!answer.ok) return answer;
        this.put({ version: model.version + 1 });
        const { data } = (await answer.json()) as { data: Model };
        return Response.json({ status: 'ok', data: { ...data, version: model.version + 1 } });
      }
      return inner(input, init);
    };
  }

  put(change: Partial<Model>): void {
    const [model] = this.objects.values();
    this.objects.set(model.short_id, { ...(model as Model), ...change });
  }

  get model(): Model {
    return [...this.objects.values()][0] as Model;
  }
}

let server: VersionedServer;
let client: Client;
let drafts: DraftMemory;
let ids: number;

beforeEach(() => {
  server = new VersionedServer({ objects: [createFakeModel({ version: 3, content: content() })] });
  client = createClient({
    baseUrl: 'http://fake.test',
    token: server.token,
    fetch: server.versionedFetch,
  });
  drafts = new DraftMemory();
  ids = 0;
});

function openSession(model: Model = server.model): EditSession {
  const newId = () => `draft-${++ids}`;
  return new EditSession({
    client,
    model,
    drafts,
    scope: 'here M',
    onSaved: () => undefined,
    now: () => 1000 + ids,
    newId,
  });
}

function type(session: EditSession, path: string, text: string): void {
  session.edit((tree) => setText(tree, idOf(tree, path), text));
}

const saved = (session: EditSession) => saveText(session.snapshot(), '12:03').text;
const serverTexts = () =>
  Object.fromEntries(server.model.content?.tree.map((node) => [node.name, node.content]) ?? []);

describe('saving', () => {
  it('sends the whole tree with the version it is based on, untouched nodes unchanged', async () => {
    const session = openSession();
    type(session, 'main.stan', 'two');
    expect(saved(session)).toBe('1 file edited');
    expect(await session.save()).toBe(true);
    expect(server.callsOf('updateObject')[0].body).toEqual({
      payload: {
        object_type: 'model',
        base_version: 3,
        content: { ...content(), tree: [text('main.stan', 'two'), ...content().tree.slice(1)] },
      },
    });
    expect(session.snapshot().version).toBe(4);
    expect(session.isDirty).toBe(false);
    expect(saved(session)).toBe('Saved 12:03');
  });

  it('says why it failed, keeps the edits, and can be tried again', async () => {
    const session = openSession();
    type(session, 'main.stan', 'two');
    server.failNext('updateObject', 'offline');
    expect(await session.save()).toBe(false);
    expect(saved(session)).toBe('Not saved: The server cannot be reached. Save again.');
    await session.keepDraft();
    expect(saved(session)).toBe(
      'Not saved: The server cannot be reached. The draft is kept in this browser. Save again.',
    );
    server.failNext('updateObject', 'PERMISSION_DENIED', 'This is not yours.');
    await session.save();
    expect(saved(session)).toBe('Not saved: This is not yours. The draft is kept in this browser.');
    expect(await session.save()).toBe(true);
  });

  it('keeps what is typed meanwhile as the next edit', async () => {
    const session = openSession();
    type(session, 'main.stan', 'two');
    const saving = session.save();
    expect(saved(session)).toBe('Saving…');
    type(session, 'main.stan', 'two and three');
    await saving;
    expect(saved(session)).toMatch(/^1 file edited/);
    await session.save();
    expect(serverTexts()['main.stan']).toBe('two and three');
  });

  it('sends nothing to the server if nothing changed', async () => {
    expect(await openSession().save()).toBe(true);
    expect(server.requests).toEqual([]);
  });
});

describe('a conflict', () => {
  const saveTheirs = () =>
    server.put({
      version: 4,
      content: {
        ...content(),
        tree: [
          text('main.stan', 'theirs'),
          text('notes.md', 'notes'),
          text('part.stan', 'their part'),
        ],
      },
    });

  it('shows both, loses neither, and saves the choice on top of theirs', async () => {
    const session = openSession();
    type(session, 'main.stan', 'mine');
    type(session, 'notes.md', 'my notes');
    saveTheirs();
    expect(await session.save()).toBe(false);
    const { conflict } = session.snapshot();
    expect(conflict?.differences.map(({ path, changedBy }) => [path, changedBy])).toEqual([
      ['main.stan', 'both'],
      ['notes.md', 'mine'],
      ['part.stan', 'theirs'],
    ]);
    expect(serverTexts()['main.stan']).toBe('theirs');
    const choices = defaultChoices(conflict?.differences ?? []).set('main.stan', 'mine');
    expect(await session.resolveConflict(choices)).toBe(true);
    expect(serverTexts()).toEqual({
      'main.stan': 'mine',
      'notes.md': 'my notes',
      'part.stan': 'their part',
    });
    expect(session.snapshot()).toMatchObject({ version: 5, conflict: null });
    expect(session.isDirty).toBe(false);
  });

  it('can be left to continue editing; the next save meets it again', async () => {
    const session = openSession();
    type(session, 'main.stan', 'mine');
    saveTheirs();
    await session.save();
    session.leaveConflict();
    expect(listFiles(session.snapshot().tree).map(({ entry }) => fileText(entry))[0]).toBe('mine');
    await session.save();
    expect(server.conflicts).toBe(2);
    expect(session.snapshot().conflict).not.toBeNull();
  });

  it('is found by comparison if the server counts no versions', async () => {
    const { version: _, ...plain } = server.model;
    server.objects.set(plain.short_id, plain);
    const session = openSession(plain);
    type(session, 'main.stan', 'mine');
    server.put({
      content: { ...content(), tree: [text('main.stan', 'theirs'), ...content().tree.slice(1)] },
    });
    expect(await session.save()).toBe(false);
    expect(session.snapshot().conflict?.differences).toMatchObject([
      { path: 'main.stan', changedBy: 'both' },
    ]);
    await session.resolveConflict(new Map([['main.stan', 'mine']]));
    expect(serverTexts()['main.stan']).toBe('mine');
  });
});

describe('a draft', () => {
  it('is stored with its version, offered on the next visit, and opens there', async () => {
    const first = openSession();
    type(first, 'main.stan', 'typed');
    await first.keepDraft();
    expect(saved(first)).toBe('1 file edited, draft kept in this browser');

    server.put({ version: 7, content: { tree: [text('main.stan', 'another')] } });
    const second = openSession();
    await expect
      .poll(() => second.snapshot().offered)
      .toMatchObject([{ baseVersion: 3, words: '1 file edited' }]);
    await second.restoreDraft(second.snapshot().offered[0]);
    expect(second.snapshot()).toMatchObject({ version: 3, offered: [] });
    expect(saved(second)).toMatch(/^1 file edited/);
    // It is based on v3, so saving it shows both.
    expect(await second.save()).toBe(false);
    expect(second.snapshot().conflict).not.toBeNull();
  });

  it('is removed when everything is saved', async () => {
    const session = openSession();
    type(session, 'main.stan', 'typed');
    await session.keepDraft();
    expect(drafts.drafts.size).toBe(1);
    await session.save();
    await expect.poll(() => [drafts.drafts.size, drafts.bases.size]).toEqual([0, 0]);
  });

  it('is removed when the edit is undone', async () => {
    const session = openSession();
    type(session, 'main.stan', 'typed');
    await session.keepDraft();
    type(session, 'main.stan', 'one');
    await session.keepDraft();
    expect(drafts.drafts.size).toBe(0);
    expect(saved(session)).toBe('Saved 12:03');
  });

  it('of this visit is kept when another is restored', async () => {
    const first = openSession();
    type(first, 'main.stan', 'earlier');
    await first.keepDraft();
    const second = openSession();
    await expect.poll(() => second.snapshot().offered.length).toBe(1);
    type(second, 'notes.md', 'later');
    await second.restoreDraft(second.snapshot().offered[0]);
    expect(second.snapshot().offered).toMatchObject([{ id: 'draft-2' }]);
    expect([...drafts.drafts.keys()].toSorted()).toEqual(['draft-1', 'draft-2']);
  });

  it('that cannot be stored is reported', async () => {
    const session = openSession();
    drafts.isBroken = true;
    session.edit((tree) => remove(tree, idOf(tree, 'part.stan')));
    await session.keepDraft();
    expect(session.snapshot().draft).toBe('failed');
    expect(saved(session)).toBe('1 file deleted, the draft could not be stored');
  });
});
