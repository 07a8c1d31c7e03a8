/** *All plots*: the traces, densities, ranks and autocorrelations of a run as one zip of SVG, with their numbers as CSV. */
import { ApiError } from '../../../../client/api-error.ts';
import type { Client } from '../../../../client/create-client.ts';
import type { SummaryRow } from '../../../../contract/draws.ts';
import type { FigureOptions } from '../../../../figures/figure.ts';
import { plotPalettes } from '../../../../figures/palette.ts';
import { figureToSvg } from '../../../../figures/svg.ts';
import { tableCsv } from '../../../../figures/table-csv.ts';
import { writeZip } from '../../../../formats/archive.ts';
import type { ModelFile } from '../../../../formats/model-tree.ts';
import { firstLook, inKindOrder } from '../../../../posterior/variable-kinds.ts';
import { shownName } from '../../../../posterior/variable-labels.ts';
import type { FigureRequest } from '../../../plots/figure-request.ts';
import { askFigure } from '../../../plots/figure-thread.ts';
import { DrawsLoader } from '../../live/draws-loader.ts';
import { DrawsStore, type DrawsView } from '../../live/draws-store.ts';
import { drawsByChain } from '../../status/draw-counts.ts';
import { limitDraws } from '../run/chain-choice.ts';
import { boundsOf, figureVariable } from '../run/figure-variables.ts';
import { availableDraws, settingNumber, thinOf } from '../run/run-facts.ts';
import type { LiveExperiment } from '../run/use-live-experiment.ts';

/** Number of variables fetched and drawn together. */
const together = 8;
const size = { width: 880, height: 480 };

export interface PlotsZipOptions {
  /** Maximum number of variables: the plots' default ones, parameters first. */
  readonly most: number;
  /** The server returns draws by variable; otherwise all draws are already loaded. */
  readonly byVariable: boolean;
  readonly signal: AbortSignal;
  readonly onProgress: (done: number, total: number) => void;
}

type LiveParts = Pick<
  LiveExperiment,
  'experiment' | 'summary' | 'store' | 'access' | 'chainNames' | 'limit'
>;

/** Throws `ApiError`. */
export async function plotsZip(
  client: Client,
  live: LiveParts,
  { most, byVariable, signal, onProgress }: PlotsZipOptions,
): Promise<Uint8Array<ArrayBuffer>> {
  const all = live.summary?.variables ?? [];
  const rows = inKindOrder(all).filter(firstLook(all)).slice(0, most);
  const files: ModelFile[] = [];
  const names = new FileNames();
  for (let from = 0; from < rows.length; from += together) {
    const some = rows.slice(from, from + together);
    const view = byVariable ? await drawsOf(client, live, some, signal) : live.store.view();
    for (const [at, row] of some.entries()) {
      signal.throwIfAborted();
      onProgress(from + at, rows.length);
      const file = names.of(shownName(row));
      for (const [folder, request] of requestsFor(live, view, row))
        files.push(
          ...(await drawn(`${folder}/${file}`, `${folder} of ${shownName(row)}`, request)),
        );
    }
  }
  const zip = writeZip({ files, emptyFolders: [] });
  if (!zip.ok) throw new ApiError('schema', zip.error.message);
  return new Uint8Array(zip.value);
}

/** Uses a separate store: exported draws do not stay in the page. */
async function drawsOf(
  client: Client,
  { experiment, summary, access }: LiveParts,
  rows: readonly SummaryRow[],
  signal: AbortSignal,
): Promise<DrawsView> {
  const loader = new DrawsLoader(client, experiment.short_id, access, new DrawsStore());
  for (const { variable } of rows) loader.want(variable);
  const { sampling } = availableDraws(
    experiment,
    access.shareId !== undefined,
    drawsByChain(experiment, summary),
  );
  await loader.refresh('sampling', sampling, signal);
  return loader.store.view();
}

function requestsFor(
  { experiment, chainNames, limit }: LiveParts,
  view: DrawsView,
  row: SummaryRow,
): readonly (readonly [string, FigureRequest])[] {
  const options: FigureOptions & { width: number } = {
    palette: plotPalettes.light,
    alone: true,
    width: size.width,
  };
  const { variable, label } = row;
  const used = figureVariable(limitDraws(view, limit), chainNames, { variable, label });
  const all = figureVariable(view, chainNames, { variable, label }, true);
  const step = thinOf(experiment);
  const kept = all.chains.filter(({ name }) => !limit.leftOut.includes(name));
  const longest = Math.max(0, ...kept.map(({ sampling }) => sampling.length)) * step;
  return [
    [
      'traces',
      {
        kind: 'trace',
        variable: { ...all, ...boundsOf(row), chains: kept },
        options: {
          ...options,
          numWarmup: settingNumber(experiment, 'num_warmup') ?? 0,
          numSamples: longest,
          step,
          showWarmup: false,
        },
      },
    ],
    ['densities', { kind: 'density', variable: { ...used, ...boundsOf(row) }, options }],
    ['ranks', { kind: 'rank-ecdf', variable: used, options }],
    ['autocorrelation', { kind: 'autocorrelation', variable: used, options }],
  ];
}

async function drawn(path: string, label: string, request: FigureRequest): Promise<ModelFile[]> {
  const figure = await askFigure(request, true);
  const height = Math.max(size.height, figure.preferredHeight ?? 0);
  const svg = figureToSvg(figure, { ...size, height, palette: plotPalettes.light, label });
  const fileOf = (ending: string, text: string): ModelFile => ({
    path: `${path}.${ending}`,
    bytes: new TextEncoder().encode(text),
    encoding: 'text',
  });
  const numbers = figure.table === null ? [] : [fileOf('csv', tableCsv(figure.table))];
  return [fileOf('svg', svg), ...numbers];
}

/** Unique file names that every operating system accepts. */
class FileNames {
  private readonly taken = new Set<string>();

  of(variable: string): string {
    const plain = variable.replace(/[^\p{L}\p{N}[\](),.\- _]+/gu, '_').slice(0, 100);
    const first = plain.replace(/^[.\s]+|[.\s]+$/g, '_') || '_';
    let name = first;
    for (let again = 2; this.taken.has(name.toLowerCase()); again++) name = `${first} ${again}`;
    this.taken.add(name.toLowerCase());
    return name;
  }
}
