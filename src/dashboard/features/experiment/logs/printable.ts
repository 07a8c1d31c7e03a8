/** Treats a log as text, whatever a program prints: no byte acts on the page or hides other text. */
/* oxlint-disable no-control-regex -- they are what is looked for */

/** ANSI sequences: CSI (colours, cursor), OSC (titles, links) up to their end, and other two-character sequences. */
const ansi =
  /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)|[ -/]*[0-Z\\^-~])/g;
/** Control characters other than tab and line end; marks that change the direction of text. */
const unseen = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** Control characters as visible marks, ANSI sequences dropped, `\r\n` as one line end. */
export function printable(text: string): string {
  return text.replaceAll('\r\n', '\n').replaceAll(ansi, '').replaceAll(unseen, mark);
}

/** Drops every ANSI sequence that is not about colours: no cursor moves, no titles, no links. */
export function onlyColours(text: string): string {
  return text.replaceAll(ansi, (sequence) => (/^\u001b\[[\d;:]*m$/.test(sequence) ? sequence : ''));
}

/** The picture of a control character, if Unicode has one. */
function mark(character: string): string {
  const code = character.charCodeAt(0);
  if (code < 32) return String.fromCharCode(0x2400 + code);
  return code === 127 ? '\u2421' : '\ufffd';
}
