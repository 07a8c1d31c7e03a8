/**
 * The right-hand side of a differential equation with its derivatives in the state and in the parameters: one function
 * without a tape, if the program's function is a straight line of scalars.
 */
import type { Frame } from '../emit/frame.ts';
import { mangle } from '../emit/printer.ts';
import { type Unit, variableName } from '../emit/unit.ts';
import { Activity } from '../lower/activity.ts';
import type { IrExpression, IrFunction, IrStatement, IrVariable } from '../lower/ir.ts';
import { isActiveKind, isScalar, type Kind } from '../lower/kinds.ts';
import { NodeBuilder } from './build-node.ts';
import { sameElements } from './build-term.ts';
import { Forward } from './forward.ts';
import { CallInliner } from './inline-calls.ts';
import { joinLines } from './join-lines.ts';
import type { Node } from './node.ts';
import { adjointName, NotReversible, RegionScope, valueName } from './region-scope.ts';
import { Reverse } from './reverse.ts';
import { flatten, type Lines, namesIn, Step } from './step.ts';
import { type Input, type StraightLine, straightLineOf } from './straight-line.ts';
import { holdsReturn } from './without-jumps.ts';

/**
 * Writes `(f, jy, jp, t, y, …) → boolean` into the unit and returns its name, or null if it needs the tape. It
 * fills f, ∂f/∂y and ∂f/∂(active arguments after y), column-major, and returns false for sizes that it was not written
 * for. `kinds`: of the arguments of `f`, time and state first; `initial`: the initial state, which may show its size.
 */
export function writeLinearised(
  unit: Unit,
  f: IrFunction,
  kinds: readonly Kind[],
  initial: IrExpression,
): string | null {
  const active = new Set(f.arguments.filter((_, i) => isActiveKind(kinds[i])));
  const activity = new Activity(false);
  for (const argument of active) activity.mark(argument);
  activity.propagate(f.body);
  try {
    const inliner = new CallInliner(activity);
    const result = f.body.at(-1);
    if (result?.op !== 'return' || f.body.slice(0, -1).some(holdsReturn)) return null;
    const size = sizeOf(initial);
    const knownSize = size === null ? null : { argument: f.arguments[1], size };
    const statements = f.body.slice(0, -1).flatMap((statement) => inliner.written(statement));
    const line = straightLineOf(statements, result.value, active, activity, knownSize);
    const frame: Frame = {
      unit,
      activity,
      hasTape: false,
      propto: 'false',
      caches: false,
      isTransformedData: false,
      resultKind: 'R',
      adjoint: null,
    };
    const name = mangle('linear', `l${unit.functions.length}`);
    unit.functions.push(new Lineariser(frame, f, active, line).text(name));
    return name;
  } catch (error) {
    if (!(error instanceof NotReversible)) throw error;
    return null;
  }
}

/** The size of an expression that shows it directly. */
function sizeOf(e: IrExpression): number | null {
  if (e.op === 'list') return e.elements.length;
  if (e.op !== 'call') return null;
  const [argument, count] = e.arguments;
  const isRepeated = e.name === 'rep_vector' || e.name === 'rep_array';
  if (isRepeated) return e.arguments.length === 2 && count.op === 'int' ? count.value : null;
  return sameElements.has(e.name) ? sizeOf(argument) : null;
}

function declarationOf(variable: IrVariable): IrStatement {
  const none = { arraySizes: [], baseSizes: [], constraint: { kind: 'none' as const } };
  return { op: 'declare', variable, ...none, initial: null, location: 0 };
}

class Lineariser {
  private readonly scope: RegionScope;
  private readonly builder: NodeBuilder;
  private readonly step = new Step();
  private readonly forward: Lines = [];
  private readonly sweep: Forward;

  constructor(
    private readonly frame: Frame,
    private readonly f: IrFunction,
    private readonly active: ReadonlySet<IrVariable>,
    private readonly line: StraightLine,
  ) {
    const scalars = [...line.inputs, ...line.lines].map(({ variable }) => declarationOf(variable));
    this.scope = new RegionScope(frame, scalars);
    this.scope.enterList();
    this.builder = new NodeBuilder(this.scope);
    this.sweep = new Forward(this.scope, this.step, this.forward);
  }

