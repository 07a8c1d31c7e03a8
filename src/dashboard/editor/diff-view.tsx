/** Theirs next to mine; the right side can be edited to merge the two. */
import type * as Monaco from 'monaco-editor/editor/editor.api.js';
import { useEffect, useRef } from 'react';
import classes from './code-editor.module.css';
import { editorOptions, textOptions } from './editor-options.ts';
import { languageOfFile } from './languages.ts';

/** The differences between the two sides, and how to move from one to the next. */
export interface DiffPlaces {
  readonly count: number;
  readonly go: (to: 'next' | 'previous') => void;
}

export interface DiffViewProps {
  readonly path: string;
  readonly theirs: string;
  readonly mine: string;
  readonly scheme: 'light' | 'dark';
  /** Called with the right side's text as it is edited; without it the editor is read-only. */
  readonly onEdit?: (text: string) => void;
  /** Called each time the differences have been recomputed. */
  readonly onPlaces?: (places: DiffPlaces) => void;
}

/** The diff editor drops the labels of its sides whenever its layout changes. */
function keepName(
  side: Monaco.editor.ICodeEditor,
  option: Monaco.editor.EditorOption.ariaLabel,
  name: string,
): void {
  const put = () => {
    if (side.getOption(option) !== name) side.updateOptions({ ariaLabel: name });
  };
  put();
  side.onDidChangeConfiguration(put);
}

export default function DiffView(props: DiffViewProps) {
  const { path, theirs, mine, scheme, onEdit, onPlaces } = props;
  const host = useRef<HTMLDivElement>(null);
  const latest = useRef({ onEdit, onPlaces, scheme });
  const editor = useRef<Monaco.editor.IStandaloneDiffEditor>(null);
  const readOnly = onEdit === undefined;
  // Only set at the start: edits on the right must not reset the text.
  const start = useRef({ mine, readOnly });
  useEffect(() => {
    latest.current = { onEdit, onPlaces, scheme };
  });

  useEffect(() => {
    let isGone = false;
    let dispose = () => undefined as void;
    void import('./monaco.ts').then(({ monaco }) => {
      if (isGone || host.current === null) return;
      const language = languageOfFile(path);
      const original = monaco.editor.createModel(theirs, language);
      const modified = monaco.editor.createModel(start.current.mine, language);
      for (const model of [original, modified]) model.updateOptions(textOptions);
      const made = monaco.editor.createDiffEditor(host.current, {
        ...editorOptions,
        theme: `ergodic-${latest.current.scheme}`,
        originalEditable: false,
        renderSideBySide: true,
        useInlineViewWhenSpaceIsLimited: true,
        hideUnchangedRegions: { enabled: true },
        renderMarginRevertIcon: true,
        renderOverviewRuler: false,
      });
      for (const model of [original, modified]) {
        model.updateOptions({
          bracketColorizationOptions: { enabled: false, independentColorPoolPerBracketType: false },
        });
      }
      made.setModel({ original, modified });
      made.updateOptions({ readOnly: start.current.readOnly });
      const [left, right] = start.current.readOnly ? ['before', 'after'] : ['theirs', 'mine'];
      const nameOption = monaco.editor.EditorOption.ariaLabel;
      keepName(made.getOriginalEditor(), nameOption, `${path}, ${left}`);
      keepName(made.getModifiedEditor(), nameOption, `${path}, ${right}`);
      modified.onDidChangeContent(() =>
        latest.current.onEdit?.(modified.getValue(undefined, true)),
      );
      const go = (to: 'next' | 'previous') => made.goToDiff(to);
      made.onDidUpdateDiff(() =>
        latest.current.onPlaces?.({ count: made.getLineChanges()?.length ?? 0, go }),
      );
      editor.current = made;
      dispose = () => {
        made.dispose();
        original.dispose();
        modified.dispose();
      };
    });
    return () => {
      isGone = true;
      editor.current = null;
      dispose();
    };
  }, [path, theirs]);

  useEffect(() => editor.current?.updateOptions({ readOnly }), [readOnly]);
  useEffect(() => {
    void import('./monaco.ts').then(({ monaco }) => monaco.editor.setTheme(`ergodic-${scheme}`));
  }, [scheme]);

  return <div ref={host} className={classes.host} />;
}
