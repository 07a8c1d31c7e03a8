/** The title of the tab: the page's own words, and before them a mark for what came while nobody looked. */
let words = 'Ergodic';
let mark = '';

const write = () => {
  document.title = [mark, words].filter((part) => part !== '').join(' ');
};

export function setTitleText(next: string): void {
  words = next;
  write();
}

/** "(2)"; empty takes it away. */
export function setTitleMark(next: string): void {
  mark = next;
  write();
}
