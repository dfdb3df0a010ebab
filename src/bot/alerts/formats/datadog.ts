import { isJsonObject } from '../../../lib/json.ts';
import { regionIn } from '../details.ts';
import type { Format, WebhookReading } from '../format.ts';
import { fingerprintOf } from '../identity.ts';
import { attachmentText, type MessageContent, queryParameter } from '../message.ts';
import {
  boundedLabels,
  labelNamed,
  labelsOfTags,
  linksTo,
  moment,
  notAnObject,
  receivedAlert,
  scalarText,
  tagList,
  webUrl,
} from '../payload.ts';
import { formatOf } from '../row.ts';
import {
  linksOf,
  plainText,
  toDescription,
  toErrorMessage,
  toTitle,
  unescaped,
  withoutMarkup,
  withoutUrls,
} from '../slack-text.ts';
import { severityOf } from '../state.ts';
import { timestampIn } from '../timestamps.ts';
import { type Alert, type AlertKind, emptyAlert, type Severity } from '../types.ts';

const HOST = /^https:\/\/(?:[\w-]{1,63}\.){0,6}(?:datadoghq\.(?:com|eu)|ddog-gov\.com)\//u;
const OBJECT = /^https:\/\/[^/]+\/(?:monitors|on-call\/pages)\/\d/u;

/** Datadog's monitors, and the pages of Datadog On-Call. */
export const datadog: Format = {
  name: 'datadog',
  tool: 'Datadog',
  webhook: { name: 'datadog', tool: 'Datadog', read: readWebhook },
  extract(content) {
    if (content.person || !isFromDatadog(content)) return null;
    return (
      page.extract(content) ??
      extractMonitor(content) ??
      (isShiftSummary(content) ? emptyAlert('datadog') : null)
    );
  },
};

/** Whether Datadog sent it: by its name, or because a title links to a monitor or a page there. */
function isFromDatadog({ names, attachments, message }: MessageContent): boolean {
  if (names.some((name) => /^datadog\b/iu.test(name))) return true;
  const titles = attachments.flatMap((one) => [one.title_link, ...linksOf(one.title).map(({ url }) => url)]);
  return [...titles, ...linksOf(message.text).map(({ url }) => url)].some(
    (url) => HOST.test(url) && OBJECT.test(url),
  );
}

/** Shift handovers and summaries, which mention pages but are not alerts. */
function isShiftSummary({ body }: MessageContent): boolean {
  return /\b(?:hand-?(?:over|off)|summary|digest|report|recap|shift|schedule|on-call (?:started|ended|rotation))\b/iu.test(
    withoutMarkup(plainText(body)).slice(0, 400),
  );
}

const MONITOR_TITLE =
  /^\s*(\[P[1-5]\]\s*)?\[?(Re-?Triggered|Triggered|Re-?Warn|Warning|Warn|Recovered|Re-?No[ -]?data|No[ -]?data|Muted|Unmuted)\b(?: on \{([^}]*)\})?(?:\]:?|:)\s*(.*)$/isu;

const KINDS: ReadonlyMap<string, AlertKind> = new Map([
  ['recovered', 'resolved'],
  ['muted', 'not_an_alert'],
  ['unmuted', 'not_an_alert'],
]);

/** The parts of a monitor's title. */
interface MonitorTitle {
  /** `[P2] `, or nothing. */
  priority: string;
  /** `Triggered`, `Recovered` … */
  transition: string;
  /** The group in braces, where the title has one. */
  scope: string | undefined;
  name: string;
}

/** The parts of `[P2] [Warn on {host:web-14}] CPU high`; `null` if a text is no such title. */
function titleParts(title: string): MonitorTitle | null {
  const [, priority = '', transition, scope, name] = MONITOR_TITLE.exec(title) ?? [];
  return transition === undefined || name === undefined ? null : { priority, transition, scope, name };
}

