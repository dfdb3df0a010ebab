import { loadEnvFile } from '../config/env-file.ts';
import { systemClock } from '../lib/clock.ts';
import { onStopSignals } from '../lib/stop-signals.ts';
import { startService } from '../sandbox/service/server.ts';
import { readServiceSettings, type ServiceSettings } from '../sandbox/service/settings.ts';

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

async function serve({ port, keys, file, developmentKey }: ServiceSettings): Promise<void> {
  const service = await startService({ port, keys, file });
  console.log(`The Issue Investigation Service (simulated systems) answers at ${service.url}`);
  if (developmentKey !== null) console.log(`API key: ${developmentKey} (set SERVICE_API_KEYS for others)`);

  const stop = () => {
    service.close().catch((error: unknown) => {
      console.error(sentenceFor(error, port));
      process.exitCode = 1;
    });
  };
  onStopSignals({ clock: systemClock, stop, atOnce: () => process.exit(1) });
}

function sentenceFor(error: unknown, port: number): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'EADDRINUSE') return `Port ${port} is in use: stop what uses it, or set PORT to another.`;
  if (code === 'EACCES' && port < 1024) return `Port ${port} needs privileges: set PORT to 1024 or more.`;
  const reason = error instanceof Error ? error.message : String(error);
  return `The service cannot run: ${reason}`;
}
