/** One editor model per file, cached while the page is open, so that undo, cursor and scroll survive switching files. */
import type * as Monaco from 'monaco-editor/editor/editor.api.js';
import { textOptions } from './editor-options.ts';
import { languageOfFile } from './languages.ts';
import type { Problem } from './stan-protocol.ts';
import { backModel, markerOf } from './stan-providers.ts';
import type { StanService } from './stan-service.ts';

/** A text file as the page has it. */
export interface EditorFile {
  readonly id: number;
  readonly path: string;
  readonly text: string;
}

export interface EditorModelsOptions {
  readonly monaco: typeof Monaco;
  readonly service: StanService;
  /** Brings the worker up to the newest text. */
  readonly flush: () => void;
  readonly onEdit: (id: number, text: string) => void;
  /** Opens a file at a place: a definition in another file. */
  readonly onOpen: (id: number, place: { line: number; column: number }) => void;
}

interface OpenModel {
  readonly model: Monaco.editor.ITextModel;
  readonly release: () => void;
  path: string;
  viewState: Monaco.editor.ICodeEditorViewState | null;
}

let numWorkspaces = 0;

export class EditorModels {
  private readonly options: EditorModelsOptions;
  private readonly open = new Map<number, OpenModel>();
  private files: readonly EditorFile[] = [];
  private problems: readonly Problem[] = [];
  private readonly workspace = ++numWorkspaces;
  private readonly opener: Monaco.IDisposable;
  /** The model's text is being synchronised with the page's: not an edit. */
  private isSetting = false;

  constructor(options: EditorModelsOptions) {
    this.options = options;
    this.opener = options.monaco.editor.registerEditorOpener({
      openCodeEditor: (_source, resource, at) => {
        const found = [...this.open].find(
          ([, { model }]) => model.uri.toString() === resource.toString(),
        );
        if (found === undefined) return false;
        options.onOpen(found[0], placeOf(at));
        return true;
      },
    });
  }

  /** Synchronises the models with the page: texts set elsewhere, new names, removed files. */
  setFiles(files: readonly EditorFile[]): void {
    this.files = files;
    const { monaco } = this.options;
    const byId = new Map(files.map((file) => [file.id, file]));
    for (const [id, open] of this.open) {
      const file = byId.get(id);
      if (file === undefined) {
        this.close(id, open);
        continue;
      }
      if (open.path !== file.path) {
        open.path = file.path;
        monaco.editor.setModelLanguage(open.model, languageOfFile(file.path));
      }
      if (textOf(open.model) !== file.text && normal(textOf(open.model)) !== normal(file.text))
        this.setText(open.model, file.text);
    }
  }

  /** As a single undo step, so that the previous text can be restored. */
  private setText(model: Monaco.editor.ITextModel, text: string): void {
    this.isSetting = true;
    model.pushEditOperations([], [{ range: model.getFullModelRange(), text }], () => null);
    this.isSetting = false;
  }

  setProblems(problems: readonly Problem[]): void {
    this.problems = problems;
    for (const open of this.open.values()) this.mark(open);
  }

  private mark({ model, path }: OpenModel): void {
    const { monaco } = this.options;
    const markers = this.problems
      .filter((problem) => problem.path === path)
      .map((problem) => markerOf(monaco, model, problem));
    monaco.editor.setModelMarkers(model, 'stan', markers);
  }

  get(id: number): Monaco.editor.ITextModel | null {
    const existing = this.open.get(id);
    if (existing !== undefined) return existing.model;
    const file = this.files.find((candidate) => candidate.id === id);
    if (file === undefined) return null;
    const { monaco, service, flush, onEdit } = this.options;
    const uri = monaco.Uri.from({
      scheme: 'inmemory',
      authority: 'model',
      path: `/${this.workspace}/${id}/${file.path}`,
    });
    const model = monaco.editor.createModel(file.text, languageOfFile(file.path), uri);
    model.updateOptions(textOptions);
    const listening = model.onDidChangeContent(() => {
      if (!this.isSetting) onEdit(id, textOf(model));
    });
    const open: OpenModel = {
      model,
      path: file.path,
      viewState: null,
      release: () => {
        listening.dispose();
        untie();
      },
    };
    const untie = backModel(uri, {
      service,
      path: () => open.path,
      flush,
      problems: () => this.problems.filter((problem) => problem.path === open.path),
      modelOf: (target) => this.get(this.files.find((other) => other.path === target)?.id ?? -1),
    });
    this.open.set(id, open);
    this.mark(open);
    return model;
  }

  viewState(id: number): Monaco.editor.ICodeEditorViewState | null {
    return this.open.get(id)?.viewState ?? null;
  }

  keepViewState(id: number, state: Monaco.editor.ICodeEditorViewState | null): void {
    const open = this.open.get(id);
    if (open !== undefined) open.viewState = state;
  }

  private close(id: number, { model, release }: OpenModel): void {
    this.open.delete(id);
    release();
    model.dispose();
  }

  dispose(): void {
    this.opener.dispose();
    for (const [id, open] of this.open) this.close(id, open);
  }
}

function placeOf(at: Monaco.IRange | Monaco.IPosition | undefined): {
  line: number;
  column: number;
} {
  if (at === undefined) return { line: 1, column: 1 };
  return 'startLineNumber' in at
    ? { line: at.startLineNumber, column: at.startColumn }
    : { line: at.lineNumber, column: at.column };
}

/** With the byte order mark, if the file has one. */
function textOf(model: Monaco.editor.ITextModel): string {
  return model.getValue(undefined, true);
}

/** The editor normalises a file's line ends; that alone is not an edit. */
function normal(text: string): string {
  return text.replace(/\r\n?/g, '\n');
}
