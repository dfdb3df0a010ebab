import { namedIn } from '../investigation/names.ts';
import type { Service, ServiceKind } from '../telemetry/model.ts';
import { isEmpty, isMistyped, isTerm, stem, wordsOfName } from './catalog/terms.ts';

/** A service by its name, what others call it, and the addresses and pods that are its own. */
export type Known = Pick<Service, 'name' | 'instances'> & Partial<Pick<Service, 'aliases'>>;

export function knownAs({ name, aliases = [], instances = [] }: Known): string[] {
  return [name, ...aliases, ...instances];
}

/** A machine without its domain and port. */
const HOST = /^[a-z][\w-]*\d(?=[.:]|$)/iu;

/** The machines of which one thing is, or on which it runs. */
export function hostsOf(thing: Known): string[] {
  return knownAs(thing).flatMap((name) => HOST.exec(name) ?? []);
}

/** A service, and what logs and changes call the same: `mysql-core` of `mysql-core-1.example`, on which mysqld runs. */
export function sameAs(name: string, directory: readonly Known[]): string[] {
  const own = hostsOf(directory.find((one) => one.name === name) ?? { name });
  const called = [...own, ...own.map((host) => host.replace(/-?\d+$/u, ''))];
  return [
    name,
    ...directory.flatMap((one) => (one.name !== name && called.includes(one.name) ? one.name : [])),
  ];
}

/** What a question names, read once: all else asks this. */
export interface Names {
  /** The question with its names spelled as telemetry has them, and without what it leaves out. */
  question: string;
  /** The same with every name taken out, as `·`: a name is no word of the sentence. */
  words: string;
  named: string[];
  /** What it leaves out: `except booking`. */
  except: string[];
  /** An address or pod that it names, and whose it is. */
  instance: { name: string; service: string } | null;
  /** What it names that is no service, as it says it: who made a change, its version. */
  others: readonly string[];
}

const NAME = '·';

/**
 * What people call a part of a system, by its shape: `checkout-service`, `db-7`, `billing.example.com`,
 * `10.0.6.1:8080`.
 */
export const SHAPED =
  /(?<![\w./-])(?:\d{1,3}(?:\.\d{1,3}){3}(?::\d+)?|[a-z][a-z0-9]*(?:[-./][a-z0-9]+)+(?::\d+)?|[a-z]+-?\d[\w-]*)(?![\w-])/giu;
/** Two words that are written as one. */
export const COMPOUND =
  /^(?:[a-z]{2,}-(?:[a-z]+ing|[a-z]+ed|back|up|out|down|off|on|to-date|loops?|call|ready|cause|rate|pull)|p\d\d|[45]xx|[45]\d\d|v\d[\w.]*|k8s|e\.g|i\.e)$/iu;
