/**
 * The endpoint table: client, service validation, permission policy and the OpenAPI document are all derived from it.
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
import { pageSchema, queryBooleanSchema, queryListSchema } from './common.ts';
import {
  drawsQuerySchema,
  logQuerySchema,
  logRangeSchema,
  summarySchema,
  versionsSchema,
} from './draws.ts';
import { invokeResponseSchema, invokeSchema } from './invoke.ts';
import type { BodyLimit } from './limits.ts';
import {
  accessTokenSchema,
  auth0ConfigSchema,
  codeSchema,
  linkedAccountsSchema,
} from './linked-account.ts';
import { logDensityRequestSchema, logDensitySchema } from './log-density.ts';
import {
  markNotificationsSchema,
  notificationQuerySchema,
  notificationSchema,
} from './notification.ts';
import {
  createBodySchema,
  deleteQuerySchema,
  listEntrySchema,
  listQuerySchema,
  objectPageSchema,
  plainUpdateAnswerSchema,
  updateAnswerSchema,
  updateBodySchema,
  viewQuerySchema,
  viewSchema,
} from './objects.ts';
import { queueSchema, updateQueueUserSchema, updateWorkerSchema } from './queue.ts';
import { runProxyAnswerSchema, runProxySchema } from './run-proxy.ts';
import {
  begunSignInSchema,
  endedSignInSchema,
  finishedSignInSchema,
  finishSignInSchema,
} from './single-sign-on.ts';
import { spaceSchema } from './space.ts';
import { configSchema, gallerySchema } from './system.ts';
import {
  createTeamSchema,
  moveObjectSchema,
  teamSchema,
  teamsSchema,
  updateTeamSchema,
} from './team.ts';
import { appendQuerySchema, createUploadSchema, uploadSchema } from './upload.ts';
import { savedViewsSchema } from './views.ts';

/**
 * If accepted (`Accept: application/json; view=full`), an update of any kind is answered with the object's view. Public
 * clients do not know the shapes of every kind there and get null. `Accept` rather than a header of ours: browsers
 * let it pass to other servers, and those that do not know it ignore it.
 */
export const fullViewType = 'application/json; view=full';

export type Policy = 'public' | 'bearer' | 'viewer';

export interface Endpoint {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** `{name}` marks a path parameter. */
  readonly path: string;
  /** Older addresses of the same endpoint, with the same parameters. */
  readonly aliases?: readonly string[];
  readonly policy: Policy;
  readonly query?: z.ZodMiniType;
  /** `binary`: bytes, unchanged. */
  readonly body?: z.ZodMiniType | 'binary';
  /** How large a body may be; absent: `small_body_bytes`. */
  readonly bodyLimit?: BodyLimit;
  readonly response: z.ZodMiniType | 'binary';
  /** For a binary answer; absent: `application/octet-stream`. */
  readonly mediaTypes?: readonly string[];
  /** The answer to programs that do not accept `fullViewType`, if that is less. */
  readonly plainResponse?: z.ZodMiniType;
  /** Ours beyond the documented API; named in `/sys/config.capabilities`. */
  readonly capability?: string;
}

const shareQuerySchema = schema.object({ share_id: schema._default(schema.string(), '') });
const tokenQuerySchema = schema.object({
  tokens: schema.optional(queryListSchema),
  deleted_key: schema._default(schema.string(), ''),
});

const accountQuerySchema = schema.object({
  accounts: schema.optional(queryListSchema),
  deleted_key: schema._default(schema.string(), ''),
});
const downloadQuerySchema = schema.object({
  /** Intended for running in the service's own cloud: ours returns the same package. */
  is_cloud: schema._default(queryBooleanSchema, false),
  fmt: schema._default(schema.enum(['zip', 'tar.gz']), 'zip'),
});
const arvizQuerySchema = schema.object({
  experiment_id: schema.string(),
  share_id: schema._default(schema.string(), ''),
});

