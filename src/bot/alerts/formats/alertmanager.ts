import { z } from 'zod';
import { atOnce, type Steps } from '../../shared/turns.ts';
import { isHost, isRegion } from '../details.ts';
import {
  type Fact,
  factNamed,
  factsInLinks,
  factsOf,
  fromLabels,
  statedValue,
  tagsFrom,
  withUsualNames,
} from '../facts.ts';
import { alertOf, linksOfAlert, type PrometheusAlert, readGroup } from '../families.ts';
import type { AlertAlias, Format, ReceivedAlert, WebhookFormat, WebhookReading } from '../format.ts';
import { fingerprintOf } from '../identity.ts';
import {
  type Attachment,
  attachmentText,
  contentOf,
  fieldFacts,
  type MessageContent,
  SlackMessage,
  urlsOf,
} from '../message.ts';
import {
  IDENTIFIER,
  namesIn,
  namesInText,
  namesSomething,
  namesThing,
  withoutMeasurements,
} from '../names.ts';
import {
  boundedLabels,
  identityParts,
  type Labels,
  labelMap,
  receivedAlert,
  scalarText,
  shownLabels,
  sortedPairs,
  webUrl,
} from '../payload.ts';
import { linksOf, plainText, toDescription, toErrorMessage, toTitle, withoutMarkup } from '../slack-text.ts';
import {
  colorState,
  emojiState,
  firingPart,
  highestSeverity,
  type State,
  severityOf,
  severityWord,
  titledState,
} from '../state.ts';
import { timestampIn } from '../timestamps.ts';
import { type Alert, emptyAlert, type Severity } from '../types.ts';
import { identifyingLabels } from '../values.ts';
import { withoutMarkers } from '../wording.ts';

const RECEIVER = /https?:\/\/[^\s<>|]+\/#\/alerts\?receiver=[^\s<>|]*/u;
const STARTED = (
  'started, starts at, startsat, started at, start, active since, since, triggered at, fired at, ' + 'time'
).split(', ');

/** Alertmanager's webhook receiver, version 4 of its payload. Each alert of a group is an alert of its own. */
export const alertmanagerWebhook: WebhookFormat = {
  name: 'alertmanager',
  tool: 'Alertmanager',
  read: (payload) => atOnce(readWebhook(payload)),
  steps: readWebhook,
};

/** Prometheus Alertmanager, with its default template or an operator's own. */
export const alertmanager: Format = {
  name: 'alertmanager',
  tool: 'Alertmanager',
  extract,
  webhook: alertmanagerWebhook,
};

/** One message of Alertmanager: a group, or one alert. Never one alert of several (guide, section 5). */
function extract(content: MessageContent): Alert | null {
  if (content.person || !isAlertmanagers(content)) return null;
  const part = content.attachments.find((one) => titled(one.title)) ?? content.attachments[0] ?? null;
  const text = part ? attachmentText({ ...part, title: '', fallback: '' }) : content.body;
  const heading = headingOf(content, part, text);
  const own = defaultTitleOf(content);
  const { state, isContradicted } = stateOf(content, part, heading, own, text);
  const urls = urlsOf(content);
  const facts = [
    ...content.attachments.flatMap(fieldFacts),
    ...factsOf(state === 'firing' ? firingPart(text) : text),
  ];
  const labels = factsInLinks(urls);
  const headline = nameOf(heading, facts) ?? own?.name ?? null;
  if (headline === null) return null;

  const receiver = receiverOf(content);
  const rule = statedValue([...facts, ...labels], 'alertname') ?? own?.name.split(' ', 1)[0] ?? null;
  const alertName = rule ?? headline.split(' ', 1)[0] ?? headline;
  const alertUrl = part?.title_link || receiver;
  if (HEARTBEATS.has(alertName)) return { ...emptyAlert('alertmanager'), title: alertName, alertUrl };
  // A title that names nothing, or only places, is the template's, not the alert's.
  const isPlace =
    own !== null && !headline.includes(rule ?? '') && namesIn(headline).every((one) => IDENTIFIER.test(one));
  const name =
    rule !== null && headline.split(' ').length <= STOCK_WORDS && (isPlace || !namesSomething(headline))
      ? [rule, statedValue(facts, 'alert', 'summary')?.replace(/ - \w+$/u, '')].filter(Boolean).join(': ')
      : headline;
  const all = [...factsOf(text), ...content.attachments.flatMap(fieldFacts), ...labels];
  const subject = subjectOf(own?.name ?? headline, all, text);
  return {
    ...emptyAlert('alertmanager'),
    ...detailsOf(
      own && name === headline ? [headline, own.name] : [name],
      [...facts, ...labels],
      text,
      severityOf(GRADE.exec(withoutMarkup(heading))?.[1] ?? '') ??
        severityWord(/\((\w{4,8})\)/u.exec(plainText(text))?.[1] ?? ''),
    ),
    kind: state,
    title: toTitle(name),
    description: toDescription(text, toTitle(name)),
    alertUrl,
    ...(subject.isNamed ? {} : { isNameless: true as const }),
    ...(isContradicted ? { isContradicted: true as const } : {}),
    fingerprint: fingerprintOf(
      'alertmanager',
      // The Alertmanager itself: one alert goes to several receivers, to Slack's and to a webhook's.
      (receiver ?? '').split('/#/alerts', 1)[0] ?? '',
      ...subject.parts,
      ...(subject.isNamed ? [] : [content.message.channel]),
    ),
  };
}

