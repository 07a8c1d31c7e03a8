/** The three panes of a model's files: tree, editor with its problems, run panel; one at a time on phones. */
import { Button, SegmentedControl, useComputedColorScheme } from '@mantine/core';
import { IconPlayerPlay } from '@tabler/icons-react';
import { type CSSProperties, Suspense, useDeferredValue, useMemo, useRef, useState } from 'react';
import type { Model } from '../../../contract/model.ts';
import type { CodeEditorHandle, CursorPlace } from '../../editor/code-editor.tsx';
import { entranceOf, fileText, findEntry, listFiles, setText } from '../../editor/file-tree.ts';
import { CodeEditor } from '../../editor/lazy-editor.ts';
import type { Problem } from '../../editor/stan-protocol.ts';
import { stanFilesOf, useStan } from '../../editor/use-stan.ts';
import { lazyPart } from '../../ui/lazy-part.ts';
import { Splitter, useSplitSize } from '../../ui/splitter.tsx';
import type { Launch } from '../launching/use-launch.ts';
import { BinaryFile } from './binary-file.tsx';
import { DraftBanner } from './draft-banner.tsx';
import type { EditSession, EditState } from './edit-session.ts';
import { EditorTabs } from './editor-tabs.tsx';
import classes from './files-tab.module.css';
import { ProblemsPanel } from './problems-panel.tsx';
import { TreePanel } from './tree-panel.tsx';
import { useOpenFiles } from './use-open-files.ts';

const RunPanel = lazyPart(() => import('./run-panel.tsx'), 'RunPanel');

export interface FilesTabProps {
  readonly model: Model;
  readonly session: EditSession;
  readonly state: EditState;
  readonly launch: Launch;
  readonly runtimes: Readonly<Record<string, boolean>> | undefined;
  /** Path of the file to show. */
  readonly file: string;
  readonly onFile: (path: string) => void;
  readonly onAllRuns: () => void;
}

type Pane = 'tree' | 'code' | 'run';

const noProblems: readonly Problem[] = [];

