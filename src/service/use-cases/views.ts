/** Rows as the wire shows them to their owner, one function a kind. */
import type { Data } from '../../contract/data.ts';
import type { Model, ModelContent } from '../../contract/model.ts';
import type { Share, ShareInfo } from '../../contract/share.ts';
import type { Workflow } from '../../contract/workflow.ts';
import { displayName, ownerName } from '../auth/user-names.ts';
import type { DataRow } from '../repositories/data.ts';
import type { ModelRow } from '../repositories/models.ts';
import type { ShareRow } from '../repositories/shares.ts';
import type { WorkflowRow } from '../repositories/workflows.ts';

/** What a password reads as once its share is made. */
const maskedPassword = '***';

export function modelToWire(row: ModelRow, content?: ModelContent): Model {
  const { github = null, commit_id = null, origin_url = null, fixed_version_url = null } = row.meta;
  return {
    object_type: 'model',
    id: row.row_number,
    short_id: row.short_id,
    name: row.name,
    meta: { github, commit_id, origin_url, fixed_version_url },
    tags: [...row.tags],
    ...(content === undefined ? {} : { content }),
    lambda_image_url: '',
    lambda_image_name: '',
    env: row.env,
    lang: row.lang,
    single_instance: row.single_instance,
    description: row.description,
    version: row.version,
    created_at: row.created_at,
    updated_at: row.updated_at,
    owner: ownerName(row),
  };
}

/** `path`: signed address of the bytes; empty in lists. */
export function dataToWire(row: DataRow, path = ''): Data {
  return {
    object_type: 'data',
    id: row.row_number,
    short_id: row.short_id,
    name: row.name,
    description: row.description,
    created_at: row.created_at,
    updated_at: row.updated_at,
    path,
    fmt: row.fmt,
    tags: row.tags.filter((tag) => tag === 'anonymous'),
    version: row.version,
    size: row.size,
    owner: ownerName(row),
  };
}

export function workflowToWire(row: WorkflowRow): Workflow {
  const { created_at, updated_at, model_id, model_name, data_id, data_name, data_fmt } = row;
  const { experiment_id, experiment_name, analyzer_id, analyzer_name } = row;
  const { startup_script, settings, data_script, description, analyzer_result } = row;
  return {
    object_type: 'workflow',
    id: row.row_number,
    short_id: row.short_id,
    name: row.name,
    description,
    created_at,
    updated_at,
    model_id,
    model_name,
    data_id,
    data_name,
    data_fmt,
    experiment_id,
    experiment_name,
    analyzer_id,
    analyzer_name,
    startup_script,
    settings,
    data_script,
    analyzer_result,
    owner: ownerName(row),
  };
}

/** `password`: in the answer that makes the share only. */
export function shareToWire(row: ShareRow, password?: string): Share {
  return {
    object_type: 'share',
    id: row.row_number,
    user_id: row.owner_id,
    short_id: row.short_id,
    experiment_id: row.object_short_id,
    experiment_name: row.object_name,
    password: password ?? (row.password_hash === null ? '' : maskedPassword),
    created_at: row.created_at,
    from_user: ownerName(row),
    to_user: targetName(row),
    expires_at: row.expires_at,
    include: [...row.include],
    failed_attempts: row.failed_attempts,
  };
}

/** As it stands inside the shared object. Only its owner sees how many wrong passwords there were. */
export function shareInfo(row: ShareRow, isOwner: boolean): ShareInfo {
  return {
    id: row.row_number,
    password: row.password_hash === null ? '' : maskedPassword,
    user_id: String(row.owner_id),
    short_id: row.short_id,
    to_user_id: row.target_user_id === null ? null : String(row.target_user_id),
    from_user: ownerName(row),
    to_user: targetName(row),
    created_at: row.created_at,
    expires_at: row.expires_at,
    include: [...row.include],
    ...(isOwner ? { failed_attempts: row.failed_attempts } : {}),
  };
}

function targetName(row: ShareRow): string | null {
  if (row.target_user_id === null || row.target_user === null) return null;
  return displayName({ name: row.target_user, id: row.target_user_id });
}
