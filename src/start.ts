import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { loadEnvFile } from './config/env-file.ts';
import type { Config } from './config.ts';
import { configOrExit, run } from './main.ts';
import type { Embedded } from './sandbox/embed.ts';
import type { Gallery } from './sandbox/workspace/workspace.ts';

/** What `npm start` runs: embeds what is not configured, then runs the bot (DESIGN sections 2 and 3). */
async function start(config: Config): Promise<number> {
  if (config.slack && config.service) {
    return run({ ...config, slack: config.slack, service: config.service });
  }
  const { embed } = await import('./sandbox/embed.ts');
  const embedding = embed({
    slack: config.slack === null,
    service: config.service === null,
    folder: dirname(config.databaseFile),
    manifest: fileURLToPath(new URL('../manifest.yml', import.meta.url)),
    pageUrl: `http://localhost:${config.port}`,
    ...(config.slack === null ? { gallery: lateGallery() } : {}),
  });
  const embedded = await embedding.catch((error: unknown) => {
    console.error(`What stands in for Slack or the service could not start (${messageOf(error)}). ${ADVICE}`);
    return null;
  });
  if (!embedded) return 1;
  const slack = config.slack ?? (embedded.slack && { mode: 'socket' as const, ...embedded.slack });
  const service = config.service ?? (embedded.service && { ...embedded.service, version: SERVICE_VERSION });
  if (!slack || !service) throw new Error('the sandbox did not start what it was asked for');
  const alerts = embedded.slack && config.alertChannels.length === 0 ? [embedded.slack.alerts] : null;
  return run(
    {
      ...config,
      slack,
      service,
      ...(alerts ? { alertChannels: alerts } : {}),
      // On a laptop the page tells the story; only what goes wrong is logged, unless asked for.
      ...(embedded.slack && !process.env.LOG_LEVEL ? { logLevel: 'warn' as const } : {}),
    },
    {
      ...(embedded.slack ? { page: embedded.slack.page } : {}),
      onStarted: (bot) => {
        announce(embedded, bot.url);
        void embedded.play();
      },
      afterwards: () => embedded.stop(),
    },
  );
}

/** Drawn by the bot's own renderers once somebody opens `/gallery`. */
function lateGallery(): Gallery {
  let made: Promise<Gallery> | undefined;
  const gallery = () => {
    made ??= import('./tools/gallery/gallery.ts').then(({ createGallery }) => createGallery());
    return made;
  };
  return {
    entries: async () => (await gallery()).entries(),
    picture: async (id) => (made ? (await made).picture(id) : null),
  };
}

const ADVICE =
  'Check that this user may write in the folder that DATABASE_URL names, and that no other Gumshoe runs on it.';
const SERVICE_VERSION = '2026-03-17';

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function announce({ slack, service }: Embedded, url: string): void {
  const lines = [
    'Gumshoe is running.',
    ...(slack ? [`  Slack is embedded: a local workspace, open ${url}`] : ['  Slack: your workspace']),
    ...(service
      ? [`  The investigation service is embedded: ${service.url}, a simulated shop`]
      : ['  The investigation service: yours']),
    ...(slack && service ? ['  In a few seconds an alert appears in #alerts.'] : []),
    '  Ctrl-C stops it.',
  ];
  console.log(lines.join('\n'));
}

loadEnvFile();
process.exit(await start(configOrExit()));
