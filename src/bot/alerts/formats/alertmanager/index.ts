import { blank } from '../../empty-alert.ts';
import { type Fact, factsOf } from '../../facts.ts';
import { fingerprintOf } from '../../fingerprint.ts';
import type { Format } from '../../format.ts';
import { factNamed, fromLabels, statedValue } from '../../labels.ts';
import { attachmentText, fieldFacts, type Reading } from '../../message-content.ts';
import type { Attachment } from '../../schema.ts';
import { gravest, severityOf } from '../../severity.ts';
import { bare, linksOf, plain } from '../../slack-text.ts';
import { bracketed, colorState, emojiState, firingPart, type State } from '../../state.ts';
import { tagsFrom } from '../../tags.ts';
import { timeIn } from '../../timestamps.ts';
import type { Alert } from '../../types.ts';
import { descriptionOf, messageOf, titleOf } from '../../text-fields.ts';
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

/** Alerts that always fire by design, to prove that the way to Slack works. */
const HEARTBEATS = new Set(['Watchdog', 'DeadMansSwitch', 'InfoInhibitor']);

/** Prometheus Alertmanager, with its default template or an operator's own. */
export const alertmanager: Format = { name: 'alertmanager', tool: 'Alertmanager', extract };

/** One message of Alertmanager: a group, or one alert. Never one alert of several (guide, section 5). */
function extract(reading: Reading): Alert | null {
  if (reading.person || !isAlertmanagers(reading)) return null;
  const part =
    reading.attachments.find((one) => bracketed(plain(one.title))) ?? reading.attachments[0] ?? null;
  const text = part ? attachmentText({ ...part, title: '', fallback: '' }) : reading.body;
  const heading = headingOf(reading, part, text);
  const state = stateOf(reading, part, heading, text);
  const facts = [
    ...reading.attachments.flatMap(fieldFacts),
    ...factsOf(state === 'firing' ? firingPart(text) : text),
  ];
  const name = nameOf(heading, facts);
  if (name === null || state === null) return null;

  const receiver = receiverOf(reading);
  const alertName = statedValue(facts, 'alertname') ?? name.split(' ', 1)[0] ?? name;
  const alertUrl = part?.title_link || receiver;
  if (HEARTBEATS.has(alertName)) return { ...blank('alertmanager'), title: alertName, alertUrl };
  return {
    ...blank('alertmanager'),
    ...says(name, facts, text),
    kind: state,
    title: titleOf(name),
    description: descriptionOf(text, titleOf(name)),
    alertUrl,
    fingerprint: fingerprintOf('alertmanager', receiver ?? '', stateless(name)),
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
    triggeredAt: started === undefined ? null : timeIn(started),
    errorMessage: messageOf(statedValue(facts, 'description', 'message', 'summary') ?? prose(text, facts)),
    tags: tagsFrom(facts, used),
  };
}

function isAlertmanagers(reading: Reading): boolean {
  if (receiverOf(reading) !== null) return true;
  const named = reading.names.some((name) => /alert ?manager/iu.test(name));
  return (
    named &&
    (reading.attachments.some(({ title }) => bracketed(plain(title))) ||
      bracketed(bare(reading.body)) !== null)
  );
}

function receiverOf({ attachments, body, buttons }: Reading): string | null {
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

function headingOf(reading: Reading, part: Attachment | null, text: string): string {
  // The title, or the first line of a text that begins as a title does.
  const opening = part === null || bracketed(bare(plain(text.split('\n', 1)[0] ?? ''))) ? text : '';
  const candidates = [
    part?.title,
    part?.pretext,
    reading.message.text,
    opening,
    part?.fallback.replace(/^ \| <.*$/u, ''),
  ];
  const heading = candidates.find((words) => words !== undefined && words.trim() !== '') ?? '';
  return plain(
    heading
      .split('\n')
      .find((line) => line.trim() !== '')
      ?.replace(/ \| <.*$/u, '') ?? '',
  ).trim();
}

function stateOf(reading: Reading, part: Attachment | null, heading: string, text: string): State | null {
  const titles = reading.attachments.map(({ title }) => bracketed(bare(plain(title)))?.state);
  if (titles.includes('firing')) return 'firing';
  if (titles.includes('resolved')) return 'resolved';
  const word = /\b(firing|resolved)\b/iu.exec(bare(heading))?.[1]?.toLowerCase();
  if (word === 'firing' || word === 'resolved') return word;
  const stated =
    statedValue(
      [...reading.attachments.flatMap(fieldFacts), ...factsOf(text)],
      'status',
      'state',
    )?.toLowerCase() ?? '';
  if (stated.includes('firing')) return 'firing';
  if (stated.includes('resolved')) return 'resolved';
  return emojiState(heading) ?? colorState(part?.color ?? '') ?? emojiState(text) ?? 'firing';
}

/** The title without its state; else the names that the text gives to its alerts. */
function nameOf(heading: string, facts: readonly Fact[]): string | null {
  const title = bare(heading);
  const name = (bracketed(title)?.name ?? title).replace(/^(?:firing|resolved|alert)\s?[:|-]\s*/iu, '');
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
  return gravest(alerts.map(({ value }) => severityOf(/ - (\w+)$/u.exec(value)?.[1] ?? '')));
}

function prose(text: string, facts: readonly Fact[]): string | null {
  if (facts.length > 0) return null;
  const lines = text.split('\n').map((line) => bare(plain(line)));
  return lines.find((line) => line !== '' && bracketed(line) === null) ?? null;
}
