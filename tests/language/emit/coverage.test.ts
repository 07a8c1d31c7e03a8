/** Every signature of the language has an implementation, on data and on the tape, that emission finds. */
import { describe, expect, it } from 'vitest';
import { libraryKeys } from '../../../src/engine/compile-model.ts';
import { emitExpression } from '../../../src/language/emit/emit-expression.ts';
import { LibraryIndex } from '../../../src/language/emit/library-index.ts';
import { MissingFunctionError, Unit } from '../../../src/language/emit/unit.ts';
import { Activity } from '../../../src/language/lower/activity.ts';
import type { IrExpression, IrVariable } from '../../../src/language/lower/ir.ts';
import { lowerOperation } from '../../../src/language/lower/lower-call.ts';
import { membersOfLibrary } from '../../../src/language/lower/lower-tuples.ts';
import type { LibrarySignature } from '../../../src/language/syntax/ast.ts';
import {
  librarySignatures,
  resolveLibrary,
} from '../../../src/language/types/signatures/signature-table.ts';
import { isComplex } from '../../../src/language/types/stan-type.ts';
import { refusalOf } from '../../support/stan-program.ts';

const library = new LibraryIndex(libraryKeys);

/** Whether a call with variables of the signature's types can be emitted; reals active where `isActive` and allowed. */
function canEmit(signature: LibrarySignature, isActive: boolean): boolean {
  const activity = new Activity(false);
  const { pattern } = resolveLibrary(signature.name, signature.arguments) ?? { pattern: null };
  const args = signature.arguments.map((type, i): IrExpression => {
    const variable: IrVariable = { id: i + 1, name: 'x', type, place: 'local', writtenLevel: -1 };
    const dataOnly = pattern?.arguments[i]?.dataOnly ?? false;
    if (isActive && type.base !== 'int' && !dataOnly) activity.mark(variable);
    return { op: 'variable', variable, type };
  });
  const frame = {
    unit: new Unit(library, () => null),
    activity,
    hasTape: isActive,
    propto: 'false',
    caches: false,
    isTransformedData: false,
    resultKind: 'r',
    adjoint: null,
  };
  try {
    // What returns a tuple is one function for each member.
    const members = signature.result.members?.map((type, i) => ({
      name: membersOfLibrary[signature.name]?.[i] ?? signature.name,
      type,
    })) ?? [{ name: signature.name, type: signature.result }];
    // the flag for adding the Jacobian comes first
    const flag: IrExpression = { op: 'int', value: 1, type: { base: 'int', arrayDepth: 0 } };
    for (const { name, type } of members) {
      const call = lowerOperation(name, args, type);
      const isAdding = call.op === 'mixed' && name.endsWith('_jacobian');
      emitExpression(frame, isAdding ? { ...call, arguments: [flag, ...call.arguments] } : call);
    }
    return true;
  } catch (error) {
    if (error instanceof MissingFunctionError) return false;
    throw error;
  }
}

/** Complex types are removed when programs are lowered: `tests/engine/complex/coverage.test.ts`. */
function isOfComplex({ arguments: types, result }: LibrarySignature): boolean {
  return [...types, result, ...(result.members ?? [])].some(isComplex);
}

/** A density of eight vectorised arguments has a hundred thousand signatures; `npm run fuzz` tries them all. */
const MOST_OF_ONE_NAME = 5000;
const STRIDE = 13;

/** The signatures that are tried: for a name with very many, only some of the later ones. */
function* triedSignatures(): Generator<LibrarySignature> {
  const counts = new Map<string, number>();
  for (const signature of librarySignatures(1)) {
    const count = counts.get(signature.name) ?? 0;
    counts.set(signature.name, count + 1);
    const isTried = count < MOST_OF_ONE_NAME || count % STRIDE === 0;
    if (isTried || process.env.FUZZ_RUNS !== undefined) yield signature;
  }
}

describe('the signature table', () => {
  it('is implemented', () => {
    const missing = new Set<string>();
    let checked = 0;
    for (const signature of triedSignatures()) {
      const isSolver = signature.arguments.some(({ base }) => base === 'void');
      // lowered to its members, without a library function
      if (isSolver || isOfComplex(signature) || signature.name === 'generate_laplace_options')
        continue;
      checked++;
      for (const isActive of [false, true]) {
        if (!canEmit(signature, isActive)) missing.add(signature.name);
      }
    }
    expect([...missing]).toEqual([]);
    expect(checked).toBeGreaterThan(5000);
  });

  it('refuses parameters for a function that accepts only data', () => {
    const source = `parameters { simplex[2] rho; }
      model {
        matrix[2, 3] omega = rep_matrix(0, 2, 3);
        matrix[2, 2] gamma = rep_matrix(0.5, 2, 2);
        target += sum(hmm_hidden_state_prob(omega, gamma, rho));
      }`;
    expect(refusalOf(source)).toMatch(/`hmm_hidden_state_prob` must not depend on parameters/);
  });
});
