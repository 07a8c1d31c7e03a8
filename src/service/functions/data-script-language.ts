/** Detects the language of a data script from its text, and provides the script that a new workflow starts with. */

/** JavaScript exports a function; anything else is the documented python. */
export function dataScriptLanguage(script: string): 'javascript' | 'python' {
  const isModule =
    // Blanks of one line only: with line breaks, empty lines would take quadratic time.
    /^[ \t]*export[ \t]+(default\b|(async[ \t]+)?function\b|const\b|let\b|\{)/m.test(script) ||
    /^[ \t]*import(?:[ \t]*|[ \t][^'"\n]*[ \t]from[ \t]*)['"]/m.test(script);
  return isModule ? 'javascript' : 'python';
}

/** Does not change the data, and explains what a script could do. */
export const defaultDataScript = `// Prepares the data of a run, before its chains begin. Runs on the server, confined: no files, no network.
//
// workflow: { id, name, settings, model: { id, name }, data: { id, name, fmt } }
// data:     an object of the data's values (of a CSV file: its columns, and N, the number of rows),
//           or the text itself where it is neither JSON nor a table.
//
// Returns the object that the program's data block reads. console.log(…) writes to the run's log.
export default function (workflow, data) {
  // For example, standardised predictors:
  //   const mean = (x) => x.reduce((sum, value) => sum + value, 0) / x.length;
  //   const m = mean(data.x);
  //   const sd = Math.sqrt(mean(data.x.map((value) => (value - m) ** 2)));
  //   return { ...data, x: data.x.map((value) => (value - m) / sd) };
  return data;
}
`;
