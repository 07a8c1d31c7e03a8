/**
 * Spans of OpenTelemetry as the rest of the service makes them. Until tracing is started (`tracing/`) nothing is loaded,
 * and each function here is just the work it is given. Which span is at hand follows the asynchronous context, so it is
 * the one thing kept in a module instead of being passed on.
 */
import type { Attributes } from '@opentelemetry/api';

export interface SpanOptions {
  /** As OpenTelemetry has it; `internal` when absent. */
  readonly kind?: 'internal' | 'server' | 'client' | 'producer' | 'consumer';
  /** Numbers, ids and names of ours: never a text, token or password of a user. */
  readonly attributes?: Attributes;
  /** W3C `traceparent` of the span that it belongs to; null: a trace begins; absent: the span at hand. */
  readonly parent?: string | null;
  /** Milliseconds since it began; 0 when absent. */
  readonly sinceMs?: number;
}

export interface OpenSpan {
  set(attributes: Attributes): void;
  /** `fault`: which kind of error ended it, never the error's text. */
  end(fault?: string): void;
  /** Does the work with this span at hand. */
  run<T>(work: () => T): T;
}

/** Which span is at hand, as log lines name it. */
export interface TraceFields {
  readonly trace_id: string;
  readonly span_id: string;
}

export interface Tracing {
  open(name: string, options: SpanOptions): OpenSpan;
  /** Null: none. */
  fields(): TraceFields | null;
  /** Whether a span is at hand that has not ended and will be sent. */
  isRecording(): boolean;
  set(attributes: Attributes): void;
  traceParent(): string | null;
  outside<T>(work: () => T): T;
}

const noSpan: OpenSpan = { set() {}, end() {}, run: (work) => work() };
let tracing: Tracing | null = null;

/** Null: there is no tracing any more. */
export function setTracing(started: Tracing | null): void {
  tracing = started;
}

export const isTracing = (): boolean => tracing !== null;

/** A span that its caller ends. */
export function openSpan(name: string, options: SpanOptions = {}): OpenSpan {
  return tracing === null ? noSpan : tracing.open(name, options);
}

/** A span around `work`, ended as that ends. */
export async function inSpan<T>(
  name: string,
  options: SpanOptions,
  work: (span: OpenSpan) => Promise<T>,
): Promise<T> {
  if (tracing === null) return work(noSpan);
  const span = tracing.open(name, options);
  try {
    const result = await span.run(() => work(span));
    span.end();
    return result;
  } catch (error) {
    span.end(faultOf(error));
    throw error;
  }
}

/** The same, only within a span that is being recorded: what is done by itself all the time begins no traces. */
export async function inChildSpan<T>(
  name: string | (() => string),
  options: SpanOptions,
  work: (span: OpenSpan) => Promise<T>,
): Promise<T> {
  if (tracing === null || !tracing.isRecording()) return work(noSpan);
  return inSpan(typeof name === 'string' ? name : name(), options, work);
}

/** Adds to the span at hand. */
export function setSpanAttributes(attributes: Attributes): void {
  tracing?.set(attributes);
}

/** Of the span at hand, for work that goes on in another process; null: none. */
export const currentTraceParent = (): string | null => tracing?.traceParent() ?? null;

/** For what a request happens to start and what lives on behind it. */
export const outsideTrace = <T>(work: () => T): T =>
  tracing === null ? work() : tracing.outside(work);

export const traceFields = (): TraceFields | object => tracing?.fields() ?? {};

/** A code or the name of a class; messages may quote users. */
export function faultOf(error: unknown): string {
  const { code, name } = (error ?? {}) as { code?: unknown; name?: unknown };
  const known = [code, name].find((one) => typeof one === 'string' && /^[\w.-]{1,60}$/.test(one));
  return typeof known === 'string' ? known : 'error';
}
