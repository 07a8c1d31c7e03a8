/**
 * The editor in happy-dom, which cannot measure text: models hold their texts, editors hold no more than their options.
 * It stands in for `editor/monaco.ts` in all tests of the dashboard (vite.config.ts), so that none loads the real one.
 */

/** Options given to any editor, oldest first. */
export const givenOptions: { readonly wordWrap?: string }[] = [];

const nothing = { dispose: () => undefined };

interface Place {
  readonly lineNumber: number;
  readonly column: number;
}

class FakeUri {
  readonly path: string;
  constructor(path: string) {
    this.path = path;
  }
  toString(): string {
    return this.path;
  }
}

class FakeModel {
  readonly uri: FakeUri;
  private text: string;
  private readonly listeners = new Set<() => void>();

  constructor(text: string, _language?: string, uri = new FakeUri('')) {
    this.text = text;
    this.uri = uri;
  }

  getValue(): string {
    return this.text;
  }

  getFullModelRange(): null {
    return null;
  }

  /** Every edit that the dashboard makes sets the whole text. */
  pushEditOperations(_before: unknown, [{ text }]: [{ text: string }]): void {
    this.text = text;
    for (const listen of this.listeners) listen();
  }

  getPositionAt(offset: number): Place {
    const lines = this.text.slice(0, offset).split('\n');
    return { lineNumber: lines.length, column: (lines.at(-1) ?? '').length + 1 };
  }

  onDidChangeContent(listen: () => void) {
    this.listeners.add(listen);
    return { dispose: () => void this.listeners.delete(listen) };
  }

  updateOptions(): void {}

  dispose(): void {
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

export const monaco = {
  Uri: { from: ({ path }: { path: string }) => new FakeUri(path) },
  KeyMod: { CtrlCmd: 2048 },
  KeyCode: { KeyS: 49 },
  MarkerSeverity: { Info: 2, Warning: 4, Error: 8 },
  editor: {
    EditorOption: { ariaLabel: 4 },
    create: () => new FakeEditor(),
    createDiffEditor: () => new FakeEditor(),
    createModel: (text: string, language?: string, uri?: FakeUri) =>
      new FakeModel(text, language, uri),
    setModelMarkers: () => undefined,
    setModelLanguage: () => undefined,
    setTheme: () => undefined,
    registerEditorOpener: () => nothing,
  },
};
