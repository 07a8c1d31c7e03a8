/** A lowered program as text, with everything in its intermediate representation, so that tests are readable. */
import { type CheckOptions, checkProgram } from '../../../src/language/check.ts';
import type {
  IrConstraint,
  IrExpression,
  IrFunction,
  IrIndex,
  IrProgram,
  IrStatement,
  IrVariable,
} from '../../../src/language/lower/ir.ts';
import { lowerProgram } from '../../../src/language/lower/lower-program.ts';
import { printType } from '../../../src/language/syntax/printer.ts';
import type { StanType } from '../../../src/language/types/stan-type.ts';
import { assertNever } from '../../../src/shared/assert-never.ts';

/** Lowers a program that must have no errors. */
export function lowered(source: string, options: CheckOptions = {}): IrProgram {
  const { program, files, diagnostics } = checkProgram(source, options);
  const errors = diagnostics.filter(({ severity }) => severity === 'error');
  if (errors.length > 0) throw new Error(errors.map(({ message }) => message).join('\n'));
  return lowerProgram(program, files);
}

/** Prints an expression in a program with a function and a variable of every kind of type. */
export const printing = (e: string) => `functions {
  real f(real x) { return x; }
  real in_lupdf_a(real x) { return x; }
  tuple(real, complex) ht(real x) { return (x, 1); }
  array[] complex fa(array[] complex z) { return z; }
  complex fc(complex z) { return z; }
  tuple(real, vector) h(real x) { return (x, [x, 1]'); }
  tuple(real, tuple(int, vector)) hh(real x) { return (x, (1, [x, 1]')); }
  real t2(tuple(real, complex) t) { return t.1; }
  real part_sum(array[] real x, int a, int b, complex w) { return sum(x) * get_real(w); }
  real cpart_lpdf(array[] complex x, int a, int b) { return norm(x[1]); }
  vector ode(real t, vector y, complex w, tuple(real, int) q) { return y * get_real(w); }
  vector alg(vector y, real a) { return y - a; }
  array[] real fw(array[] real x) { return x; }
  vector mr(vector a, vector b, data array[] real x, data array[] int y) { return a; }
  vector oa(vector y, vector t, array[] real x, array[] int k) { return y - t; }
  array[] int fk(array[] int k) { return k; }
  int fi(int k) { return k; }
}
data { int n; array[n] int k; real s; vector[3] y; matrix[2, 3] m; array[2] matrix[2, 3] am; array[3] real w; complex z; array[2] complex cs;
  array[2] tuple(real, vector[3]) at; tuple(int, tuple(real, array[2] vector[3])) tt; array[2] tuple(real, complex) atc;
  complex_vector[3] zv; complex_row_vector[3] zr; complex_matrix[3, 3] zm; array[2, 2] tuple(real, complex) a2; }
parameters { real p; vector[3] v; }
model { print(${e}); }`;

/** One line for each statement, nested ones indented; variables with the same name are numbered. */
export function linesOf(statements: readonly IrStatement[]): string[] {
  return new IrText().lines(statements);
}

/** `role result name(arguments):` and its body. */
export function functionLines(f: IrFunction): string[] {
  const text = new IrText();
  const args = f.arguments.map((variable) => text.declared(variable)).join(', ');
  const head = `${f.role} ${printType(f.returnType)} ${f.name}(${args}):`;
  return [head, ...indented(text.lines(f.body))];
}

class IrText {
  private readonly names = new Map<IrVariable, string>();
  private readonly counts = new Map<string, number>();

  name(variable: IrVariable): string {
    const known = this.names.get(variable);
    if (known !== undefined) return known;
    const { name } = variable;
    const count = (this.counts.get(name) ?? 0) + 1;
    this.counts.set(name, count);
    const text = count === 1 ? name : `${name}#${count}`;
    this.names.set(variable, text);
    return text;
  }

  declared(variable: IrVariable): string {
    return `${variable.place} ${printType(variable.type)} ${this.name(variable)}`;
  }

