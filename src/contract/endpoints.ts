/**
 * The endpoint table: client, service validation, permission policy and the OpenAPI document all come from it.
 *
 * `policy`: `public` (no sign-in), `bearer` (a signed-in user; what they may do with one object is `permissions.ts`),
 * `viewer` (bearer, share password, or nothing for a public share). `response: 'binary'` answers bytes, without the
 * envelope.
 */
import type * as z from 'zod/mini';
import * as schema from 'zod/mini';
import {
  createTokenSchema,
  deletedKeySchema,
  loginSchema,
  tokenSchema,
  tokensSchema,
  updateTokenSchema,
  updateUserSchema,
  userSchema,
} from './account.ts';
import { pageSchema, queryListSchema } from './common.ts';
import {
  drawsQuerySchema,
  logQuerySchema,
  logRangeSchema,
  summarySchema,
  versionsSchema,
} from './draws.ts';
import { invokeResponseSchema, invokeSchema } from './invoke.ts';
import {
  createBodySchema,
  deleteQuerySchema,
  listEntrySchema,
  listQuerySchema,
  updateAnswerSchema,
  updateBodySchema,
  viewQuerySchema,
  viewSchema,
} from './objects.ts';
import { configSchema, gallerySchema } from './system.ts';

export type Policy = 'public' | 'bearer' | 'viewer';

export interface Endpoint {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** `{name}` marks a path parameter. */
  readonly path: string;
  /** Older addresses of the same endpoint, with the same parameters. */
  readonly aliases?: readonly string[];
  readonly policy: Policy;
  readonly summary: string;
  readonly query?: z.ZodMiniType;
  readonly body?: z.ZodMiniType;
  readonly response: z.ZodMiniType | 'binary';
  /** Ours beyond the documented API; named in `/sys/config.capabilities`. */
  readonly capability?: string;
}

const shareQuerySchema = schema.object({ share_id: schema._default(schema.string(), '') });
const tokenQuerySchema = schema.object({
  tokens: schema.optional(queryListSchema),
  deleted_key: schema._default(schema.string(), ''),
});

export const endpoints = {
  listObjects: {
    method: 'GET',
    path: '/api/object',
    policy: 'bearer',
    summary: 'List objects of one kind, newest first',
    query: listQuerySchema,
    response: pageSchema(listEntrySchema),
  },
  createObject: {
    method: 'POST',
    path: '/api/object',
    policy: 'bearer',
    summary: 'Create an object',
    body: createBodySchema,
    response: listEntrySchema,
  },
  deleteObjects: {
    method: 'DELETE',
    path: '/api/object',
    policy: 'bearer',
    summary: 'Delete objects softly, or undo by `deleted_key`',
    query: deleteQuerySchema,
    response: deletedKeySchema,
  },
  viewObject: {
    method: 'GET',
    path: '/api/object/{objid}',
    aliases: ['/api/object/share/{objid}'],
    policy: 'viewer',
    summary: 'View an object, or one of its variants',
    query: viewQuerySchema,
    response: viewSchema,
  },
  updateObject: {
    method: 'POST',
    path: '/api/object/{objid}',
    policy: 'bearer',
    summary: 'Update an object, or post a runner message',
    body: updateBodySchema,
    response: updateAnswerSchema,
  },
  deleteObject: {
    method: 'DELETE',
    path: '/api/object/{objid}',
    policy: 'bearer',
    summary: 'Delete one object softly (a comma list counts as several), or undo by `deleted_key`',
    query: deleteQuerySchema,
    response: deletedKeySchema,
  },
  invoke: {
    method: 'POST',
    path: '/invoke',
    aliases: ['/command'],
    policy: 'bearer',
    summary: 'Run a workflow or a cloud function',
    body: invokeSchema,
    response: invokeResponseSchema,
  },
  viewDraws: {
    method: 'GET',
    path: '/api/draws/{objid}',
    policy: 'viewer',
    summary: 'Draws as float64 columns',
    query: drawsQuerySchema,
    response: 'binary',
    capability: 'draws',
  },
  viewSummary: {
    method: 'GET',
    path: '/api/summary/{objid}',
    policy: 'viewer',
    summary: 'Statistics of every variable, and the verdict',
    query: shareQuerySchema,
    response: summarySchema,
    capability: 'summary',
  },
  viewLog: {
    method: 'GET',
    path: '/api/log/{objid}',
    policy: 'bearer',
    summary: 'A byte range of a log, with search',
    query: logQuerySchema,
    response: logRangeSchema,
    capability: 'log_range',
  },
  listVersions: {
    method: 'GET',
    path: '/api/versions/{objid}',
    policy: 'bearer',
    summary: 'Versions of a model or data object, newest first',
    response: versionsSchema,
    capability: 'versions',
  },
  viewConfig: {
    method: 'GET',
    path: '/sys/config',
    policy: 'public',
    summary: 'Limits, defaults and capabilities of this server',
    response: configSchema,
  },
  viewGallery: {
    method: 'GET',
    path: '/sys/gallery',
    policy: 'public',
    summary: 'Example models and finished runs',
    response: gallerySchema,
  },
  login: {
    method: 'POST',
    path: '/base/login',
    policy: 'public',
    summary: 'Sign in with user name and password',
    body: loginSchema,
    response: tokensSchema,
  },
  logout: {
    method: 'POST',
    path: '/base/logout',
    policy: 'bearer',
    summary: 'End the token in use',
    response: schema.null(),
  },
  viewUser: {
    method: 'GET',
    path: '/base/user',
    policy: 'bearer',
    summary: 'The signed-in user',
    response: userSchema,
  },
  updateUser: {
    method: 'PUT',
    path: '/base/user',
    policy: 'bearer',
    summary: 'Change the password',
    body: updateUserSchema,
    response: userSchema,
  },
  listTokens: {
    method: 'GET',
    path: '/base/user/tokens',
    policy: 'bearer',
    summary: 'Tokens made on purpose (those of signing in are not listed)',
    response: schema.array(tokenSchema),
  },
  createToken: {
    method: 'POST',
    path: '/base/user/tokens',
    policy: 'bearer',
    summary: 'Make an API token; the answer is the only place where it is whole',
    body: createTokenSchema,
    response: tokenSchema,
  },
  updateToken: {
    method: 'PUT',
    path: '/base/user/token/{token_id}',
    policy: 'bearer',
    summary: 'Rename a token or move its end',
    body: updateTokenSchema,
    response: tokenSchema,
  },
  deleteTokens: {
    method: 'DELETE',
    path: '/base/user/tokens',
    policy: 'bearer',
    summary: 'Revoke tokens, or undo by `deleted_key`',
    query: tokenQuerySchema,
    response: deletedKeySchema,
  },
} as const satisfies Record<string, Endpoint>;

export type EndpointName = keyof typeof endpoints;
