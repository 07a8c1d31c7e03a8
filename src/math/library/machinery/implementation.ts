/**
 * How functions of the Stan language are implemented and found.
 *
 * An implementation is a plain function under a key. Emitted programs contain only keys; the engine links them.
 *
 * - **Exact**: key `name__kinds`, e.g. `exp__r(x)`, `exp__v(tape, x)`, `multiply__MV(tape, a, b)`. Any active kind
 *   (`v V W`, or an array of them) among the arguments makes the tape the first argument and the result active.
 * - **Operand-wise** (densities, whose arguments may each be scalar or container, data or active): key `name`, called
 *   as `(tape, propto, kinds, ...args)`: `normal_lpdf(tape, true, 'RVv', y, mu, sigma)`. With an active kind the
 *   result is a slot, otherwise the number itself and the tape is unused. `propto` drops the terms that no active operand
 *   enters.
 * - **Mixed** (constraining transforms, some special functions): key `name`, called as `(tape | null, jacobian | null, kinds,
 *   ...args)` with the kinds as a list, since they may be nested. With an active kind the result is active and there is a tape;
 *   `jacobian` takes the log Jacobian of a transform, or is null.
 * - **Random**: key `name_rng`, called as `(rng, kinds, ...args)`, data only.
 * - **Functions of functions** (solvers, integrals, `map_rect`): key `name`, called as `(tape, kinds, system, ...args)`, where
 *   `args` are those after the user's function and `system` is `{ data, active, handed }`: `data(leading…, handed…)` on
 *   numbers, and `active(tape, leading…, handed…)` with the leading arguments active that `callings` of the signature table
 *   lists, and the handed ones of kinds `handed`; solvers call it with their own tape, `map_rect` with that of the program.
 *   With an active kind in `kinds` the result is active, otherwise `tape` is null.
 * - **Laplace approximations**: like functions of functions, with two in `system`, see families/laplace.ts; random ones get
 *   the generator instead of the tape. `$taylor_name(tape, kinds, ...args)` records a function on a Taylor tape.
 * - **Support** of emitted programs: keys that begin with `$` belong to no function of the language; each is called as
 *   its definition says.
 *
 * Vectors, row vectors and arrays of reals are one kind, so names of functions that must distinguish them are chosen when
 * the program is lowered (`append_row` of two row vectors is `$stack_rows`). Functions with an int result receive data
 * for active arguments.
 *
 * When an exact key is missing the emitter promotes: `i` to `r`, `I` to `R`, then data to active (`r` to `v` by
 * `tape.constant`, `R` to `V`, `M` to `W`); the fewest promotions win. So every function needs an all-data and an
 * all-active form, and has mixed forms where they pay off.
 */

// Functions of very different shapes share one table; the signature table, checked by a test, gives their types.
// see above
// oxlint-disable-next-line typescript/no-explicit-any
export type LibraryFunction = (...args: any[]) => unknown;

/** Key → implementation, one part per family; `library.ts` joins the parts. */
export type LibraryPart = Readonly<Record<string, LibraryFunction>>;
