import { percentDecoded } from '../../lib/text.ts';
import { errorIn, hostIn, withoutPodHashes } from './details.ts';
import { type Fact, firstFacts, fromLabels, normalizedName, statedTime, tagsFrom } from './facts.ts';
import type { Format } from './format.ts';
import { fingerprintOf } from './identity.ts';
import {
  type Attachment,
  attachmentDetails,
  blocksText,
  isSentBy,
  type MessageContent,
  urlsOf,
} from './message.ts';
import {
  type Link,
  linksOf,
  plainText,
  toDescription,
  toErrorMessage,
  toTitle,
  withoutMarkup,
  withoutUrls,
} from './slack-text.ts';
import { colorState, incidentKind, severityOf } from './state.ts';
import { isoTimestamp, timestampIn } from './timestamps.ts';
import { type Alert, type AlertKind, emptyAlert } from './types.ts';

/**
 * A text with the values of a message in it: `{job} - {build}`, `{rule|alert rule}` for the first that has a value,
 * `{pod:workload}` for one without what is generated, `{title:line}` for its first line, `{reason:host}` for the host that it names, `{kind:lower}`.
 */
type Template = string;

/** What tells one tool's messages, and where they say what. Its expressions are tried on each line without markup. */
export interface Row {
  /** The name of its fixtures' folder. */
  name: string;
  tool: string;
  /** Any of these says that the tool sent it; without, its sentence does. */
  from?: {
    /** The app's id in Slack, or the sender's name. */
    app?: string;
    sender?: RegExp;
    /** A link to an alert's page. */
    page?: true;
    /** Labels that all are there. */
    labels?: readonly string[];
    /** A line as it is written, with its signs. */
    line?: RegExp;
  };
  /** Its sentence: the groups are values, `above` and `below` the lines beside it. The first that is found counts. */
  says?: readonly RegExp[];
  /** More values: the groups of these, each in the first line that has one, or in a value. */
  also?: readonly (RegExp | readonly [Template, RegExp])[];
  /** Where its state stands, if not in the group or the label `state` or `status`. */
  state?: Template;
  /** What its states mean, in lower case. One that is not here is of no alert. */
  states?: Readonly<Record<string, AlertKind | null>>;
  /** What it is where neither a state nor its color says, and it is no reply; without, it is of no alert. */
  otherwise?: AlertKind;
  /** Without a title it is not the tool's. */
  title: Template;
  /** The address or the label of an alert's page: its groups and `page title` are values. Else the card's title leads there. */
  page?: RegExp;
  /** The page's address, if not all of it. */
  url?: Template;
  /** Its labels state an alert's usual fields. */
  isLabelled?: true;
  fields?: Readonly<
    Partial<
      Record<'severity' | 'environment' | 'service' | 'host' | 'region' | 'version' | 'errorType', Template>
    >
  >;
  /** What went wrong: the values, or each group of an expression, in a line each. */
  error?: Template | RegExp;
  /** An error as programs print it, of which the title is made. */
  thrown?: Template;
  /** When it began; `ts` is when the card was sent. */
  at?: Template | 'ts' | 'stated';
  /** Separated by spaces or commas; `pod:{pod}` is none where the pod is not known. Or all labels of Prometheus'. */
  tags?: Template | 'labels';
  identity: readonly Template[];
}

/** The format that reads a tool's messages as its row says; of several rows for as many layouts, the first that does. */
export function formatOf(row: Row, ...others: readonly Row[]): Format {
  return {
    name: row.name,
    tool: row.tool,
    extract(content) {
      if (content.person) return null;
      for (const one of [row, ...others]) {
        const alert = read(one, content);
        if (alert !== null) return alert;
      }
      return null;
    },
  };
}

type Values = ReadonlyMap<string, string>;

