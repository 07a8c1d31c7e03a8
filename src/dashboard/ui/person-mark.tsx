/** Initials of a person in a ring, the full name on hover. */
import classes from './person-mark.module.css';

/** "AK" for "ak(@1)", "BL" for "bo lin(@2)". */
export function initialsOf(name: string): string {
  const words = name
    .replace(/\(@\d+\)$/, '')
    .split(/[\s._-]+/)
    .filter((word) => word !== '');
  const [first = '', second] = words;
  const letters = second === undefined ? first.slice(0, 2) : first.charAt(0) + second.charAt(0);
  return letters.toUpperCase();
}

export function PersonMark({ name }: { name: string }) {
  return (
    <abbr className={classes.mark} title={name}>
      {initialsOf(name)}
    </abbr>
  );
}
