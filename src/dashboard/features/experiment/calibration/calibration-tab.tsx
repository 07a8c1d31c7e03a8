/** A calibration: for each quantity, the rank of the true values of the simulations among the draws. */
import { Button } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useCallback, useMemo, useState } from 'react';
import type { WireCalibration } from '../../../../contract/draws.ts';
import { rankCsv } from '../../../../formats/rank-csv.ts';
import { shownName } from '../../../../posterior/variable-labels.ts';
import { joined } from '../../../../posterior/verdict-label.ts';
import { verdictLimits } from '../../../../posterior/verdict-limits.ts';
import type { FigureRequest } from '../../../plots/figure-request.ts';
import { type CardOptions, PlotCard } from '../../../plots/plot-card.tsx';
import { HelpLink } from '../../../ui/help-link.tsx';
import { formatNumber } from '../../../ui/numbers.ts';
import { saveFile } from '../../../ui/save-file.ts';
import { type HeadTitle, TableHead } from '../../../ui/table-head.tsx';
import page from '../run/experiment.module.css';
import type { LiveExperiment } from '../run/use-live-experiment.ts';
import classes from './calibration.module.css';

type Quantity = WireCalibration['quantities'][number];

/** Number of plots drawn before the user asks for all of them. */
const firstPlots = 12;

export function CalibrationTab({ live }: { live: LiveExperiment }) {
  const { summary, isLive, experiment } = live;
  const calibration = summary?.calibration;
  if (calibration === undefined || calibration.chains.length === 0)
    return (
      <p className={page.empty}>
        {isLive
          ? 'No simulation has finished yet. Ranks appear here as simulations finish.'
          : 'No simulation was completed, so there are no ranks to show. The log says what happened.'}
      </p>
    );
  return (
    <Ranks
      calibration={calibration}
      fileName={`${experiment.name || experiment.short_id}-ranks.csv`}
    />
  );
}

interface RanksProps {
  readonly calibration: WireCalibration;
  readonly fileName: string;
}

function Ranks({ calibration, fileName }: RanksProps) {
  const { chains, quantities, probability } = calibration;
  const worstFirst = useMemo(
    () => quantities.toSorted((a, b) => (b.distance ?? 0) - (a.distance ?? 0)),
    [quantities],
  );
  const [areAllShown, setAllShown] = useState(false);
  const drawn = worstFirst.filter(({ position }) => position !== undefined);
  const plotted = areAllShown ? drawn : drawn.slice(0, firstPlots);
  return (
    <section aria-label="Calibration" className={page.sections}>
      <section aria-label="Ranks of the true values">
        <div className={page.toolbar}>
          <h2 className={page.sectionTitle}>Ranks of the true values</h2>
          <HelpLink topic="calibration" of="calibration" />
          <div className={page.toolbarEnd}>
            <Button
              size="xs"
              leftSection={<IconDownload size={14} />}
              onClick={() => saveFile(fileName, 'text/csv', rankCsv(chains, quantities))}
            >
              Ranks (CSV)
            </Button>
          </div>
        </div>
        <p className={page.dim}>{bandText(chains.length, quantities.length, probability)}</p>
        <Doubts calibration={calibration} />
        <div className={page.plotGrid}>
          {plotted.map((quantity) => (
            <RankCard key={quantity.variable} quantity={quantity} probability={probability} />
          ))}
        </div>
        {plotted.length < drawn.length && (
          <Button size="xs" onClick={() => setAllShown(true)}>
            Show all {drawn.length}
          </Button>
        )}
      </section>
      <QuantityTable quantities={worstFirst} />
    </section>
  );
}

function bandText(simulations: number, quantities: number, probability: number): string {
  const few =
    simulations < verdictLimits.leastSimulations
      ? ` Fewer than ${verdictLimits.leastSimulations} simulations say nothing either way.`
      : '';
  const several =
    quantities > 1
      ? ` over all ${quantities} quantities together (${(100 * probability).toFixed(2)} % for each, Bonferroni)`
      : '';
  return `ECDF of the rank among the draws, minus the diagonal, over ${simulations} simulations; worst first. If program and sampler are right, the lines stay in the band with 95 % probability${several}.${few}`;
}

