/** The editor's features for Stan files, from hovers to renaming: each asks the file's Stan worker. */
import type * as Monaco from 'monaco-editor/editor/editor.api.js';
import type { OutlineItem } from '../../language/editor/outline.ts';
import { showToast } from '../ui/toasts.tsx';
import type { FileEdit, OfferedFix, Problem, StanQuestions } from './stan-protocol.ts';
import type { StanService } from './stan-service.ts';

/** The service and state of one open file. */
export interface FileBacking {
  readonly service: StanService;
  /** Its current path. */
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
  languages.registerSignatureHelpProvider('stan', signatureProvider());
  languages.registerDocumentHighlightProvider('stan', highlightProvider(monaco));
  languages.registerReferenceProvider('stan', referenceProvider(monaco));
  languages.registerRenameProvider('stan', renameProvider(monaco));
  languages.registerCodeActionProvider('stan', quickFixProvider(monaco), {
    providedCodeActionKinds: ['quickfix', fixAllKind],
  });
}

/** Toasts do not render code. */
function showRefusal(reason: string): void {
  showToast({ message: reason.replaceAll('`', ''), tone: 'bad' });
}

/** The backing of a model, once its worker has the newest text. */
function currentBacking(model: Model): FileBacking | undefined {
  const backing = backings.get(model.uri.toString());
  backing?.flush();
  return backing;
}

/** The answer to a question about a place in a file; undefined if the file is not open any more. */
async function askAt<N extends 'hover' | 'complete' | 'signature' | 'renamePlace'>(
  model: Model,
  position: Monaco.Position,
  question: N,
): Promise<StanQuestions[N]['answer'] | undefined> {
  const backing = currentBacking(model);
  const offset = model.getOffsetAt(position);
  return backing?.service.ask(question, { path: backing.path(), offset });
}

function rangeIn(monaco: Api, model: Model, { start, end }: { start: number; end: number }) {
  return monaco.Range.fromPositions(model.getPositionAt(start), model.getPositionAt(end));
}

