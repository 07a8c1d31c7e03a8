import type { GalleryModel } from '../gallery-model.ts';

const program = `// Local level model: level[t] ~ normal(level[t - 1], sigma_level), flow[t] ~ normal(level[t], sigma_flow).
// Given both sigmas everything is normal, so a Kalman filter integrates the levels out
// and only two parameters are sampled; the levels are drawn afterwards, backwards in time.
functions {
  // Filtered means and variances of the level, row by row; the third column is the log density of flow[t].
  matrix filter_level(vector flow, real sigma_level, real sigma_flow, real centre, real scale) {
    int T = num_elements(flow);
    matrix[T, 3] out;
    real m = centre;
    real v = square(2 * scale);
    for (t in 1:T) {
      real predicted = v + square(sigma_level);
      real gain = predicted / (predicted + square(sigma_flow));
      out[t, 3] = normal_lpdf(flow[t] | m, sqrt(predicted + square(sigma_flow)));
      m += gain * (flow[t] - m);
      v = predicted * (1 - gain);
      out[t, 1] = m;
      out[t, 2] = v;
    }
    return out;
  }
}
data {
  int<lower=2> T;
  vector[T] flow;
}
transformed data {
  real centre = mean(flow);
  real scale = sd(flow);
}
parameters {
  real<lower=0> sigma_level;
  real<lower=0> sigma_flow;
}
model {
  sigma_level ~ normal(0, 0.5 * scale);
  sigma_flow ~ normal(0, scale);
  target += sum(col(filter_level(flow, sigma_level, sigma_flow, centre, scale), 3));
}
generated quantities {
  vector[T] level;
  {
    matrix[T, 3] filtered = filter_level(flow, sigma_level, sigma_flow, centre, scale);
    level[T] = normal_rng(filtered[T, 1], sqrt(filtered[T, 2]));
    for (i in 1:(T - 1)) {
      int t = T - i;
      real gain = filtered[t, 2] / (filtered[t, 2] + square(sigma_level));
      real m = filtered[t, 1] + gain * (level[t + 1] - filtered[t, 1]);
      level[t] = normal_rng(m, sqrt(filtered[t, 2] * (1 - gain)));
    }
  }
}
`;

const data = `{
  "T": 100,
  "flow": [
    1120, 1160, 963, 1210, 1160, 1160, 813, 1230, 1370, 1140, 995, 935, 1110, 994, 1020, 960, 1180, 799, 958,
    1140, 1100, 1210, 1150, 1250, 1260, 1220, 1030, 1100, 774, 840, 874, 694, 940, 833, 701, 916, 692, 1020,
    1050, 969, 831, 726, 456, 824, 702, 1120, 1100, 832, 764, 821, 768, 845, 864, 862, 698, 845, 744, 796,
    1040, 759, 781, 865, 845, 944, 984, 897, 822, 1010, 771, 676, 649, 846, 812, 742, 801, 1040, 860, 874,
    848, 890, 744, 749, 838, 1050, 918, 986, 797, 923, 975, 815, 1020, 906, 901, 1170, 912, 746, 919, 718,
    714, 740
  ]
}
`;

/** Flow of the Nile. */
export const nile: GalleryModel = {
  slug: 'nile',
  name: 'Flow of the Nile',
  summary:
    'Time series: a level that wanders from year to year, observed with noise; the levels are integrated out by a Kalman filter.',
  origin:
    'Annual flow at Aswan, 1871 to 1970, in 10^8 cubic metres: Cobb 1978, The problem of the Nile, Biometrika 65; Durbin & Koopman 2001. Public domain.',
  entranceFile: 'nile.stan',
  files: { 'nile.stan': program },
  data: { name: 'Nile', json: data },
};
