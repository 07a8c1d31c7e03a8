/** Signing in, the user, and API tokens. */
import * as z from 'zod/mini';
import { dateTime, integer, optionalDateTime, optionalText } from './common.ts';

export const minPasswordLength = 8;

export const loginSchema = z.object({ username: z.string(), password: z.string() });
export const tokensSchema = z.object({ tokens: z.array(z.string()) });

export const userSchema = z.object({
  id: integer,
  /** `name(@id)`; exactly what a share's `target_user` accepts. */
  username: z.string(),
  super: z.boolean(),
  roles: z.array(z.string()),
  is_github_user: z._default(z.boolean(), false),
  // Ours:
  /** False for the first user until a password is set: `PUT /base/user` then accepts an empty `password`. */
  has_password: z.optional(z.boolean()),
  /** The account was created for a person of the identity provider, and accepts no password. */
  is_provided: z.optional(z.boolean()),
  /** `name(@id)` of the user's teams; absent: none. */
  teams: z.optional(z.array(z.string())),
});
export type User = z.infer<typeof userSchema>;

export const updateUserSchema = z.object({
  password: z.optional(z.nullable(z.string())),
  new_password: z.optional(z.nullable(z.string())),
});

/** `token` is complete only in the answer that creates it, later `erg_` + 6 characters + `…`. */
export const tokenSchema = z.object({
  id: integer,
  token: z.string(),
  token_name: z.string(),
  token_desc: z.string(),
  token_expire: dateTime,
  // Ours:
  created_at: z.optional(dateTime),
  last_used_at: optionalDateTime,
});
export type Token = z.infer<typeof tokenSchema>;

export const createTokenSchema = z.object({
  name: z._default(z.string().check(z.maxLength(255)), ''),
  desc: z._default(z.string().check(z.maxLength(2048)), ''),
  /** Default: a week from now. A time in the past is accepted: that token opens nothing. */
  expire: optionalText,
});
export const updateTokenSchema = z.object({
  name: optionalText,
  desc: optionalText,
  expire: optionalText,
});

export const deletedKeySchema = z.object({ deleted_key: z.nullable(z.string()) });
