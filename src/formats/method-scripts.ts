/** CmdStanPy's and CmdStanR's names for methods other than sampling, and the arguments for our settings. */

type Settings = Readonly<Record<string, unknown>>;
/** An argument's name, and its value in the language's syntax. */
export type ScriptArgument = readonly [name: string, value: string];

export interface ScriptLanguage {
  readonly yes: string;
  readonly no: string;
  /** The arguments as one value: a dictionary, a list. */
  readonly grouped: (values: readonly ScriptArgument[]) => string;
}

export interface Method {
  readonly python: string;
  readonly r: string;
  /** Shown at the end by Python: an expression behind `fit.`. */
  readonly shown: string;
  /** Pairs of an argument and our key. */
  readonly own: readonly (readonly [argument: string, key: string])[];
  /** Arguments without a setting of ours. */
  readonly fixed?: readonly (readonly [argument: string, value: boolean | string])[];
  /** Settings of the optimiser whose mode the method starts from: our keys, with the same names. */
  readonly optimiser?: readonly string[];
  /** False: it takes no starting values. */
  readonly hasInits?: boolean;
  /** NUTS makes the draws. */
  readonly isSampling?: boolean;
}

const tolerances = [
  'init_alpha',
  'tol_obj',
  'tol_rel_obj',
  'tol_grad',
  'tol_rel_grad',
  'tol_param',
];
const lbfgs = [...tolerances, 'history_size'];
const alike = (keys: readonly string[]) => keys.map((key) => [key, key] as const);
const seed = ['seed', 'seed'] as const;
const chains = [['chains', 'num_chains'], ...alike(['parallel_chains'])] as const;
const draws = ['draws', 'num_samples'] as const;

const methods: Readonly<Record<string, Method>> = {
  optimize: {
    python: 'optimize',
    r: 'optimize',
    shown: 'optimized_params_pd.T',
    own: [seed, ...alike(['jacobian', 'iter', ...lbfgs])],
    fixed: [['algorithm', 'lbfgs']],
  },
  laplace: {
    python: 'laplace_sample',
    r: 'laplace',
    shown: 'draws_pd().describe().T',
    own: [seed, draws, ...alike(['jacobian'])],
    optimiser: ['iter', ...lbfgs],
    hasInits: false,
  },
  pathfinder: {
    python: 'pathfinder',
    r: 'pathfinder',
    shown: 'stan_variables()',
    own: [
      seed,
      draws,
      ...alike(['num_paths', 'num_elbo_draws', 'psis_resample']),
      ['max_lbfgs_iters', 'iter'],
      ...alike(lbfgs),
    ],
  },
  advi: {
    python: 'variational',
    r: 'variational',
    shown: 'variational_params_pd.T',
    own: [
      seed,
      draws,
      ['algorithm', 'approximation'],
      ...alike(['iter', 'grad_samples', 'elbo_samples', 'eval_elbo', 'eta', 'adapt_iter']),
      ...alike(['tol_rel_obj']),
    ],
  },
  fixed_param: {
    python: 'sample',
    r: 'sample',
    shown: 'summary()',
    own: [...chains, ['iter_sampling', 'num_samples'], ...alike(['thin', 'seed'])],
    fixed: [['fixed_param', true]],
  },
  generate_quantities: {
    python: 'generate_quantities',
    r: 'generate_quantities',
    shown: 'draws_pd().describe().T',
    own: [seed],
    hasInits: false,
  },
};

const sampling: Method = {
  python: 'sample',
  r: 'sample',
  shown: 'summary()',
  own: [
    ...chains,
    ['iter_warmup', 'num_warmup'],
    ['iter_sampling', 'num_samples'],
    ...alike(['thin', 'seed', 'adapt_delta', 'save_warmup']),
  ],
  isSampling: true,
};

export function methodOf({ algorithm }: Settings): Method {
  return typeof algorithm === 'string' && Object.hasOwn(methods, algorithm)
    ? methods[algorithm]
    : sampling;
}

/** Without data, starting values and folders. */
export function methodArguments(
  { own, fixed = [], optimiser = [] }: Method,
  settings: Settings,
  language: ScriptLanguage,
): ScriptArgument[] {
  const written = (value: boolean | number | string): string => {
    if (typeof value === 'boolean') return value ? language.yes : language.no;
    return JSON.stringify(value);
  };
  const given = (pairs: readonly (readonly [string, string])[]) =>
    pairs.flatMap(([argument, key]): ScriptArgument[] => {
      const value = settings[key];
      const isSingle =
        typeof value === 'boolean' || typeof value === 'number' || typeof value === 'string';
      return isSingle ? [[argument, written(value)]] : [];
    });
  const ofOptimiser = given(alike(optimiser));
  // nothing is adapted if the step size is given
  const isAdapted = settings.algorithm === 'advi' && typeof settings.eta === 'number';
  return [
    ...given(own).filter(([argument]) => !(isAdapted && argument === 'adapt_iter')),
    ...(isAdapted ? [['adapt_engaged', language.no] as const] : []),
    ...fixed.map(([argument, value]): ScriptArgument => [argument, written(value)]),
    ...(ofOptimiser.length === 0 ? [] : [['opt_args', language.grouped(ofOptimiser)] as const]),
  ];
}
