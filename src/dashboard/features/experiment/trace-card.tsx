/** One variable's trace with its R-hat and ESS; mounts its plot only near the view. */
import { useComputedColorScheme } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useMemo, useState } from 'react';
import type { SummaryRow } from '../../../contract/draws.ts';
import { verdictLimits } from '../../../posterior/verdict.ts';
import { plotPalettes } from '../../plots/palette.ts';
import { Plot } from '../../plots/plot.tsx';
import { type TraceChain, traceFigure } from '../../plots/trace-figure.ts';
import { formatCount } from '../../ui/numbers.ts';
import { divergentColumn } from '../live/draws-loader.ts';
import type { ChainFocus } from './chain-strip.tsx';
import classes from './experiment.module.css';
import { settingNumber, thinOf } from './run-facts.ts';
import { type LiveExperiment, useDraws, useInView } from './use-live-experiment.ts';

export interface TraceCardProps {
  readonly live: LiveExperiment;
  readonly variable: string;
  readonly row: SummaryRow | null;
  readonly focus: ChainFocus;
  readonly showWarmup: boolean;
  readonly showDivergences: boolean;
  readonly height?: number;
}

export function TraceCard(props: TraceCardProps) {
  const { variable, row, height = 118 } = props;
  const [ref, inView] = useInView<HTMLElement>();
  return (
    <article ref={ref} className={classes.plotCard} aria-label={`Trace of ${variable}`}>
      <header className={classes.caption}>
        <code>{variable}</code>
        <Caption row={row} numChains={props.live.summary?.n_chains ?? 4} />
      </header>
      <div style={{ minHeight: height }}>{inView && <TracePlot {...props} height={height} />}</div>
    </article>
  );
}

function TracePlot({
  live,
  variable,
  focus,
  showWarmup,
  showDivergences,
  height = 118,
}: TraceCardProps) {
  const draws = useDraws(live, variable);
  const scheme = useComputedColorScheme('light');
  const [width, setWidth] = useState(300);
  const { experiment, chainNames } = live;
  const numWarmup = settingNumber(experiment, 'num_warmup') ?? 0;
  const thin = thinOf(experiment);
  const numSamples = settingNumber(experiment, 'num_samples') ?? experiment.n_samples * thin;
  const figure = useMemo(() => {
    const chains: TraceChain[] = chainNames.map((name, index) => ({
      index,
      name,
      warmup: draws.read(variable, name, 'warmup'),
      sampling: draws.read(variable, name, 'sampling'),
      divergent: showDivergences
        ? draws.read(divergentColumn, name, 'sampling')
        : new Float64Array(0),
    }));
    const hasWarmup = chains.some((chain) => chain.warmup.length > 0);
    const faded = new Set(
      focus.pointed === null ? [] : chains.map((_, i) => i).filter((i) => i !== focus.pointed),
    );
    return traceFigure(chains, {
      palette: plotPalettes[scheme],
      numWarmup,
      numSamples: Math.max(numSamples, ...chains.map((chain) => thin * chain.sampling.length)),
      step: thin,
      showWarmup: showWarmup && hasWarmup,
      width,
      faded,
      hidden: focus.hidden,
    });
  }, [
    draws,
    chainNames,
    thin,
    variable,
    scheme,
    width,
    focus,
    showWarmup,
    showDivergences,
    numWarmup,
    numSamples,
  ]);
  const measure = (element: HTMLDivElement | null) => {
    if (element !== null && Math.abs(element.clientWidth - width) > 20)
      setWidth(element.clientWidth);
  };
  return (
    <div ref={measure}>
      <Plot figure={figure} height={height} label={`Trace of ${variable}, one line a chain`} />
      {figure.thinning > 1.05 && (
        <p className={classes.thinning}>
          1 in {figure.thinning.toFixed(figure.thinning < 10 ? 1 : 0)} shown, extremes kept
        </p>
      )}
    </div>
  );
}

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
      <Fact bad={badRhat}>R-hat {row.rhat === null ? '–' : row.rhat.toFixed(3)}</Fact>
      <Fact bad={badEss}>
        ESS {ess === null ? '–' : formatCount(Math.round(ess))} {tail ? 'tail' : 'bulk'}
      </Fact>
    </span>
  );
}

function Fact({ bad, children }: { bad: boolean; children: React.ReactNode }) {
  return (
    <span data-warn={bad || undefined}>
      {bad && <IconAlertTriangle size={13} stroke={1.6} aria-label="fails" />}
      {children}
    </span>
  );
}
