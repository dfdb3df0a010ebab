import nlp from 'compromise/two';
import { z } from 'zod';

/** The closed classes of English, and the verbs of a question: what is left says what is asked for. */
const EMPTY = new Set(
  'people ppl says said most least highest lowest a an the this that these those it its they them their he she we us you i me my our your here there what which who whom whose when where why how all any every each some no not none only also just still again is are was were be been being has have had do does did can could should would will shall may might must and or but if in on at of for by to from with into over under through per as than then now right currently moment present lately please show tell give get list find see look say know want need let many much high low long big large far old go goes going come comes run runs running use uses used using take takes handle handles hold holds held make makes until within during current value number count total amount level so far let’s vs versus compared morning yesterday today tonight week since began begun begin started start roughly about already'.split(
    ' ',
  ),
);

/** Where else something may run: no metric is called so, and what is said of all is not said of there. */
export const ENVIRONMENTS = new Set(['staging', 'dev', 'development', 'test']);

/** Words that say when, how surely or to whom, and what a question has besides what it asks for. */
const BESIDES = new Set([
  ...EMPTY,
  ...ENVIRONMENTS,
  ...'anything everything something nothing everyone anyone someone somebody anybody nobody ones one both others other another same like too such first new next past last before after while because though almost really actually maybe perhaps probably pls hey hello guys folks okay thanks well ever never always sometimes often soon later around between against without rather instead else even yet tomorrow evening afternoon night nightly weeks month hours hour minutes min mins sec secs minute seconds days times time prod production thing things stuff kind sort bit lot lots more less wants think thinks thought mean means asked answer question people somewhere anywhere everywhere whatever whichever either neither normal usual usually quick short shortly exactly side part parts overall till happen happens happened happening gives got getting taken taking took made making cause causes caused causing back away down lets gone came coming knew known sure help aswell matter matters worry care up down problem problems issue issues trouble wrong bad'.split(
    ' ',
  ),
]);

/** Whether a word says nothing of what is asked for, but for a letter that was left out, doubled or swapped. */
export function isEmpty(word: string): boolean {
  return isAmong(word, BESIDES);
}

/** Whether a word has a meaning in a question as it stands: it is no slip for a name. */
export function isTerm(word: string): boolean {
  return BESIDES.has(word) || CALLED.has(word);
}

function isAmong(word: string, words: ReadonlySet<string>): boolean {
  return words.has(word) || [...words].some((one) => one.length >= 5 && isMistyped(word, one));
}

/** Whether a word is another one but for letters that were swapped, left out or doubled. A letter for another one makes too many other words. */
export function isMistyped(word: string, known: string): boolean {
  if (Math.abs(word.length - known.length) > 1 || word[0] !== known[0]) return false;
  let at = 0;
  while (at < word.length && word[at] === known[at]) at++;
  const [rest, wanted] = [word.slice(at), known.slice(at)];
  if (rest.length === wanted.length)
    return rest[0] === wanted[1] && rest[1] === wanted[0] && rest.slice(2) === wanted.slice(2);
  const [longer, shorter] = rest.length > wanted.length ? [rest, wanted] : [wanted, rest];
  if (longer.slice(1) !== shorter) return false;
  // A letter too many is one that was typed twice; else it is another word: `calls`, `recalls`.
  return rest.length < wanted.length || word[at] === word[at - 1];
}

/**
 * What exporters call what people say. A row is a word of the names of metrics (Prometheus' own conventions), not of one
 * product.
 */
const CALLED = new Map(
  Object.entries({
    'allowed limit maximum': 'max limit',
    capacity: 'max size limit',
    'free left': 'free avail available remaining',
    full: 'used avail free size usage max current limit',
    space: 'used avail free size usage',
    disk: 'disk filesystem volume',
    'mem memory': 'memory mem',
    'host machine': 'node host system',
    'database db': 'database db datname dbname schema',
    'connections conns': 'connection conn connected activity session backend',
    sessions: 'session connection activity',
    req: 'request',
    'msg msgs': 'message',
    'latency slow slower': 'latency duration',
    certificate: 'cert certificate ssl tls',
    'expires expire': 'expiry expiration expire after',
    stuck: 'unacked pending ready waiting',
    unacknowledged: 'unacked unacknowledged unack',
    'waiting wait': 'waiting ready pending',
    'behind lag': 'lag behind delay',
    backlog: 'lag pending ready backlog',
    traffic: 'bytes requests transmit receive',
    'last-run': 'success successful completion completed finished run last timestamp',
    age: 'age timestamp oldest head',
    oldest: 'oldest head age timestamp',
    version: 'version build info',
    uptime: 'start uptime boot',
    failed: 'failed failures errors failure error',
    'busiest slowest rate ratio share percentage percent mb gb second minute hour hr day': '',
  }).flatMap(([words, called]) =>
    words.split(' ').map((word) => [word, called.split(' ').filter((one) => one !== '')] as const),
  ),
);

/** Words as they are compared: in lower case, without the endings of number and tense. */
export function stem(word: string): string {
  const plain = word.toLowerCase();
  if (plain.length <= 3 || /ss$|us$|is$/u.test(plain)) return plain;
  const singular = plain
    .replace(/ies$/u, 'y')
    .replace(/(?<=sh|ch|x|ss)es$/u, '')
    .replace(/s$/u, '');
  if (singular.length <= 5) return singular;
  return singular.replace(/([bdgmnpt])\1(?:ed|ing)$/u, '$1').replace(/(?:ed|ing|(?<=ct)ion)$/u, '');
}

