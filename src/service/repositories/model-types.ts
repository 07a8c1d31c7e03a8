/** Small JSON shapes stored with models. */
import type { ModelTreeMeta } from '../../formats/model-tree.ts';

/** Where a model was imported from. */
export interface ModelMeta {
  readonly github?: string | null;
  readonly commit_id?: string | null;
  readonly origin_url?: string | null;
  readonly fixed_version_url?: string | null;
}

/** How a tree is run, as sent with it. */
export type ContentMeta = Readonly<ModelTreeMeta>;
