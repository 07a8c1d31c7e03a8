/** One variable's trace with its R-hat and ESS. */
import { IconAlertTriangle } from '@tabler/icons-react';
import { useCallback, useMemo } from 'react';
import type { SummaryRow } from '../../../../contract/draws.ts';
import type { VariableScale } from '../../../../figures/figure.ts';
import type { TraceChain } from '../../../../figures/trace-figure.ts';
import { essFigure, rhatFigure, verdictLimits } from '../../../../posterior/verdict-limits.ts';
import type { FigureRequest } from '../../../plots/figure-request.ts';
import { type CardOptions, PlotCard, type ZoomStep } from '../../../plots/plot-card.tsx';
import { useInView } from '../../../plots/use-in-view.ts';
import { divergentColumn } from '../../live/draws-loader.ts';
import type { ChainFocus } from '../run/chain-strip.tsx';
import classes from '../run/experiment.module.css';
import { fadedBy } from '../run/figure-variables.ts';
import { settingNumber, thinOf } from '../run/run-facts.ts';
import { type LiveExperiment, useDraws } from '../run/use-live-experiment.ts';
import { isLong, type TraceOverview, useOverview } from './use-overview.ts';
import { nameOnScale, possibleScales, ScaleItems } from './variable-scale.tsx';
import type { ZoomRange } from './zoom-tools.tsx';

export interface TraceCardProps {
  readonly live: LiveExperiment;
  readonly variable: string;
  readonly row: SummaryRow | null;
  readonly focus: ChainFocus;
  readonly showWarmup: boolean;
  readonly showDivergences: boolean;
  readonly height?: number;
  /** The variable's scale; default as it is. */
  readonly scale?: VariableScale;
  /** Absent: it cannot be changed here. */
  readonly onScale?: (scale: VariableScale) => void;
  /** What all traces are zoomed to. */
  readonly zoom?: ZoomRange | null;
  readonly onZoom?: (range: ZoomRange | null) => void;
  readonly onZoomKey?: (step: ZoomStep) => void;
}

export function TraceCard(props: TraceCardProps) {
  const [ref, inView] = useInView<HTMLDivElement>();
  return <div ref={ref}>{inView ? <NearTrace {...props} /> : <FarTrace {...props} />}</div>;
}

/** Keeps the place of a trace that nobody sees. */
function FarTrace({ variable, height = 118 }: TraceCardProps) {
  return (
    <article
      className={classes.plotCard}
      aria-label={`Trace of ${variable}`}
      style={{ minHeight: `calc(${height}px + var(--e-plot-head, 46px))` }}
    >
      <code>{variable}</code>
    </article>
  );
}

/** Wants its draws while it is near the view only. */
function NearTrace(props: TraceCardProps) {
  const { live, variable, row, focus, showWarmup, showDivergences, zoom, onZoom } = props;
  const { scale = 'natural', onScale } = props;
  const { lower, upper } = row ?? {};
  const asOverview =
    isLong(live) && live.store.read(variable, live.chainNames[0] ?? '', 'sampling').length === 0;
  const draws = useDraws(live, asOverview ? null : variable);
  const { overview, error } = useOverview(live, variable, {
    zoom: zoom ?? null,
    withWarmup: showWarmup,
    enabled: asOverview,
  });
  const { experiment, chainNames, limit } = live;
  const numWarmup = settingNumber(experiment, 'num_warmup') ?? 0;
  const thin = thinOf(experiment);
  const numSamples = settingNumber(experiment, 'num_samples') ?? experiment.n_samples * thin;
  const make = useCallback(
    (options: CardOptions): FigureRequest | null => {
      if (asOverview && overview === null) return null;
      const places = chainNames.map((name, index) => ({ index, name }));
      const kept = places.filter(({ name }) => !limit.leftOut.includes(name));
      const chains: TraceChain[] = kept.map(({ index, name }) => ({
        index,
        name,
        ...(overview === null ? {} : { overview: overviewOf(overview, name, showDivergences) }),
        warmup: draws.read(variable, name, 'warmup'),
        sampling: draws.read(variable, name, 'sampling'),
        divergent: showDivergences
          ? draws.read(divergentColumn, name, 'sampling')
          : new Float64Array(0),
      }));
      const hasWarmup = chains.some(
        ({ warmup, overview: seen }) => (warmup?.length ?? 0) > 0 || seen?.warmup !== undefined,
      );
      return {
        kind: 'trace',
        variable: { variable, chains, scale, lower, upper },
        options: {
          ...options,
          numWarmup,
          numSamples: Math.max(numSamples, ...chains.map((chain) => thin * chain.sampling.length)),
          step: thin,
          fixedrange: true,
          showWarmup: showWarmup && hasWarmup,
          ...(zoom ? { range: zoom } : {}),
        },
      };
    },
    // biome-ignore format: one list
    [draws, asOverview, overview, chainNames, limit, variable, showDivergences, numWarmup, numSamples, thin, showWarmup, zoom, scale, lower, upper],
  );
  const faded = useMemo(() => fadedBy(focus, chainNames.length), [focus, chainNames.length]);
  return (
    <PlotCard
      name={`Trace of ${variable}`}
      label={`Trace of ${variable}, one line per chain`}
      caption={<code title={variable}>{row === null ? variable : nameOnScale(row, scale)}</code>}
      facts={<Caption row={row} numChains={live.summary?.n_chains ?? 4} />}
      make={make}
      menu={
        row !== null && onScale !== undefined && possibleScales(row).length > 1 ? (
          <ScaleItems row={row} scale={scale} onScale={onScale} />
        ) : undefined
      }
      absence={error === null ? undefined : `These draws could not be loaded: ${error.message}`}
      height={props.height}
      faded={faded}
      hidden={focus.hidden}
      onZoom={onZoom}
      onZoomKey={props.onZoomKey}
    />
  );
}

/** What is known of one chain, as the figure takes it. */
function overviewOf({ warmup, sampling }: TraceOverview, chain: string, withDivergent: boolean) {
  const seen = sampling.get(chain);
  return {
    warmup: warmup?.get(chain)?.column,
    sampling: seen?.column ?? noDraws,
    divergent: withDivergent ? seen?.divergent : undefined,
  };
}

const noDraws = { places: new Float64Array(0), values: new Float64Array(0), count: 0 };

/** R-hat, then the smaller ESS and which. */
export function Caption({ row, numChains }: { row: SummaryRow | null; numChains: number }) {
  if (row === null) return null;
  if (row.constant) return <span className={classes.captionFacts}>constant</span>;
  const tail =
    (row.ess_tail ?? Number.POSITIVE_INFINITY) < (row.ess_bulk ?? Number.POSITIVE_INFINITY);
  const ess = tail ? row.ess_tail : row.ess_bulk;
  const badRhat = row.rhat !== null && row.rhat > verdictLimits.rhat.warn;
  const badEss = ess !== null && ess < verdictLimits.essPerChain.warn * numChains;
  return (
    <span className={classes.captionFacts}>
      <Fact bad={badRhat}>R-hat {rhatFigure(row.rhat)}</Fact>
      <Fact bad={badEss}>
        ESS {essFigure(ess, numChains)} {tail ? 'tail' : 'bulk'}
      </Fact>
    </span>
  );
}

function Fact({ bad, children }: { bad: boolean; children: React.ReactNode }) {
  return (
    <span data-warn={bad || undefined}>
      {bad && <IconAlertTriangle size={13} aria-label="fails" />}
      {children}
    </span>
  );
}
