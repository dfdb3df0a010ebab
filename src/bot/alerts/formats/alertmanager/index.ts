import { emptyAlert } from '../../empty-alert.ts';
import { type Fact, factsOf } from '../../facts.ts';
import { fingerprintOf } from '../../fingerprint.ts';
import type { Format } from '../../format.ts';
import { factNamed, fromLabels, statedValue } from '../../labels.ts';
import { attachmentText, fieldFacts, type MessageContent } from '../../message-content.ts';
import type { Attachment } from '../../schema.ts';
import { highestSeverity, severityOf } from '../../severity.ts';
import { linksOf, plainText, withoutMarkup } from '../../slack-text.ts';
import { bracketedState, colorState, emojiState, firingPart, type State } from '../../state.ts';
import { tagsFrom } from '../../tags.ts';
import { toDescription, toErrorMessage, toTitle } from '../../text-fields.ts';
import { timestampIn } from '../../timestamps.ts';
import type { Alert } from '../../types.ts';
import { HEARTBEATS } from './heartbeats.ts';
import { fromTitle } from './title.ts';

const RECEIVER = /https?:\/\/[^\s<>|]+\/#\/alerts\?receiver=[^\s<>|]*/u;
const STARTED = [
  'started',
  'starts at',
  'startsat',
  'started at',
  'start',
  'active since',
  'since',
  'triggered at',
  'fired at',
  'time',
];

/** Prometheus Alertmanager, with its default template or an operator's own. */
export const alertmanager: Format = { name: 'alertmanager', tool: 'Alertmanager', extract };

/** One message of Alertmanager: a group, or one alert. Never one alert of several (guide, section 5). */
function extract(content: MessageContent): Alert | null {
  if (content.person || !isAlertmanagers(content)) return null;
  const part =
    content.attachments.find((one) => bracketedState(plainText(one.title))) ?? content.attachments[0] ?? null;
  const text = part ? attachmentText({ ...part, title: '', fallback: '' }) : content.body;
  const heading = headingOf(content, part, text);
  const state = stateOf(content, part, heading, text);
  const facts = [
    ...content.attachments.flatMap(fieldFacts),
    ...factsOf(state === 'firing' ? firingPart(text) : text),
  ];
  const name = nameOf(heading, facts);
  if (name === null || state === null) return null;

  const receiver = receiverOf(content);
  const alertName = statedValue(facts, 'alertname') ?? name.split(' ', 1)[0] ?? name;
  const alertUrl = part?.title_link || receiver;
  if (HEARTBEATS.has(alertName)) return { ...emptyAlert('alertmanager'), title: alertName, alertUrl };
  return {
    ...emptyAlert('alertmanager'),
    ...says(name, facts, text),
    kind: state,
    title: toTitle(name),
    description: toDescription(text, toTitle(name)),
    alertUrl,
    fingerprint: fingerprintOf('alertmanager', serverOf(receiver ?? ''), stateless(name)),
  };
}

function says(name: string, facts: readonly Fact[], text: string): Partial<Alert> {
  const { fields, used } = fromLabels(facts);
  const guess = fromTitle(name);
  const started = factNamed(facts, ...STARTED)?.value;
  return {
    ...fields,
    severity: fields.severity ?? severityBeside(facts) ?? guess.severity,
    service: fields.service ?? guess.service,
    host: fields.host ?? guess.host,
    region: fields.region ?? guess.region,
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
    (content.attachments.some(({ title }) => bracketedState(plainText(title))) ||
      bracketedState(withoutMarkup(content.body)) !== null)
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

/** The Alertmanager itself: one alert goes to several receivers, to Slack's and to a webhook's. */
function serverOf(receiver: string): string {
  return receiver.split('/#/alerts', 1)[0] ?? '';
}

function headingOf(content: MessageContent, part: Attachment | null, text: string): string {
  // The title, or the first line of a text that begins as a title does.
  const opening =
    part === null || bracketedState(withoutMarkup(plainText(text.split('\n', 1)[0] ?? ''))) ? text : '';
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

function stateOf(
  content: MessageContent,
  part: Attachment | null,
  heading: string,
  text: string,
): State | null {
  const titles = content.attachments.map(
    ({ title }) => bracketedState(withoutMarkup(plainText(title)))?.state,
  );
  if (titles.includes('firing')) return 'firing';
  if (titles.includes('resolved')) return 'resolved';
  const word = /\b(firing|resolved)\b/iu.exec(withoutMarkup(heading))?.[1]?.toLowerCase();
  if (word === 'firing' || word === 'resolved') return word;
  const stated =
    statedValue(
      [...content.attachments.flatMap(fieldFacts), ...factsOf(text)],
      'status',
      'state',
    )?.toLowerCase() ?? '';
  if (stated.includes('firing')) return 'firing';
  if (stated.includes('resolved')) return 'resolved';
  return emojiState(heading) ?? colorState(part?.color ?? '') ?? emojiState(text) ?? 'firing';
}

/** The title without its state; else the names that the text gives to its alerts. */
function nameOf(heading: string, facts: readonly Fact[]): string | null {
  const title = withoutMarkup(heading);
  const name = (bracketedState(title)?.name ?? title).replace(/^(?:firing|resolved|alert)\s?[:|-]\s*/iu, '');
  if (name !== '' && !factsOf(heading).length) return name;
  const names = new Set(
    facts
      .filter((one) => /^alert(?:name)?$/iu.test(one.name))
      .map(({ value }) => value.replace(/ - \w+$/u, '')),
  );
  return [...names].slice(0, 5).join(', ') || name || null;
}

/** The title that firing and recovery share, where an operator's template writes the state inside it. */
function stateless(name: string): string {
  return name
    .replace(/\b(?:firing|resolved)\b(?::\d+)?/giu, '')
    .replace(/\s+/gu, ' ')
    .trim();
}

/** `*Alert:* Name - warning`. */
function severityBeside(facts: readonly Fact[]): Alert['severity'] {
  const alerts = facts.filter(({ name }) => name.toLowerCase() === 'alert');
  return highestSeverity(alerts.map(({ value }) => severityOf(/ - (\w+)$/u.exec(value)?.[1] ?? '')));
}

function prose(text: string, facts: readonly Fact[]): string | null {
  if (facts.length > 0) return null;
  const lines = text.split('\n').map((line) => withoutMarkup(plainText(line)));
  return lines.find((line) => line !== '' && bracketedState(line) === null) ?? null;
}
