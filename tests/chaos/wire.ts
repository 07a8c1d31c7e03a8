/** What people send over HTTP: anything not answered with success or a proper refusal is in doubt. */
import http from 'node:http';

export interface Person {
  readonly name: string;
  readonly token: string;
}

export interface Answer {
  readonly status: number;
  readonly bytes: Buffer;
  /** `data` of the envelope; null for other answers. */
  readonly data: unknown;
  readonly code: string;
  readonly message: string;
}

export interface Sent {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly path: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

const timeoutMs = 60_000;
/** How long a client keeps retrying when the service cannot answer. */
const patienceMs = 120_000;

export class Wire {
  /** Answers that no client should get: status 500, and envelopes that cannot be read. */
  readonly improper: string[] = [];
  readonly counts = { answered: 0, inDoubt: 0 };
  /** Set by callers that measure how long answers took. */
  onAnswer: (ms: number) => void = () => {};
  /** Set by callers that report why there was no answer. */
  onLost: (reason: string) => void = () => {};
  private readonly agent = new http.Agent({ keepAlive: true, maxSockets: 512 });

  /** `port`: where people connect to; `host`: what the service calls itself. */
  constructor(
    readonly port: number,
    readonly host: string,
  ) {}

  close(): void {
    this.agent.destroy();
  }

  /** Null: it is unknown whether it was carried out. */
  async send(person: Person | null, sent: Sent): Promise<Answer | null> {
    const since = performance.now();
    const answer = await this.exchange(person, sent).catch((error: NodeJS.ErrnoException) => {
      this.onLost(error.code ?? error.message);
      return null;
    });
    if (answer?.status === 503) this.onLost(`503 ${answer.code} ${answer.message}`);
    // a 503 may have occurred at the very end of a transaction
    if (answer === null || answer.status === 503) {
      this.counts.inDoubt += 1;
      return null;
    }
    this.counts.answered += 1;
    this.onAnswer(performance.now() - since);
    if (answer.status >= 500) {
      this.improper.push(
        `${sent.method} ${sent.path}: ${answer.status} ${answer.code} ${answer.message}`,
      );
      return null;
    }
    return answer;
  }

  /** Retries until there is an answer; for idempotent requests. Throws if there is none for minutes. */
  async ask(
    person: Person | null,
    sent: Sent,
    isOver: () => boolean = () => false,
  ): Promise<Answer> {
    const since = performance.now();
    for (;;) {
      const answer = await this.send(person, sent);
      if (answer !== null) return answer;
      if (isOver()) throw new Error('the people have gone');
      if (performance.now() - since > patienceMs)
        throw new Error(`no answer for ${patienceMs / 1000} s: ${sent.method} ${sent.path}`);
      await new Promise((resolve) => setTimeout(resolve, 150));
    }
  }

  private exchange(
    person: Person | null,
    { method, path, body, headers = {} }: Sent,
  ): Promise<Answer> {
    const payload =
      body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body);
    return new Promise((resolve, reject) => {
      const request = http.request(
        {
          port: this.port,
          host: '127.0.0.1',
          agent: this.agent,
          method,
          path,
          timeout: timeoutMs,
          headers: {
            host: this.host,
            ...(person === null ? {} : { authorization: `Bearer ${person.token}` }),
            ...(payload === undefined
              ? {}
              : {
                  'content-type': 'application/json',
                  'content-length': String(Buffer.byteLength(payload)),
                }),
            ...headers,
          },
        },
        (response) => {
          const parts: Buffer[] = [];
          response.on('data', (part: Buffer) => parts.push(part));
          response.on('error', reject);
          response.on('close', () => {
            if (!response.complete) reject(new Error('the answer was cut'));
            else resolve(readAnswer(response.statusCode ?? 0, Buffer.concat(parts)));
          });
        },
      );
      request.on('timeout', () => request.destroy(new Error('timeout')));
      request.on('error', reject);
      request.end(payload);
    });
  }
}

function readAnswer(status: number, bytes: Buffer): Answer {
  let envelope: { data?: unknown; code?: string; message?: string } = {};
  if (bytes[0] === 0x7b) {
    try {
      envelope = JSON.parse(bytes.toString('utf8')) as typeof envelope;
    } catch {
      // Some files begin with a brace, too.
    }
  }
  const { data = null, code = '', message = '' } = envelope;
  return { status, bytes, data, code, message };
}
