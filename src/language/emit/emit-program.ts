/**
 * The emitted text: the library linked, instances of user functions, and a factory that reads data and returns the
 * program's verbs. Everything that a program declares is inside the factory; nothing is global.
 */
import { writeLinearised } from '../adjoint/linearise.ts';
import { countReferences, declaredSizes } from '../adjoint/references.ts';
import { type Adjoint, emitWithRegions, type LeftOnTape } from '../adjoint/region.ts';
import { Activity } from '../lower/activity.ts';
import type { IrDeclaration, IrProgram, IrStatement, IrVariable } from '../lower/ir.ts';
import { bareLeafName, leafName } from '../lower/leaves.ts';
import { emitChecks, isChecked } from './emit-checks.ts';
import { emitFunction } from './emit-function.ts';
import { emitLayout, emitParameter, emitUnconstrain, readText } from './emit-parameters.ts';
import { emitRange } from './emit-range.ts';
import { emitSizes, emitStatements } from './emit-statement.ts';
import { emitLocation, type Frame } from './frame.ts';
import type { LibraryIndex } from './library-index.ts';
import { layoutOf, type ParameterLayout } from './parameter-layout.ts';
import { quote, Writer } from './printer.ts';
import { Unit, variableName } from './unit.ts';

export interface EmittedProgram {
  readonly javascript: string;
  readonly libraryKeys: readonly string[];
  /** Statements that the adjoint phase leaves to the tape: "`cov_exp_quad` (model, line 12)". */
  readonly onTape: readonly string[];
}

/** `regions`: differentiate runs of statements at compile time, instead of recording all of them. */
export function emitProgram(
  program: IrProgram,
  library: LibraryIndex,
  regions: boolean,
): EmittedProgram {
  return new ProgramEmitter(
    program,
    new Unit(library, regions ? writeLinearised : () => null),
    regions,
  ).emit();
}

const declarationsIn = (statements: readonly IrStatement[]): IrDeclaration[] =>
  statements.filter((statement) => statement.op === 'declare');

/** The statements of a block, and checks of what they declare. */
function withChecks(statements: readonly IrStatement[]): IrStatement[] {
  const checks = declarationsIn(statements)
    .filter(isChecked)
    .map((declaration): IrStatement => {
      return { op: 'check', declaration, location: declaration.location };
    });
  return [...statements, ...checks];
}

class ProgramEmitter {
  private readonly layouts: readonly ParameterLayout[];
  private readonly left: LeftOnTape[] = [];

  constructor(
    private readonly program: IrProgram,
    private readonly unit: Unit,
    private readonly regions: boolean,
  ) {
    this.layouts = program.parameters.map(layoutOf);
  }

  /** The unit, with `location` of the statement that was being emitted, for the caller's error messages. */
  emit(): EmittedProgram {
    const { unit } = this;
    const factory = new Writer();
    this.emitBody(factory);
    const functions = new Writer();
    for (let instance = unit.pending.shift(); instance; instance = unit.pending.shift()) {
      emitFunction(unit, functions, instance);
    }
    const out = new Writer();
    out.line('"use strict";');
    unit.use('$located');
    out.line(unit.linkLine());
    out.line(`const places = [${this.program.locations.map(quote).join(', ')}];`);
    for (const kernel of unit.kernels) out.append(kernel);
    out.block(
      'return function (host, data, rng)',
      () => {
        out.line('let at = 0;');
        out.line('const fail = (error) => $located(error, places[at]);');
        if (unit.caches.length > 0) out.line(`let ${unit.caches.join(', ')};`);
        out.append(functions.toString());
        for (const text of unit.functions) out.append(text);
        out.block(
          'try',
          () => out.append(factory.toString()),
          ' catch (error) { throw fail(error); }',
        );
      },
      ';',
    );
    const onTape = this.left.map(
      ({ location, reason }) => `${reason} (${this.program.locations[location]})`,
    );
    return { javascript: out.toString(), libraryKeys: [...unit.libraryNames.keys()], onTape };
  }

  private frame(overrides: Partial<Frame>): Frame {
    return {
      unit: this.unit,
      activity: new Activity(false),
      hasTape: false,
      propto: 'false',
      caches: false,
      isTransformedData: false,
      resultKind: 'r',
      adjoint: null,
      ...overrides,
    };
  }

  private emitBody(out: Writer): void {
    const { program, unit } = this;
    const frame = this.frame({});
    for (const declaration of program.data) this.emitData(frame, out, declaration);
    const settled = withChecks(program.transformedData);
    emitStatements(this.frame({ isTransformedData: true }), out, settled);
    out.line('let size = 0;');
    for (const layout of this.layouts) emitLayout(frame, out, layout);
    out.line(`const target = ${unit.use('$target')}();`);
    this.emitLogDensity(out);
    this.emitConstrain(out);
    this.emitUnconstrain(out);
    const variables = this.outputs(frame);
    out.line(`const variables = [${variables.join(', ')}];`);
    out.line('return { numUnconstrained: size, variables, logDensity, constrain, unconstrain };');
  }

