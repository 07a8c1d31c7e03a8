/** The texts of a region: its two functions, and the call of the first in place of the statements. */
import type { Frame } from '../emit/frame.ts';
import { mangle, quote, type Writer } from '../emit/printer.ts';
import { ownershipName, variableName } from '../emit/unit.ts';
import type { IrStatement, IrVariable } from '../lower/ir.ts';
import { isScalar, kindOf } from '../lower/kinds.ts';
import { elementAddress } from './addresses.ts';
import { Forward } from './forward.ts';
import { joinLines } from './join-lines.ts';
import type { Hoisted } from './node.ts';
import { fillText, type Piece, roomText, takeText } from './piece.ts';
import { countReferences } from './references.ts';
import {
  adjointName,
  elementCount,
  NotReversible,
  offsetName,
  type RegionScope,
  rankOf,
  sizeName,
  sizeNames,
  valueName,
} from './region-scope.ts';
import { Reverse } from './reverse.ts';
import { flatten, keptText, type Lines, namesIn, Step } from './step.ts';
import type { Locals } from './sweep-statements.ts';

/** Statements of the program, and each one with calls of user functions expanded. */
export interface Run {
  readonly given: readonly IrStatement[];
  readonly written: readonly (readonly IrStatement[])[];
}

export interface Sweeps {
  readonly run: Run;
  readonly scope: RegionScope;
  readonly piece: Piece;
  readonly locals: Locals;
  readonly incrementsTarget: boolean;
}

interface Interface {
  /** Variables of outer scopes, which are the arguments of both sweeps. */
  readonly outer: readonly IrVariable[];
  readonly scalarsIn: readonly IrVariable[];
  readonly containersIn: readonly IrVariable[];
  readonly scalarsOut: readonly IrVariable[];
  readonly containersOut: readonly IrVariable[];
  readonly plainOut: readonly IrVariable[];
}

/** What goes in and out. */
export function interfaceOf(frame: Frame, { run, scope, locals }: Sweeps): Interface {
  const inside = countReferences(run.given);
  const named = countReferences(scope.statements);
  const total = frame.adjoint?.references;
  const isGlobal = ({ place }: IrVariable) => place === 'data' || place === 'transformed data';
  const outer = [...named.keys()].filter(
    (variable) => !scope.writes.declared.has(variable) && !isGlobal(variable),
  );
  for (const variable of outer) {
    const isData = !scope.isActiveVariable(variable) && !isScalar(variable.type);
    if (isData && variable.writtenLevel >= 0) throw new NotReversible('data that is written to');
  }
  const isRead = (variable: IrVariable) =>
    (total?.get(variable) ?? 0) > (inside.get(variable) ?? 0);
  const active = outer.filter((variable) => scope.isActiveVariable(variable));
  const changed = active.filter((variable) => scope.isOverwritten(variable));
  const split = (variables: readonly IrVariable[]) => ({
    scalars: variables.filter(({ type }) => isScalar(type)),
    containers: variables.filter(({ type }) => !isScalar(type)),
  });
  const declared = split([...locals.scalars, ...locals.containers].filter(isRead));
  const modified = split(changed);
  return {
    outer,
    scalarsIn: split(active).scalars,
    containersIn: split(active).containers,
    scalarsOut: [...modified.scalars, ...declared.scalars],
    containersOut: [...modified.containers, ...declared.containers],
    plainOut: locals.plain.filter(isRead),
  };
}

export function printRegion(frame: Frame, out: Writer, sweeps: Sweeps): void {
  const { adjoint } = frame;
  if (adjoint === null) throw new Error('a region without a place for its sweeps');
  const k = adjoint.functions.length;
  const names = {
    forward: mangle('forward', `r${k}`),
    callback: mangle('callback', `r${k}`),
    reverse: mangle('reverse', `r${k}`),
  };
  const region = new RegionPrinter(sweeps, interfaceOf(frame, sweeps), names);
  adjoint.functions.push(region.text());
  region.printCall(out, mangle('region', `r${k}`));
}

class RegionPrinter {
  private readonly scope: RegionScope;

  constructor(
    private readonly sweeps: Sweeps,
    private readonly face: Interface,
    private readonly names: Readonly<Record<'forward' | 'callback' | 'reverse', string>>,
  ) {
    this.scope = sweeps.scope;
  }

