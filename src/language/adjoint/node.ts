/**
 * Values of scalars as both sweeps see them. A node says how its value is computed; the forward sweep writes that as
 * text, and the reverse sweep writes what an adjoint of the node adds to the adjoints of its operands.
 */
import type { InlineFunction } from '../emit/derivatives.ts';
import type { IrExpression, IrVariable } from '../lower/ir.ts';
import type { Kind } from '../lower/kinds.ts';

export type Node =
  | Literal
  | Plain
  | Datum
  | Scalar
  | Element
  | Operation
  | Choice
  | Reduction
  | Library
  | Hoisted
  | Image
  | Along
  | Part;

interface Common {
  /** Equal for nodes of a statement that have the same value. */
  readonly key: string;
  /** Depends on parameters: has an adjoint. */
  readonly active: boolean;
}

export interface Literal extends Common {
  readonly kind: 'literal';
  readonly text: string;
  readonly value: number;
}

/** A data expression, written by the data emitter. */
export interface Plain extends Common {
  readonly kind: 'plain';
  readonly text: string;
  readonly expression: IrExpression | null;
  /** Cheap, and from variables that the reverse sweep has too: recomputed there. */
  readonly isRepeatable: boolean;
}

/** `x[i, j]` of data. */
export interface Datum extends Common {
  readonly kind: 'datum';
  readonly variable: IrVariable;
  readonly dataKind: Kind;
  readonly indexes: readonly Node[];
  readonly label: string;
  readonly isRepeatable: boolean;
}

/** A scalar variable that lives in a local of both sweeps. */
export interface Scalar extends Common {
  readonly kind: 'scalar';
  readonly variable: IrVariable;
}

/** `x[i, j]` of an active container. */
export interface Element extends Common {
  readonly kind: 'element';
  readonly variable: IrVariable;
  readonly indexes: readonly Node[];
  readonly label: string;
}

/** What a density requires of its operands, and the library function that reports what is wrong. */
export interface Guard {
  readonly density: string;
  readonly operands: readonly Node[];
  readonly holds: (...x: string[]) => string;
}

export interface Operation extends Common {
  readonly kind: 'operation';
  readonly inline: InlineFunction;
  readonly operands: readonly Node[];
  readonly guard: Guard | null;
}

export interface Choice extends Common {
  readonly kind: 'choice';
  readonly test: Node;
  readonly yes: Node;
  readonly no: Node;
}

/** Elements of an active container at `offset`, `offset + stride`, …: a row, a slice, or all of it. */
export interface View {
  readonly variable: IrVariable;
  readonly key: string;
  /** Single indexes, outermost first; null selects all of a dimension. */
  readonly indexes: readonly (Node | null)[];
  /** `from:to` of the selected dimension; null selects all of it. */
  readonly range: {
    readonly from: Node;
    readonly to: Node | null;
    /** See `IrIndex`. */
    readonly isCounted: boolean;
  } | null;
  readonly label: string;
}

export interface Reduction extends Common {
  readonly kind: 'reduction';
  readonly name: string;
  readonly views: readonly View[];
}

/** What a library function is given. */
export type LibraryOperand =
  | { readonly kind: 'scalar'; readonly node: Node }
  | { readonly kind: 'view'; readonly view: View }
  /** A container of data, of that kind. */
  | { readonly kind: 'data'; readonly text: string; readonly dataKind: Kind };

/** A library density or function that returns a scalar, recorded on a separate tape for its derivatives. */
export interface Library extends Common {
  readonly kind: 'library';
  readonly name: string;
  /** Texts of the arguments before the operands. */
  readonly head: readonly string[];
  readonly operands: readonly LibraryOperand[];
}

/** An operation that is the same everywhere in the region, computed before everything else. */
export interface Hoisted extends Common {
  readonly kind: 'hoisted';
  readonly name: string;
  readonly node: Node;
}

/** f(x[i]) of a container that the region does not change: f of all its elements is computed beforehand. */
export interface Image extends Common {
  readonly kind: 'image';
  readonly name: string;
  readonly element: Element;
  readonly inline: InlineFunction;
}

/** The current element of a vector in a loop over all of its elements. */
export interface Along extends Common {
  readonly kind: 'along';
  readonly view: View;
  /** Name of the loop's 0-based index. */
  readonly index: string;
}

/** The current element of a data array in a loop over vectors. */
export interface Part extends Common {
  readonly kind: 'part';
  readonly name: string;
  /** Name of the loop's 0-based index. */
  readonly index: string;
}

/** Functions whose value costs more than a store and a load. */
const costly = /Math\.(?!sqrt|abs|min|max|sign)|__|\$/;

export function isCostly({ inline, operands }: Pick<Operation, 'inline' | 'operands'>): boolean {
  const names = operands.map((_, i) => `x${i}`);
  return costly.test(inline.value(...names));
}

export function isAtom(text: string): boolean {
  return /^(-?[\w$]+(\.\d+)?|\(-[\w.]+\))$/.test(text);
}
