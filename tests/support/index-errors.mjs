/** Which compiler errors the step *indexes* counts: those in rooms where an index may be out of range. */

/** The other rooms are numerical code, whose loops over typed arrays stay within lengths made beforehand. */
const checkedRooms = ['src/service/', 'src/dashboard/'];

/**
 * @param {string} output of `tsc --pretty false`
 * @returns {string[]} the errors in these rooms, each with its continuation lines
 */
export function indexErrors(output) {
  return readErrors(output)
    .filter(({ file }) => checkedRooms.some((room) => file.startsWith(room)))
    .map(({ text }) => text);
}

/** True if the compiler failed at something other than a file, such as one of its options. */
export function isBroken(output, code) {
  return code !== 0 && readErrors(output).length === 0;
}

function readErrors(output) {
  const errors = [];
  for (const line of output.split('\n')) {
    const [, file] = /^(\S[^(]*)\(\d+,\d+\): error TS\d+: /.exec(line) ?? [];
    if (file !== undefined) errors.push({ file, text: line });
    else if (/^\s+\S/.test(line) && errors.length > 0) errors.at(-1).text += `\n${line}`;
  }
  return errors;
}
