/** One experiment: head, verdict, chains, and the tabs below. The same for its owner and for the viewer of a share. */
import { Tabs } from '@mantine/core';
import { type ReactNode, Suspense, useEffect, useState } from 'react';
import type { Experiment } from '../../../../contract/experiment.ts';
import type { Access } from '../../../objects/object-queries.ts';
import { fewDraws } from '../../../plots/use-figure.ts';
import { warmPlots } from '../../../plots/warm-plots.ts';
import { ErrorBoundary } from '../../../ui/error-boundary.tsx';
import { barePart, lazyPart } from '../../../ui/lazy-part.ts';
import { PageSkeleton } from '../../../ui/page-skeleton.tsx';
import { TabStrip } from '../../../ui/tab-strip.tsx';
import { TextButton } from '../../../ui/text-button.tsx';
import { totalDraws } from '../../status/draw-counts.ts';
import { usageCaption } from '../../status/used-chains.ts';
import { choiceWith } from '../plots/chosen-variables.ts';
import { TracesTab } from '../plots/traces-tab.tsx';
import { type ChainFocus, ChainStrip } from '../run/chain-strip.tsx';
import classes from '../run/experiment.module.css';
import { type ExperimentSearch, type ExperimentTab, ownersTabs } from '../run/experiment-search.ts';
import { type ChosenVariables, useChosenVariables } from '../run/remembered-variables.ts';
import { isCalibration } from '../run/run-facts.ts';
import { type LiveExperiment, useLiveExperiment } from '../run/use-live-experiment.ts';
import type { ExperimentActions } from './experiment-actions.ts';
import { ExperimentHead } from './experiment-head.tsx';
import type { CheckTarget } from './failed-checks.tsx';
import type { RunPart } from './more-items.tsx';
import { PrintedFoot, PrintedSettings } from './print-facts.tsx';
import { VerdictLine } from './verdict-line.tsx';

const ChainChoice = lazyPart(
  () => import('./chain-choice.tsx'),
  'ChainChoice',
  <div className={classes.choicePlace} />,
);
const RunNote = lazyPart(() => import('./run-note.tsx'), 'RunNote');
const SummaryTab = barePart(() => import('../summary/summary-tab.tsx'), 'SummaryTab');
const PosteriorTab = barePart(() => import('../plots/posterior-tab.tsx'), 'PosteriorTab');
const DiagnosticsTab = barePart(() => import('../plots/diagnostics-tab.tsx'), 'DiagnosticsTab');
const PredictiveTab = barePart(() => import('../plots/predictive-tab.tsx'), 'PredictiveTab');
const CalibrationTab = barePart(
  () => import('../calibration/calibration-tab.tsx'),
  'CalibrationTab',
);
const PairsTab = barePart(() => import('../plots/pairs-tab.tsx'), 'PairsTab');
const LogsTab = barePart(() => import('../logs/logs-tab.tsx'), 'LogsTab');
const RunInfoTab = barePart(() => import('./run-info-tab.tsx'), 'RunInfoTab');
const FilesTab = barePart(() => import('../files/files-tab.tsx'), 'FilesTab');

export interface ExperimentPageProps {
  /** As loaded by the route. */
  readonly experiment: Experiment;
  readonly access: Access;
  readonly search: ExperimentSearch;
  readonly onSearchChange: (change: Partial<ExperimentSearch>) => void;
  /** What its owner can do; absent for snapshots, which are read-only. */
  readonly actions?: ExperimentActions;
  /** Its live shares, if its owner is viewing. */
  readonly sharePanel?: ReactNode;
}

const noFocus: ChainFocus = { pointed: null, hidden: new Set() };

const titles: Readonly<Record<ExperimentTab, string>> = {
  calibration: 'Calibration',
  traces: 'Traces',
  summary: 'Summary',
  posterior: 'Posterior',
  predictive: 'Predictive',
  diagnostics: 'Diagnostics',
  pairs: 'Pairs',
  logs: 'Logs',
  run: 'Run info',
  files: 'Files',
  share: 'Share',
};

const tabsOfFigures: readonly ExperimentTab[] = ['posterior', 'predictive', 'diagnostics', 'pairs'];
/** By algorithm: without a Markov chain the order of draws means nothing, and an optimum is one point. */
const uselessTabs: ReadonlyMap<unknown, readonly ExperimentTab[]> = new Map([
  // each chain has a different posterior
  ['calibration', ['traces', 'summary', ...tabsOfFigures]],
  ['optimize', ['traces', ...tabsOfFigures]],
  ['laplace', ['traces']],
  ['pathfinder', ['traces']],
  ['advi', ['traces']],
]);

