/** Where each kind of function may be called. */
import type { Identifier } from '../syntax/ast.ts';
import type { CheckContext } from './scope.ts';
import * as problems from './type-problems.ts';

/** `_rng`, `_lp`, `_jacobian` and unnormalised densities have restricted places. */
export function checkPlaceOfCall(context: CheckContext, { name, span }: Identifier): void {
  const { block, function: definition } = context.place;
  const within = definition?.name.name ?? '';
  if (name.endsWith('_rng')) {
    const allowed = definition
      ? within.endsWith('_rng')
      : block === 'transformed data' || block === 'generated quantities';
    if (!allowed) {
      const where =
        'transformed data, generated quantities and functions that themselves end in `_rng`';
      context.report(problems.notInThisBlock(span, `\`${name}\``, where));
    }
  } else if (name.endsWith('_lp')) {
    const allowed = definition
      ? within.endsWith('_lp')
      : block === 'model' || block === 'transformed parameters';
    if (!allowed) {
      const where = 'transformed parameters, the model block and functions that end in `_lp`';
      context.report(problems.notInThisBlock(span, `\`${name}\``, where));
    } else if (!definition && block === 'transformed parameters') {
      context.report(problems.lpInTransformedParameters(span, name));
    }
  } else if (name.endsWith('_jacobian')) {
    const allowed = definition ? within.endsWith('_jacobian') : block === 'transformed parameters';
    if (!allowed) {
      const where = 'transformed parameters and functions that end in `_jacobian`';
      context.report(problems.notInThisBlock(span, `\`${name}\``, where));
    }
  } else if (/_lup[dm]f$/.test(name)) {
    const allowed = definition ? /_lp[dm]f$/.test(within) : block === 'model';
    if (!allowed) {
      const where = 'the model block and functions that end in `_lpdf` or `_lpmf`';
      context.report(problems.notInThisBlock(span, `\`${name}\``, where));
    }
  }
}
