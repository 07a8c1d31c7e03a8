/**
 * The text a guest starts with: makes `ergodic` and `console` of two functions of the host, and turns answers into JSON.
 *
 * Evaluates to (read, log) => run. `read(json)` gives [json, ArrayBuffer] or throws; `log(text)` keeps a line; `run`
 * calls the program's function and gives a promise of JSON text. What it needs of the language is taken before the
 * program runs, so a program that changes prototypes spoils nothing but its own answer.
 */
export { default as preludeText } from './prelude.guest.js?raw';
