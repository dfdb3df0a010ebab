import pino from 'pino';
import { systemClock } from './lib/clock.ts';
import { loadEnvFile } from './lib/env-file.ts';
import { onStopSignals } from './lib/stop-signals.ts';
import type { RunningService, ServiceOptions } from './service/server.ts';
import { readServiceSettings, type ServiceSettings } from './service/settings.ts';
import { startOverTelemetry } from './service/telemetry/open-sources.ts';

loadEnvFile();
const read = readServiceSettings(process.env);
if ('problems' in read) {
  for (const problem of read.problems) console.error(problem);
  process.exitCode = 1;
} else {
  await serve(read.settings).catch((error: unknown) => {
    console.error(sentenceFor(error, read.settings.port));
    process.exitCode = 1;
  });
}

async function serve(settings: ServiceSettings): Promise<void> {
  const { port, host, metricsPort, file, postgres, keys, developmentKey, telemetry, changesToken } = settings;
  const log = pino({ name: 'service', level: settings.logLevel });
  const options = { port, host, metricsPort, file, postgres, keys, changesToken, log };
  const service =
    telemetry === null ? await serveShop(options) : await startOverTelemetry(options, telemetry, systemClock);
  const what = telemetry === null ? ' (simulated systems)' : '';
  console.log(`The Issue Investigation Service${what} is listening at ${service.url}`);
  if (changesToken !== null) console.log(`Changes are taken at ${new URL('/changes', service.url)}`);
  if (developmentKey !== null) console.log(`API key: ${developmentKey} (set SERVICE_API_KEYS to change it)`);

  const stop = () => {
    service.close().catch((error: unknown) => {
      console.error(sentenceFor(error, port));
      process.exitCode = 1;
    });
  };
  onStopSignals({ clock: systemClock, stop, atOnce: () => process.exit(1) });
}

type Options = Omit<ServiceOptions, 'telemetry'>;

/** On demand, since the image does not hold the simulated shop. */
async function serveShop(options: Options): Promise<RunningService> {
  const { startSimulatedService } = await import('./sandbox/simulated-service.ts');
  return startSimulatedService(options);
}

function sentenceFor(error: unknown, port: number): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'EADDRINUSE')
    return `Port ${port} is in use: stop whatever is using it, or set PORT to another port.`;
  if (code === 'EACCES' && port < 1024)
    return `Port ${port} requires root privileges: set PORT to 1024 or higher.`;
  if (code === 'ERR_MODULE_NOT_FOUND')
    return 'This build does not include the simulated systems: set PROMETHEUS_URL to investigate your own.';
  const reason = error instanceof Error ? error.message : String(error);
  return `The service could not start: ${reason}`;
}
