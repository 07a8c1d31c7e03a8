/** Describes the methods other than sampling as CmdStan's files do, from `method =` on. */
import type { Settings } from '../../engine/settings-table.ts';

/** Undefined: the method is `sample`, which is written in another place. */
export function methodLines(settings: Settings): string[] | undefined {
  const { algorithm, jacobian, numSamples } = settings;
  switch (algorithm) {
    case 'optimize':
      return linesOf('optimize', {
        algorithm: 'lbfgs',
        ...lbfgsLines(settings),
        jacobian,
        iter: settings.iter,
        save_iterations: false,
      });
    case 'laplace':
      return linesOf('laplace', { mode: '', jacobian, draws: numSamples });
    case 'pathfinder':
      return linesOf('pathfinder', {
        ...lbfgsLines(settings),
        num_psis_draws: numSamples,
        num_paths: settings.numPaths,
        psis_resample: settings.psisResample,
        calculate_lp: true,
        max_lbfgs_iters: settings.iter,
        num_draws: 1000,
        num_elbo_draws: settings.numElboDraws,
      });
    case 'advi':
      return linesOf('variational', {
        algorithm: settings.approximation,
        iter: settings.iter,
        grad_samples: settings.gradSamples,
        elbo_samples: settings.elboSamples,
        eta: settings.eta ?? 1,
        engaged: settings.eta === null,
        adapt_iter: settings.adaptIter,
        tol_rel_obj: settings.tolRelObj,
        eval_elbo: settings.evalElbo,
        output_samples: numSamples,
      });
    case 'generate_quantities':
      return linesOf('generate_quantities', { fitted_params: settings.from ?? '' });
    default:
      return undefined;
  }
}

function lbfgsLines(settings: Settings) {
  return {
    init_alpha: settings.initAlpha,
    tol_obj: settings.tolObj,
    tol_rel_obj: settings.tolRelObj,
    tol_grad: settings.tolGrad,
    tol_rel_grad: settings.tolRelGrad,
    tol_param: settings.tolParam,
    history_size: settings.historySize,
  };
}

function linesOf(method: string, values: Readonly<Record<string, unknown>>): string[] {
  const lines = Object.entries(values).map(([key, value]) => `    ${key} = ${String(value)}`);
  return [`method = ${method}`, `  ${method}`, ...lines];
}
