import { withoutEnding } from './compounds.ts';
import { isErrorType, workloadOf } from './details.ts';
import { plainText, withoutMarkup } from './slack-text.ts';
import {
  FAILING,
  FIRING_MARKERS,
  GOOD,
  NOT_NAMES,
  NOT_NAMES_FOREIGN,
  NUMBERED,
  RECOVERED,
  RESOLVED_MARKERS,
  SEVERITY_MARKERS,
  STATE_ENDING,
  setOf,
  WEAK_FIRING_MARKERS,
  WEAK_RESOLVED_MARKERS,
} from './vocabulary.ts';

const MONTH = '(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]{0,6}';
const CLOCK = String.raw`\d{1,2}:\d{2}(?::\d{2})?(?:\.\d{1,6})?(?:Z|\b)`;
const TIME = new RegExp(
  [
    String.raw`\b\d{4}[-./]\d{2}[-./]\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2})?(?:[.,]\d{1,9})?\s?(?:Z|UTC|GMT|[+-]\d{2}:?\d{2})?)?`,
    // As programs log: `Sun Nov 29 22:20:00 2026`, `Nov 29 22:20:00`.
    String.raw`\b(?:(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]{0,6},? )?${MONTH} {1,2}\d{1,2}(?:,? \d{4})?,? ${CLOCK}(?: \d{4}\b)?`,
    String.raw`\b${CLOCK}`,
  ].join('|'),
  'gu',
);
/** The number of a kind of event, which a recovery has another one of: `.1.3.6.1.6.3.1.1.5.3`. */
const OID = /(?<![\w.])\.?(?:\d{1,10}\.){6,20}\d{1,10}(?![\w.])/gu;
/** One-off numbers: runs, builds, attempts, and generated ids. */
const ONCE =
  /\b(?:run|build|attempt|try|event|execution|exec|id|pid|session id|request|trace|delivery|invocation|revision|rev|seq|no\.?|nr\.?|ref|correlation id)[\s:=#]{1,3}(?=[\w-]{0,40}\d)[\w-]{1,60}|#\d+\b|\b[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}\b|\b(?=[a-f]*\d)(?=\d*[a-f])[\da-f]{12,64}\b/giu;
/** Source addresses differ each time. */
const SOURCE = /\b(?:from|by|source|src|client)(?: ip)?[ :=]{1,2}(?:\d{1,3}\.){3}\d{1,3}\b/giu;
/** The same in units that are no Latin letters. */
const LENGTH_ELSEWHERE =
  /(?<![\p{L}\d.-])\d+(?:[.,]\d+)? ?(?:мин|минут[аы]?|с|сек|секунд[аы]?|ч|час(?:а|ов)?|м|д|дн(?:ей|я)|день|хв|год|דקות|שניות|שעות|分钟?|分鐘|秒|小时|小時|時間|天|日|분|초|시간)(?!\p{L})/giu;
const LENGTH =
  /\b(?:\d{1,6}[dhm]){1,3}\d{1,6}(?:\.\d{1,9})?[ms]\b|\b\d+(?:[.,]\d+)? ?(?:ms|milliseconds?|s|secs?|seconds?|m|mins?|minutes?|h|hrs?|hours?|d|days?|weeks?|tagen?|stunden?|minuten|sekunden|jours?|heures?|días?|horas?|minutos)\b(?: ?\d+ ?(?:m|min|s|sec|h)\b){0,3}/giu;
const READING =
  /(?<![\p{L}\d_./-])[x×]?[-+~≈<>=≥≤]{0,2} ?[$€£¥]?(?!\d{1,3}(?:\.\d{1,3}){3}(?![\d.]))\d[\d.,]*(?:\s?\/\s?\d[\d.,]*)?(?: of \d[\d.,]*)? ?(?:%|‰|°[CFK]?|[x×](?!\w)|[kKM](?![\p{L}])(?: [a-z]{1,12}\/(?:s|sec|second|m|min|minute|h|hour|day)\b)?|(?:[kKMGTP]i?[Bb](?:ps|\/s)?|B|bytes|ms|[kM]?bps|[MGk]Hz|rpm|qps|rps|iops|ppm|dBm?|dB|V|A|kW|kWh|W|bar|hPa|psi|mm|cm|m\/s|km\/h|l\/min|EUR|USD|GBP|usd|eur)(?![\p{L}])|[a-z]{1,12}\/(?:s|sec|second|m|min|minute|h|hour|day)\b|\/(?:s|sec|second|min|m|minute|h|hour|day)\b)?(?![\p{L}\d_-]|\.\d)/gu;
/** Counts: `17 messages`, `all upstreams`. */
const COUNTED =
  /(?<![\p{L}\d_./-])(?:\d[\d.,]{0,12}(?: of (?:the )?\d[\d.,]{0,12}|\/\d{1,9})?[kKM]?|all|one|two|three|four|five|some|several|many|few) (?:(?:unassigned|failed|failing|new|open|active|pending|consecutive|more) )?[a-z]{2,20}s(?![\p{L}\d_-]|\/[a-z])/gu;
const LOGGED = new RegExp(String.raw`^\s*(?:${TIME.source})\s+(?:${OID.source}\s+)?(?=\S)`, 'u');

/** A line as a program logs it, without its time. */
export function withoutLoggedTime(line: string): string {
  return line.replace(LOGGED, '');
}

/** The end of a clause; what follows may be missing in the recovery. */
const BREAKS =
  /([:;,!?|()[\]]+(?=\s|$|[[(])|\.(?=\s|$)| [-–—·/]+ |[([]|：|→|->|=>| (?:than|because|due to|while|caused by|which|after) )/u;
/** Not an ordinary word: `orders-db`, `web3`, `api.acme.example`, `HeapUsed`. */
export const IDENTIFIER = /[\p{L}\d][-_./@:][\p{L}\d]|[\p{L}]\d|\p{Ll}\p{Lu}|\d\p{L}/u;
const LONGEST = 400;
const MOST = 24;

/** The words of a line that name its subject, each once: without states, measurements, times and reasons. */
export function namesIn(line: string): string[] {
  const found = new Set<string>();
  let isStated = false;
  let named = false;
  const clauses = withoutReadings(line.slice(0, LONGEST)).split(BREAKS);
  for (let at = 0; at < clauses.length; at += 2) {
    const clause = clauses[at] ?? '';
    const [only, ...others] = wordsOf(clause);
    // In brackets alone it says which one: `interface 24 (ge-1/0/24)`.
    const isBracketed = /[([]$/u.test(clauses[at - 1] ?? '') && /^[)\]]/u.test(clauses[at + 1] ?? '');
    if (isBracketed && only?.kept && only.id && others.length === 0) {
      found.add(only.word);
      continue;
    }
    if (found.size > 0 && isStated && (named || ![only, ...others].some((one) => one?.kept && one.id))) break;
    const before = found.size;
    // Behind `db-3 is` only another name counts, or what is said of where: `down on node 4`.
    let open = true;
    for (const { word, kept, id } of wordsOf(clause)) {
      const name = kept && id;
      if (kept && (open || name || MEASURED.has(word))) found.add(word);
      named ||= name;
      // What follows an error's name is its message.
      if (/(?:error|exception)$/u.test(word) && name) isStated = true;
      const state = !kept && before + found.size > 0 && !BINDING.has(word);
      isStated ||= state;
      if (PLACES.has(word)) open = true;
      else if ((state || COPULAS.has(word)) && named) open = false;
    }
  }
  return [...found].slice(0, MOST);
}

const BINDING = setOf('binding');

/** What is measured is always part of the name. */
const MEASURED = setOf('measured');
const COPULAS = new Set('is are was were has have had ist sind hat est sont a está'.split(' '));
/** Words before a place. */
const PLACES = new Set('on in for from at auf für de sur pour en'.split(' '));

/** Whether a title names what it is about; `Monitoring Event Notification` and `Task failed` do not. */
export function namesSomething(title: string): boolean {
  return namesIn(title).some((name) => !STOCK.has(name));
}

/** Words of headings that say what kind of message it is. */
const STOCK = setOf('stock');

export function namesInText(text: string): string[] {
  const lines = plainText(text)
    .split('\n')
    .filter((line) => /[\p{L}\d]/u.test(line))
    .slice(0, LINES_OF_TEXT);
  return [...new Set(lines.flatMap(namesIn))].sort();
}

const LINES_OF_TEXT = 6;

/** The names of a sentence that are not ordinary words, nor of an error. */
export function identifiersIn(sentence: string): string[] {
  // A word with a colon behind it is a label, unless it is a name: `ORDERS_LAG: 41 s`.
  const plain = withoutReadings(sentence.slice(0, LONGEST)).replace(
    /([\p{L}\d_.-]+):(?=\s|$)/gu,
    (_, word: string) => (/\p{Lu}.*_|\d/u.test(word) ? `${word} ` : ' '),
  );
  const words = wordsOf(plain);
  return [
    ...new Set(words.flatMap(({ word, kept, id, error }) => (kept && id && !error ? [word] : []))),
  ].slice(0, MOST);
}

/** Whether a text says a state, in words that its recovery has others for. */
export function saysState(text: string): boolean {
  return withoutMarkup(text)
    .toLowerCase()
    .split(/[^\p{L}\p{M}\d_-]+/u)
    .some(isStateWord);
}

/** A short value in lower case, without states, times, measurements and generated ids. */
export function nameIn(value: string): string {
  const words = withoutReadings(value.slice(0, LONGEST))
    .toLowerCase()
    .split(/[^\p{L}\p{M}\d_.@/:=-]+/u);
  // A word with a colon behind it is a label.
  return words
    .filter((word) => !word.endsWith(':'))
    .map((word) => word.replace(/^[^\p{L}\d]+|[^\p{L}\d]+$/gu, ''))
    .filter((word) => word !== '' && !isStateWord(word))
    .map(nameFor)
    .filter((word) => !isHash(word))
    .join(' ');
}

/** Whether a word is of a state or a grade, in lower case. */
export function isStateWord(word: string): boolean {
  return (
    NOT_NAMES_FOREIGN.has(word) ||
    /^[1-5]xx$/u.test(word) ||
    [FIRING_MARKERS, RESOLVED_MARKERS, SEVERITY_MARKERS, WEAK_FIRING_MARKERS, WEAK_RESOLVED_MARKERS].some(
      (words) => words.has(word),
    ) ||
    (IDENTIFIER.test(word)
      ? word.split(/[._-]/u).every((part) => NOT_NAMES.has(part))
      : FAILING.test(word) || RECOVERED.test(word) || GOOD_WORD.test(word))
  );
}

/** Whether a word is a hash: `3ad7b26ded6d`, `0f0f`, but not `db12`. */
function isHash(word: string): boolean {
  return /^(?=[a-f]*\d)(?=\d*[a-f])[\da-f]{4,64}$/u.test(word) && !/^[a-f]{1,6}\d{1,4}$/u.test(word);
}

/** A text without times, counts and measurements; a number alone stays if `all` is false. */
export function withoutMeasurements(text: string, all: boolean): string {
  if (all) return withoutReadings(text).replace(/\s+/gu, ' ').trim();
  return text.replace(LENGTH, ' ').replace(READING, (whole) => (/[%‰°]/u.test(whole) ? ' ' : whole));
}

/** Whether a line has a name that is not an ordinary word. */
export function namesThing(line: string): boolean {
  return wordsOf(withoutReadings(line.slice(0, LONGEST))).some(({ kept, id }) => kept && id);
}

/** A unit of its own: `41 Gbit/s`; a state with a count: `FIRING:2`. */
const RATE =
  /(?<![\p{L}\d/])\p{L}{1,12}\/(?:s|sec|min|h|day)(?![\p{L}\d/])|\b(?:firing|resolved|critical|warning):\d+/giu;

interface Word {
  /** In lower case; a name in its canonical form. */
  word: string;
  kept: boolean;
  /** Not an ordinary word. */
  id: boolean;
  /** The name of an error. */
  error: boolean;
}

function wordsOf(clause: string): Word[] {
  const words =
    clause.replace(RATE, ' ').match(/[\p{L}\d][\p{L}\p{M}\d_.@/-]*(?::\d+)?(?:=[^\s,;]+)?/gu) ?? [];
  return words.flatMap((written, at) => {
    const [key = '', value] = written.split('=', 2);
    if (value !== undefined && /^[-+]?\d/u.test(value)) return [];
    const word = withoutEnding((value ?? key).replace(/[.\-/]+$/u, ''))
      .toLowerCase()
      .replace(STATE_ENDING, '');
    if (word === '') return [];
    if (/^\d+$/u.test(word)) {
      const noun = (words[at - 1] ?? '').toLowerCase();
      return NUMBERED.has(noun) ? [{ word: `${noun} ${word}`, kept: true, id: true, error: false }] : [];
    }
    const kept = isName(word) && !isHash(word);
    const error = isErrorType((value ?? key).split(/[./]/u).at(-1) ?? '');
    return [{ word: kept ? nameFor(word) : word, kept, id: IDENTIFIER.test(value ?? key), error }];
  });
}

function isName(word: string): boolean {
  if (
    NOT_NAMES.has(word) ||
    NOT_NAMES_FOREIGN.has(word) ||
    /^(?:p[0-5]|sev-?[0-5]|v?\d+\.\d+|v\d+\.\d+\.\d+)$/u.test(word)
  )
    return false;
  if (IDENTIFIER.test(word)) return !word.split(/[._-]/u).every((part) => NOT_NAMES.has(part));
  return !(FAILING.test(word) || RECOVERED.test(word) || GOOD_WORD.test(word));
}

const GOOD_WORD = new RegExp(`^(?:${GOOD})$`, 'u');

/** The canonical form of a name: a pod's workload, the singular. */
function nameFor(word: string): string {
  if (IDENTIFIER.test(word))
    return word
      .split(/([/_])/u)
      .map(workloadOf)
      .join('');
  return /[^s]s$/u.test(word) && word.length > 4 ? word.slice(0, -1) : word;
}

function withoutReadings(line: string): string {
  return (
    withoutMarkup(line)
      .replace(TIME, ' ')
      .replace(OID, ' ')
      .replace(SOURCE, ' ')
      .replace(ONCE, ' ')
      .replace(LENGTH, ' ')
      .replace(LENGTH_ELSEWHERE, ' ')
      .replace(COUNTED, ' ')
      // A number behind a noun that has numbers is a name: `Freezer 3`, `rack 12`. So is one that a colon joins to a name: a port.
      .replace(READING, (whole, at: number, text: string) =>
        /^\s?\d{1,4}\s?$/u.test(whole) || (/^\d{5}$/u.test(whole) && /[\p{L}\d\]]:$/u.test(text.slice(0, at)))
          ? whole
          : ' ',
      )
  );
}
