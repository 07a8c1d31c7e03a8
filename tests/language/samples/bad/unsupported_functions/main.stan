data {
  array[3] real y;
  matrix[3, 3] m;
}
model {
  target += gaussian_dlm_obs_lpdf(m | m, m, m, m, y, m);
  m ~ lkj_cov(1, 1, 1);
}
