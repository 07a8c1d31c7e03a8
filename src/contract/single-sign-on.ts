/**
 * Signing in with an OpenID Connect provider (ours): the page asks where to go, returns with what the provider added to
 * its address, and gets a token as for a password. The state in between is stored by the service and by the tab.
 */
import * as z from 'zod/mini';

export const begunSignInSchema = z.object({
  /** Of the provider. */
  url: z.string(),
  /** Kept by the tab that began, and sent to finish: a link from elsewhere signs nobody in. */
  browser_key: z.string(),
});
export type BegunSignIn = z.infer<typeof begunSignInSchema>;

export const finishSignInSchema = z.object({
  browser_key: z.string(),
  /** `?code=…&state=…`, as the provider wrote it. */
  query: z.string(),
});

export const finishedSignInSchema = z.object({
  /** Empty if an account was linked. */
  tokens: z.array(z.string()),
  linked: z.boolean(),
});
export type FinishedSignIn = z.infer<typeof finishedSignInSchema>;

/** `url`: where to end the session at the provider; null: there is none to end. */
export const endedSignInSchema = z.object({ url: z.nullable(z.string()) });

/** The choices on the sign-in page. */
export const signInWaysSchema = z.object({
  /** The provider's name; null: there is none. */
  provider: z.nullable(z.string()),
  /** False: passwords are refused. */
  passwords: z.boolean(),
  /** Why the provider cannot be used at present. */
  problem: z.nullable(z.string()),
});
export type SignInWays = z.infer<typeof signInWaysSchema>;
