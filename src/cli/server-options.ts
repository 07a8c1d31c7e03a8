/** Options of commands that talk to a running service, and their client. */
import { readFileSync } from 'node:fs';
import type { Command } from 'commander';
import { ApiError } from '../client/api-error.ts';
import { type Client, createClient } from '../client/create-client.ts';
import { StartError } from '../service/start-error.ts';

export interface ServerOptions {
  readonly server: string;
  readonly tokenFile?: string;
}

/** Time limit of one call: files may be large and connections slow. */
const timeoutMs = 600_000;

export function addServerOptions(command: Command): Command {
  return command
    .option(
      '--server <URL>',
      'the service (or ERGODIC_SERVER)',
      process.env.ERGODIC_SERVER ?? 'http://127.0.0.1:8650',
    )
    .option(
      '--token-file <FILE>',
      'file that contains the API token, - for stdin (or set ERGODIC_TOKEN)',
    );
}

/** Throws `StartError` if there is no token or the address is invalid. */
export function connectServer(
  { server, tokenFile }: ServerOptions,
  callTimeoutMs = timeoutMs,
): Client {
  if (!/^https?:\/\/[^/]/.test(server))
    throw new StartError(
      `--server must be an address like http://127.0.0.1:8650, not "${server}".`,
    );
  return createClient({
    baseUrl: server,
    token: readToken(tokenFile),
    fetch,
    timeoutMs: callTimeoutMs,
  });
}

function readToken(file: string | undefined): string {
  if (file === undefined) {
    const token = process.env.ERGODIC_TOKEN ?? '';
    if (token !== '') return token;
    throw new StartError(
      'An API token is needed: set ERGODIC_TOKEN or --token-file (ergodic token creates one).',
    );
  }
  try {
    return readFileSync(file === '-' ? 0 : file, 'utf8').trim();
  } catch (error) {
    throw new StartError(`The token cannot be read: ${(error as Error).message}.`);
  }
}

/** The operator can fix what the service rejects, or that it does not answer; anything else is a bug. */
export async function explainFailure<T>(server: string, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof ApiError || isFetchFailure(error))) throw error;
    const { kind, message } = ApiError.from(error);
    if (kind === 'http') throw new StartError(message);
    if (kind === 'network' || kind === 'timeout')
      throw new StartError(`No answer from ${server}: ${message}`);
    throw error;
  }
}

/** `fetch` throws the same type as code with a mistake in it, but with the cause. */
const isFetchFailure = (error: unknown): boolean =>
  error instanceof TypeError && error.cause !== undefined;
