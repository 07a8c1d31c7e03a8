/** Describes a data object that is not JSON, and offers to map a table to the data of a program. */
import { Button, Select } from '@mantine/core';
import { IconTable } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import type { Data } from '../../../contract/data.ts';
import { isArchive } from '../../../formats/workbook-mark.ts';
import { entranceOf, fromContent } from '../../editor/file-tree.ts';
import { stanFilesOf, useStan } from '../../editor/use-stan.ts';
import { choicesQueryOptions, objectQueryOptions } from '../../objects/object-queries.ts';
import { useClient } from '../../objects/use-client.ts';
import { Card } from '../../ui/card.tsx';
import { lazyPart } from '../../ui/lazy-part.ts';
import { Note } from '../../ui/note.tsx';
import { QueryProblem } from '../../ui/query-problem.tsx';
import { isTableName } from '../launching/data-content.ts';
import { type GivenKind, identify } from '../mapper/mapping-call.ts';
import classes from './data.module.css';

const MapperDialog = lazyPart(() => import('../mapper/mapper-dialog.tsx'), 'MapperDialog');

export interface MapTableProps {
  readonly data: Data;
  readonly bytes: Uint8Array;
  /** Saves the mapped data as a separate object; rejects with the reason if it was not saved. */
  readonly onSave: (name: string, text: string) => Promise<void>;
}

export function MapTable({ data, bytes, onSave }: MapTableProps) {
  const kind = useKind(data.name, bytes);
  if (kind?.kind === 'broken') return <Note gap="around">{kind.message}</Note>;
  if (kind?.kind === 'values')
    return <Note gap="around">This is an R dump. A run reads it unchanged.</Note>;
  // Prose also contains commas.
  const isTable = data.fmt === 'csv' || isArchive(bytes) || isTableName(data.name);
  if (kind?.kind !== 'table' || !isTable) return null;
  return <Offer data={data} bytes={bytes} onSave={onSave} />;
}

function Offer({ data, bytes, onSave }: MapTableProps) {
  const client = useClient();
  const models = useQuery(choicesQueryOptions(client, 'model'));
  const [modelId, setModelId] = useState<string | null>(null);
  const [isOpen, setIsOpen] = useState(false);
  const isWorkbook = isArchive(bytes);
  const suggestedName = data.name.replace(/\.[^.]*$/, '') || 'data';
  const dialog = {
    name: data.name,
    bytes,
    earlierText: null,
    suggestedName,
    saveText: 'Save as data',
    onSave,
    onClose: () => setIsOpen(false),
  };
  return (
    <Card className={classes.offer} aria-label="Map the columns">
      <p>
        {isWorkbook ? 'This is a workbook. ' : 'This is a table. '}
        {data.fmt === 'csv'
          ? 'A run reads each column by its name, and N as the number of rows. For levels, labels, matrices or missing values, map its columns.'
          : 'Map its columns, so that a program can read it.'}{' '}
        The mapped data become a separate object, and the mapping can be applied to the next file.
      </p>
      <div className={classes.offerTools}>
        <Select
          label="For the data block of"
          placeholder="No model: each column by its name"
          searchable
          clearable
          nothingFoundMessage="No model with this name"
          data={(models.data ?? []).flatMap(({ short_id: value, name, env }) =>
            env === undefined || env === '' || env === 'stan'
              ? [{ value, label: name || value }]
              : [],
          )}
          value={modelId}
          onChange={setModelId}
        />
        <Button
          variant="filled"
          leftSection={<IconTable size={16} />}
          onClick={() => setIsOpen(true)}
        >
          Map the columns
        </Button>
      </div>
      {isOpen && modelId === null && <MapperDialog {...dialog} service={null} />}
      {isOpen && modelId !== null && <ForModel modelId={modelId} dialog={dialog} />}
    </Card>
  );
}

interface ForModelProps {
  readonly modelId: string;
  readonly dialog: Omit<Parameters<typeof MapperDialog>[0], 'service'>;
}

/** The mapper, shown once the model's program is known. */
function ForModel({ modelId, dialog }: ForModelProps) {
  const query = useQuery(objectQueryOptions(useClient(), 'model', modelId));
  const content = query.data?.content ?? null;
  const tree = useMemo(() => (content === null ? null : fromContent(content)), [content]);
  const files = useMemo(() => (tree === null ? null : stanFilesOf(tree)), [tree]);
  const stan = useStan(files);
  if (query.isError) return <QueryProblem query={query} what="The model" />;
  if (tree !== null && entranceOf(tree)?.endsWith('.stan') !== true)
    return <Note>This model has no Stan program, so it has no data block.</Note>;
  return stan.checked === null ? null : <MapperDialog {...dialog} service={stan.service} />;
}

/** Resolved in the background; null until then, and if it cannot be found. */
function useKind(name: string, bytes: Uint8Array): GivenKind | null {
  const [kind, setKind] = useState<GivenKind | null>(null);
  useEffect(() => {
    let isOld = false;
    identify({ name, bytes }).then(
      (found) => !isOld && setKind(found),
      () => undefined,
    );
    return () => {
      isOld = true;
    };
  }, [name, bytes]);
  return kind;
}
