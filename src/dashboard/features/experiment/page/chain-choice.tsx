/** Offers to leave short or empty chains out of summary and plots, and to undo that. */
import { Button, Checkbox, Modal } from '@mantine/core';
import { useState } from 'react';
import type { Summary } from '../../../../contract/draws.ts';
import {
  type ChainUsage,
  chainsToLeaveOut,
  chainUsage,
} from '../../../../posterior/chain-usage.ts';
import { chainsText, chainText, counted } from '../../../../posterior/verdict-label.ts';
import { ebfmiFigure } from '../../../../posterior/verdict-limits.ts';
import { HelpLink } from '../../../ui/help-link.tsx';
import { formatCount } from '../../../ui/numbers.ts';
import { useReturnFocus } from '../../../ui/use-return-focus.ts';
import { inChainOrder } from '../../live/draws-store.ts';
import page from '../run/experiment.module.css';
import { takesOtherChains } from '../run/run-facts.ts';
import type { LiveExperiment } from '../run/use-live-experiment.ts';
import classes from './chain-choice.module.css';
import type { ExperimentActions } from './experiment-actions.ts';

export interface ChainChoiceProps {
  readonly live: LiveExperiment;
  readonly actions: Pick<ExperimentActions, 'onLeaveOut' | 'onRetryChains' | 'canRetryChains'>;
}

/** Short chains may still catch up while sampling, but one that disagrees with the others can be left out now. */
export function ChainChoice({ live, actions }: ChainChoiceProps) {
  const [isOpen, setOpen] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const { usage, isLive } = live;
  if (usage === null) return null;
  const offer = isLive ? strayOffer(usage, live.summary) : offerOf(usage, live.summary);
  if (offer === null) return null;
  const busily = async (action: () => Promise<boolean>) => {
    setBusy(true);
    const isDone = await action();
    setBusy(false);
    return isDone;
  };
  const leaveOut = (names: readonly string[]) => busily(() => actions.onLeaveOut(names));
  const stray = offer.stray ?? null;
  const canRetry = actions.canRetryChains === true && takesOtherChains(live.experiment);
  if (isLive && !canRetry) return null;
  return (
    <section className={classes.choice} aria-label="Chains in summary and plots">
      <p>
        {offer.text} <HelpLink topic="left-out" of="chains that are left out" />
      </p>
      {canRetry && stray !== null && (
        <Button
          size="compact-sm"
          loading={isBusy && !isOpen}
          title={`${isLive ? 'Stops it, and runs' : 'Runs'} a chain from another starting point in its place; its draws are kept, but left out`}
          onClick={() => void busily(() => actions.onRetryChains([stray]))}
        >
          Retry {chainText(stray)}
        </Button>
      )}
      {!isLive && offer.names !== null && (
        <Button
          size="compact-sm"
          loading={isBusy && !isOpen}
          onClick={() => void leaveOut(offer.names ?? [])}
        >
          {offer.label}
        </Button>
      )}
      {!isLive && (
        <Button size="compact-sm" onClick={() => setOpen(true)}>
          Choose chains
        </Button>
      )}
      {isOpen && (
        <ChooseChains
          usage={usage}
          summary={live.summary}
          isBusy={isBusy}
          onSave={(names) => void leaveOut(names).then((isSaved) => isSaved && setOpen(false))}
          onClose={() => setOpen(false)}
        />
      )}
    </section>
  );
}

interface Offer {
  readonly text: string;
  readonly label: string;
  /** Chains that one click leaves out; null if only the user can decide. */
  readonly names: readonly string[] | null;
  /** The chain that disagrees with the others. */
  readonly stray?: string;
}

/** Null if every draw is used and the chains agree. */
export function offerOf(usage: ChainUsage, summary: Summary | null): Offer | null {
  const leftOut = usage.leftOut.map(({ name }) => name);
  if (leftOut.length > 0) {
    const [verb, pronoun] = leftOut.length === 1 ? ['is', 'it'] : ['are', 'them'];
    return {
      text: `${sentenceCase(chainsText(leftOut))} ${verb} left out of summary and plots. Files hold every draw.`,
      label: `Include ${pronoun} again`,
      names: [],
    };
  }
  const names = chainsToLeaveOut(usage);
  if (names.length > 0) return leaveOutOffer(usage, names);
  const apart = strayOffer(usage, summary);
  if (apart !== null) return apart;
  if (usage.beyond === 0) return null;
  return { text: 'The chains have different lengths.', label: '', names: null };
}

