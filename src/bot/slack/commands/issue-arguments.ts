import { ISSUE_STATUSES } from '../../../contract/schema.ts';
import { nearest, oneLine } from '../../../lib/text.ts';
import { MAX_NOTE, type NoteChange } from '../../issues/notes.ts';
import type { Misunderstood } from '../../render/admin/usage.ts';
import type { IssueFilterView } from '../../render/issues/issue-list.ts';
import { atService, type IssueNumber, parseIssueNumber } from '../../shared/issue-number.ts';

/** What a person wants of `/issue`, or what of it is not understood. */
export type IssueWish =
  | { verb: 'list'; filter: IssueFilterView }
  | { verb: 'results'; number: IssueNumber; version: number | null }
  /** `forMs`: how long, in milliseconds. */
  | { verb: 'mute'; number: IssueNumber; forMs: number | null }
  | { verb: 'show' | 'now' | 'resolve' | 'reopen' | 'ready'; number: IssueNumber }
  | { verb: 'delete'; number: IssueNumber }
  | { verb: 'notes'; number: IssueNumber }
  | { verb: 'writeup' | 'ticket'; number: IssueNumber }
  /** `null` for a note without text. */
  | { verb: 'note'; number: IssueNumber; change: NoteChange | null }
  | { misunderstood: Misunderstood };

