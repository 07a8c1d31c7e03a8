/** Name and actions of a workflow. */
import { Button, Menu } from '@mantine/core';
import {
  IconDots,
  IconDownload,
  IconPlayerPlay,
  IconReportAnalytics,
  IconShare3,
  IconTrash,
} from '@tabler/icons-react';
import type { Workflow } from '../../../contract/workflow.ts';
import { PageHead } from '../../ui/page-head.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { analysisOf } from './analysis.ts';
import type { WorkflowActions } from './use-workflow.ts';

export interface WorkflowHeadProps {
  readonly workflow: Workflow;
  readonly actions: WorkflowActions;
  readonly canDelete: boolean;
  readonly onShare: () => void;
}

export function WorkflowHead({ workflow, actions, canDelete, onShare }: WorkflowHeadProps) {
  return (
    <PageHead
      title={workflow.name || workflow.short_id}
      id={workflow.short_id}
      facts={[
        <span key="when">
          updated <RelativeTime date={workflow.updated_at} />
        </span>,
      ]}
      actions={
        <>
          <Button leftSection={<IconShare3 size={16} />} onClick={onShare}>
            Share
          </Button>
          <Button
            leftSection={<IconReportAnalytics size={16} />}
            loading={actions.busy === 'analyze'}
            disabled={!workflow.experiment_id || analysisOf(workflow).state === 'running'}
            title={workflow.experiment_id ? undefined : 'Run the sampling first'}
            onClick={() => void actions.analyze()}
          >
            Run analysis
          </Button>
          <Button
            variant="filled"
            loading={actions.busy === 'run'}
            disabled={!workflow.model_id}
            title={workflow.model_id ? undefined : 'This workflow has no model'}
            leftSection={<IconPlayerPlay size={16} />}
            onClick={() => void actions.run()}
          >
            Run sampling
          </Button>
          <MoreMenu canDelete={canDelete} onPackage={actions.download} onDelete={actions.remove} />
        </>
      }
    />
  );
}

interface MoreMenuProps {
  readonly canDelete: boolean;
  readonly onPackage: (fmt: 'zip' | 'tar.gz') => Promise<unknown>;
  readonly onDelete: () => Promise<void>;
}

function MoreMenu({ canDelete, onPackage, onDelete }: MoreMenuProps) {
  return (
    <Menu>
      <Menu.Target>
        <Button px={8} aria-label="More actions">
          <IconDots size={16} />
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>Package to run elsewhere</Menu.Label>
        {(['zip', 'tar.gz'] as const).map((fmt) => (
          <Menu.Item
            key={fmt}
            leftSection={<IconDownload size={16} />}
            onClick={() => void onPackage(fmt)}
          >
            Download .{fmt}
          </Menu.Item>
        ))}
        {canDelete && (
          <>
            <Menu.Divider />
            <Menu.Item leftSection={<IconTrash size={16} />} onClick={() => void onDelete()}>
              Delete
            </Menu.Item>
          </>
        )}
      </Menu.Dropdown>
    </Menu>
  );
}