function transitionKind(transition: string): AlertKind {
  return KINDS.get(transition.toLowerCase()) ?? 'firing';
}

/** The card of a monitor: `Triggered: Name on host:x`. Its identity is the monitor and the group. */
function extractMonitor(content: MessageContent): Alert | null {
  const titles = content.attachments.map((part) => ({ part, title: unescaped(plainText(part.title)) }));
  const found = titles.find(({ title }) => MONITOR_TITLE.test(title));
  const parts = titleParts(found?.title ?? '');
  if (found === undefined || parts === null) return null;

  const { part } = found;
  const { priority, transition, scope: scoped, name } = parts;
  const link = part.title_link;
  const own = attachmentText({ ...part, title: '', fallback: '', footer: '' });
  const titled = scoped === undefined ? scopeOfTitle(name) : scoped.split(/,\s?/u);
  const scope = [...new Set([...titled, ...scopeOfLink(link)])];
  const links = content.attachments.map((one) => `<${one.title_link}>`).join(' ');
  const title = toTitle(`${priority}${name}`);
  return {
    ...emptyAlert('datadog'),
    ...fromScope(scope, `${own}\n${links}`),
    kind: transitionKind(transition),
    title,
    description: toDescription(paragraphsOf(own).join('\n\n'), title),
    severity: monitorSeverity(`${priority}${name}`, transition),
    triggeredAt: lastTriggered(own),
    alertUrl: link || null,
    errorMessage: toErrorMessage(sentenceOf(paragraphsOf(own))),
    tags: scope,
    fingerprint: identityOf(link, scope, name),
  };
}

/** Monitor and group: never an event's id nor a time, which differ from one notification to the next. */
function identityOf(link: string, scope: Scope, name: string): string {
  const monitor =
    /\/monitors\/(\d+)/u.exec(link)?.[1] ?? queryParameter(link, 'link_monitor_id') ?? withoutMarkup(name);
  return fingerprintOf('datadog', monitor, [...new Set(scope)].sort().join(','));
}

/** The priority in a title; a warning is a medium one. */
function monitorSeverity(name: string, transition: string): Severity | null {
  const priority = /\[(P[1-5])\]/iu.exec(name)?.[1];
  if (priority) return severityOf(priority);
  return transition.toLowerCase().includes('warn') ? 'medium' : null;
}

const PAIR = /^[A-Za-z][\w./-]{0,80}:[^\s,{}*]{1,200}$/u;

/** The `key:value` pairs that a monitor's group names, in order: `host:web-14,env:prod`. */
type Scope = string[];

/** The scope at the end of a monitor's title: `High CPU on host:web-14,env:prod`. */
function scopeOfTitle(title: string): Scope {
  const at = title.toLowerCase().lastIndexOf(' on ');
  if (at < 0) return [];
  const pairs = title
    .slice(at + 4)
    .replace(/^\{|\}$/gu, '')
    .split(/,\s?/u);
  return pairs.every((pair) => PAIR.test(pair)) ? pairs : [];
}

/** The scope in a monitor's link: its `group` parameter. */
function scopeOfLink(link: string): Scope {
  const group = queryParameter(link, 'group') ?? '';
  return group.split(/,\s?/u).filter((pair) => PAIR.test(pair));
}

