import pino from 'pino';
import { systemClock } from './lib/clock.ts';
import { variablesOf } from './lib/environment.ts';
import { type Command, type Io, loadEnvFile, onStopSignals, processIo } from './lib/io.ts';
import { misspeltVariables } from './lib/misspelt.ts';
import { redactor, secretsIn, withoutSecrets } from './lib/redact.ts';
import type { RunningService, ServiceOptions } from './service/server.ts';
import { readServiceSettings, type ServiceSettings, serviceVariables } from './service/settings.ts';
import { startOverTelemetry } from './service/telemetry/open-sources.ts';

/** `npm run service`: runs the investigation service until SIGTERM or SIGINT. @returns the exit code */
export const service: Command = withoutSecrets(async (_words, env, io) => {
  const read = readServiceSettings(env);
  if ('problems' in read) {
    for (const problem of read.problems) io.err(problem);
    return 1;
  }
  for (const question of misspeltVariables(env, variablesOf(serviceVariables)))
    io.err(`warning: ${question}`);
  try {
    await serve(read.settings, io, secretsIn(env));
    return 0;
  } catch (error) {
    io.err(sentenceFor(error, read.settings.port));
    return 1;
  }
});

async function serve(settings: ServiceSettings, io: Io, secrets: readonly string[]): Promise<void> {
  const {
    port,
    host,
    metricsPort,
    file,
    postgres,
    keys,
    developmentKey,
    telemetry,
    changesToken,
    changesSecrets,
    retentionDays,
    model,
  } = settings;
  const hooks = { streamWrite: redactor(secrets) };
  const log = pino({ name: 'service', level: settings.logLevel, hooks }, io.log ?? pino.destination(1));
  const options = {
    port,
    host,
    metricsPort,
    file,
    postgres,
    keys,
    changesToken,
    changesSecrets,
    retentionDays,
    model,
    log,
  };
  const running =
    telemetry === null
      ? await serveShop(options)
      : await startOverTelemetry(options, telemetry, systemClock, io.err);
  const what = telemetry === null ? ' (simulated systems)' : '';
  io.out(`The Issue Investigation Service${what} is listening at ${running.url}`);
  if (changesToken !== null || Object.keys(changesSecrets).length > 0)
    io.out(`Changes are accepted at ${new URL('/changes', running.url)}`);
  if (developmentKey !== null) io.out(`API key: ${developmentKey} (set SERVICE_API_KEYS to change it)`);

  await new Promise<void>((stop) => {
    onStopSignals({ clock: systemClock, stop, atOnce: () => process.exit(1), signals: io.process });
  });
  await running.close();
}

type Options = Omit<ServiceOptions, 'telemetry'>;

/** On demand, since the image does not hold the simulated shop. */
async function serveShop(options: Options): Promise<RunningService> {
  const { startSimulatedService } = await import('./demo/simulated-service.ts');
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

if (import.meta.main) process.exitCode = await service(process.argv.slice(2), loadEnvFile(), processIo);
