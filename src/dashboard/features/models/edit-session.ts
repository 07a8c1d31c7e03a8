/** One model being edited: its tree, the server's copy, saving, conflicts, and the local draft. */
import { ApiError } from '../../../client/api-error.ts';
import type { Client } from '../../../client/create-client.ts';
import { expectKind } from '../../../client/expect-kind.ts';
import type { Model, ModelContent } from '../../../contract/model.ts';
import type { Draft, DraftStore } from '../../editor/drafts.ts';
import { type FileTree, fromContent, toContent } from '../../editor/file-tree.ts';
import {
  type Choice,
  compareTrees,
  type FileDifference,
  mergeTrees,
} from '../../editor/merge-trees.ts';
import {
  changesOf,
  changeText,
  fromDraft,
  isDirty,
  rebaseOnSaved,
  type TreeChanges,
  toDraft,
} from '../../editor/tree-changes.ts';

export interface Conflict {
  readonly theirs: Model;
  readonly differences: readonly FileDifference[];
}

export interface SaveFailure {
  readonly message: string;
  /** There was no answer: another attempt may succeed. */
  readonly isPassing: boolean;
}

export interface EditState {
  readonly tree: FileTree;
  readonly changes: TreeChanges;
  /** The version the edits are based on; undefined if the server does not count versions. */
  readonly version: number | undefined;
  readonly saving: boolean;
  /** Why the last save failed; null after a good one. */
  readonly failure: SaveFailure | null;
  readonly conflict: Conflict | null;
  /** Milliseconds since the epoch of the last save here; null: not saved yet. */
  readonly savedAt: number | null;
  readonly draft: 'none' | 'pending' | 'kept' | 'failed';
  /** Drafts of earlier visits that are neither opened nor discarded. */
  readonly offered: readonly Draft[];
}

export interface EditSessionOptions {
  readonly client: Client;
  readonly model: Model;
  readonly drafts: DraftStore;
  /** Server and model: the owner of these drafts. */
  readonly scope: string;
  /** Called with each model that the server returns. */
  readonly onSaved: (model: Model) => void;
  /** Runs a write to the server; the page runs it as an action, so that an expired session is handled. */
  readonly write?: <Result>(act: () => Promise<Result>) => Promise<Result>;
  readonly now?: () => number;
  readonly newId?: () => string;
}

const emptyContent: ModelContent = { tree: [] };

/** Milliseconds between the last keystroke and the draft. */
const draftDelayMs = 300;

export class EditSession {
  private readonly options: Required<EditSessionOptions>;
  private readonly listeners = new Set<() => void>();
  private state: EditState;
  private draftId: string;
  /** The draft whose base is stored: the base is large, so it is written only once. */
  private baseKeptFor: string | null = null;
  private draftTimer: ReturnType<typeof setTimeout> | undefined;
  /** Writes to the store one after another. */
  private writing: Promise<void> = Promise.resolve();

