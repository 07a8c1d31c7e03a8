/** The checks behind a verdict, explained. */
import { lostLimits } from '../../../posterior/lost-chains.ts';
import { verdictLimits } from '../../../posterior/verdict-limits.ts';
import { sources, type Topic } from './topic.ts';

const { rhat, essPerChain, divergentShare, ebfmi, leastDraws, paretoK } = verdictLimits;
const { leastSimulations, doubtfulSimulations, leastRankEss } = verdictLimits;

export const diagnostics: readonly Topic[] = [
  {
    id: 'verdict',
    title: 'The verdict',
    meaning: [
      'A single judgement of a finished run, the same in lists, on its page, in notifications, shares and reports, on the command line and in the API. *Looks converged* means that every check below passed. *Needs a look* means that at least one is outside its limit. *Not converged* means that one is so far outside that the draws should not be used.',
      `*No verdict* means that there is not enough evidence: fewer than ${leastDraws} draws per chain, or a diagnostic that was not recorded. Passing checks never prove that the chains found the whole posterior; they only fail to show that something is wrong.`,
    ],
    advice: [
      'Work from the first failed check down: divergences first, because they mean bias, then R-hat, then effective sample size.',
      'Change the model before you change the sampler. Most failures come from a parameterisation that the sampler cannot explore or from priors that are too wide.',
    ],
    sources: [sources.workflow],
  },
  {
    id: 'algorithms',
    title: 'Algorithms and what can be said about them',
    meaning: [
      '*NUTS* samples the posterior, and everything below is about its draws. The other algorithms in the launch form are quicker and say less. *Optimize* gives one point, the mode: no uncertainty. *Laplace*, *Pathfinder* and *ADVI* draw from an approximation. *Fixed parameters* only draws generated quantities at the starting values. *Generated quantities only* computes them at each draw of a finished run: *New quantities* in the menu of its page opens the program, and what you change below its model block is computed without sampling again. R-hat and ESS are then those of these draws: a changed model block has no effect on them.',
      `An approximation has no R-hat: its chains do not explore. What can be checked is how its draws would have to be weighted to be those of the posterior. Pareto k is the shape of the tail of these importance ratios: up to ${paretoK.warn} the approximation is usable, above ${paretoK.warn} it needs a look, above ${paretoK.bad} its draws should not be used. It is computed on the unconstrained scale, and with many parameters a low k is rare.`,
      'The mode of a hierarchical model is often on the boundary, where a scale is zero, and far from most of the posterior mass.',
    ],
    advice: [
      'Use an approximation to find mistakes in a program quickly, to look at many models, or as starting values: write `pathfinder` under *Starting values*. Confirm what matters with NUTS.',
      'If Pareto k is high, use more Pathfinder paths, full-rank ADVI or NUTS.',
    ],
    sources: [sources.psis],
  },
  {
    id: 'calibration',
    title: 'Calibration by simulation',
    meaning: [
      'Does the program, with this sampler, recover what it assumes? *Calibration by simulation* in the launch form draws many data sets from the prior, samples the posterior of each, and finds where the true values lie among the draws. If all is right, every position is equally likely: their ranks are uniform. Priors, likelihood, Jacobians, generated data and sampler are all tested at once; whether the model suits your real data is not.',
      'The plot shows the ECDF of the ranks minus the diagonal. The shaded band contains the entire line with a probability of 95 %, over all quantities together. *Too narrow*: true values lie too often at both ends of the posterior (∪). *Too wide*: too often in its middle (∩). *Too high* and *too low*: the posterior lies above or below them. Contraction says how much narrower the posterior is than the prior: near 0 the data say nothing, and uniform ranks prove little.',
      `Draws are thinned by their ESS before ranks are taken. Fewer than ${leastSimulations} simulations give no verdict; simulations that fail, diverge or have an ESS below ${leastRankEss} are counted and named, and from ${doubtfulSimulations * 100} % upwards they are part of the verdict. \`lp__\` is compared too, since it notices faults that no parameter shows alone.`,
    ],
    advice: [
      'A program offers its simulations in one of two ways. Either its data have a flag such as `prior_only`, which leaves the likelihood out, and generated quantities replicate the data (`y_rep` for `y`). Or transformed data draw parameters and data by `_rng` functions, and generated quantities hold the true values (`mu_sim` for `mu`) or indicators (`lt_sim`), as in the Stan user’s guide. Other names are given under *Simulated data or values*. Where a program has neither, the page of the run offers the change.',
      'Begin with 100 simulations; a subtle fault needs several hundred. They wait until no other run is waiting, and can be paused.',
      'If the ranks of a quantity are not uniform, compare the prior in the model with what the data are drawn from, then the likelihood with its `_rng` function, argument by argument; then look for a transformation without its Jacobian.',
    ],
    sources: [sources.calibration, sources.ecdf],
  },
  {
    id: 'divergences',
    title: 'Divergent transitions',
    meaning: [
      'A trajectory diverged when the simulated path left the true one because the step size was too large for the curvature there. The sampler then cannot enter that region, so the draws are biased, often near the neck of a funnel.',
      `Even a single divergence needs a look. From ${divergentShare.bad * 100} % of the draws upwards, the run is called not converged.`,
    ],
    advice: [
      'Look at *Pairs* for the scale parameter and the effects that it governs: divergent draws (red) that gather at one end point to the cause.',
      'In a hierarchical model, write the effects non-centred: `vector<offset=mu, multiplier=tau>[J] theta;`.',
      'Raise `adapt_delta` to 0.95, then 0.99. If the divergences remain, the model has to change.',
      'Where it cannot, choose the sampler WALNUTS, which takes smaller steps in the neck of a funnel: it needs more gradients and more draws.',
      'Give scale parameters a prior that excludes values that cannot occur.',
    ],
    sources: [sources.conceptual, sources.hierarchical],
  },
  {
    id: 'lost-chains',
    title: 'Chains in a different region',
    meaning: [
      `Most chains agree, but the log density of one lies more than ${lostLimits.gap} standard deviations away from theirs, or its steps are over ${lostLimits.timesSmaller} times smaller. It is stuck, or it has found another mode. This is checked from the first draws onwards, while the run is in progress, for three chains or more: of two that disagree, nobody can say which is right.`,
    ],
    advice: [
      'Look at its trace. *Retry* starts a chain from another point in its place once the run has ended; the draws of the replaced chain are kept, but left out.',
      'A log density far below that of the others, where there is almost no probability, is a bad start: *Retry* is right. Set `inits` to `multi-pathfinder` to avoid it next time.',
      'If the new chain ends there too, or the log densities are close, the posterior may have several modes: find out why before you leave a chain out.',
    ],
    sources: [sources.rankNormalised],
  },
  {
    id: 'r-hat',
    title: 'R-hat',
    meaning: [
      `Compares the spread of the draws between chains with that within them. Values near 1 mean that the chains agree; above ${rhat.warn} they need a look, and above ${rhat.bad} they disagree. It is the larger of the split, rank-normalised R-hat and that of the folded draws, so it notices chains that differ in location or in scale, and heavy tails.`,
      'Where chains share a warmup (*Chains that warm up* in the launch form), those that begin at the same point agree at first in any case. R-hat is then the nested one: it compares the groups of chains that began at the same point. With two or three groups it detects little, so look at the effective sample size too.',
    ],
    advice: [
      'Look at the trace: a chain that stays apart has found another mode or is stuck; chains that wander slowly need more draws or another parameterisation.',
      'If one chain is stuck and the others agree, find out why before you leave it out: its region may be part of the posterior.',
      'Check that the parameters are identified: labels of mixture components can swap between chains.',
    ],
    sources: [sources.rankNormalised],
  },
  {
    id: 'ess',
    title: 'Effective sample size (ESS)',
    meaning: [
      `How many independent draws these draws are worth. *Bulk* is about the centre and so the mean and median, *tail* about the 5 % and 95 % quantiles and so intervals. Both should be at least ${essPerChain.warn} times the number of chains; below ${essPerChain.bad} times, R-hat and the errors themselves cannot be relied on.`,
      '*ESS/s* is bulk ESS per second of sampling: the figure to compare when you try another parameterisation.',
    ],
    advice: [
      'Take more draws: ESS grows in proportion once the chains have converged.',
      'If it stays low, parameters are strongly correlated. See *Pairs*; centre predictors, use a QR decomposition, or try the dense metric.',
    ],
    sources: [sources.rankNormalised],
  },
  {
    id: 'mcse',
    title: 'Monte Carlo standard error (MCSE)',
    meaning: [
      'How far an estimate may be off because the number of draws is finite. It says nothing about how uncertain the parameter is: that is its standard deviation. Numbers are shown with as many digits as the MCSE leaves meaningful.',
    ],
    advice: ['To halve it, take four times as many draws.'],
    sources: [sources.rankNormalised],
  },
  {
    id: 'treedepth',
    title: 'Maximum tree depth',
    meaning: [
      'A trajectory was cut short because it reached the largest number of steps allowed, 2 to the power of `max_treedepth`. The draws are valid, but each covers less ground than it should: this is about efficiency, not bias.',
    ],
    advice: [
      'Look for parameters on very different scales or strongly correlated ones, and rescale them.',
      'Raise `max_treedepth` by one or two; each step doubles the maximum cost of a draw.',
    ],
    sources: [sources.nuts],
  },
  {
    id: 'e-bfmi',
    title: 'E-BFMI',
    meaning: [
      `The estimated Bayesian fraction of missing information compares how far the energy moves in one step with how widely it varies. Below ${ebfmi.warn} the sampler walks slowly through the energy levels and may miss the tails; below ${ebfmi.bad} the draws should not be used.`,
    ],
    advice: [
      'Heavy tails and funnels cause it. Write the model non-centred, or use priors with lighter tails.',
      'A longer warmup helps when the metric was not yet adapted.',
    ],
    sources: [sources.energy],
  },
  {
    id: 'not-finite',
    title: 'Values that are not finite',
    meaning: [
      'A variable has draws that are infinite or not a number, so no statistic of it can be computed. It is usually a quantity computed from the parameters: a division by zero, the log of zero, or an overflow.',
    ],
    advice: [
      'Search for the expression in `transformed parameters` or `generated quantities`; use forms on the log scale such as `log1m`, `log_sum_exp`, `bernoulli_logit`.',
    ],
  },
  {
    id: 'pareto-k',
    title: 'Pareto k',
    meaning: [
      'In leave-one-out cross-validation, the shape of the tail of the importance weights of one observation. Up to 0.7 the estimate can be relied on; above it, this observation influences the posterior so much that the posterior without it cannot be reached by reweighting.',
    ],
    advice: [
      'Look at the observation: it may be an error in the data or something that the model does not describe.',
      'Fit again without these observations, or use K-fold cross-validation: `ergodic loo model.stan --data data.json --k-fold 10` for a program with a flag `holdout` for each observation.',
    ],
    sources: [sources.psis, sources.loo],
  },
  {
    id: 'left-out',
    title: 'Chains that are left out',
    meaning: [
      'Chains that failed, were stopped early or were left out by hand are named next to the verdict. R-hat and ESS need chains of the same length, so longer chains are cut to the shortest; the caption above the tables says how many draws are used. Files always hold every draw.',
    ],
    advice: [
      'Use *Chains* on the run to leave chains out or include them again. The choice is recorded, can be undone, and is part of a share.',
    ],
  },
];
