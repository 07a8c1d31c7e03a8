/** Overviews of columns that are too long to fetch in full: thinned by the server, finer when the user zooms in. */
import type { Client, DecodedDraws } from '../../../client/create-client.ts';
import { decodeDraws } from '../../../contract/draws.ts';
import type { ThinnedColumn } from '../../../figures/trace-figure.ts';
import type { Access } from '../../objects/object-queries.ts';
import { divergentColumn } from './draws-loader.ts';
import type { Phase } from './draws-store.ts';

/** Number of draws of a variable, over all chains, beyond which its trace is an overview. */
export const manyDraws = 200_000;
/** Points per chain: two per pixel of the widest card. */
const pointsAChain = 1600;
/** Cards mounted together share a request, for at most this many variables. */
const variablesARequest = 40;

/** Saved draws of a phase, both ends included, 1-based. */
export interface DrawRange {
  readonly phase: Phase;
  readonly from: number;
  readonly to: number;
}

export interface ChainOverview {
  readonly column: ThinnedColumn;
  /** Positions of the divergent draws. */
  readonly divergent: Float64Array;
}

/** By chain. */
export type Overview = ReadonlyMap<string, ChainOverview>;

interface Asked {
  readonly variable: string;
  readonly resolve: (overview: Overview) => void;
  readonly reject: (error: unknown) => void;
}

export class ThinDraws {
  private readonly asked = new Map<string, { range: DrawRange; by: Asked[] }>();

  constructor(
    private readonly client: Client,
    private readonly objid: string,
    private readonly access: Access,
  ) {}

  /** Thinned draws of `variable` including every divergent one. Rejects with `ApiError`. */
  ask(variable: string, range: DrawRange): Promise<Overview> {
    return new Promise((resolve, reject) => {
      const key = `${range.phase} ${range.from} ${range.to}`;
      const group = this.asked.get(key);
      const one = { variable, resolve, reject };
      if (group !== undefined) {
        group.by.push(one);
        if (group.by.length < variablesARequest) return;
        this.asked.delete(key);
        void this.answer(group.range, group.by);
        return;
      }
      const made = { range, by: [one] };
      this.asked.set(key, made);
      // Cards that are mounted or zoomed together share a request.
      setTimeout(() => {
        if (this.asked.get(key) !== made) return;
        this.asked.delete(key);
        void this.answer(range, made.by);
      }, 20);
    });
  }

  private async answer(range: DrawRange, by: readonly Asked[]): Promise<void> {
    try {
      const { phase, from, to } = range;
      const marks = phase === 'sampling' ? [divergentColumn] : [];
      const body = await this.client.viewDraws({
        params: { objid: this.objid },
        query: {
          variable: [...new Set([...marks, ...by.map(({ variable }) => variable)])],
          phase,
          from,
          to,
          max_points: pointsAChain,
          share_id: this.access.shareId ?? '',
        },
        sharePassword: this.access.password,
      });
      const draws = decodeDraws(body);
      for (const { variable, resolve } of by) resolve(overviewOf(draws, variable, range));
    } catch (error) {
      for (const { reject } of by) reject(error);
    }
  }
}

/** The part of an answer about one variable. */
function overviewOf(draws: DecodedDraws, variable: string, range: DrawRange): Overview {
  const divergent = new Map<string, Float64Array>();
  const columns = new Map<string, ThinnedColumn>();
  for (const column of draws.header.columns) {
    const isMark = column.variable === divergentColumn;
    if (column.phase !== range.phase || !(isMark || column.variable === variable)) continue;
    const read = readColumn(draws, column, range);
    if (isMark)
      divergent.set(
        column.chain,
        read.places.filter((_, i) => read.values[i] === 1),
      );
    if (column.variable === variable) columns.set(column.chain, read);
  }
  const none = new Float64Array(0);
  return new Map(
    [...columns].map(([chain, column]) => [
      chain,
      { column, divergent: divergent.get(chain) ?? none },
    ]),
  );
}

function readColumn(
  { values }: DecodedDraws,
  column: DecodedDraws['header']['columns'][number],
  range: DrawRange,
): ThinnedColumn {
  const { offset, count, step, first_iteration: first } = column;
  if (step !== 0) {
    const places = Float64Array.from({ length: count }, (_, i) => first + i);
    return { places, values: values.slice(offset, offset + count), count };
  }
  const places = new Float64Array(count);
  const kept = new Float64Array(count);
  for (let i = 0; i < count; i++) {
    places[i] = values[offset + 2 * i] ?? Number.NaN;
    kept[i] = values[offset + 2 * i + 1] ?? Number.NaN;
  }
  return { places, values: kept, count: Math.max(count, range.to - range.from + 1) };
}