const ISSUE = /(?<![\w#])(?:issue\s+)?#\d{1,9}\b/giu;
const MENTIONED = /[`"“]([a-z0-9][\w./:-]*)[`"”]/giu;
const EXCEPTION = /\s*\b(?:except(?: for)?|other than|apart from|besides|excluding|but not)\s+([^,;?!]+)/iu;
const KINDS: readonly [RegExp, ServiceKind][] = [
  [/\b(?:the|our|a|any|all) (?:databases?|dbs?)\b/iu, 'database'],
  [/\b(?:the|our|a|any|all) caches?\b/iu, 'cache'],
  [/\b(?:the|our|a|any|all) (?:queues?|brokers?)\b/iu, 'queue'],
  [/\b(?:the|our|a|any|all) (?:workers?|consumers?)\b/iu, 'worker'],
];

/** How digits are spoken: `any1`, `2day`, `l8r`. */
const SPOKEN: Readonly<Record<string, string>> = { 1: 'one', 2: 'to', 4: 'for', 8: 'ate' };

/** A word with a digit in it that is another word when it is spoken. */
function spoken(word: string): string {
  const said = word.toLowerCase().replaceAll(/\d/gu, (digit) => SPOKEN[digit] ?? digit);
  return said === 'bfor' ? 'before' : isEmpty(said) ? said : word;
}

/** `db-1 or -2`: a name, and the end of another. */
const AND_ANOTHER = /(?<![\w-])([a-z][\w-]*?-)(\d+)( or | and | vs\.? | n |, ?)-?(\d+)(?![\w-])/giu;

/** `node 4` */
const NUMBERED = /(?<![\w-])([a-z]{2,}) (\d{1,3})(?![\w.:%-])/giu;

export function namesIn(text: string, directory: readonly Known[]): Names {
  const services = directory.map(({ name }) => name);
  const spelled = text
    .replaceAll(NUMBERED, (all: string, stem: string, number: string) =>
      services.some((name) => isRunOf(`${stem}-${number}`, name)) ? `${stem}-${number}` : all,
    )
    .replaceAll(AND_ANOTHER, (all: string, stem: string, one: string, and: string, other: string) =>
      services.includes(`${stem}${other}`) ? `${stem}${one}${and}${stem}${other}` : all,
    )
    .replaceAll(/\b(what|who|where|when|how)s\b/giu, '$1 is')
    .replaceAll(/(?<![\w.#/-])(?:b4|[a-z]*\d[a-z]{2,}|[a-z]{2,}\d[a-z]*)(?![\w/-]|\.\w)/giu, spoken)
    .replaceAll(/(?<![\w.#/-])[a-z]{4,14}(?![\w./-])/giu, (word) => asSpelled(word, services));
  const [clause = '', rest = ''] = EXCEPTION.exec(spelled) ?? [];
  const except = exceptedIn(rest, services);
  const whole = except.length === 0 ? spelled : spelled.replace(clause, '');
  const others = otherNamesIn(whole, directory);
  const question = others.reduce(
    (text, { said, service }) => text.replace(inFull(said), () => service),
    whole,
  );
  const [instance = null] = others.flatMap(({ part, service }) => (part ? { name: part, service } : []));
  return {
    question,
    words: withoutNames(question, services),
    named: strongest(question, services),
    except,
    instance,
    others: [],
  };
}

/** Services of the kind that a question names: `the database`. */
export function ofKindIn(question: string, directory: readonly Service[]): string[] {
  const kinds = KINDS.flatMap(([words, kind]) => (words.test(question) ? [kind] : []));
  return directory.filter(({ kind }) => kinds.includes(kind)).map(({ name }) => name);
}

/** The services that a text names: in full, else the best matches; in part only where one is meant. */
export function strongest(text: string, services: readonly string[]): string[] {
  const exact = services
    .map((name) => ({ name, at: text.search(inFull(name)) }))
    .filter(({ at }) => at >= 0)
    .sort((a, b) => a.at - b.at);
  if (exact.length > 0) return exact.map(({ name }) => name);
  // `core-1` of `mysql-core-1.example` is a run of its parts, and the beginning of `coredns` by chance.
  const shaped = text.match(SHAPED) ?? [];
  const holding = services.filter((name) => shaped.some((one) => isRunOf(one, name)));
  if (holding.length > 0) return holding;
  // A word of the sentence is no part of a name: `not`, `be`.
  const content = text
    .replaceAll(SHAPED, (word) => (COMPOUND.test(word) ? word : ' '))
    .replaceAll(/(?<![\w./-])[a-z]{2,4}(?![\w./-])/giu, (word) => (isEmpty(word.toLowerCase()) ? ' ' : word));
  const partsOf = (name: string): string[] => name.toLowerCase().match(/[a-z]+/gu) ?? [];
  const [words, parts] = [partsOf(content), new Set(services.flatMap(partsOf))];
  // What is a whole part of some (`core`) is not the beginning of another (`coredns`) but for a letter (`mysqld`).
  const isByChance = (service: string) =>
    !partsOf(service).some((part) => words.includes(part)) &&
    partsOf(service).some((part) =>
      words.some((word) => parts.has(word) && part.startsWith(word) && part.length > word.length + 1),
    );
  const found = [
    ...namedIn(content, services),
    // `db-9` has nothing of `db-1`, and `kube-system` little of `kubelet`.
    ...shaped
      .filter((word) => !/\d/u.test(word))
      .flatMap((word) =>
        namedIn(word, services).filter(({ service }) => namedIn(service, [word]).length > 0),
      ),
  ].filter(({ service }) => !isOtherThing(service, text) && !isByChance(service));
  const best = Math.max(...found.map(({ score }) => score));
  const chosen = [...new Set(found.flatMap(({ score, service }) => (score === best ? service : [])))];
  return best === 1 || chosen.length <= MOST_THINGS ? chosen : [];
}

export const MOST_THINGS = 3;

/** Whether a name has the parts of another one in their order: `core-1` is a run of `mysql-core-1`. */
export function isRunOf(short: string, name: string): boolean {
  const parts = (text: string) => `.${text.toLowerCase().replaceAll(/[^a-z0-9]+/gu, '.')}.`;
  return parts(name).includes(parts(short));
}

/** What makes a part of a name another thing: the cache of a service is not the service. */
const APART = /^(?:cache|db|database|queue|broker|proxy|worker|job|scheduler)$/u;

/** Whether a name that is said in part is that of something else beside what is said. */
export function isOtherThing(name: string, text: string): boolean {
  const words = text.toLowerCase().match(/[a-z]+/gu) ?? [];
  const parts = name.toLowerCase().match(/[a-z]+/gu) ?? [];
  const isSaid = (part: string) => words.some((word) => word.startsWith(part) || part.startsWith(word));
  return parts.length > 1 && parts.some((part) => APART.test(part)) && parts.some((part) => !isSaid(part));
}

export function isNamedIn(text: string, name: string): boolean {
  return inFull(name).test(text);
}

function inFull(name: string): RegExp {
  return new RegExp(String.raw`(?<![\w-])${name.replaceAll(/[.*+?^${}()|[\]\\]/gu, '\\$&')}(?![\w-])`, 'iu');
}

/** Whether a name is only said by parts that the issue's own title has: `front desk` is what its thread is about. */
export function isOfTitle(name: string, question: string, title: string): boolean {
  const parts = name.toLowerCase().split(/[^a-z0-9]+/u);
  const said = parts.filter((part) => wordsOfName(question).includes(stem(part)));
  const isWhole = said.length === parts.length || isNamedIn(question, name);
  return !isWhole && said.length > 0 && said.every((part) => wordsOfName(title).includes(stem(part)));
}

/** A question in which every name is a dot, whether telemetry knows it or its shape shows that it is one. */
export function withoutNames(question: string, services: readonly string[]): string {
  const known = [...services].sort((a, b) => b.length - a.length);
  return known
    .reduce((text, name) => text.replaceAll(new RegExp(inFull(name), 'giu'), NAME), question)
    .replaceAll(ISSUE, NAME)
    .replaceAll(MENTIONED, NAME)
    .replaceAll(SHAPED, (name) => (COMPOUND.test(name) ? name : NAME));
}

/** A pod's name is that of its workload, of its revision and its own. */
const POD = /^([a-z0-9][a-z0-9-]*?)-(?:[a-f0-9]{6,10}|[bcdfghjklmnpqrstvwxz2456789]{6,10})-[a-z0-9]{5}$/u;

/** Whether a question names a pod, or says that it is about an object of a cluster. */
export function isOfCluster(question: string): boolean {
  return (
    /\b(?:pods?|deployments?|jobs?|cronjobs?|namespaces?|workloads?|statefulsets?|daemonsets?|k8s|kubernetes)\b/iu.test(
      question,
    ) || question.split(/[\s`"'(),?]+/u).some((word) => POD.test(word))
  );
}

/** What a text calls otherwise than telemetry does: in full, else in part, by what one alone is called; a part of it, too. */
function otherNamesIn(text: string, services: readonly Known[]) {
  const shaped = text.match(SHAPED)?.filter((word) => !COMPOUND.test(word)) ?? [];
  const words = new Set([...text.split(/[\s`"'(),?]+/u).filter((word) => /\d/u.test(word)), ...shaped]);
  const ways = [
    ({ name, aliases = [] }: Known) => [name, ...aliases],
    ({ instances = [] }: Known) => instances,
  ];
  return [...words].flatMap((said): { said: string; service: string; part: string | undefined }[] => {
    const workload = POD.exec(said)?.[1];
    const isWhole = (name: string) => name === said || name === workload;
    const isPart = (name: string) => shaped.includes(said) && isRunOf(said, name);
    for (const isCalled of [isWhole, isPart])
      for (const [i, own] of ways.entries()) {
        const [one, ...more] = services.filter((service) => own(service).some(isCalled));
        if (one === undefined) continue;
        const part = i > 0 ? own(one).find(isCalled) : one.name === workload ? said : undefined;
        return more.length > 0 || one.name === said ? [] : [{ said, service: one.name, part }];
      }
    return [];
  });
}

const ASKING = 'which what when since error errors latency deploy changed healthy'.split(' ');

/** A word that is one of these or a service's name but for a slip, as that. */
function asSpelled(word: string, services: readonly string[]): string {
  const lower = word.toLowerCase();
  const parts = services.flatMap((name) => name.toLowerCase().split(/[^a-z]+/u));
  if (parts.includes(lower)) return word;
  const known = [...ASKING, ...services];
  if (ASKING.includes(lower) || isTerm(lower)) return word;
  return known.find((name) => isMistyped(lower, name.toLowerCase())) ?? word;
}

/** What is left out by name: services, and what else has the shape of a name. */
function exceptedIn(rest: string, services: readonly string[]): string[] {
  const shaped = rest.toLowerCase().match(SHAPED) ?? [];
  const named = strongest(rest, services).filter((name) => !shaped.some((word) => word.includes(name)));
  if (named.length + shaped.length > 0) return [...named, ...shaped];
  // *Except northgate*: one word of which nothing else says what it is.
  return /^\s*(?:the )?([a-z][\w-]*)\s*$/iu.exec(rest)?.slice(1) ?? [];
}