function Doubts({
  calibration: { failed, divergent, slow, chains },
}: Pick<RanksProps, 'calibration'>) {
  const lines = [
    { names: failed, text: 'failed and are not counted' },
    { names: divergent, text: `of ${chains.length} have divergent transitions` },
    { names: slow, text: `of ${chains.length} have an ESS below ${verdictLimits.leastRankEss}` },
  ].filter(({ names }) => names.length > 0);
  if (lines.length === 0) return null;
  return (
    <ul className={classes.doubts}>
      {lines.map(({ names, text }) => (
        <li key={text} title={namesOf(names)}>
          {names.length} {text}
          {names.length <= 8 && `: ${namesOf(names)}`}
        </li>
      ))}
    </ul>
  );
}

const namesOf = (names: readonly string[]): string =>
  joined(names.map((name) => name.replace(/^chain#/, '')));

const known = (values: readonly (number | null)[] | undefined): Float64Array =>
  Float64Array.from((values ?? []).filter((value) => value !== null));

function RankCard({ quantity, probability }: { quantity: Quantity; probability: number }) {
  const { variable, label, state } = quantity;
  const positions = useMemo(() => known(quantity.position), [quantity.position]);
  const make = useCallback(
    (options: CardOptions): FigureRequest => ({
      kind: 'simulation-rank',
      quantity: { variable, label, positions, probability, state },
      options,
    }),
    [variable, label, positions, probability, state],
  );
  const name = shownName(quantity);
  return (
    <PlotCard
      name={`Ranks of the true values of ${name}`}
      label={`ECDF difference of the ranks of ${name}: ${findings[findingOf(quantity)]}`}
      caption={<code title={variable}>{name}</code>}
      facts={
        <span className={page.captionFacts}>
          <span data-tone={state === 'passed' ? undefined : state}>
            {findings[findingOf(quantity)]}
          </span>
        </span>
      }
      help="calibration"
      make={make}
      height={150}
    />
  );
}

const findings = {
  uniform: 'Uniform',
  narrow: 'Too narrow',
  wide: 'Too wide',
  high: 'Too high',
  low: 'Too low',
  other: 'Not uniform',
} as const;

const findingOf = ({ state, shape }: Quantity): keyof typeof findings =>
  state === 'passed' ? 'uniform' : (shape ?? 'other');

const headTitles: readonly HeadTitle[] = [
  'Quantity',
  'Posterior',
  [
    'Distance',
    {
      title: 'Largest distance from uniform, in half-widths of the band: 1 or more is outside',
    },
  ],
  ['Contraction', { title: '1 − posterior variance ÷ variance of the true values' }],
  ['Mean z', { title: 'Mean of (posterior mean − true value) ÷ posterior sd' }],
  ['sd of z', { title: 'Standard deviation of (posterior mean − true value) ÷ posterior sd' }],
];

function QuantityTable({ quantities }: { quantities: readonly Quantity[] }) {
  return (
    <section aria-label="Quantities">
      <h2 className={page.sectionTitle}>Quantities</h2>
      {/* What scrolls must be reachable by keys. */}
      <div className={classes.tableCard} role="group" aria-label="Quantities" tabIndex={0}>
        <table className={classes.table}>
          <TableHead titles={headTitles} />
          <tbody>
            {quantities.map((quantity) => (
              <tr key={quantity.variable}>
                <th scope="row" title={quantity.variable}>
                  {shownName(quantity)}
                </th>
                <td data-tone={quantity.state === 'passed' ? undefined : quantity.state}>
                  {findings[findingOf(quantity)]}
                </td>
                <td>{formatNumber(quantity.distance, 2)}</td>
                <td>{formatNumber(quantity.contraction, 2)}</td>
                <td>{formatNumber(quantity.z_mean, 2)}</td>
                <td>{formatNumber(quantity.z_sd, 2)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}
