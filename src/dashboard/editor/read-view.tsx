/** A read-only view of a file, coloured as in the editor. */
import type * as Monaco from 'monaco-editor/editor/editor.api.js';
import { useEffect, useRef } from 'react';
import classes from './code-editor.module.css';
import { editorOptions, textOptions } from './editor-options.ts';
import { languageOfFile } from './languages.ts';

export interface ReadViewProps {
  readonly path: string;
  readonly text: string;
  readonly scheme: 'light' | 'dark';
}

export default function ReadView({ path, text, scheme }: ReadViewProps) {
  const host = useRef<HTMLDivElement>(null);
  const latest = useRef(scheme);
  useEffect(() => {
    latest.current = scheme;
  });
  useEffect(() => {
    let isGone = false;
    let dispose = () => undefined as void;
    void import('./monaco.ts').then(({ monaco }) => {
      if (isGone || host.current === null) return;
      const model: Monaco.editor.ITextModel = monaco.editor.createModel(text, languageOfFile(path));
      model.updateOptions(textOptions);
      const editor = monaco.editor.create(host.current, {
        ...editorOptions,
        model,
        theme: `ergodic-${latest.current}`,
        readOnly: true,
        domReadOnly: true,
        ariaLabel: `${path}, read-only`,
      });
      dispose = () => {
        editor.dispose();
        model.dispose();
      };
    });
    return () => {
      isGone = true;
      dispose();
    };
  }, [path, text]);
  useEffect(() => {
    void import('./monaco.ts').then(({ monaco }) => monaco.editor.setTheme(`ergodic-${scheme}`));
  }, [scheme]);
  return <div ref={host} className={classes.host} />;
}