export const endpoints = {
  listObjects: {
    method: 'GET',
    path: '/api/object',
    policy: 'bearer',
    query: listQuerySchema,
    response: objectPageSchema,
  },
  createObject: {
    method: 'POST',
    path: '/api/object',
    policy: 'bearer',
    body: createBodySchema,
    bodyLimit: 'body_bytes',
    response: listEntrySchema,
  },
  deleteObjects: {
    method: 'DELETE',
    path: '/api/object',
    policy: 'bearer',
    query: deleteQuerySchema,
    response: deletedKeySchema,
  },
  viewObject: {
    method: 'GET',
    path: '/api/object/{objid}',
    aliases: ['/api/object/share/{objid}'],
    policy: 'viewer',
    query: viewQuerySchema,
    response: viewSchema,
  },
  updateObject: {
    method: 'POST',
    path: '/api/object/{objid}',
    policy: 'bearer',
    body: updateBodySchema,
    bodyLimit: 'body_bytes',
    response: updateAnswerSchema,
    plainResponse: plainUpdateAnswerSchema,
  },
  deleteObject: {
    method: 'DELETE',
    path: '/api/object/{objid}',
    policy: 'bearer',
    query: deleteQuerySchema,
    response: deletedKeySchema,
  },
  invoke: {
    method: 'POST',
    path: '/invoke',
    aliases: ['/command'],
    policy: 'bearer',
    body: invokeSchema,
    bodyLimit: 'parameter_body_bytes',
    response: invokeResponseSchema,
  },
  viewDraws: {
    method: 'GET',
    path: '/api/draws/{objid}',
    policy: 'viewer',
    query: drawsQuerySchema,
    response: 'binary',
    capability: 'draws',
  },
  viewSummary: {
    method: 'GET',
    path: '/api/summary/{objid}',
    policy: 'viewer',
    query: shareQuerySchema,
    response: summarySchema,
    capability: 'summary',
  },
  viewLog: {
    method: 'GET',
    path: '/api/log/{objid}',
    policy: 'bearer',
    query: logQuerySchema,
    response: logRangeSchema,
    capability: 'log_range',
  },
  computeLogDensity: {
    method: 'POST',
    path: '/api/log-density/{objid}',
    policy: 'bearer',
    body: logDensityRequestSchema,
    bodyLimit: 'parameter_body_bytes',
    response: logDensitySchema,
    capability: 'log_density',
  },
  listVersions: {
    method: 'GET',
    path: '/api/versions/{objid}',
    policy: 'bearer',
    response: versionsSchema,
    capability: 'versions',
  },
  viewConfig: {
    method: 'GET',
    path: '/sys/config',
    policy: 'public',
    response: configSchema,
  },
  viewGallery: {
    method: 'GET',
    path: '/sys/gallery',
    policy: 'public',
    response: gallerySchema,
  },
  login: {
    method: 'POST',
    path: '/base/login',
    policy: 'public',
    body: loginSchema,
    response: tokensSchema,
  },
  openLink: {
    method: 'POST',
    path: '/base/login-link',
    policy: 'bearer',
    response: tokensSchema,
  },
  logout: {
    method: 'POST',
    path: '/base/logout',
    policy: 'bearer',
    response: schema.null(),
  },
  viewUser: {
    method: 'GET',
    path: '/base/user',
    policy: 'bearer',
    response: userSchema,
  },
  updateUser: {
    method: 'PUT',
    path: '/base/user',
    policy: 'bearer',
    body: updateUserSchema,
    response: userSchema,
  },
  listTokens: {
    method: 'GET',
    path: '/base/user/tokens',
    policy: 'bearer',
    response: schema.array(tokenSchema),
  },
  createToken: {
    method: 'POST',
    path: '/base/user/tokens',
    policy: 'bearer',
    body: createTokenSchema,
    response: tokenSchema,
  },
  updateToken: {
    method: 'PUT',
    path: '/base/user/token/{token_id}',
    policy: 'bearer',
    body: updateTokenSchema,
    response: tokenSchema,
  },
  deleteTokens: {
    method: 'DELETE',
    path: '/base/user/tokens',
    policy: 'bearer',
    query: tokenQuerySchema,
    response: deletedKeySchema,
  },
  download: {
    method: 'GET',
    path: '/download/{objid}',
    policy: 'bearer',
    query: downloadQuerySchema,
    response: 'binary',
    mediaTypes: ['application/zip', 'application/gzip'],
  },
  viewArvizData: {
    method: 'GET',
    path: '/sys/get-arviz-data',
    policy: 'viewer',
    query: arvizQuerySchema,
    response: 'binary',
    mediaTypes: ['application/x-tar'],
  },
  runProxy: {
    method: 'POST',
    path: '/run',
    policy: 'public',
    body: runProxySchema,
    bodyLimit: 'command_body_bytes',
    response: runProxyAnswerSchema,
  },
  listNotifications: {
    method: 'GET',
    path: '/api/notification',
    policy: 'bearer',
    query: notificationQuerySchema,
    response: pageSchema(notificationSchema),
  },
  markNotifications: {
    method: 'POST',
    path: '/api/notification/mark',
    policy: 'bearer',
    body: markNotificationsSchema,
    bodyLimit: 'command_body_bytes',
    response: schema.null(),
  },
  viewAuth0Config: {
    method: 'GET',
    path: '/base/auth0-config',
    policy: 'public',
    response: auth0ConfigSchema,
  },
  auth0Login: {
    method: 'POST',
    path: '/base/auth0-login',
    policy: 'public',
    response: tokensSchema,
  },
  exchangeCode: {
    method: 'POST',
    path: '/base/code2token',
    policy: 'bearer',
    body: codeSchema,
    response: accessTokenSchema,
  },
  viewAccessToken: {
    method: 'GET',
    path: '/base/access_token',
    policy: 'bearer',
    response: accessTokenSchema,
  },
  listLinkedAccounts: {
    method: 'GET',
    path: '/base/linked-account',
    policy: 'bearer',
    response: linkedAccountsSchema,
  },
  deleteLinkedAccounts: {
    method: 'DELETE',
    path: '/base/linked-account',
    policy: 'bearer',
    query: accountQuerySchema,
    response: deletedKeySchema,
  },
  beginSignIn: {
    method: 'POST',
    path: '/base/single-sign-on',
    policy: 'public',
    response: begunSignInSchema,
    capability: 'single_sign_on',
  },
  finishSignIn: {
    method: 'POST',
    path: '/base/single-sign-on/finish',
    policy: 'public',
    body: finishSignInSchema,
    response: finishedSignInSchema,
    capability: 'single_sign_on',
  },
  beginLink: {
    method: 'POST',
    path: '/base/single-sign-on/link',
    policy: 'bearer',
    response: begunSignInSchema,
    capability: 'single_sign_on',
  },
  signOutEverywhere: {
    method: 'POST',
    path: '/base/single-sign-on/logout',
    policy: 'bearer',
    response: endedSignInSchema,
    capability: 'single_sign_on',
  },
  listTeams: {
    method: 'GET',
    path: '/base/teams',
    policy: 'bearer',
    response: teamsSchema,
    capability: 'teams',
  },
  createTeam: {
    method: 'POST',
    path: '/base/teams',
    policy: 'bearer',
    body: createTeamSchema,
    bodyLimit: 'command_body_bytes',
    response: teamSchema,
    capability: 'teams',
  },
  updateTeam: {
    method: 'PUT',
    path: '/base/team/{team_id}',
    policy: 'bearer',
    body: updateTeamSchema,
    bodyLimit: 'command_body_bytes',
    response: teamSchema,
    capability: 'teams',
  },
  moveObject: {
    method: 'PUT',
    path: '/api/owner/{objid}',
    policy: 'bearer',
    body: moveObjectSchema,
    response: schema.null(),
    capability: 'teams',
  },
  viewSpace: {
    method: 'GET',
    path: '/base/space',
    policy: 'bearer',
    response: spaceSchema,
    capability: 'space',
  },
  freeSpace: {
    method: 'POST',
    path: '/base/space/free',
    policy: 'bearer',
    response: spaceSchema,
    capability: 'space',
  },
  viewSavedViews: {
    method: 'GET',
    path: '/base/views/{list}',
    policy: 'bearer',
    response: savedViewsSchema,
    capability: 'saved_views',
  },
  updateSavedViews: {
    method: 'PUT',
    path: '/base/views/{list}',
    policy: 'bearer',
    body: savedViewsSchema,
    response: savedViewsSchema,
    capability: 'saved_views',
  },
  viewQueue: {
    method: 'GET',
    path: '/api/queue',
    policy: 'bearer',
    response: queueSchema,
    capability: 'queue',
  },
  updateWorker: {
    method: 'POST',
    path: '/api/queue/worker/{worker_id}',
    policy: 'bearer',
    body: updateWorkerSchema,
    response: queueSchema,
    capability: 'queue',
  },
  updateQueueUser: {
    method: 'POST',
    path: '/api/queue/user',
    policy: 'bearer',
    body: updateQueueUserSchema,
    response: queueSchema,
    capability: 'queue',
  },
  listUploads: {
    method: 'GET',
    path: '/api/upload',
    policy: 'bearer',
    response: schema.array(uploadSchema),
    capability: 'uploads',
  },
  createUpload: {
    method: 'POST',
    path: '/api/upload',
    policy: 'bearer',
    body: createUploadSchema,
    response: uploadSchema,
    capability: 'uploads',
  },
  appendUpload: {
    method: 'PUT',
    path: '/api/upload/{upload_id}',
    policy: 'bearer',
    query: appendQuerySchema,
    body: 'binary',
    bodyLimit: 'upload_piece_bytes',
    response: uploadSchema,
    capability: 'uploads',
  },
  deleteUpload: {
    method: 'DELETE',
    path: '/api/upload/{upload_id}',
    policy: 'bearer',
    response: schema.null(),
    capability: 'uploads',
  },
} as const satisfies Record<string, Endpoint>;

export type EndpointName = keyof typeof endpoints;

/** The name of the limit on an endpoint's body, and on that of an unknown address. */
export const bodyLimitOf = (name: EndpointName | undefined): BodyLimit =>
  (name === undefined ? undefined : (endpoints[name] as Endpoint).bodyLimit) ?? 'small_body_bytes';
