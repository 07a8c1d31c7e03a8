/** The three panes of a model's files: tree, editor with its problems, run panel; one at a time on phones. */
import { SegmentedControl } from '@mantine/core';
import { type CSSProperties, useState } from 'react';
import type { Model } from '../../../contract/model.ts';
import { lazyPart } from '../../ui/lazy-part.ts';
import { Splitter, useSplitSize } from '../../ui/splitter.tsx';
import { useChord } from '../../ui/use-chord.ts';
import type { Launch } from '../launching/use-launch.ts';
import type { EditSession, EditState } from './edit-session.ts';
import { EditorPane } from './editor-pane.tsx';
import classes from './files-tab.module.css';
import { TreePanel } from './tree-panel.tsx';
import { type Pane, useModelFiles } from './use-model-files.ts';

const FindPanel = lazyPart(
  () => import('./find-panel.tsx'),
  'FindPanel',
  <div className={classes.tree} />,
);
const RunPanel = lazyPart(
  () => import('./run-panel.tsx'),
  'RunPanel',
  <div className={classes.run} />,
);

/** The same as in other editors. */
const findChord = { modifier: 'control', keys: ['f'], hasShift: true } as const;

export interface FilesTabProps {
  readonly model: Model;
  readonly session: EditSession;
  readonly state: EditState;
  readonly launch: Launch;
  readonly runtimes: Readonly<Record<string, boolean>> | undefined;
  /** Path of the file to show. */
  readonly file: string;
  readonly onFile: (path: string) => void;
  /** The requested change to the program; empty: none. */
  readonly fix: string;
  readonly onFixed: () => void;
  readonly onAllRuns: () => void;
  /** Compares the edits with the saved version; absent if the server keeps no versions. */
  readonly onDiff?: () => void;
  /** False while behind another tab or a conflict. */
  readonly isActive: boolean;
}

export function FilesTab(props: FilesTabProps) {
  const files = useModelFiles(props);
  const [isRunOpen, setIsRunOpen] = useState(false);
  const [isFinding, setFinding] = useState(false);
  const find = () => {
    setFinding(true);
    files.setPane('tree');
  };
  useChord(findChord, props.isActive ? find : null);
  const { treeSplit, runSplit, problemSplit, sizes } = usePaneSizes();
  return (
    <div
      className={classes.tab}
      data-pane={files.pane}
      data-run={isRunOpen || undefined}
      style={sizes}
    >
      <PaneSwitch pane={files.pane} onPane={files.setPane} />
      <FilesPane
        {...props}
        files={files}
        isFinding={isFinding}
        onEndFind={() => setFinding(false)}
      />
      <Splitter
        label="Width of the files"
        split={treeSplit}
        part="before"
        className={classes.treeSplit}
      />
      <EditorPane
        {...props}
        files={files}
        problemSplit={problemSplit}
        isRunOpen={isRunOpen}
        onRunOpen={setIsRunOpen}
        onFind={find}
      />
      <Splitter
        label="Width of the run panel"
        split={runSplit}
        part="after"
        className={classes.runSplit}
      />
      <RunPanel
        {...props}
        className={classes.run}
        stan={files.stan}
        stanFiles={files.stanFiles}
        entrance={files.entrance}
        onGoTo={files.goToProblem}
        onReveal={() => {
          setIsRunOpen(true);
          files.setPane('run');
        }}
      />
    </div>
  );
}

/** The user's layout: the widths of tree and run panel, the height of the problems. */
function usePaneSizes() {
  const treeSplit = useSplitSize('model.tree', { initial: 264, least: 160, most: 520 });
  const runSplit = useSplitSize('model.run', { initial: 304, least: 240, most: 560 });
  const problemSplit = useSplitSize('model.problems', { initial: 170, least: 60, most: 480 });
  const sizes = {
    '--tree-width': `${treeSplit.size}px`,
    '--run-width': `${runSplit.size}px`,
    '--problems-height': `${problemSplit.size}px`,
  } as CSSProperties;
  return { treeSplit, runSplit, problemSplit, sizes };
}

interface FilesPaneProps extends Pick<FilesTabProps, 'session' | 'state'> {
  readonly files: ReturnType<typeof useModelFiles>;
  readonly isFinding: boolean;
  readonly onEndFind: () => void;
}

/** The tree, or search results in its place; the tree behind them stays unchanged. */
function FilesPane({ session, state, files, isFinding, onEndFind }: FilesPaneProps) {
  return (
    <>
      {isFinding && (
        <FindPanel
          className={classes.tree}
          session={session}
          files={files.texts}
          onGoTo={files.goTo}
          onClose={onEndFind}
        />
      )}
      <TreePanel
        className={isFinding ? classes.away : classes.tree}
        session={session}
        tree={state.tree}
        changes={state.changes}
        problems={files.listedProblems}
        entrance={files.entrance}
        activeId={files.active?.entry.id ?? null}
        onOpen={files.openFile}
      />
    </>
  );
}

/** Which part a phone shows. */
function PaneSwitch({ pane, onPane }: { pane: Pane; onPane: (pane: Pane) => void }) {
  return (
    <SegmentedControl
      className={classes.switch}
      aria-label="Part of the editor"
      value={pane}
      onChange={(value) => onPane(value as Pane)}
      data={[
        { value: 'tree', label: 'Files' },
        { value: 'code', label: 'Editor' },
        { value: 'run', label: 'Run' },
      ]}
    />
  );
}