function titled(title: string): ReturnType<typeof titledState> {
  return titledState(withoutMarkup(plainText(title)));
}

/** Alertmanager's own title, which names the group's labels: it is in the fallback where an operator words the title. */
function defaultTitleOf({ attachments }: MessageContent): ReturnType<typeof titledState> {
  const found = attachments.flatMap(({ fallback }) =>
    / \| <?https?:/u.exec(fallback) ? [titled(fallback.replace(/ \| <?https?:.*$/su, ''))] : [],
  );
  return found.find((one) => one !== null && one.name !== '') ?? null;
}

/** What a message is about: its title without state and measurements, and the labels that the title does not have. */
function subjectOf(
  title: string,
  facts: readonly Fact[],
  text: string,
): { parts: string[]; isNamed: boolean } {
  const name = stateless(title);
  const labels = identifyingLabels(facts).filter(
    (label) => !name.includes(label.slice(label.indexOf('=') + 1)),
  );
  if (labels.length > 0) return { parts: [name, ...labels], isNamed: true };
  if (namesSomething(name)) return { parts: [name, ...objectIn(name, text)], isNamed: true };
  const names = namesInText(text);
  return { parts: [name, ...names], isNamed: names.length > 0 };
}

/** The one object that a text is about, where the title is the name of a rule; a text about several names none. */
function objectIn(title: string, text: string): string[] {
  if (/\s/u.test(title) && namesThing(title)) return [];
  const lines = plainText(text).split('\n');
  const bold = lines.flatMap((line) => namesIn(/^\s*\*([^*:]{1,80})\*\s*[—–|-]/u.exec(line)?.[1] ?? ''));
  const names = bold.length > 0 ? bold : lines.flatMap(namesIn).filter((name) => IDENTIFIER.test(name));
  const [only, ...others] = new Set(names.filter((name) => name !== title.toLowerCase()));
  return only === undefined || others.length > 0 ? [] : [only];
}

function detailsOf(
  names: readonly string[],
  facts: readonly Fact[],
  text: string,
  grade: Severity | null,
): Partial<Alert> {
  const { fields, used } = fromLabels(facts);
  const [guess = NO_GUESS, more = NO_GUESS] = names.map(fromTitle);
  const started = factNamed(facts, ...STARTED)?.value;
  return {
    ...fields,
    severity:
      fields.severity ??
      guess.severity ??
      more.severity ??
      grade ??
      severityOf(statedValue(withUsualNames(facts), 'severity') ?? ''),
    service: fields.service ?? guess.service ?? more.service,
    host: fields.host ?? guess.host ?? more.host,
    region: fields.region ?? guess.region ?? more.region,
    triggeredAt: started === undefined ? null : timestampIn(started),
    errorMessage: toErrorMessage(
      statedValue(facts, 'description', 'message', 'summary') ?? prose(text, facts),
    ),
    tags: tagsFrom(facts, used),
  };
}

function isAlertmanagers(content: MessageContent): boolean {
  if (receiverOf(content) !== null) return true;
  const named = content.names.some((name) => /alert ?manager/iu.test(name));
  return (
    named &&
    (content.attachments.some(({ title }) => titled(title)) ||
      titledState(withoutMarkup(content.body)) !== null)
  );
}

