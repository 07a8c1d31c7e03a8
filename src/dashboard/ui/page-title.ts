/** The title of the tab: the page's own title, preceded by a count of what arrived while it was hidden. */
let title = 'Ergodic';
let mark = '';

const write = () => {
  document.title = [mark, title].filter((part) => part !== '').join(' ');
};

export function setTitleText(next: string): void {
  title = next;
  write();
}

/** "(2)"; empty removes it. */
export function setTitleMark(next: string): void {
  mark = next;
  write();
}
