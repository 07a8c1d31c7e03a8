/** One variable's trace with its R-hat and ESS. */
import { IconAlertTriangle } from '@tabler/icons-react';
import { useCallback, useMemo } from 'react';
import type { SummaryRow } from '../../../../contract/draws.ts';
import type { VariableScale } from '../../../../figures/figure.ts';
import type { TraceChain } from '../../../../figures/trace-figure.ts';
import { shownName } from '../../../../posterior/variable-labels.ts';
import { essFigure, rhatFigure, verdictLimits } from '../../../../posterior/verdict-limits.ts';
import type { FigureRequest } from '../../../plots/figure-request.ts';
import { type CardOptions, PlotCard, type ZoomStep } from '../../../plots/plot-card.tsx';
import { useInView } from '../../../plots/use-in-view.ts';
import { usePlotHeight } from '../../../plots/use-plot-height.ts';
import { divergentColumn } from '../../live/draws-loader.ts';
import type { ChainFocus } from '../run/chain-strip.tsx';
import classes from '../run/experiment.module.css';
import type { TraceView } from '../run/experiment-search.ts';
import { fadedBy } from '../run/figure-variables.ts';
import { iterationsOnAxis, settingNumber, thinOf } from '../run/run-facts.ts';
import { type LiveExperiment, useDraws } from '../run/use-live-experiment.ts';
import { isLong, type TraceOverview, useOverview } from './use-overview.ts';
import { nameOnScale, possibleScales, ScaleItems } from './variable-scale.tsx';
import type { ZoomRange } from './zoom-range.ts';

export interface TraceCardProps {
  readonly live: LiveExperiment;
  readonly variable: string;
  readonly row: SummaryRow | null;
  readonly focus: ChainFocus;
  /** The draws, or their running mean; default the draws. */
  readonly view?: TraceView;
  readonly showWarmup: boolean;
  readonly showDivergences: boolean;
  readonly height?: number;
  /** The variable's scale; default natural. */
  readonly scale?: VariableScale;
  /** Absent: it cannot be changed here. */
  readonly onScale?: (scale: VariableScale) => void;
  /** The zoom range of all traces. */
  readonly zoom?: ZoomRange | null;
  readonly onZoom?: (range: ZoomRange | null) => void;
  readonly onZoomKey?: (step: ZoomStep) => void;
}

export function TraceCard(props: TraceCardProps) {
  const [ref, inView] = useInView<HTMLDivElement>();
  const inGrid = usePlotHeight(118);
  const Trace = inView ? NearTrace : FarTrace;
  return (
    <div ref={ref}>
      <Trace {...props} height={props.height ?? inGrid} />
    </div>
  );
}

/** Reserves the space of a trace that is out of view. */
function FarTrace({ variable, row, height = 118 }: TraceCardProps) {
  const name = shownName(row ?? { variable });
  return (
    <article
      className={classes.plotCard}
      aria-label={`Trace of ${name}`}
      style={{ minHeight: `calc(${height}px + var(--e-plot-head, 46px))` }}
    >
      <code>{name}</code>
    </article>
  );
}

