import { regionIn } from '../../places.ts';
import { linksOf, plain } from '../../slack-text.ts';
import type { Alert } from '../../types.ts';

const PAIR = /^[A-Za-z][\w./-]{0,80}:[^\s,{}*]{1,200}$/u;

/** The `key:value` pairs that a monitor's group names, in order: `host:web-14,env:prod`. */
export type Scope = string[];

/** The scope at the end of a monitor's title: `High CPU on host:web-14,env:prod`. */
export function scopeOfTitle(title: string): Scope {
  const at = title.toLowerCase().lastIndexOf(' on ');
  if (at < 0) return [];
  const pairs = title
    .slice(at + 4)
    .replace(/^\{|\}$/gu, '')
    .split(/,\s?/u);
  return pairs.every((pair) => PAIR.test(pair)) ? pairs : [];
}

/** The scope in a monitor's link: its `group` parameter. */
export function scopeOfLink(link: string): Scope {
  const group = parameter(link, 'group') ?? '';
  return group.split(/,\s?/u).filter((pair) => PAIR.test(pair));
}

/** A parameter of a link; `null` for none, and for what is no link. */
export function parameter(link: string, name: string): string | null {
  return URL.canParse(link) ? new URL(link).searchParams.get(name) : null;
}

/** What the scope, or else the monitor's query, says of an alert. */
export function fromScope(
  scope: Scope,
  mrkdwn: string,
): Pick<Alert, 'environment' | 'service' | 'host' | 'region' | 'version'> {
  const queries = [plain(mrkdwn), ...linksOf(mrkdwn).map(({ url }) => parameter(url, 'query') ?? '')];
  const find = (...keys: string[]): string | null => {
    for (const key of keys) {
      const scoped = scope.find((pair) => pair.toLowerCase().startsWith(`${key}:`));
      if (scoped) return scoped.slice(key.length + 1);
    }
    for (const key of keys) {
      const asked = queries.map((query) => inQuery(query, key)).find((value) => value !== null);
      if (asked) return asked;
    }
    return null;
  };
  return {
    environment: find('env', 'environment'),
    service: find('service'),
    host: find('host'),
    region: find('region', 'aws_region') ?? regionIn(mrkdwn),
    version: find('version'),
  };
}

/** `key:value` in a query; neither `-key:value` nor a wildcard. */
function inQuery(query: string, key: string): string | null {
  return new RegExp(`(?:^|[\\s\`{,(])@?${key}:"?([\\w./-]{1,200})(?![\\w*{])`, 'u').exec(query)?.[1] ?? null;
}
