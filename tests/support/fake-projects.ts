/** Projects on the fake server: members by id, entries with versions. */
import type { UpdatePayload } from '../../src/contract/objects.ts';
import type { Project, ProjectMember } from '../../src/contract/project.ts';
import { minutesAgo } from './fake-objects.ts';

export function createFakeProject(overrides: Partial<Project> = {}): Project {
  return {
    object_type: 'project',
    id: 1,
    short_id: 'P0000001',
    name: 'A question',
    note: '',
    tags: [],
    version: 1,
    created_at: minutesAgo(90),
    updated_at: minutesAgo(12),
    owner: 'ada(@1)',
    counts: { model: 0, data: 0, experiment: 0 },
    members: [],
    entries: [],
    ...overrides,
  };
}

/** Of a model, data or a run, as it is. */
export const memberOf = (object: ProjectMember['object']): ProjectMember => ({
  added_at: minutesAgo(10),
  object,
});

type Change = Extract<UpdatePayload, { object_type: 'project' | 'project.entry' }>;

/** Null: it was edited from a version other than the newest. */
export function changeProject(
  project: Project,
  payload: Change,
  find: (id: string) => ProjectMember['object'],
): Project | null {
  return payload.object_type === 'project'
    ? changeFields(project, payload, find)
    : changeEntry(project, payload);
}

function changeFields(
  project: Project,
  payload: Extract<Change, { object_type: 'project' }>,
  find: (id: string) => ProjectMember['object'],
): Project | null {
  const { add, remove, note, base_version: base } = payload;
  if (typeof base === 'number' && base !== project.version) return null;
  const members = (project.members ?? []).filter(
    ({ object }) => !remove?.includes(object.short_id),
  );
  const added = (add ?? []).filter((id) => members.every(({ object }) => object.short_id !== id));
  const isNoted = typeof note === 'string';
  return {
    ...project,
    name: payload.name ?? project.name,
    tags: payload.tags ?? project.tags,
    note: note ?? project.note,
    version: isNoted ? project.version + 1 : project.version,
    members: [...members, ...added.map((id) => memberOf(find(id)))],
  };
}

/** Deleted entries, which are restored unchanged. */
const gone = new Map<number, NonNullable<Project['entries']>[number]>();

function changeEntry(
  project: Project,
  {
    entry_id: id,
    text,
    deleted,
    base_version: base,
  }: Extract<Change, { object_type: 'project.entry' }>,
): Project | null {
  const { entries = [] } = project;
  const at = minutesAgo(0);
  if (typeof id !== 'number') {
    const next = Math.max(0, ...entries.map((entry) => entry.id)) + 1;
    const made = { id: next, text: text ?? '', version: 1, created_at: at, updated_at: at };
    return { ...project, entries: [...entries, made] };
  }
  const before = entries.find((entry) => entry.id === id);
  if (deleted === false) {
    const back = gone.get(id);
    return { ...project, entries: back === undefined ? entries : [...entries, back] };
  }
  if (before === undefined || (typeof base === 'number' && base !== before.version)) return null;
  if (deleted === true) {
    gone.set(id, before);
    return { ...project, entries: entries.filter((entry) => entry.id !== id) };
  }
  const after = { ...before, text: text ?? before.text, version: before.version + 1 };
  return { ...project, entries: entries.map((entry) => (entry.id === id ? after : entry)) };
}