function read(row: Row, content: MessageContent): Alert | null {
  const page = linksIn(content).find(({ url, label }) => row.page?.test(url) || row.page?.test(label ?? ''));
  const isLinked = row.from?.page === true && page !== undefined;
  if (row.from !== undefined && !isLinked && !isNamed(row, content)) return null;
  const values = valuesIn(row, content, page);
  if (values === null) return null;
  const fill = (template: Template | undefined) => filled(template ?? '', values);
  const or = (template: Template | undefined) => fill(template) || null;
  const title = toTitle(fill(row.title));
  if (title === null) return null;

  const labels = row.isLabelled ? fromLabels(firstFacts(content.facts)).fields : {};
  const kind = kindIn(row, content, fill(row.state ?? '{state|status}').toLowerCase());
  const card = cardOf(row, content);
  const thrown = row.thrown === undefined ? {} : errorIn(fill(row.thrown));
  const alert: Alert = {
    ...emptyAlert(row.name),
    ...labels,
    title,
    alertUrl: or(row.url) ?? page?.url ?? (row.page === undefined ? card?.title_link || null : null),
    ...thrown,
  };
  for (const [field, template] of Object.entries(row.fields ?? {})) {
    const value = or(template);
    if (field === 'severity') alert.severity = severityOf(value ?? '') ?? alert.severity;
    else if (value !== null) Object.assign(alert, { [field]: value });
  }
  if (kind === null) return { ...alert, errorType: null, errorMessage: null };
  const identity = row.identity.map(fill);
  return {
    ...alert,
    kind,
    description: toDescription(descriptionOf(content), title),
    triggeredAt: timeOf(row, content, card, fill),
    errorMessage:
      kind === 'not_an_alert' ? null : (alert.errorMessage ?? toErrorMessage(errorOf(row, content, fill))),
    tags: tagsOf(row, values, content.facts),
    fingerprint: identity.some((part) => part !== '') ? fingerprintOf(row.name, ...identity) : null,
  };
}

function descriptionOf({ message, attachments, body }: MessageContent): string {
  return [blocksText(message.blocks), ...attachments.map(attachmentDetails)].join('\n\n').trim() || body;
}

function linksIn({ attachments, body, buttons }: MessageContent): Link[] {
  const titles = attachments.map(({ title, title_link }) => ({ url: title_link, label: plainText(title) }));
  const footers = attachments.flatMap(({ footer }) => linksOf(footer));
  return [...titles, ...linksOf(body), ...footers, ...buttons].filter(({ url }) => url !== '');
}

/** Whether more than a link tells whose message it is. */
function isNamed({ from }: Row, content: MessageContent): boolean {
  if (from === undefined) return false;
  const { app_id, bot_profile } = content.message;
  const { app, sender, labels, line } = from;
  const named = new Set(content.facts.map(({ name }) => normalizedName(name)));
  return (
    (app !== undefined && (app_id === app || bot_profile?.app_id === app)) ||
    (sender !== undefined && isSentBy(content, sender)) ||
    (labels?.every((label) => named.has(label)) ?? false) ||
    (line !== undefined &&
      [...partsOf(content), ...content.attachments.map(({ fallback }) => fallback)].some((part) =>
        part.split('\n').some((one) => line.test(one)),
      ))
  );
}

/** Every text of a message, whose lines may be its sentence. */
function partsOf({ message, attachments, facts }: MessageContent): string[] {
  return [
    message.text,
    blocksText(message.blocks),
    ...attachments.flatMap(({ pretext, title, text, fields, blocks, footer, fallback }) => {
      const own = [
        pretext,
        title,
        text,
        ...fields.map((field) => field.value || field.title),
        blocksText(blocks),
      ];
      return own.some((part) => part.trim() !== '') ? [...own, footer] : [fallback];
    }),
    facts.map(({ name, value }) => `${name}: ${value}`).join('\n'),
  ].filter((part) => part.trim() !== '');
}

const MAX_LINES = 60;
const MAX_LINE = 2_000;

