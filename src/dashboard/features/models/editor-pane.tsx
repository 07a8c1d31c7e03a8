/** The open files: their tabs, the editor with its tools, and the problems below. */
import { Button, type ButtonProps, useComputedColorScheme } from '@mantine/core';
import {
  IconArrowsDiff,
  IconIndentIncrease,
  IconListCheck,
  IconListTree,
  IconPlayerPlay,
  IconSearch,
  IconTextWrap,
} from '@tabler/icons-react';
import { type ComponentProps, type ReactNode, Suspense, useEffect, useState } from 'react';
import type { CursorPlace } from '../../editor/code-editor.tsx';
import { findEntry, setText } from '../../editor/file-tree.ts';
import { CodeEditor } from '../../editor/lazy-editor.ts';
import { stanFilesOf } from '../../editor/use-stan.ts';
import { lazyPart } from '../../ui/lazy-part.ts';
import type { useSplitSize } from '../../ui/splitter.tsx';
import { useChord } from '../../ui/use-chord.ts';
import { useStoredFlag } from '../../ui/use-stored-flag.ts';
import { BinaryFile } from './binary-file.tsx';
import { DraftBanner } from './draft-banner.tsx';
import type { EditSession, EditState } from './edit-session.ts';
import tabs from './editor-tabs.module.css';
import { EditorTabs } from './editor-tabs.tsx';
import classes from './files-tab.module.css';
import { ProblemsPanel } from './problems-panel.tsx';
import type { ModelFiles } from './use-model-files.ts';

const RemedyBanner = lazyPart(() => import('./remedy-banner.tsx'), 'RemedyBanner');

export interface EditorPaneProps {
  readonly session: EditSession;
  readonly state: EditState;
  readonly files: ModelFiles;
  /** The requested change to the program; empty: none. */
  readonly fix: string;
  readonly onFixed: () => void;
  /** Height of the problems. */
  readonly problemSplit: ReturnType<typeof useSplitSize>;
  readonly isRunOpen: boolean;
  readonly onRunOpen: (isOpen: boolean) => void;
  /** In front: its keyboard shortcuts are active. */
  readonly isActive: boolean;
  /** Opens the search in all files. */
  readonly onFind: () => void;
  /** Compares the edits with the saved version; absent if the server keeps no versions. */
  readonly onDiff?: () => void;
}

/** On a Mac, Option+Z types a different letter. */
const wrapChord = { modifier: 'alt', keys: ['z', 'ω'] } as const;