function receiverOf({ attachments, body, buttons }: MessageContent): string | null {
  const places = [
    ...attachments.flatMap(({ title_link, fallback }) => [title_link, fallback]),
    ...linksOf(body).map(({ url }) => url),
    ...buttons.map(({ url }) => url),
  ];
  for (const place of places) {
    const found = RECEIVER.exec(place.slice(0, 4_000))?.[0];
    if (found) return found;
  }
  return null;
}

function headingOf(content: MessageContent, part: Attachment | null, text: string): string {
  // The title, or the first line of a text that begins as a title does.
  const opening =
    part === null || titledState(withoutMarkup(plainText(text.split('\n', 1)[0] ?? ''))) ? text : '';
  const candidates = [
    part?.title,
    part?.pretext,
    content.message.text,
    opening,
    part?.fallback.replace(/^ \| <.*$/u, ''),
  ];
  const heading = candidates.find((words) => words !== undefined && words.trim() !== '') ?? '';
  return plainText(
    heading
      .split('\n')
      .find((line) => line.trim() !== '')
      ?.replace(/ \| <.*$/u, '') ?? '',
  ).trim();
}

/**
 * The tool's words come first: in the title, in its own title, and in a field. Where they contradict each other the color
 * decides, and where there are none, the color before the emoji.
 */
function stateOf(
  content: MessageContent,
  part: Attachment | null,
  heading: string,
  own: ReturnType<typeof titledState>,
  text: string,
): { state: State; isContradicted: boolean } {
  const titles = content.attachments.map(({ title }) => titled(title)?.state);
  const word = /\b(firing|resolved)\b/iu.exec(withoutMarkup(heading))?.[1]?.toLowerCase();
  const facts = [...content.attachments.flatMap(fieldFacts), ...factsOf(text)];
  const stated = /firing|resolved/iu.exec(statedValue(facts, 'status', 'state') ?? '')?.[0].toLowerCase();
  const title = titles.includes('firing') ? 'firing' : titles.includes('resolved') ? 'resolved' : word;
  const color = colorState(part?.color ?? '');
  const emoji = emojiState(heading);
  const words = new Set(
    [title, stated, own?.state].filter((state) => state === 'firing' || state === 'resolved'),
  );
  if (words.size > 1) return { state: color ?? 'firing', isContradicted: color === null };
  const [agreed] = words;
  // Only the fallback says that it fires: a template may have its own.
  const onlyFallback = title === undefined && stated === undefined;
  const over = color === 'resolved' && emoji === 'resolved';
  const seen = color ?? emoji ?? emojiState(text) ?? 'firing';
  return { state: agreed !== undefined && !(onlyFallback && over) ? agreed : seen, isContradicted: false };
}

/** The title without its state; else the names that the text gives to its alerts. */
function nameOf(heading: string, facts: readonly Fact[]): string | null {
  const title = withoutMarkup(heading);
  const name = (titledState(title)?.name ?? withoutStates(title))
    .replace(/^(?:firing|resolved|alert)\s?[:|-]\s*/iu, '')
    .replace(GRADE, '');
  if (name !== '' && !factsOf(heading).length) return name;
  const names = new Set(
    facts
      .filter((one) => /^alert(?:name)?$/iu.test(one.name))
      .map(({ value }) => value.replace(/ - \w+$/u, '')),
  );
  return [...names].slice(0, 5).join(', ') || name || null;
}

/** The same for a state in other words and languages: `Решено: Name`, `【告警】Name`. */
function withoutStates(title: string): string {
  const [word = ''] = /^\P{L}*[\p{L} ]{2,20}/u.exec(title) ?? [];
  return /^[\p{ASCII}\s]*$/u.test(word)
    ? title
    : withoutMarkers(title.replace(/^\p{Extended_Pictographic}\uFE0F?\s*/u, ''));
}

/** A longer title is a sentence. */
const STOCK_WORDS = 8;

/** A severity in front of a title: `CRITICAL: payments`. */
const GRADE = /^\[?(critical|crit|warning|warn|info|error|page|p[1-5]|sev[0-4]|high|low)\]?\s?[:|–-]\s*/iu;

/** The title that firing and recovery share, where an operator's template writes the state or a measurement inside it. */
function stateless(name: string): string {
  // A rule's name is one word; behind it are labels, whose numbers are names.
  const isLabels = /^[A-Z][a-z\d]{0,40}[A-Z]\w{0,80}(?: |$)|^[a-z]{1,40}_\w{1,80}(?: |$)/u.test(name);
  return withoutMeasurements(name, !isLabels)
    .replace(/\b(?:firing|resolved)\b(?::\d+)?/giu, '')
    .replace(/\s+/gu, ' ')
    .trim();
}

