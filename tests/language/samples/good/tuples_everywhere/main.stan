functions {
  tuple(real, vector) shift(tuple(real, vector) p, real by) {
    vector[size(p.2)] moved = p.2 + by;
    return (p.1 + by, moved);
  }
  real total(tuple(real, real) x) {
    return x.1 + x.2;
  }
  real total(tuple(real, tuple(real, array[] int)) x) {
    return x.1 + x.2.1 + sum(x.2.2);
  }
  array[] tuple(int, real) pairs(int n) {
    array[n] tuple(int, real) result;
    for (i in 1:n) {
      result[i] = (i, i / 2.0);
    }
    return result;
  }
  real pair_lpdf(tuple(real, vector) y, tuple(real, real) at) {
    return normal_lpdf(y.1 | at.1, 1) + normal_lpdf(y.2 | at.2, 1);
  }
  int count_lp(data tuple(int, array[] int) counts) {
    target += sum(counts.2);
    return counts.1;
  }
  vector decay(real t, vector y, tuple(real, array[] real) rates) {
    return -rates.1 * y * rates.2[1];
  }
  real partial(array[] real slice, int start, int end, tuple(real, real) at) {
    return normal_lpdf(slice | at.1, at.2);
  }
}
data {
  int<lower=1> N;
  tuple(int<lower=0>, array[N] real) d;
  array[2] tuple(real<lower=0>, simplex[3]) pieces;
}
transformed data {
  tuple(int,) single = (N,);
  array[3] tuple(int, real) list = pairs(3);
  int k;
  real x;
  array[2] int m;
  (k, (x, m)) = (2, (0.5, {3, 4}));
  int j = 5;
  (j, k) = (k, j);
  tuple(real, real) promoted = (1, 2);
  promoted = N > 3 ? (1, 2.5) : promoted;
  real heaviest = 0;
  for (piece in pieces) {
    heaviest = fmax(heaviest, piece.1 * max(piece.2));
  }
  list[2].1 += 5;
  list[3] = (list[1].1, list[2].2);
  print("list: ", list, ", single: ", single, ", total: ", total((1, (2.5, m))));
  tuple(matrix[2, 2], matrix[2, 2]) QR = qr([[1, 2], [3, 4]]);
}
parameters {
  tuple(real<lower=0>, simplex[3], vector[2]) p;
  array[2] tuple(real, ordered[2]) q;
  real<lower=p.1> above;
}
transformed parameters {
  tuple(real, vector[2]) moved = shift((p.1, p.3), above);
  real first = shift(moved, 1).1;
  array[2] vector[2] path = ode_rk45(decay, p.3, 0, {0.5, 1}, (p.1, {0.1}));
}
model {
  p.1 ~ exponential(1);
  (p.1, p.3) ~ pair((1, 2));
  for (element in q) {
    element.1 ~ normal(d.2[1], 1);
    element.2 ~ normal(0, heaviest);
  }
  d.2 ~ normal(moved.1, p.1);
  int n = count_lp((1, m));
  target += reduce_sum(partial, d.2, 1, (above, p.1)) + n * total((p.1, above));
  if (n > 0 && shift(moved, 2).1 > -100) {
    target += (q[1].2[1], 2).1;
  }
}
generated quantities {
  array[2] tuple(int, real) drawn;
  for (i in 1:2) {
    drawn[i] = (poisson_rng(3), normal_rng(q[i].1, 1));
  }
  tuple(matrix[2, 2], vector[2], matrix[2, 2]) usv = svd([[1, 2], [3, 5]]);
}
