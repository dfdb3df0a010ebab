import { type Config, SERVICE_VERSION, type SlackConfig } from '../../bot/config.ts';
import type { Io } from '../../lib/io.ts';
import { run } from '../../main.ts';
import type { TelemetrySettings } from '../../service/telemetry/settings.ts';
import { announce, reportNotEmbedded } from './announce.ts';
import { MANIFEST } from './constants.ts';
import { dataFolder } from './data-folder.ts';

/**
 * Runs the bot in this process, for a real Slack: with a real service like `main.ts`, otherwise with the embedded one.
 *
 * @returns the exit code.
 */
export async function runInOneProcess(
  config: Config & { slack: SlackConfig },
  telemetry: TelemetrySettings | null,
  io: Io,
): Promise<number> {
  if (config.service) return run({ ...config, service: config.service }, io);
  const { embed } = await import('./embed.ts');
  const embedded = await embed({
    slack: false,
    service: true,
    telemetry,
    folder: dataFolder(config),
    manifest: MANIFEST,
    pageUrl: `http://localhost:${config.port}`,
  }).catch((error: unknown) => reportNotEmbedded(error, io));
  if (!embedded?.service) return 1;
  return run({ ...config, service: { ...embedded.service, version: SERVICE_VERSION } }, io, {
    onStarted: (bot) => announce(embedded, bot.url, null, io),
    afterwards: () => embedded.stop(),
  });
}
