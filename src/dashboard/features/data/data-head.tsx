/** Name and actions of a data object. */
import { Button } from '@mantine/core';
import {
  IconDownload,
  IconFilePlus,
  IconFolders,
  IconPencil,
  IconTrash,
} from '@tabler/icons-react';
import { useState } from 'react';
import type { Client } from '../../../client/create-client.ts';
import type { Data } from '../../../contract/data.ts';
import { objectKeys } from '../../objects/query-keys.ts';
import { useAction } from '../../objects/use-action.ts';
import { useCapability } from '../../objects/use-config.ts';
import { useCanDelete, useDelete } from '../../objects/use-delete.ts';
import { lazyPart } from '../../ui/lazy-part.ts';
import { formatBytes } from '../../ui/numbers.ts';
import { PageHead } from '../../ui/page-head.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { saveFile } from '../../ui/save-file.ts';
import { fetchBytes, viewVersion } from './queries.ts';

const AddToProject = lazyPart(() => import('../lists/menus/add-to-project.tsx'), 'AddToProject');

export interface DataHeadProps {
  readonly data: Data;
  /** The version to download; undefined: the newest. */
  readonly version: number | undefined;
  readonly onEdit: () => void;
  readonly onNewVersion: () => void;
  readonly onGone: () => void;
}

export function DataHead({ data, version, onEdit, onNewVersion, onGone }: DataHeadProps) {
  const canDelete = useCanDelete();
  const hasProjects = useCapability('projects');
  const [isGathering, setGathering] = useState(false);
  const remove = useDelete();
  const save = useAction((client) => download(client, data, version), {
    failed: 'Not downloaded',
  });
  const deleteIt = () =>
    remove({
      ids: [data.short_id],
      message: `Deleted ${data.name}.`,
      changes: [objectKeys('data').all],
      onDone: onGone,
    });
  const buttons = [
    { label: 'Download', Icon: IconDownload, act: save.run },
    { label: 'Edit', Icon: IconPencil, act: onEdit },
    { label: 'New version', Icon: IconFilePlus, act: onNewVersion },
    ...(hasProjects
      ? [{ label: 'Add to project', Icon: IconFolders, act: () => setGathering(true) }]
      : []),
    ...(canDelete ? [{ label: 'Delete', Icon: IconTrash, act: deleteIt }] : []),
  ];
  return (
    <>
      <PageHead
        narrow
        title={data.name}
        id={data.short_id}
        facts={[
          data.fmt,
          ...(data.size === undefined ? [] : [formatBytes(data.size)]),
          ...(data.version === undefined ? [] : [`v${data.version}`]),
          <span key="when">
            updated <RelativeTime date={data.updated_at} />
          </span>,
        ]}
        actions={buttons.map(({ label, Icon, act }) => (
          <Button key={label} leftSection={<Icon size={16} />} onClick={() => void act()}>
            {label}
          </Button>
        ))}
      />
      {isGathering && (
        <AddToProject
          objects={[{ id: data.short_id, name: data.name }]}
          onClose={() => setGathering(false)}
        />
      )}
    </>
  );
}

async function download(client: Client, data: Data, version: number | undefined): Promise<void> {
  const { path } = await viewVersion(client, data.short_id, { version });
  saveFile(data.name, 'application/octet-stream', await fetchBytes(path));
}
