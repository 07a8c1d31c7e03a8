/** A plot with its caption and menu: enlarge, table, PNG, SVG, CSV. The only plot card of the dashboard. */
import { ActionIcon, Menu, Modal, useComputedColorScheme } from '@mantine/core';
import {
  IconArrowsMaximize,
  IconDots,
  IconFileTypeCsv,
  IconFileTypeSvg,
  IconHelp,
  IconPhoto,
  IconTable,
} from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import {
  type KeyboardEvent,
  type ReactNode,
  useCallback,
  useEffect,
  useMemo,
  useState,
} from 'react';
import type { FigureOptions, FigureTable } from '../../figures/figure.ts';
import { plotPalettes } from '../../figures/palette.ts';
import { ErrorBoundary } from '../ui/error-boundary.tsx';
import { type HelpTopic, helpTopics } from '../ui/help-topics.ts';
import { pendingMark, usePrinting } from '../ui/printing.ts';
import { TextButton } from '../ui/text-button.tsx';
import { showToast } from '../ui/toasts.tsx';
import { useReturnFocus } from '../ui/use-return-focus.ts';
import { type ExportKind, exportFigure } from './export-figure.ts';
import type { FigureRequest } from './figure-request.ts';
import { FigureTableView } from './figure-table.tsx';
import { askFigure } from './figure-thread.ts';
import { Plot } from './plot.tsx';
import classes from './plot-card.module.css';
import { useFigure } from './use-figure.ts';
import { useInView } from './use-in-view.ts';

/** What a card adds to the options of its figure. */
export interface CardOptions extends FigureOptions {
  /** Pixels across. */
  readonly width: number;
}

export interface PlotCardProps {
  /** What the card shows: "Trace of mu". */
  readonly name: string;
  /** What the plot shows, for people who cannot see it; default the name. */
  readonly label?: string;
  readonly caption: ReactNode;
  /** What to look for, under the caption. */
  readonly hint?: string;
  /** Explains the plot; its menu leads there. */
  readonly help?: HelpTopic;
  /** Right of the caption: numbers that belong to the plot. */
  readonly facts?: ReactNode;
  /** The figure for these options; null until its draws arrive. The same function while nothing changes. */
  readonly make: (options: CardOptions) => FigureRequest | null;
  /** Of the plot, pixels; a figure that depends on its content (rows of a forest) sets its own. */
  readonly height?: number;
  readonly faded?: ReadonlySet<number>;
  readonly hidden?: ReadonlySet<number>;
  /** Entries of the menu that only this plot has. */
  readonly menu?: ReactNode;
  /** Shown while there is nothing to draw. */
  readonly absence?: string;
  /** Called with the x range a person zoomed to, null when they reset it. */
  readonly onZoom?: (range: [number, number] | null) => void;
  /** Zooms by key, from the focused card. */
  readonly onZoomKey?: (step: ZoomStep) => void;
}

export type ZoomStep = 'in' | 'out' | 'left' | 'right' | 'all';

const zoomKeys: Readonly<Record<string, ZoomStep>> = {
  '+': 'in',
  '=': 'in',
  '-': 'out',
  ArrowLeft: 'left',
  ArrowRight: 'right',
  '0': 'all',
};

export function PlotCard(props: PlotCardProps) {
  const [ref, inView] = useInView<HTMLElement>();
  const { name, caption, facts, height = 118 } = props;
  const [tableShown, setTableShown] = useState(false);
  const [large, setLarge] = useState(false);
  // Kept while the card is out of view, so that nothing moves.
  const [drawnHeight, setDrawnHeight] = useState(height);
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    if (event.target !== event.currentTarget) return;
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const step = zoomKeys[event.key];
    if (step !== undefined && props.onZoomKey !== undefined) props.onZoomKey(step);
    else if (event.key === 't' || event.key === 'T') setTableShown(!tableShown);
    else if (event.key === 'Enter') setLarge(true);
    else return;
    event.preventDefault();
  };
  return (
    // its keys are also in its menu and the page's fields
    <article
      ref={ref}
      className={classes.card}
      aria-label={name}
      // a card handles keys
      tabIndex={0}
      aria-keyshortcuts={`${props.onZoomKey === undefined ? '' : 'Plus - ArrowLeft ArrowRight 0 '}T Enter`}
      onKeyDown={onKeyDown}
    >
      <header className={classes.head}>
        <div className={classes.caption}>{caption}</div>
        {facts !== undefined && <div className={classes.facts}>{facts}</div>}
        <CardMenu
          {...props}
          tableShown={tableShown}
          onTable={() => setTableShown(!tableShown)}
          onEnlarge={() => setLarge(true)}
        />
      </header>
      {props.hint !== undefined && <p className={classes.hint}>{props.hint}</p>}
      <div style={{ minHeight: drawnHeight }}>
        {inView && (
          <ErrorBoundary
            fallback={(_, retry) => (
              <p role="alert" className={classes.failed}>
                This plot could not be drawn. The draws are not affected.{' '}
                <TextButton onClick={retry}>Try again</TextButton>
              </p>
            )}
          >
            <CardBody
              {...props}
              height={height}
              tableShown={tableShown}
              onHeight={setDrawnHeight}
            />
          </ErrorBoundary>
        )}
      </div>
      {large && <LargePlot {...props} onClose={() => setLarge(false)} />}
    </article>
  );
}

interface CardBodyProps extends PlotCardProps {
  readonly height: number;
  readonly tableShown: boolean;
  /** Called with the height of the plot. */
  readonly onHeight?: (height: number) => void;
}