export function ExperimentPage(props: ExperimentPageProps) {
  const { experiment, access, search, onSearchChange, actions, sharePanel } = props;
  const live = useLiveExperiment(experiment, access);
  const [focus, setFocus] = useState(noFocus);
  const [edited, setEdited] = useState<RunPart | null>(null);
  const isShare = access.shareId !== undefined;
  const tabs = tabsFor(experiment, isShare, sharePanel !== undefined);
  const [first = 'summary'] = tabs;
  const tab = tabs.includes(search.tab) ? search.tab : first === 'traces' ? 'summary' : first;
  usePlotsSoon(tab, live.experiment);
  const isPainted = useAfterPaint(live.summary !== null);
  const choice = useChosenVariables(experiment, isShare, {
    vars: search.vars,
    onChange: (vars) => onSearchChange({ vars }),
  });
  const strip = (
    <ChainStrip
      experiment={live.experiment}
      chainNames={live.chainNames}
      leftOut={live.limit.leftOut}
      isLive={live.isLive}
      focus={focus}
      onFocusChange={setFocus}
    />
  );
  // For a run that has ended it is a short legend, which needs no separate line.
  const isBeside = !live.isLive && live.chainNames.length <= 4;
  const hasLegend = live.isLive || totalDraws(live.experiment, live.summary) > 0;
  return (
    <div className={classes.page}>
      <ExperimentHead
        live={live}
        isShare={isShare}
        actions={actions}
        edited={edited}
        onEdit={setEdited}
      />
      <VerdictLine
        experiment={live.experiment}
        summary={live.summary}
        summaryError={live.summaryError}
        onRunAgain={actions?.onRunAgain}
        onOpen={(target) => onSearchChange(searchFor(target, live, choice))}
      />
      <PrintedSettings experiment={live.experiment} />
      {hasLegend && !isBeside && strip}
      <NotePart live={live} actions={actions} edited={edited} onEdit={setEdited} />
      {actions?.canLeaveOut === true && hasChainsToChoose(live) && (
        <ChainChoice live={live} actions={actions} />
      )}
      <Tabs
        value={tab}
        onChange={(value) => onSearchChange({ tab: value as ExperimentTab, at: '' })}
        keepMounted={false}
      >
        <div className={classes.tabLine}>
          <TabTitles open={tab} names={tabs} numVariables={live.summary?.variables.length} />
          {hasLegend && isBeside && strip}
        </div>
        <Tabs.Panel value={tab}>
          <TabBoundary key={tab}>
            <UsageCaption tab={tab} live={live} />
            <OpenTab
              {...props}
              tab={tab}
              live={isPainted ? live : { ...live, summary: null }}
              focus={focus}
              onFocusChange={setFocus}
              choice={choice}
            />
          </TabBoundary>
        </Tabs.Panel>
      </Tabs>
      <PrintedFoot experiment={live.experiment} />
    </div>
  );
}

interface NotePartProps {
  readonly live: LiveExperiment;
  readonly actions: ExperimentActions | undefined;
  readonly edited: RunPart | null;
  readonly onEdit: (part: RunPart | null) => void;
}

/** Renders nothing, and loads no editor, until there is a note or one is to be written. */
function NotePart({ live, actions, edited, onEdit }: NotePartProps) {
  const note = live.experiment.meta?.note ?? '';
  const isEdited = edited === 'note';
  if (note === '' && !isEdited) return null;
  return (
    <RunNote
      id={live.experiment.short_id}
      note={note}
      isEdited={isEdited}
      onEdit={actions && (() => onEdit('note'))}
      onClose={() => onEdit(null)}
    />
  );
}

/** In order: the viewer of a share gets no owner's tabs, and shares are listed if their panel is given. */
function tabsFor(
  experiment: Experiment,
  isShare: boolean,
  hasSharePanel: boolean,
): readonly ExperimentTab[] {
  const useless = uselessTabs.get(experiment.meta?.settings?.algorithm) ?? [];
  return (Object.keys(titles) as ExperimentTab[]).filter(
    (name) =>
      (!isShare || !ownersTabs.includes(name)) &&
      (name !== 'share' || hasSharePanel) &&
      (name !== 'calibration' || isCalibration(experiment)) &&
      !useless.includes(name),
  );
}

/** The address that shows a failed check: nothing is filtered, and the worst variables come first. */
function searchFor(
  { tab, variable, at }: CheckTarget,
  live: LiveExperiment,
  choice: ChosenVariables,
): Partial<ExperimentSearch> {
  return {
    tab,
    q: '',
    sort: 'worst',
    order: 'worst',
    vars:
      variable === null ? [] : choiceWith(variable, live.summary?.variables ?? [], choice.usual),
    selected: variable ?? '',
    at: at ?? '',
  };
}

