/** Text with names in backticks, the names set as code. */
export function CodeText({ children }: { children: string }) {
  return children.split('`').map((part, index) =>
    // parts of a text are identified by position only
    index % 2 === 1 ? <code key={index}>{part}</code> : part,
  );
}
