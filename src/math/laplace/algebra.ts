/** Arithmetic of reals that may depend on parameters, recorded with second and third derivatives. */
import type { Derivatives, TaylorTape } from './taylor-tape.ts';
import { power, unaryDerivatives } from './unary-derivatives.ts';

/** A number, and the slot that holds it if it depends on parameters; otherwise 0. */
export interface Term {
  readonly value: number;
  readonly slot: number;
}

export const number = (value: number): Term => ({ value, slot: 0 });

export class Algebra {
  constructor(readonly tape: TaylorTape) {}

  /** The term at `slot`; a variable without a value is at slot 0, which is NaN. */
  at(slot: number): Term {
    return { value: this.tape.value[slot], slot };
  }

  /** The slot of a term. */
  slotOf({ value, slot }: Term): number {
    return slot === 0 ? this.tape.constant(value) : slot;
  }

  /** Σ weight × term + constant. */
  linear(terms: readonly Term[], weights: readonly number[], value: number): Term {
    const { tape } = this;
    tape.reserveEdges(terms.length);
    let e = tape.numEdges;
    terms.forEach(({ slot }, k) => {
      if (slot === 0) return;
      tape.edgeSlot[e] = slot;
      tape.edgePartial[e++] = weights[k];
    });
    if (e === tape.numEdges) return number(value);
    return { value, slot: tape.endRow(value, e - tape.numEdges) };
  }

  sum(terms: readonly Term[]): Term {
    let value = 0;
    for (const term of terms) value += term.value;
    const ones = terms.map(() => 1);
    return this.linear(terms, ones, value);
  }

  add(...terms: readonly Term[]): Term {
    return this.sum(terms);
  }

  subtract(a: Term, b: Term): Term {
    return this.linear([a, b], [1, -1], a.value - b.value);
  }

  scale(weight: number, a: Term): Term {
    return this.linear([a], [weight], weight * a.value);
  }

  multiply(a: Term, b: Term): Term {
    if (a.slot === 0) return this.scale(a.value, b);
    if (b.slot === 0) return this.scale(b.value, a);
    return { value: a.value * b.value, slot: this.tape.product(a.slot, b.slot) };
  }

  apply(f: (x: number) => Derivatives, a: Term): Term {
    const derivatives = f(a.value);
    if (a.slot === 0) return number(derivatives[0]);
    return { value: derivatives[0], slot: this.tape.unary(a.slot, derivatives) };
  }

  /** A function of the language, by its name. */
  call(name: string, a: Term): Term {
    return this.apply(unaryDerivatives[name], a);
  }

  divide(a: Term, b: Term): Term {
    if (b.slot === 0) return this.linear([a], [1 / b.value], a.value / b.value);
    return this.multiply(a, this.call('inv', b));
  }

  pow(a: Term, b: Term): Term {
    if (b.slot === 0) return this.apply((x) => power(x, b.value), a);
    return this.call('exp', this.multiply(b, this.call('log', a)));
  }

  dot(a: readonly Term[], b: readonly Term[]): Term {
    return this.sum(a.map((x, i) => this.multiply(x, b[i])));
  }

  /** log(eᵃ + eᵇ + …): the largest is factored out, so that nothing overflows. */
  logSumExp(terms: readonly Term[]): Term {
    const largest = terms.reduce((best, term) => (term.value > best.value ? term : best));
    if (terms.length === 1 || Math.abs(largest.value) === Infinity) return largest;
    const others = terms.filter((term) => term !== largest);
    const ratios = others.map((term) => this.call('exp', this.subtract(term, largest)));
    return this.add(largest, this.call('log1p', this.sum(ratios)));
  }

  /** log(eᵃ − eᵇ). */
  logDiffExp(a: Term, b: Term): Term {
    return this.add(a, this.call('log1m_exp', this.subtract(b, a)));
  }

  /** k times a, and 0 for k = 0 whatever a is. */
  count(k: number, a: Term): Term {
    return k === 0 ? number(0) : this.scale(k, a);
  }
}
