/**
 * Accounts of identity providers and code hosts. Our service links none: its answers are empty, in the shapes
 * clients know.
 */
import * as z from 'zod/mini';

export const auth0ConfigSchema = z.object({ Domain: z.string(), ClientID: z.string() });
export const accessTokenSchema = z.object({ access_token: z.nullable(z.string()) });
export const codeSchema = z.object({ code: z._default(z.string(), '') });
export const linkedAccountsSchema = z.object({
  linked_accounts: z.array(z.object({ account: z.string(), type: z.string() })),
});
