import type { InvestigationResults } from '../../contract/answers.ts';
import { artifactPlaces } from '../../contract/client/artifact-refs.ts';
import { oneLine } from '../../lib/text.ts';

/** What an investigation read of one thing; texts are untrusted. */
interface Finding {
  /** The words of its title in order, without the service's name: `error rate`. */
  thing: string[];
  service: string | null;
  /** Everything that it says, and how it was asked for: names in it are found there. */
  text: string;
  answer: string;
}

/** What a result answers of runbooks' steps. */
export interface Evidence {
  findings: Finding[];
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
  const services = new Set([
    ...own.map((service) => service.toLowerCase()),
    ...places
      .filter(({ dataType }) => dataType === 'metric' || dataType === 'logs')
      .map(({ title }) => tokensOf(title)[0] ?? ''),
  ]);
  const read = places.map(({ id, title, description }): Finding => {
    const tokens = tokensOf(title);
    const service = tokens.find((token) => services.has(token)) ?? null;
    return {
      // A quantile is seldom written.
      thing: tokens.filter((token) => token !== service && !/^p\d+$/u.test(token)),
      service,
      text: `${title} ${description} ${queries.get(id) ?? ''}`,
      answer: joined(title, description),
    };
  });
  const { relevantEvidence = [], irrelevantEvidence = [] } = results.rootCause ?? {};
  const stated = [...relevantEvidence, ...irrelevantEvidence].map(
    ({ title = '', description = '' }): Finding => ({
      thing: [],
      service: null,
      text: `${title} ${description}`,
      answer: joined(title, description),
    }),
  );
  return { findings: [...read, ...stated], services, own };
}

const MOST = 2;

/** What the evidence says of the metric, log or object that a step names, or calls as the evidence does. In doubt nothing. */
export function answersTo(step: string, { findings, services, own }: Evidence): string[] {
  const tokens = tokensOf(step.replace(/```[\s\S]*?(?:```|$)|`[^`\n]*`|https?:\/\/\S+/gu, ' , '));
  const named = tokens.filter((token) => services.has(token));
  const asked = new Set(named.length > 0 ? named : own.map((service) => service.toLowerCase()));
  const rank = ({ service }: Finding) =>
    service === null ? own.length : own.findIndex((one) => one.toLowerCase() === service);
  const names = identifiersIn(step, services);
  const answers = findings
    .filter(
      ({ thing, service, text }) =>
        (service === null || asked.has(service)) &&
        (names.some((name) => isNamedIn(name, text)) ||
          // One word alone says too little: `error logs` are not the logs.
          ((thing.length > 1 || named.length > 0) && isCalled(thing, tokens, services))),
    )
    .sort((a, b) => rank(a) - rank(b))
    .map(({ answer }) => answer);
  return [...new Set(answers)].slice(0, MOST);
}

function joined(title: string, description: string): string {
  return oneLine(/\S/u.test(description) ? `${title}: ${description}` : title);
}

/** Words as they are written, in lower case: `payments-db` and `http_requests_total` are one each. */
function tokensOf(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}](?:[\p{L}\p{N}_./:-]*[\p{L}\p{N}])?/gu) ?? [];
}

/** `memory usage of orders`: what follows names the service; an unknown name is not taken for the service. */
const OF = /^(?:of|in|on|at|for|from)$/u;

/** Whether a step has the words of a thing in order, and does not attribute it to another service. */
function isCalled(thing: readonly string[], step: readonly string[], services: ReadonlySet<string>): boolean {
  return step.some((_, start) => {
    if (thing.length === 0 || !thing.every((word, at) => step[start + at] === word)) return false;
    const [next = '', ...after] = step.slice(start + thing.length);
    return !OF.test(next) || services.has(after.find((word) => word !== 'the') ?? '');
  });
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
