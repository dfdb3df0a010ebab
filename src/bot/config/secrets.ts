import type { Config } from './config.ts';

/** Everything in a configuration that must not appear in a log: tokens, keys, and the passwords in URLs. */
export function secretsOf({
  slack,
  service,
  proxy,
  database,
  databaseDirectUrl,
  webhooks,
  alertmanager,
  tracing,
}: Pick<
  Config,
  'slack' | 'service' | 'proxy' | 'database' | 'databaseDirectUrl' | 'webhooks' | 'alertmanager' | 'tracing'
>): string[] {
  const own = slack === null ? [] : slack.mode === 'socket' ? [slack.appToken] : slack.signingSecrets;
  const urls = [
    proxy?.https ?? '',
    database.kind === 'postgres' ? database.url : '',
    databaseDirectUrl ?? '',
  ].flatMap((url) => URL.parse(url) ?? []);
  return [
    ...own,
    ...(slack === null ? [] : [slack.botToken]),
    ...(service === null ? [] : [service.apiKey, service.privateApiKey ?? '']),
    webhooks.token ?? '',
    ...[...webhooks.secrets.values()].flat(),
    ...(alertmanager === null ? [] : [alertmanager.token ?? '', alertmanager.password ?? '']),
    // Behind a scheme such as `Bearer`, too.
    ...Object.values(tracing?.headers ?? {}).flatMap((value) => [value, value.split(' ').at(-1) ?? '']),
    ...urls.flatMap(({ password }) => [password, decoded(password)]),
  ].filter((secret) => secret !== '');
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
