/** A project as one Markdown file, downloaded by the browser. */
import type { Project } from '../../../contract/project.ts';
import { notebookMarkdown } from '../../../formats/notebook-markdown.ts';
import { saveFile } from '../../ui/save-file.ts';

export function saveNotebook(project: Project): void {
  saveFile(`${project.name}.md`, 'text/markdown', notebookMarkdown(project));
}
