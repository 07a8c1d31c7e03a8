/** Frames on the pipes between a guest process and its parent: length, length of the JSON part, JSON, bytes. */

/** Time and size limits of one call; the parent enforces them too. */
export interface GuestLimits {
  readonly milliseconds: number;
  /** Limit on the guest's own memory. */
  readonly memoryBytes: number;
  /** Limit on the answer as JSON text. */
  readonly answerBytes: number;
  readonly logBytes: number;
  /** Reads of runs and data in one call, and the total bytes they may return. */
  readonly reads: number;
  readonly readBytes: number;
}

export interface GuestProgram {
  /** Texts of the files, by path. */
  readonly files: Readonly<Record<string, string>>;
  /** Path of the file with the default export (or export `run`) to call. */
  readonly entrance: string;
  /** `function`: (parameters, ergodic). `data`: (workflow, data), the two members of the parameters. */
  readonly form: 'function' | 'data';
  /** JSON text; for a data script as `markNumbers` writes it. */
  readonly parameters: string;
}

export interface GuestRead {
  readonly what: 'experiment' | 'draws' | 'summary' | 'data';
  readonly id: string;
  readonly options: Readonly<Record<string, unknown>>;
}

/** `kind`: where the fault is. `guest`: the program threw; `limit`: it exceeded a limit. */
export interface GuestFailure {
  readonly kind: 'guest' | 'limit';
  readonly message: string;
  readonly file: string | null;
  /** 1-based; 0 when not known. */
  readonly line: number;
  readonly stack: string;
}

export type ToGuest =
  | { readonly type: 'run'; readonly program: GuestProgram; readonly limits: GuestLimits }
  /** Answers a read; `json` is text, the bytes of the frame are float64 columns or a file. */
  | { readonly type: 'answer'; readonly json: string }
  | { readonly type: 'refuse'; readonly code: string; readonly message: string };

export type FromGuest =
  | { readonly type: 'ready' }
  | { readonly type: 'read'; readonly read: GuestRead }
  | { readonly type: 'log'; readonly text: string }
  /** The answer is JSON text in the bytes of the frame: parsing it twice would take long. */
  | { readonly type: 'done' }
  | { readonly type: 'failed'; readonly failure: GuestFailure };

export interface Frame<T> {
  readonly message: T;
  readonly bytes: Uint8Array;
}

const nothing = new Uint8Array(0);
export const HEADER_BYTES = 8;

export function encodeFrame(message: ToGuest | FromGuest, bytes: Uint8Array = nothing): Buffer {
  return Buffer.concat([encodeHead(message, bytes.length), bytes]);
}

/** A frame without its bytes: large ones are written after it instead of being copied. */
export function encodeHead(message: ToGuest | FromGuest, numBytes: number): Buffer {
  const json = Buffer.from(JSON.stringify(message));
  const header = Buffer.alloc(HEADER_BYTES);
  header.writeUInt32LE(json.length + numBytes, 0);
  header.writeUInt32LE(json.length, 4);
  return Buffer.concat([header, json]);
}

/** Lengths of the body and of its JSON part. */
export function decodeHeader(header: Buffer): { body: number; json: number } {
  return { body: header.readUInt32LE(0), json: header.readUInt32LE(4) };
}

export function decodeBody<T>(body: Buffer, json: number): Frame<T> {
  const message = JSON.parse(body.toString('utf8', 0, json)) as T;
  return { message, bytes: body.subarray(json) };
}

/** Splits a stream of chunks into frames. Throws when a frame would be longer than `maxBytes`. */
export class FrameReader<T> {
  private chunks: Buffer[] = [];
  private size = 0;
  /** Length of the first frame in bytes; until it is known, the length of its header. */
  private needed = HEADER_BYTES;

  constructor(private readonly maxBytes: number) {}

  push(chunk: Buffer): Frame<T>[] {
    this.chunks.push(chunk);
    this.size += chunk.length;
    const frames: Frame<T>[] = [];
    // chunks are joined only once a frame is complete: joining at each chunk would copy a long frame hundreds of times
    while (this.size >= this.needed) {
      const all = this.join();
      const { body, json } = decodeHeader(all);
      if (body > this.maxBytes || json > body) throw new RangeError('a frame is too long');
      this.needed = HEADER_BYTES + body;
      if (this.size < this.needed) break;
      frames.push(decodeBody<T>(all.subarray(HEADER_BYTES, this.needed), json));
      const rest = all.subarray(this.needed);
      this.needed = HEADER_BYTES;
      this.chunks = rest.length === 0 ? [] : [rest];
      this.size = rest.length;
    }
    return frames;
  }

  private join(): Buffer {
    const [first] = this.chunks;
    if (first !== undefined && this.chunks.length === 1) return first;
    const whole = Buffer.concat(this.chunks);
    this.chunks = [whole];
    return whole;
  }
}

/** The message for exceeding a time limit, sent by the guest if it notices, otherwise by its parent. */
export const overTimeMessage = (milliseconds: number): string =>
  `It took longer than the allowed ${milliseconds / 1000} s.`;
