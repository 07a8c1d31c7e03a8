/** The library as a reference to read: every function and distribution of the signature table, with its meaning. */
import { complex } from '../types/signatures/complex.ts';
import { containers } from '../types/signatures/containers.ts';
import { distributionLines } from '../types/signatures/distributions.ts';
import { elementwise } from '../types/signatures/elementwise.ts';
import { higherOrder } from '../types/signatures/higher-order.ts';
import { laplace, laplaceOptions } from '../types/signatures/laplace.ts';
import { matrices } from '../types/signatures/matrices.ts';
import { special } from '../types/signatures/mixed.ts';
import { readSignature, readTable, type SignatureLine } from '../types/signatures/notation.ts';
import { operators } from '../types/signatures/operators.ts';
import { deprecatedFunctions, isLibraryFunction } from '../types/signatures/signature-table.ts';
import { stanNames, stanVersion } from '../types/signatures/stan-names.ts';
import { transforms } from '../types/signatures/transforms.ts';

import { libraryForm, printForm } from './call-forms.ts';
import { describeMeaning, distributionDocOf, docOf } from './docs-table.ts';

export interface ReferenceEntry {
  /** Of a function, or of a distribution without a suffix. */
  readonly name: string;
  /** As it is called, `normal(mu, sigma)`; null when the names of its arguments are unknown. */
  readonly call: string | null;
  /** One line; null when there is none yet. */
  readonly meaning: string | null;
  /** `real normal_lpdf(reals y | reals mu, reals sigma)`. */
  readonly signatures: readonly string[];
  /** What to write instead; null if not deprecated. */
  readonly replacement: string | null;
}

export interface ReferenceGroup {
  readonly id: string;
  readonly title: string;
  readonly entries: readonly ReferenceEntry[];
}

/** Names that stand for several types in signatures. */
export const typeClasses: readonly { readonly name: string; readonly types: string }[] = [
  { name: 'reals', types: 'real, vector, row_vector or array[] real' },
  { name: 'ints', types: 'int or array[] int' },
  { name: 'vectors', types: 'vector, row_vector, or an array of either' },
  {
    name: 'T',
    types: 'any type, the same in each place; for functions of numbers, a number or any container',
  },
  { name: 'function', types: 'the name of a function of the program' },
  { name: '…', types: 'further arguments, which that function takes' },
];

const densitySuffix = /_(?:lu?p[dm]f|l?c?cdf|rng)$/;

/** The entire library by topic, each topic in alphabetical order. */
export function languageReference(): readonly ReferenceGroup[] {
  return [
    group('distributions', 'Distributions', distributionLines(), baseName),
    group('elementwise', 'Elementwise functions', readTable(elementwise)),
    group('special', 'Special functions', readTable(special)),
    group('containers', 'Arrays, vectors and sizes', readTable(containers)),
    group('matrices', 'Linear algebra and covariance', readTable(matrices)),
    group('complex', 'Complex numbers, vectors and matrices', readTable(complex)),
    group('transforms', 'Constraining transforms', readTable(transforms)),
    group(
      'higher-order',
      'Higher-order functions: sums, solvers, integrals',
      readTable(higherOrder),
    ),
    group('laplace', 'Laplace approximation of latent Gaussian models', laplaceLines(), baseName),
    group('operators', 'Operators and their functions', readTable(operators)),
  ];
}

export interface Coverage {
  /** The version of Stan whose functions are counted. */
  readonly version: string;
  readonly total: number;
  /** Names on the list that programs may not call here yet. */
  readonly missing: readonly string[];
}

/** How much of Stan's own list of functions the table covers. */
export function libraryCoverage(): Coverage {
  const all = stanNames();
  return {
    version: stanVersion,
    total: all.length,
    missing: all.filter((name) => !isLibraryFunction(name)),
  };
}

function laplaceLines(): readonly SignatureLine[] {
  return [...readTable(laplace), ...readTable(laplaceOptions)];
}

/** `normal` of `normal_lpdf`: the forms of a distribution are one entry. */
function baseName(name: string): string {
  return name.replace(densitySuffix, '');
}

function group(
  id: string,
  title: string,
  lines: readonly SignatureLine[],
  entryOf: (name: string) => string = (name) => name,
): ReferenceGroup {
  const signatures = new Map<string, string[]>();
  for (const line of lines) {
    for (const name of line.names) {
      const entry = entryOf(name);
      const { text } = printForm(libraryForm(readSignature(name, line)));
      signatures.set(entry, [...(signatures.get(entry) ?? []), text]);
    }
  }
  const entries = [...signatures]
    .map(([name, own]) => makeEntry(name, [...new Set(own)], id === 'distributions'))
    .toSorted((a, b) => (a.name.toLowerCase() < b.name.toLowerCase() ? -1 : 1));
  return { id, title, entries };
}

function makeEntry(
  name: string,
  signatures: readonly string[],
  isDistribution: boolean,
): ReferenceEntry {
  // A random number function without a density is known only by its name with the suffix.
  const doc =
    (isDistribution ? distributionDocOf(name) : null) ?? docOf(name) ?? docOf(`${name}_rng`);
  const replacement = deprecatedFunctions[name] ?? null;
  return {
    name,
    call: doc?.call ?? null,
    meaning: doc && describeMeaning(doc),
    signatures,
    replacement,
  };
}
