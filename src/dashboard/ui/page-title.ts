/** The title of the tab: the page's own title, and before them a mark for what came while nobody looked. */
let title = 'Ergodic';
let mark = '';

const write = () => {
  document.title = [mark, title].filter((part) => part !== '').join(' ');
};

export function setTitleText(next: string): void {
  title = next;
  write();
}

/** "(2)"; empty takes it away. */
export function setTitleMark(next: string): void {
  mark = next;
  write();
}
