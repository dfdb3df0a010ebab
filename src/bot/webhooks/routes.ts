import { reader } from '../../lib/environment.ts';
import type { ReceivedAlert } from '../alerts/format.ts';

/** Which channel an alert of a source goes to (`ALERT_ROUTES`). */
export interface Route {
  /** The rule as it was written. */
  text: string;
  /** `*` for any. */
  source: string;
  /** All of them must be among the alert's labels, with these values. */
  labels: Readonly<Record<string, string>>;
  /** The id of a channel. */
  channel: string;
}

const RULE =
  /^(?<source>\*|[A-Za-z0-9][\w-]*)\s*(?:\{(?<labels>(?:[^"}]|"(?:[^"\\]|\\.)*")*)\})?\s*->\s*(?<channel>[CG][A-Z0-9]{2,})$/u;
const LABEL = /^(?<name>[^\s=,"{}]+)\s*=\s*(?:"(?<quoted>(?:[^"\\]|\\.)*)"|(?<bare>[^",{}]*))$/u;

/** Rules `source{label=value,…}->CHANNEL_ID` separated by semicolons. */
export function routes() {
  return reader((text): { value: Route[] } | { wrong: string } => {
    const value: Route[] = [];
    for (const part of splitOutsideQuotes(text, ';')) {
      const rule = part.trim();
      if (rule === '') continue;
      const route = readRule(rule);
      if (route === null) {
        return {
          wrong: `holds a rule that cannot be read: ${rule.slice(0, 200)} (write source{label=value}->CHANNEL_ID, with the channel’s id: in .env a # begins a comment)`,
        };
      }
      value.push(route);
    }
    return value.length > 0 ? { value } : { wrong: 'holds no rule' };
  });
}

/**
 * The first route that matches; `null` if none does. Of an alert that was stored without some of its labels (`moreLabels`),
 * a rule about one that is not there may be the right one, so none counts until the alert fires again.
 */
export function routeOf(
  { source, labels, moreLabels = 0, routing = [labels] }: RoutedAlert,
  among: readonly Route[],
): Route | null {
  const isWhole = routing[0] !== labels || moreLabels === 0;
  const stated = (name: string) => routing.find((some) => Object.hasOwn(some, name))?.[name];
  for (const route of among) {
    if (route.source !== '*' && route.source !== source) continue;
    const wanted = Object.entries(route.labels);
    if (wanted.every(([name, value]) => stated(name) === value)) return route;
    const isExcluded = wanted.some(([name, value]) => ![undefined, value].includes(stated(name)));
    if (!isWhole && !isExcluded) return null;
  }
  return null;
}

interface RoutedAlert extends Pick<ReceivedAlert, 'labels' | 'moreLabels' | 'routing'> {
  source: string;
}

function readRule(text: string): Route | null {
  const groups = RULE.exec(text)?.groups;
  if (groups?.source === undefined || groups.channel === undefined) return null;
  const labels: [string, string][] = [];
  for (const part of splitOutsideQuotes(groups.labels ?? '', ',')) {
    if (part.trim() === '') continue;
    const label = LABEL.exec(part.trim())?.groups;
    const value = label?.quoted?.replace(/\\(.)/gu, '$1') ?? label?.bare?.trim();
    if (label?.name === undefined || value === undefined) return null;
    labels.push([label.name, value]);
  }
  return {
    text,
    source: groups.source.toLowerCase(),
    labels: Object.fromEntries(labels),
    channel: groups.channel,
  };
}

function splitOutsideQuotes(text: string, separator: ',' | ';'): string[] {
  const item = separator === ',' ? /(?:[^",]|"(?:[^"\\]|\\.)*"?)+/gu : /(?:[^";]|"(?:[^"\\]|\\.)*"?)+/gu;
  return text.match(item) ?? [];
}
