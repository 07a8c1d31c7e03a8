/** Reads the draws under tests/fixtures/posterior. */
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import type { StanCsvChain } from '../../src/formats/stan-csv-reader.ts';
import { readStanCsv } from '../support/read-csv.ts';

const folder = new URL('../fixtures/posterior/', import.meta.url);

export function fixtureBytes(name: string): Uint8Array {
  return readFileSync(new URL(name, folder));
}

export function fixtureText(name: string): string {
  const bytes = fixtureBytes(name);
  return new TextDecoder().decode(name.endsWith('.gz') ? gunzipSync(bytes) : bytes);
}

/** Rows of a plain CSV, quotes removed, header first. */
export function fixtureTable(name: string): string[][] {
  const lines = fixtureText(name).trim().split(/\r?\n/);
  return lines.map((line) => line.split(',').map((cell) => cell.replaceAll('"', '')));
}

/** One chain per column. */
export function eightSchools(variable: 'mu' | 'tau'): Float64Array[] {
  const [header, ...rows] = fixtureTable(`posterior_eight_schools_${variable}.csv`);
  return header.map((_, chain) => Float64Array.from(rows, (row) => Number(row[chain])));
}

export function stanChains(names: readonly string[]): StanCsvChain[] {
  return names.map((name) => readStanCsv(fixtureText(name)));
}

export function drawsOf(chains: readonly StanCsvChain[], variable: string): Float64Array[] {
  return chains.map((chain) => chain.draws[chain.variables.indexOf(variable)]);
}

/** Uniform numbers in [0, 1) from a seed (mulberry32), the same on every machine. */
export function seededUniform(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let x = Math.imul(state ^ (state >>> 15), 1 | state);
    x = (x + Math.imul(x ^ (x >>> 7), 61 | x)) ^ x;
    return ((x ^ (x >>> 14)) >>> 0) / 4294967296;
  };
}

/** Independent standard normal draws (Box–Muller). */
export function normalDraws(seed: number, count: number): Float64Array {
  const uniform = seededUniform(seed);
  return Float64Array.from(
    { length: count },
    () => Math.sqrt(-2 * Math.log(1 - uniform())) * Math.cos(2 * Math.PI * uniform()),
  );
}

export function relativeError(value: number, reference: number): number {
  return Math.abs(value - reference) / Math.abs(reference);
}
