/** A flag in the data block of a program, found in its text: for pages that do not load the compiler. */

/** The first of `names` that the data block declares as a whole number; null: none. */
export function declaredFlag(source: string, names: readonly string[]): string | null {
  const text = source.replace(/\/\*[\s\S]*?\*\//g, ' ').replace(/\/\/[^\n]*/g, ' ');
  const block = /(?<!transformed\s+)\bdata\s*\{([^}]*)\}/.exec(text)?.[1] ?? '';
  const isDeclared = (name: string) =>
    new RegExp(`\\bint\\s*(?:<[^>]*>)?\\s*\\b${name}\\s*;`).test(block);
  return names.find(isDeclared) ?? null;
}
