/** The code editor: one instance that shows the model of the open file. */
import type * as Monaco from 'monaco-editor/editor/editor.api.js';
import { type Ref, type RefObject, useEffect, useImperativeHandle, useRef, useState } from 'react';
import classes from './code-editor.module.css';
import { type EditorFile, EditorModels } from './editor-models.ts';
import { editorOptions } from './editor-options.ts';
import type { Problem } from './stan-protocol.ts';
import type { StanService } from './stan-service.ts';

export interface CursorPlace {
  readonly line: number;
  readonly column: number;
}

export interface CodeEditorHandle {
  /** Puts the cursor there and shows it. */
  readonly goTo: (place: CursorPlace) => void;
  readonly format: () => void;
  /** Lists the parts of the file to go to. */
  readonly showOutline: () => void;
}

export interface CodeEditorProps {
  readonly files: readonly EditorFile[];
  readonly activeId: number;
  readonly problems: readonly Problem[];
  readonly service: StanService;
  readonly scheme: 'light' | 'dark';
  /** Long lines wrap. */
  readonly isWrapped: boolean;
  readonly flush: () => void;
  readonly onEdit: (id: number, text: string) => void;
  readonly onOpen: (id: number, place: CursorPlace) => void;
  readonly onCursor: (place: CursorPlace) => void;
  readonly onSave: () => void;
  readonly handle: Ref<CodeEditorHandle>;
}

interface Parts {
  readonly editor: Monaco.editor.IStandaloneCodeEditor;
  readonly models: EditorModels;
}

export default function CodeEditor(props: CodeEditorProps) {
  const { files, activeId, problems, service, scheme, isWrapped, handle } = props;
  const host = useRef<HTMLDivElement>(null);
  const latest = useRef(props);
  useEffect(() => {
    latest.current = props;
  });
  const [parts, setParts] = useState<Parts | null>(null);
  const wanted = useRef<CursorPlace | null>(null);

  useEffect(() => {
    let made: Parts | null = null;
    let isGone = false;
    void import('./monaco.ts').then(({ monaco, fixRemovedSyntax }) => {
      if (isGone || host.current === null) return;
      const models = new EditorModels({
        monaco,
        service,
        flush: () => latest.current.flush(),
        onEdit: (id, text) => latest.current.onEdit(id, text),
        onOpen: (id, place) => latest.current.onOpen(id, place),
      });
      const editor = monaco.editor.create(host.current, {
        ...editorOptions,
        model: null,
        theme: `ergodic-${latest.current.scheme}`,
      });
      editor.onDidChangeCursorPosition(({ position }) =>
        latest.current.onCursor({ line: position.lineNumber, column: position.column }),
      );
      // The list of problems opens below the text: the line being written stays in view.
      editor.onDidLayoutChange(() => {
        const place = editor.getPosition();
        if (place !== null && editor.hasTextFocus()) editor.revealPosition(place);
      });
      editor.addCommand(monaco.KeyMod.CtrlCmd | monaco.KeyCode.KeyS, () => latest.current.onSave());
      editor.addAction({
        id: 'ergodic.fix-removed-syntax',
        label: 'Fix all removed syntax',
        precondition: "editorLangId == 'stan' && !editorReadonly",
        contextMenuGroupId: '1_modification',
        run: () => fixRemovedSyntax(monaco, editor),
      });
      made = { editor, models };
      setParts(made);
    });
    return () => {
      isGone = true;
      made?.editor.dispose();
      made?.models.dispose();
      setParts(null);
    };
  }, [service]);

  useEffect(() => parts?.models.setFiles(files), [parts, files]);
  useEffect(() => parts?.models.setProblems(problems), [parts, problems]);
  useEffect(() => {
    parts?.editor.updateOptions({
      theme: `ergodic-${scheme}`,
      wordWrap: isWrapped ? 'on' : 'off',
    });
  }, [parts, scheme, isWrapped]);
  useEffect(() => {
    if (parts === null) return;
    const { editor, models } = parts;
    editor.setModel(models.get(activeId));
    editor.restoreViewState(models.viewState(activeId));
    if (wanted.current !== null) show(editor, wanted.current);
    wanted.current = null;
    return () => models.keepViewState(activeId, editor.saveViewState());
  }, [parts, activeId]);

  useHandle(handle, parts, wanted);
  return <div ref={host} className={classes.host} aria-busy={parts === null} />;
}

/** The handle for other components. `wanted` remembers a place until the model of its file is there. */
function useHandle(
  handle: Ref<CodeEditorHandle>,
  parts: Parts | null,
  wanted: RefObject<CursorPlace | null>,
): void {
  useImperativeHandle(
    handle,
    () => ({
      goTo: (place) => {
        // A file that is still opening shows the place once its model is there.
        wanted.current = place;
        setTimeout(() => {
          if (parts === null || wanted.current !== place) return;
          show(parts.editor, place);
          wanted.current = null;
        });
      },
      format: () => void parts?.editor.getAction('editor.action.formatDocument')?.run(),
      showOutline: () => {
        parts?.editor.focus();
        void parts?.editor.getAction('editor.action.quickOutline')?.run();
      },
    }),
    [parts, wanted],
  );
}

function show(editor: Monaco.editor.IStandaloneCodeEditor, { line, column }: CursorPlace): void {
  editor.setPosition({ lineNumber: line, column });
  editor.revealLineInCenterIfOutsideViewport(line);
  editor.focus();
}
