import type { GalleryModel } from '../gallery-model.ts';

const program = `// How many tasters gave each additive each of K scores. The first additive is the reference.
data {
  int<lower=2> K;
  int<lower=1> A;
  array[A, K] int<lower=0> count;
}
parameters {
  vector[A - 1] effect;
  ordered[K - 1] cut;
}
transformed parameters {
  vector[A] liking = append_row(0, effect);
}
model {
  effect ~ normal(0, 3);
  cut ~ normal(0, 5);
  for (a in 1:A) {
    for (k in 1:K) {
      target += count[a, k] * ordered_logistic_lpmf(k | liking[a], cut);
    }
  }
}
`;

const data = `{
  "K": 9,
  "A": 4,
  "count": [
    [0, 0, 1, 7, 8, 8, 19, 8, 1],
    [6, 9, 12, 11, 7, 6, 1, 0, 0],
    [1, 1, 6, 8, 23, 7, 5, 1, 0],
    [0, 0, 0, 1, 3, 7, 14, 16, 11]
  ]
}
`;

/** Cheese tasting. */
export const cheese: GalleryModel = {
  slug: 'cheese',
  name: 'Cheese tasting',
  summary:
    'Ordered logistic regression: nine degrees of liking for four additives.',
  origin:
    'McCullagh & Nelder 1989, Generalized Linear Models, 2nd edition, page 175. Published facts.',
  entranceFile: 'cheese.stan',
  files: { 'cheese.stan': program },
  data: { name: 'Cheese', json: data },
};
