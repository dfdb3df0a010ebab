import { type ErrorDetails, errorInSentence, hostIn } from '../../details.ts';
import { type Fact, normalizedName, statedValue, toFact } from '../../facts.ts';
import { blocksText, type MessageContent } from '../../message.ts';
import { identifiersIn, namesIn, namesSomething, withoutLoggedTime } from '../../names.ts';
import {
  plainText,
  quotableText,
  toTitle,
  truncateMrkdwn,
  withoutMarkup,
  withoutUrls,
} from '../../slack-text.ts';
import { titledState } from '../../state.ts';
import { kindOf, tellsApart } from '../../values.ts';
import { NOT_NAMES, NOTED_LOUD } from '../../vocabulary.ts';
import { sentenceState, withoutMarkers } from '../../wording.ts';

const MAX_HEADS = 40;
const MAX_HEAD = 500;

/** A link that is called after what it does: its `Open` is no state. */
const LINKED_ACTION = /\(?<https?:[^|<>]*\|\W*(?:open|view|see|show|details?)\b[^|<>]{0,40}>\)?/giu;

/** The lines where tools say what happened, in mrkdwn: the first of the text, the blocks and each attachment. */
export function leadingLines({ message, attachments }: MessageContent): string[] {
  const parts = [
    ...first(message.text, 3),
    ...first(blocksText(message.blocks), 5),
    ...attachments.flatMap((part) => {
      const untitled = part.fields.filter(({ title }) => title === '').map(({ value }) => value);
      const loud = part.fields.filter(({ value }) => value === '').map(({ title }) => title);
      const words = [
        part.pretext,
        part.title,
        ...loud,
        ...untitled,
        ...first(part.text, 3),
        ...first(blocksText(part.blocks), 3),
      ];
      return words.some((word) => word.trim() !== '') || part.fallback.startsWith('[no preview')
        ? words
        : [part.fallback];
    }),
  ];
  return parts
    .map((line) => line.replace(LINKED_ACTION, ' '))
    .filter((line) => plainText(line).trim() !== '')
    .map((line) => truncateMrkdwn(line, MAX_HEAD))
    .slice(0, MAX_HEADS);
}

function first(text: string, count: number): string[] {
  return text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .slice(0, count);
}