/** Requests its draws only while it is near the view. */
function NearTrace(props: TraceCardProps) {
  const { live, variable, row, focus, onZoom, scale = 'natural', onScale } = props;
  const { chainNames } = live;
  const { make, error } = useTraceRequest(props);
  const name = shownName(row ?? { variable });
  const title = props.view === 'mean' ? 'Running mean' : 'Trace';
  const faded = useMemo(() => fadedBy(focus, chainNames.length), [focus, chainNames.length]);
  return (
    <PlotCard
      name={`${title} of ${name}`}
      label={`${title} of ${name}, one line per chain`}
      caption={<code title={variable}>{row === null ? name : nameOnScale(row, scale)}</code>}
      help="trace"
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

/** What to draw, once its draws are loaded, and why they are not. */
function useTraceRequest(props: TraceCardProps) {
  const { live, variable, row, showWarmup, showDivergences, zoom } = props;
  const { scale = 'natural', view = 'draws' } = props;
  const isMean = view === 'mean';
  const { lower, upper, label } = row ?? {};
  const asOverview =
    !isMean &&
    isLong(live) &&
    live.store.read(variable, live.chainNames[0] ?? '', 'sampling').length === 0;
  const draws = useDraws(live, asOverview ? null : variable);
  const { overview, error } = useOverview(live, variable, {
    zoom: zoom ?? null,
    withWarmup: showWarmup,
    enabled: asOverview,
  });
  const { experiment, summary, isLive, chainNames, limit } = live;
  const numWarmup = settingNumber(experiment, 'num_warmup') ?? 0;
  const thin = thinOf(experiment);
  const numSamples = iterationsOnAxis(experiment, summary, isLive);
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
      const longest = Math.max(numSamples, ...chains.map(({ sampling }) => thin * sampling.length));
      const traced = { variable, label, chains, scale, lower, upper };
      const along = {
        ...options,
        numSamples: longest,
        step: thin,
        ...(zoom ? { range: zoom } : {}),
      };
      if (isMean) return { kind: 'running-mean', variable: traced, options: along };
      const hasWarmup = chains.some(
        ({ warmup, overview: seen }) => (warmup?.length ?? 0) > 0 || seen?.warmup !== undefined,
      );
      return {
        kind: 'trace',
        variable: traced,
        options: {
          ...along,
          numWarmup,
          fixedrange: true,
          showWarmup: showWarmup && hasWarmup,
        },
      };
    },
    // biome-ignore format: one list
    [draws, isMean, asOverview, overview, chainNames, limit, variable, label, showDivergences, numWarmup, numSamples, thin, showWarmup, zoom, scale, lower, upper],
  );
  return { make, error };
}

/** What is known of one chain, as the figure expects it. */
function overviewOf({ warmup, sampling }: TraceOverview, chain: string, withDivergent: boolean) {
  const seen = sampling.get(chain);
  return {
    warmup: warmup?.get(chain)?.column,
    sampling: seen?.column ?? noDraws,
    divergent: withDivergent ? seen?.divergent : undefined,
  };
}

const noDraws = { places: new Float64Array(0), values: new Float64Array(0), count: 0 };

/** R-hat, then the smaller ESS and which one it is; without what cannot be computed yet. */
export function Caption({ row, numChains }: { row: SummaryRow | null; numChains: number }) {
  if (row === null) return null;
  if (row.constant) return <span className={classes.captionFacts}>constant</span>;
  const tail =
    (row.ess_tail ?? Number.POSITIVE_INFINITY) < (row.ess_bulk ?? Number.POSITIVE_INFINITY);
  const ess = tail ? row.ess_tail : row.ess_bulk;
  const { rhat, essPerChain } = verdictLimits;
  const ofRhat = toneBeyond(row.rhat, rhat.warn, rhat.bad);
  // The fewer the worse.
  const ofEss = toneBeyond(
    ess === null ? null : -ess,
    -essPerChain.warn * numChains,
    -essPerChain.bad * numChains,
  );
  return (
    <span className={classes.captionFacts}>
      {row.rhat !== null && <Fact tone={ofRhat}>R-hat {rhatFigure(row.rhat)}</Fact>}
      {ess !== null && (
        <Fact tone={ofEss}>
          ESS {essFigure(ess, numChains)} {tail ? 'tail' : 'bulk'}
        </Fact>
      )}
    </span>
  );
}

type Tone = 'warn' | 'bad' | undefined;

/** The same as in the table and the tree. */
function toneBeyond(value: number | null, warn: number, bad: number): Tone {
  if (value === null || value <= warn) return undefined;
  return value > bad ? 'bad' : 'warn';
}

function Fact({ tone, children }: { tone: Tone; children: React.ReactNode }) {
  return (
    <span data-tone={tone}>
      {tone !== undefined && (
        <IconAlertTriangle size={13} aria-label={tone === 'bad' ? 'fails' : 'needs a look'} />
      )}
      {children}
    </span>
  );
}