function prose(text: string, facts: readonly Fact[]): string | null {
  if (facts.length > 0) return null;
  const lines = text.split('\n').map((line) => withoutMarkup(plainText(line)));
  return lines.find((line) => line !== '' && titledState(line) === null) ?? null;
}

type FromTitle = Pick<Alert, 'severity' | 'service' | 'host' | 'region'>;
const NO_GUESS: FromTitle = { severity: null, service: null, host: null, region: null };

const SERVICE = /^[a-z][a-z\d]{0,60}(?:-[a-z][a-z\d]{0,60})+$/u;
const NAMESPACE =
  /^(?:kube|openshift|cattle|istio)-|-(?:system|prod|production|staging|stage|dev|test|ns)$|^(?:prod|production|staging|stage|dev|test)-/u;

/**
 * What a default title tells: `Name group-values (values of the other common labels)`. The labels' names are lost, so
 * only values that speak for themselves count; an environment is only hinted at.
 */
function fromTitle(name: string): FromTitle {
  const [whole = '', inside = ''] = / \(([^()]*(?:\([^()]*\)[^()]*){0,20})\)$/u.exec(name) ?? [];
  const wordsOf = (text: string) => text.split(' ').filter(Boolean);
  const [alertName = '', ...group] = wordsOf(name.slice(0, name.length - whole.length));
  const common = wordsOf(inside);
  const values = [...group, ...common];
  // The alerts about Kubernetes' own objects group by namespace, and their instance is the exporter's.
  const kubernetes = alertName.startsWith('Kube') || common.includes('kube-state-metrics');
  return {
    severity: highestSeverity(values.map(severityWord)),
    service: kubernetes ? null : (group.find(isService) ?? null),
    host: kubernetes ? null : only(values.filter(isHost)),
    region: only(values.filter(isRegion)),
  };
}

function isService(value: string): boolean {
  return SERVICE.test(value) && !NAMESPACE.test(value) && !isRegion(value);
}

function only(values: readonly string[]): string | null {
  const [first = null, ...others] = new Set(values);
  return others.length === 0 ? first : null;
}

/** Alerts that always fire by design, to prove that the way to Slack works. */
const HEARTBEATS = new Set(['Watchdog', 'DeadMansSwitch', 'InfoInhibitor']);

const Payload = z.object({
  externalURL: scalarText,
  groupLabels: labelMap,
  commonLabels: labelMap,
  /** The labels of the route that led here, since 0.34; they say where an alert belongs, but not what it is. */
  routeLabels: labelMap,
});

const GROUP = {
  tool: 'Alertmanager',
  custom: 'the receiver is configured with a `payload` of its own',
  tests: HEARTBEATS,
  onlyTests: 'It holds nothing but heartbeats.',
  limit: 'max_alerts',
};

function readWebhook(payload: unknown): Steps<WebhookReading> {
  return readGroup(GROUP, payload, (real, resolved) => {
    const given = Payload.parse(payload);
    const externalUrl = given.externalURL.replace(/\/+$/u, '');
    const groupLabels = boundedLabels(given.groupLabels).labels;
    const commonLabels = boundedLabels(given.commonLabels).labels;
    const few = Object.fromEntries(Object.entries(given.routeLabels).slice(0, MAX_ROUTE_LABELS));
    const group: Group = {
      externalUrl,
      routeLabels: given.routeLabels,
      fewRouteLabels: shownLabels(few),
      groupLabels,
      size: real.length,
      aliases: groupAlias({ externalUrl, groupLabels, commonLabels }),
      resolved,
    };
    return (entry) => received(entry, group);
  });
}

interface Group {
  externalUrl: string;
  routeLabels: Labels;
  /** Each alert stores a copy of these; routes look at all of them. */
  fewRouteLabels: Labels;
  groupLabels: Labels;
  size: number;
  aliases: AlertAlias[];
  resolved: boolean;
}

/** In larger groups only the group's own message is looked for: a message is read for each alias. */
const MAX_ALONE = 20;
const MAX_ROUTE_LABELS = 20;

