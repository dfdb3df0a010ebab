import type { InvestigationResults } from '../../contract/answers.ts';
import { artifactPlaces } from '../../contract/client/artifact-refs.ts';
import { oneLine } from '../../lib/text.ts';

/** What an investigation read of one thing; texts are untrusted. */
interface Finding {
  /** The words of its title in order, without the service's name. */
  thing: string[];
  service: string | null;
  /** Everything that it says, and how it was asked for: names in it are found there. */
  text: string;
  answer: string;
}

/** What a result answers of runbooks' steps. */
export interface Evidence {
  findings: Finding[];
  cause: Pick<Finding, 'thing' | 'service' | 'answer'> | null;
  /** Services that findings are about, and those that the issue is about. */
  services: ReadonlySet<string>;
  own: readonly string[];
}

/**
 * @param own the services that the steps are about, the first of them most: what was read of others answers a step only if it
 *   names them
 * @param queries how metrics were asked for, by the artifact's id
 */
export function evidenceOf(
  results: InvestigationResults,
  own: readonly string[],
  queries: ReadonlyMap<string, string>,
): Evidence {
  const places = artifactPlaces(results).filter(({ title }) => /\S/u.test(title));
  const known = new Set([
    ...own.map((service) => service.toLowerCase()),
    ...places
      .filter(({ dataType }) => dataType === 'metric' || dataType === 'logs')
      .map(({ title }) => tokensOf(title)[0] ?? ''),
  ]);
  const findings = places.map(({ id, title, description }): Finding => {
    const tokens = tokensOf(title);
    const service = tokens.find((token) => known.has(token)) ?? null;
    return {
      thing: thingOf(tokens.filter((token) => token !== service)),
      service,
      text: `${title} ${description} ${queries.get(id) ?? ''}`,
      answer: joined(title, description),
    };
  });
  const stated = [
    ...(results.rootCause?.relevantEvidence ?? []),
    ...(results.rootCause?.irrelevantEvidence ?? []),
  ].map(({ title = '', description = '' }): Finding => {
    return { thing: [], service: null, text: `${title} ${description}`, answer: joined(title, description) };
  });
  return { findings: [...findings, ...stated], cause: causeOf(results, known), services: known, own };
}

/** `connection pool` of *Connection-pool exhaustion in payments*: what went wrong with it is the last word. */
function causeOf({ causalTreeV2 }: InvestigationResults, known: ReadonlySet<string>): Evidence['cause'] {
  const node = causalTreeV2?.nodes?.find(({ nodeType }) => /^(?:root[\s_-]?)?cause$/iu.test(nodeType ?? ''));
  const [compound = ''] = (node?.title ?? '').split(/ (?:in|of|on|at|to|for|from|by|after) /u);
  const thing = wordsOf(compound).slice(0, -1);
  if (node === undefined || thing.length === 0 || !/\d/u.test(node.description ?? '')) return null;
  const service = tokensOf(node.title ?? '').findLast((token) => known.has(token)) ?? null;
  return { thing, service, answer: joined(node.title ?? '', node.description ?? '') };
}

const MOST = 2;

/**
 * What the evidence says of the things that a step names: a metric, logs or an object by its name, or a measured thing in
 * the words that the evidence has for it. In doubt nothing.
 */
export function answersTo(step: string, { findings, cause, services, own }: Evidence): string[] {
  const tokens = tokensOf(step);
  const named = tokens.filter((token) => services.has(token));
  const asked = new Set(named.length > 0 ? named : own.map((service) => service.toLowerCase()));
  const rank = ({ service }: Finding) =>
    service === null ? own.length : own.findIndex((one) => one.toLowerCase() === service);
  const names = identifiersIn(step, services);
  const phrases = phrasesIn(step, services);
  const answers = findings
    .filter(
      ({ thing, service, text }) =>
        (service === null || asked.has(service)) &&
        (names.some((name) => isNamedIn(name, text)) ||
          (service !== null && thing.length > 0 && phrases.some((phrase) => isSame(phrase, thing)))),
    )
    .sort((a, b) => rank(a) - rank(b))
    .map(({ answer }) => answer);
  const isCause =
    cause !== null &&
    (named.length === 0 || (cause.service !== null && asked.has(cause.service))) &&
    phrases.some((phrase) => isSame(phrase, cause.thing.slice(-phrase.length)));
  return [...new Set([...(isCause ? [cause.answer] : []), ...answers])].slice(0, MOST);
}

