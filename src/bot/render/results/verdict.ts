import type { KnownBlock, SectionBlock } from '@slack/types';
import type { InvestigationResults, RootCause } from '../../../contract/answers.ts';
import { cutAtWord, oneLine } from '../../../lib/text.ts';
import { channelMention, clean, cutEscaped, literal } from '../escape.ts';
import { fitMessage } from '../fit.ts';
import { body, link } from '../links.ts';
import { blockInReadersTime, inReadersTime, momentOf } from '../readers-time.ts';
import { context, folded, type Rendered, section } from '../rendered.ts';
import type { VerdictView } from '../views.ts';
import { SIMULATED } from '../words.ts';
import { type CauseGraph, causeGraph } from './causal-chain.ts';
import { passage, phrase } from './phrases.ts';

const MAX_TEXT = 2400;
/** Of what happened, beside a root cause. */
const SHORT = 240;
/** For a card, which is mainly about the issue's status. */
const MAX_BRIEF = 600;
/** Unescaped: far more than is shown, far less than would take long to process. */
const MAX_SOURCE = 20_000;

/** Whether the service names a root cause (contract, 2.7); without one, nothing was found. */
export function hasRootCause(rootCause: RootCause | undefined): boolean {
  return clean(rootCause?.rootCauseSummary ?? '').trim() !== '';
}

/** Whether it says why, and not only what is wrong. */
export function isExplained(rootCause: RootCause | undefined): boolean {
  return hasRootCause(rootCause) && rootCause?.isUnexplained !== true;
}

/** `*Root cause* · confidence high`; where only what is wrong is known, `*Root cause unknown*`. */
function headOf(rootCause: RootCause | undefined, confidence: string): string {
  return isExplained(rootCause) ? `*Root cause* · ${confidence}` : UNKNOWN;
}

const UNKNOWN = '*Root cause unknown*';

/** The verdict: root cause with its confidence, or that nothing was found; then `next`, and what happened. */
export function verdictBlocks(
  rootCause: RootCause | undefined,
  graph: CauseGraph,
  next: readonly KnownBlock[] = [],
): KnownBlock[] {
  const found = hasRootCause(rootCause);
  return [verdictSection(rootCause, graph), ...next, ...happenedBlocks(rootCause, found ? SHORT : MAX_TEXT)];
}

function verdictSection(rootCause: RootCause | undefined, graph: CauseGraph): SectionBlock {
  if (!hasRootCause(rootCause)) return section('*No root cause found*');
  const summary = cutEscaped(body(passage(rootCause?.rootCauseSummary, MAX_SOURCE)), MAX_TEXT);
  return section(`${headOf(rootCause, verdictConfidence(graph))}\n${summary}`);
}

/** Beside a root cause, what is long is folded: who is hit stays on a phone’s first screen. */
function happenedBlocks(rootCause: RootCause | undefined, longest: number): KnownBlock[] {
  const overview = cutEscaped(body(passage(rootCause?.incidentOverview, MAX_SOURCE)), MAX_TEXT);
  if (overview === '') return [];
  return overview.length > longest
    ? folded('What happened', [section(overview)])
    : [section(`*What happened*\n${overview}`)];
}

/** The root cause with its confidence, or that nothing was found, in a few lines. */
export function verdictInBrief(results: InvestigationResults): SectionBlock {
  const { rootCause } = results;
  if (!hasRootCause(rootCause)) return section('*No root cause found*');
  const summary = body(passage(rootCause?.rootCauseSummary, MAX_BRIEF));
  const words = `${headOf(rootCause, confidenceOf(results))}\n${cutEscaped(summary, 2 * MAX_BRIEF)}`;
  return section(inReadersTime(words, momentOf(results)));
}

const MAX_LINE = 300;

/** The same on one line: `🔎 *Root cause* · confidence high: …`. */
export function verdictLine(results: InvestigationResults, simulated: boolean): string {
  const prefix = simulated ? `${SIMULATED}. ` : '';
  const { rootCause } = results;
  if (!hasRootCause(rootCause)) return `${prefix}🤷 No root cause found`;
  const summary = literal(phrase(rootCause?.rootCauseSummary, MAX_LINE));
  const sign = isExplained(rootCause) ? '🔎' : '🤷';
  const words = `${prefix}${sign} ${headOf(rootCause, confidenceOf(results))}: ${summary}`;
  return inReadersTime(words, momentOf(results));
}

/** `confidence high`; safe mrkdwn. */
export function confidenceOf(results: InvestigationResults): string {
  return verdictConfidence(causeGraph(results));
}