  constructor(options: EditSessionOptions) {
    this.options = {
      write: (act) => act(),
      now: Date.now,
      newId: () => crypto.randomUUID(),
      ...options,
    };
    const tree = fromContent(options.model.content ?? emptyContent);
    this.draftId = this.options.newId();
    this.state = {
      tree,
      changes: changesOf(tree),
      version: options.model.version,
      saving: false,
      failure: null,
      conflict: null,
      savedAt: null,
      draft: 'none',
      offered: [],
    };
    options.drafts.list(options.scope).then(
      (offered) => this.set({ offered: offered.filter(({ id }) => id !== this.draftId) }),
      () => undefined,
    );
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  readonly snapshot = (): EditState => this.state;

  get isDirty(): boolean {
    return isDirty(this.state.changes);
  }

  private set(change: Partial<EditState>): void {
    this.state = { ...this.state, ...change };
    for (const listener of this.listeners) listener();
  }

  /** The only way for user edits to change the tree. */
  edit(change: (tree: FileTree) => FileTree): void {
    const tree = change(this.state.tree);
    if (tree !== this.state.tree) this.setTree(tree);
  }

  private setTree(tree: FileTree, change: Partial<EditState> = {}): void {
    const changes = changesOf(tree);
    this.set({ tree, changes, draft: isDirty(changes) ? 'pending' : this.state.draft, ...change });
    clearTimeout(this.draftTimer);
    this.draftTimer = setTimeout(() => void this.keepDraft(), draftDelayMs);
  }

  /** Writes the draft now, or drops it if nothing differs any more. */
  keepDraft(): Promise<void> {
    clearTimeout(this.draftTimer);
    const { drafts, scope, now } = this.options;
    this.writing = this.writing.then(async () => {
      const { tree, changes, version } = this.state;
      const id = this.draftId;
      const dirty = isDirty(changes);
      try {
        if (dirty) {
          const draft = {
            scope,
            id,
            baseVersion: version ?? 0,
            tree: toDraft(tree),
            words: changeText(changes),
            keptAt: now(),
          };
          await drafts.keep(draft, this.baseKeptFor === id ? null : tree.saved.content);
          this.baseKeptFor = id;
        } else if (this.baseKeptFor === id) {
          await drafts.drop(id);
          this.baseKeptFor = null;
        }
        if (this.state.tree === tree) this.set({ draft: dirty ? 'kept' : 'none' });
      } catch {
        this.set({ draft: isDirty(this.state.changes) ? 'failed' : 'none' });
      }
    });
    return this.writing;
  }

  /** Leaves the session: the draft is stored, nothing else is done. */
  close(): void {
    if (this.state.draft === 'pending') void this.keepDraft();
    else clearTimeout(this.draftTimer);
  }

  /** Opens an offered draft; this session's edits are offered in its place. */
  async restoreDraft(draft: Draft): Promise<void> {
    await this.keepDraft();
    const base = await this.options.drafts.base(draft.id).catch(() => null);
    const content = base ?? this.state.tree.saved.content;
    this.draftId = draft.id;
    this.baseKeptFor = base === null ? null : draft.id;
    const offered = await this.options.drafts.list(this.options.scope).catch(() => []);
    this.setTree(fromDraft(content, draft.tree, this.state.tree.nextId), {
      version: draft.baseVersion === 0 ? undefined : draft.baseVersion,
      failure: null,
      offered: offered.filter(({ id }) => id !== draft.id),
    });
  }

  async dropDraft(draft: Draft): Promise<void> {
    await this.options.drafts.drop(draft.id);
    this.set({ offered: this.state.offered.filter(({ id }) => id !== draft.id) });
  }

  /** Sends the tree. True: the server has stored it; false: the state says why not. */
  async save(): Promise<boolean> {
    if (this.state.saving) return false;
    if (!this.isDirty) return true;
    const sent = this.state.tree;
    const content = toContent(sent);
    this.set({ saving: true, failure: null });
    try {
      const { version } = this.state;
      if (version === undefined && (await this.isChangedThere())) return false;
      const saved = await this.send(content, version);
      this.accept(saved, sent, content);
      return true;
    } catch (error) {
      const problem = ApiError.from(error);
      const isPassing = problem.kind === 'network' || problem.kind === 'timeout';
      const fail = () => this.set({ failure: { message: problem.message, isPassing } });
      if (problem.code === 'CONFLICT') await this.openConflict().catch(fail);
      else fail();
      return false;
    } finally {
      this.set({ saving: false });
    }
  }

  /**
   * Saves the files of an earlier version as the newest. Returns null, or why it failed. Refused if there are unsaved
   * edits, which would be lost.
   */
  async restore(content: ModelContent): Promise<string | null> {
    if (this.isDirty || this.state.saving) return 'save your edits first';
    const { version } = this.state;
    this.set({ saving: true, failure: null });
    try {
      const saved = await this.send(content, version);
      this.options.onSaved(saved);
      this.setBase(fromContent(content, this.state.tree.nextId), {
        version: saved.version,
        savedAt: this.options.now(),
      });
      return null;
    } catch (error) {
      return ApiError.from(error).message;
    } finally {
      this.set({ saving: false });
    }
  }

  private async send(content: ModelContent, version: number | undefined): Promise<Model> {
    const { client, model, write } = this.options;
    const base = version === undefined ? {} : { base_version: version };
    const payload = { object_type: 'model' as const, content, ...base };
    const answer = await write(() =>
      client.updateObject({ params: { objid: model.short_id }, body: { payload } }),
    );
    return expectKind(answer, 'model');
  }

  private accept(saved: Model, sent: FileTree, content: ModelContent): void {
    this.options.onSaved(saved);
    const tree = rebaseOnSaved(this.state.tree, sent, content);
    this.setBase(tree, { version: saved.version, savedAt: this.options.now(), failure: null });
  }

  /** The tree has a new base, so it gets a new draft; the old one is dropped once that is written. */
  private setBase(tree: FileTree, change: Partial<EditState>): void {
    const old = this.draftId;
    this.draftId = this.options.newId();
    this.setTree(tree, change);
    void this.keepDraft().then(() => this.options.drafts.drop(old).catch(() => undefined));
  }

  private async fetchTheirs(): Promise<Model> {
    return expectKind(
      await this.options.client.viewObject({ params: { objid: this.options.model.short_id } }),
      'model',
    );
  }

  /** If the server does not count versions, its copy is compared before it is replaced. */
  private async isChangedThere(): Promise<boolean> {
    const theirs = await this.fetchTheirs();
    const base = fromContent(this.state.tree.saved.content);
    if (compareTrees(base, theirs.content ?? emptyContent).length === 0) return false;
    this.setConflict(theirs);
    return true;
  }

  private async openConflict(): Promise<void> {
    this.setConflict(await this.fetchTheirs());
  }

  private setConflict(theirs: Model): void {
    const differences = compareTrees(this.state.tree, theirs.content ?? emptyContent);
    this.set({ conflict: { theirs, differences } });
  }

  /** Continues editing as before; the next save meets the conflict again. */
  leaveConflict(): void {
    this.set({ conflict: null });
  }

  /** Applies the choices on top of their version and saves. */
  async resolveConflict(choices: ReadonlyMap<string, Choice>): Promise<boolean> {
    const { conflict, tree } = this.state;
    if (conflict === null) return false;
    const { theirs, differences } = conflict;
    const merged = mergeTrees(tree, theirs.content ?? emptyContent, differences, choices);
    this.setBase(merged, { version: theirs.version, conflict: null });
    this.options.onSaved(theirs);
    return this.save();
  }
}

/** The text of the save state, and its tone. */
export function saveText(
  state: EditState,
  savedTime: string,
): { text: string; tone: 'plain' | 'warn' | 'bad' } {
  if (state.saving) return { text: 'Saving…', tone: 'plain' };
  const dirty = isDirty(state.changes);
  const kept = {
    none: '',
    pending: '',
    kept: ', draft kept in this browser',
    failed: ', the draft could not be stored',
  }[state.draft];
  if (state.conflict !== null)
    return { text: 'Not saved: the model was changed elsewhere', tone: 'bad' };
  if (state.failure !== null) return { text: failureText(state.failure, state.draft), tone: 'bad' };
  if (dirty) return { text: `${changeText(state.changes)}${kept}`, tone: 'warn' };
  return { text: savedTime === '' ? 'Saved' : `Saved ${savedTime}`, tone: 'plain' };
}

/** It stays after the connection is back, so it says what became of the edits and what to do. */
function failureText({ message, isPassing }: SaveFailure, draft: EditState['draft']): string {
  const kept = {
    none: '',
    pending: '',
    kept: ' The draft is kept in this browser.',
    failed: ' The draft could not be stored.',
  }[draft];
  return `Not saved: ${message}${kept}${isPassing ? ' Save again.' : ''}`;
}