  /** The call in place of the statements; what later statements read becomes variables there. */
  printCall(out: Writer, result: string): void {
    const { face, scope, sweeps } = this;
    const texts = ['tape', 'propto', ...face.outer.map(variableName)];
    out.line(`const ${result} = ${this.names.forward}(${texts.join(', ')});`);
    if (sweeps.incrementsTarget) out.line(`target.add(${result}[0]);`);
    const outputs = [...face.scalarsOut, ...face.containersOut, ...face.plainOut];
    outputs.forEach((variable, k) => {
      const isOuter = face.outer.includes(variable);
      const name = variableName(variable);
      out.line(`${isOuter ? '' : 'let '}${name} = ${result}[${k + 1}];`);
      if (isScalar(variable.type) || variable.writtenLevel < 0) return;
      out.line(`${isOuter ? '' : 'let '}${ownershipName(variable)} = false;`);
    });
    scope.frame.unit.location = 0;
  }

  text(): string {
    const arguments_ = this.face.outer.map(variableName);
    const body = this.sweeps.piece;
    const countsSteps = namesIn(body.forward).has('spent');
    const locals = ['K = tape.kept', 'sp = tape.numKept', 'lp = 0'];
    for (const name of this.scope.products) locals.push(`${name} = 1`);
    if (countsSteps) locals.push('spent = 0');
    const hoists = this.hoists(body.reverse);
    const core: Lines = [
      ...this.takeAdjoints(),
      ...zerosText(hoists.adjoints),
      ...body.reverse,
      ...hoists.reverse,
      ...this.images().reverse,
      ...this.giveAdjoints(),
    ];
    const read = namesIn(core);
    const ends = this.ends().filter((name) => read.has(name));
    const forward: Lines = [
      `function ${this.names.forward}(${['tape', 'propto', ...arguments_].join(', ')}) {`,
      [
        `let ${locals.join(', ')};`,
        'const V = tape.value;',
        ...this.readInputs(),
        ...this.images().forward,
        ...hoists.forward,
        ...(body.makesRoom || body.keeps === 0 ? [] : [roomText(String(body.keeps))]),
        ...body.forward,
        ...(countsSteps ? ['host.spend(spent);'] : []),
        ...(ends.length > 0 ? [roomText(String(ends.length))] : []),
        ...ends.map((name, k) => `${keptText(k)} = ${name};`),
        `tape.numKept = sp + ${ends.length};`,
        ...this.writeOutputs(arguments_),
      ],
      '}',
    ];
    const reverse: Lines = [
      `function ${this.names.reverse}(${['tape', 'first', 'sp', ...arguments_].join(', ')}) {`,
      [
        'const K = tape.kept, D = tape.keptAdjoint, A = tape.adjoint, V = tape.value;',
        'const G = A[first];',
        ...this.takeUp(ends, read),
        ...core,
      ],
      '}',
    ];
    const given = ['first', 'sp', ...arguments_].join(', ');
    // A separate function, so that no variable of the forward sweep is in a closure, which is slower.
    const callback = [
      `function ${this.names.callback}(${given}) {`,
      [`return (tape) => ${this.names.reverse}(tape, ${given});`],
      '}',
    ];
    return joinLines(flatten([...forward, ...callback, ...reverse])).join('\n');
  }

  // ---------------------------------------------------------------- forward

  private readInputs(): Lines {
    const { scope, face } = this;
    const { unit } = scope.frame;
    const lines: Lines = face.scalarsIn.map((variable) => {
      const declare = scope.isOverwritten(variable) ? 'let' : 'const';
      return `${declare} ${valueName(variable)} = V[${variableName(variable)}];`;
    });
    const { containersIn } = face;
    if (containersIn.length === 0) return lines;
    lines.push(...containersIn.flatMap((variable) => this.sizesOf(variable)));
    lines.push(roomText(containersIn.map(elementCount).join(' + ')));
    for (const variable of containersIn) {
      const name = variableName(variable);
      lines.push(`const ${offsetName(variable)} = sp;`);
      lines.push(`sp = ${unit.use('$load')}(tape, ${name}, sp);`);
    }
    return lines;
  }

