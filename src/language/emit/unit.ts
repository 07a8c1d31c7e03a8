/** What the entire emitted text shares: library functions in use, instances of user functions, cached invariants. */
import type { IrExpression, IrFunction, IrVariable } from '../lower/ir.ts';
import { isActiveKind, type Kind, kindOf } from '../lower/kinds.ts';
import { InternalCompilerError } from '../lower/scope.ts';
import type { LibraryIndex } from './library-index.ts';
import { mangle, quote } from './printer.ts';

/** A user function for the given kinds of arguments. */
export interface FunctionInstance {
  readonly function: IrFunction;
  readonly name: string;
  readonly kinds: readonly Kind[];
  /** Needs the tape: an argument is active, or it increments an active target. */
  readonly active: boolean;
  /** For a Taylor tape. */
  readonly isTaylor: boolean;
  readonly resultKind: Kind;
}

/** The program calls a library function that does not exist in the form it needs. */
export class MissingFunctionError extends Error {
  override readonly name = 'MissingFunctionError';
  constructor(
    readonly functionName: string,
    readonly location: number,
  ) {
    super(functionName);
  }
}

export class Unit {
  readonly libraryNames = new Map<string, string>();
  /** Instances whose text is still to be emitted. */
  readonly pending: FunctionInstance[] = [];
  readonly caches: string[] = [];
  readonly kernels: string[] = [];
  /** Texts of our own functions placed among those of the program. */
  readonly functions: string[] = [];
  /** The location of the statement being emitted, for errors of the compiler. */
  location = 0;
  private readonly instances = new Map<string, FunctionInstance>();
  private readonly cacheNames = new Map<string, string>();
  private readonly kernelNames = new Map<string, string>();
  private numTemporaries = 0;

  /**
   * `linearise`: writes a user function with its derivatives, if that is possible without a tape; a value here, since
   * it is written with the expression emitter.
   */
  constructor(
    readonly library: LibraryIndex,
    readonly linearise: (
      unit: Unit,
      f: IrFunction,
      kinds: readonly Kind[],
      initial: IrExpression,
    ) => string | null,
  ) {}

  /** The identifier that holds library function `key`. */
  use(key: string): string {
    const known = this.libraryNames.get(key);
    if (known) return known;
    if (!this.library.has(key)) {
      if (key.startsWith('$')) throw new InternalCompilerError(`no library function ${key}`);
      throw new MissingFunctionError(key.replace(/__.*/, ''), this.location);
    }
    // `[` is the only character of a key that identifiers lack.
    const name = key.replaceAll('[', 'A');
    const taken = [...this.libraryNames.values()].includes(name);
    const unique = taken ? `${name}$${this.libraryNames.size}` : name;
    this.libraryNames.set(key, unique);
    return unique;
  }

  instance(
    f: IrFunction,
    kinds: readonly Kind[],
    withTape: boolean,
    isTaylor = false,
  ): FunctionInstance {
    const active = kinds.some(isActiveKind) || (withTape && f.role === 'target');
    const key = `${f.id} ${kinds.join(' ')} ${active} ${isTaylor && active}`;
    const known = this.instances.get(key);
    if (known) return known;
    const instance: FunctionInstance = {
      function: f,
      name: mangle(f.name, `f${this.instances.size}`),
      kinds,
      active,
      isTaylor: isTaylor && active,
      resultKind: kindOf(f.returnType, active),
    };
    this.instances.set(key, instance);
    this.pending.push(instance);
    return instance;
  }

  /** An expression of data only, computed at its first use. */
  cached(text: string): string {
    let name = this.cacheNames.get(text);
    if (!name) {
      name = `cache$$${this.caches.length}`;
      this.cacheNames.set(text, name);
      this.caches.push(name);
    }
    return `(${name} ??= ${text})`;
  }

  /** One of our own functions next to the program's, from its text: `(tape, …) { … }`. */
  kernel(text: string): string {
    let name = this.kernelNames.get(text);
    if (!name) {
      name = `kernel$$${this.kernels.length}`;
      this.kernelNames.set(text, name);
      this.kernels.push(`function ${name}${text}`);
    }
    return name;
  }

  temporary(): string {
    return `t$$${++this.numTemporaries}`;
  }

  /** `const { key, "odd[key": name } = L;` for all in use. */
  linkLine(): string {
    const texts = [...this.libraryNames].map(([key, name]) =>
      key === name ? name : `${quote(key)}: ${name}`,
    );
    return `const { ${texts.join(', ')} } = L;`;
  }
}

export const variableName = (variable: IrVariable) => mangle(variable.name, variable.id);

/** Says whether only one variable refers to its container, so that an element may be overwritten. */
export const ownershipName = (variable: IrVariable) => `own$$${mangle(variable.name, variable.id)}`;
