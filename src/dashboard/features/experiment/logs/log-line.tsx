/** One line of a log: colours become nodes, never markup; invisible characters are shown as marks. */
import Anser from 'anser';
import type { ReactNode } from 'react';
import classes from './logs.module.css';
import { onlyColours, printable } from './printable.ts';

export type LogLevel = 'error' | 'warning' | 'info';

/** What a line is about, judging by its text. */
export function levelOf(line: string): LogLevel {
  if (/\b(errors?|exception|fatal|failed|failure)\b/i.test(line)) return 'error';
  if (/\bwarn(ings?)?\b|informational message|divergen/i.test(line)) return 'warning';
  return 'info';
}

const colours = new Set(['red', 'green', 'yellow', 'blue', 'magenta', 'cyan', 'white', 'black']);

/** `search`: highlighted in the line. */
export function LineText({ text, search }: { text: string; search: string }) {
  const whole = onlyColours(text.endsWith('\r') ? text.slice(0, -1) : text);
  if (!whole.includes('\u001b[')) return <>{marked(printable(whole), search)}</>;
  const parts = Anser.ansiToJson(whole, { json: true, remove_empty: true, use_classes: true });
  return (
    <>
      {parts.map((part, i) => {
        const colour = part.fg?.replace(/^ansi-(bright-)?/, '') ?? '';
        const isBold = part.decorations.includes('bold');
        const content = marked(printable(part.content), search);
        return colours.has(colour) || isBold ? (
          // parts of one line have no other name
          <span key={i} data-colour={colour || undefined} data-bold={isBold || undefined}>
            {content}
          </span>
        ) : (
          // parts of one line have no other name
          <span key={i}>{content}</span>
        );
      })}
    </>
  );
}

function marked(text: string, search: string): ReactNode {
  if (search === '') return text;
  const low = text.toLowerCase();
  const needle = search.toLowerCase();
  // If lower-casing changes the length, the positions would not match.
  if (low.length !== text.length) return text;
  const nodes: ReactNode[] = [];
  let at = 0;
  for (let hit = low.indexOf(needle); hit !== -1; hit = low.indexOf(needle, at)) {
    nodes.push(text.slice(at, hit));
    nodes.push(
      <mark key={hit} className={classes.mark}>
        {text.slice(hit, hit + needle.length)}
      </mark>,
    );
    at = hit + needle.length;
  }
  nodes.push(text.slice(at));
  return nodes;
}
