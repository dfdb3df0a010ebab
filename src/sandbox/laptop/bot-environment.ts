import type { Config } from '../../bot/config.ts';
import type { Embedded, EmbeddedSlack } from './embed.ts';
import type { Flags } from './flags.ts';

/**
 * Extra environment of the bot's process: the embedded parts, and any free port, because this process uses `PORT` for
 * the page. With a `METRICS_PORT` the bot keeps its configured host, since that port belongs to the bot.
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
        }
      : {}),
    PORT: '0',
    HOST: config.metricsPort === null ? '127.0.0.1' : config.host,
    ...(config.alertChannels.length === 0 ? { ALERT_CHANNELS: slack.alerts } : {}),
    ALERT_WEBHOOK_TOKEN: slack.webhookToken,
    ...(config.alertRoutes.length === 0 ? { ALERT_ROUTES: `*->${slack.alerts}` } : {}),
    LOG_LEVEL: laptopLogLevel(config),
  };
}

/** On a laptop people watch the page: only warnings are logged, unless `LOG_LEVEL` is set. */
export function laptopLogLevel({ logLevel }: Config): Config['logLevel'] {
  return process.env.LOG_LEVEL ? logLevel : 'warn';
}