export function EditorPane(props: EditorPaneProps) {
  const { session, state, files } = props;
  const { active, textId, stan } = files;
  const [isWrapped, setWrapped] = useStoredFlag('ergodic.wrap');
  const [isStrict, setStrict] = useStoredFlag('ergodic.strict');
  useEffect(() => stan.service.setStrict(isStrict), [stan.service, isStrict]);
  useChord(wrapChord, props.isActive ? () => setWrapped(!isWrapped) : null);
  // The banner stays after the change is made, to say so.
  const [isAsked] = useState(props.fix !== '');
  const [cursor, setCursor] = useState<CursorPlace>({ line: 1, column: 1 });
  return (
    <section className={classes.code} aria-label="Editor">
      <DraftBanner session={session} state={state} />
      {isAsked && (
        <RemedyBanner session={session} stan={stan} fix={props.fix} onDone={props.onFixed} />
      )}
      <EditorTabs
        open={files.open}
        activeId={active?.entry.id ?? null}
        marks={state.changes.marks}
        onShow={files.show}
        onClose={files.close}
        tools={
          <EditorTools
            {...props}
            isWrapped={isWrapped}
            onWrap={setWrapped}
            isStrict={isStrict}
            onStrict={setStrict}
          />
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
        {active !== null && textId === null && (
          <BinaryFile file={active.entry} path={active.path} />
        )}
        <OpenText session={session} files={files} isWrapped={isWrapped} onCursor={setCursor} />
      </div>
      <ProblemsPanel
        split={props.problemSplit}
        problems={files.listedProblems}
        milliseconds={stan.checked?.milliseconds ?? null}
        cursor={textId === null ? null : cursor}
        path={active?.path ?? ''}
        onGoTo={files.goToProblem}
      />
    </section>
  );
}

interface OpenTextProps extends Pick<EditorPaneProps, 'session' | 'files'> {
  readonly isWrapped: boolean;
  readonly onCursor: (place: CursorPlace) => void;
}

/** One editor for all texts. It stays mounted behind a binary file because it holds undo and cursors. */
function OpenText({ session, files, isWrapped, onCursor }: OpenTextProps) {
  const scheme = useComputedColorScheme('light');
  const { stan, textId } = files;
  return (
    <div className={classes.text} hidden={textId === null}>
      <Suspense fallback={<div className={classes.hint}>Loading the editor…</div>}>
        <CodeEditor
          files={files.texts}
          activeId={textId ?? -1}
          problems={files.problems}
          service={stan.service}
          scheme={scheme}
          isWrapped={isWrapped}
          flush={() => stan.service.setFiles(stanFilesOf(session.snapshot().tree))}
          onEdit={(id, text) =>
            session.edit((before) =>
              findEntry(before, id) === null ? before : setText(before, id, text),
            )
          }
          onOpen={files.goTo}
          onCursor={onCursor}
          onSave={() => void session.save()}
          handle={files.editor}
        />
      </Suspense>
    </div>
  );
}

interface EditorToolsProps extends EditorPaneProps {
  readonly isWrapped: boolean;
  readonly onWrap: (isWrapped: boolean) => void;
  /** All stricter checks are shown. */
  readonly isStrict: boolean;
  readonly onStrict: (isStrict: boolean) => void;
}

function EditorTools(props: EditorToolsProps) {
  const { session, state, files, isRunOpen, onRunOpen, isWrapped, onWrap, onDiff } = props;
  const { active, editor, textId } = files;
  return (
    <>
      {onDiff !== undefined && session.isDirty && state.version !== undefined && (
        <Tool
          label={`Diff with v${state.version}`}
          icon={<IconArrowsDiff size={16} />}
          title="Your edits next to the saved version"
          onClick={onDiff}
        />
      )}
      <Tool
        label="Find"
        icon={<IconSearch size={16} />}
        title="Find in all files, Ctrl+Shift+F"
        aria-keyshortcuts="Control+Shift+F"
        onClick={props.onFind}
      />
      {textId !== null && (
        <Tool
          label="Wrap"
          icon={<IconTextWrap size={16} />}
          variant={isWrapped ? 'light' : 'subtle'}
          title="Wrap long lines, Alt+Z"
          aria-pressed={isWrapped}
          aria-keyshortcuts="Alt+Z"
          onClick={() => onWrap(!isWrapped)}
        />
      )}
      {active?.path.endsWith('.stan') && (
        <>
          <Tool
            label="Outline"
            icon={<IconListTree size={16} />}
            title="Go to a part of the file, Ctrl+Shift+O in the editor"
            onClick={() => editor.current?.showOutline()}
          />
          <Tool
            label="Format"
            icon={<IconIndentIncrease size={16} />}
            title="Format the file"
            onClick={() => editor.current?.format()}
          />
          <Tool
            label="Strict"
            icon={<IconListCheck size={16} />}
            variant={props.isStrict ? 'light' : 'subtle'}
            title="Stricter checks: hints about priors, bounds and unused variables"
            aria-pressed={props.isStrict}
            onClick={() => props.onStrict(!props.isStrict)}
          />
        </>
      )}
      <Button
        size="xs"
        variant="subtle"
        className={classes.runButton}
        leftSection={<IconPlayerPlay size={14} />}
        aria-expanded={isRunOpen}
        onClick={() => onRunOpen(!isRunOpen)}
      >
        Run
      </Button>
    </>
  );
}

interface ToolProps extends ButtonProps, Omit<ComponentProps<'button'>, keyof ButtonProps> {
  readonly label: string;
  /** Replaces the label on a phone, where the file name needs the space. */
  readonly icon: ReactNode;
}

function Tool({ label, icon, ...button }: ToolProps) {
  return (
    <Button size="xs" variant="subtle" color="gray" className={tabs.tool} {...button}>
      <span className={tabs.toolIcon} aria-hidden="true">
        {icon}
      </span>
      <span className={tabs.toolLabel}>{label}</span>
    </Button>
  );
}
