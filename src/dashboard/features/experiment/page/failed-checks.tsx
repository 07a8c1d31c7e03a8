/** The checks that failed, worst first, each a link to what shows it: one line, with the rest on request. */
import { UnstyledButton } from '@mantine/core';
import { IconArrowRight } from '@tabler/icons-react';
import { useLayoutEffect, useRef, useState } from 'react';
import type { VerdictCheck } from '../../../../contract/experiment.ts';
import { HelpLink } from '../../../ui/help-link.tsx';
import type { HelpTopic } from '../../../ui/help-topics.ts';
import { TextButton } from '../../../ui/text-button.tsx';
import type { SamplerPlot } from '../run/experiment-search.ts';
import classes from './verdict-line.module.css';

/** Where a failed check is shown. */
export interface CheckTarget {
  readonly tab: 'traces' | 'summary' | 'diagnostics';
  readonly variable: string | null;
  /** The sampler plot. */
  readonly at?: SamplerPlot;
}

export interface FailedChecksProps {
  readonly failed: readonly VerdictCheck[];
  readonly onOpen: (target: CheckTarget) => void;
}

export function FailedChecks({ failed, onOpen }: FailedChecksProps) {
  const [isOpen, setOpen] = useState(false);
  const [list, numBeyond] = useBeyond(failed, !isOpen);
  const firstHidden = isOpen ? failed.length : failed.length - numBeyond;
  return (
    <>
      <ul ref={list} className={classes.checks} data-folded={!isOpen || undefined}>
        {failed.map((check, index) => (
          <li key={check.name} inert={index >= firstHidden}>
            <UnstyledButton
              className={classes.check}
              title={isOpen ? undefined : check.message}
              onClick={() => onOpen(targetOf(check))}
            >
              <span className={classes.message}>{check.message}</span>
              <IconArrowRight size={13} aria-hidden="true" />
            </UnstyledButton>
            {helpOf[check.name] !== undefined && (
              <HelpLink topic={helpOf[check.name] as HelpTopic} of={check.message ?? ''} />
            )}
          </li>
        ))}
      </ul>
      {(isOpen || numBeyond > 0) && (
        <TextButton aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {isOpen ? 'Show fewer' : `${numBeyond} more`}
        </TextButton>
      )}
    </>
  );
}

/** How many items of a list cut off after a few lines are hidden, at the current window width. */
function useBeyond(failed: readonly VerdictCheck[], isFolded: boolean) {
  const list = useRef<HTMLUListElement>(null);
  const [numBeyond, setBeyond] = useState(0);
  // Other checks are of other widths, so the list is measured again.
  useLayoutEffect(() => {
    const element = list.current;
    if (element === null || !isFolded) return;
    const measure = () => {
      const bottomOf = (item: HTMLElement) =>
        item.offsetTop - element.offsetTop + item.offsetHeight;
      const items = [...element.children] as HTMLElement[];
      // The worst is always shown, however long it is.
      setBeyond(items.slice(1).filter((item) => bottomOf(item) > element.clientHeight + 4).length);
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, [failed, isFolded]);
  return [list, numBeyond] as const;
}

/** The help topic for a failed check. */
const helpOf: Readonly<Partial<Record<string, HelpTopic>>> = {
  lost_chains: 'lost-chains',
  divergences: 'divergences',
  treedepth: 'treedepth',
  ebfmi: 'e-bfmi',
  rhat: 'r-hat',
  ess_bulk: 'ess',
  ess_tail: 'ess',
  non_finite: 'not-finite',
  pareto_k: 'pareto-k',
  optimum: 'algorithms',
  optima: 'algorithms',
};

/** The sampler plot that shows a failed check. */
const shownBy: Readonly<Partial<Record<string, SamplerPlot>>> = {
  divergences: 'divergences',
  treedepth: 'treedepth',
  ebfmi: 'energy',
};

function targetOf({ name, variable: worst }: VerdictCheck): CheckTarget {
  const variable = worst ?? null;
  const at = shownBy[name];
  if (at !== undefined) return { tab: 'diagnostics', variable, at };
  const inTable = name === 'ess_bulk' || name === 'ess_tail';
  return { tab: inTable ? 'summary' : 'traces', variable };
}
