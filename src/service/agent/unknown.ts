import { namedIn } from '../investigation/names.ts';
import type { Change, Service } from '../telemetry/model.ts';
import { type Catalog, JOB } from './catalog/find.ts';
import { dimensionIn } from './catalog/labels.ts';
import { isEmpty, stem, wordsOfName } from './catalog/terms.ts';
import { isAsking, routesOf } from './examples.ts';
import { idIn } from './logs.ts';
import { COMPOUND, isOtherThing, isRunOf, knownAs, MOST_THINGS, ofKindIn, SHAPED } from './names.ts';
import type { Choice } from './tool.ts';
import { EVERYTHING, profileIn, type Turn } from './understand.ts';

const WORD = String.raw`([a-z][\w.-]*\w)`;
/** Where a sentence has the name of what it is about. */
const PLACES = [
  new RegExp(String.raw`\bservice\s+${WORD}`, 'iu'),
  new RegExp(String.raw`\b(?:the\s+)?${WORD}\s+service\b`, 'iu'),
  new RegExp(
    String.raw`^\W*(?:so |and |but )?(?:why|how|since when|when)?\s*(?:is|are|was|were|has|does|did|how's)\s+(?:the\s+)?${WORD}\b`,
    'iu',
  ),
  new RegExp(
    String.raw`\b(?:what|who|which services?)\s+(?:calls?|uses?|depends? on)\s+(?:the\s+)?${WORD}`,
    'iu',
  ),
  new RegExp(String.raw`\bdo(?:es)?\s+(?:the\s+)?${WORD}\s+(?:call|use|depend)`, 'iu'),
  new RegExp(String.raw`^\W*(?:and|what about|how about)\s+(?:the\s+)?${WORD}\W*$`, 'iu'),
  new RegExp(String.raw`^\W*(?:is|was) (?:it|this|that)\s+(?:the\s+|an?\s+)?${WORD}\W*$`, 'iu'),
  new RegExp(
    String.raw`\b(?:wrong|up|issues?|problems?|trouble|happening|going on) with\s+(?:the\s+)?${WORD}`,
    'iu',
  ),
];
/** Where a change happened. With an article it is a word: `in the config`. */
const CHANGED = new RegExp(
  String.raw`\b(?:chang\w+|deploy\w*|releas\w+|merged|shipped|new|different)\s+(?:in|on|to|with|for|at|of)\s+${WORD}`,
  'iu',
);
const OF = new RegExp(String.raw`\b(?:of|for)\s+(?:the\s+)?${WORD}`, 'iu');

/**
 * What a question is about, by a name that telemetry does not know: `errors of ledger`, `is db-7 ok?` `null` if it names
 * something known, or nothing.
 *
 * @param isKnown whether it is another name of something known: an address, a pod
 */