  private emitData(frame: Frame, out: Writer, declaration: IrDeclaration): void {
    const { variable, location } = declaration;
    emitLocation(frame, out, location);
    const declared = readText(variable, emitSizes(frame, declaration));
    out.line(`const ${variableName(variable)} = ${this.unit.use('$read')}(data, ${declared});`);
    emitChecks(frame, out, declaration);
  }

  private emitLogDensity(out: Writer): void {
    const { program } = this;
    const activity = new Activity(true);
    for (const { variable } of program.parameters) activity.mark(variable);
    const statements = [...withChecks(program.transformedParameters), ...program.model];
    activity.propagate(statements);
    const adjoint: Adjoint | null = this.regions
      ? {
          references: countReferences(statements),
          sizes: declaredSizes(
            [...program.data, ...program.parameters],
            [...program.transformedData, ...statements],
          ),
          functions: [],
          left: this.left,
          emit: emitWithRegions,
        }
      : null;
    const frame = this.frame({ activity, hasTape: true, propto: 'propto', caches: true, adjoint });
    this.emitVerb(out, 'logDensity(tape, jacobian, propto)', () => {
      out.line('target.start(tape);');
      out.line('const jacobians = jacobian ? target : null;');
      this.emitFlag(out, 'jacobian ? 1 : 0');
      this.emitParameters(frame, out);
      emitStatements(frame, out, statements);
      out.line('return target.total();');
    });
    for (const text of adjoint?.functions ?? []) out.append(text);
  }

  /** Each block is written before the next begins: a draw keeps what was computed before something was rejected. */
  private emitConstrain(out: Writer): void {
    const { program } = this;
    const frame = this.frame({ caches: true });
    this.emitVerb(out, 'constrain(theta, rng, out)', () => {
      out.line('target.start(null);');
      out.line('let column = 0;');
      this.emitFlag(out, '0');
      this.emitParameters(frame, out);
      this.emitOutput(out, program.parameters);
      for (const block of [program.transformedParameters, program.generatedQuantities]) {
        emitStatements(frame, out, withChecks(block));
        this.emitOutput(out, declarationsIn(block));
      }
    });
  }

  private emitOutput(out: Writer, declarations: readonly IrDeclaration[]): void {
    for (const { variable } of declarations) {
      const name = variableName(variable);
      out.line(`column = ${this.unit.use('$write')}(out, column, ${name});`);
    }
  }

  private emitUnconstrain(out: Writer): void {
    const frame = this.frame({ caches: true });
    this.emitVerb(out, 'unconstrain(inits, theta)', () => {
      for (const layout of this.layouts) emitUnconstrain(frame, out, layout);
    });
  }

  private emitVerb(out: Writer, head: string, body: () => void): void {
    out.block(`function ${head}`, () => {
      out.block('try', body, ' catch (error) { throw fail(error); }');
    });
  }

  private emitFlag(out: Writer, value: string): void {
    const { jacobian } = this.program;
    if (jacobian !== null) out.line(`const ${variableName(jacobian)} = ${value};`);
  }

  private emitParameters(frame: Frame, out: Writer): void {
    for (const layout of this.layouts) {
      const { variable, location } = layout.declaration;
      emitLocation(frame, out, location);
      out.line(`const ${variableName(variable)} = ${emitParameter(frame, layout)};`);
    }
  }

  private outputDeclarations(): IrDeclaration[] {
    const { program } = this;
    return [
      ...program.parameters,
      ...declarationsIn(program.transformedParameters),
      ...declarationsIn(program.generatedQuantities),
    ];
  }

  /** Sizes depend on data and transformed data only, so they are known without a draw. */
  private outputs(frame: Frame): string[] {
    return this.outputDeclarations().map((declaration) => {
      const { variable } = declaration;
      const name = quote(outputName(variable));
      const dims = emitSizes(frame, declaration).join(', ');
      const isInt = variable.type.base === 'int';
      const range = emitRange(frame, declaration.constraint);
      const free = this.freeOf(declaration);
      return `{ name: ${name}, block: ${quote(variable.place)}, dims: [${dims}], isInt: ${isInt}${range}${free}${tupleText(variable)} }`;
    });
  }

  /** `, free: …` for a parameter. */
  private freeOf(declaration: IrDeclaration): string {
    const layout = this.layouts.find((one) => one.declaration === declaration);
    if (layout === undefined) return '';
    const { arraySizes, each, elementwise } = layout;
    return `, free: { arrayRank: ${arraySizes.length}, each: ${each}, isElementwise: ${elementwise} }`;
  }
}

/** The name of an output variable; for a leaf, `x:2` or `z.real`. */
function outputName({ name, type, tuple }: IrVariable): string {
  return tuple ? bareLeafName(tuple.name, { type, ...tuple }) : name;
}

/** `, tuple: …` for a leaf. */
function tupleText({ type, tuple }: IrVariable): string {
  if (!tuple) return '';
  const pattern = quote(leafName(tuple.name, { type, ...tuple }, ':'));
  return `, tuple: { variable: ${quote(tuple.name)}, pattern: ${pattern} }`;
}