/** A tab that is loading or fails leaves head and verdict as they are. */
function TabBoundary({ children }: { children: ReactNode }) {
  return (
    <ErrorBoundary
      fallback={(_, retry) => (
        <p role="alert" className={classes.empty}>
          This part of the page could not be shown. The draws are not affected.{' '}
          <TextButton onClick={retry}>Try again</TextButton>
        </p>
      )}
    >
      <Suspense fallback={<PageSkeleton />}>{children}</Suspense>
    </ErrorBoundary>
  );
}

/** Whether its chains may be an issue: one disagrees or, after the end, lengths differ or some are empty or left out. */
function hasChainsToChoose({ isLive, usage, summary }: LiveExperiment): boolean {
  if (usage === null || summary?.calibration !== undefined) return false;
  const isUneven = usage.beyond > 0 || usage.empty.length > 0 || usage.leftOut.length > 0;
  const isOneApart = summary?.chains.some((chain) => chain.is_apart === true) === true;
  return isOneApart || (isUneven && !isLive);
}

/** Shown above the plots if they do not use all draws: which ones they use. */
function UsageCaption({ tab, live }: { tab: ExperimentTab; live: LiveExperiment }) {
  const caption = live.isLive || tab === 'calibration' ? null : usageCaption(live.usage);
  // The table says so among its tools, so that it starts higher up.
  if (caption === null || tab === 'files' || tab === 'summary' || ownersTabs.includes(tab))
    return null;
  const isCut = tab === 'traces' && (live.usage?.beyond ?? 0) > 0;
  return (
    <p className={classes.usage}>
      {caption}.{isCut && ' Traces show every draw.'}
    </p>
  );
}

interface TabTitlesProps {
  readonly open: ExperimentTab;
  readonly names: readonly ExperimentTab[];
  readonly numVariables: number | undefined;
}

function TabTitles({ open, names, numVariables }: TabTitlesProps) {
  return (
    <TabStrip open={open} className={classes.tabTitles}>
      {names.map((name) => (
        <Tabs.Tab
          key={name}
          value={name}
          rightSection={
            name === 'summary' && numVariables ? (
              <span className={classes.tabCount}>{numVariables}</span>
            ) : undefined
          }
        >
          {titles[name]}
        </Tabs.Tab>
      ))}
    </TabStrip>
  );
}

/** Acts once the current state is painted; the returned function cancels that. */
function afterPaint(act: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const frame = requestAnimationFrame(() => {
    timer = setTimeout(act, 0);
  });
  return () => {
    cancelAnimationFrame(frame);
    clearTimeout(timer);
  };
}

/** False until the loaded data are painted: the user reads the verdict while the slower plots below are prepared. */
function useAfterPaint(isHere: boolean): boolean {
  const [isPainted, setPainted] = useState(isHere);
  useEffect(() => {
    if (!isHere || isPainted) return;
    return afterPaint(() => setPainted(true));
  }, [isHere, isPainted]);
  return isPainted;
}

/** Loads the code for a tab's plots while its draws are loading. */
function usePlotsSoon(tab: ExperimentTab, { n_samples, n_chains }: Experiment): void {
  const hasFigures = tabsOfFigures.includes(tab) || tab === 'calibration';
  const hasMany = n_samples * n_chains > fewDraws;
  useEffect(() => {
    if (!hasFigures && tab !== 'traces') return;
    // Not earlier, so as not to delay the page itself.
    return afterPaint(() => warmPlots(hasFigures || hasMany));
  }, [tab, hasFigures, hasMany]);
}

interface OpenTabProps extends ExperimentPageProps {
  readonly tab: ExperimentTab;
  readonly live: ReturnType<typeof useLiveExperiment>;
  readonly focus: ChainFocus;
  readonly onFocusChange: (focus: ChainFocus) => void;
  readonly choice: ChosenVariables;
}

function OpenTab(props: OpenTabProps) {
  const { tab, live, focus, choice, access, search, onSearchChange, actions } = props;
  const shown = { live, focus, choice, search, onSearchChange };
  switch (tab) {
    case 'traces':
      return <TracesTab {...shown} onFocusChange={props.onFocusChange} />;
    case 'calibration':
      return <CalibrationTab live={live} />;
    case 'summary':
      return <SummaryTab {...shown} canLabel={actions?.canLeaveOut} />;
    case 'posterior':
      return <PosteriorTab {...shown} />;
    case 'predictive':
      return <PredictiveTab {...shown} />;
    case 'diagnostics':
      return <DiagnosticsTab {...shown} />;
    case 'pairs':
      return <PairsTab {...shown} />;
    case 'logs':
      return <LogsTab {...shown} hasRange={actions?.hasLogRange ?? false} />;
    case 'run':
      return <RunInfoTab live={live} />;
    case 'files':
      return <FilesTab live={live} access={access} hasVersions={actions?.hasVersions ?? false} />;
    case 'share':
      return props.sharePanel;
  }
}
