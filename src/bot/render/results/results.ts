import type { ActionsBlock, ContextBlock, KnownBlock, MrkdwnElement, SectionBlock } from '@slack/types';
import type { Artifact, InvestigationResults } from '../../../contract/answers.ts';
import { cutAtWord, oneLine } from '../../../lib/text.ts';
import { actionIds } from '../action-ids.ts';
import { feedbackBlock } from '../asking/feedback.ts';
import { changesIn } from '../charts/changes.ts';
import { slackChart } from '../charts/slack-chart.ts';
import { date } from '../dates.ts';
import { bold, clean, literal, quoted } from '../escape.ts';
import { askedAgainLine, withNumbersLinked } from '../evidence/asked.ts';
import { fitMessage, fits } from '../fit.ts';
import { type HeadView, symptomLine } from '../issues/incident.ts';
import { noteLines } from '../issues/notes.ts';
import { limits } from '../limits.ts';
import { pack } from '../pack.ts';
import { blockInReadersTime, inUtc, momentOf } from '../readers-time.ts';
import {
  actions,
  button,
  context,
  folded,
  type MessageBlock,
  type Rendered,
  section,
  withoutNewerBlocks,
} from '../rendered.ts';
import type { ChecklistView, ResultsView } from '../views.ts';
import { SIMULATED } from '../words.ts';
import { CHAIN, causeGraph, chainBlocks, isGraphShown } from './causal-chain.ts';
import { allDone, checklistBlocks, untouched } from './checklist.ts';
import { doFirstBlocks, longestFirst } from './do-first.ts';
import { lastTimeLine } from './last-time.ts';
import { phrase } from './phrases.ts';
import { runbookBlocks } from './runbooks.ts';
import { evidenceBlocks, timelineBlocks, whatsNew, withoutRepeats } from './sections.ts';
import { hasRootCause, isExplained, verdictBlocks } from './verdict.ts';

/** A long checklist continues in further messages, because a step that is left off could not be ticked. */
const MAX_MESSAGES = 8;
const MAX_TITLE = 200;
const MAX_SUMMARY = 300;
const MAX_NAME = 80;
/** Of the lines that say which part of the whole a message is. */
const RESERVED_COST = 300;

/**
 * The results of an investigation: what a phone's first screen holds is the verdict, what to do first and who is hit, and
 * all else is folded. One message, or as many as it takes up to eight. The first is complete by itself.
 */
export function renderResults(view: ResultsView): Rendered[] {
  const checklist = view.checklist ?? untouched(view.results);
  // Where a message ends must depend neither on ticks nor on metrics that come later.
  const longest = blocksOf({ ...view, checklist: allDone(checklist) }, true);
  const parts = pack(blocksOf({ ...view, checklist }), MAX_MESSAGES, longest);
  return parts.map((part, index) => message(view, withMetrics(part, view), index + 1, parts.length));
}

type Listed = ResultsView & { checklist: ChecklistView };

function blocksOf(view: Listed, longest = false): KnownBlock[] {
  const moment = momentOf(view.results);
  return partsOf(view, longest).map((block) => blockInReadersTime(block, moment));
}

/** @param longest each block as long as a tick can make it */
function partsOf(view: Listed, longest: boolean): KnownBlock[] {
  const graph = causeGraph(view.results);
  const { rootCause, timeline, remediation } = view.results;
  const chain = isGraphShown(graph, view.results) ? chainBlocks(graph) : [];
  const first = doFirstBlocks(view.results, view.checklist, view);
  return [
    ...(view.simulated ? [context(SIMULATED)] : []),
    context(subject(view)),
    ...(view.last ? [section(`*${lastTimeLine(view.last)}*`)] : []),
    ...verdictBlocks(rootCause, graph, [
      ...customerBlocks(view.customers),
      ...(longest ? longestFirst(first) : first),
    ]),
    ...predictionBlocks(view, longest),
    ...openAboutBlocks(view.openAbout),
    ...(remediation ? checklistBlocks(remediation, view.checklist, view) : []),
    ...runbookBlocks(view.runbooks ?? []),
    ...folded(CHAIN, chain),
    ...evidenceBlocks(rootCause),
    ...timelineBlocks(timeline ?? []),
    ...(view.before ? whatsNew(view.before, view.results, view.before.isSame) : []),
    ...resultsButtons(view),
    ...(view.notes && view.notes.length > 0 ? [context(...noteLines(view.notes))] : []),
    ...(view.issueId === '' ? [] : [feedbackBlock(view)]),
  ];
}

