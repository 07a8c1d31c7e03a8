/** Problems found by the language service, worst first; below them, the cursor position. */
import {
  IconAlertCircleFilled,
  IconAlertTriangleFilled,
  IconChevronDown,
  IconChevronUp,
  IconInfoCircleFilled,
} from '@tabler/icons-react';
import { type KeyboardEvent, useState } from 'react';
import type { CursorPlace } from '../../editor/code-editor.tsx';
import { languageOfFile, languageWord } from '../../editor/languages.ts';
import type { Problem } from '../../editor/stan-protocol.ts';
import { CodeText } from '../../ui/code-text.tsx';
import { Splitter, type useSplitSize } from '../../ui/splitter.tsx';
import page from './files-tab.module.css';
import classes from './problems-panel.module.css';

export interface ProblemsPanelProps {
  /** Height of the list. */
  readonly split: ReturnType<typeof useSplitSize>;
  readonly problems: readonly Problem[];
  /** How long the last check took; null before the first. */
  readonly milliseconds: number | null;
  readonly cursor: CursorPlace | null;
  readonly path: string;
  readonly onGoTo: (problem: Problem) => void;
}

const icons = {
  error: IconAlertCircleFilled,
  warning: IconAlertTriangleFilled,
  info: IconInfoCircleFilled,
};
const ranks = { error: 0, warning: 1, info: 2 };

export function ProblemsPanel({
  split,
  problems,
  milliseconds,
  cursor,
  path,
  onGoTo,
}: ProblemsPanelProps) {
  const [isOpen, setIsOpen] = useState(true);
  const sorted = problems.toSorted((a, b) => ranks[a.severity] - ranks[b.severity]);
  const count = (severity: Problem['severity']) =>
    problems.filter((problem) => problem.severity === severity).length;
  const Chevron = isOpen ? IconChevronDown : IconChevronUp;
  const isListed = isOpen && sorted.length > 0;
  return (
    <>
      {isListed && (
        <Splitter
          label="Height of the problems"
          split={split}
          part="after"
          orientation="horizontal"
          className={classes.problemSplit}
        />
      )}
      <section className={classes.problems} aria-label="Problems" data-open={isListed || undefined}>
        <button
          type="button"
          className={classes.problemsHead}
          aria-expanded={isOpen}
          onClick={() => setIsOpen(!isOpen)}
        >
          <span>Problems</span>
          <Count severity="error" count={count('error')} word="errors" />
          <Count severity="warning" count={count('warning')} word="warnings" />
          {milliseconds !== null && problems.length === 0 && !isUnchecked(path) && (
            <span className={page.dim}>none</span>
          )}
          <Chevron size={16} aria-hidden="true" />
        </button>
        {isListed && <ProblemList problems={sorted} onGoTo={onGoTo} />}
      </section>
      <Foot milliseconds={milliseconds} cursor={cursor} path={path} />
    </>
  );
}

function ProblemList({ problems, onGoTo }: Pick<ProblemsPanelProps, 'problems' | 'onGoTo'>) {
  return (
    <ul onKeyDown={walkByArrows}>
      {problems.map((problem) => {
        const Icon = icons[problem.severity];
        return (
          <li key={`${problem.path} ${problem.start} ${problem.code}`}>
            <button type="button" onClick={() => onGoTo(problem)}>
              <Icon
                size={16}
                data-severity={problem.severity}
                role="img"
                aria-label={problem.severity}
              />
              <span>
                <CodeText>{problem.message}</CodeText>
              </span>
              <code className={classes.problemCode}>{problem.code}</code>
              <span className={classes.place}>
                {problem.path.slice(problem.path.lastIndexOf('/') + 1)} {problem.line}:
                {problem.column}
              </span>
            </button>
          </li>
        );
      })}
    </ul>
  );
}

/** For these languages the editor only highlights syntax. */
const unchecked = ['jags', 'javascript', 'julia', 'python', 'r'];
const isUnchecked = (path: string) => unchecked.includes(languageOfFile(path));

function checkText(milliseconds: number | null): string {
  if (milliseconds === null) return 'Not checked yet';
  return `Checked while typing, ${Math.max(1, Math.round(milliseconds))} ms`;
}

function Foot({
  milliseconds,
  cursor,
  path,
}: Pick<ProblemsPanelProps, 'milliseconds' | 'cursor' | 'path'>) {
  const language = languageWord(languageOfFile(path));
  return (
    <footer className={classes.foot}>
      <span>
        {isUnchecked(path) ? `${language} is checked when it runs` : checkText(milliseconds)}
      </span>
      {cursor !== null && (
        <span className={classes.footRight}>
          <span>
            Ln {cursor.line}, Col {cursor.column}
          </span>
          <span>Spaces: 2</span>
          <span>{language}</span>
        </span>
      )}
    </footer>
  );
}

/** Up and down move through the list, Home and End jump to its ends. */
function walkByArrows(event: KeyboardEvent<HTMLUListElement>): void {
  const buttons = [...event.currentTarget.querySelectorAll('button')];
  const at = buttons.indexOf(event.target as HTMLButtonElement);
  const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: buttons.length - 1 }[event.key];
  if (at === -1 || to === undefined) return;
  event.preventDefault();
  buttons[Math.min(buttons.length - 1, Math.max(0, to))]?.focus();
}

function Count({
  severity,
  count,
  word,
}: {
  severity: 'error' | 'warning';
  count: number;
  word: string;
}) {
  if (count === 0) return null;
  const Icon = icons[severity];
  return (
    <span className={classes.count} data-severity={severity}>
      <Icon size={14} aria-hidden="true" />
      {count}
      <span className="visually-hidden"> {word}</span>
    </span>
  );
}
