import type { Config } from '../../bot/config/config.ts';
import { SERVICE_VERSION } from './constants.ts';
import type { Embedded, EmbeddedSlack } from './embed.ts';
import type { Flags } from './flags.ts';

/**
 * What the bot's process is told beside the environment of this one: what is embedded, and a free port of its own, since
 * this process has `PORT` for the page. With a `METRICS_PORT` it listens where it is told, as that port is the bot's.
 */
export function botEnvironment(
  config: Config,
  slack: EmbeddedSlack,
  service: Embedded['service'],
  { deliver }: Pick<Flags, 'deliver'>,
): Record<string, string> {
  return {
    SLACK_BOT_TOKEN: slack.botToken,
    ...(deliver === 'http'
      ? { SLACK_SIGNING_SECRET: slack.signingSecret }
      : { SLACK_APP_TOKEN: slack.appToken }),
    SLACK_API_URL: slack.apiUrl,
    ...(service
      ? {
          ISSUE_SERVICE_URL: service.url,
          ISSUE_SERVICE_API_KEY: service.apiKey,
          ISSUE_SERVICE_PRIVATE_API_KEY: service.privateApiKey,
          ISSUE_SERVICE_VERSION: SERVICE_VERSION,
        }
      : {}),
    PORT: '0',
    HOST: config.metricsPort === null ? '127.0.0.1' : config.host,
    ...(config.alertChannels.length === 0 ? { ALERT_CHANNELS: slack.alerts } : {}),
    LOG_LEVEL: laptopLogLevel(config),
  };
}

/** On a laptop the page tells the story; only what goes wrong is logged, unless asked for. */
export function laptopLogLevel({ logLevel }: Config): Config['logLevel'] {
  return process.env.LOG_LEVEL ? logLevel : 'warn';
}
