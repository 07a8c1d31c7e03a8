/** What a server reports about itself: limits, capabilities, gallery. */
import * as z from 'zod/mini';
import { signInWaysSchema } from './single-sign-on.ts';

/** Our extensions beyond the documented API; without one the dashboard hides what needs it. */
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
  'saved_views',
  'projects',
  'moment_matching',
  'log_density',
  'uploads',
  'retry_chains',
  'queue',
  'single_sign_on',
  'teams',
] as const;
export type Capability = (typeof capabilities)[number];

/** For a caller who used a loopback address: how others on the network can reach this machine. */
export const ownNetworkSchema = z.object({
  /** Null: this machine has no address on a network. */
  address: z.nullable(z.string()),
  /** Whether the service already listens there. */
  is_open: z.boolean(),
});
export type OwnNetwork = z.infer<typeof ownNetworkSchema>;

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
  network: z.optional(ownNetworkSchema),
  sign_in: z.optional(signInWaysSchema),
});
export type ServerConfig = z.infer<typeof configSchema>;

/** One example: `url[0]` is what `CreateModel.source_url` and `CreateWorkflow.uri` accept. */
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

/** Prefix of our own gallery entries' addresses; the rest is the slug. */
export const galleryScheme = 'ergodic-gallery:';