/** The values of a message by name; `null` if it lacks the sentence that it has to have. */
function valuesIn(row: Row, content: MessageContent, page: Link | undefined): Values | null {
  const values = new Map<string, string>();
  const add = (name: string, value: string | undefined) => {
    if (value !== undefined && value.trim() !== '' && !values.has(name)) values.set(name, value.trim());
  };
  const parts = partsOf(content).map((part) => withoutUrls(part).split('\n', MAX_LINES));
  const match = (expression: RegExp) => {
    for (const lines of parts) {
      const bare = lines.map((line) => withoutMarkup(line.slice(0, MAX_LINE)));
      const at = bare.findIndex((line) => expression.test(line));
      const groups = expression.exec(bare[at] ?? '')?.groups;
      if (groups === undefined) continue;
      for (const [name, value] of Object.entries(groups)) add(name, value);
      return { lines, at };
    }
    return null;
  };
  let found: ReturnType<typeof match> = null;
  for (const sentence of row.says ?? []) found ??= match(sentence);
  // Other senders link to a tool's pages too, but not in a card's title.
  const isTitled = content.attachments.some(
    ({ title_link }) => title_link !== '' && title_link === page?.url,
  );
  if (found === null && !isTitled && !isNamed(row, content)) return null;
  add('above', found?.lines.slice(0, found.at).join('\n'));
  add('below', found?.lines.slice(found.at + 1).join('\n'));
  // A group that matched nothing is undefined, whatever its type says.
  for (const [name, value] of Object.entries(row.page?.exec(page?.url ?? '')?.groups ?? {}))
    add(name, value && (percentDecoded(value) ?? value));
  add('page title', withoutMarkup(page?.label ?? ''));
  for (const { name, value } of content.facts) add(normalizedName(name), withoutMarkup(value));
  add('text', withoutMarkup(plainText(content.message.text)));
  const links = urlsOf(content).join(' ');
  add('links', percentDecoded(links) ?? links);
  const card = cardOf(row, content);
  for (const name of ['title', 'text', 'footer', 'fallback'] as const)
    add(`card ${name}`, withoutMarkup(plainText(card?.[name] ?? '')));
  add('card author', card?.author_name);
  add('field', plainText(card?.fields[0]?.title ?? ''));
  add('field value', withoutMarkup(plainText(card?.fields[0]?.value ?? '')));
  for (const one of row.also ?? []) {
    if (one instanceof RegExp) match(one);
    else {
      const [template, expression] = one;
      for (const [name, value] of Object.entries(expression.exec(filled(template, values))?.groups ?? {}))
        add(name, value);
    }
  }
  return values;
}

/** The attachment that is the tool's card: the first with a title, else the first. */
function cardOf({ page }: Row, { attachments }: MessageContent): Attachment | undefined {
  return (
    attachments.find(({ title_link }) => page?.test(title_link)) ??
    attachments.find(({ title }) => title !== '') ??
    attachments[0]
  );
}

const FILTERS: Readonly<Record<string, (value: string) => string>> = {
  workload: withoutPodHashes,
  lower: (value) => value.toLowerCase(),
  host: (value) => hostIn(value) ?? '',
  line: (value) => withoutMarkup(value.split('\n', 1)[0] ?? '').replace(/ ?: ?$/u, ''),
};

function filled(template: Template, values: Values): string {
  return template
    .replace(/\{([^{}:]+)(?::(\w+))?\}/gu, (_, names: string, filter = '') => {
      const value =
        names
          .split('|')
          .map((name) => values.get(name))
          .find((one) => one !== undefined) ?? '';
      return FILTERS[filter]?.(value) ?? value;
    })
    .trim();
}

function kindIn(row: Row, { attachments, reply }: MessageContent, state: string): AlertKind | null {
  if (row.states !== undefined && state !== '') {
    const known = Object.keys(row.states).find((word) => state.startsWith(word));
    return known === undefined ? null : (row.states[known] ?? null);
  }
  const stated = row.states === undefined ? incidentKind(state) : null;
  if (stated !== null || row.otherwise === undefined) return stated;
  const color = attachments.map((one) => colorState(one.color)).find((one) => one !== null);
  return color ?? (reply ? 'not_an_alert' : row.otherwise);
}

function timeOf(
  { at }: Row,
  content: MessageContent,
  card: Attachment | undefined,
  fill: (template: Template) => string,
): string | null {
  if (at === undefined) return null;
  if (at === 'ts') return isoTimestamp((card?.ts ?? Number.NaN) * 1000);
  return at === 'stated' ? (statedTime(content.facts) ?? timestampIn(fill('{text}'))) : timestampIn(fill(at));
}

function errorOf({ error }: Row, content: MessageContent, fill: (template: Template) => string): string {
  if (error === undefined) return '';
  if (typeof error === 'string') return fill(error);
  const lines = partsOf(content).flatMap((part) => plainText(part).split('\n', MAX_LINES));
  return lines.flatMap((line) => withoutMarkup(error.exec(line)?.[1] ?? '') || []).join('\n');
}

const MAX_TAGS = 50;
/** Labels that say where a measurement came from. */
const SCRAPED = new Set(['job', 'prometheus', 'endpoint', 'container', 'uid']);

function tagsOf({ tags = '' }: Row, values: Values, facts: readonly Fact[]): string[] {
  if (tags === 'labels') {
    const labels = facts.filter(({ name }) => /^[a-z]/u.test(name) && !SCRAPED.has(name));
    return tagsFrom(labels, fromLabels(labels).used);
  }
  return filled(tags, values)
    .split(/[,\s`]+/u)
    .filter((tag) => tag !== '' && !/^:|:$/u.test(tag))
    .slice(0, MAX_TAGS);
}
