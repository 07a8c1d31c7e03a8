/** Where an object that a relation joins is shown. */
export function pathOfId(id: string): string {
  const pages: Readonly<Record<string, string>> = {
    M: `/functions/${id}`,
    E: `/events?id=${id}`,
    C: `/callbacks?id=${id}`,
    R: `/relations?id=${id}`,
  };
  return pages[id.charAt(0)] ?? '/';
}
