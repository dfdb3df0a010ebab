import { regionIn } from '../../hosts-and-regions.ts';
import { linksOf, plainText, withoutMarkup } from '../../slack-text.ts';
import { timestampIn } from '../../timestamps.ts';
import type { Alert } from '../../types.ts';
import { queryParameter } from '../../urls.ts';

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
  const group = queryParameter(link, 'group') ?? '';
  return group.split(/,\s?/u).filter((pair) => PAIR.test(pair));
}

/** What the scope, or else the monitor's query, says of an alert. */
export function fromScope(
  scope: Scope,
  mrkdwn: string,
): Pick<Alert, 'environment' | 'service' | 'host' | 'region' | 'version'> {
  const queries = [
    plainText(mrkdwn),
    ...linksOf(mrkdwn).map(({ url }) => queryParameter(url, 'query') ?? ''),
  ];
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

const LAST_TRIGGERED = /was last triggered at ([^.\n]{10,60})/iu;
const QUERY_SENTENCE =
  /\b(?:monitored query|last_\d+\w\)|in the last|over the last|during the last|for the last|not received data|(?:was|were) (?:above|below|not |[<>=]))/iu;

/** When the monitor was last triggered, where the body says so. */
export function lastTriggered(mrkdwn: string): string | null {
  const stated = LAST_TRIGGERED.exec(plainText(mrkdwn))?.[1];
  return stated === undefined ? null : timestampIn(stated);
}

/** What an operator or Datadog wrote, as mrkdwn: without mentions, rules, footers and rows of links. */
export function wordsOf(mrkdwn: string): string {
  return mrkdwn
    .split('\n')
    .filter((line) => line.trim() === '' || !isFurniture(line))
    .join('\n');
}

/** The same in paragraphs of plain text. */
export function paragraphsOf(mrkdwn: string): string[] {
  const paragraphs = wordsOf(mrkdwn).split(/\n[ \t]*\n/u);
  return paragraphs.map((paragraph) => plainText(paragraph).trim()).filter((paragraph) => paragraph !== '');
}

/** The sentence that Datadog writes about the query, else the operator's first paragraph. */
export function sentenceOf(paragraphs: readonly string[]): string | null {
  return paragraphs.findLast((paragraph) => QUERY_SENTENCE.test(paragraph)) ?? paragraphs[0] ?? null;
}

function isFurniture(line: string): boolean {
  const words = plainText(line).trim();
  if (/^[-\s·|*%]*$/u.test(words) || LAST_TRIGGERED.test(words)) return true;
  if (words.split(' ').every((word) => word.startsWith('@'))) return true;
  if (/^(?:Notified:|View in )/u.test(words)) return true;
  // What is left of a row of links is marks between them.
  return (
    /^[-\s·|*[\]]*$/u.test(withoutMarkup(line.replace(/<https?:[^<>]*>/gu, ''))) &&
    line.includes('<http') &&
    !line.includes('|`')
  );
}
