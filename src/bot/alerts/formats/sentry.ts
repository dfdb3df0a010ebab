import { z } from 'zod';
import { isJsonObject } from '../../../lib/json.ts';
import { type ErrorDetails, errorIn, isErrorType } from '../details.ts';
import { type Fact, factsOf, fromLabels, statedValue, toFact } from '../facts.ts';
import type { Format, WebhookReading } from '../format.ts';
import { fingerprintOf } from '../identity.ts';
import {
  attachmentDetails,
  blocksText,
  isSentBy,
  type MessageContent,
  queryParameter,
  urlsOf,
} from '../message.ts';
import {
  fromLabelMap,
  labelList,
  labelMap,
  linksTo,
  moment,
  receivedAlert,
  scalarText,
  statedLabels,
  tagList,
  webUrl,
} from '../payload.ts';
import { formatOf } from '../row.ts';
import {
  firstCodeBlock,
  type Link,
  linksOf,
  plainText,
  toDescription,
  toErrorMessage,
  toTitle,
  withoutCodeBlocks,
  withoutMarkup,
  withoutUrls,
} from '../slack-text.ts';
import { severityOf, severityWord } from '../state.ts';
import { timestampIn } from '../timestamps.ts';
import { type Alert, type AlertKind, emptyAlert, type Severity } from '../types.ts';

const SENDER = /^sentry(?: \([^)]{0,60}\))?$/iu;

