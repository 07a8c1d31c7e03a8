/** The experiments next to each other; separate from the page's head, so that its name and chips appear immediately. */

import { Button } from '@mantine/core';
import { IconDownload, IconScale } from '@tabler/icons-react';
import { type ReactNode, useMemo } from 'react';
import { tableCsv } from '../../../figures/table-csv.ts';
import { itemAt } from '../../../shared/items.ts';
import { useClient } from '../../objects/use-client.ts';
import { Card } from '../../ui/card.tsx';
import { CodeText } from '../../ui/code-text.tsx';
import { saveFile } from '../../ui/save-file.ts';
import { ToneCard } from '../../ui/tone-card.tsx';
import { ChecksCard } from './checks-card.tsx';
import { CodeCard } from './code-card.tsx';
import classes from './compare.module.css';
import type { CompareSearch } from './compare-search.ts';
import { DrawsGroup } from './compared-draws.ts';
import { joinNames } from './compared-style.ts';
import {
  absences,
  allVariables,
  chosenVariables,
  judgedVariables,
  mostVariables,
} from './compared-variables.ts';
import { Densities } from './densities.tsx';
import { DifferencesTable } from './differences-table.tsx';
import { findingOf } from './finding.ts';
import { IntervalsCard } from './intervals-card.tsx';
import { LooCard } from './loo-card.tsx';
import { type NumbersGroup, numbersOf, numbersTable } from './numbers.ts';
import { useRememberedChoice } from './remembered-choice.ts';
import { SettingsCard } from './settings-card.tsx';
import { type ComparedRun, hasDraws } from './use-compared.ts';
import { useSdErrors } from './use-sd-errors.ts';
import { VariablePicker } from './variable-picker.tsx';

export interface ComparisonProps {
  readonly search: CompareSearch;
  readonly onSearchChange: (change: Partial<CompareSearch>) => void;
  readonly runs: readonly ComparedRun[];
  readonly base: ComparedRun;
}

export function Comparison(props: ComparisonProps) {
  const { runs, base, search } = props;
  const variables = useMemo(() => allVariables(runs.map(({ rows }) => rows)), [runs]);
  const onSearchChange = useRememberedChoice({ ...props, variables });
  const settings = (
    <SettingsCard runs={runs} showAll={search.all} onShowAll={(all) => onSearchChange({ all })} />
  );
  const code = (
    <CodeCard
      base={base}
      others={runs.filter((run) => run !== base)}
      chosen={search.code}
      onChoose={(id) => onSearchChange({ code: id })}
    />
  );
  if (variables.length === 0)
    return (
      <>
        <p className={classes.lonely}>{emptyText(runs)}</p>
        <div className={classes.grid}>
          {code}
          {settings}
        </div>
      </>
    );
  return (
    <div className={classes.comparison} data-pending={runs.some(isAwaited) || undefined}>
      <FindingLine runs={runs} base={base} variables={variables} />
      <Absences runs={runs} />
      <ComparedVariables
        {...props}
        variables={variables}
        onSearchChange={onSearchChange}
        settings={settings}
        code={code}
      />
    </div>
  );
}

/** Its numbers are loading. */
function isAwaited({ experiment, problem, summary, summaryError }: ComparedRun): boolean {
  if (problem !== null || summaryError !== null || summary !== null) return false;
  return experiment === null || hasDraws(experiment);
}

interface ComparedVariablesProps extends ComparisonProps {
  readonly variables: readonly string[];
  readonly settings: ReactNode;
  readonly code: ReactNode;
}

/** The chosen variables in each experiment, and the rest of the comparison. */
function ComparedVariables(props: ComparedVariablesProps) {
  const { runs, base, variables, search, onSearchChange, settings, code } = props;
  const client = useClient();
  const group = useMemo(() => new DrawsGroup(client), [client]);
  const known = useMemo(() => runs.map(({ rows }) => rows), [runs]);
  const chosen = useMemo(
    () => chosenVariables(search.vars, variables, known),
    [search.vars, variables, known],
  );
  const shown = useMemo(() => chosen.slice(0, mostVariables), [chosen]);
  const { errors, tooMany } = useSdErrors(group, runs, shown);
  const groups = useMemo(() => numbersOf(runs, base, shown, errors), [runs, base, shown, errors]);
  return (
    <>
      <VariablePicker
        variables={variables}
        runs={known}
        chosen={search.vars}
        numShown={shown.length}
        onChange={(vars) => onSearchChange({ vars })}
      />
      {chosen.length > shown.length && (
        <p className={classes.notice}>
          The first {shown.length} of {chosen.length} chosen variables are shown.
        </p>
      )}
      {shown.length === 0 ? (
        <p className={classes.lonely}>None of these experiments has the chosen variables.</p>
      ) : (
        <>
          <div className={classes.grid}>
            <IntervalsCard runs={runs} groups={groups} />
            <div className={classes.column}>
              <ChecksCard runs={runs} />
              {settings}
            </div>
          </div>
          <Densities runs={runs} variables={shown} group={group} />
          <DifferencesCard groups={groups} base={base} tooMany={tooMany} />
          <div className={classes.grid}>
            {code}
            <LooCard runs={runs} group={group} />
          </div>
        </>
      )}
    </>
  );
}