const TOKEN = /"([^"]*)"|(status|state|environment|env)\s*[:=]\s*(?:"([^"]*)"|([^\s"]+))|([^\s"]+)/giu;
const UNITS: Record<string, number> = { m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 };
const SPAN = /^(\d{1,6})([mhdw])$/u;
/** What one search may be made of; a button carries it from page to page. */
const BOUNDS = { search: 200, environment: 100, status: 40 } as const;
/** A mute of less would end before anybody looks; of more, nobody remembers. */
const MUTES = { least: 60_000, most: 90 * 86_400_000 };

interface Typed {
  /** In their order, as they were written; those in quotes are only searched for. */
  words: { text: string; quoted: boolean }[];
  status: string | null;
  environment: string | null;
}

/** Reads the words after `/issue`: words in any order, any quotes, synonyms, a number with or without `#`. */
export function readIssueWish(text: string): IssueWish {
  const record = recordWish(text);
  if (record !== null) return record;
  const typed = read(text);
  const plain = typed.words.map((word) => bare(word.text));
  if (isList(typed, plain)) return listWish(typed);
  if (plain.every((word) => word === '' || word === 'help' || FILLERS.has(word))) {
    return { misunderstood: { why: 'nothing' } };
  }
  return wishOf(typed, plain);
}

const RECORD =
  /^(?:issue\s+)?(?:(?<before>#?p?\d+)\s+)?(?<verb>notes?|write-?up|ticket)(?:\s+(?<after>#?p?\d+))?(?<rest>[\s:][\s\S]*)?$/iu;

/** Notes are free text, which no other word of it may change the meaning of. */
function recordWish(text: string): IssueWish | null {
  const { before, verb = '', after, rest = '' } = RECORD.exec(text.trim())?.groups ?? {};
  const number = parseIssueNumber((before ?? after ?? '').toLowerCase());
  if (number === null || (before !== undefined && after !== undefined)) return null;
  const words = rest.trim().replace(/^:\s*/u, '');
  if (!/^note/iu.test(verb)) {
    if (words !== '') return null;
    return { verb: verb.toLowerCase() === 'ticket' ? 'ticket' : 'writeup', number };
  }
  if (words === '')
    return verb.toLowerCase() === 'notes'
      ? { verb: 'notes', number }
      : { verb: 'note', number, change: null };
  const edit = /^(?<what>edit|delete)\s+#?(?<nth>\d{1,6})(?:\s+(?<text>[\s\S]+))?$/iu.exec(words)?.groups;
  if (edit?.nth !== undefined) {
    const nth = Number(edit.nth);
    if (edit.what?.toLowerCase() === 'delete')
      return { verb: 'note', number, change: { do: 'delete', number: nth } };
    const changed = edit.text === undefined ? null : ({ do: 'edit', number: nth, text: edit.text } as const);
    return { verb: 'note', number, change: changed };
  }
  return { verb: 'note', number, change: words.length > MAX_NOTE ? null : { do: 'add', text: words } };
}

function read(text: string): Typed {
  const typed: Typed = { words: [], status: null, environment: null };
  for (const [, quoted, key, quotedValue, value, word] of joined(text).matchAll(TOKEN)) {
    if (key !== undefined) {
      const given = oneLine(quotedValue ?? value ?? '');
      if (key.toLowerCase().startsWith('env')) typed.environment = given || null;
      else typed.status = given || null;
    } else if (quoted !== undefined) {
      if (oneLine(quoted) !== '') typed.words.push({ text: oneLine(quoted), quoted: true });
    } else if (word !== undefined) typed.words.push({ text: word, quoted: false });
  }
  return typed;
}

/** Straight quotes, and as one word what is one thing: `24 hours`, `version 2`, `ready to fix`, `catch me up`. */
function joined(text: string): string {
  return text
    .replace(/[“”„«»]/gu, '"')
    .replace(/`/gu, '')
    .replace(/\bready[\s_-]+to[\s_-]+fix\b/giu, 'ready_to_fix')
    .replace(/\bcatch\s+(?:me\s+)?up\b/giu, 'catchup')
    .replace(/\b(?:version|v)\s*[:=]?\s*(\d+)\b/giu, 'v$1')
    .replace(
      /\b(\d+)\s*(m|h|d|w)(?:in|ins|inutes?|r|rs|ours?|ays?|eeks?)?\b(?![:=])/giu,
      (_all, count: string, unit: string) => `${count}${unit.toLowerCase()}`,
    );
}

/** A word in lower case without what people put around it: `#12.`, `(12)`, `Resolve,`. */
function bare(word: string): string {
  return word.toLowerCase().replace(/^[^\p{L}\p{N}-]+|[^\p{L}\p{N}]+$/gu, '');
}

function isList({ words, status, environment }: Typed, plain: readonly string[]): boolean {
  const [first = ''] = plain;
  if (words[0]?.quoted === false && verbOf(first) === 'list') return true;
  const meant = plain.filter((word) => !FILLERS.has(word));
  if (status !== null || environment !== null) return meant.every((word) => verbOf(word) === null);
  return meant.length === 1 && isStatus(first);
}

/** Whether a word alone asks for the issues of that status; `resolve` asks which one. */
function isStatus(word: string): boolean {
  return ISSUE_STATUSES.some((status) => status === word);
}

function listWish({ words, status, environment }: Typed): IssueWish {
  const rest = words.filter(({ text, quoted }, i) => quoted || i > 0 || verbOf(bare(text)) !== 'list');
  const stated =
    status === null ? rest.find(({ text, quoted }) => !quoted && isStatus(bare(text))) : undefined;
  const filter: IssueFilterView = {
    status: status === null && stated === undefined ? null : statusOf(status ?? bare(stated?.text ?? '')),
    environment,
    search:
      rest
        .filter((word) => word !== stated)
        .map(({ text }) => text)
        .join(' ') || null,
  };
  for (const what of ['search', 'environment', 'status'] as const) {
    const max = BOUNDS[what];
    if ((filter[what]?.length ?? 0) > max) return { misunderstood: { why: 'too_long', what, max } };
  }
  return { verb: 'list', filter };
}

function wishOf({ status, environment }: Typed, plain: readonly string[]): IssueWish {
  const meant = plain.filter((word) => word !== '' && !FILLERS.has(word));
  const numbers = meant.filter((word) => numberOf(word) !== null);
  const [first] = numbers;
  const number = first === undefined ? null : numberOf(first);
  const verbs = meant.map(verbOf).filter((verb) => verb !== null);
  const verb = verbs[0] ?? (number === null ? null : 'show');
  const rest = meant.filter((word) => numberOf(word) === null && verbOf(word) === null);
  if (verb === null) return unknown(rest[0] ?? '', null);
  if (number === null) {
    const strange = rest[0];
    if (strange === undefined) return { misunderstood: { why: 'no_number', verb } };
    return { misunderstood: { why: 'not_a_number', typed: strange, verb } };
  }
  if (numbers.length > 1) return { misunderstood: { why: 'many_numbers', verb, number } };
  if (atService(number).number < 1) return { misunderstood: { why: 'bad_number', typed: first ?? '' } };
  const other = verbs.find((one) => one !== verb);
  if (other !== undefined) return { misunderstood: { why: 'two_verbs', verbs: [verb, other], number } };
  const filter = status ?? environment;
  if (filter !== null) return { misunderstood: { why: 'extra', verb, number, typed: filter } };
  return withRest(verb, number, rest, verbs.length > 0);
}

/** What a verb takes beside its number: a mute a span, results a version, everything else nothing. */
function withRest(
  verb: IssueVerb,
  number: IssueNumber,
  rest: readonly string[],
  isStated: boolean,
): IssueWish {
  const [extra, ...more] = rest;
  if (verb === 'mute') {
    const forMs = extra === undefined ? null : spanOf(extra);
    const fits = forMs === null || (forMs >= MUTES.least && forMs <= MUTES.most);
    if ((extra !== undefined && forMs === null) || more.length > 0 || !fits)
      return { misunderstood: { why: 'span', typed: rest.join(' '), number } };
    return { verb, number, forMs };
  }
  const version = /^v([1-9]\d{0,14})$/u.exec(extra ?? '')?.[1];
  if (version !== undefined && more.length === 0 && (verb === 'results' || !isStated)) {
    return { verb: 'results', number, version: Number(version) };
  }
  if (extra !== undefined)
    return isStated
      ? { misunderstood: { why: 'extra', verb, number, typed: extra } }
      : unknown(extra, number);
  if (verb === 'results') return { verb, number, version: null };
  // A list was taken before; it has no number of its own.
  return verb === 'list' ? unknown('list', number) : { verb, number };
}

function unknown(typed: string, number: IssueNumber | null): IssueWish {
  const near = nearest(typed, verbWords);
  return { misunderstood: { why: 'unknown', typed, nearest: near === null ? null : verbOf(near), number } };
}

/** A number that is too long to be one is refused as such, and not searched for. */
function numberOf(word: string): IssueNumber | null {
  return parseIssueNumber(word) ?? (/^p?\d+$/u.test(word) ? 0 : null);
}

function spanOf(word: string): number | null {
  const [, count, unit = ''] = SPAN.exec(word) ?? [];
  return count === undefined ? null : Number(count) * (UNITS[unit] ?? 0);
}

/** What `/issue` does, each with the other words that people write for it. */
const synonyms = {
  list: ['list', 'ls', 'all', 'search', 'find'],
  show: ['show', 'view', 'see', 'get', 'card'],
  now: ['now', 'catchup', 'catch-up'],
  results: ['results', 'result', 'findings', 'cause', 'rca'],
  resolve: ['resolve', 'resolved', 'close', 'closed', 'fix', 'fixed', 'solve', 'solved', 'done'],
  mute: ['mute', 'muted', 'silence', 'silenced', 'snooze'],
  reopen: ['reopen', 'reopened', 'open', 'unmute', 'unresolve'],
  ready: ['ready', 'ready_to_fix'],
  delete: ['delete', 'remove', 'rm', 'del', 'erase'],
} as const;
type IssueVerb = keyof typeof synonyms;

const byWord: ReadonlyMap<string, IssueVerb> = new Map(
  entries().flatMap(([verb, words]) => words.map((word) => [word, verb] as const)),
);

function entries(): [IssueVerb, readonly string[]][] {
  const verbs: IssueVerb[] = [
    'list',
    'show',
    'now',
    'results',
    'resolve',
    'mute',
    'reopen',
    'ready',
    'delete',
  ];
  return verbs.map((verb) => [verb, synonyms[verb]]);
}

/** The verb that a word in lower case means; `null` for none. */
export function verbOf(word: string): IssueVerb | null {
  return byWord.get(word) ?? null;
}

const verbWords: readonly string[] = [...byWord.keys()];

/** Words that say nothing: `mark issue 12 as resolved, please`. */
const FILLERS: ReadonlySet<string> = new Set(
  'a an as at be for from in is issue issues it mark me number of on please set the to until'.split(' '),
);

/** The status that the service knows by what people write for it; what they wrote where it is none of these. */
function statusOf(written: string): string {
  const word = written
    .trim()
    .toLowerCase()
    .replace(/[\s-]+/gu, '_');
  const verb = verbOf(word);
  if (verb === 'ready') return 'ready_to_fix';
  if (verb === 'resolve') return 'resolved';
  if (verb === 'mute') return 'muted';
  return word === 'running' || word === 'active' ? 'investigating' : word;
}
