/** What a guest process and its parent write to each other's pipes: length, length of the JSON part, JSON, bytes. */

/** Time and size bounds of one call; the parent enforces them too. */
export interface GuestLimits {
  readonly milliseconds: number;
  /** Of the guest's own memory. */
  readonly memoryBytes: number;
  /** Of the answer as JSON text. */
  readonly answerBytes: number;
  readonly logBytes: number;
  /** Reads of runs and data in one call, and the bytes they may bring together. */
  readonly reads: number;
  readonly readBytes: number;
}

export interface GuestProgram {
  /** Texts of the tree by path. */
  readonly files: Readonly<Record<string, string>>;
  /** Path of the file whose default export (or export `run`) is called. */
  readonly entrance: string;
  /** `function`: (parameters, ergodic). `data`: (workflow, data), the two members of the parameters. */
  readonly form: 'function' | 'data';
  /** JSON text; of a data script with `markNumbers`. */
  readonly parameters: string;
}

export interface GuestRead {
  readonly what: 'experiment' | 'draws' | 'summary' | 'data';
  readonly id: string;
  readonly options: Readonly<Record<string, unknown>>;
}

/** `kind`: who is at fault. `guest`: what the program threw; `limit`: a bound it ran into. */
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
  /** The answer is JSON text in the bytes of the frame: parsing it twice takes long. */
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

/** A frame without its bytes: large ones are written behind it instead of being copied. */
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

/** Cuts a stream of chunks into frames. Throws when a frame would be longer than `maxBytes`. */
export class FrameReader<T> {
  private chunks: Buffer[] = [];
  private size = 0;
  /** Bytes that the frame at the front takes; until it is known, those of its header. */
  private needed = HEADER_BYTES;

  constructor(private readonly maxBytes: number) {}

  push(chunk: Buffer): Frame<T>[] {
    this.chunks.push(chunk);
    this.size += chunk.length;
    const frames: Frame<T>[] = [];
    // chunks are joined when a frame is whole: joined at each, a long one would be copied hundreds of times
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

/** The message for a limit of time, given by the guest when it notices and by its parent when it does not. */
export const overTimeMessage = (milliseconds: number): string =>
  `It took longer than the allowed ${milliseconds / 1000} s.`;
