/** A list's filters besides its search: their keys in the address and the request, and a phrase for each. */
import type { ObjectKind } from '../../../contract/common.ts';
import type { ListEntry, ListQuery } from '../../../contract/objects.ts';
import { momentsOf } from './date-choice.ts';

/** Names in the address. */
export type FieldKey =
  | 'status'
  | 'model'
  | 'workflow'
  | 'run_on'
  | 'has_model'
  | 'tag'
  | 'created'
  | 'finished'
  | 'owner';

export type FieldValues = Readonly<Partial<Record<FieldKey, string>>>;

export interface Choice {
  readonly value: string;
  readonly label: string;
}

export interface ListField {
  readonly key: FieldKey;
  readonly label: string;
  /** The query for a value. */
  readonly toQuery: (value: string) => Partial<Omit<ListQuery, 'object_type'>>;
  /** Follows the noun: "of the model Eight schools". */
  readonly phrase: (label: string) => string;
  /** Fixed choices, objects of a kind by their name, any text, or a span of days. */
  readonly choices: readonly Choice[] | 'model' | 'workflow' | 'text' | 'days';
  /** Below the box while the user types. */
  readonly help?: string;
  /** Name of a value, if the rows contain it. */
  readonly nameOf?: (row: ListEntry, value: string) => string | undefined;
  /** Values in a row, suggested while the user types. */
  readonly valuesOf?: (row: ListEntry) => readonly string[];
  /** Supported only by servers with the capability `search`. */
  readonly isOurs?: boolean;
  /** Only for users who see what others own. */
  readonly forSuper?: boolean;
  /** The page itself already shows that it is set. */
  readonly isShownByPage?: boolean;
}

const owner: ListField = {
  key: 'owner',
  label: 'Owner',
  toQuery: (value) => ({ owner: value }),
  phrase: (label) => `of ${label}`,
  choices: 'text',
  help: 'A user name, as that person’s Account page shows it.',
  isOurs: true,
  forSuper: true,
};

/** The owners available to users who see only their own objects: their teams. */
export function ofTeams(field: ListField, teams: readonly string[]): ListField {
  if (teams.length === 0) return field;
  const choices = teams.map((value) => ({ value, label: value.replace(/\(@\d+\)$/, '') }));
  return { ...field, label: 'Team', choices, forSuper: false };
}

const tag: ListField = {
  key: 'tag',
  label: 'Tag',
  toQuery: (value) => ({ tags: [value] }),
  phrase: (label) => `tagged ${label}`,
  choices: 'text',
  valuesOf: (row) => (row.object_type === 'model' || row.object_type === 'project' ? row.tags : []),
};

const created: ListField = {
  key: 'created',
  label: 'Created',
  toQuery: (value) => {
    const { from, to } = momentsOf(value);
    return { created_from: from, created_to: to };
  },
  phrase: (label) => `created ${label}`,
  choices: 'days',
  isOurs: true,
};

const finished: ListField = {
  ...created,
  key: 'finished',
  label: 'Finished',
  toQuery: (value) => {
    const { from, to } = momentsOf(value);
    return { finished_from: from, finished_to: to };
  },
  phrase: (label) => `finished ${label}`,
};

const ofExperiments: readonly ListField[] = [
  {
    key: 'model',
    label: 'Model',
    toQuery: (value) => ({ model_ids: [value] }),
    phrase: (label) => `of the model ${label}`,
    choices: 'model',
    nameOf: (row, value) =>
      row.object_type === 'experiment' && row.model_id === value ? row.model_name : undefined,
  },
  {
    key: 'workflow',
    label: 'Workflow',
    toQuery: (value) => ({ workflow_id: [value] }),
    phrase: (label) => `of the workflow ${label}`,
    choices: 'workflow',
    nameOf: (row, value) =>
      row.object_type === 'experiment' && row.workflow_id === value ? row.workflow_name : undefined,
  },
  {
    key: 'run_on',
    label: 'Run location',
    toQuery: (value) => ({ run_on: value }),
    phrase: (label) => `that ran on ${label}`,
    choices: [
      { value: 'Lambda', label: 'Lambda' },
      { value: 'Fargate', label: 'Fargate' },
      { value: 'Local', label: 'Local' },
    ],
  },
  {
    key: 'has_model',
    label: 'Has a model',
    toQuery: (value) => ({ has_model: value === 'yes' ? 'true' : 'false' }),
    phrase: (label) => (label === 'yes' ? 'with a model' : 'without a model'),
    choices: [
      { value: 'yes', label: 'yes' },
      { value: 'no', label: 'no' },
    ],
  },
  // The documentation has tags for models only.
  {
    ...tag,
    isOurs: true,
    valuesOf: (row) => (row.object_type === 'experiment' ? (row.meta?.tags ?? []) : []),
  },
];

const fields: Readonly<Partial<Record<ObjectKind, readonly ListField[]>>> = {
  experiment: [...ofExperiments, created, finished, owner],
  model: [{ ...tag, isShownByPage: true }, created, owner],
  data: [created, owner],
  workflow: [created, owner],
  project: [tag, created, owner],
};

export function fieldsOf(kind: ObjectKind): readonly ListField[] {
  return fields[kind] ?? [];
}
