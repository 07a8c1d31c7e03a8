/** The files of a model for its panes: which are open, their problems, and how to go to a position. */
import { useDeferredValue, useMemo, useRef, useState } from 'react';
import type { CodeEditorHandle, CursorPlace } from '../../editor/code-editor.tsx';
import { entranceOf, fileText, listFiles } from '../../editor/file-tree.ts';
import type { Problem } from '../../editor/stan-protocol.ts';
import { stanFilesOf, useStan } from '../../editor/use-stan.ts';
import type { EditState } from './edit-session.ts';
import { useOpenFiles } from './use-open-files.ts';

export type Pane = 'tree' | 'code' | 'run';

export interface ModelFilesOptions {
  readonly state: EditState;
  /** Path of the file to show. */
  readonly file: string;
  readonly onFile: (path: string) => void;
}

export type ModelFiles = ReturnType<typeof useModelFiles>;

const noProblems: readonly Problem[] = [];

export function useModelFiles({ state: { tree }, file, onFile }: ModelFilesOptions) {
  const [pane, setPane] = useState<Pane>('code');
  const editor = useRef<CodeEditorHandle>(null);
  const stanFiles = useMemo(() => stanFilesOf(tree), [tree]);
  const stan = useStan(stanFiles);
  const problems = stan.checked?.problems ?? noProblems;
  // A long list of problems is rendered when typing leaves time for it.
  const listedProblems = useDeferredValue(problems);
  const texts = useMemo(
    () =>
      listFiles(tree).flatMap(({ entry, path }) => {
        const text = fileText(entry);
        return text === null ? [] : [{ id: entry.id, path, text }];
      }),
    [tree],
  );
  const { open, active, show, close } = useOpenFiles(tree, file, onFile);

  const openFile = (id: number) => {
    show(id);
    setPane('code');
  };
  const goTo = (id: number, place: CursorPlace) => {
    openFile(id);
    editor.current?.goTo(place);
  };
  const goToProblem = (problem: Problem) => {
    const target = listFiles(tree).find(({ path }) => path === problem.path);
    if (target !== undefined) goTo(target.entry.id, problem);
  };
  return {
    pane,
    setPane,
    editor,
    stan,
    stanFiles,
    entrance: entranceOf(tree),
    problems,
    listedProblems,
    texts,
    open,
    active,
    /** The id of the text shown; null: no file is open, or a binary one. */
    textId: texts.find(({ id }) => id === active?.entry.id)?.id ?? null,
    show,
    close,
    openFile,
    goTo,
    goToProblem,
  };
}
