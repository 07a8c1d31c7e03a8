/**
 * The name of an element: `x[2,1]`. In names of leaves of tuples, `x[*].2`, the first indexes replace the stars and the
 * rest follow the name: `x[3].2[1]`.
 */
export function placeName(name: string, index: readonly number[]): string {
  let next = 0;
  const filled = name.replace(/\*/g, (star) =>
    next < index.length ? String(index[next++]) : star,
  );
  const rest = index.slice(next);
  return rest.length === 0 ? filled : `${filled}[${rest.join(',')}]`;
}
