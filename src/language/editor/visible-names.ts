/** Which variables can be named at a place of the program. */

import type { Span } from '../source/span.ts';
import type { BlockName, Declaration, Named, Program, Statement } from '../syntax/ast.ts';
import { blockNames } from '../syntax/parse.ts';
import { statementsOf } from '../syntax/walk.ts';

/** Innermost last; `block` is the one that contains the place. */
export function visibleNames(program: Program, place: Span, block: BlockName): Named[] {
  if (block === 'functions') return namesInFunction(program, place);
  const names: Named[] = [];
  for (const name of blockNames) {
    if (name === 'functions') continue;
    const statements = statementsOfBlock(program, name);
    if (name === block) {
      collect(statements, place, names);
      return names;
    }
    if (name === 'model') continue;
    names.push(...statements.filter((statement) => statement.kind === 'declaration'));
  }
  return names;
}

export function statementsOfBlock(program: Program, block: BlockName): readonly Statement[] {
  switch (block) {
    case 'functions':
      return [];
    case 'data':
      return program.data;
    case 'transformed data':
      return program.transformedData;
    case 'parameters':
      return program.parameters;
    case 'transformed parameters':
      return program.transformedParameters;
    case 'model':
      return program.model;
    default:
      return program.generatedQuantities;
  }
}

function namesInFunction(program: Program, place: Span): Named[] {
  const definition = program.functions.find(({ span }) => contains(span, place));
  if (!definition) return [];
  const names: Named[] = [...definition.arguments];
  if (definition.body) collect([definition.body], place, names);
  return names;
}

/** Declarations before the place, on the way down to it. */
function collect(statements: readonly Statement[], place: Span, names: Named[]): void {
  for (const statement of statements) {
    if (statement.span.file === place.file && statement.span.start >= place.start) return;
    if (statement.kind === 'declaration') {
      if (!isBeingWritten(statement, place)) names.push(statement);
      continue;
    }
    if (!contains(statement.span, place)) continue;
    if (statement.kind === 'for' || statement.kind === 'for-each') names.push(statement.variable);
    collect(statementsOf(statement), place, names);
  }
}

/** A name is in scope only after its declaration, and an unfinished value is still being written. */
function isBeingWritten({ span, initialiser }: Declaration, place: Span): boolean {
  const isOpen = span.file === place.file && place.start < span.end;
  return isOpen || initialiser?.kind === 'error';
}

function contains(span: Span, place: Span): boolean {
  return span.file === place.file && span.start <= place.start && place.start <= span.end;
}
