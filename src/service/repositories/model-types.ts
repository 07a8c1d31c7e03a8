/** Small JSON shapes stored with models. */

/** Where a model was imported from. */
export interface ModelMeta {
  readonly github?: string | null;
  readonly commit_id?: string | null;
  readonly origin_url?: string | null;
  readonly fixed_version_url?: string | null;
}

/** How a tree is run, as sent with it. */
export interface ContentMeta {
  readonly project_file?: string;
  readonly entrance_file?: string;
  readonly entrance_func?: string;
  readonly manifest?: string;
}