/** What would show that the verdict is wrong; then whether it did. */
function predictionBlocks({ prediction }: ResultsView, longest: boolean): KnownBlock[] {
  if (!prediction) return [];
  const { sentence, outcome, at } = longest ? { ...prediction, outcome: 'did_not', at: 0 } : prediction;
  const when = at === null ? '' : ` ${date(at)}`;
  const became = {
    came_true: ` *Came true*${when}.`,
    did_not: ` *It did not*${when}: I was wrong, and am looking again without that cause.`,
  };
  const end = outcome === 'came_true' || outcome === 'did_not' ? became[outcome] : '';
  return [context(`🔭 ${literal(phrase(sentence, MAX_SUMMARY))}${end}`)];
}

/** `Open issues: orders (#1)`. */
function openAboutBlocks(issues: ResultsView['openAbout'] = []): KnownBlock[] {
  if (issues.length === 0) return [];
  const named = issues.map(({ name, number }) => `${quoted(name, MAX_NAME)} (#${number})`);
  return [context(`Open issues: ${named.join(', ')}`)];
}

/**
 * The numbers of the verdict link to their queries, and charts are above the buttons: as far as there is
 * room, since they do not affect where messages end.
 */
function withMetrics(blocks: KnownBlock[], { metrics = [], results }: ResultsView): MessageBlock[] {
  const linked = blocks.map((block) => (isVerdict(block) ? linkedVerdict(block, metrics, results) : block));
  const at = linked.findIndex(isResultsButtons);
  const drawn = metrics.slice(0, limits.chartsPerMessage);
  const lines = drawn.map(askedAgainLine).filter((line) => line !== null);
  const added: MessageBlock[] = [
    ...drawn.map((metric) => slackChart(metric, changesIn(results))).filter((chart) => chart !== null),
    ...(lines.length === 0 ? [] : [context(...lines)]),
  ];
  const shown: MessageBlock[] = at < 0 ? linked : [...linked.slice(0, at), ...added, ...linked.slice(at)];
  return [shown, linked].find((some) => fits(some, RESERVED_COST, 2)) ?? blocks;
}

function isVerdict(block: KnownBlock): block is SectionBlock & { text: MrkdwnElement } {
  return (
    block.type === 'section' && block.text?.type === 'mrkdwn' && block.text.text.startsWith('*Root cause')
  );
}

function linkedVerdict(
  block: SectionBlock & { text: MrkdwnElement },
  metrics: readonly Artifact[],
  results: InvestigationResults,
): SectionBlock {
  const text = withNumbersLinked(block.text.text, metrics, results);
  return text.length > limits.sectionText ? block : { ...block, text: { ...block.text, text } };
}

function message(view: ResultsView, blocks: MessageBlock[], part: number, parts: number): Rendered {
  const simulated = view.simulated ? `${SIMULATED}. ` : '';
  if (part === 1) {
    const more = parts > 1 ? [context(`Continues below (1 of ${parts})`)] : [];
    return orPlainer({ text: `${simulated}${headline(view)}`, blocks: [...blocks, ...more] });
  }
  const line = `${simulated}Results of #${view.number}, continued (${part} of ${parts})`;
  return orPlainer({ text: line, blocks: [context(line), ...blocks] });
}

function orPlainer(rendered: Rendered): Rendered {
  const plainer = withoutNewerBlocks(rendered.blocks);
  const fitted = fitMessage(rendered);
  return plainer === null ? fitted : { ...fitted, plainer: fitMessage({ text: '', blocks: plainer }).blocks };
}

function subject(view: ResultsView): string {
  const version = view.version > 1 ? ` · version ${view.version}` : '';
  return `Results of ${bold(`#${view.number} ${shortTitle(view)}`)}${version}`;
}

function headline(view: ResultsView): string {
  const { rootCause } = view.results;
  const verdict = hasRootCause(rootCause)
    ? `${isExplained(rootCause) ? 'root cause' : 'root cause unknown'}: ${cutAtWord(oneLine(clean(rootCause?.rootCauseSummary ?? '')), MAX_SUMMARY)}`
    : 'no root cause found';
  return literal(`#${view.number} ${shortTitle(view)}: ${verdict}`);
}

function shortTitle(view: ResultsView): string {
  return cutAtWord(oneLine(clean(view.title)), MAX_TITLE);
}

/**
 * The results of a symptom: who leads the incident has them, and who wants to read these too opens them.
 *
 * @param parts so many messages as were posted while it stood for itself
 */
