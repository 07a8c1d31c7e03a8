/** Functions that take a user function: equation solvers, integrals, and functions that split work. */

export const higherOrder = `
reduce_sum reduce_sum_static(f:partial_sum, T[], int, …) -> real
map_rect(f:rect, vector, vector[], data real[,], data int[,]) -> vector
ode_rk45 ode_ckrk ode_adams ode_bdf(f:ode, vector, real, real[], …) -> vector[]
ode_rk45_tol ode_ckrk_tol ode_adams_tol ode_bdf_tol(f:ode, vector, real, real[], data real, data real, data int, …) -> vector[]
ode_adjoint_tol_ctl(f:ode, vector, real, real[], data real, data vector, data real, data vector, data real, data real, data int, data int, data int, data int, data int, …) -> vector[]
integrate_ode_rk45 integrate_ode_adams integrate_ode_bdf integrate_ode(f:old_ode, real[], real, real[], real[], data real[], data int[]) -> real[,]
integrate_ode_rk45 integrate_ode_adams integrate_ode_bdf integrate_ode(f:old_ode, real[], real, real[], real[], data real[], data int[], data real, data real, data real) -> real[,]
dae(f:dae, vector, vector, data real, data real[], …) -> vector[]
dae_tol(f:dae, vector, vector, data real, data real[], data real, data real, data int, …) -> vector[]
solve_newton solve_powell(f:algebraic, vector, …) -> vector
solve_newton_tol solve_powell_tol(f:algebraic, vector, data real, data real, data int, …) -> vector
algebra_solver algebra_solver_newton(f:old_algebraic, vector, vector, data real[], data int[]) -> vector
algebra_solver algebra_solver_newton(f:old_algebraic, vector, vector, data real[], data int[], data real, data real, data real) -> vector
integrate_1d(f:old_integrand, real, real, real[], data real[], data int[]) -> real
integrate_1d(f:old_integrand, real, real, real[], data real[], data int[], data real) -> real
integrate_1d_double_exponential integrate_1d_gauss_kronrod(f:integrand, real, real, …) -> real
integrate_1d_double_exponential_tol integrate_1d_gauss_kronrod_tol(f:integrand, real, real, data real, data real, data int, …) -> real
`;

/** How a function calls the user function that it is given. */
export interface Calling {
  /** Arguments after the user function that are its own; later ones are passed on. */
  readonly own: number;
  /** Arguments of the user function before those passed on. */
  readonly leading: number;
  /** Which of the leading ones carry derivatives. */
  readonly active: readonly number[];
}

const ode = { leading: 2, active: [1] } as const;
const dae = { leading: 3, active: [1, 2] } as const;
const algebraic = { leading: 1, active: [0] } as const;
const integrand = { leading: 2, active: [] } as const;

/** By name; `reduce_sum` is not a library function but a call of the partial sum. */
export const callings: Readonly<Record<string, Calling>> = {
  reduce_sum: { own: 2, leading: 3, active: [] },
  reduce_sum_static: { own: 2, leading: 3, active: [] },
  map_rect: { own: 0, leading: 0, active: [] },
  ode_rk45: { own: 3, ...ode },
  ode_ckrk: { own: 3, ...ode },
  ode_adams: { own: 3, ...ode },
  ode_bdf: { own: 3, ...ode },
  ode_rk45_tol: { own: 6, ...ode },
  ode_ckrk_tol: { own: 6, ...ode },
  ode_adams_tol: { own: 6, ...ode },
  ode_bdf_tol: { own: 6, ...ode },
  ode_adjoint_tol_ctl: { own: 14, ...ode },
  integrate_ode: { own: 3, ...ode },
  integrate_ode_rk45: { own: 3, ...ode },
  integrate_ode_adams: { own: 3, ...ode },
  integrate_ode_bdf: { own: 3, ...ode },
  dae: { own: 4, ...dae },
  dae_tol: { own: 7, ...dae },
  solve_newton: { own: 1, ...algebraic },
  solve_powell: { own: 1, ...algebraic },
  solve_newton_tol: { own: 4, ...algebraic },
  solve_powell_tol: { own: 4, ...algebraic },
  algebra_solver: { own: 1, ...algebraic },
  algebra_solver_newton: { own: 1, ...algebraic },
  integrate_1d: { own: 2, ...integrand },
  integrate_1d_double_exponential: { own: 2, ...integrand },
  integrate_1d_gauss_kronrod: { own: 2, ...integrand },
  integrate_1d_double_exponential_tol: { own: 5, ...integrand },
  integrate_1d_gauss_kronrod_tol: { own: 5, ...integrand },
};