const NAMED = (
  'alarm name, alert name, alertname, alert rule, rule name, rule, monitor name, check name, ' + 'alert title'
).split(', ');
/** The same, if nothing has a title; `Alert: pool is full` is a sentence. */
const LABELLED = ['alert', 'alarm'];
/** The same, if no line says more. */
const CALLED = ['name', 'title', 'subject', 'event name', 'problem', 'summary', 'policy'];
/** The fields that name the thing below a stock heading, the most particular first. */
const THINGS = (
  'check, check name, monitor, test, task, task name, job name, job, dag, workflow, pipeline, build, suite, ' +
  'project, component, resource, object, entity, device, service, name, title'
).split(', ');
/** What a form asks for the problem itself. */
const QUESTION =
  /\bwhat(?:['’]s| is| are| has)?\b.{0,20}\b(?:broken|wrong|happen\w*|problem|issue|affected|failing|going on|down)\b|\b(?:describe|description of|summary of)\b.{0,10}\b(?:problem|issue|incident)\b|^(?:incident|issue|problem) (?:summary|title|description)$/iu;
/** A heading that says whose alert it is. */
const PASSED_ON = /^(?:new|an?) (?:alert|alarm|incident|event) from\b/iu;
/** A heading that only announces. */
const NOTICE = /\b(?:alert|alarm|notification|incident|event|message|info)\b/iu;
/** What may be a state in front of a name. */
const BEFORE = /^([^:|!]{2,60}?)(?: in [\dhms ]{2,20})?(?:\s?[:|!]|\s[-–](?=\s))\s+(?=\S)/u;
/** What is watched, behind its name. */
const ADDRESS = /\s*\(\s*https?:[^()\s]+\s*\)\s*$/u;
const MAIL = /^(?:subject|betreff|objet|asunto|re|fwd?|aw|wg)\s?:\s+/iu;
const SUFFIX = /\s?(?::|-|–|—|is)\s?(?:fired|resolved|firing|activated|closed|recovered|triggered)\.?$/iu;
/** A line with a field does not say what happened. */
const FIELD =
  /^(?:started|resolved|opened|detected|time|date|monitor|host|region|cause|reason|status|severity|environment|service|since|link|url|view|length|duration|additional info)\b[^:]{0,20}:/iu;
/** A value that cannot be a name. */
const NO_NAME = /^(?:true|false|yes|no|\d+|firing|resolved|ok|critical|warning)$/iu;

/** The alert's name: from a field, otherwise an attachment's title, otherwise the first line that is not a stock phrase. */
export function headlineOf(
  content: MessageContent,
  heads: readonly string[],
  facts: readonly Fact[],
): string | null {
  const titles = content.attachments.map(({ title }) => title);
  const usable = facts.filter(({ value }) => !NO_NAME.test(value) && kindOf(value) !== 'url');
  const untitled = titles.every((title) => title === '');
  const named = statedValue(usable, ...NAMED, ...(untitled ? LABELLED : []));
  if (named) return toTitle(withoutState(withoutMarkup(named)));
  const answer = usable.find(({ name }) => QUESTION.test(name))?.value;
  if (answer) return toTitle(answer);
  const lines = [...titles, ...heads]
    .map((line) => withoutState(withoutMarkup(plainText(line))))
    .filter((line) => /[\p{L}\p{N}]/u.test(line));
  // The sender's own name is above each of its alerts, and a number is not its name.
  const without = (line: string, name: string) => line.toLowerCase().replace(name.toLowerCase(), '');
  const identifies = (line: string) =>
    tellsApart(content.names.reduce(without, line.replace(/#[\w.-]+/gu, '')));
  const announces = (line: string) => NOTICE.test(line) && (!identifies(line) || PASSED_ON.test(line));
  const [first = ''] = lines;
  const own = lines.filter((line) => !announces(line) && !FIELD.test(line) && !isValue(line));
  const host = hostOf(usable);
  const thing = statedValue(usable, ...THINGS) ?? host;
  const heading =
    (announces(first) ? (statedValue(usable, ...CALLED) ?? (thing === null ? null : first)) : null) ??
    own.find((line) => !/^\S+$/u.test(line) || kindOf(line) !== 'state') ??
    lines.find((line) => !FIELD.test(line)) ??
    '';
  const said = [...lines, ...told(facts)].find(saysProblem);
  const isSender = content.names.some((name) => normalizedName(heading).startsWith(normalizedName(name)));
  const raw = heads.map((line) => withoutMarkup(plainText(line)).trim());
  const isPlace =
    raw.includes(heading) &&
    !titles.some((title) => title.includes(heading)) &&
    heading.split(' ').length <= PLACE_WORDS &&
    identifiersIn(heading).length > 0;
  // What is wrong says more than who says it, and where.
  if (said !== undefined && (isSender || isValue(heading) || isPlace) && !saysProblem(heading))
    return titleFrom(said);
  // A stock heading (`Task failed.`, `Service alert`) gives way to the fields that name the thing.
  const isIdentifying =
    identifies(heading) &&
    !NOTED_LOUD.test(heading) &&
    // A state, and perhaps a reason in brackets.
    kindOf(heading.replace(/\s*\([^()]*\)\s*$/u, '')) !== 'state' &&
    !(isSender && thing !== null && !saysProblem(heading));
  if (isIdentifying) return toTitle(heading);
  if (thing === null) {
    const named = own.find((line) => identifies(line) && !LABELED.test(line));
    if (said === undefined) return toTitle(named || heading || first);
    const isStock = said === heading && named !== undefined && !identifies(said);
    return isStock ? toTitle(`${said.replace(/[\s.!:]+$/u, '')}: ${named}`) : titleFrom(said);
  }
  const isNotice = NOTICE.test(heading) || namesSomething(heading);
  const what = isNotice ? '' : heading.replace(/[\s.!:]+$/u, '');
  const state = isNotice || heading === '' ? (statedValue(facts, 'state', 'status') ?? '') : '';
  const whole = thing === host ? `${thing} ${state}`.trim() : [thing, host].filter(Boolean).join(' on ');
  return toTitle(/\p{L} \p{L}/u.test(what) ? `${what}: ${whole}` : whole);
}

const LABELED = /^\p{L}[\p{L} _-]{0,30}: /u;
/** A heading of so few words may be a place alone. */
const PLACE_WORDS = 3;
/** `Timestamp: 14:03:22`, `Server: web-03`. */
function isValue(line: string): boolean {
  const [, value = ''] = /^\p{L}[\p{L} _-]{0,30}: (\S.{0,80})$/u.exec(line) ?? [];
  return (
    value !== '' &&
    sentenceState(line) === null &&
    (/^\S+ \S+$/u.test(line) || ['time', 'measure', 'duration', 'url', 'id'].includes(kindOf(value)))
  );
}

/** Whether a line that is no heading says that something is wrong, or no longer is. */
function saysProblem(line: string): boolean {
  return (
    !/:\s*$/u.test(line) && !FIELD.test(line) && sentenceState(line) !== null && namesIn(line).length > 0
  );
}

/** The first lines of what fields tell in sentences of their own. */
export function told(facts: readonly Fact[]): string[] {
  return facts
    .filter(({ name }) => TOLD.has(normalizedName(name)))
    .map(({ value }) => value.split('\n', 1)[0] ?? '');
}

const TOLD = new Set(['message', 'error message', 'error', 'problem', 'event', 'summary', 'issue']);

export function titleFrom(line: string): string | null {
  return toTitle(withoutState(line));
}

/** Whether a title was taken from a line. */
export function isTitleOf(title: string, line: string): boolean {
  return title === line || title === titleFrom(line);
}

/** Zabbix and Checkmk put the address behind the name. */
function hostOf(facts: readonly Fact[]): string | null {
  return statedValue(facts, 'host')?.replace(/ [[(][^\])]*[\])]$/u, '') ?? null;
}

/** A title without a leading or trailing state. */
function withoutState(written: string): string {
  const line = withoutLoggedTime(written);
  const name = titledState(line)?.name ?? line;
  const bare = withoutMarkers(name.replace(MAIL, '').replace(ADDRESS, ''));
  const [before = '', state = ''] = BEFORE.exec(bare) ?? [];
  const [loud = ''] = /^\p{L}+ /u.exec(bare) ?? [];
  const isLoud =
    !NOTED_LOUD.test(loud) && /^\p{Lu}{3}|^(?:Triggered|Resolved) /u.test(loud) && kindOf(loud) === 'state';
  const prefix = kindOf(state) === 'state' ? before : isLoud ? loud : '';
  const short = bare.slice(prefix.length).replace(SUFFIX, '').trim();
  return short === '' ? name : short;
}

/** Pairs in the middle of a sentence: `(env=prod, host=db-3)`. */
export function inlineFacts(body: string): Fact[] {
  const pairs = withoutUrls(body).matchAll(/(?<![^\s,({[|])([A-Za-z]\w{1,30})=([^\s,;(){}[\]`"|]{1,120})/gu);
  return [...pairs].map(([, name = '', value = '']) => toFact(name, value));
}

/** The environment, service and host that an alert's first lines name. */
interface Scope {
  environment: string | null;
  service: string | null;
  host: string | null;
}

const ENVIRONMENT =
  '(prod|production|staging|stage|stg|pre-?prod|preproduction|uat|qa|dev|development|sandbox|live)';
const APART = new RegExp(
  `[\\[({|]\\s?${ENVIRONMENT}\\s?[\\])}|]|(?:^|[•·|] ?)${ENVIRONMENT}(?= ?[•·|]|$)|^${ENVIRONMENT}\\s?[:|]`,
  'iu',
);
const IN = new RegExp(`\\b(?:in|on|environment|env) (?:the )?${ENVIRONMENT}(?![\\w-]|\\.\\w)`, 'iu');
const HOST =
  /\b(?:host|server|node|machine|instance|vm)(?:\s|: )['"]?(?=[\w.-]*[\d.-])([a-z\d][\w.-]{1,120}\w)/iu;
const SERVICE = /\b(?:service|application|microservice|component)\s['"]?([a-z][\w.-]{1,80}\w)/iu;

/** Environment, host and service where a line labels them: `[prod]`, `on host db-3`, `service cart`. */
export function scopeOf(heads: readonly string[]): Scope {
  const lines = heads.slice(0, 10).map((head) => withoutMarkup(plainText(head)));
  const first = (expression: RegExp): string | null => {
    for (const line of lines) {
      const found = expression
        .exec(line)
        ?.slice(1)
        .find((group) => group !== undefined);
      if (
        found !== undefined &&
        (expression === APART || expression === IN || !NOT_NAMES.has(found.toLowerCase()))
      )
        return found;
    }
    return null;
  };
  return {
    environment: (first(APART) ?? first(IN))?.toLowerCase() ?? null,
    host: first(HOST),
    service: first(SERVICE),
  };
}

const MAX_STRUCTURED_LINES = 40;
const LONGEST = 2_000;
const PAIR = /(?<![^\s])([A-Za-z_][\w.-]{0,60})=(?:"([^"\n]{0,500})"|([^\s"]{1,300}))(?=\s|$)/gu;
const JSON_PAIR =
  /["']([A-Za-z_][\w.@-]{0,60})["']\s{0,3}:\s{0,3}(?:["']([^"'\n]{0,500})["']|(-?\d[\d.]{0,30}|true|false))/gu;
/** Fewer may be parameters of a URL, or prose. */
const FEWEST = 3;
const NAMES = new Set(
  'alert, alertname, event, msg, message, check, monitor, rule, title, summary'.split(', '),
);
const TIMES = new Set(['ts', 'at', 'timestamp', '@timestamp', 'time', 'date']);
const SEGMENT = /^[*_]{0,2}(\p{L}[\p{L}\w /-]{0,30}?)[*_]{0,2}:[*_]{0,2} (\S.{0,200})$/u;

/** The facts in structured lines: `key=value`, JSON, columns between bars, several labels on a line. */
export function structuredFacts(body: string): Fact[] {
  const lines = body.split('\n', MAX_STRUCTURED_LINES).map((line) => line.slice(0, LONGEST));
  return [
    ...lines.flatMap(pairsOf),
    ...lines.flatMap(jsonOf),
    ...lines.flatMap(segmentsOf),
    ...formOf(lines),
  ];
}

/** A form's answers: lines in bold or behind a sign, each with a line below that is not. One alone is a heading. */
function formOf(lines: readonly string[]): Fact[] {
  const labels = lines.map((line) =>
    QUESTIONED.exec(line)
      ?.slice(1)
      .find((label) => label !== undefined),
  );
  const found = lines.flatMap((_, at) => {
    const [label, answer] = [labels[at], lines[at + 1]?.trim() ?? ''];
    const isAnswered = answer !== '' && labels[at + 1] === undefined && !answer.startsWith('*');
    return label === undefined || !isAnswered ? [] : [toFact(label, answer)];
  });
  return found.length < 2 ? [] : found;
}

const QUESTIONED =
  /^\s*(?:\*([^*\n]{2,60}?):?\*|(?::[\w+-]{2,40}:|\p{Extended_Pictographic}\u{FE0F}?)\s?(\p{L}[\p{L} ]{1,30}))\s*$/u;

/** The pairs of a line of `key=value` only; the one with the event's name becomes the alert name. */
function pairsOf(line: string): Fact[] {
  if (line.split('=', FEWEST + 1).length <= FEWEST) return [];
  const words = withoutMarkup(plainText(line));
  const pairs = [...words.matchAll(PAIR)];
  const rest = words.replace(PAIR, '').trim();
  if (pairs.length < FEWEST || rest.length > words.length / 4) return [];
  return pairs.map(([, name = '', quoted, word = '']) => toFact(labelOf(name), quoted ?? word));
}

function jsonOf(line: string): Fact[] {
  if (!line.includes('"') && !line.includes("'")) return [];
  return [...plainText(line).matchAll(JSON_PAIR)].map(([, name = '', quoted, word = '']) =>
    toFact(labelOf(name), quoted ?? word),
  );
}

/** Labels between bars: `host: web-3 | env: prod`. */
function segmentsOf(line: string): Fact[] {
  const parts = line.split(/ \| | · | • | {2,}|; /u, 20);
  if (parts.length < 2) return [];
  return parts.flatMap((part) => {
    const [, name, value] = SEGMENT.exec(part.trim()) ?? [];
    return name === undefined || value === undefined ? [] : [toFact(name, value)];
  });
}

function labelOf(name: string): string {
  if (NAMES.has(normalizedName(name))) return 'alert name';
  return TIMES.has(normalizedName(name)) ? 'time' : name;
}

const LINES = 4;

/** The error and the host that the first lines name without a label. */
export function proseDetails(heads: readonly string[]): ErrorDetails & { host: string | null } {
  const lines = heads.slice(0, LINES).map(quotableText);
  const host = lines.map(hostIn).find((found) => found !== null) ?? null;
  const thrown = lines.map(errorInSentence).find(({ errorType }) => errorType !== null);
  return { host, errorType: thrown?.errorType ?? null, errorMessage: thrown?.errorMessage ?? null };
}
