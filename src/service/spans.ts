/**
 * OpenTelemetry spans for the rest of the service. Until tracing is started (`tracing/`), nothing is loaded, and each
 * function here only calls the work it is given. The current span follows the asynchronous context, so it is the only
 * thing stored in a module instead of being passed as an argument.
 */
import type { Attributes } from '@opentelemetry/api';

export interface SpanOptions {
  /** OpenTelemetry's kind of the span; `internal` when absent. */
  readonly kind?: 'internal' | 'server' | 'client' | 'producer' | 'consumer';
  /** Only our own numbers, ids and names: never a user's text, token or password. */
  readonly attributes?: Attributes;
  /** W3C `traceparent` of the parent span; null: starts a trace; absent: the current span is the parent. */
  readonly parent?: string | null;
  /** Milliseconds since it started; 0 when absent. */
  readonly sinceMs?: number;
}

export interface OpenSpan {
  set(attributes: Attributes): void;
  /** `fault`: the kind of error that ended it, never the error's text. */
  end(fault?: string): void;
  /** Does the work with this span as the current one. */
  run<T>(work: () => T): T;
}

/** The current span, in the form for log lines. */
export interface TraceFields {
  readonly trace_id: string;
  readonly span_id: string;
}

export interface Tracing {
  open(name: string, options: SpanOptions): OpenSpan;
  /** Null: none. */
  fields(): TraceFields | null;
  /** Whether there is a current span that has not ended and will be sent. */
  isRecording(): boolean;
  set(attributes: Attributes): void;
  traceParent(): string | null;
  outside<T>(work: () => T): T;
}

const noSpan: OpenSpan = { set() {}, end() {}, run: (work) => work() };
let tracing: Tracing | null = null;

/** Null: turns tracing off. */
export function setTracing(started: Tracing | null): void {
  tracing = started;
}

export const isTracing = (): boolean => tracing !== null;

/** A span that its caller ends. */
export function openSpan(name: string, options: SpanOptions = {}): OpenSpan {
  return tracing === null ? noSpan : tracing.open(name, options);
}

/** A span around `work`, which ends with it. */
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

/** Like inSpan, but only within a recorded span: background work that repeats constantly starts no traces. */
export async function inChildSpan<T>(
  name: string | (() => string),
  options: SpanOptions,
  work: (span: OpenSpan) => Promise<T>,
): Promise<T> {
  if (tracing === null || !tracing.isRecording()) return work(noSpan);
  return inSpan(typeof name === 'string' ? name : name(), options, work);
}

/** Adds to the current span. */
export function setSpanAttributes(attributes: Attributes): void {
  tracing?.set(attributes);
}

/** The `traceparent` of the current span, for work that continues in another process; null: none. */
export const currentTraceParent = (): string | null => tracing?.traceParent() ?? null;

/** For work that a request happens to start but that outlives it. */
export const outsideTrace = <T>(work: () => T): T =>
  tracing === null ? work() : tracing.outside(work);

export const traceFields = (): TraceFields | object => tracing?.fields() ?? {};

/** A code or the name of a class; messages may contain user data. */
export function faultOf(error: unknown): string {
  const { code, name } = (error ?? {}) as { code?: unknown; name?: unknown };
  const known = [code, name].find((one) => typeof one === 'string' && /^[\w.-]{1,60}$/.test(one));
  return typeof known === 'string' ? known : 'error';
}