function emptyText(runs: readonly ComparedRun[]): string {
  const silent = runs.filter(({ summaryError }) => summaryError !== null);
  if (silent.length > 0) return 'The draws could not be read. They are safe on the server.';
  const withDraws = runs.filter(({ experiment }) => experiment !== null && hasDraws(experiment));
  if (withDraws.length === 0 && runs.every(({ experiment, isLive }) => experiment && !isLive))
    return 'None of these experiments has draws, so only their settings and programs are compared.';
  if (withDraws.length > 0) return 'Reading the draws…';
  return 'The runs have only just started: their draws appear here in a moment.';
}

function FindingLine(props: {
  runs: readonly ComparedRun[];
  base: ComparedRun;
  variables: readonly string[];
}) {
  const { runs, base, variables } = props;
  const finding = useMemo(
    () =>
      findingOf(
        runs,
        base,
        judgedVariables(
          variables,
          runs.map(({ rows }) => rows),
        ),
      ),
    [runs, base, variables],
  );
  return (
    <ToneCard tone={finding.tone} icon={IconScale} label="Finding">
      <p className={classes.finding}>
        <strong role="status">
          <CodeText>{finding.sentence}</CodeText>
        </strong>{' '}
        <span className={classes.dim}>{finding.detail}</span>
      </p>
    </ToneCard>
  );
}

/** Maximum number of groups named for each experiment. */
const mostGroups = 6;

function Absences({ runs }: { runs: readonly ComparedRun[] }) {
  const known = runs.filter((run) => run.summary !== null);
  const found = absences(known.map(({ rows }) => rows));
  const empty = runs.filter((run) => run.summary === null);
  if (found.length === 0 && empty.length === 0) return null;
  return (
    <div className={classes.notice}>
      {empty.map((run) => (
        <p key={run.id}>
          {run.letter} has no draws to show{run.isLive ? ' yet' : ''}.
        </p>
      ))}
      {found.map(({ index, groups }) => (
        <p key={itemAt(known, index).id}>
          {itemAt(known, index).letter} has no{' '}
          {joinNames([
            ...groups.slice(0, mostGroups),
            ...(groups.length > mostGroups ? [`${groups.length - mostGroups} more`] : []),
          ])}
          , shown for the others only.
        </p>
      ))}
    </div>
  );
}

interface DifferencesCardProps {
  readonly groups: readonly NumbersGroup[];
  readonly base: ComparedRun;
  /** Standard deviations are not compared: that would take too many draws. */
  readonly tooMany: boolean;
}

function DifferencesCard({ groups, base, tooMany }: DifferencesCardProps) {
  return (
    <Card className={classes.card} aria-labelledby="compare-differences">
      <header className={classes.cardHead}>
        <h2 id="compare-differences">Differences from {base.letter}</h2>
        <Button
          className={classes.right}
          size="compact-xs"
          variant="subtle"
          color="gray"
          leftSection={<IconDownload size={16} />}
          onClick={() => saveFile('comparison.csv', 'text/csv', tableCsv(numbersTable(groups)))}
        >
          Save all numbers as CSV
        </Button>
      </header>
      <DifferencesTable groups={groups} base={base} />
      <p className={classes.cardText}>
        MCSE: Monte Carlo standard error of the difference, from the draws of both. Up to 2 is
        sampling noise; above 4 the posteriors, or the chains, differ. SD is that of {base.letter}
        ’s posterior.
        {tooMany && ' SDs are not compared, as that needs too many draws: pick fewer variables.'}
      </p>
    </Card>
  );
}