/** What the scope, or else the monitor's query, says of an alert. */
function fromScope(
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
function lastTriggered(mrkdwn: string): string | null {
  const stated = LAST_TRIGGERED.exec(plainText(mrkdwn))?.[1];
  return stated === undefined ? null : timestampIn(stated);
}

/** What an operator or Datadog wrote, in paragraphs of mrkdwn: without mentions, rules and rows of links. */
function paragraphsOf(mrkdwn: string): string[] {
  return mrkdwn.split(/\n[ \t]*\n/u).filter((paragraph) => {
    const words = withoutUrls(paragraph.replace(/<https?:[^<>]*>/gu, '')).trim();
    return /^(?!@)[\s\S]*\p{L}/u.test(words) && !LAST_TRIGGERED.test(words);
  });
}

/** The sentence that Datadog writes about the query, else the operator's first paragraph. */
function sentenceOf(paragraphs: readonly string[]): string {
  return plainText(
    paragraphs.findLast((paragraph) => QUERY_SENTENCE.test(paragraph)) ?? paragraphs[0] ?? '',
  ).trim();
}

/** A page of Datadog On-Call, edited as it goes on. It is the problem of its monitor and group, where it names one. */
const page = formatOf({
  name: 'datadog',
  tool: 'Datadog',
  from: { line: /\bPage #\d+/u },
  page: /^https:.*\/on-call\/pages\/\d/u,
  says: [/\bPage #(?<number>\d{1,12})(?::| -|\|)?\s*(?<name>.{0,500})$/u],
  also: [
    ['{name}', /\bon (?<scope>[A-Za-z][\w./-]{0,80}:\S{1,300})$/u],
    ['{links}', /\/monitors\/(?<monitor>\d+)(?:\S*[?&]group=(?<group>[^&#\s]+))?/u],
    ['{monitor}|{group|scope}', /^\d+\|(?<where>.+)$/u],
    ['{monitor}|page{number}', /^\|(?<which>page)(?<page>\d+)$/u],
    ['{status}', /(?<now>\w+)\W*$/iu],
    ['{scope}', /(?:^|,)host:(?<on>[^,]+)/u],
    ['{scope}', /(?:^|,)service:(?<of>[^,]+)/u],
    ['{scope}', /(?:^|,)env:(?<stage>[^,]+)/u],
    /was last triggered at (?<began>[^.\n]{10,60})/iu,
  ],
  state: '{now}',
  states: { resolved: 'resolved', acknowledged: 'not_an_alert', '': 'firing' },
  title: '{name}',
  fields: {
    severity: '{urgency}',
    environment: '{stage}',
    service: '{of|service}',
    host: '{on|host|server}',
  },
  error: '{event|message|error|description:line}',
  at: '{began}',
  identity: ['{monitor|which}', '{where|page}'],
});

/** The names under which people put Datadog's variables, without case and underscores. */
const NAMES = {
  title: ['eventtitle', 'title', 'alerttitle', 'subject'],
  text: ['textonlymsg', 'eventmsg', 'body', 'message', 'msg', 'text', 'description'],
  transition: ['alerttransition', 'transition', 'status', 'state'],
  type: ['alerttype', 'eventtype', 'type'],
  aggregation: ['aggregkey', 'aggregationkey', 'aggregatekey'],
  monitor: ['alertid', 'monitorid'],
  scope: ['alertscope', 'scope'],
  priority: ['alertpriority', 'priority', 'severity'],
  link: ['link', 'url', 'eventlink', 'alertlink'],
  snapshot: ['snapshot', 'image'],
  host: ['hostname', 'host'],
  date: ['date', 'dateposix', 'lastupdated', 'timestamp'],
} as const;

const TRANSITION =
  /^(?:re-?)?(?:triggered|warn(?:ing)?|no[ -]?data|notif(?:y|ied)|recovered|(?:un)?muted)$/iu;
const RECOVERED = /^(?:success|ok|recovery|resolved|closed)$/iu;

function readWebhook(payload: unknown): WebhookReading {
  if (!isJsonObject(payload)) return notAnObject('Datadog');
  const named = new Map(
    Object.entries(payload).map(([name, value]) => [name.toLowerCase().replace(/[^a-z]/gu, ''), value]),
  );
  const find = (key: keyof typeof NAMES): string => {
    const values = NAMES[key].map((name) => scalarText.parse(named.get(name)));
    // A variable that Datadog does not know stays as it is written.
    return values.find((value) => value !== '' && !/^\$[A-Z_]+$/u.test(value)) ?? '';
  };
  const heading = find('title');
  const text = find('text').replace(/^%%%\s?|\s?%%%$/gu, '');
  if (heading === '' && text === '')
    return {
      kind: 'refused',
      reason: 'The body has neither a title nor a text; use the payload that the documentation shows.',
    };

  const parts = titleParts(heading);
  const name = parts?.name ?? heading;
  const written = [find('transition'), parts?.transition ?? ''].filter((word) => word !== '');
  // A status may be a sentence about the metric, which says nothing of the transition.
  const transition = written.find((word) => TRANSITION.test(word)) ?? '';
  const kind = kindOfTransition(transition, [...written, find('type')]);
  const link = webUrl.parse(find('link'));
  const scope = scopeOf(find('scope'), parts?.scope, name, link ?? '');
  const tags = tagList.parse(named.get('tags'));
  const labels = { ...labelsOfTags(tags), ...labelsOfTags(scope) };
  const scoped = fromScope(scope, text);
  const title = toTitle(`${parts?.priority ?? ''}${name}`) ?? toTitle(text) ?? 'Datadog alert';
  const monitor = identityOf(link ?? '', scope, find('monitor') || name);
  const ids = find('monitor') === '' ? [monitor] : [identityOf('', scope, find('monitor'))];
  const aggregation = find('aggregation');
  // Without the monitor's group, its alerts are told apart by what Datadog groups its events by.
  const own =
    scope.length === 0 && aggregation !== ''
      ? fingerprintOf('datadog', 'aggregation', aggregation)
      : (ids[0] ?? monitor);
  const fewer = boundedLabels(labels).labels;
  const environment = scoped.environment ?? labelNamed(fewer, 'env', 'environment');
  const alert = {
    ...emptyAlert('datadog'),
    ...scoped,
    kind,
    title,
    description: text || title,
    severity: severityOf(find('priority')) ?? monitorSeverity(`${parts?.priority ?? ''}${name}`, transition),
    environment,
    service: scoped.service ?? labelNamed(fewer, 'service'),
    host: scoped.host ?? (find('host') || labelNamed(fewer, 'host')),
    region: scoped.region ?? labelNamed(fewer, 'region', 'aws_region'),
    version: scoped.version ?? labelNamed(fewer, 'version'),
    triggeredAt: moment.parse(find('date')),
    alertUrl: link,
    errorMessage: toErrorMessage(sentenceOf(paragraphsOf(text))),
    tags: tags.slice(0, 50),
    fingerprint: own,
  };
  const aliases = [monitor, ...ids]
    .filter((fingerprint, at, all) => all.indexOf(fingerprint) === at)
    .filter((fingerprint) => fingerprint !== own || environment !== scoped.environment)
    .map((fingerprint) => ({ fingerprint, environment: scoped.environment }));
  const links = linksTo(['Snapshot', find('snapshot')]);
  const note =
    kind === 'not_an_alert' ? (toTitle(transition || find('type'))?.slice(0, 150) ?? 'Updated') : null;
  return { kind: 'alerts', alerts: [receivedAlert({ alert, note, labels, links, aliases })] };
}

/** By the transition; if there is none, by what else is said of the state. */
function kindOfTransition(transition: string, words: readonly string[]): AlertKind {
  if (transition !== '') return transitionKind(transition);
  return words.some((word) => RECOVERED.test(word)) ? 'resolved' : 'firing';
}

function scopeOf(stated: string, titled: string | undefined, name: string, link: string): string[] {
  const written = [stated, titled ?? ''].flatMap((scope) => scope.split(/,\s?/u));
  const pairs = written
    .map((pair) => pair.trim())
    .filter((pair) => /^[\w./-]{1,80}:[^\s,{}*]{1,200}$/u.test(pair));
  return [...new Set([...pairs, ...(titled === undefined ? scopeOfTitle(name) : []), ...scopeOfLink(link)])];
}
