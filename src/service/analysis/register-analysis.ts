/** The built-in functions in this folder: plots, and the report that is the default analyzer. */

import type { FunctionParameter } from '../../contract/model.ts';
import { invalidField } from '../http/service-error.ts';
import { registerBuiltin } from '../policy/builtin-functions.ts';
import { defaultAnalyzerId, plotFunctionId } from './analysis-ids.ts';
import { drawPlot, maxSubplots } from './draw-plot.ts';
import { makeReport } from './make-report.ts';
import { plotNames } from './plot-kinds.ts';
import { returnTypes } from './plot-parameters.ts';

/** Every program that serves or executes calls must call this; repeated calls change nothing. */
export function registerAnalysis(): void {
  registerBuiltin({
    id: plotFunctionId,
    name: 'Plots',
    description: 'Draws an experiment: traces, densities, ranks, forests, pairs and more.',
    readme: plotReadme,
    parameters: plotParameters,
    handler: (context, { parameters, caller }) => drawPlot(context, caller, parameters),
  });
  registerBuiltin({
    id: defaultAnalyzerId,
    name: 'Report',
    description: 'A page about an experiment: verdict, summary, plots of the worst variables.',
    readme: reportReadme,
    parameters: [runParameter],
    handler: (context, { parameters, caller }) => {
      const { experiment_id: id } = parameters;
      if (typeof id !== 'string' || id === '')
        throw invalidField('parameters.experiment_id', 'is missing: name the run to report on.');
      return makeReport(context, caller, id, { program: parameters.program === true });
    },
  });
}

const runParameter: FunctionParameter = {
  name: 'experiment_id',
  label: 'Experiment',
  kind: 'experiment',
  required: true,
};

const plotParameters: readonly FunctionParameter[] = [
  runParameter,
  { name: 'plot_func', label: 'Plot', kind: 'choice', choices: [...plotNames], default: 'trace' },
  {
    name: 'plot_var',
    label: 'Variables',
    kind: 'text',
    help: 'Names separated by commas; theta selects all of theta[…].',
    default: `all, at most ${maxSubplots}`,
  },
  {
    name: 'plot_group',
    label: 'By group',
    kind: 'text',
    help: 'For predictive checks: a data variable with few values; one plot per value.',
  },
  {
    name: 'plot_chain',
    label: 'Chains',
    kind: 'text',
    help: 'Names or numbers separated by commas.',
    default: 'all',
  },
  {
    name: 'n_iteration',
    label: 'Draws of each chain',
    kind: 'number',
    help: 'Use only this many draws, starting from the first.',
    default: 'all',
  },
  {
    name: 'return_type',
    label: 'Result as',
    kind: 'choice',
    choices: [...returnTypes],
    default: 'plotly',
  },
  { name: 'theme', label: 'Theme', kind: 'choice', choices: ['light', 'dark'], default: 'light' },
  {
    name: 'share_id',
    label: 'Share',
    kind: 'text',
    help: 'The id of a share: use only the draws that it contains.',
    default: 'none',
  },
];

const plotReadme = `# Plots

Parameters
- \`experiment_id\`: the run.
- \`plot_func\`: ${plotNames.join(', ')}; the prefix \`plot_\` is allowed. Default: trace.
- \`plot_var\`: names of variables, separated by commas or as a list; \`theta\` is all of \`theta[…]\`; empty: all, at most ${maxSubplots}.
- \`plot_chain\`: names or numbers of chains; empty: all.
- \`n_iteration\`: only this many draws of each chain, starting from the first; 0: all.
- \`return_type\`: ${returnTypes.join(', ')}; anything else is plotly.
- \`theme\`: light or dark. \`share_id\`: only the draws that this share contains.

Answer
- \`notes\`: what is not shown.
- plotly: \`plots\`, each with \`name\`, \`data\`, \`layout\`, \`notes\`. svg: \`svg\`, \`width\`, \`height\`. png: \`base64\`,
  \`media_type\`, \`width\`, \`height\`. html: \`html\`, a self-contained page.
`;

const reportReadme = `# Report

The analyzer for workflows that name none. Parameter \`experiment_id\`; the answer is an HTML page as text: verdict, summary
table worst first, intervals, traces, ranks and densities of the worst variables, energy, tree depth, acceptance, and
leave-one-out when the program has \`log_lik\`. With \`program: true\`, also the program, for users who may see it.
`;
