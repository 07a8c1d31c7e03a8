/** Decides from OpenTelemetry's variables whether this process sends traces, and only then loads the library. */
import type { Logger } from '../logging.ts';
import { setTracing } from '../spans.ts';

type Environment = Readonly<Record<string, string | undefined>>;

export interface StartTracingOptions {
  /** The name of this process unless OTEL_SERVICE_NAME is set. */
  readonly name: string;
  readonly version: string;
  readonly logger: Logger;
  readonly environment?: Environment;
}

/** Only if a collector is named: otherwise traces would slow down each start for nothing. */
export function wantsTraces(environment: Environment): boolean {
  const of = (name: string) => environment[name]?.trim() ?? '';
  const endpoint = of('OTEL_EXPORTER_OTLP_TRACES_ENDPOINT') || of('OTEL_EXPORTER_OTLP_ENDPOINT');
  const exporters = (of('OTEL_TRACES_EXPORTER') || 'otlp').split(',').map((one) => one.trim());
  const isDisabled = of('OTEL_SDK_DISABLED').toLowerCase() === 'true';
  return endpoint !== '' && !isDisabled && exporters.includes('otlp');
}

/** Returns a function that ends it. If tracing fails, the log says so, and the process continues without traces. */
export async function startTracing(options: StartTracingOptions): Promise<() => Promise<void>> {
  const { environment = process.env, logger } = options;
  if (!wantsTraces(environment)) return async () => {};
  const protocol =
    environment.OTEL_EXPORTER_OTLP_TRACES_PROTOCOL || environment.OTEL_EXPORTER_OTLP_PROTOCOL;
  if (protocol && protocol !== 'http/protobuf')
    logger.warn(
      { protocol },
      'traces are sent over http/protobuf only: give that port of the collector',
    );
  try {
    const { startOpenTelemetry } = await import('./open-telemetry.ts');
    const started = startOpenTelemetry(options);
    setTracing(started.tracing);
    return async () => {
      setTracing(null);
      await started.stop();
    };
  } catch (error) {
    logger.error({ err: error }, 'traces cannot be sent');
    return async () => {};
  }
}