/** `go_memstats_heap_inuse_bytes`, `nodeLoad1`: their words. */
export function wordsOfName(name: string): string[] {
  return name
    .replaceAll(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .replaceAll(/(\p{L})(\d)/gu, '$1 $2')
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')
    .map(stem);
}

export interface Term {
  /** As it stands in the question. */
  word: string;
  /** What it may be called in a name or a description, stemmed; none for what only says how it is counted. */
  called: readonly string[];
  /** Whether it may be what is asked for: a noun, a word that English does not have, the verb of *did we lose any?* */
  isThing: boolean;
}

const Sentences = z.array(
  z.object({ terms: z.array(z.object({ text: z.string(), tags: z.array(z.string()) })) }),
);
const OTHER_THAN_THINGS = ['Pronoun', 'Adverb', 'Adjective', 'Preposition', 'Conjunction', 'Determiner'];
const MOST_KEPT = 50;
const kept = new Map<string, Spoken>();

interface Spoken {
  /** Words that ask for nothing by themselves: adverbs, pronouns, prepositions, most verbs … */
  nothing: ReadonlySet<string>;
  /** What belongs to a verb: the *up* of *what fills up?* */
  particles: ReadonlySet<string>;
}

function spokenIn(sentence: string): Spoken {
  const known = kept.get(sentence);
  if (known !== undefined) return known;
  const words = Sentences.parse(nlp(sentence).json()).flatMap(({ terms }) => terms);
  // What is asked with yes or no is asked by its verb: `did we lose any?`
  const others =
    words[0]?.tags.includes('Verb') === true ? OTHER_THAN_THINGS : [...OTHER_THAN_THINGS, 'Verb'];
  const tagged = (wanted: readonly string[]) =>
    new Set(words.filter(({ tags }) => tags.some((tag) => wanted.includes(tag))).map(({ text }) => text));
  const found = { nothing: tagged(others), particles: tagged(['Particle']) };
  if (kept.size >= MOST_KEPT) kept.clear();
  kept.set(sentence, found);
  return found;
}

/** What a question asks for, word by word. */
export function termsOf(question: string): Term[] {
  // *The most* ranks, *at most* limits; *old* alone says nothing, *how old* asks for an age.
  const words =
    question
      .toLowerCase()
      .replaceAll(/\bat most\b/gu, 'maximum')
      .replaceAll('how old', 'age')
      .replaceAll(HOW_LONG, ' duration ')
      .replaceAll(UP_FOR, ' uptime ')
      .replaceAll(RAN, ' last-run ')
      .replaceAll(PER_UNIT, ' ')
      .match(/[\p{L}\p{N}_:./-]*[\p{L}\p{N}]/gu) ?? [];
  const asked = words.filter(
    (word) =>
      word.length > 1 &&
      !isAmong(word, EMPTY) &&
      // `whats`, `theres`
      !(word.endsWith('s') && EMPTY.has(word.slice(0, -1))) &&
      !/^\d+[kmg]?$/u.test(word),
  );
  const { nothing, particles } = spokenIn(question.toLowerCase());
  return [...new Set(asked)]
    .filter((word) => !particles.has(word))
    .map((word) => ({ word, called: calledOf(word), isThing: !nothing.has(word) }));
}

/** `how long did it take` */
const HOW_LONG = /\bhow long\b(?=.*\b(?:takes?|taking|took)\b)/gu;
/** `did it run`, `when did it last finish`; `how long is it up`. */
const RAN =
  /\bran\b|(?<=\b(?:did|when|has|last)\b.*)\b(?:last )?(?:run|finish(?:ed)?|completed?|succeed(?:ed)?|successful(?:ly)?)\b/gu;
const UP_FOR = /(?<=\b(?:how long|since when)\b.*)\b(?:up|running)\b/gu;
/** `req/s`, `per sec`: how it is counted. */
const PER_UNIT = /(?:(?<=\p{L})\/|\bper )(?:s|secs?|min)\b(?!\/)/gu;
const PERCENTILE = /^p\d\d(?:\.\d)?$/u;

function calledOf(word: string): string[] {
  const found = CALLED.get(PERCENTILE.test(word) ? 'latency' : word) ?? CALLED.get(stem(word));
  if (found?.length === 0) return [];
  return [...new Set([...wordsOfName(word), stem(word), ...(found ?? []).map(stem)])];
}

/** What a counter of requests counts: said of it, these words do not narrow it. */
export function isRequest(word: string): boolean {
  return /^(?:req(?:uest)?|call|hit|traffic)$/u.test(stem(word));
}

/** Labels of how it went. */
export const OUTCOME =
  /^(?:\w+_)?(?:result|outcome|status|state|code|success|error|reason|response_code|status_code)$/u;

const OF_MOMENTS = /expir|not_?after|timestamp|unixtime|epoch|_(?:time|date)(?:_seconds)?$/u;
const MAYBE_MOMENTS = /(?:^|_)last_/u;

/** Whether the values of a metric are moments by its name, in seconds since the epoch; or may be, as their size shows. */
export function isMomentName({ name, unit }: { name: string; unit: string }, isSure = true): boolean {
  return unit !== 'By' && (OF_MOMENTS.test(name) || (!isSure && MAYBE_MOMENTS.test(name)));
}

/** Words that ask when something was. */
export const OF_WHEN = new Set(['age', 'last-run', 'uptime', 'oldest', 'expires', 'expire']);
