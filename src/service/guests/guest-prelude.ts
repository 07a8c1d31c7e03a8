/**
 * The script a guest starts with: makes `ergodic` and `console` from two host functions, and turns answers into JSON.
 *
 * Evaluates to (read, log) => run. `read(json)` returns [json, ArrayBuffer] or throws; `log(text)` stores a line; `run`
 * calls the program's function and returns a promise of JSON text. It captures the built-ins it needs before the
 * program runs, so a program that changes prototypes affects only its own answer.
 */
export { default as preludeText } from './prelude.guest.js?raw';
