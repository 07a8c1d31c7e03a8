/** The process of the service: its supervisor sends what to serve; it shuts down on request or when left alone. */

import { setFlagsFromString } from 'node:v8';
import { endAfterFault } from './last-resort.ts';
import { createLogger } from './logging.ts';
import { readVersion } from './read-version.ts';
import { type Service, serve } from './serve.ts';
import type { FromService, ServiceSettings, ToService } from './service-messages.ts';
import { StartError } from './start-error.ts';
import { startTracing } from './tracing/start-tracing.ts';

/** The process exits after this time in any case; its supervisor is gone, and PostgreSQL waits for this exit. */
const ALONE_MS = 15_000;

// The terminal is for the ready line: by default, only problems are logged.
const logger = createLogger({ level: process.env.ERGODIC_LOG_LEVEL || 'warn' });
let starting: Promise<Service> | null = null;
let stopTracing = async () => {};

function say(text: string): void {
  process.stderr.write(`${text}\n`);
}

/** Resolves when the message was sent, or cannot be sent. */
function send(message: FromService): Promise<void> {
  return new Promise((resolve) => {
    if (!process.connected || process.send === undefined) resolve();
    else process.send(message, () => resolve());
  });
}

async function start(settings: ServiceSettings): Promise<void> {
  starting = begin(settings);
  try {
    const { url, port, signInLink } = await starting;
    await send({ type: 'ready', ready: { url, port, signInLink } });
  } catch (error) {
    say(error instanceof StartError ? error.message : String((error as Error)?.stack ?? error));
    await send({ type: 'refused' });
    process.exit(1);
  }
}

async function begin(settings: ServiceSettings): Promise<Service> {
  stopTracing = await startTracing({ name: 'ergodic-service', version: readVersion(), logger });
  return serve({ ...settings, logger, say });
}

async function stop(): Promise<void> {
  const service = await starting?.catch(() => null);
  await service?.stop();
  await stopTracing();
}

// The heap may double until the next collection. V8 counts the bytes of arrays as part of it, and would mark all of its
// thirty megabytes again after every eight that are read: a third of the time of a large summary, and it would hold as much.
setFlagsFromString('--heap-growing-percent=100');
endAfterFault(logger, stop);
process.on('message', (message: ToService) => {
  if (message.type === 'start') void start(message.settings);
  else void stop().finally(() => process.exit(0));
});
process.on('disconnect', () => {
  setTimeout(() => process.exit(1), ALONE_MS);
  void stop().finally(() => process.exit(1));
});
// Ctrl-C and closing the terminal signal the entire process group; the supervisor says when to stop.
for (const signal of ['SIGINT', 'SIGHUP'] as const) process.on(signal, () => {});
process.on('SIGTERM', () => void send({ type: 'terminate' }));