function hoverProvider(monaco: Api): Monaco.languages.HoverProvider {
  return {
    async provideHover(model, position) {
      const found = await askAt(model, position, 'hover');
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
      const found = await askAt(model, position, 'complete');
      if (!found) return { suggestions: [] };
      const range = rangeIn(monaco, model, found);
      const suggestions = found.items.map(({ label, kind, detail, meaning, insert }) => ({
        label,
        kind: kindOf[kind],
        detail,
        documentation: meaning,
        insertText: insert,
        insertTextRules: insert.includes('$0') ? rules.InsertAsSnippet : rules.None,
        // Names of this program come before those of the library.
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
      if (backing === undefined) return null;
      const offset = model.getOffsetAt(position);
      const found = await backing.service.ask('definition', { path: backing.path(), offset });
      const target = found ? backing.modelOf(found.path) : null;
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
      const formatted = await backing?.service.ask('format', { path: backing.path() });
      if (formatted === undefined) return [];
      if ('problem' in formatted) {
        showRefusal(formatted.problem);
        return [];
      }
      const { text } = formatted;
      return text === model.getValue() ? [] : [{ range: model.getFullModelRange(), text }];
    },
  };
}

function signatureProvider(): Monaco.languages.SignatureHelpProvider {
  return {
    signatureHelpTriggerCharacters: ['(', ',', '|'],
    signatureHelpRetriggerCharacters: [')'],
    async provideSignatureHelp(model, position) {
      const found = await askAt(model, position, 'signature');
      if (!found) return null;
      const signatures = found.signatures.map(({ text, places, meaning }) => ({
        label: text,
        documentation: meaning,
        parameters: places.map(({ start, end }) => ({ label: [start, end] as [number, number] })),
        // If more arguments may follow, the last one represents them.
        activeParameter: text.endsWith('…)')
          ? Math.min(found.parameter, places.length - 1)
          : found.parameter,
      }));
      const { active: activeSignature, parameter: activeParameter } = found;
      const value = { signatures, activeSignature, activeParameter };
      return { value, dispose: () => undefined };
    },
  };
}

function highlightProvider(monaco: Api): Monaco.languages.DocumentHighlightProvider {
  const { DocumentHighlightKind: kinds } = monaco.languages;
  return {
    async provideDocumentHighlights(model, position) {
      const backing = currentBacking(model);
      if (backing === undefined) return [];
      const path = backing.path();
      const offset = model.getOffsetAt(position);
      const places = await backing.service.ask('occurrences', { path, offset });
      return places
        .filter((place) => place.path === path)
        .map((place) => ({
          range: rangeIn(monaco, model, place),
          kind: place.isWrite ? kinds.Write : kinds.Read,
        }));
    },
  };
}

function referenceProvider(monaco: Api): Monaco.languages.ReferenceProvider {
  return {
    async provideReferences(model, position) {
      const backing = currentBacking(model);
      if (backing === undefined) return [];
      const offset = model.getOffsetAt(position);
      const places = await backing.service.ask('occurrences', { path: backing.path(), offset });
      return places.flatMap((place) => {
        const target = backing.modelOf(place.path);
        return target ? [{ uri: target.uri, range: rangeIn(monaco, target, place) }] : [];
      });
    },
  };
}

function renameProvider(monaco: Api): Monaco.languages.RenameProvider {
  return {
    async provideRenameEdits(model, position, newName) {
      const backing = currentBacking(model);
      if (backing === undefined) return { edits: [] };
      const offset = model.getOffsetAt(position);
      const ask = { path: backing.path(), offset, name: newName };
      const answer = await backing.service.ask('rename', ask);
      if ('refusal' in answer) {
        // the editor shows the given reason in the console only
        showRefusal(answer.refusal);
        return { edits: [] };
      }
      return editsOf(monaco, backing, answer.edits);
    },
    async resolveRenameLocation(model, position) {
      const found = await askAt(model, position, 'renamePlace');
      const nowhere = { range: monaco.Range.fromPositions(position), text: '' };
      if (found === undefined) return { ...nowhere, rejectReason: 'This cannot be renamed.' };
      if ('refusal' in found)
        return { ...nowhere, rejectReason: found.refusal.replaceAll('`', '') };
      return { range: rangeIn(monaco, model, found), text: found.name };
    },
  };
}

/** Edits of several files in the editor's format, which needs a model of each. */
function editsOf(
  monaco: Api,
  backing: FileBacking,
  edits: readonly FileEdit[],
): Monaco.languages.WorkspaceEdit {
  return {
    edits: edits.flatMap((edit) => {
      const target = backing.modelOf(edit.path);
      if (!target) return [];
      const textEdit = { range: rangeIn(monaco, target, edit), text: edit.text };
      return [{ resource: target.uri, versionId: target.getVersionId(), textEdit }];
    }),
  };
}

const fixAllKind = 'source.fixAll.removedSyntax';

function quickFixProvider(monaco: Api): Monaco.languages.CodeActionProvider {
  return {
    async provideCodeActions(model, range, { only }) {
      const backing = currentBacking(model);
      if (backing === undefined) return null;
      const isSource = only?.startsWith('source') === true;
      const found = isSource ? [] : await fixesIn(model, range, backing);
      const actions = found.map(({ title, problem, edits }): Monaco.languages.CodeAction => {
        const known = backing.problems().find((other) => isProblem(other, problem));
        return {
          title,
          kind: 'quickfix',
          isPreferred: true,
          diagnostics: known === undefined ? [] : [markerOf(monaco, model, known)],
          edit: editsOf(monaco, backing, edits),
        };
      });
      // For the menu at one place the editor shows only quick fixes.
      const isOld = found.some(({ isRemovedSyntax }) => isRemovedSyntax);
      const kind = isSource ? fixAllKind : 'quickfix';
      const all = isSource || isOld ? await fixAllAction(monaco, backing, kind) : null;
      return { actions: all === null ? actions : [...actions, all], dispose: () => undefined };
    },
  };

  function isProblem(one: Problem, other: OfferedFix['problem']): boolean {
    return one.start === other.start && one.message === other.message;
  }
}

function fixesIn(
  model: Model,
  range: Monaco.Range,
  { service, path }: FileBacking,
): Promise<readonly OfferedFix[]> {
  return service.ask('fixes', {
    path: path(),
    start: model.getOffsetAt(range.getStartPosition()),
    end: model.getOffsetAt(range.getEndPosition()),
  });
}

async function fixAllAction(
  monaco: Api,
  backing: FileBacking,
  kind: string,
): Promise<Monaco.languages.CodeAction | null> {
  const { edits, count } = await backing.service.ask('fixRemoved', { path: backing.path() });
  if (count === 0) return null;
  return {
    title:
      count === 1 ? 'Fix all removed syntax (1 place)' : `Fix all removed syntax (${count} places)`,
    kind,
    edit: editsOf(monaco, backing, edits),
  };
}

/** Rewrites all removed syntax of the program that a model is part of, as a single undo step. */
export async function fixRemovedSyntax(monaco: Api, editor: Monaco.editor.ICodeEditor) {
  const model = editor.getModel();
  const backing = model && currentBacking(model);
  if (!model || !backing) return;
  const { edits } = await backing.service.ask('fixRemoved', { path: backing.path() });
  for (const edit of edits) {
    const target = backing.modelOf(edit.path);
    if (!target) continue;
    const change = { range: rangeIn(monaco, target, edit), text: edit.text };
    if (target === model) {
      editor.pushUndoStop();
      editor.executeEdits('fix removed syntax', [change]);
      editor.pushUndoStop();
    } else target.pushEditOperations([], [change], () => null);
  }
}

/** A problem as a marker of the editor. */
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
