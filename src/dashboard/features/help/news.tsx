/** What is new, by version: the changelog included in this version. */
import changelog from '../../../CHANGELOG.md?raw';
import { Markdown } from '../../ui/markdown.tsx';

/** Without its title and introductory line. */
const versions = changelog.slice(changelog.indexOf('\n## '));

export function News() {
  return <Markdown text={versions} />;
}
