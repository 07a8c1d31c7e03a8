/** The files of a model for its panes: which are open, their problems, and how to go to a position. */
import { useDeferredValue, useEffect, useMemo, useRef, useState } from 'react';
import type { CodeEditorHandle, CursorPlace } from '../../editor/code-editor.tsx';
import {
  entranceOf,
  type FileTree,
  fileText,
  findEntry,
  findFileByPath,
  listFiles,
  type PlacedFile,
} from '../../editor/file-tree.ts';
import type { Problem } from '../../editor/stan-protocol.ts';
import { stanFilesOf, useStan } from '../../editor/use-stan.ts';
import type { EditState } from './edit-session.ts';

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

interface OpenFiles {
  readonly open: readonly PlacedFile[];
  readonly active: PlacedFile | null;
  readonly show: (id: number) => void;
  readonly close: (id: number) => void;
}

/** `path`: the file in the address; if it does not exist, the first open file is shown. */
function useOpenFiles(tree: FileTree, path: string, onPath: (path: string) => void): OpenFiles {
  const named = findFileByPath(tree, path);
  const [ids, setIds] = useState<readonly number[]>(named === null ? [] : [named.id]);
  const [activeId, setActiveId] = useState<number | null>(named?.id ?? null);

  const fileOf = (id: number): PlacedFile[] => {
    const place = findEntry(tree, id);
    return place?.entry.kind === 'file' ? [{ entry: place.entry, path: place.path }] : [];
  };
  const open = ids.flatMap(fileOf);
  const active = open.find(({ entry }) => entry.id === activeId) ?? open.at(-1) ?? null;

  // The address was changed by hand or by the browser's buttons, or the files have changed.
  const [namedId, setNamedId] = useState(named?.id);
  if (named !== null && named.id !== namedId) {
    setNamedId(named.id);
    setIds(ids.includes(named.id) ? ids : [...ids, named.id]);
    setActiveId(named.id);
  }

  const activePath = active?.path ?? '';
  useEffect(() => {
    // A renamed file keeps its place; the address follows.
    if (activePath !== '' && activePath !== path && activeId === active?.entry.id && named === null)
      onPath(activePath);
  }, [activePath, path, activeId, active?.entry.id, named, onPath]);

  const show = (id: number) => {
    setIds((before) => (before.includes(id) ? before : [...before, id]));
    setActiveId(id);
    const place = findEntry(tree, id);
    if (place !== null && place.path !== path) onPath(place.path);
  };
  const close = (id: number) => {
    const index = ids.indexOf(id);
    const rest = ids.filter((other) => other !== id);
    setIds(rest);
    if (active?.entry.id !== id) return;
    const next = rest[Math.min(index, rest.length - 1)];
    setActiveId(next ?? null);
    const place = next === undefined ? null : findEntry(tree, next);
    if (place !== null) onPath(place.path);
  };
  return { open, active, show, close };
}