const updates = formatOf(
  {
    // A metric alert: its title is a link in the text, its numbers and its start are below.
    name: 'sentry',
    tool: 'Sentry',
    from: { page: true },
    page: /^(?<address>[^?#]*\/alerts\/rules\/details\/(?<rule>\d+)[^?#]*)(?:\?(?:[^#]*&)?alert=(?<incident>\d+))?/u,
    says: [/^(?<level>Critical|Warning|Resolved): ?(?<name>.+)$/isu],
    also: [
      ['?alert={incident}', /^(?<query>\?alert=\d+)$/u],
      /^(?<numbers>(?!Started\b|Critical\b|Warning\b|Resolved\b|\d{4}-)[^\n]*\d[^\n]*)$/iu,
      /(?<began>\d{4}-\d\d-\d\dT[\d:]+Z)/u,
    ],
    state: '{level}',
    states: { resolved: 'resolved', '': 'firing' },
    title: '{name}',
    url: '{address}{query}',
    fields: { severity: '{level}' },
    error: '{numbers}',
    at: '{began}',
    identity: ['metric', '{rule}', '{incident}'],
  },
  {
    // A status change of an issue, posted in its thread.
    name: 'sentry',
    tool: 'Sentry',
    from: { sender: SENDER },
    page: /^(?<address>[^?#]*\/issues\/(?<number>\d+)(?:\/[^?#]*)?)/u,
    says: [/\bas (?:a )?(?<now>regress|unresolved)/iu, /\b(?<now>escalating|resolved)\b/iu],
    also: [['{page title}', /^(?<short>[A-Z\d][A-Z\d_-]{0,80}-[A-Z\d]{1,12})$/u]],
    state: '{now}',
    states: { regress: 'firing', unresolved: 'firing', escalating: 'firing', resolved: 'resolved' },
    otherwise: 'not_an_alert',
    title: '{short}',
    url: '{address}',
    fields: { service: '{project}' },
    identity: ['issue', '{number}'],
  },
);

/** Sentry's issue alerts (crons and uptime among them), its metric alerts, and what it says in their threads. */
export const sentry: Format = {
  name: 'sentry',
  tool: 'Sentry',
  webhook: { name: 'sentry', tool: 'Sentry', read: readWebhook },
  extract: (content) => (content.person ? null : (updates.extract(content) ?? extractIssue(content))),
};

const TAG = /(?:^|\s)([A-Za-z][\w.:-]{0,80}): (`[^`\n]{1,400}`)/gu;
const TAGS_LINE = /^[A-Za-z][\w.:-]{0,80}: `/u;

/** An issue: its type is a link, its message a block of code, its project, state and short id stand below. */
function extractIssue(content: MessageContent): Alert | null {
  const { message, body } = content;
  // By its name, because other tools post about Sentry's issues too.
  if (!isSentBy(content, SENDER) && !isCard(content.facts)) return null;

  const words = withoutCodeBlocks(body);
  const facts = factsOf(words);
  const link = issueLink(content);
  const [, project, headline] =
    /^\[([^\]\n]{1,100})\] ([^\n]+)/u.exec(withoutUrls(message.text).trim()) ?? [];
  if (link === null && headline === undefined) return null;

  const label = withoutMarkup(link?.label ?? '');
  const code = toErrorMessage(firstCodeBlock(plainText(body)));
  const title = toTitle(headline ?? [label, code].filter(Boolean).join(': '));
  const tags = tagsOf(words);
  const { fields: stated } = fromLabels(facts);
  const { fields } = fromLabels(tags);
  const service = statedValue(facts, 'project') ?? project ?? null;
  const number = link === null ? null : issueNumberIn(link.url);
  return {
    ...emptyAlert('sentry'),
    ...fields,
    kind: kindOfIssue(words, statedValue(facts, 'state') ?? ''),
    title,
    description: toDescription(belowTitle(content), title),
    severity: fields.severity ?? stated.severity ?? levelOf(content, headline ?? ''),
    environment:
      fields.environment ??
      stated.environment ??
      (link === null ? null : queryParameter(link.url, 'environment') || null),
    host: fields.host ?? stated.host,
    version: fields.version ?? stated.version,
    service,
    alertUrl: link === null ? null : stableUrl(link.url),
    triggeredAt: timestampIn(statedValue(facts, 'approx start time', 'time', 'timestamp', 'date') ?? ''),
    ...errorOf(content, label, code, headline ?? ''),
    tags: tags.filter(({ name }) => name !== 'release').map(({ name, value }) => `${name}:${value}`),
    fingerprint:
      number === null
        ? fingerprintOf('sentry', 'name', service ?? '', title ?? '')
        : issueFingerprint(number),
  };
}

/**
 * The error's name and its own words. An error's link bears its class and the code below it the message; a message that
 * a program logged is the link's words alone, or with no code below it, and names no error.
 */
function errorOf(
  content: MessageContent,
  label: string,
  code: string | null,
  headline: string,
): ErrorDetails {
  if (label !== '' && (isErrorType(label) || (code !== null && (isCategory(content) || isName(label)))))
    return { errorType: toTitle(label), errorMessage: code };
  const thrown = errorIn(label || headline);
  return thrown.errorType === null
    ? { errorType: null, errorMessage: code }
    : { errorType: thrown.errorType, errorMessage: code ?? thrown.errorMessage };
}

/** Classes have any name that a language allows; a sentence is none. */
function isName(label: string): boolean {
  return label.split(' ').length < 3;
}

/** Crons, uptime and performance: their emoji is the category's, and the link says what kind of problem it is. */
function isCategory(content: MessageContent): boolean {
  return CATEGORY.test(titleLine(content));
}

const CATEGORY =
  /:(?:spiral_calendar_pad|spiral_calendar|chart_with_upwards_trend|busts_in_silhouette|stopwatch|calendar):|[\u{1F5D3}\u{1F4C8}\u{1F465}]/u;

/** The level: red is an error's and a fatal one's, the other circles stand for one level each. */
function levelOf(content: MessageContent, headline: string): Severity | null {
  const [, word] = /^\[?(fatal|critical|warning|info|debug)(?:\]|:)/iu.exec(headline) ?? [];
  if (word !== undefined) return severityWord(word);
  const line = titleLine(content);
  if (CATEGORY.test(line)) return null;
  if (/:(?:large_yellow_circle|warning):|[\u{1F7E1}\u{26A0}]/u.test(line)) return 'medium';
  return /:(?:large_blue_circle|information_source|bug):|[\u{1F535}\u{2139}\u{1F41B}]/u.test(line)
    ? 'low'
    : null;
}

/** What stands before the issue's link on its line. */
function titleLine(content: MessageContent): string {
  const line = content.body.split('\n').find((one) => linksOf(one).some(({ url }) => issueNumberIn(url)));
  return line?.split('<http', 1)[0] ?? '';
}

/** Whether it has what is below each issue; other bots that speak of one do not repeat it. */
function isCard(facts: readonly Fact[]): boolean {
  return statedValue(facts, 'short id') !== null && statedValue(facts, 'state') !== null;
}

/** The first link to an issue; a title's, where the message is an attachment. */
function issueLink(content: MessageContent): Link | null {
  const titled = content.attachments.find(({ title_link }) => issueNumberIn(title_link));
  if (titled) return { url: titled.title_link, label: plainText(titled.title) };
  const words = linksOf(content.body).find(({ url }) => issueNumberIn(url));
  const address = urlsOf(content).find((url) => issueNumberIn(url));
  return words ?? (address === undefined ? null : { url: address, label: null });
}

/** The card is edited when somebody resolves or archives the issue from it. */
function kindOfIssue(words: string, state: string): AlertKind {
  const by = /^\W{0,6}Issue (resolved|archived|ignored)\b/imu.exec(plainText(words))?.[1] ?? '';
  if (/^resolved/iu.test(by || state)) return 'resolved';
  return /^(?:archived|ignored|muted)/iu.test(by || state) ? 'not_an_alert' : 'firing';
}

/** The line of tags: ``environment: `production`  server_name: `web-14` ``. */
function tagsOf(words: string): Fact[] {
  const line = words.split('\n').find((one) => TAGS_LINE.test(one.trimStart()));
  return [...(line ?? '').matchAll(TAG)].map(([, name = '', value = '']) => toFact(name, value));
}

/** All but the title, whose link differs from one delivery to the next. */
function belowTitle({ message, attachments }: MessageContent): string {
  return [...attachments.map(attachmentDetails), blocksText(message.blocks)]
    .flatMap((text) => text.split('\n'))
    .filter((line) => !linksOf(line).some(({ url }) => issueNumberIn(url)))
    .join('\n');
}

const ISSUE = /\/issues\/(\d+)(?:[/?#]|$)/u;

function issueNumberIn(url: string): string | null {
  return ISSUE.exec(url)?.[1] ?? null;
}

/** An issue's identity: its number, in whichever organization's URL. */
function issueFingerprint(number: string): string {
  return fingerprintOf('sentry', 'issue', number);
}

/** A URL without the parts that change with every delivery; `alert`, a metric alert's incident, stays. */
function stableUrl(url: string): string {
  if (!URL.canParse(url)) return url;
  const { origin, pathname, searchParams } = new URL(url);
  const alert = searchParams.get('alert');
  return `${origin}${pathname}${alert === null ? '' : `?alert=${encodeURIComponent(alert)}`}`;
}

/** Sentry's integration platform: issues, issue alerts and metric alerts. The header says which; else the body does. */
function readWebhook(payload: unknown, headers: Readonly<Record<string, string>>): WebhookReading {
  if (!isJsonObject(payload) || !isJsonObject(payload.data))
    return { kind: 'refused', reason: 'The body has no `data`, which each of Sentry’s webhooks has.' };
  const { data } = payload;
  const action = scalarText.parse(payload.action);
  const resource = headers['sentry-hook-resource'] ?? '';
  if (resource === 'installation' || resource === 'comment')
    return {
      kind: 'nothing',
      reason: `It is about ${resource === 'comment' ? 'a comment' : 'the installation'}.`,
    };
  const reading = readMetric(action, data) ?? readEvent(data) ?? readIssue(action, data, payload.actor);
  return (
    reading ?? {
      kind: 'nothing',
      reason: `It is about no alert${resource ? ` (${resource.slice(0, 60)})` : ''}.`,
    }
  );
}

const Event = z.object({
  event_id: scalarText,
  issue_id: scalarText,
  issue_url: scalarText,
  url: scalarText,
  web_url: webUrl,
  title: scalarText,
  culprit: scalarText,
  level: scalarText,
  environment: scalarText,
  release: scalarText,
  datetime: moment,
  project_slug: scalarText,
  project_name: scalarText,
  metadata: labelMap,
  tags: labelList,
});
type Event = z.output<typeof Event>;

/** An issue alert names an event as `event`, and Sentry's webhook about each error as `error`. */
const EventData = z.object({ event: Event.optional(), error: Event.optional(), triggered_rule: scalarText });

/** The alert in an event that a rule (or every error) sends; `null` if the webhook is about no event. */
function readEvent(data: unknown): WebhookReading | null {
  const parsed = EventData.safeParse(data);
  const event = parsed.data?.event ?? parsed.data?.error;
  if (parsed.data === undefined || event === undefined) return null;
  const number = issueOf(event);
  if (number === null) return { kind: 'refused', reason: 'The event names no issue (`issue_id`).' };

  const rule = parsed.data.triggered_rule;
  const { tags } = event;
  const { fields } = fromLabelMap(tags);
  const { type = '', value = '' } = event.metadata;
  const title = toTitle(event.title || [type, value].filter(Boolean).join(': '));
  const project = event.project_slug || event.project_name || projectIn(event.url);
  const page = event.web_url;
  const alert = {
    ...emptyAlert('sentry'),
    ...fields,
    kind: 'firing' as const,
    title: title ?? toTitle(`Issue ${number}`),
    description: [event.culprit, value].filter(Boolean).join('\n\n') || title,
    severity: severityWord(event.level) ?? fields.severity,
    environment: event.environment || fields.environment,
    service: project || fields.service,
    version: event.release || fields.version,
    triggeredAt: event.datetime,
    alertUrl: page === null ? null : stableUrl(page),
    errorType: toTitle(type),
    errorMessage: toErrorMessage(value),
    tags: Object.entries(tags)
      .filter(([name]) => name !== 'release')
      .slice(0, 50)
      .map(([name, tagValue]) => `${name}:${tagValue}`),
    fingerprint: issueFingerprint(number),
  };
  const labels = {
    ...tags,
    ...(project === '' ? {} : { project }),
    ...(rule === '' ? {} : { rule }),
  };
  // What becomes of the issue names no environment.
  const aliases = alert.environment === null ? [] : [{ fingerprint: alert.fingerprint, environment: null }];
  const links = linksTo(['Event', page]);
  return { kind: 'alerts', alerts: [receivedAlert({ alert, labels, links, aliases })] };
}

function issueOf({ issue_id, issue_url, web_url }: Event): string | null {
  return issue_id || issueNumberIn(issue_url) || issueNumberIn(web_url ?? '') || null;
}

/** The project in an event's address at the API: `/api/0/projects/acme/checkout-api/events/…`. */
function projectIn(url: string): string {
  return /\/projects\/[^/]{1,100}\/([^/]{1,100})\//u.exec(url)?.[1] ?? '';
}

const Issue = z.object({
  id: scalarText,
  title: scalarText,
  shortId: scalarText,
  culprit: scalarText,
  level: scalarText,
  status: scalarText,
  substatus: scalarText,
  firstSeen: moment,
  permalink: webUrl,
  web_url: webUrl,
  project: z.object({ slug: scalarText, name: scalarText }).catch({ slug: '', name: '' }),
  metadata: labelMap,
});
type Issue = z.output<typeof Issue>;

const IssueData = z.object({ issue: Issue });
const Actor = z.object({ name: scalarText }).catch({ name: '' });

const KINDS: ReadonlyMap<string, AlertKind> = new Map([
  ['created', 'firing'],
  ['unresolved', 'firing'],
  ['triggered', 'firing'],
  ['resolved', 'resolved'],
]);

/** What became of an issue; `null` if the webhook is about none. */
function readIssue(action: string, data: unknown, by: unknown): WebhookReading | null {
  const parsed = IssueData.safeParse(data);
  if (!parsed.success || parsed.data.issue.id === '') return null;
  const { issue } = parsed.data;
  const kind = KINDS.get(action) ?? 'not_an_alert';
  const { type = '', value = '' } = issue.metadata;
  const title = toTitle(issue.title || [type, value].filter(Boolean).join(': ') || issue.shortId);
  const url = issue.permalink ?? issue.web_url;
  const alert = {
    ...emptyAlert('sentry'),
    kind,
    title: title ?? toTitle(`Issue ${issue.id}`),
    description: [issue.culprit, value].filter(Boolean).join('\n\n') || title,
    severity: severityWord(issue.level),
    service: issue.project.slug || issue.project.name || null,
    triggeredAt: issue.firstSeen,
    alertUrl: url === null ? null : stableUrl(url),
    errorType: toTitle(type),
    errorMessage: toErrorMessage(value),
    fingerprint: issueFingerprint(issue.id),
  };
  const note = kind === 'not_an_alert' ? noteOf(action, Actor.parse(by).name, issue) : null;
  return { kind: 'alerts', alerts: [receivedAlert({ alert, note, labels: labelsOf(issue) })] };
}

function labelsOf({ level, project, shortId }: Issue): Record<string, string> {
  return statedLabels({ project: project.slug, level, short_id: shortId });
}

/** `Archived by Dana`, `Assigned by Dana`; an action that is not known is shown as it is called. */
function noteOf(action: string, who: string, { substatus }: Issue): string {
  const word = (action === 'ignored' ? 'archived' : action.replace(/_/gu, ' ')) || 'updated';
  const by = who === '' ? '' : ` by ${who}`;
  const until = substatus === 'archived_until_escalating' ? ' until it escalates' : '';
  return `${word.charAt(0).toUpperCase()}${word.slice(1)}${by}${until}`;
}

const Rule = z
  .object({ id: scalarText, name: scalarText, environment: scalarText })
  .catch({ id: '', name: '', environment: '' });
const Incident = z.object({
  identifier: scalarText,
  title: scalarText,
  date_started: moment,
  projects: tagList,
  alert_rule: Rule,
});
const MetricData = z.object({
  metric_alert: Incident,
  description_title: scalarText,
  description_text: scalarText,
  web_url: webUrl,
});

/** A metric alert; `null` if the webhook is about none. Its identity is that of its message in Slack. */
function readMetric(action: string, data: unknown): WebhookReading | null {
  const parsed = MetricData.safeParse(data);
  if (!parsed.success) return null;
  const { metric_alert: incident, description_title, description_text, web_url } = parsed.data;
  const { alert_rule: rule, projects } = incident;
  const named = description_title.replace(/^(?:critical|warning|resolved): ?/iu, '');
  const title = toTitle(named || rule.name || incident.title) ?? 'Metric alert';
  const word = action.toLowerCase();
  const number = queryParameter(web_url ?? '', 'alert') ?? incident.identifier;
  const ruleId = /\/alerts\/rules\/details\/(\d+)/u.exec(web_url ?? '')?.[1] ?? rule.id;
  const [project] = projects;
  const alert = {
    ...emptyAlert('sentry'),
    kind: word === 'resolved' ? ('resolved' as const) : ('firing' as const),
    title,
    description: description_text || title,
    severity: severityOf(word),
    environment: rule.environment || null,
    service: projects.length === 1 && project ? project : null,
    triggeredAt: incident.date_started,
    alertUrl: web_url === null ? null : stableUrl(web_url),
    errorMessage: toErrorMessage(description_text),
    fingerprint: fingerprintOf('sentry', 'metric', ruleId, number),
  };
  const aliases = alert.environment === null ? [] : [{ fingerprint: alert.fingerprint, environment: null }];
  const stated = { project: projects.slice(0, 10).join(','), environment: rule.environment, rule: rule.name };
  return { kind: 'alerts', alerts: [receivedAlert({ alert, labels: statedLabels(stated), aliases })] };
}
