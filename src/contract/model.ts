/** Models and cloud functions: trees of files with an entrance. */
import * as z from 'zod/mini';
import { dateTime, integer, optionalText } from './common.ts';
import { functionRunSchema } from './relations.ts';

/**
 * A node of a model's tree. `content` is base64 of the file's bytes, or plain text: `encoding` says which if it is
 * sent; if it is absent the rule of `formats/model-tree.ts` decides.
 */
export interface TreeNode {
  name: string;
  type?: 'file' | 'folder';
  content?: string;
  children?: TreeNode[];
  encoding?: 'base64' | 'text';
}

export const treeNodeSchema: z.ZodMiniType<TreeNode> = z.object({
  name: z.string(),
  type: z.optional(z.enum(['file', 'folder'])),
  content: z.optional(z.string()),
  get children() {
    return z.optional(z.array(treeNodeSchema));
  },
  encoding: z.optional(z.enum(['base64', 'text'])),
});

/** How the tree is run; absent members are the documented defaults of Julia projects. */
const contentMetaSchema = z.object({
  project_file: z.optional(z.string()),
  entrance_file: z.optional(z.string()),
  entrance_func: z.optional(z.string()),
  manifest: z.optional(z.string()),
});
export const modelContentSchema = z.object({
  meta: z.optional(z.nullable(contentMetaSchema)),
  tree: z.array(treeNodeSchema),
});
export type ModelContent = z.infer<typeof modelContentSchema>;

/** Content as sent: without a tree, a new model has no files and an existing one keeps its own. */
export const sentContentSchema = z.object({
  meta: z.optional(z.nullable(contentMetaSchema)),
  tree: z.optional(z.nullable(z.array(treeNodeSchema))),
});
export type SentContent = z.infer<typeof sentContentSchema>;

/** Runtimes that a model can set in `env`; empty means by the suffix of the entrance file. */
export const modelEnvs = ['stan', 'cmdstan', 'jags', 'javascript', 'julia', 'python', 'r'] as const;

const modelMetaSchema = z.object({
  github: optionalText,
  commit_id: optionalText,
  origin_url: optionalText,
  fixed_version_url: optionalText,
});

/** A parameter of one of the server's own functions: what a form asks for, and what the function does with it. */
export const functionParameterSchema = z.object({
  name: z.string(),
  label: z.string(),
  /** `experiment`: the id of one; `number`: sent as a number. */
  kind: z.enum(['experiment', 'choice', 'text', 'number']),
  help: z.optional(z.string()),
  choices: z.optional(z.array(z.string())),
  /** The function's default. */
  default: z.optional(z.string()),
  required: z.optional(z.boolean()),
});
export type FunctionParameter = z.infer<typeof functionParameterSchema>;

/** Entry of a list and view of one; only the view has `content`. */
export const modelSchema = z.object({
  object_type: z.literal('model'),
  id: integer,
  short_id: z.string(),
  name: z.string(),
  meta: z.nullable(modelMetaSchema),
  tags: z.array(z.string()),
  content: z.optional(z.nullable(modelContentSchema)),
  lambda_image_url: optionalText,
  lambda_image_name: optionalText,
  // Ours:
  env: optionalText,
  lang: optionalText,
  single_instance: z.optional(z.boolean()),
  description: optionalText,
  version: z.optional(integer),
  created_at: z.optional(dateTime),
  updated_at: z.optional(dateTime),
  owner: z.optional(z.string()),
  share_info: z.optional(z.nullable(z.array(z.record(z.string(), z.unknown())))),
  /** Of one of the server's own functions; functions of users declare none. */
  parameters: z.optional(z.array(functionParameterSchema)),
  /** Newest calls of a cloud function, in the owner's view of it. */
  runs: z.optional(z.array(functionRunSchema)),
});
export type Model = z.infer<typeof modelSchema>;

export const createModelSchema = z.object({
  object_type: z.literal('model'),
  type: z._default(z.enum(['local', 'repo', 'gist', 'url']), 'local'),
  name: z._default(z.string().check(z.maxLength(255)), ''),
  description: z.optional(z.string().check(z.maxLength(2048))),
  env: optionalText,
  content: z.optional(z.nullable(sentContentSchema)),
  tags: z.optional(z.nullable(z.array(z.string().check(z.maxLength(64))).check(z.maxLength(32)))),
  single_instance: z._default(z.boolean(), true),
  lang: optionalText,
  entrance_file: z._default(z.string(), ''),
  lambda_image: z._default(z.boolean(), false),
  source_url: z._default(z.string(), ''),
  repo: z._default(z.string(), ''),
  branch: z._default(z.string(), ''),
});
export type CreateModel = z.input<typeof createModelSchema>;

/**
 * Absent or null = unchanged. `base_version` (ours): the version the edit was based on; another current version is
 * a CONFLICT with `details.version`. Absent: the last write wins. `version` of clients is accepted and ignored.
 */
export const updateModelSchema = z.object({
  object_type: z.literal('model'),
  name: z.optional(z.nullable(z.string().check(z.maxLength(255)))),
  content: z.optional(z.nullable(sentContentSchema)),
  description: z.optional(z.nullable(z.string().check(z.maxLength(2048)))),
  tags: z.optional(z.nullable(z.array(z.string().check(z.maxLength(64))).check(z.maxLength(32)))),
  status: z.optional(z.unknown()),
  lambda_image: z.optional(z.nullable(z.boolean())),
  version: z.optional(z.unknown()),
  base_version: z.optional(z.nullable(integer)),
});
