/** Hover, completion, definition, outline, format and quick fixes, each asked of the Stan worker behind a file. */
import type * as Monaco from 'monaco-editor/editor/editor.api.js';
import type { OutlineItem } from '../../language/editor/outline.ts';
import type { Problem } from './stan-protocol.ts';
import type { StanService } from './stan-service.ts';

/** What stands behind one open file. */
export interface FileBacking {
  readonly service: StanService;
  /** Its path now. */
  readonly path: () => string;
  /** Brings the worker up to the newest text. */
  readonly flush: () => void;
  readonly problems: () => readonly Problem[];
  /** The editor's model of another file of the same tree, made when needed. */
  readonly modelOf: (path: string) => Model | null;
}

const backings = new Map<string, FileBacking>();

/** Ties an editor model to its file; the returned function unties it. */
export function backModel(uri: Monaco.Uri, backing: FileBacking): () => void {
  const key = uri.toString();
  backings.set(key, backing);
  return () => backings.delete(key);
}

type Api = typeof Monaco;
type Model = Monaco.editor.ITextModel;

export function registerStanProviders(monaco: Api): void {
  const { languages } = monaco;
  languages.registerHoverProvider('stan', hoverProvider(monaco));
  languages.registerCompletionItemProvider('stan', completionProvider(monaco));
  languages.registerDefinitionProvider('stan', definitionProvider(monaco));
  languages.registerDocumentSymbolProvider('stan', outlineProvider(monaco));
  languages.registerDocumentFormattingEditProvider('stan', formatProvider());
  languages.registerCodeActionProvider('stan', quickFixProvider(monaco));
}

/** What is behind a model, once its worker has the newest text. */
function currentBacking(model: Model): FileBacking | undefined {
  const backing = backings.get(model.uri.toString());
  backing?.flush();
  return backing;
}

function rangeIn(monaco: Api, model: Model, { start, end }: { start: number; end: number }) {
  return monaco.Range.fromPositions(model.getPositionAt(start), model.getPositionAt(end));
}

function hoverProvider(monaco: Api): Monaco.languages.HoverProvider {
  return {
    async provideHover(model, position) {
      const backing = currentBacking(model);
      const offset = model.getOffsetAt(position);
      const found = await backing?.service.ask('hover', { path: backing.path(), offset });
      if (!found) return null;
      const contents = [
        { value: `\`\`\`stan\n${found.code}\n\`\`\`` },
        ...(found.text === '' ? [] : [{ value: escapeMarkdown(found.text) }]),
      ];
      return { range: rangeIn(monaco, model, found), contents };
    },
  };
}

function completionProvider(monaco: Api): Monaco.languages.CompletionItemProvider {
  const { CompletionItemKind: kinds, CompletionItemInsertTextRule: rules } = monaco.languages;
  const kindOf = {
    keyword: kinds.Keyword,
    type: kinds.TypeParameter,
    variable: kinds.Variable,
    function: kinds.Function,
    distribution: kinds.Class,
    block: kinds.Module,
  };
  return {
    triggerCharacters: ['~', '<', '.'],
    async provideCompletionItems(model, position) {
      const backing = currentBacking(model);
      const offset = model.getOffsetAt(position);
      const found = await backing?.service.ask('complete', { path: backing.path(), offset });
      if (!found) return { suggestions: [] };
      const range = rangeIn(monaco, model, found);
      const suggestions = found.items.map(({ label, kind, detail, meaning, insert }) => ({
        label,
        kind: kindOf[kind],
        detail,
        documentation: meaning,
        insertText: insert,
        insertTextRules: insert.includes('$0') ? rules.InsertAsSnippet : rules.None,
        // Names of this program before those of the library.
        sortText: `${kind === 'variable' ? 0 : 1}${label}`,
        range,
      }));
      return { suggestions };
    },
  };
}

function definitionProvider(monaco: Api): Monaco.languages.DefinitionProvider {
  return {
    async provideDefinition(model, position) {
      const backing = currentBacking(model);
      const offset = model.getOffsetAt(position);
      const found = await backing?.service.ask('definition', { path: backing.path(), offset });
      const target = found ? backing?.modelOf(found.path) : null;
      return found && target ? { uri: target.uri, range: rangeIn(monaco, target, found) } : null;
    },
  };
}

function outlineProvider(monaco: Api): Monaco.languages.DocumentSymbolProvider {
  const { SymbolKind: kinds } = monaco.languages;
  const kindOf = { block: kinds.Namespace, function: kinds.Function, variable: kinds.Variable };
  return {
    async provideDocumentSymbols(model) {
      const backing = currentBacking(model);
      const items = (await backing?.service.ask('outline', { path: backing.path() })) ?? [];
      const symbolOf = (item: OutlineItem): Monaco.languages.DocumentSymbol => ({
        name: item.name,
        detail: item.detail,
        kind: kindOf[item.kind],
        tags: [],
        range: rangeIn(monaco, model, item.span),
        selectionRange: rangeIn(monaco, model, item.nameSpan),
        children: item.children.filter(({ span }) => span.file === item.span.file).map(symbolOf),
      });
      return items.filter(({ span }) => span.file === 0).map(symbolOf);
    },
  };
}

function formatProvider(): Monaco.languages.DocumentFormattingEditProvider {
  return {
    displayName: 'Stan',
    async provideDocumentFormattingEdits(model) {
      const backing = currentBacking(model);
      const text = await backing?.service.ask('format', { path: backing.path() });
      return typeof text === 'string' && text !== model.getValue()
        ? [{ range: model.getFullModelRange(), text }]
        : [];
    },
  };
}

function quickFixProvider(monaco: Api): Monaco.languages.CodeActionProvider {
  return {
    provideCodeActions(model, range) {
      const problems = backings.get(model.uri.toString())?.problems() ?? [];
      const actions = problems.flatMap((problem): Monaco.languages.CodeAction[] => {
        const { fix } = problem;
        const place = rangeIn(monaco, model, problem);
        if (fix === undefined || !monaco.Range.areIntersectingOrTouching(place, range)) return [];
        const textEdit = { range: place, text: fix.replacement };
        return [
          {
            title: fix.title,
            kind: 'quickfix',
            isPreferred: true,
            diagnostics: [markerOf(monaco, model, problem)],
            edit: { edits: [{ resource: model.uri, versionId: model.getVersionId(), textEdit }] },
          },
        ];
      });
      return { actions, dispose: () => undefined };
    },
  };
}

/** A problem as the editor underlines it. */
export function markerOf(monaco: Api, model: Model, problem: Problem): Monaco.editor.IMarkerData {
  const { severity, message, code } = problem;
  const from = model.getPositionAt(problem.start);
  const to = model.getPositionAt(Math.max(problem.end, problem.start + 1));
  const { MarkerSeverity } = monaco;
  const severities = {
    error: MarkerSeverity.Error,
    warning: MarkerSeverity.Warning,
    info: MarkerSeverity.Info,
  };
  return {
    severity: severities[severity],
    message: message.replaceAll('`', ''),
    source: code,
    startLineNumber: from.lineNumber,
    startColumn: from.column,
    endLineNumber: to.lineNumber,
    endColumn: to.column,
  };
}

function escapeMarkdown(text: string): string {
  return text.replace(/[\\*_{}[\]<>#|]/g, '\\$&');
}