// The contract gives a root cause no confidence of its own; the cause in the graph has one.
function verdictConfidence(graph: CauseGraph): string {
  const stated = graph.causes.map((id) => graph.nodes.get(id)?.confidence).find((value) => value);
  return stated === undefined ? 'no confidence given' : literal(stated);
}

const MAX_CAUSE = 1_000;
const MAX_OVERVIEW = 400;
const MAX_NOTIFICATION = 300;
/** Far more than is shown, far less than would take long to process. */
const MAX_READ = 5_000;

/** What a second channel's thread hears of an investigation's end: root cause, confidence, a short overview. */
export function renderVerdict(view: VerdictView): Rendered {
  const prefix = view.simulated ? `${SIMULATED}. ` : '';
  const name = `#${view.number}${view.version > 1 ? `, version ${view.version}` : ''}`;
  const blocks: KnownBlock[] = [...(view.simulated ? [context(SIMULATED)] : [])];
  if (view.results === null) {
    const how = view.failed ? 'failed.' : 'ended without results.';
    const text = `The investigation of ${name} ${how}`;
    return fitMessage({ text: `${prefix}${text}`, blocks: [...blocks, section(text)] });
  }
  const rootCause = forPlace(view.results.rootCause, view);
  const moment = momentOf(view.results);
  const found = hasRootCause(rootCause)
    ? `${isExplained(rootCause) ? 'root cause' : 'root cause unknown'}: ${cutAtWord(oneLine(clean(rootCause.rootCauseSummary ?? '')), MAX_NOTIFICATION)}`
    : 'no root cause found';
  return fitMessage({
    text: `${prefix}${literal(`${name}: ${found}`)}`,
    blocks: [
      ...blocks,
      context(`Results of *${name}*`),
      ...verdictBlocks(rootCause, causeGraph(view.results)).map((block) => blockInReadersTime(block, moment)),
      ...(view.home === null ? [] : [context(everything(view.home))]),
    ],
  });
}

/** The overview tells of the alert as it was reported where the issue lives: if that is private, it is left out. */
function forPlace(rootCause: RootCause | undefined, { home, withheld }: VerdictView): RootCause {
  const shorten = (text: string | undefined, max: number) =>
    cutAtWord(withoutPlaces(clean((text ?? '').slice(0, MAX_READ)), withheld), max);
  return {
    rootCauseSummary: shorten(rootCause?.rootCauseSummary, MAX_CAUSE),
    isUnexplained: rootCause?.isUnexplained,
    ...(home === null ? {} : { incidentOverview: shorten(rootCause?.incidentOverview, MAX_OVERVIEW) }),
  };
}

function everything({ channel, url }: { channel: string; url: string | null }): string {
  const where = channelMention(channel);
  return url === null ? `Full results in ${where}` : `${link(url, 'Full results')} in ${where}`;
}

const PERMALINK = /<?https?:\/\/[^\s<>|]*\/archives\/[A-Z0-9]+(?:\/p?\d*)?[^\s<>|]*(?:\|[^>]*)?>?/giu;
const MENTION = /<#[A-Z0-9]+(?:\|[^>]*)?>/giu;
const CHANNEL_ID = /(?<![A-Za-z0-9])[CG](?=[A-Z]*\d)[A-Z0-9]{8,20}(?![A-Za-z0-9])/gu;
const NAME = /(?<![\p{L}\p{N}#&/])#(?=[\p{L}\p{N}_-]*\p{L})[\p{L}\p{N}_-]{1,80}/gu;
const ELSEWHERE = 'another channel';

/**
 * Untrusted text without what leads to a channel of Slack's: permalinks, mentions, ids, names; and without the phrases
 * that must not be said. `#12` stays, since it names an issue.
 */
export function withoutPlaces(text: string, withheld: readonly string[]): string {
  const placeless = text
    .replace(PERMALINK, ELSEWHERE)
    .replace(MENTION, ELSEWHERE)
    .replace(CHANNEL_ID, ELSEWHERE)
    .replace(NAME, ELSEWHERE);
  return withheld
    .map((phrase) => phrase.trim())
    .filter((phrase) => phrase !== '')
    .reduce((rest, phrase) => without(rest, phrase), placeless);
}

function without(text: string, phrase: string): string {
  const lower = text.toLowerCase();
  const wanted = phrase.toLowerCase();
  // Lower case can be of another length (`İ`): then positions do not agree, and the phrase is looked for as it is.
  if (lower.length !== text.length || wanted.length !== phrase.length) {
    return text.replaceAll(phrase, 'the alert');
  }
  let out = '';
  let from = 0;
  for (let at = lower.indexOf(wanted); at >= 0; at = lower.indexOf(wanted, from)) {
    out += `${text.slice(from, at)}the alert`;
    from = at + wanted.length;
  }
  return out + text.slice(from);
}
