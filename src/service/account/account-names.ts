/** A name and the alternatives when it is taken: `ada`, `ada-2`, `ada-3`, … */
export function namesLike(name: string): string[] {
  return [name, ...Array.from({ length: 998 }, (_, index) => `${name}-${index + 2}`)];
}
