/** Checks input against the contract's schemas and names the field at fault. */
import type * as z from 'zod/mini';
import { invalidField } from './service-error.ts';

interface Issue {
  readonly code?: string;
  readonly path: readonly PropertyKey[];
  readonly message: string;
  readonly input?: unknown;
  readonly expected?: string;
  readonly values?: readonly unknown[];
  readonly options?: readonly unknown[];
  readonly maximum?: number | bigint;
  readonly minimum?: number | bigint;
  readonly origin?: string;
  readonly errors?: readonly (readonly Issue[])[];
}

/** The parsed value, unknown keys dropped; throws INVALID_PARAMETER naming the first field at fault. */
export function validate<T extends z.ZodMiniType>(
  schema: T,
  input: unknown,
  where: 'query' | 'body',
): z.output<T> {
  const parsed = schema.safeParse(input, { reportInput: true });
  if (parsed.success) return parsed.data;
  const issue = deepest(parsed.error.issues[0] as Issue);
  const field = issue.path.map(String).join('.') || where;
  throw invalidField(field, `${reasonOf(issue)}.`);
}

/** The error of the union's alternative that got furthest into the value. */
function deepest(issue: Issue): Issue {
  const first = issue.errors?.find((issues) => issues.length > 0)?.[0];
  if (first === undefined) return issue;
  return deepest({ ...first, path: [...issue.path, ...first.path] });
}

function reasonOf(issue: Issue): string {
  const values = issue.values ?? issue.options;
  if (issue.code === 'invalid_value' && values !== undefined)
    return `must be one of ${values.map((value) => String(value) || "''").join(', ')}`;
  if (issue.code === 'invalid_union') return 'does not have one of the known forms';
  if (issue.code === 'invalid_type') {
    if (issue.input === undefined) return 'is missing';
    return `must be ${issue.expected === 'int' ? 'a whole number' : article(issue.expected ?? 'value')}`;
  }
  if (issue.code === 'too_big')
    return issue.origin === 'string' || issue.origin === 'array'
      ? `is longer than ${issue.maximum}`
      : `must be at most ${issue.maximum}`;
  if (issue.code === 'too_small')
    return Number(issue.minimum) === 1 ? 'is empty' : `is shorter than ${issue.minimum}`;
  return /^(must|is) /.test(issue.message) ? issue.message : 'is not valid';
}

function article(noun: string): string {
  return /^[aeio]/.test(noun) ? `an ${noun}` : `a ${noun}`;
}
