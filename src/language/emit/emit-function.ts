/** Instances of user functions: one JavaScript function for each combination of data and active arguments. */
import { Activity } from '../lower/activity.ts';
import { isActiveKind, kindOf } from '../lower/kinds.ts';
import { leavesOf } from '../lower/leaves.ts';
import { emitStatements } from './emit-statement.ts';
import type { Frame } from './frame.ts';
import { quote, type Writer } from './printer.ts';
import { type FunctionInstance, type Unit, variableName } from './unit.ts';

export function emitFunction(unit: Unit, out: Writer, instance: FunctionInstance): void {
  const f = instance.function;
  const activity = new Activity(instance.active && f.role === 'target');
  f.arguments.forEach((parameter, i) => {
    if (isActiveKind(instance.kinds[i])) activity.mark(parameter);
  });
  activity.propagate(f.body);
  const frame: Frame = {
    unit,
    activity,
    hasTape: instance.active,
    propto: f.role === 'density' || f.role === 'target' ? 'propto' : 'false',
    caches: false,
    isTransformedData: false,
    resultKind: instance.resultKind,
    resultLeaves: leavesOf(f.returnType).map(({ type }) => kindOf(type, instance.active)),
    isTaylor: instance.isTaylor,
    adjoint: null,
  };
  const parameters = [
    ...(instance.active ? ['tape'] : []),
    ...(f.role === 'target' ? ['target', 'propto'] : []),
    ...(f.role === 'random' ? ['rng'] : []),
    ...(f.role === 'density' ? ['propto'] : []),
    ...f.arguments.map(variableName),
  ];
  out.block(`function ${instance.name}(${parameters.join(', ')})`, () => {
    out.line('host.tick();');
    emitStatements(frame, out, f.body);
    if (f.returnType.base !== 'void' && f.body.at(-1)?.op !== 'return') {
      out.line(`${unit.use('$noReturn')}(${quote(f.name)});`);
    }
  });
}