function unknownServiceIn(
  { question, words, named, numberNamed, metricNamed, files, others, context }: Turn,
  isKnown: (name: string) => boolean,
): string | null {
  if (named.length > 0 || numberNamed !== null) return null;
  const text = question.replaceAll(/[\x60*"“”]/gu, '');
  const shaped = [...text.matchAll(SHAPED)].map(([name]) => name).filter((name) => !COMPOUND.test(name));
  const places = metricNamed === null && !/\blogs?\b/iu.test(words) ? PLACES : [...PLACES, OF];
  const placed = [...places, CHANGED].flatMap((pattern) => pattern.exec(text)?.[1] ?? []);
  // What its issue's title says is what that is about.
  const titled = wordsOfName(context?.title ?? '');
  const isName = (word: string) => !isWord(word) && !titled.includes(stem(word));
  return (
    [...shaped, ...placed.filter(isName)].find(
      (name) =>
        !files.some((file) => file.name.includes(name)) &&
        !others.includes(name.toLowerCase()) &&
        !isKnown(name),
    ) ?? null
  );
}

/** Whether it is a word that means something in a question, and names nothing. */
export function isWord(word: string): boolean {
  return (
    isEmpty(word.toLowerCase()) ||
    word.length <= 2 ||
    isAsking(word) ||
    EVERYTHING.test(word) ||
    dimensionIn(`which ${word}`) !== null ||
    profileIn(word) !== null
  );
}

/** A shorter part of a name says nothing. */
const LEAST_OF_NAME = 3;

/**
 * The things that a question is about without their full names: by their kind (`the database`), by a part of a name that
 * few others have (`why do mails hang?`), or by a name that only a cluster or a log may know.
 */
export function thingsIn(choice: Choice, directory: readonly Service[]): string[] {
  const { tool, turn } = choice;
  const isOfHealth = tool.name === 'health';
  const kinds = isOfHealth ? ofKindIn(turn.question, directory) : [];
  if (kinds.length > 0) return kinds;
  const others = directory.filter(({ name }) => !isOtherThing(name, turn.words));
  const names = others.map(({ name, aliases }) => [name, ...aliases]);
  const parts = [...new Set(names.flat().flatMap((name) => name.toLowerCase().match(/[a-z]+/gu) ?? []))];
  const words = isOfHealth ? (turn.words.match(/(?<![\w./-])[a-z]{4,}(?![\w./-])/giu) ?? []) : [];
  const unknown = unknownFor(choice, directory);
  const called = words.flatMap((word) => (isWord(word) ? [] : (namedIn(word, parts)[0]?.service ?? [])));
  // What is said to be a name is one only as it stands.
  for (const part of [...called, ...(unknown === null ? [] : [unknown.name])]) {
    const own = names.flatMap((some) => (some.some((one) => isRunOf(part, one)) ? (some[0] ?? []) : []));
    if (own.length > 0 && own.length <= MOST_THINGS) return own;
  }
  const isNew = unknown?.isOurs === true && !directory.some(({ name }) => isRunOf(unknown.name, name));
  return isOfHealth && isNew ? [unknown.name] : [];
}

/** A name of a part that telemetry does not know; whether the part is about a system at all. */
export function unknownFor(
  { tool, turn }: Choice,
  directory: readonly Service[],
): { name: string; isOurs: boolean } | null {
  // A namespace is no service, and its pods need not be known as ones.
  if (tool.isOffline || ['state', 'rules', 'outlook', 'database'].includes(tool.name)) return null;
  // What somebody did may be in a file.
  if (tool.name === 'changes' && (turn.aspect === 'who' || turn.aspect === 'why')) return null;
  if (tool.name === 'logs' && idIn(turn.question) !== null) return null;
  const isKnown = (name: string) => directory.some((one) => knownAs(one).includes(name));
  const name = unknownServiceIn(turn, isKnown);
  // What somebody takes for the cause of an issue need not be a service: `is it the network?`
  const isGuess = turn.aspect === 'certainty' && turn.number !== null && !OF_NAMES.test(name ?? '');
  return name === null || isGuess ? null : { name, isOurs: isAboutSystems(turn, name) };
}

/** What no word has. */
const OF_NAMES = /[-.\d]/u;

/** A cue besides *why*: nobody asks the sky for its error rate. */
function isAboutSystems(turn: Turn, name: string): boolean {
  const words = turn.words.replace(/^\W*why\b/iu, '').replaceAll(name, '·');
  return words.includes('··') || OF_NAMES.test(name) || routesOf({ ...turn, words })[0]?.tool !== 'nothing';
}

/** Who made a change, its version and what it is called are looked for so far back. */
export const MAY_BE_NAMED = 14 * 24 * 3_600_000;

/** The changes that a question names, by who made them or by their version. */
export interface NamedChanges {
  /** `Omar Haddad`, `4.12.0`. */
  names: string[];
  words: string[];
  changes: Change[];
}

/** Whether a question has a word that may name a change: a version, or one that means nothing else. */
export function mayNameChange({ words }: Pick<Turn, 'words'>): boolean {
  return wordsIn(words).some((word) => !isWord(word));
}

function wordsIn(text: string): string[] {
  return text.toLowerCase().match(/\p{L}[\p{L}-]*(?:['’]s\b)?|v?\d+(?:\.\d+)+[\w-]*/gu) ?? [];
}

/** `6.1.0` of `v6.1.0`, `omar` of `omar’s` and `omars`. */
function bare(word: string): string {
  return word.replaceAll(/^v(?=\d)|['’]?s$/gu, '');
}

export function changesNamedIn(question: string, changes: readonly Change[]): NamedChanges | null {
  const said = new Set(wordsIn(question).flatMap((word) => [word, bare(word)]));
  const isAuthor = (name: string) => {
    const parts = name
      .toLowerCase()
      .split(' ')
      .filter(({ length }) => length >= LEAST_OF_NAME);
    return (
      parts.some((part) => said.has(part) && !isWord(part)) ||
      (parts.length > 1 && parts.every((part) => said.has(part)))
    );
  };
  const found = changes.flatMap((change) => {
    const version = bare(change.version ?? '');
    const isVersion = version.includes('.') && said.has(version);
    const names = [...(change.authors ?? []).filter(isAuthor), ...(isVersion ? [version] : [])];
    return names.length === 0 ? [] : [{ names, change }];
  });
  const names = [...new Set(found.flatMap((one) => one.names))];
  const parts = names.join(' ').toLowerCase().split(' ');
  const words = wordsIn(question).filter((word) => parts.includes(word) || parts.includes(bare(word)));
  return found.length === 0 ? null : { names, words, changes: found.map(({ change }) => change) };
}

/** The changes whose titles have a word of a question that names no service and means nothing else: `the binlog thing`. */
export function changesCalledIn(
  { question, services }: { question: string; services: readonly string[] },
  changes: readonly Change[],
): NamedChanges | null {
  const ofServices = new Set(services.flatMap(wordsOfName));
  const words = wordsIn(question).filter(
    (word) => word.length > LEAST_OF_NAME && !isWord(word) && !ofServices.has(stem(word)),
  );
  const isCalled = (word: string, { title }: Change) => wordsOfName(title).includes(stem(word));
  const own = words.filter((word) => changes.some((change) => isCalled(word, change)));
  const found = changes.filter((change) => own.some((word) => isCalled(word, change)));
  return found.length === 0 ? null : { names: own.map((word) => `*${word}*`), words: own, changes: found };
}

/**
 * The services of which something is called so, an instance or the value of a label of their metrics: in full, else with
 * it as whole segments; `null` where there is none, or too many.
 */
export function measuredBy(
  name: string,
  catalog: Catalog | null,
  directory: readonly Service[],
): string[] | null {
  const known = directory.map((one) => one.name);
  const values = [...(catalog?.metrics.values() ?? [])].flatMap(({ labels }) => {
    const all = Object.entries(labels);
    const of = all.flatMap(([label, some]) => (JOB.test(label) ? some : []));
    // A job may have its namespace before it.
    const jobs = known.filter((service) => of.some((job) => job === service || job.endsWith(`/${service}`)));
    return all.flatMap(([label, some]) => (JOB.test(label) || jobs.length === 0 ? [] : [{ some, jobs }]));
  });
  const own = directory.map(({ name: job, instances: some = [] }) => ({ some, jobs: [job] }));
  for (const isCalled of [(one: string) => one === name, (one: string) => isRunOf(name, one)]) {
    const found = [...values, ...own].filter(({ some }) => some.some(isCalled)).flatMap(({ jobs }) => jobs);
    const jobs = [...new Set(found)];
    if (jobs.length > 0) return jobs.length <= MOST_THINGS ? jobs : null;
  }
  return null;
}
