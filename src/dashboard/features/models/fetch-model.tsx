/** A new model from elsewhere: an address, a repository with its branch, a gist. The server fetches it once. */
import { Button, SegmentedControl, TextInput } from '@mantine/core';
import { IconWorld } from '@tabler/icons-react';
import { useState } from 'react';
import { expectKind } from '../../../client/expect-kind.ts';
import type { CreateModel, Model } from '../../../contract/model.ts';
import { useAction } from '../../objects/use-action.ts';
import { Form } from '../../ui/form.tsx';
import { type ModelOptions, optionsPayload } from './model-options.tsx';
import classes from './new-model.module.css';

export interface FetchModelProps {
  readonly options: ModelOptions;
  readonly onMade: (model: Model) => Promise<void>;
}

const kinds = {
  url: {
    label: 'Address',
    field: 'Address of a file, a zip or a tar',
    placeholder: 'https://example.org/model.zip',
    description: 'A program, or an archive that contains one, at any public address.',
  },
  repo: {
    label: 'Repository',
    field: 'Repository',
    placeholder: 'owner/name, or its address',
    description: 'Its files at the newest commit of the branch; the commit is recorded.',
  },
  gist: {
    label: 'Gist',
    field: 'Gist',
    placeholder: 'Its id or address',
    description: 'The files of one gist at its newest revision.',
  },
} as const;
type Kind = keyof typeof kinds;

export function FetchModel(props: FetchModelProps) {
  const source = useSource(props);
  const { field, placeholder, description } = kinds[source.kind];
  return (
    <section className={classes.card} aria-labelledby="fetch-title">
      <h2 id="fetch-title">
        <IconWorld size={16} aria-hidden="true" />
        Fetch from elsewhere
      </h2>
      <p>{description} The server makes a copy; later changes at the source have no effect here.</p>
      <Form className={classes.fetch} onSubmit={source.fetch}>
        <SegmentedControl
          aria-label="Fetch from"
          value={source.kind}
          onChange={(value) => source.setKind(value as Kind)}
          data={Object.entries(kinds).map(([value, { label }]) => ({ value, label }))}
        />
        <TextInput
          aria-label={field}
          placeholder={placeholder}
          value={source.place}
          onChange={(event) => source.setPlace(event.currentTarget.value)}
        />
        {source.kind === 'repo' && (
          <TextInput
            aria-label="Branch"
            placeholder="Branch (optional)"
            value={source.branch}
            onChange={(event) => source.setBranch(event.currentTarget.value)}
          />
        )}
        <div className={classes.form}>
          <TextInput
            aria-label="Name of the fetched model"
            placeholder="Name (optional)"
            maxLength={255}
            value={source.name}
            onChange={(event) => source.setName(event.currentTarget.value)}
          />
          <Button type="submit" loading={source.isBusy}>
            Fetch
          </Button>
        </div>
        {source.problem !== null && (
          <p role="alert" className={classes.problem}>
            {source.problem}
          </p>
        )}
      </Form>
    </section>
  );
}

/** The source of the model as it is typed, and fetching it. */
function useSource({ options, onMade }: FetchModelProps) {
  const [kind, setKind] = useState<Kind>('url');
  const [place, setPlace] = useState('');
  const [branch, setBranch] = useState('');
  const [name, setName] = useState('');
  const [isAsked, setAsked] = useState(false);
  const { run, isBusy, problem, reset } = useAction(
    async (client) => {
      const payload: CreateModel = {
        object_type: 'model',
        type: kind,
        name: name.trim(),
        ...(kind === 'url' ? { source_url: place.trim() } : { repo: place.trim() }),
        ...(kind === 'repo' && branch.trim() !== '' ? { branch: branch.trim() } : {}),
        ...optionsPayload(options),
      };
      return expectKind(await client.createObject({ body: { payload } }), 'model');
    },
    { onDone: onMade },
  );
  const isMissing = place.trim() === '';
  return {
    kind,
    setKind: (next: Kind) => {
      setKind(next);
      setAsked(false);
      reset();
    },
    place,
    setPlace,
    branch,
    setBranch,
    name,
    setName,
    isBusy,
    problem: isAsked && isMissing ? 'Enter what to fetch first.' : problem,
    fetch: () => {
      reset();
      setAsked(true);
      if (!isMissing) void run();
    },
  };
}