function leaveOutOffer(usage: ChainUsage, names: readonly string[]): Offer {
  const all = [...usage.used, ...usage.empty.map((name) => ({ name, draws: 0 }))];
  const without = chainUsage(all, names);
  const total = usage.used.reduce((sum, { draws }) => sum + draws, 0);
  const before = usage.common * usage.used.length;
  const after = without.common * without.used.length;
  const chains = chainsText(names);
  const verb = names.length === 1 ? 'has' : 'have';
  return {
    text:
      after > before
        ? `Without ${chains}, summary and plots use ${formatCount(after)} of ${counted(total, 'draw')} instead of ${formatCount(before)}.`
        : `${sentenceCase(chains)} ${verb} no draws. The others can be judged without ${names.length === 1 ? 'it' : 'them'}.`,
    label: `Leave out ${chains}`,
    names,
  };
}

/** Null unless exactly one chain disagrees. */
function strayOffer(usage: ChainUsage, summary: Summary | null): Offer | null {
  const apart = strayChain(usage, summary);
  if (apart === null) return null;
  return {
    text: `${sentenceCase(chainText(apart))} disagrees with the others, which agree without it: stuck, or in another mode. See its trace first; if another start ends there too, the posterior has several modes.`,
    label: `Leave out ${chainText(apart)}`,
    names: [apart],
    stray: apart,
  };
}

/** The one chain without which the others agree; null if there is none, or if there are several candidates. */
function strayChain(usage: ChainUsage, summary: Summary | null): string | null {
  const kept = new Set(usage.used.map(({ name }) => name));
  const strays = (summary?.chains ?? []).filter(
    ({ name, is_apart: isApart }) => isApart === true && kept.has(name),
  );
  const [stray, ...others] = strays;
  return stray === undefined || others.length > 0 ? null : stray.name;
}

interface ChooseChainsProps {
  readonly usage: ChainUsage;
  readonly summary: Summary | null;
  readonly isBusy: boolean;
  readonly onSave: (leftOut: readonly string[]) => void;
  readonly onClose: () => void;
}

function ChooseChains({ usage, summary, isBusy, onSave, onClose }: ChooseChainsProps) {
  useReturnFocus();
  const chains = [
    ...usage.used,
    ...usage.leftOut,
    ...usage.empty.map((name) => ({ name, draws: 0 })),
  ].toSorted((a, b) => inChainOrder(a.name, b.name));
  const [leftOut, setLeftOut] = useState<readonly string[]>(usage.leftOut.map(({ name }) => name));
  const next = chainUsage(chains, leftOut);
  const used = next.common * next.used.length;
  const total = chains.reduce((sum, { draws }) => sum + draws, 0);
  return (
    <Modal opened onClose={onClose} title="Chains in summary and plots" size="md">
      <ul className={classes.list}>
        {chains.map(({ name, draws }) => (
          <li key={name}>
            <Checkbox
              label={sentenceCase(chainText(name))}
              checked={!leftOut.includes(name)}
              onChange={({ currentTarget: { checked } }) =>
                setLeftOut(checked ? leftOut.filter((one) => one !== name) : [...leftOut, name])
              }
            />
            <span className={page.dim}>{factsOf(name, draws, summary)}</span>
          </li>
        ))}
      </ul>
      <p className={page.dim}>
        {next.used.length === 0
          ? 'At least one chain with draws must be kept.'
          : `Summary, verdict and plots use ${formatCount(used)} of ${counted(total, 'draw')}: ${counted(next.used.length, 'chain')} of ${formatCount(next.common)}. Files hold every draw.`}
      </p>
      <div className={classes.actions}>
        <Button onClick={onClose}>Cancel</Button>
        <Button
          variant="filled"
          loading={isBusy}
          disabled={next.used.length === 0}
          onClick={() => onSave(leftOut)}
        >
          Use these chains
        </Button>
      </div>
    </Modal>
  );
}

/** "1 608 draws, 3 divergences, E-BFMI 0.91": evidence that a chain went wrong. */
function factsOf(name: string, draws: number, summary: Summary | null): string {
  const chain = summary?.chains.find((one) => one.name === name);
  const facts = [draws === 0 ? 'no draws' : counted(draws, 'draw')];
  if (chain !== undefined && draws > 0) {
    facts.push(counted(chain.divergences, 'divergence'));
    if (chain.ebfmi !== null) facts.push(`E-BFMI ${ebfmiFigure(chain.ebfmi)}`);
    if (chain.is_apart === true) facts.push('disagrees with the others');
  }
  return facts.join(', ');
}

function sentenceCase(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