  private sizesOf(variable: IrVariable): Lines {
    const name = variableName(variable);
    const kind = kindOf(variable.type, true);
    if (kind === 'V') return [`const ${sizeName(variable, 0)} = ${name}.n;`];
    const dims = this.scope.temporary();
    const sizes = Array.from({ length: rankOf(variable) }, (_, k) => {
      return `const ${sizeName(variable, k)} = ${dims}[${k}] ?? 0;`;
    });
    return [`const ${dims} = ${this.scope.frame.unit.use('$dims')}(${name});`, ...sizes];
  }

  private images(): { forward: Lines; reverse: Lines } {
    const forward: Lines = [];
    const reverse: Lines = [];
    for (const { name, variable, inline } of this.scope.images.values()) {
      const count = elementCount(variable);
      const o = offsetName(variable);
      const each = `for (let i = 0; i < ${count}; i++) {`;
      const value = [`const x = K[${o} + i];`, `K[${name} + i] = ${inline.value('x')};`];
      forward.push(...takeText(name, count), each, value, '}');
      const values = [`const g = D[${name} + i];`, 'if (g === 0) continue;'];
      values.push(`const x = K[${o} + i], t = K[${name} + i];`);
      reverse.push(each, [...values, `D[${o} + i] += g * (${inline.partials[0]('t', 'x')});`], '}');
    }
    return { forward, reverse };
  }

  /** `adjoints`: those that something adds to, in `swept` or for another of them. */
  private hoists(swept: Lines): { forward: Lines; reverse: Lines; adjoints: string[] } {
    const forward: Lines = [];
    const reverse: Lines = [];
    const adjoints: string[] = [];
    const added = namesIn(swept);
    const { scope } = this;
    const sweep = new Forward(scope, new Step(), forward);
    sweep.checks = false;
    for (const hoisted of scope.hoisted) {
      const { name, node } = hoisted;
      if (node.kind !== 'element') sweep.declare(name, node);
      else forward.push(`const ${name} = ${this.hoistedElement(node)};`);
    }
    for (const hoisted of [...scope.hoisted].reverse()) {
      const adjoint = `d${hoisted.name}`;
      if (!hoisted.active || !added.has(adjoint)) continue;
      const lines = this.reverseHoisted(hoisted);
      for (const name of namesIn(lines)) added.add(name);
      reverse.push(...lines);
      adjoints.unshift(adjoint);
    }
    return { forward, reverse, adjoints };
  }

  /** An index out of range is found where the element is read. */
  private hoistedElement(node: Extract<Hoisted['node'], { kind: 'element' }>): string {
    const indexes = node.indexes.map((index) => (index.kind === 'literal' ? index.text : '1'));
    const isInRange = indexes.flatMap((index, k) => {
      if (this.scope.isInRange(node.variable, k, index)) return [];
      const atMost = `${index} <= ${sizeName(node.variable, k)}`;
      return Number(index) >= 1 ? [atMost] : [`${index} >= 1`, atMost];
    });
    const element = `K[${elementAddress(node.variable, indexes)}]`;
    return isInRange.length === 0 ? element : `${isInRange.join(' && ')} ? ${element} : NaN`;
  }

  private reverseHoisted({ name, node }: Hoisted): Lines {
    const inner: Lines = [];
    const sweep = new Reverse(this.scope, new Step(), inner);
    sweep.know(node, name);
    sweep.add(node, `d${name}`);
    const [only] = inner;
    if (inner.length === 1 && isAddition(only)) return [`if (d${name} !== 0) ${only}`];
    return [`if (d${name} !== 0) {`, inner, '}'];
  }

  /** Names that the reverse sweep starts with. */
  private ends(): string[] {
    const { scope, face, sweeps } = this;
    const { needed } = scope;
    const changed = face.scalarsIn.filter((variable) => scope.isOverwritten(variable));
    const scalars = [...changed, ...sweeps.locals.scalars].filter((v) => needed.has(v));
    const plain = sweeps.locals.plain.filter((variable) => needed.has(variable));
    const containers = [...face.containersIn, ...sweeps.locals.containers];
    return [
      ...scalars.map(valueName),
      ...plain.map(variableName),
      ...scope.hoisted.map(({ name }) => name),
      ...[...scope.images.values()].map(({ name }) => name),
      ...containers.flatMap((variable) => [offsetName(variable), ...sizeNames(variable)]),
    ];
  }

