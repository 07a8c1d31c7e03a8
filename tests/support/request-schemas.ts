/** Reads the contract's request schemas: an example of each, and every place in them that accepts a number. */
import type * as z from 'zod/mini';

type Path = readonly (string | number)[];

/** One form of a request (one member of each union), with a value that its schema accepts. */
export interface RequestForm {
  readonly example: unknown;
  readonly numbers: readonly Path[];
}

interface Definition {
  readonly type: string;
  readonly shape?: Record<string, z.ZodMiniType>;
  readonly options?: readonly z.ZodMiniType[];
  readonly innerType?: z.ZodMiniType;
  readonly element?: z.ZodMiniType;
  readonly valueType?: z.ZodMiniType;
  readonly items?: readonly z.ZodMiniType[];
  readonly in?: z.ZodMiniType;
  readonly values?: readonly unknown[];
  readonly entries?: Record<string, unknown>;
}

const definitionOf = (schema: z.ZodMiniType) => schema._zod.def as unknown as Definition;
const scalar = (example: unknown): RequestForm[] => [{ example, numbers: [] }];
const under = (key: string | number, paths: readonly Path[]) => paths.map((path) => [key, ...path]);

/** Every form of a request; throws on an unknown kind of schema, so that none is skipped. */
export function formsOf(
  schema: z.ZodMiniType,
  around: readonly z.ZodMiniType[] = [],
): RequestForm[] {
  // a file tree contains file trees
  if (around.includes(schema)) return [];
  const inside = [...around, schema];
  const definition = definitionOf(schema);
  const { innerType, element, valueType, options } = definition;
  switch (definition.type) {
    case 'number':
      return [{ example: 1, numbers: [[]] }];
    case 'string':
      return scalar('');
    case 'boolean':
      return scalar(false);
    case 'unknown':
    case 'null':
    case 'transform':
      return scalar(null);
    case 'literal':
      return scalar(definition.values?.[0]);
    case 'enum':
      return scalar(Object.values(definition.entries ?? {})[0]);
    case 'optional':
    case 'nullable':
    case 'default':
    case 'catch':
      return formsOf(innerType as z.ZodMiniType, inside);
    case 'array':
      return formsOf(element as z.ZodMiniType, inside).map(({ example, numbers }) => ({
        example: [example],
        numbers: under(0, numbers),
      }));
    case 'record':
      return formsOf(valueType as z.ZodMiniType, inside).map(({ example, numbers }) => ({
        example: { key: example },
        numbers: under('key', numbers),
      }));
    case 'tuple':
      return [
        mergeForms(
          (definition.items ?? []).map((item, i) => [i, formsOf(item, inside)]),
          (parts) => [...parts.values()],
        ),
      ];
    case 'pipe':
      return preferNumber(formsOf(definition.in as z.ZodMiniType, inside));
    case 'union':
      return (options ?? []).flatMap((option) => formsOf(option, inside));
    case 'object':
      return objectForms(Object.entries(definition.shape ?? {}), inside);
    default:
      throw new Error(`no example of a schema of type ${definition.type}`);
  }
}

/** A number in a query may be text: the form that accepts a number represents it. */
function preferNumber(forms: RequestForm[]): RequestForm[] {
  const numeric = forms.filter((form) => form.numbers.length > 0);
  return numeric.length > 0 ? numeric : forms.slice(0, 1);
}

/** One form for each form of each member, the other members in their first. */
function objectForms(
  shape: readonly (readonly [string, z.ZodMiniType])[],
  inside: readonly z.ZodMiniType[],
): RequestForm[] {
  const members = shape
    .map(([key, schema]) => [key, formsOf(schema, inside)] as const)
    .filter(([, forms]) => forms.length > 0);
  const most = Math.max(1, ...members.map(([, forms]) => forms.length));
  return Array.from({ length: most }, (_, form) =>
    mergeForms(
      members.map(([key, forms]) => [key, [forms[Math.min(form, forms.length - 1)]]]),
      (parts) => Object.fromEntries(parts),
    ),
  );
}

function mergeForms(
  members: readonly (readonly [string | number, readonly RequestForm[]])[],
  build: (parts: Map<string | number, unknown>) => unknown,
): RequestForm {
  const parts = new Map(members.map(([key, [form]]) => [key, form.example]));
  return {
    example: build(parts),
    numbers: members.flatMap(([key, [form]]) => under(key, form.numbers)),
  };
}

/** A copy of `value` with `number` at `path`. */
export function withNumber(value: unknown, path: Path, number: number): unknown {
  const copy = structuredClone(value);
  if (path.length === 0) return number;
  const parent = path.slice(0, -1).reduce<unknown>((at, key) => (at as never)[key], copy);
  (parent as Record<string | number, unknown>)[path[path.length - 1]] = number;
  return copy;
}