  expression(e: IrExpression): string {
    const typed = (text: string) => `${printType(e.type)} ${text}`;
    const list = (all: readonly IrExpression[]) =>
      all.map((one) => this.expression(one)).join(', ');
    switch (e.op) {
      case 'int':
        return unless(e.type, 'int', `${e.value}`);
      case 'real':
        return unless(e.type, 'real', Number.isInteger(e.value) ? `${e.value}.0` : `${e.value}`);
      case 'variable':
        return unless(e.type, printType(e.variable.type), this.name(e.variable));
      case 'call':
        return typed(`${e.name}(${list(e.arguments)})`);
      case 'random':
      case 'mixed':
        return typed(`${e.op} ${e.name}(${list(e.arguments)})`);
      case 'density':
      case 'user': {
        const name = e.op === 'user' ? e.function.name : e.name;
        return typed(`${e.op}${e.propto ? ' ~' : ''} ${name}(${list(e.arguments)})`);
      }
      case 'higher-order': {
        const parts = e.laplace
          ? ` ${e.laplace.likelihood?.name ?? 'built in'} of ${e.laplace.numLikelihood}, ${e.laplace.numCovariance}`
          : '';
        return typed(`${e.op} ${e.name}(${e.function.name}${parts}; ${list(e.arguments)})`);
      }
      case 'conditional':
        return typed(`(${list([e.test])} ? ${list([e.yes])} : ${list([e.no])})`);
      case 'and':
      case 'or':
        return unless(e.type, 'int', `(${list([e.left])} ${e.op} ${list([e.right])})`);
      case 'compare':
        return unless(e.type, 'int', `(${list([e.left])} ${e.operator} ${list([e.right])})`);
      case 'not':
        return unless(e.type, 'int', `not ${list([e.operand])}`);
      case 'index':
        return typed(`${list([e.base])}[${this.indexes(e.entries)}] of "${e.label}"`);
      case 'list':
        return typed(`{${list(e.elements)}}`);
      case 'pack':
        return typed(`pack(${list(e.elements)})`);
      case 'member':
        return typed(`${list([e.tuple])}.${e.at}`);
      case 'measure':
        return typed(`${e.what}(${list([e.operand])})`);
      case 'target':
        return unless(e.type, 'real', 'target');
      default:
        return assertNever(e, 'expression');
    }
  }

  indexes(entries: readonly IrIndex[]): string {
    const end = (e: IrExpression | null) => (e === null ? '' : this.expression(e));
    return entries
      .map((entry) => {
        if (entry.kind === 'all') return entry.kind;
        if (entry.kind === 'range') return `${end(entry.from)}:${end(entry.to)}`;
        return entry.kind === 'single' ? end(entry.at) : `${entry.kind} ${end(entry.at)}`;
      })
      .join(', ');
  }

  lines(statements: readonly IrStatement[]): string[] {
    return statements.flatMap((statement) => this.statement(statement));
  }

  private statement(s: IrStatement): string[] {
    const e = (value: IrExpression) => this.expression(value);
    const list = (all: readonly IrExpression[]) => all.map(e).join(', ');
    const nested = (head: string, body: readonly IrStatement[]) => [
      head,
      ...indented(this.lines(body)),
    ];
    switch (s.op) {
      case 'declare': {
        const sizes = [...s.arraySizes, ...s.baseSizes];
        const shape = sizes.length > 0 ? ` [${list(s.arraySizes)}; ${list(s.baseSizes)}]` : '';
        const constraint = this.constraint(s.constraint);
        const value = s.initial ? ` = ${e(s.initial)}` : '';
        return [`${this.declared(s.variable)}${shape}${constraint}${value}`];
      }
      case 'assign':
        return [`${this.name(s.variable)} = ${e(s.value)}`];
      case 'bind': {
        const guard = s.guard ? ` where ${e(s.guard)}` : '';
        const value = e(s.value);
        return [`${s.variables.map((v) => this.declared(v)).join(', ')} := ${value}${guard}`];
      }
      case 'store':
        return [`${this.name(s.variable)}[${this.indexes(s.entries)}] = ${e(s.value)}`];
      case 'increment':
        return [`target ${s.sign === 1 ? '+' : '-'}= ${e(s.value)}`];
      case 'check':
        return [`check ${this.name(s.declaration.variable)}`];
      case 'support':
        return [`support ${e(s.condition)}`];
      case 'evaluate':
        return [e(s.call)];
      case 'if':
        return [
          ...nested(`if ${e(s.test)}`, s.yes),
          ...(s.no.length > 0 ? nested('else', s.no) : []),
        ];
      case 'while':
        return nested(`while ${e(s.test)}`, s.body);
      case 'for': {
        const range = `${e(s.from)} to ${e(s.to)}`;
        return nested(`for ${this.declared(s.variable)} in ${range}`, s.body);
      }
      case 'for-each': {
        const over = e(s.over);
        return nested(`for ${this.declared(s.variable)} of ${over}`, s.body);
      }
      case 'block':
        return nested(s.profile === undefined ? 'block' : `profile ${s.profile}`, s.body);
      case 'print':
      case 'reject': {
        const parts = s.parts.map((part) => (typeof part === 'string' ? `"${part}"` : e(part)));
        const how = s.op === 'reject' && s.fatal ? 'fatal reject' : s.op;
        return [`${how} ${parts.join(', ')}`];
      }
      case 'return':
        return [s.value ? `return ${e(s.value)}` : 'return'];
      case 'break':
      case 'continue':
        return [s.op];
    }
  }

  private constraint(constraint: IrConstraint): string {
    if (constraint.kind === 'none') return '';
    const values = Object.entries(constraint).flatMap(([word, value]) =>
      word === 'kind' || value === null ? [] : [`${word} ${this.expression(value)}`],
    );
    return ` <${[constraint.kind, ...values].join(' ')}>`;
  }
}

function unless(type: StanType, expected: string, text: string): string {
  const own = printType(type);
  return own === expected ? text : `(${own}) ${text}`;
}

function indented(lines: readonly string[]): string[] {
  return lines.map((line) => `  ${line}`);
}