function received(entry: PrometheusAlert, group: Group): ReceivedAlert {
  const { externalUrl, routeLabels, fewRouteLabels, resolved } = group;
  const page = webUrl.parse(`${externalUrl}/#/alerts`);
  const alert = alertOf('alertmanager', entry);
  const links = linksOfAlert(entry);
  const own = boundedLabels(entry.labels);
  return receivedAlert({
    alert: {
      ...alert,
      alertUrl: alert.alertUrl ?? page,
      fingerprint: identityOf(externalUrl, entry.labels, entry.fingerprint),
    },
    labels: { ...fewRouteLabels, ...own.labels },
    moreLabels: own.more,
    routing: [entry.labels, routeLabels],
    links: page === null ? links : [...links, { text: 'Alertmanager', url: page }],
    aliases: aliasesOf(entry, group),
    groupResolved: resolved,
  });
}

/**
 * The message in Slack from when this alert was alone in its group, and the group's own: each receiver is notified by a
 * timer of its own, so Slack may have been told before the others joined.
 */
function aliasesOf({ labels }: PrometheusAlert, group: Group): AlertAlias[] {
  const { externalUrl, groupLabels, size, aliases } = group;
  if (size === 1 || size > MAX_ALONE) return aliases;
  // An alert with no labels but those that the group shares is written as the group is.
  const alone = groupAlias({
    externalUrl,
    groupLabels,
    commonLabels: boundedLabels(labels).labels,
  }).filter(({ fingerprint }) => !aliases.some((alias) => alias.fingerprint === fingerprint));
  return [...alone.map((alias): AlertAlias => ({ ...alias, alone: true })), ...aliases];
}

/** An alert is its labels; Alertmanager's `fingerprint` is a hash of them, and counts only where they are missing. */
function identityOf(externalUrl: string, labels: Labels, fingerprint: string): string {
  const pairs = identityParts(labels);
  return fingerprintOf('alertmanager-alert', externalUrl, ...(pairs.length > 0 ? pairs : [fingerprint]));
}

/** A group of alerts, as Alertmanager's templates see it. */
interface AlertGroup {
  /** Where its users find Alertmanager, as `--web.external-url` says. */
  externalUrl: string;
  groupLabels: Labels;
  commonLabels: Labels;
}

/** Alertmanager cuts a title of more characters. */
const MAX_TITLE = 1_024;

/**
 * The identity of the message that Alertmanager's default Slack template writes about a group. None for a group that
 * Slack's message would not name.
 */
function groupAlias({ externalUrl, groupLabels, commonLabels }: AlertGroup): AlertAlias[] {
  const link = `${externalUrl}/#/alerts?receiver=slack`;
  const attachment = {
    color: 'danger',
    title: slackEscaped(titleOf(groupLabels, commonLabels)),
    title_link: link,
  };
  const message = { bot_id: 'B0', username: 'Alertmanager', attachments: [attachment] };
  const parsed = SlackMessage.safeParse(message);
  const alert = parsed.success ? alertmanager.extract(contentOf(parsed.data)) : null;
  return alert?.fingerprint ? [{ fingerprint: alert.fingerprint, environment: alert.environment }] : [];
}

/** `[FIRING:1] ` and the values of the group's labels, then those of the other common labels in parentheses. */
function titleOf(groupLabels: Labels, commonLabels: Labels): string {
  const others = Object.entries(commonLabels).filter(([name]) => !Object.hasOwn(groupLabels, name));
  const more = Object.keys(commonLabels).length > Object.keys(groupLabels).length;
  const common = more ? `(${inOrder(Object.fromEntries(others))})` : '';
  const title = `[FIRING:1] ${inOrder(groupLabels)} ${common}`;
  // A character is two units at most.
  const characters = [...title.slice(0, 2 * MAX_TITLE + 2)];
  return characters.length > MAX_TITLE
    ? `${characters.slice(0, MAX_TITLE - 1).join('')}…`
    : characters.join('');
}

/** The values as templates list them: `alertname` first, then by name. */
function inOrder(labels: Labels): string {
  const { alertname, ...others } = labels;
  const values = sortedPairs(others).map(([, value]) => value);
  return (alertname === undefined ? values : [alertname, ...values]).join(' ');
}

/** As Slack delivers a text that a tool sent. */
function slackEscaped(text: string): string {
  return text.replace(/&/gu, '&amp;').replace(/</gu, '&lt;').replace(/>/gu, '&gt;');
}
