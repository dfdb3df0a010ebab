import type { Config } from './config.ts';

/** Everything in a configuration that must not appear in a log: tokens, keys, and a proxy's password. */
export function secretsOf({ slack, service, proxy }: Pick<Config, 'slack' | 'service' | 'proxy'>): string[] {
  const own = slack === null ? [] : [slack.mode === 'socket' ? slack.appToken : slack.signingSecret];
  const through = proxy === null ? null : URL.parse(proxy.https);
  return [
    ...own,
    ...(slack === null ? [] : [slack.botToken]),
    ...(service === null ? [] : [service.apiKey, service.privateApiKey ?? '']),
    ...(through === null ? [] : [through.password, decoded(through.password)]),
  ].filter((secret) => secret !== '');
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