export function FilesTab({
  model,
  session,
  state,
  launch,
  runtimes,
  file,
  onFile,
  onAllRuns,
}: FilesTabProps) {
  const { tree, changes } = state;
  const scheme = useComputedColorScheme('light');
  const [pane, setPane] = useState<Pane>('code');
  const [isRunOpen, setIsRunOpen] = useState(false);
  const [cursor, setCursor] = useState<CursorPlace>({ line: 1, column: 1 });
  const editor = useRef<CodeEditorHandle>(null);
  const treeSplit = useSplitSize('model.tree', { initial: 264, least: 160, most: 520 });
  const runSplit = useSplitSize('model.run', { initial: 304, least: 240, most: 560 });
  const problemSplit = useSplitSize('model.problems', { initial: 170, least: 60, most: 480 });

  const stanFiles = useMemo(() => stanFilesOf(tree), [tree]);
  const stan = useStan(stanFiles);
  const problems = stan.checked?.problems ?? noProblems;
  const files = useMemo(
    () =>
      listFiles(tree).flatMap(({ entry, path }) => {
        const text = fileText(entry);
        return text === null ? [] : [{ id: entry.id, path, text }];
      }),
    [tree],
  );
  const { open, active, show, close } = useOpenFiles(tree, file, onFile);
  const isText = active !== null && files.some(({ id }) => id === active.entry.id);
  const entrance = entranceOf(tree);

  const goTo = (id: number, place: CursorPlace) => {
    show(id);
    setPane('code');
    editor.current?.goTo(place);
  };
  const goToProblem = (problem: Problem) => {
    const target = listFiles(tree).find(({ path }) => path === problem.path);
    if (target !== undefined) goTo(target.entry.id, problem);
  };
  const openFile = (id: number) => {
    show(id);
    setPane('code');
  };
  // A long list of problems is drawn when typing leaves time for it.
  const shownProblems = useDeferredValue(problems);
  return (
    <div
      className={classes.tab}
      data-pane={pane}
      data-run={isRunOpen || undefined}
      style={
        {
          '--tree-width': `${treeSplit.size}px`,
          '--run-width': `${runSplit.size}px`,
          '--problems-height': `${problemSplit.size}px`,
        } as CSSProperties
      }
    >
      <SegmentedControl
        className={classes.switch}
        aria-label="Part of the editor"
        value={pane}
        onChange={(value) => setPane(value as Pane)}
        data={[
          { value: 'tree', label: 'Files' },
          { value: 'code', label: 'Editor' },
          { value: 'run', label: 'Run' },
        ]}
      />
      <TreePanel
        className={classes.tree}
        session={session}
        tree={tree}
        changes={changes}
        problems={shownProblems}
        entrance={entrance}
        activeId={active?.entry.id ?? null}
        onOpen={openFile}
      />
      <Splitter
        label="Width of the files"
        split={treeSplit}
        part="before"
        className={classes.treeSplit}
      />
      <section className={classes.code} aria-label="Editor">
        <DraftBanner session={session} state={state} />
        <EditorTabs
          open={open}
          activeId={active?.entry.id ?? null}
          marks={changes.marks}
          onShow={show}
          onClose={close}
          tools={
            <>
              {active?.path.endsWith('.stan') && (
                <>
                  <Button
                    size="xs"
                    variant="subtle"
                    color="gray"
                    title="Go to a part of the file, Ctrl+Shift+O in the editor"
                    onClick={() => editor.current?.showOutline()}
                  >
                    Outline
                  </Button>
                  <Button
                    size="xs"
                    variant="subtle"
                    color="gray"
                    onClick={() => editor.current?.format()}
                  >
                    Format
                  </Button>
                </>
              )}
              <Button
                size="xs"
                variant="subtle"
                className={classes.runButton}
                leftSection={<IconPlayerPlay size={14} />}
                aria-expanded={isRunOpen}
                onClick={() => setIsRunOpen(!isRunOpen)}
              >
                Run
              </Button>
            </>
          }
        />
        <div
          className={classes.editor}
          id="editor-file"
          role="tabpanel"
          aria-label={active?.path ?? 'No file open'}
        >
          {active === null && (
            <p className={classes.hint}>Open a file on the left, or make a new one.</p>
          )}
          {active !== null && !isText && <BinaryFile file={active.entry} path={active.path} />}
          <div className={classes.text} hidden={!isText}>
            <Suspense fallback={<div className={classes.hint}>Loading the editor…</div>}>
              <CodeEditor
                files={files}
                activeId={isText ? active.entry.id : -1}
                problems={problems}
                service={stan.service}
                scheme={scheme}
                flush={() => stan.service.setFiles(stanFilesOf(session.snapshot().tree))}
                onEdit={(id, text) =>
                  session.edit((before) =>
                    findEntry(before, id) === null ? before : setText(before, id, text),
                  )
                }
                onOpen={goTo}
                onCursor={setCursor}
                onSave={() => void session.save()}
                handle={editor}
              />
            </Suspense>
          </div>
        </div>
        <ProblemsPanel
          split={problemSplit}
          problems={shownProblems}
          milliseconds={stan.checked?.milliseconds ?? null}
          cursor={isText ? cursor : null}
          path={active?.path ?? ''}
          onGoTo={goToProblem}
        />
      </section>
      <Splitter
        label="Width of the run panel"
        split={runSplit}
        part="after"
        className={classes.runSplit}
      />
      <Suspense fallback={<div className={classes.run} />}>
        <RunPanel
          className={classes.run}
          model={model}
          session={session}
          stan={stan}
          stanFiles={stanFiles}
          entrance={entrance}
          launch={launch}
          runtimes={runtimes}
          onGoTo={goToProblem}
          onAllRuns={onAllRuns}
        />
      </Suspense>
    </div>
  );
}
