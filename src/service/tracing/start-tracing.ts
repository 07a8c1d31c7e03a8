/** Whether this process sends traces, by the variables that OpenTelemetry specifies; then its library is loaded. */
import type { Logger } from '../logging.ts';
import { setTracing } from '../spans.ts';

type Environment = Readonly<Record<string, string | undefined>>;

export interface StartTracingOptions {
  /** What this process is called unless OTEL_SERVICE_NAME says otherwise. */
  readonly name: string;
  readonly version: string;
  readonly logger: Logger;
  readonly environment?: Environment;
}

/** Only where somebody named a collector: a start pays nothing for what nobody reads. */
export function wantsTraces(environment: Environment): boolean {
  const of = (name: string) => environment[name]?.trim() ?? '';
  const endpoint = of('OTEL_EXPORTER_OTLP_TRACES_ENDPOINT') || of('OTEL_EXPORTER_OTLP_ENDPOINT');
  const exporters = (of('OTEL_TRACES_EXPORTER') || 'otlp').split(',').map((one) => one.trim());
  const isDisabled = of('OTEL_SDK_DISABLED').toLowerCase() === 'true';
  return endpoint !== '' && !isDisabled && exporters.includes('otlp');
}

/** Gives what ends it. Whatever is wrong with it is a line in the log: the process goes on without traces. */
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
