/** What is new, by version: the changelog that comes with this version. */
import changelog from '../../../CHANGELOG.md?raw';
import { Markdown } from '../../ui/markdown.tsx';

/** Without its title and the line about itself. */
const versions = changelog.slice(changelog.indexOf('\n## '));

export function News() {
  return <Markdown text={versions} />;
}