  text(name: string): string {
    const { line, frame } = this;
    const lines = line.lines.map(({ variable, value }) => ({
      variable,
      node: this.builder.build(value),
    }));
    const outputs = line.outputs.map((e) => this.builder.build(e));
    const head = this.head();
    for (const { name: own, node } of this.scope.hoisted) {
      if (node.kind === 'element') throw new NotReversible('an element');
      this.sweep.declare(own, node);
    }
    for (const { variable, node } of lines) {
      this.forward.push(`const ${valueName(variable)} = ${this.sweep.value(node)};`);
    }
    outputs.forEach((node, i) => {
      this.forward.push(`f[${i}] = ${this.sweep.value(node)};`);
    });
    const reverse = outputs.flatMap((node, i) => this.derivatives(node, i, lines));
    // Everything that a derivative reads is a local of the same function.
    if (this.step.count > 0) throw new NotReversible('a value that would be kept');
    const texts = ['f', 'jy', 'jp', ...this.f.arguments.map(variableName)];
    const body: Lines = [...head, ...this.forward, ...reverse, 'return true;'];
    frame.unit.location = 0;
    return joinLines(flatten([`function ${name}(${texts.join(', ')}) {`, body, '}'])).join('\n');
  }

  /** Sizes, inputs, and the start of the derivatives in each argument. */
  private head(): Lines {
    const { inputs, outputs } = this.line;
    const [, state, ...handed] = this.f.arguments;
    const checks = [`f.length !== ${outputs.length}`];
    for (const { argument, element } of inputs) {
      if (element !== null) checks.push(`${variableName(argument)}.length < ${element}`);
    }
    const lines: Lines = [
      'host.tick();',
      `if (${checks.join(' || ')}) return false;`,
      'for (let i = 0; i < jy.length; i++) jy[i] = 0;',
      'for (let i = 0; i < jp.length; i++) jp[i] = 0;',
    ];
    let next = '0';
    for (const argument of handed) {
      if (!this.active.has(argument)) continue;
      lines.push(`const ${placeName(argument)} = ${next};`);
      const count = isScalar(argument.type) ? '1' : `${variableName(argument)}.length`;
      next = `${placeName(argument)} + ${count}`;
    }
    if (!state || !this.active.has(state)) throw new NotReversible('a function without a state');
    for (const { variable, argument, element } of inputs) {
      const name = variableName(argument);
      const text = element === null ? name : `${name}[${element - 1}]`;
      lines.push(`const ${valueName(variable)} = ${text};`);
    }
    return lines;
  }

  /** Row i of the derivatives. */
  private derivatives(
    output: Node,
    i: number,
    lines: readonly { readonly variable: IrVariable; readonly node: Node }[],
  ): Lines {
    if (!output.active) return [];
    const inner: Lines = [];
    this.reverse(inner).add(output, '1');
    for (const { variable, node } of [...lines].reverse()) {
      const d = adjointName(variable);
      if (!namesIn(inner).has(d)) continue;
      const body: Lines = [];
      this.reverse(body).add(node, d);
      if (body.length > 0) inner.push(`if (${d} !== 0) {`, body, '}');
    }
    const named = namesIn(inner);
    const isNamed = ({ variable }: { variable: IrVariable }) => named.has(adjointName(variable));
    const sums = [...this.line.inputs, ...this.line.lines].filter(isNamed);
    const rows = this.line.outputs.length;
    const results = this.line.inputs.filter(isNamed).map((input) => this.result(input, i, rows));
    const declared = sums.map(({ variable }) => `${adjointName(variable)} = 0`);
    return ['{', [`let ${declared.join(', ')};`, ...inner, ...results], '}'];
  }

  private reverse(lines: Lines): Reverse {
    const reverse = new Reverse(this.scope, this.step, lines);
    reverse.knowAll(this.sweep.names);
    return reverse;
  }

  private result({ variable, argument, element }: Input, i: number, rows: number): string {
    const d = adjointName(variable);
    const column = (element ?? 1) - 1;
    if (argument === this.f.arguments[1]) return `jy[${i + column * rows}] = ${d};`;
    return `jp[${i} + (${placeName(argument)} + ${column}) * ${rows}] = ${d};`;
  }
}

const placeName = (argument: IrVariable) => `p$$${variableName(argument)}`;
