/**
 * The editor in happy-dom, which cannot measure text: models store their texts, editors only their options.
 * It stands in for `editor/monaco.ts` in all dashboard tests (vite.config.ts), so that none loads the real one.
 */

/** Options given to any editor, oldest first. */
export const givenOptions: { readonly wordWrap?: string }[] = [];

const nothing = { dispose: () => undefined };

interface Place {
  readonly lineNumber: number;
  readonly column: number;
}

class FakeUri {
  constructor(
    readonly path: string,
    private readonly origin = '',
  ) {}
  toString(): string {
    return this.origin + this.path;
  }
}

export class FakeRange {
  constructor(
    readonly startLineNumber: number,
    readonly startColumn: number,
    readonly endLineNumber: number,
    readonly endColumn: number,
  ) {}

  static fromPositions(start: Place, end = start): FakeRange {
    return new FakeRange(start.lineNumber, start.column, end.lineNumber, end.column);
  }

  getStartPosition(): Place {
    return { lineNumber: this.startLineNumber, column: this.startColumn };
  }

  getEndPosition(): Place {
    return { lineNumber: this.endLineNumber, column: this.endColumn };
  }
}

interface FakeEdit {
  readonly range: FakeRange;
  readonly text: string;
}

const byteOrderMark = '\uFEFF';

/** A text as the editor stores it: one kind of line ending, and a separate byte order mark. */
export class FakeModel {
  readonly uri: FakeUri;
  language: string | undefined;
  markers: readonly object[] = [];
  options: object | null = null;
  isDisposed = false;
  /** Undo steps. */
  steps = 0;
  private mark: string;
  private text: string;
  private readonly listeners = new Set<() => void>();

  constructor(text: string, language?: string, uri = new FakeUri('')) {
    this.mark = text.startsWith(byteOrderMark) ? byteOrderMark : '';
    const [end = '\n'] = /\r?\n/.exec(text) ?? [];
    this.text = text
      .slice(this.mark.length)
      .split(/\r\n?|\n/)
      .join(end);
    this.language = language;
    this.uri = uri;
  }

  getValue(_end?: unknown, hasMark = false): string {
    return hasMark ? this.mark + this.text : this.text;
  }

  getFullModelRange(): FakeRange {
    return FakeRange.fromPositions(this.getPositionAt(0), this.getPositionAt(this.text.length));
  }

  getVersionId(): number {
    return 1 + this.steps;
  }

  pushEditOperations(_before: unknown, edits: readonly FakeEdit[]): void {
    for (const { range, text } of edits) {
      const start = this.getOffsetAt(range.getStartPosition());
      const end = this.getOffsetAt(range.getEndPosition());
      this.text = this.text.slice(0, start) + text + this.text.slice(end);
    }
    this.steps++;
    for (const listen of this.listeners) listen();
  }

  getPositionAt(offset: number): Place {
    const lines = this.text.slice(0, offset).split('\n');
    return { lineNumber: lines.length, column: (lines.at(-1) ?? '').length + 1 };
  }

  getOffsetAt({ lineNumber, column }: Place): number {
    const before = this.text.split('\n').slice(0, lineNumber - 1);
    return before.reduce((sum, line) => sum + line.length + 1, column - 1);
  }

  onDidChangeContent(listen: () => void) {
    this.listeners.add(listen);
    return { dispose: () => void this.listeners.delete(listen) };
  }

  updateOptions(options: object): void {
    this.options = options;
  }

  dispose(): void {
    this.isDisposed = true;
    this.listeners.clear();
  }
}

class FakeEditor {
  onDidChangeCursorPosition = () => nothing;
  onDidLayoutChange = () => nothing;
  onDidChangeConfiguration = () => nothing;
  onDidUpdateDiff = () => nothing;
  updateOptions(options: { wordWrap?: string }): void {
    givenOptions.push(options);
  }
  addCommand(): void {}
  addAction(): void {}
  setModel(): void {}
  saveViewState(): null {
    return null;
  }
  restoreViewState(): void {}
  getAction(): null {
    return null;
  }
  getOption(): null {
    return null;
  }
  getOriginalEditor(): FakeEditor {
    return new FakeEditor();
  }
  getModifiedEditor(): FakeEditor {
    return new FakeEditor();
  }
  setPosition(): void {}
  revealLineInCenterIfOutsideViewport(): void {}
  focus(): void {}
  dispose(): void {}
}

type Opener = (
  source: unknown,
  resource: { toString(): string },
  at?: object,
) => boolean | Promise<boolean>;
/** Functions that open a file at a place, while registered. */
export const openers = new Set<Opener>();

/** What was registered for a language, by the name of the function that registers it. */
export const registered = new Map<
  string,
  { readonly language: string; readonly given: unknown[] }
>();

const register =
  (name: string) =>
  (language: string, ...given: unknown[]) => {
    registered.set(name, { language, given });
    return nothing;
  };

/** Each name is its own value. */
const namesOf = <Name extends string>(...names: Name[]) =>
  Object.fromEntries(names.map((name) => [name, name])) as Record<Name, Name>;

export const monaco = {
  Uri: {
    from: ({
      scheme,
      authority = '',
      path,
    }: {
      scheme: string;
      authority?: string;
      path: string;
    }) => new FakeUri(path, `${scheme}://${authority}`),
  },
  Range: FakeRange,
  KeyMod: { CtrlCmd: 2048 },
  KeyCode: { KeyS: 49 },
  MarkerSeverity: { Info: 2, Warning: 4, Error: 8 },
  editor: {
    EditorOption: { ariaLabel: 4 },
    create: () => new FakeEditor(),
    createDiffEditor: () => new FakeEditor(),
    createModel: (text: string, language?: string, uri?: FakeUri) =>
      new FakeModel(text, language, uri),
    setModelMarkers: (model: FakeModel, owner: string, markers: readonly object[]) => {
      model.markers = markers.map((marker) => ({ owner, ...marker }));
    },
    setModelLanguage: (model: FakeModel, language: string) => {
      model.language = language;
    },
    setTheme: () => undefined,
    registerEditorOpener: ({ openCodeEditor }: { openCodeEditor: Opener }) => {
      openers.add(openCodeEditor);
      return { dispose: () => void openers.delete(openCodeEditor) };
    },
  },
  languages: {
    CompletionItemKind: namesOf(
      'Keyword',
      'TypeParameter',
      'Variable',
      'Function',
      'Class',
      'Module',
    ),
    CompletionItemInsertTextRule: namesOf('None', 'InsertAsSnippet'),
    SymbolKind: namesOf('Namespace', 'Function', 'Variable'),
    DocumentHighlightKind: namesOf('Read', 'Write'),
    registerHoverProvider: register('hover'),
    registerCompletionItemProvider: register('completion'),
    registerDefinitionProvider: register('definition'),
    registerDocumentSymbolProvider: register('outline'),
    registerDocumentFormattingEditProvider: register('format'),
    registerSignatureHelpProvider: register('signature'),
    registerDocumentHighlightProvider: register('highlight'),
    registerReferenceProvider: register('reference'),
    registerRenameProvider: register('rename'),
    registerCodeActionProvider: register('codeAction'),
  },
};

/** Editors whose removed syntax was fixed. */
export const fixedEditors: unknown[] = [];
export const fixRemovedSyntax = (_monaco: unknown, editor: unknown) =>
  void fixedEditors.push(editor);