export function renderSymptom(view: ResultsView, head: HeadView, parts = 1): Rendered[] {
  const simulated = view.simulated ? `${SIMULATED}. ` : '';
  const line = symptomLine(head);
  const first = fitMessage({
    text: `${simulated}${literal(`#${view.number} ${shortTitle(view)}`)}: a symptom of #${head.number ?? '…'}`,
    blocks: [
      ...(view.simulated ? [context(SIMULATED)] : []),
      section(`*${line}*`),
      ...resultsButtons(view, 'Show its own result'),
    ],
  });
  const rest = fitMessage({ text: line, blocks: [context(line)] });
  return [first, ...Array.from({ length: Math.max(0, parts - 1) }, () => rest)];
}

/** Buttons below the results, for what the message leaves out. Their value is `<version>:<issue id>`. */
export function resultsButtons(
  { issueId, version, evidence }: Pick<ResultsView, 'issueId' | 'version' | 'evidence'>,
  everything = 'Everything',
): ActionsBlock[] {
  if (issueId === '') return [];
  const value = `${version}:${issueId}`;
  return [
    actions([
      button(everything, actionIds.everything, value),
      ...(evidence === true ? [button('Evidence', actionIds.evidence, value)] : []),
    ]),
  ];
}

/** Whether a block is that row. */
function isResultsButtons(block: KnownBlock): boolean {
  return block.type === 'actions' && block.elements.some(({ action_id: id }) => id === actionIds.everything);
}

/** The texts that the messages of results set out to show; what they leave to *Everything* is not among them. */
function textsToShow(results: InvestigationResults): string[] {
  const { rootCause, timeline = [], remediation } = results;
  const evidence = withoutRepeats(rootCause, [
    ...(rootCause?.relevantEvidence ?? []),
    ...(rootCause?.irrelevantEvidence ?? []),
  ]);
  const texts = [
    rootCause?.rootCauseSummary,
    rootCause?.incidentOverview,
    ...evidence.flatMap(({ title, description }) => [title, description]),
    ...nodeTitles(results),
    ...timeline.map(({ title, description }) => title || description),
    ...(remediation?.actions ?? []).flatMap(({ title, description, steps = [] }) => [
      title,
      description,
      ...steps.flatMap((step) => [step.title || step.label, step.content]),
    ]),
  ];
  return texts.filter((text) => text !== undefined).filter((text) => clean(text).trim() !== '');
}

function nodeTitles(results: InvestigationResults): (string | undefined)[] {
  if (!isGraphShown(causeGraph(results), results)) return [];
  const { causalTreeV2, causalTree } = results;
  const nodes = causalTreeV2?.nodes?.length ? causalTreeV2.nodes : (causalTree?.nodes ?? []);
  return nodes.map(({ title, description }) => title || description);
}

export function isShortened(messages: readonly { blocks: object }[], results: InvestigationResults): boolean {
  const escaped = inUtc(messages.map(({ blocks }) => allTexts(blocks).join('\n')).join('\n'));
  const shown = essence(escaped.replace(/&(?:amp|lt|gt);/gu, ''));
  return textsToShow(results).some((text) => isOfSigns(text) || !shown.includes(essence(text)));
}

const MANY_SIGNS = 200;

// Of what is all signs the essence says nothing; if there are many, some may have been cut.
function isOfSigns(text: string): boolean {
  const signs = text.match(/[^\p{L}\p{N}\s]/gu)?.length ?? 0;
  return signs > MANY_SIGNS && signs > essence(text).length;
}

// Letters and digits alone: escapes and look-alikes (two of which count as letters) differ in nothing else.
function essence(text: string): string {
  return clean(text).replace(/[^\p{L}\p{N}]+|[\u02cb\u02cd]/gu, '');
}

function allTexts(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(allTexts);
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) =>
    key === 'text' && typeof inner === 'string' ? [inner] : allTexts(inner),
  );
}

const MOST_CUSTOMERS = 5;
const MAX_CUSTOMER = 80;

/** Which customers are hit most: for the alert's own thread, since nobody else is to read their names. */
export function customerBlocks(customers: InvestigationResults['customers'] = []): ContextBlock[] {
  const named = customers.slice(0, MOST_CUSTOMERS).flatMap(({ name, failed, requests }) => {
    const shown = literal(phrase(name, MAX_CUSTOMER));
    if (shown === '' || failed === undefined) return [];
    const of = requests === undefined ? '' : ` of ${requests.toLocaleString('en-US')}`;
    return [`*${shown}* ${failed.toLocaleString('en-US')}${of}`];
  });
  return named.length === 0 ? [] : [context(`Failed requests by customer: ${named.join(' · ')}`)];
}
