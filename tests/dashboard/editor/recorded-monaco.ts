/** Editors that record their calls, and whose events tests can trigger, in place of those of `fake-monaco.ts`. */
import { act } from '@testing-library/react';
import { vi } from 'vitest';
import { type FakeModel, monaco as fake } from '../../support/fake-monaco.ts';

interface Place {
  readonly lineNumber: number;
  readonly column: number;
}

/** Editors of the test, oldest first; likewise the models and the themes. */
export const editors: RecordedEditor[] = [];
export const models: FakeModel[] = [];
export const modelOptions: [FakeModel, object][] = [];
export const themes: string[] = [];
export class RecordedEditor {
  readonly host: unknown;
  readonly given: Readonly<Record<string, unknown>>;
  /** What `updateOptions` was given, oldest first. */
  readonly updates: Record<string, unknown>[] = [];
  /** Calls of everything else, by name. */
  readonly calls: [string, ...unknown[]][] = [];
  readonly actions: { id: string; run: () => unknown; [key: string]: unknown }[] = [];
  readonly commands: { key: number; run: () => void }[] = [];
  isDisposed = false;
  hasFocus = false;
  hasActions = true;
  position: Place | null = null;
  changes: readonly unknown[] | null = null;
  options: Record<string, unknown> = {};
  readonly sides = new Map<string, RecordedEditor>();
  private readonly listeners = new Map<string, ((event: unknown) => void)[]>();

  constructor(host: unknown, given: Readonly<Record<string, unknown>> = {}) {
    this.host = host;
    this.given = given;
  }

  /** Triggers `onDidLayoutChange` and the like. */
  emit(name: string, event?: unknown): void {
    for (const listen of this.listeners.get(name) ?? []) listen(event);
  }

  private on(name: string, listen: (event: unknown) => void): { dispose: () => void } {
    this.listeners.set(name, [...(this.listeners.get(name) ?? []), listen]);
    return { dispose: () => undefined };
  }

  onDidChangeCursorPosition = (listen: (event: unknown) => void) => this.on('cursor', listen);
  onDidLayoutChange = (listen: () => void) => this.on('layout', listen);
  onDidChangeConfiguration = (listen: () => void) => this.on('configuration', listen);
  onDidUpdateDiff = (listen: () => void) => this.on('diff', listen);

  updateOptions(options: Record<string, unknown>): void {
    this.updates.push(options);
    Object.assign(this.options, options);
  }
  getOption(option: unknown): unknown {
    return option === fake.editor.EditorOption.ariaLabel ? this.options.ariaLabel : undefined;
  }
  addCommand(key: number, run: () => void): void {
    this.commands.push({ key, run });
  }
  addAction(action: { id: string; run: () => unknown }): void {
    this.actions.push(action);
  }
  getPosition(): Place | null {
    return this.position;
  }
  hasTextFocus(): boolean {
    return this.hasFocus;
  }
  getLineChanges(): readonly unknown[] | null {
    return this.changes;
  }
  getOriginalEditor(): RecordedEditor {
    return this.side('original');
  }
  getModifiedEditor(): RecordedEditor {
    return this.side('modified');
  }
  private side(name: string): RecordedEditor {
    const side = this.sides.get(name) ?? new RecordedEditor(null);
    this.sides.set(name, side);
    return side;
  }
  getAction(id: string): { run: () => void } | null {
    return this.hasActions ? { run: () => this.note('run', id) } : null;
  }
  saveViewState(): string {
    return `view of ${editors.indexOf(this)}`;
  }
  setModel(model: unknown): void {
    this.note('setModel', model);
  }
  restoreViewState(state: unknown): void {
    this.note('restoreViewState', state);
  }
  goToDiff(to: string): void {
    this.note('goToDiff', to);
  }
  revealPosition(place: Place): void {
    this.note('revealPosition', place);
  }
  setPosition(place: Place): void {
    this.note('setPosition', place);
  }
  revealLineInCenterIfOutsideViewport(line: number): void {
    this.note('revealLine', line);
  }
  focus(): void {
    this.note('focus');
  }
  dispose(): void {
    this.isDisposed = true;
  }

  private note(...call: [string, ...unknown[]]): void {
    this.calls.push(call);
  }
}

function made(host: unknown, given: Readonly<Record<string, unknown>>): RecordedEditor {
  const editor = new RecordedEditor(host, given);
  editors.push(editor);
  return editor;
}

/** Records from now on; earlier records are cleared. */
export function record(): void {
  for (const list of [editors, models, modelOptions, themes]) list.length = 0;
  const { editor } = fake;
  const { createModel } = editor;
  vi.spyOn(editor, 'create').mockImplementation(made as unknown as typeof editor.create);
  vi.spyOn(editor, 'createDiffEditor').mockImplementation(
    made as unknown as typeof editor.createDiffEditor,
  );
  vi.spyOn(editor, 'createModel').mockImplementation((...given) => {
    const model = createModel(...given);
    const update = model.updateOptions.bind(model);
    model.updateOptions = (options) => {
      modelOptions.push([model, options]);
      update(options);
    };
    models.push(model);
    return model;
  });
  vi.spyOn(editor, 'setTheme').mockImplementation(((theme: string) => {
    themes.push(theme);
  }) as unknown as typeof editor.setTheme);
}

/** Waits for the editor, which a component loads when it is shown. */
export const loaded = () =>
  act(async () => {
    await vi.dynamicImportSettled();
    await new Promise((resolve) => setTimeout(resolve));
  });
