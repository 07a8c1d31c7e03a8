/** What each plot shows and how to read it. */
import { sources, type Topic } from './topic.ts';

export const plots: readonly Topic[] = [
  {
    id: 'trace',
    title: 'Trace',
    meaning: [
      'The draws of one variable in the order in which they were made, one line for each chain. Chains that agree look like one band without a trend. From about eight draws per pixel, each chain is drawn as a band that shows its range; zoom in to see individual draws.',
      'The running mean is the mean of each chain’s draws so far. Its lines should settle at one level; a line that still rises or falls needs more draws.',
      'A chain that stays flat is stuck; chains at different levels have not mixed; a slow drift needs more draws or another parameterisation.',
    ],
    sources: [sources.workflow],
  },
  {
    id: 'density',
    title: 'Density',
    meaning: [
      'A kernel density estimate of the draws, one line for each chain or one for all. It ends at the bounds that the program declares, with a correction there, so a density that is high at zero is shown as such.',
    ],
    sources: [sources.boundary],
  },
  {
    id: 'forest',
    title: 'Intervals (forest)',
    meaning: [
      'For each variable the median as a dot, the central 50 % interval as a thick line and the 90 % interval as a thin one. The intervals are those of the posterior, not of its Monte Carlo error.',
    ],
  },
  {
    id: 'pairs',
    title: 'Pairs',
    meaning: [
      'Each pair of the chosen variables, plotted against each other. Red draws are divergent. A funnel that narrows where the red draws gather is the classic sign of a centred hierarchical model; a thin diagonal means strong correlation.',
      'Look at scale parameters on the log scale: the funnel is then a straight edge.',
    ],
    sources: [sources.hierarchical, sources.workflow],
  },
  {
    id: 'ranks',
    title: 'Ranks',
    meaning: [
      'Every draw is replaced by its rank among the draws of all chains. If the chains agree, the ranks of each are uniform: bars of equal height, and an ECDF difference that stays within the band, which holds for the whole line at once.',
      'A line above the band on the left means that this chain has too many small values; an S shape means that its spread differs.',
    ],
    sources: [sources.rankNormalised, sources.ecdf],
  },
  {
    id: 'autocorrelation',
    title: 'Autocorrelation',
    meaning: [
      'The correlation of draws with those a given number of iterations (the lag) earlier. It should fall to 0 quickly; below 0 is good and means that draws alternate. A slow decline explains a low effective sample size.',
    ],
  },
  {
    id: 'ess-plots',
    title: 'ESS by number of draws, and of quantiles',
    meaning: [
      'The first shows bulk and tail ESS when only the first draws are used. It should grow in a straight line; where it bends or falls, the chains found something new. The second shows the ESS of each quantile: low values mean that this part of the distribution is poorly estimated.',
    ],
    sources: [sources.rankNormalised],
  },
  {
    id: 'energy',
    title: 'Energy and E-BFMI',
    meaning: [
      'The filled curve is the distribution of the energy, the dashed one that of its change per step. If the dashed curve is much narrower, the sampler needs many steps to reach the tails, which E-BFMI sums up in one number.',
    ],
    sources: [sources.energy],
  },
  {
    id: 'divergence-plot',
    title: 'Divergent draws across variables',
    meaning: [
      'Each line is one draw across several variables, standardised. Red lines are divergent draws. Where they pass through a narrow gate, that variable is where the sampler fails.',
    ],
    sources: [sources.workflow],
  },
  {
    id: 'treedepth-plot',
    title: 'Tree depth',
    meaning: [
      'How many draws of each chain used trajectories of 2 to the power of this depth. Bars at the dotted limit mean that trajectories were cut short.',
    ],
    sources: [sources.nuts],
  },
  {
    id: 'acceptance',
    title: 'Acceptance and step size',
    meaning: [
      'The middle 90 % of the acceptance statistic and the step size of each chain. The acceptance should lie around the dotted target, `adapt_delta`. A chain with a step size far from the others adapted in another region.',
    ],
    sources: [sources.nuts],
  },
  {
    id: 'loo',
    title: 'LOO and Pareto k',
    meaning: [
      'Leave-one-out cross-validation estimates from `log_lik` how well the model predicts an observation that it has not seen. `elpd_loo` is the sum of these log densities and higher is better; a difference between models matters when it is several times its standard error. The plot shows Pareto k of each observation.',
      'The table lists the observations whose k is above the limit, or all, each with its row of data: the entries of the data variables whose first dimension has the length of `log_lik`, and labels of its dimension. A share shows rows of data where it includes the data.',
      'Where k is too high, moment matching moves the draws for one observation at a time until their mean, scale and covariance are those of the posterior without it, and reweights them. The server does it with the program and the data of the run. Its result replaces the plain estimate everywhere: on the page of the run, in comparisons and their weights, in reports, and in shares made afterwards.',
      'Stacking weights, where runs are compared, are those of the mixture of the models that predicts best. A model can have a low `elpd_loo` and still get a weight, if it predicts some observations that the other models miss.',
    ],
    advice: [
      'Look at the observations with a high k first: often they are outliers, errors in the data, or the only ones of their kind.',
      'Improve the estimates by moment matching. Where k remains high, fit the model again without the observation, or choose a model with heavier tails.',
    ],
    sources: [sources.loo, sources.psis, sources.momentMatching, sources.stacking],
  },
  {
    id: 'sensitivity',
    title: 'Sensitivity to prior and likelihood',
    meaning: [
      'How much the posterior of each variable changes when the prior, or the likelihood, is given a little more or less weight. It is computed from the draws that exist, so nothing is sampled again. The program has to give its log prior as `lprior` and its log likelihood as `log_lik`; brms writes both.',
      'Sensitive to both: prior and data disagree. Sensitive to the prior alone: the prior is strong, or the data say little about this variable. Neither is an error; each is a reason to look at how the prior was chosen. Values below 0.05 are of no concern.',
    ],
    sources: [sources.powerScaling, sources.psis],
  },
  {
    id: 'predictive',
    title: 'Predictive checks',
    meaning: [
      'The data compared with data that the model generates from the draws, one generated value for each observation. A model that is right for its purpose generates data that look like the observed ones. The variable is found by its name (`y_rep`, `yrep`, `y_pred` for the data `y`), or chosen by hand; the choice is stored for the model in this browser.',
      'Density and ECDF: the data as a dark line over 50 generated data sets, chosen at random with a fixed seed. Intervals: about half of the observations should lie in their 50 % interval and nine in ten in their 90 % interval; more of them mean that the model is too cautious.',
      'Statistics: the mean, the spread, the extremes or the share of zeros of the data among those of the generated data. p is the share of draws whose statistic is at least as large; near 0 or 1 the data are unusual under the model. A p-value near 0.5 proves little: a statistic that the model fits directly, such as the mean, always looks usual.',
      'Counts: a rootogram compares how often each count occurs, on the scale of square roots, with bars that hang from what is expected; the table has the numbers. Binary outcomes: the calibration plot compares predicted probabilities with how often the outcome occurs, by isotonic regression instead of bins, with the band that it stays within if the predictions are right.',
      'LOO-PIT shows where each observation lies in what the other observations predict for it, using the leave-one-out weights from `log_lik`. The values should be uniform: the ECDF difference stays within the band, which holds for the whole line at once. Values too often near 0 and 1 mean that predictions are too narrow.',
      'A prior predictive check is the same with draws from the prior alone: what the model considers possible before it has seen data. The generated data should cover what is plausible, and little that is absurd. A program offers it through a flag in its data, `prior_only` as brms writes it: 1 leaves the likelihood out. The page of a run starts such a run where the data have the flag, and otherwise offers the change to the program.',
      'A share shows these plots where it includes the data.',
    ],
    advice: [
      'Check by group where the data have groups: a model can fit the data as a whole and miss every group.',
      'Choose a statistic that the model was not fitted to, such as an extreme or the share of zeros.',
      'Where the spread or the tails differ, reconsider the distribution of the outcome: overdispersion, heavier tails, more zeros.',
      'Where data generated by the prior lie far beyond what is possible, narrow the priors; where they exclude what was observed, widen them or reconsider the model.',
    ],
    sources: [sources.workflow, sources.ecdf, sources.rootogram, sources.corp, sources.bda],
  },
];
