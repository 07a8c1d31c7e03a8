/** Functions that take a user function: solvers of differential equations. */

export const solvers = `
ode_rk45 ode_bdf(f:ode, vector, real, real[], …) -> vector[]
ode_rk45_tol ode_bdf_tol(f:ode, vector, real, real[], data real, data real, data int, …) -> vector[]
integrate_ode_rk45 integrate_ode_bdf integrate_ode(f:old_ode, real[], real, real[], real[], data real[], data int[]) -> real[,]
integrate_ode_rk45 integrate_ode_bdf(f:old_ode, real[], real, real[], real[], data real[], data int[], data real, data real, data real) -> real[,]
`;

/** How many leading arguments of a solver are its own; the rest are handed to the user function behind t and y. */
export const odeOwnArguments: Readonly<Record<string, number>> = {
  ode_rk45: 4,
  ode_bdf: 4,
  ode_rk45_tol: 7,
  ode_bdf_tol: 7,
};
