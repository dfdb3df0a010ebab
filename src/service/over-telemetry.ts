import type { Clock } from '../lib/clock.ts';
import { type RunningService, type ServiceOptions, startService } from './server.ts';
import { openSources } from './telemetry/open-sources.ts';
import type { TelemetrySettings } from './telemetry/settings.ts';

/** Starts the service on the configured sources. A failing source never keeps it from starting. */
export async function startOverTelemetry(
  options: Omit<ServiceOptions, 'telemetry' | 'limits' | 'clock' | 'changesToken'>,
  settings: TelemetrySettings,
  clock: Clock,
): Promise<RunningService> {
  const { source, close } = openSources(settings, clock);
  const service = await startService({
    ...options,
    telemetry: source,
    limits: settings.limits,
    changesToken: settings.changesToken,
    clock,
  }).catch(async (error: unknown) => {
    await close();
    throw error;
  });
  return {
    ...service,
    close: async () => {
      await service.close();
      await close();
    },
  };
}
