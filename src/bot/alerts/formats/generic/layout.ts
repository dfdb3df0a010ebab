import { type ErrorDetails, errorInSentence, hostIn } from '../../details.ts';
import { type Fact, normalizedName, statedValue, toFact } from '../../facts.ts';
import { blocksText, type MessageContent } from '../../message.ts';
import { identifiersIn, namesIn, namesSomething, withoutLoggedTime } from '../../names.ts';
import {
  plainText,
  quotableText,
  toErrorMessage,
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

const NAMED = [
  'alarm name',
  'alert name',
  'alertname',
  'alert rule',
  'rule name',
  'rule',
  'monitor name',
  'check name',
  'alert title',
];
/** The same, if nothing has a title; `Alert: pool is full` is a sentence. */
const LABELLED = ['alert', 'alarm'];
/** The same, if no line says more. */
const CALLED = ['name', 'title', 'subject', 'event name', 'problem', 'summary', 'policy'];
/** The fields that name the thing below a stock heading, the most particular first. */
const THINGS = [
  ...['check', 'check name', 'monitor', 'test', 'task', 'task name', 'job name', 'job', 'dag', 'workflow'],
  ...[
    'pipeline',
    'build',
    'suite',
    'project',
    'component',
    'resource',
    'object',
    'entity',
    'device',
    'service',
  ],
  ...['name', 'title'],
];
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
  const said = newsIn(lines) ?? [...lines, ...told(facts)].find(saysProblem);
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
    !isOnlyState(heading) &&
    !(isSender && thing !== null && !saysProblem(heading));
  if (isIdentifying && !isConstant(heading, thing ?? '', content)) return toTitle(heading);
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
/** `New alert:`, `The following alert has been cleared:`. */
const NEWS = /\b(?:alerts?|alarms?|problems?|issues?|incidents?)\b/iu;

/** The line under a heading that says what is new, or over. */
function newsIn(lines: readonly string[]): string | undefined {
  const at = lines.findIndex(
    (line) => /:\s*$/u.test(line) && NEWS.test(line) && sentenceState(line) !== null,
  );
  return at < 0 ? undefined : lines[at + 1];
}

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

/** A state, and perhaps a reason in brackets. */
function isOnlyState(line: string): boolean {
  return kindOf(line.replace(/\s*\([^()]*\)\s*$/u, '')) === 'state';
}

/** The first lines of what fields tell in sentences of their own. */
export function told(facts: readonly Fact[]): string[] {
  return facts
    .filter(({ name }) => TOLD.has(normalizedName(name)))
    .map(({ value }) => value.split('\n', 1)[0] ?? '');
}

const TOLD = new Set(['message', 'error message', 'error', 'problem', 'event', 'summary', 'issue']);

/** A line as a title. */
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

/** Whether the default text of an attachment names the thing and not the heading, which then is the same for each alert. */
function isConstant(heading: string, thing: string, { attachments }: MessageContent): boolean {
  const names = (text: string) => namesIn(plainText(text));
  const shares = (text: string, listed: readonly string[]) =>
    names(text).some((name) => listed.includes(name));
  const defaults = attachments.map(({ fallback }) => names(fallback));
  return defaults.some((listed) => shares(thing, listed)) && !defaults.some((told) => shares(heading, told));
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

const INLINE =
  /(?:^|[\s,({[|])(env|environment|stage|service|svc|app|application|component|host|hostname|node|instance|server|machine|region|zone|datacenter|dc|version|release|build|trace_id|traceId|traceID|trace|span_id|spanId|severity|sev|level|priority|prio)[=:] ?([^\s,;(){}[\]`"|]{1,120})/gu;
const NAMED_SCOPE: ReadonlyMap<string, string> = new Map([
  ['traceId', 'trace_id'],
  ['traceID', 'trace_id'],
  ['spanId', 'span_id'],
  ['app', 'service'],
  ['application', 'service'],
  ['node', 'host'],
  ['instance', 'host'],
  ['server', 'host'],
]);

/** What may be before a label with a colon; any other word is part of the label: `Failed stage: test`. */
const OPENING =
  /(?:^|[,;({[|·•>–—-]|[:=] ?\S{1,80}|\b(?:on|in|at|for|from|with|and|the|of|to|a|an|affected|affects))[\s*_`]*$/iu;

/** Pairs in the middle of a sentence: `(env=prod, host: db-3)`. */
export function inlineFacts(body: string): Fact[] {
  const text = withoutUrls(body);
  return [...text.matchAll(INLINE)].flatMap(({ 0: whole, 1: name = '', 2: value = '', index }) => {
    const at = index + whole.indexOf(name);
    const before = text.slice(Math.max(text.lastIndexOf('\n', at) + 1, at - 120), at);
    const stated = text[at + name.length] === '=' || OPENING.test(before);
    if (!stated || !/[\p{L}\d]/u.test(value)) return [];
    return [{ name: NAMED_SCOPE.get(name) ?? name, value: value.replace(/[.:!?]+$/u, ''), url: null }];
  });
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
const NAMES = new Set([
  'alert',
  'alertname',
  'event',
  'msg',
  'message',
  'check',
  'monitor',
  'rule',
  'title',
  'summary',
]);
const TIMES = new Set(['ts', 'at', 'timestamp', '@timestamp', 'time', 'date']);
const SEGMENT = /^[*_]{0,2}(\p{L}[\p{L}\w /-]{0,30}?)[*_]{0,2}:[*_]{0,2} (\S.{0,200})$/u;

/** The facts in structured lines: `key=value`, JSON, columns between bars, several labels on a line. */
export function structuredFacts(body: string): Fact[] {
  const lines = body.split('\n', MAX_STRUCTURED_LINES).map((line) => line.slice(0, LONGEST));
  return [
    ...lines.flatMap(pairsOf),
    ...lines.flatMap(jsonOf),
    ...tableOf(lines),
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

/** The first row of a table, each cell with its column's name. */
function tableOf(lines: readonly string[]): Fact[] {
  const rows = lines.filter((line) => line.split('|', 3).length > 2).map(cellsOf);
  const [head, ...others] = rows.filter((cells) => cells.some((cell) => /[^\s:-]/u.test(cell)));
  const row = others.find((cells) => cells.length === head?.length);
  if (!head || !row || !head.every((name) => /^\p{L}[\p{L}\w /#%.-]{0,30}$/u.test(name))) return [];
  return head.flatMap((name, at) => (row[at] ? [toFact(name, row[at])] : []));
}

function cellsOf(line: string): string[] {
  return line
    .replace(/^\s{0,8}\|/u, '')
    .replace(/\|\s{0,8}$/u, '')
    .split('|', 20)
    .map((cell) => withoutMarkup(cell).trim());
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
/** `db-3 is down: connection refused`: the reason after the problem. */
const DOWN =
  /(?<!\b(?:monitor|site|website|host|check|service|server|url|status)) (?:is|are|went|has gone|have gone|gone|became|was marked|marked|reported|detected)(?: now| currently| as)? (?:down|offline|unreachable|unavailable|not responding|not reachable|failing|unhealthy)\b(?:[.,;:)!]+ |\s?[([]|\s?[-–—|·]+ | (?:because(?: of)?|due to|with|after)\s)\s*(\S.{1,400})$/iu;
/** `Reason: timeout`, in the middle of a line. */
const LABELLED_VALUE =
  /(?:^|[\s(|·,;–—-])(?:reason|cause|error(?: message)?|failure reason|details?)(?: is)?: (\S.{1,400}?)(?=\s?[|·]|; |\)$|\. [A-Z]|$)/iu;
/** `New incident for checkout: timeout`, `Incident started: checkout – timeout`. */
const INCIDENT =
  /^(?:new )?(?:incident|outage)(?: started| opened| created| detected)?(?: for| on)?:? [^:\n]{1,120}?(?:: | [-–—] )(\S.{1,300})$/iu;
const STATUS =
  /\b(?:(?:http |HTTP )?(?:[Ss]tatus|[Rr]esponse)(?: [Cc]ode)?:? ?[45]\d\d\b(?: [A-Z][A-Za-z ]{2,40})?|HTTP(?: error| status| code)?:? [45]\d\d\b(?: [A-Z][A-Za-z ]{2,40})?)/u;
/** When and for how long; not part of a reason. */
const WHEN =
  /[\s(]*(?:\b(?:at|since|on|started|from|as of|for)\b[\s:]*(?:at )?)?(?:\d{4}[-/.]\d{2}[-/.]\d{2}|\d{1,2}[-/. ](?:\d{2}|[A-Z][a-z]{2,8})[-/. ]\d{4}|[A-Z][a-z]{2,8} \d{1,2},? \d{4})[^\n]{0,40}$|[\s(]*\b(?:since|for|at) \d.{0,30}$/u;

/** The unlabelled details in the first lines: error, host, and why something is down. */
export function proseDetails(
  heads: readonly string[],
  down: boolean,
): ErrorDetails & { host: string | null } {
  const lines = heads.slice(0, LINES).map(quotableText);
  const host = lines.map(hostIn).find((found) => found !== null) ?? null;
  const thrown = lines.map(errorInSentence).find(({ errorType }) => errorType !== null);
  const reason = (down ? lines.map(reasonIn) : []).find((found) => found !== null) ?? null;
  return { host, errorType: thrown?.errorType ?? null, errorMessage: thrown?.errorMessage ?? reason };
}

function reasonIn(line: string): string | null {
  const stated = LABELLED_VALUE.exec(line)?.[1] ?? DOWN.exec(line)?.[1] ?? INCIDENT.exec(line)?.[1];
  const reason = (stated ?? STATUS.exec(line)?.[0] ?? '')
    .replace(WHEN, '')
    .replace(/^[\s("'–—-]+|[\s)"',.;–—-]+$/gu, '');
  return /[\p{L}\d]{3}/u.test(reason) ? toErrorMessage(reason) : null;
}
