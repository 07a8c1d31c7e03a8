/** The two texts of a statement, forward and reverse, and the space that they need for what they keep. */
import type { RegionScope } from './region-scope.ts';
import type { Lines, Step } from './step.ts';

/** The two texts of a statement or of several. */
export interface Piece {
  readonly forward: Lines;
  readonly reverse: Lines;
  /** The most numbers the forward text keeps, when it does not make room for them itself. */
  readonly keeps: number;
  /** Makes room itself: it contains loops or containers. */
  readonly makesRoom: boolean;
}

/** The texts of one statement whose kept numbers are counted by `step`. */
export function stepPiece(step: Step, forward: Lines, reverse: Lines): Piece {
  const { count, allAreas } = step;
  if (count > 0) forward.push(`sp += ${count};`);
  const back: Lines = count > 0 ? [`sp -= ${count};`] : [];
  if (allAreas.length === 0) {
    return { forward, reverse: [...back, ...reverse], keeps: count, makesRoom: false };
  }
  const room = [...allAreas.map((area) => area.count), String(count)].join(' + ');
  const open = allAreas.flatMap(({ name, count: n }) => [`const ${name} = sp;`, `sp += ${n};`]);
  // Kept nodes come after the areas: `sp` stays between the two while the statement is reversed.
  let behind = 'sp';
  const names: Lines = [...allAreas].reverse().map((area) => {
    const line = `const ${area.name} = ${behind} - ${area.count};`;
    behind = area.name;
    return line;
  });
  return {
    forward: [roomText(room), ...open, ...forward],
    reverse: [...back, ...names, ...reverse, `sp = ${behind};`],
    keeps: 0,
    makesRoom: true,
  };
}

/** A loop costs less than the built-in function for few elements. */
export function fillText(array: string, value: string, from: string, count: string): string {
  return `for (let i = ${from}, end = ${from} + ${count}; i < end; i++) ${array}[i] = ${value};`;
}

/** Takes `count` more of the kept numbers, from `name` on. */
export function takeText(name: string, count: string): Lines {
  return [`const ${name} = sp;`, `sp += ${count};`, 'if (sp > K.length) K = tape.keepRoom(sp);'];
}

/** Makes room for `count` more kept numbers. */
export function roomText(count: string): string {
  return `if (sp + ${count} > K.length) K = tape.keepRoom(sp + ${count});`;
}

/**
 * Steps of an inner loop, against the limit of a program that never ends. They are counted in a local variable and reported
 * by the thousand: a call for each inner loop took a tenth of the time of hmm_drive_0.
 */
export function spendText(steps: string): string {
  return `if ((spent += ${steps}) > 1000) { host.spend(spent); spent = 0; }`;
}

/** Sets the place in the program that an error names, for the compiler and in the text. */
export function locationText(scope: RegionScope, location: number): string {
  scope.frame.unit.location = location;
  return `at = ${location};`;
}
