/** What a server tells of itself: limits, capabilities, gallery. */
import * as z from 'zod/mini';

/** Extensions of ours beyond the documented API; without one the dashboard hides what needs it. */
export const capabilities = [
  'draws',
  'summary',
  'log_range',
  'run_control',
  'versions',
  'search',
  'share_options',
  'live',
  'space',
] as const;
export type Capability = (typeof capabilities)[number];

/** Bounds every deployment has; each is named in the error that enforces it. */
export const limits = {
  /** Bytes of a request body. */
  body_bytes: 64 * 2 ** 20,
  /** Bytes of one file of a model. */
  file_bytes: 16 * 2 ** 20,
  tree_nodes: 2000,
  tree_depth: 32,
  /** Bytes of the settings of a workflow. */
  settings_bytes: 2 ** 20,
  page_size: 1000,
} as const;

export const configSchema = z.looseObject({
  run_model_url: z._default(z.string(), ''),
  max_upload_sample_size: z._default(z.number(), 0),
  max_upload_sample_file: z._default(z.number(), 0),
  upload_file_types: z._default(z.string(), ''),
  google_client_id: z._default(z.string(), ''),
  google_app_id: z._default(z.string(), ''),
  default_model: z._default(z.string(), ''),
  default_data: z._default(z.string(), ''),
  default_analyzer: z._default(z.string(), ''),
  default_data_script: z._default(z.string(), ''),
  // Ours:
  capabilities: z._default(z.array(z.string()), []),
  limits: z.optional(z.record(z.string(), z.number())),
  /** `env` name → whether it can run here. */
  runtimes: z.optional(z.record(z.string(), z.boolean())),
  version: z.optional(z.string()),
});
export type ServerConfig = z.infer<typeof configSchema>;

/** One example: `url[0]` is what `CreateModel.source_url` and `CreateWorkflow.uri` take. */
export const galleryEntrySchema = z.looseObject({
  name: z.string(),
  url: z.array(z.string()),
  // Ours:
  summary: z.optional(z.string()),
  origin: z.optional(z.string()),
});
export type GalleryEntry = z.infer<typeof galleryEntrySchema>;
export const gallerySchema = z.object({
  models: z.record(z.string(), z.array(galleryEntrySchema)),
  MCMC: z.record(z.string(), z.array(galleryEntrySchema)),
});

/** Addresses of our own gallery entries begin so; the rest is the slug. */
export const galleryScheme = 'ergodic-gallery:';
