/** One explained topic: what it is, how to read it, what to do, and the source. */
import type { HelpTopic } from '../../ui/help-topics.ts';

export interface Source {
  readonly label: string;
  readonly href: string;
}

/** Topics linked only from the contents: otherwise every page with links would include their ids. */
type ElsewhereTopic = 'cmdstan' | 'python' | 'r' | 'turns';

export interface Topic {
  readonly id: HelpTopic | ElsewhereTopic;
  readonly title: string;
  /** Paragraphs; names in backticks are formatted as code. */
  readonly meaning: readonly string[];
  /** What to do about it, in the order to try. */
  readonly advice?: readonly string[];
  readonly sources?: readonly Source[];
}

export const sources = {
  rankNormalised: {
    label:
      'Vehtari, Gelman, Simpson, Carpenter & Bürkner 2021, Rank-normalization, folding, and localization',
    href: 'https://doi.org/10.1214/20-BA1221',
  },
  conceptual: {
    label: 'Betancourt 2017, A conceptual introduction to Hamiltonian Monte Carlo',
    href: 'https://arxiv.org/abs/1701.02434',
  },
  hierarchical: {
    label: 'Betancourt & Girolami 2015, Hamiltonian Monte Carlo for hierarchical models',
    href: 'https://arxiv.org/abs/1312.0906',
  },
  energy: {
    label: 'Betancourt 2016, Diagnosing suboptimal cotangent disintegrations',
    href: 'https://arxiv.org/abs/1604.00695',
  },
  nuts: {
    label: 'Hoffman & Gelman 2014, The No-U-Turn Sampler',
    href: 'https://arxiv.org/abs/1111.4246',
  },
  loo: {
    label: 'Vehtari, Gelman & Gabry 2017, Practical Bayesian model evaluation using LOO',
    href: 'https://doi.org/10.1007/s11222-016-9696-4',
  },
  psis: {
    label: 'Vehtari, Simpson, Gelman, Yao & Gabry 2024, Pareto smoothed importance sampling',
    href: 'https://arxiv.org/abs/1507.02646',
  },
  momentMatching: {
    label: 'Paananen, Piironen, Bürkner & Vehtari 2021, Implicitly adaptive importance sampling',
    href: 'https://doi.org/10.1007/s11222-020-09982-2',
  },
  stacking: {
    label: 'Yao, Vehtari, Simpson & Gelman 2018, Using stacking to average Bayesian predictions',
    href: 'https://doi.org/10.1214/17-BA1091',
  },
  powerScaling: {
    label: 'Kallioinen, Paananen, Bürkner & Vehtari 2024, Prior and likelihood sensitivity',
    href: 'https://doi.org/10.1007/s11222-023-10366-5',
  },
  calibration: {
    label:
      'Talts, Betancourt, Simpson, Vehtari & Gelman 2018, Validating Bayesian inference algorithms with simulation-based calibration',
    href: 'https://arxiv.org/abs/1804.06788',
  },
  ecdf: {
    label: 'Säilynoja, Bürkner & Vehtari 2022, Graphical test for discrete uniformity',
    href: 'https://doi.org/10.1007/s11222-021-10090-6',
  },
  boundary: {
    label: 'Jones 1993, Simple boundary correction for kernel density estimation',
    href: 'https://doi.org/10.1007/BF00147776',
  },
  workflow: {
    label: 'Gabry, Simpson, Vehtari, Betancourt & Gelman 2019, Visualization in Bayesian workflow',
    href: 'https://doi.org/10.1111/rssa.12378',
  },
  rootogram: {
    label: 'Kleiber & Zeileis 2016, Visualizing count data regressions using rootograms',
    href: 'https://doi.org/10.1080/00031305.2016.1173590',
  },
  corp: {
    label: 'Dimitriadis, Gneiting & Jordan 2021, Stable reliability diagrams',
    href: 'https://doi.org/10.1073/pnas.2016191118',
  },
  bda: {
    label: 'Gelman, Meng & Stern 1996, Posterior predictive assessment of model fitness',
    href: 'https://www.jstor.org/stable/24306036',
  },
} as const satisfies Readonly<Record<string, Source>>;
