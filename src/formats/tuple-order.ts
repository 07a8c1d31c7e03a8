/**
 * CmdStan writes the two parts of a complex number one after the other, `z.1.real`, `z.1.imag`, `z.2.real`, …, and
 * likewise the elements of an array of tuples with all their members: `x.1:1`, `x.1:2`, `x.2:1`, …. Readers of its files rely on that order; in our draws, a member's elements are always together.
 */

/** Positions of the names in CmdStan's order; `names` as `x[1]:2[3]`. */
export function cmdStanOrder(names: readonly string[]): number[] {
  const places = names.map((_, place) => place);
  for (let from = 0; from < names.length; ) {
    const root = rootOf(names[from]);
    let to = from + 1;
    while (to < names.length && root !== null && rootOf(names[to]) === root) to++;
    const keyed = places.slice(from, to).map((place) => ({ place, key: keyOf(names[place]) }));
    keyed.sort((a, b) => compare(a.key, b.key));
    places.splice(from, to - from, ...keyed.map(({ place }) => place));
    from = to;
  }
  return places;
}

/** The variable of a tuple member or of a complex number's part, null for other names. */
function rootOf(name: string): string | null {
  return name.includes(':') || parts.test(name) ? name.split(/[[:.]/)[0] : null;
}

const parts = /\.(?:real|imag)$/;

/** Indexes, the last first since the first runs fastest, then the member, and so on. */
function keyOf(name: string): number[] {
  const isComplex = parts.test(name);
  const members = name.replace(parts, '').split(':');
  const indexes = members.flatMap((part) => {
    const [head, inside] = part.split('[');
    const index = inside === undefined ? [] : inside.slice(0, -1).split(',').map(Number);
    return [...(/^\d+$/.test(head) ? [Number(head)] : []), ...index.reverse()];
  });
  return isComplex ? [...indexes, name.endsWith('.real') ? 0 : 1] : indexes;
}

function compare(a: readonly number[], b: readonly number[]): number {
  const at = a.findIndex((value, i) => value !== b[i]);
  return at < 0 ? 0 : a[at] - (b[at] ?? 0);
}
