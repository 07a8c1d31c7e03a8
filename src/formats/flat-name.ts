/** The two spellings of a scalar variable: `theta[1,2]` as Stan and we show it, `theta.1.2` as CmdStan's files have it. */

/** `theta[1,2]` → `theta.1.2`; parts of a tuple, `x:1[2]` → `x:1.2`. Other names stay as they are. */
export function toDottedName(name: string): string {
  if (!name.includes('[')) return name;
  return name.replace(
    /\[(\d+(?:,\d+)*)\]/g,
    (_, indices: string) => `.${indices.replaceAll(',', '.')}`,
  );
}

/** `theta.1.2` → `theta[1,2]`, tuple parts likewise. A part that is not an index (`z.real`) stays as it is. */
export function fromDottedName(name: string): string {
  if (!name.includes('.')) return name;
  return name
    .split(':')
    .map((part) =>
      part.replace(
        /^([^.]+)((?:\.\d+)+)(?=$|\.)/,
        (_, head: string, indices: string) => `${head}[${indices.slice(1).replaceAll('.', ',')}]`,
      ),
    )
    .join(':');
}
