import { percentDecoded } from '../../lib/text.ts';
import { isLoopback } from '../shared/loopback.ts';

/** Slack's own hosts: of GovSlack where its Web API is called, else the ordinary ones. */
function domainOf(api: URL | null): string {
  return api?.hostname === 'slack-gov.com' ? 'slack-gov.com' : 'slack.com';
}

/** An address on Slack's host `<name>.slack.com`: https, default port, no user. */
function isOn(name: 'files' | 'hooks', address: URL, api: URL | null): boolean {
  return address.origin === `https://${name}.${domainOf(api)}`;
}

/** `null` for what is no address, names a user, or is written so that two readers may read it differently. */
function parse(text: string): URL | null {
  // A backslash, a space or a control character is read as something else, or left out.
  if (/[\\\p{Cc}\s]/u.test(text)) return null;
  const authority = /^https?:\/\/([^/?#]*)/iu.exec(text)?.[1];
  return authority === undefined || authority.includes('@') ? null : URL.parse(text);
}

/** `/files-pri/…` or `/files-tmb/…`, however the server decodes the path. */
function isFileRoute(pathname: string): boolean {
  const [, kind, ...rest] = pathname.split('/');
  if ((kind !== 'files-pri' && kind !== 'files-tmb') || rest.length === 0) return false;
  return rest.every((segment) => {
    const name = percentDecoded(segment) ?? '';
    return name !== '' && name !== '.' && name !== '..' && !/[/\\%\p{Cc}]/u.test(name);
  });
}

/**
 * Where a file of Slack's is fetched with the bot's token: Slack's file host alone, or, where the Web API is that of a
 * workspace on this machine, that workspace's own file route. `null` for every other address.
 */
export function fileAddress(url: string, apiUrl: string): URL | null {
  const api = URL.parse(apiUrl);
  const address = parse(url);
  if (address === null || !isFileRoute(address.pathname)) return null;
  const isOurs =
    api !== null && isLoopback(api.hostname) ? address.origin === api.origin : isOn('files', address, api);
  return isOurs ? address : null;
}

/** Whether a `response_url` is Slack's: on its host for hooks, or on that of the Web API. */
export function isResponseAddress(url: string, apiUrl: string): boolean {
  const api = URL.parse(apiUrl);
  const address = parse(url);
  if (address === null) return false;
  return isOn('hooks', address, api) || address.origin === api?.origin;
}
