/** Title, version, runtime, save state as text, and the actions on a model. */
import { ActionIcon, Button, Kbd, Menu } from '@mantine/core';
import {
  IconAlertCircle,
  IconCheck,
  IconDeviceFloppy,
  IconDots,
  IconDownload,
  IconFolders,
  IconPencil,
  IconShare3,
  IconTrash,
} from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import type { Model } from '../../../contract/model.ts';
import { saveZip } from '../../editor/save-zip.ts';
import { objectKeys } from '../../objects/query-keys.ts';
import { useAction } from '../../objects/use-action.ts';
import { useCapability } from '../../objects/use-config.ts';
import { formatRecent } from '../../ui/dates.ts';
import { lazyPart } from '../../ui/lazy-part.ts';
import { MenuActions } from '../../ui/menu-actions.tsx';
import { NameField } from '../../ui/name-field.tsx';
import { PageHead } from '../../ui/page-head.tsx';
import { type EditSession, type EditState, saveText } from './edit-session.ts';
import type { ModelActions } from './model-actions.ts';
import { runtimeWord } from './model-list-page.tsx';
import classes from './model-page.module.css';
import { updateModel } from './update-model.ts';

export interface ModelHeadProps {
  readonly model: Model;
  readonly session: EditSession;
  readonly state: EditState;
  readonly env: string;
  readonly actions: ModelActions;
}

const AddToProject = lazyPart(() => import('../lists/menus/add-to-project.tsx'), 'AddToProject');

export function ModelHead({ model, session, state, env, actions }: ModelHeadProps) {
  const [renaming, setRenaming] = useState(false);
  return (
    <PageHead
      title={
        renaming ? (
          <Rename model={model} onDone={() => setRenaming(false)} />
        ) : (
          model.name || model.short_id
        )
      }
      badge={
        <>
          {state.version !== undefined && <span className={classes.tag}>v{state.version}</span>}
          {env !== '' && <span className={classes.tag}>{runtimeWord(env)}</span>}
        </>
      }
      id={model.short_id}
      actions={
        <>
          <SaveState model={model} state={state} />
          <Button
            leftSection={<IconDeviceFloppy size={16} />}
            rightSection={<Kbd className={classes.key}>Ctrl S</Kbd>}
            disabled={!session.isDirty || state.saving}
            onClick={() => void session.save()}
          >
            Save
          </Button>
          <Button leftSection={<IconShare3 size={16} />} onClick={actions.onShare}>
            Share
          </Button>
          <MoreActions
            model={model}
            onRename={() => setRenaming(true)}
            onDownload={() => void saveZip(model.name || model.short_id, state.tree)}
            onDelete={actions.onDelete}
          />
        </>
      }
    />
  );
}

function SaveState({ model, state }: Pick<ModelHeadProps, 'model' | 'state'>) {
  const savedAt = state.savedAt ?? Date.parse(model.updated_at ?? '');
  const { text, tone } = saveText(
    state,
    Number.isNaN(savedAt) ? '' : formatRecent(new Date(savedAt)),
  );
  const Icon = tone === 'plain' ? IconCheck : tone === 'warn' ? IconPencil : IconAlertCircle;
  return (
    <span role="status" className={classes.saveState} data-tone={tone}>
      <Icon size={16} aria-hidden="true" />
      {text}
    </span>
  );
}

interface MoreActionsProps extends Pick<ModelHeadProps, 'model'> {
  readonly onRename: () => void;
  readonly onDownload: () => void;
  readonly onDelete: () => void;
}

function MoreActions({ model, onRename, onDownload, onDelete }: MoreActionsProps) {
  const wantsRename = useRef(false);
  const hasProjects = useCapability('projects');
  const [isGathering, setGathering] = useState(false);
  return (
    <>
      <Menu
        onExitTransitionEnd={() => {
          // Not earlier: a closing menu returns the focus to its button.
          if (wantsRename.current) onRename();
          wantsRename.current = false;
        }}
      >
        <Menu.Target>
          <ActionIcon variant="default" aria-label="More actions">
            <IconDots size={16} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <MenuActions
            actions={[
              { label: 'Rename', Icon: IconPencil, act: () => (wantsRename.current = true) },
              { label: 'Download zip', Icon: IconDownload, act: onDownload },
              {
                label: 'Add to project…',
                Icon: IconFolders,
                act: hasProjects ? () => setGathering(true) : undefined,
              },
              { label: 'Delete', Icon: IconTrash, act: onDelete, c: 'var(--e-bad)' },
            ]}
          />
        </Menu.Dropdown>
      </Menu>
      {isGathering && (
        <AddToProject
          objects={[{ id: model.short_id, name: model.name || model.short_id }]}
          onClose={() => setGathering(false)}
        />
      )}
    </>
  );
}

function Rename({ model, onDone }: { model: Model; onDone: () => void }) {
  const queryClient = useQueryClient();
  const rename = useAction(
    (client, next: string) => updateModel({ client, queryClient }, model.short_id, { name: next }),
    { failed: 'Not renamed', changes: [objectKeys('model').lists] },
  );
  return (
    <NameField label="Name of the model" name={model.name} onRename={rename.run} onDone={onDone} />
  );
}
