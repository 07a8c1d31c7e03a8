/** The tools above the traces: draws or their running mean, which chains, what is marked, and the zoom. */
import { Button, Checkbox, Menu, SegmentedControl } from '@mantine/core';
import { IconChevronDown } from '@tabler/icons-react';
import { chainLabel } from '../../../../figures/figure.ts';
import { lazyPart } from '../../../ui/lazy-part.ts';
import type { ChainFocus } from '../run/chain-strip.tsx';
import classes from '../run/experiment.module.css';
import type { TraceView } from '../run/experiment-search.ts';
import type { LiveExperiment } from '../run/use-live-experiment.ts';
import type { ZoomRange } from './zoom-range.ts';

const ZoomTools = lazyPart(() => import('./zoom-tools.tsx'), 'ZoomTools');

export interface TraceMarks {
  readonly showWarmup: boolean;
  readonly showDivergences: boolean;
}

export interface TraceToolsProps extends ChainsProps {
  readonly trace: TraceView;
  readonly onTrace: (trace: TraceView) => void;
  readonly hasWarmup: boolean;
  /** False if the sampler reports none, as with JAGS. */
  readonly hasDivergences: boolean;
  readonly view: TraceMarks;
  readonly zoom: ZoomRange | null;
  readonly last: number;
  readonly onView: (change: Partial<TraceMarks>) => void;
  readonly onZoom: (zoom: ZoomRange | null) => void;
}

export function TraceTools(props: TraceToolsProps) {
  const { trace, onTrace, hasWarmup, hasDivergences, view, zoom, last, onView, onZoom } = props;
  return (
    <div className={classes.toolbar}>
      <SegmentedControl
        aria-label="What is plotted"
        value={trace}
        onChange={(value) => onTrace(value as TraceView)}
        data={[
          { value: 'draws', label: 'Traces' },
          { value: 'mean', label: 'Running mean' },
        ]}
      />
      {trace === 'draws' && (
        <>
          <Checkbox
            label={hasWarmup ? 'Warmup' : 'Warmup (not saved)'}
            disabled={!hasWarmup}
            checked={view.showWarmup && hasWarmup}
            onChange={(e) => onView({ showWarmup: e.currentTarget.checked })}
          />
          {hasDivergences && (
            <Checkbox
              label="Divergences"
              checked={view.showDivergences}
              onChange={(e) => onView({ showDivergences: e.currentTarget.checked })}
            />
          )}
        </>
      )}
      <Chains {...props} />
      <span className={classes.zoomNote}>Drag to zoom all, double-click to reset</span>
      <ZoomTools zoom={zoom} last={last} onZoom={onZoom} />
    </div>
  );
}

interface ChainsProps {
  readonly live: LiveExperiment;
  readonly focus: ChainFocus;
  readonly onFocusChange: (focus: ChainFocus) => void;
}

/** Which chains are drawn, in every plot of the page: the same choice as with a click on the legend. */
function Chains({ live: { chainNames, limit }, focus, onFocusChange }: ChainsProps) {
  const places = chainNames.flatMap((name, index) => (limit.leftOut.includes(name) ? [] : [index]));
  const drawn = places.filter((index) => !focus.hidden.has(index));
  if (places.length < 2) return null;
  const hide = (hidden: ReadonlySet<number>) => onFocusChange({ pointed: null, hidden });
  const toggle = (index: number) => {
    const hidden = new Set(focus.hidden);
    if (!hidden.delete(index)) hidden.add(index);
    hide(hidden);
  };
  return (
    <Menu closeOnItemClick={false} position="bottom-start">
      <Menu.Target>
        <Button size="xs" rightSection={<IconChevronDown size={14} />}>
          {drawn.length === places.length
            ? 'All chains'
            : `${drawn.length} of ${places.length} chains`}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {places.map((index) => (
          <Menu.CheckboxItem
            key={index}
            checked={!focus.hidden.has(index)}
            onChange={() => toggle(index)}
          >
            {chainLabel({ index })}
          </Menu.CheckboxItem>
        ))}
        <Menu.Divider />
        <Menu.Item disabled={focus.hidden.size === 0} onClick={() => hide(new Set())}>
          Draw all chains
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
