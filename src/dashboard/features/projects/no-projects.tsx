/** Shown at the addresses of projects when the server has none. */
import { Note } from '../../ui/note.tsx';
import { PageHead } from '../../ui/page-head.tsx';

export function NoProjects() {
  return (
    <>
      <PageHead title="Projects" />
      <Note gap="around">This server does not offer projects.</Note>
    </>
  );
}