  private writeOutputs(arguments_: readonly string[]): Lines {
    const { face, scope } = this;
    const counts = face.containersOut.map(elementCount);
    const total = ['1', ...counts].join(' + ').replace(/^1/, String(1 + face.scalarsOut.length));
    const given = ['tape.numSlots', 'sp', ...arguments_].join(', ');
    const lines: Lines = [
      `const first = tape.block(${total}, ${this.names.callback}(${given}));`,
      'const W = tape.value;',
      `W[first] = ${this.targetText()};`,
      ...face.scalarsOut.map((variable, k) => `W[first + ${k + 1}] = ${valueName(variable)};`),
    ];
    const results = ['first', ...face.scalarsOut.map((_, k) => `first + ${k + 1}`)];
    face.containersOut.forEach((variable, k) => {
      const at = this.slotOf(k);
      const o = offsetName(variable);
      lines.push(`for (let i = 0, end = ${counts[k]}; i < end; i++) W[${at} + i] = K[${o} + i];`);
      const sizes = sizeNames(variable);
      const flat = `${scope.frame.unit.use('$inputs')}(${counts[k]}, ${at})`;
      const kind = kindOf(variable.type, true);
      results.push(
        kind === 'V'
          ? flat
          : `${scope.frame.unit.use('$reshape')}(${flat}, [${sizes.join(', ')}], ${quote(kind)})`,
      );
    });
    results.push(...face.plainOut.map(variableName));
    lines.push(`return [${results.join(', ')}];`);
    return lines;
  }

  private targetText(): string {
    const signs = { times: '+', over: '-' };
    const logs = [...this.scope.products].map((name) => ` ${signs[name]} Math.log(${name})`);
    return `lp${logs.join('')}`;
  }

  /** The first slot of output container k. */
  private slotOf(k: number): string {
    const before = this.face.containersOut.slice(0, k).map(elementCount);
    return [`first + ${1 + this.face.scalarsOut.length}`, ...before].join(' + ');
  }

  // ---------------------------------------------------------------- reverse

  private takeUp(ends: readonly string[], read: ReadonlySet<string>): Lines {
    const { scope, face } = this;
    const fixed = face.scalarsIn.filter(
      (variable) => !scope.isOverwritten(variable) && read.has(valueName(variable)),
    );
    const texts = ends.map((name, k) => {
      const isPlace = /^[oi]\$\$/.test(name) || /^n\d+\$\$/.test(name);
      return `${name} = ${keptText(k)}${isPlace ? ' | 0' : ''}`;
    });
    return [
      ...fixed.map((variable) => `const ${valueName(variable)} = V[${variableName(variable)}];`),
      ...(texts.length > 0 ? [`let ${texts.join(', ')};`] : []),
    ];
  }

  private takeAdjoints(): Lines {
    const { face, sweeps, scope } = this;
    const lines: Lines = [];
    for (const variable of new Set([...face.scalarsIn, ...sweeps.locals.scalars])) {
      const k = face.scalarsOut.indexOf(variable);
      lines.push(`let ${adjointName(variable)} = ${k < 0 ? '0' : `A[first + ${k + 1}]`};`);
    }
    for (const variable of new Set([...face.containersIn, ...sweeps.locals.containers])) {
      const k = face.containersOut.indexOf(variable);
      const o = offsetName(variable);
      const count = elementCount(variable);
      const at = this.slotOf(k);
      lines.push(
        k < 0
          ? fillText('D', '0', o, count)
          : `for (let i = 0, end = ${count}; i < end; i++) D[${o} + i] = A[${at} + i];`,
      );
    }
    for (const { name, variable } of scope.images.values()) {
      lines.push(fillText('D', '0', name, elementCount(variable)));
    }
    return lines;
  }

  private giveAdjoints(): Lines {
    const { face, scope } = this;
    return [
      ...face.scalarsIn.map(
        (variable) => `A[${variableName(variable)}] += ${adjointName(variable)};`,
      ),
      ...face.containersIn.map((variable) => {
        const give = scope.frame.unit.use('$give');
        return `${give}(tape, ${variableName(variable)}, ${offsetName(variable)});`;
      }),
    ];
  }
}

const isAddition = (line: Lines[number]): line is string =>
  typeof line === 'string' && / \+= [^;]*;$/.test(line);

function zerosText(names: readonly string[]): string[] {
  return names.length === 0 ? [] : [`let ${names.map((name) => `${name} = 0`).join(', ')};`];
}
