/** A project as one Markdown file, handed to the browser. */
import type { Project } from '../../../contract/project.ts';
import { notebookMarkdown } from '../../../formats/notebook-markdown.ts';
import { saveFile } from '../../ui/save-file.ts';

export function saveNotebook(project: Project): void {
  const objects = (project.members ?? []).map(({ object }) => object);
  const text = notebookMarkdown({
    name: project.name,
    short_id: project.short_id,
    note: project.note,
    entries: project.entries ?? [],
    runs: objects.filter((object) => object.object_type === 'experiment'),
    models: objects.filter((object) => object.object_type === 'model'),
    data: objects.filter((object) => object.object_type === 'data'),
  });
  saveFile(`${project.name || project.short_id}.md`, 'text/markdown', text);
}
