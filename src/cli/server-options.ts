/** Options of commands that speak to a running service, and the client for it. */
import { readFileSync } from 'node:fs';
import type { Command } from 'commander';
import { ApiError } from '../client/api-error.ts';
import { type Client, createClient } from '../client/create-client.ts';
import { StartError } from '../service/start-error.ts';

export interface ServerOptions {
  readonly server: string;
  readonly tokenFile?: string;
}

/** Files may be large and lines slow: what one call may take. */
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

/** Throws `StartError` when there is no token or the address is none. */
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

/** What the service refuses, the operator can fix; anything else is a bug. */
export async function explainFailure<T>(server: string, call: Promise<T>): Promise<T> {
  try {
    return await call;
  } catch (error) {
    if (error instanceof StartError) throw error;
    const { kind, message } = ApiError.from(error);
    if (kind === 'http') throw new StartError(message);
    if (kind === 'network' || kind === 'timeout')
      throw new StartError(`No answer from ${server}: ${message}`);
    throw error;
  }
}
