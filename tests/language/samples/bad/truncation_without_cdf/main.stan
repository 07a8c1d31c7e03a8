functions {
  real mine_lpdf(real y, real mu) {
    return normal_lpdf(y | mu, 1);
  }

  real several_lpdf(vector y, real mu) {
    return normal_lpdf(y | mu, 1);
  }
}
data {
  real y;
  vector[3] v;
}
model {
  y ~ mine(0) T[0, ];
  v ~ several(0) T[0, ];
  y ~ normal(0, 1) T[v, ];
}