function CardBody(props: CardBodyProps) {
  const { make, faded, hidden, name, label = name, height, tableShown, onZoom } = props;
  const screenScheme = useComputedColorScheme('light');
  const scheme = usePrinting() ? 'light' : screenScheme;
  const [width, setWidth] = useState(300);
  const request = useMemo(
    () => make({ palette: plotPalettes[scheme], faded, hidden, width }),
    [make, scheme, faded, hidden, width],
  );
  const { figure, error } = useFigure(request);
  // The browser reports it during layout: reading it at each render would force a layout per card.
  const measure = useCallback((element: HTMLDivElement | null) => {
    if (element === null) return;
    const observer = new ResizeObserver(([entry]) => {
      const wide = Math.round(entry?.contentRect.width ?? 0);
      setWidth((now) => (wide > 0 && Math.abs(wide - now) > 20 ? wide : now));
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  const plotHeight = figure?.preferredHeight ?? height;
  const { onHeight } = props;
  useEffect(() => onHeight?.(plotHeight), [onHeight, plotHeight]);
  if (request === null)
    return props.absence === undefined ? (
      <p className={classes.absence} {...pendingMark}>
        Reading the draws…
      </p>
    ) : (
      <p className={classes.absence}>{props.absence}</p>
    );
  if (error !== null)
    return (
      <p role="alert" className={classes.failed}>
        This plot could not be drawn: {error} The draws are not affected.
      </p>
    );
  return (
    <div ref={measure}>
      {tableShown ? (
        <TableTwin request={request} label={label} height={plotHeight} />
      ) : figure === null ? (
        <div
          className={classes.skeleton}
          style={{ height: plotHeight }}
          aria-hidden="true"
          {...pendingMark}
        />
      ) : (
        <Plot figure={figure} height={plotHeight} label={label} onZoom={onZoom} />
      )}
      {figure?.notes.map((note) => (
        <p key={note} className={classes.note}>
          {note}
        </p>
      ))}
    </div>
  );
}

function TableTwin({
  request,
  label,
  height,
}: {
  request: FigureRequest;
  label: string;
  height: number;
}) {
  const [table, setTable] = useState<FigureTable | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  useEffect(() => {
    let gone = false;
    askFigure(request, true).then(
      (answer) => gone || setTable(answer.table),
      (error: unknown) => gone || setProblem(messageOf(error)),
    );
    return () => {
      gone = true;
    };
  }, [request]);
  if (problem !== null)
    return (
      <p role="alert" className={classes.failed}>
        The numbers could not be shown: {problem}
      </p>
    );
  if (table === null)
    return <div className={classes.skeleton} style={{ height }} aria-hidden="true" />;
  return <FigureTableView table={table} label={label} height={height} />;
}

interface CardMenuProps extends PlotCardProps {
  readonly tableShown: boolean;
  readonly onTable: () => void;
  readonly onEnlarge?: () => void;
}

function CardMenu(props: CardMenuProps) {
  const { name, label = name, make, hidden, tableShown, onTable, onEnlarge } = props;
  const save = (kind: ExportKind) => {
    const request = make({ palette: plotPalettes.light, alone: true, hidden, width: 880 });
    if (request === null) {
      showToast({ message: 'There is nothing to save yet.' });
      return;
    }
    exportFigure(kind, request, { fileName: name, label }).catch((error: unknown) =>
      showToast({ message: `Not saved: ${messageOf(error)}`, tone: 'bad' }),
    );
  };
  return (
    <Menu withinPortal>
      <Menu.Target>
        <ActionIcon className={classes.menu} size={24} aria-label={`Menu of ${name}`}>
          <IconDots size={16} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {onEnlarge !== undefined && (
          <Menu.Item leftSection={<IconArrowsMaximize size={16} />} onClick={onEnlarge}>
            Enlarge
          </Menu.Item>
        )}
        <Menu.Item leftSection={<IconTable size={16} />} onClick={onTable}>
          {tableShown ? 'Show the plot' : 'Show as table'}
        </Menu.Item>
        {props.menu !== undefined && <Menu.Divider />}
        {props.menu}
        <Menu.Divider />
        <Menu.Item leftSection={<IconPhoto size={16} />} onClick={() => save('png')}>
          Save as PNG
        </Menu.Item>
        <Menu.Item leftSection={<IconFileTypeSvg size={16} />} onClick={() => save('svg')}>
          Save as SVG
        </Menu.Item>
        <Menu.Item leftSection={<IconFileTypeCsv size={16} />} onClick={() => save('csv')}>
          Save its data as CSV
        </Menu.Item>
        {props.help !== undefined && (
          <>
            <Menu.Divider />
            <Menu.Item
              leftSection={<IconHelp size={16} />}
              component={Link}
              to={`/help/${helpTopics[props.help]}`}
              hash={props.help}
            >
              How to read it
            </Menu.Item>
          </>
        )}
      </Menu.Dropdown>
    </Menu>
  );
}

/** The plot in a dialog, with its titles and legend. */
function LargePlot(props: PlotCardProps & { onClose: () => void }) {
  useReturnFocus();
  const { make, onClose, name } = props;
  const alone = useCallback(
    (options: CardOptions) => make({ ...options, alone: true, faded: undefined }),
    [make],
  );
  const [tableShown, setTableShown] = useState(false);
  return (
    <Modal opened onClose={onClose} size="min(1100px, 94vw)" title={name}>
      <div className={classes.largeTools}>
        <CardMenu {...props} tableShown={tableShown} onTable={() => setTableShown(!tableShown)} />
      </div>
      <CardBody {...props} make={alone} height={440} tableShown={tableShown} onZoom={undefined} />
    </Modal>
  );
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
