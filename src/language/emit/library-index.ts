/** Finds the library key for a function and the kinds of its operands, promoting as little as possible. */
import { isActiveKind, type Kind } from '../lower/kinds.ts';

export interface Resolved {
  readonly key: string;
  /** What each operand must be promoted to. */
  readonly kinds: readonly Kind[];
}

/** What a kind may be promoted to, with its price: data to active copies, int to real does not. */
function promotions(kind: Kind): { kind: Kind; price: number }[] {
  const nested = kind.slice(0, -1);
  switch (kind.at(-1)) {
    case 'i':
      return [
        { kind: 'i', price: 0 },
        { kind: 'r', price: 0.01 },
        { kind: 'v', price: 1 },
      ];
    case 'r':
      return [
        { kind: 'r', price: 0 },
        { kind: 'v', price: 1 },
      ];
    case 'I':
      return [
        { kind: `${nested}I`, price: 0 },
        { kind: `${nested}R`, price: 0.1 },
        { kind: `${nested}V`, price: 2 },
      ];
    case 'R':
      return [
        { kind: `${nested}R`, price: 0 },
        { kind: `${nested}V`, price: 1.5 },
      ];
    case 'M':
      return [
        { kind: `${nested}M`, price: 0 },
        { kind: `${nested}W`, price: 1.5 },
      ];
    default:
      return [{ kind, price: 0 }];
  }
}

export class LibraryIndex {
  private readonly resolved = new Map<string, Resolved | null>();

  constructor(private readonly keys: ReadonlySet<string>) {}

  has(key: string): boolean {
    return this.keys.has(key);
  }

  /** Null when no form of `name` takes these kinds. */
  resolve(name: string, kinds: readonly Kind[]): Resolved | null {
    const asked = `${name}__${kinds.join('')}`;
    const known = this.resolved.get(asked);
    if (known !== undefined) return known;
    const found = this.search(name, kinds);
    this.resolved.set(asked, found);
    return found;
  }

  private search(name: string, kinds: readonly Kind[]): Resolved | null {
    const someActive = kinds.some(isActiveKind);
    let best: Resolved | null = null;
    let bestPrice = Number.POSITIVE_INFINITY;
    const visit = (chosen: readonly Kind[], price: number): void => {
      if (price >= bestPrice) return;
      if (chosen.length < kinds.length) {
        for (const next of promotions(kinds[chosen.length])) {
          if (isActiveKind(next.kind) && !someActive) continue;
          visit([...chosen, next.kind], price + next.price);
        }
        return;
      }
      const key = `${name}__${chosen.join('')}`;
      if (!this.keys.has(key)) return;
      best = { key, kinds: chosen };
      bestPrice = price;
    };
    visit([], 0);
    return best;
  }
}
