import { z } from 'zod';
import type { Artifact, InvestigationResults } from '../../../contract/answers.ts';
import { oneLine } from '../../../lib/text.ts';
import { readMetric, titleOf } from '../charts/metric.ts';
import { span } from '../dates.ts';
import { clean, literal } from '../escape.ts';
import { code, link, safeUrl } from '../links.ts';
import { phrase } from '../results/phrases.ts';

/** What asks for the same numbers again: the query, from when to when, and how finely. */
interface Asked {
  query: string;
  /** `16:31 to 17:01 today, every 30 s`; empty if it is not stated. */
  when: string;
}

const AskedData = z.looseObject({
  query: z.string(),
  asked: z
    .looseObject({ start: z.string(), end: z.string(), stepSeconds: z.number() })
    .optional()
    .catch(undefined),
});

/** `null` if the artifact states no query. */
export function askedOf({ data }: Pick<Artifact, 'data'>): Asked | null {
  const parsed = AskedData.safeParse(data);
  const query = parsed.data?.query.trim() ?? '';
  if (query === '') return null;
  const { start = '', end = '', stepSeconds } = parsed.data?.asked ?? {};
  const [from, to] = [Date.parse(start), Date.parse(end)];
  const isStated = !Number.isNaN(from) && !Number.isNaN(to) && stepSeconds !== undefined;
  return { query, when: isStated ? `${span(from, to)}, every ${step(stepSeconds)}` : '' };
}

function step(seconds: number): string {
  return seconds >= 60 && seconds % 60 === 0 ? `${seconds / 60} min` : `${seconds} s`;
}

/** The page of a tool that shows an artifact; `null` if none can be opened by people. */
export function pageOf({ providerUrl = '' }: Pick<Artifact, 'providerUrl'>): string | null {
  return safeUrl(providerUrl);
}

/** Longer ones are read behind *Evidence*. */
const MAX_QUERY = 240;
const MAX_TITLE = 80;

/**
 * How to ask for a metric's numbers again, in mrkdwn: a link into the tool that has them where people can open it, else
 * the query. `null` if the artifact states neither. From when to when is behind *Evidence*: a chart beside it has an axis.
 */
export function askedAgainLine(artifact: Artifact): string | null {
  const asked = askedOf(artifact);
  const page = pageOf(artifact);
  const metric = readMetric(artifact);
  const title = phrase(metric === null ? artifact.summary : titleOf(metric), MAX_TITLE) || 'This metric';
  if (page !== null) return `↗ ${link(page, `${title} in ${providerName(artifact.provider) || 'its tool'}`)}`;
  if (asked === null) return null;
  const query = oneLine(clean(asked.query));
  const shown = query.length > MAX_QUERY ? 'the query is behind *Evidence*' : code(query);
  return `↗ ${literal(title)}: ${shown}`;
}

// Code and Slack's tokens stay as they are. A number counts with its unit, or its decimals.
const NUMBERS =
  /```[\s\S]*?(?:```|$)|`[^`\n]*`|<[^>]*>|(?<![\w.,-])(?<stated>\d[\d,]*(?:\.\d+)?(?:%| ?(?:[µmn]?s|min|h|d|[KMGT]i?B|B)\b| ?[a-z]+\/s\b)|\d[\d,]*\.\d+)(?![\w.]*\d)/gu;

/**
 * Each metric's number in the verdict as a link to where it can be asked again: the last one that both the verdict and the
 * evidence of that metric state.
 */
export function withNumbersLinked(
  mrkdwn: string,
  metrics: readonly Artifact[],
  { rootCause }: Pick<InvestigationResults, 'rootCause'>,
): string {
  return metrics.reduce((text, metric) => {
    const page = pageOf(metric);
    if (page === null) return text;
    const said = (rootCause?.relevantEvidence ?? [])
      .filter(({ artifacts = [] }) => artifacts.some(({ documentId }) => documentId === metric.id))
      .map(({ title = '', description = '' }) => `${title} ${description}`);
    const known = new Set(numbersIn([metric.summary ?? '', ...said].join(' ')).map(({ stated }) => stated));
    const last = numbersIn(text).findLast(({ stated }) => known.has(stated));
    if (last === undefined) return text;
    const { at, stated } = last;
    return `${text.slice(0, at)}${link(page, stated)}${text.slice(at + stated.length)}`;
  }, mrkdwn);
}

function numbersIn(text: string): { at: number; stated: string }[] {
  return [...text.matchAll(NUMBERS)].flatMap(({ index, groups }) =>
    groups?.stated === undefined ? [] : [{ at: index, stated: groups.stated }],
  );
}

/** The contract does not name the providers; their tokens read like `some_tool`, or `one+other`. Not escaped yet. */
export function providerName(token: string | undefined): string {
  const names = phrase(token, 60)
    .split('+')
    .map((part) => part.replace(/[_-]+/gu, ' ').trim())
    .filter((words) => words !== '');
  return names
    .map((words) => SPELLED.get(words) ?? `${words.charAt(0).toUpperCase()}${words.slice(1)}`.toWellFormed())
    .join(', ');
}

/** The embedded service's sources that are not spelled as words are. */
const SPELLED: ReadonlyMap<string, string> = new Map([
  ['argocd', 'Argo CD'],
  ['github', 'GitHub'],
  ['gitlab', 'GitLab'],
  ['victorialogs', 'VictoriaLogs'],
]);
