/** A file's text, with highlighting for Stan programs: without the editor, so that readers need not wait for it. */
import { useMemo } from 'react';
import { paintProgram, type Stretch } from '../../../language/editor/paint.ts';
import { languageOfFile } from '../../editor/languages.ts';
import classes from './file-text.module.css';

export interface FileTextProps {
  readonly text: string;
  /** Determines the language; absent: plain. */
  readonly path?: string;
  /** Its label for keyboard and screen reader users. */
  readonly label: string;
  readonly numbered?: boolean;
}

/** Longer texts are machine-generated, and that many coloured words would make the page slow. */
const maxPainted = 100_000;

export function FileText({ text, path = '', label, numbered = false }: FileTextProps) {
  const stretches = useMemo((): readonly Stretch[] => {
    const isPainted = languageOfFile(path) === 'stan' && text.length <= maxPainted;
    return isPainted ? paintProgram(text) : [{ text, role: null }];
  }, [path, text]);
  return (
    // a scrolling region must be reachable by keyboard
    <section className={classes.scroll} tabIndex={0} aria-label={label}>
      {numbered && (
        <pre className={classes.numbers} aria-hidden="true">
          {lineNumbers(text)}
        </pre>
      )}
      <pre className={classes.text}>
        {stretches.map(({ text: piece, role }, i) =>
          role === null ? (
            piece
          ) : (
            // the text is constant and never moves
            <span key={i} data-role={role}>
              {piece}
            </span>
          ),
        )}
      </pre>
    </section>
  );
}

/** A trailing line break does not start another line. */
function lineNumbers(text: string): string {
  const count = text.replace(/\n$/, '').split('\n').length;
  return Array.from({ length: count }, (_, i) => i + 1).join('\n');
}