function joined(title: string, description: string): string {
  return oneLine(/\S/u.test(description) ? `${title}: ${description}` : title);
}

/** Words as they are written, in lower case: `payments-db` and `http_requests_total` are one each. */
function tokensOf(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}](?:[\p{L}\p{N}_./:-]*[\p{L}\p{N}])?/gu) ?? [];
}

function wordsOf(text: string): string[] {
  return (text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).map(singular);
}

function singular(word: string): string {
  return word.length > 3 && word.endsWith('s') && !word.endsWith('ss') ? word.slice(0, -1) : word;
}

/** They say how much or how often, and not of what. */
const MEASURE =
  /^(?:usage|use|utilization|utilisation|rate|ratio|p\d\d+|mean|average|count|number|total|time|size|depth|level|age|expiry)$/u;
/** They name nothing. */
const FUNCTION_WORD =
  /^(?:a|an|the|this|that|these|those|its|their|your|our|in|of|on|at|to|for|from|by|with|without|as|into|up|and|or|but|not|no|if|whether|then|than|when|while|until|how|what|which|who|why|where|many|much|any|some|all|each|is|are|was|were|be|been|has|have|had|do|does|did|can|could|should|must|may|will|it|they|you|we|there|here|also|still|now|first|next|again)$/u;

function isMeasure(word: string): boolean {
  return MEASURE.test(word) || MEASURE.test(`${word}s`);
}

function thingOf(words: readonly string[]): string[] {
  return words.flatMap(wordsOf).filter((word) => !FUNCTION_WORD.test(word) && !isMeasure(word));
}

/** `memory of orders`: what follows says of what, and is not the where it is no service that is known. */
const OF = /^(?:of|in|on|at|for|from)$/u;

interface Phrase {
  /** The preposition before it; empty for none. */
  after: string;
  words: string[];
  hasService: boolean;
}

/** What a step names: the words between those that name nothing, without the verb that a sentence begins with. */
function phrasesIn(step: string, services: ReadonlySet<string>): string[][] {
  const text = step.replace(/```[\s\S]*?(?:```|$)|`[^`\n]*`|https?:\/\/\S+/gu, ' , ');
  return text.split(/\n+|[.,;:!?()"“”]+(?=\s|$)/u).flatMap((sentence) => {
    const phrases = phrasesOf(tokensOf(sentence), services).filter(
      ({ words, hasService }, at) => at === 0 || words.length > 0 || hasService,
    );
    return phrases.flatMap(({ after, words }, at) => {
      const next = phrases[at + 1];
      // What something is looked through for is not what was read.
      if (after === 'for' || (next !== undefined && OF.test(next.after) && !next.hasService)) return [];
      return [words, ...(at === 0 ? [words.slice(1)] : [])].filter((some) => some.length > 0);
    });
  });
}

function phrasesOf(tokens: readonly string[], services: ReadonlySet<string>): Phrase[] {
  let current: Phrase = { after: '', words: [], hasService: false };
  const phrases = [current];
  for (const token of tokens) {
    if (services.has(token)) current.hasService = true;
    else if (!FUNCTION_WORD.test(token))
      current.words.push(...wordsOf(token).filter((word) => !isMeasure(word)));
    else {
      // `of the …`: the first of them counts.
      const before = current.words.length === 0 && !current.hasService ? current.after : '';
      current = { after: OF.test(token) ? token : before, words: [], hasService: false };
      phrases.push(current);
    }
  }
  return phrases;
}

function isSame(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((word, at) => word === other[at]);
}

/** Names of metrics, classes, objects: what no sentence has between its words. */
function identifiersIn(step: string, services: ReadonlySet<string>): string[] {
  const words =
    step.replace(/https?:\/\/\S+/gu, ' ').match(/[\p{L}\p{N}][\p{L}\p{N}_./:-]{3,}[\p{L}\p{N}]/gu) ?? [];
  return words.filter(
    (word) => !services.has(word.toLowerCase()) && /\p{L}_|_\p{L}|\p{Ll}\p{Lu}|\p{L}[/]\p{L}/u.test(word),
  );
}

function isNamedIn(name: string, text: string): boolean {
  const at = text.indexOf(name);
  if (at < 0) return false;
  const around = `${text[at - 1] ?? ' '}${text[at + name.length] ?? ' '}`;
  return !/[\p{L}\p{N}_]/u.test(around);
}
