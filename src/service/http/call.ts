/** What a handler receives and returns, typed by the endpoint's row in the contract. */
import type { FastifyReply } from 'fastify';
import type * as z from 'zod/mini';
import type { EndpointName, endpoints } from '../../contract/endpoints.ts';
import type { Prepared } from './prepared.ts';
import type { UserBytes } from './user-bytes.ts';

type Table = typeof endpoints;

/** A signed-in user. */
export interface User {
  readonly id: number;
  readonly name: string;
  readonly isSuper: boolean;
  readonly roles: readonly string[];
  /** Ids of the teams they are in, whose objects are theirs too. */
  readonly teams: readonly number[];
  readonly tokenId: number;
  /** Id of the one experiment a run's own token opens; null for tokens of people. */
  readonly scope: string | null;
  /** Ids that such a token may also view: what the run uses. */
  readonly sources?: readonly string[];
}

/** The caller: a user or anonymous, perhaps with a share's password, and an address. */
export interface Viewer {
  readonly user: User | null;
  /** From `X-Share-Password`; null when absent. */
  readonly sharePassword: string | null;
  /** The caller's address, for attempt limits. */
  readonly address: string;
}

type ParamNames<P> = P extends `${string}{${infer Name}}${infer Rest}`
  ? Name | ParamNames<Rest>
  : never;
type QueryOf<E> = E extends { readonly query: infer Q extends z.ZodMiniType }
  ? z.output<Q>
  : undefined;
/** A binary body arrives in blocks, as collected. */
type BodyOf<E> = E extends { readonly body: infer B }
  ? B extends z.ZodMiniType
    ? z.output<B>
    : readonly Uint8Array[]
  : undefined;

export interface Call<N extends EndpointName> {
  readonly params: { readonly [K in ParamNames<Table[N]['path']>]: string };
  readonly query: QueryOf<Table[N]>;
  readonly body: BodyOf<Table[N]>;
  /** The parts of a large body that were already read in a thread. */
  readonly prepared: Prepared;
  readonly viewer: Viewer;
  /** Never null where the policy is `bearer`. */
  readonly user: Table[N]['policy'] extends 'bearer' ? User : User | null;
  /** The caller accepts `fullViewType`. */
  readonly acceptsFullView: boolean;
  /** The service's address as the caller sees it, without trailing slash: for links. */
  readonly baseUrl: string;
  /** For responses that are not only JSON. */
  readonly reply: FastifyReply;
}

/** `data` of the envelope, or the bytes of a binary endpoint, either as they are or as a named file. */
export type Answer<N extends EndpointName> = Table[N]['response'] extends infer R
  ? R extends z.ZodMiniType
    ? z.input<R>
    : Uint8Array | UserBytes
  : never;

export type Handler<N extends EndpointName> = (call: Call<N>) => Promise<Answer<N>>;
export type Handlers = { readonly [N in EndpointName]: Handler<N> };

/** A handler without its specific types, as the generic registration calls it. */
export type AnyHandler = (call: Call<EndpointName>) => Promise<unknown>;
