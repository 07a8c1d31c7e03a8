/** A project as one Markdown file: its note, its members, and its notebook. */
import {
  changeText,
  type NotebookEntry,
  type NotebookItem,
  type NotebookRun,
  notebookItems,
  runHeadline,
} from './notebook.ts';

interface Named {
  readonly object_type: 'model' | 'data';
  readonly name: string;
  readonly short_id: string;
}

/** As in the view of a project. */
export interface NotebookProject {
  readonly name: string;
  readonly note: string;
  readonly entries?: readonly NotebookEntry[];
  readonly members?: readonly {
    readonly object: Named | (NotebookRun & { readonly object_type: 'experiment' });
  }[];
}

/** Times are in UTC, so that the file is the same wherever it is written. */
export function notebookMarkdown(project: NotebookProject): string {
  const { entries = [], members = [] } = project;
  const objects = members.map(({ object }) => object);
  const runs = objects.filter((object) => object.object_type === 'experiment');
  const items = notebookItems(runs, entries);
  const blocks = [
    `# ${oneLine(project.name)}`,
    project.note.trim(),
    ...membersOf('Models', objects, 'model'),
    ...membersOf('Data', objects, 'data'),
    ...(items.length === 0 ? [] : ['## Notebook', ...items.flatMap(blocksOf)]),
  ];
  return `${blocks.filter((block) => block !== '').join('\n\n')}\n`;
}

function membersOf(
  title: string,
  members: readonly (Named | { readonly object_type: 'experiment' })[],
  kind: Named['object_type'],
): string[] {
  const lines = members
    .filter((member): member is Named => member.object_type === kind)
    .map(({ name, short_id: id }) => {
      const label = oneLine(name || id);
      return id === '' || name === '' ? `- ${label}` : `- ${label} (\`${id}\`)`;
    });
  return lines.length === 0 ? [] : [`## ${title}`, lines.join('\n')];
}

function blocksOf(item: NotebookItem): string[] {
  const time = item.at.slice(0, 16).replace('T', ' ');
  if (item.kind === 'entry') return [`### ${time} UTC`, item.entry.text.trim()];
  const { run, previous, changes } = item;
  const { name, short_id: id, model_name: model, n_chains: chains, n_samples: draws, meta } = run;
  const facts = [
    model && `model ${oneLine(model)}${meta?.model_version ? ` v${meta.model_version}` : ''}`,
    meta?.data_name &&
      `data ${oneLine(meta.data_name)}${meta.data_version ? ` v${meta.data_version}` : ''}`,
    chains > 0 && `${chains} ${chains === 1 ? 'chain' : 'chains'} of ${draws} draws`,
  ].filter(Boolean);
  const changed =
    changes.length > 0
      ? `Changed: ${changes.map((change) => oneLine(changeText(change))).join('; ')}.`
      : previous === null
        ? ''
        : 'The same program, data and settings as the previous run.';
  return [
    `### ${time} UTC · ${oneLine(name || id)} (\`${id}\`)`,
    `**${oneLine(runHeadline(run))}**${facts.length > 0 ? ` (${facts.join(', ')})` : ''}`,
    changed,
    meta?.note?.trim() ?? '',
  ];
}

/** A name or a message as plain text within a line: characters that Markdown would interpret are escaped. */
function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').replace(/[\\*_[\]<>#`|]/g, '\\$&');
}
