/** OpenTelemetry for the spans of the service: sent as OTLP in the background, dropped if no collector takes them. */
import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import {
  context,
  DiagLogLevel,
  diag,
  propagation,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import {
  defaultResource,
  detectResources,
  envDetector,
  type Resource,
  resourceFromAttributes,
} from '@opentelemetry/resources';
import { BatchSpanProcessor, NodeTracerProvider } from '@opentelemetry/sdk-trace-node';
import type { Logger } from '../logging.ts';
import type { OpenSpan, SpanOptions, Tracing } from '../spans.ts';

export interface TracingOptions {
  /** The name of this process in traces, unless OTEL_SERVICE_NAME is set. */
  readonly name: string;
  readonly version: string;
  readonly logger: Logger;
}

export interface StartedTracing {
  readonly tracing: Tracing;
  /** Sends the remaining spans if that is quick. */
  stop(): Promise<void>;
}

/** Remaining spans are dropped after this time: a collector must not hold up a shutdown. */
const STOP_MS = 2000;
/** Time between two log lines that report lost traces. */
const QUIET_MS = 60_000;

/** Endpoint, headers, sampler, limits and queue: from the `OTEL_…` variables, as OpenTelemetry specifies them. */
export function startOpenTelemetry(options: TracingOptions): StartedTracing {
  reportFaults(options.logger);
  const provider = new NodeTracerProvider({
    resource: describeProcess(options),
    spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter())],
  });
  provider.register();
  return {
    tracing: createTracing(provider.getTracer('ergodic', options.version)),
    async stop() {
      let timer: NodeJS.Timeout | undefined;
      const timeUp = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, STOP_MS);
      });
      // the failure to send was reported already
      await Promise.race([provider.shutdown().catch(() => {}), timeUp]);
      clearTimeout(timer);
      trace.disable();
      context.disable();
      propagation.disable();
      diag.disable();
    },
  };
}

function describeProcess({ name, version }: TracingOptions): Resource {
  const ours = resourceFromAttributes({
    'service.name': name,
    'service.version': version,
    'service.instance.id': randomUUID(),
    'host.name': hostname(),
    'process.pid': process.pid,
  });
  return defaultResource()
    .merge(ours)
    .merge(detectResources({ detectors: [envDetector] }));
}

/** Messages of the library, as lines of our log; an unavailable collector is mentioned once a minute. */
function reportFaults(logger: Logger): void {
  let saidAt = Number.NEGATIVE_INFINITY;
  const warn = (text: string) => {
    if (performance.now() - saidAt < QUIET_MS) return;
    saidAt = performance.now();
    logger.warn({ reason: reasonIn(text) }, 'traces are not sent as they should be');
  };
  const silent = () => {};
  const levels = { error: warn, warn, info: silent, debug: silent, verbose: silent };
  diag.setLogger(levels, { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true });
}

/** Errors arrive as JSON with their stack. */
function reasonIn(text: string): string {
  try {
    return ((JSON.parse(text) as { message?: string }).message ?? '').slice(0, 200);
  } catch {
    return text.slice(0, 200);
  }
}

const kinds = {
  internal: SpanKind.INTERNAL,
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  producer: SpanKind.PRODUCER,
  consumer: SpanKind.CONSUMER,
};

function createTracing(tracer: Tracer): Tracing {
  return {
    open: (name, options) => openSpan(tracer, name, options),
    fields() {
      const at = trace.getActiveSpan()?.spanContext();
      return at === undefined ? null : { trace_id: at.traceId, span_id: at.spanId };
    },
    isRecording: () => trace.getActiveSpan()?.isRecording() === true,
    set(attributes) {
      trace.getActiveSpan()?.setAttributes(attributes);
    },
    traceParent() {
      const carrier: { traceparent?: string } = {};
      propagation.inject(context.active(), carrier);
      return carrier.traceparent ?? null;
    },
    outside: (work) => context.with(ROOT_CONTEXT, work),
  };
}

function openSpan(
  tracer: Tracer,
  name: string,
  { kind = 'internal', attributes, parent, sinceMs = 0 }: SpanOptions,
): OpenSpan {
  const within =
    parent === undefined
      ? context.active()
      : propagation.extract(ROOT_CONTEXT, parent === null ? {} : { traceparent: parent });
  const startTime = sinceMs > 0 ? Date.now() - sinceMs : undefined;
  const span = tracer.startSpan(name, { kind: kinds[kind], attributes, startTime }, within);
  const inside = trace.setSpan(within, span);
  return {
    set(more) {
      span.setAttributes(more);
    },
    end(fault) {
      if (fault !== undefined) {
        span.setAttribute('error.type', fault);
        span.setStatus({ code: SpanStatusCode.ERROR });
      }
      span.end();
    },
    run: (work) => context.with(inside, work),
  };
}
