import type { ActionsBlock, ContextBlock, KnownBlock, SectionBlock } from '@slack/types';
import type { InvestigationResults, RemediationStep, TimelineEntry } from '../../../contract/answers.ts';
import { cutAtWord, oneLine } from '../../../lib/text.ts';
import { actionIds } from '../action-ids.ts';
import { feedbackBlock } from '../asking/feedback.ts';
import { date } from '../dates.ts';
import { bare, bold, clean, literal } from '../escape.ts';
import { fitMessage } from '../fit.ts';
import { type HeadView, symptomLine } from '../issues/incident.ts';
import { noteLines } from '../issues/notes.ts';
import { body, codeBlock } from '../links.ts';
import { pack } from '../pack.ts';
import { pictureBlock } from '../pictures/picture.ts';
import { blockInReadersTime, inUtc, momentOf } from '../readers-time.ts';
import type { MessageBlock } from '../rendered.ts';
import { actions, button, context, type Rendered, section } from '../rendered.ts';
import type { ChecklistView, ResultsView } from '../views.ts';
import { SIMULATED } from '../words.ts';
import { causeGraph, chainBlocks, isGraphShown } from './causal-chain.ts';
import { type About, allDone, checklistBlocks, stepValue } from './checklist.ts';
import { lastTimeLine } from './last-time.ts';
import { phrase } from './phrases.ts';
import { runbookBlocks } from './runbooks.ts';
import {
  evidenceBlocks,
  isCommand,
  remediationBlocks,
  stepText,
  timelineBlocks,
  whatsNew,
  withoutRepeats,
} from './sections.ts';
import { hasRootCause, verdictBlocks } from './verdict.ts';

const MAX_MESSAGES = 3;
/** A long checklist continues in further messages, because a step that is left off could not be ticked. */
const MAX_WITH_CHECKLIST = 8;
const MAX_TITLE = 200;
const MAX_SUMMARY = 300;
const MAX_NAME = 80;
/** For as many `pack` leaves room beside the line about the parts. */
const MAX_CHARTS = 2;

/**
 * The results of an investigation, verdict first: one message, or up to three
 * if it does not fit, and more for a long checklist. The first can stand alone.
 */
export function renderResults(view: ResultsView): Rendered[] {
  const { checklist, picture, charts = [] } = view;
  const drawn = charts.map((chart) => ({ ...chart, picture: null }));
  const inWords = { ...view, picture: null, charts: drawn };
  const most = checklist === undefined ? MAX_MESSAGES : MAX_WITH_CHECKLIST;
  // Where a message ends must depend neither on ticks nor on a picture that comes later.
  const blocks = blocksOf(inWords);
  const longest = checklist ? blocksOf({ ...inWords, checklist: allDone(checklist) }, true) : blocks;
  const render = (shown: ResultsView, its: KnownBlock[]) => {
    const parts = pack(its, most, longest);
    return parts.map((part, index) => message(view, withCharts(part, shown.charts), index + 1, parts.length));
  };
  const words = render(inWords, blocks);
  if (!picture && charts.every((chart) => chart.picture === null)) return words;
  const isPicture = ({ type }: MessageBlock) => type === 'image';
  return render(view, view.picture ? blocksOf(view) : blocks).map((part, index) =>
    part.blocks.some(isPicture) ? { ...part, plainer: words[index]?.blocks ?? [] } : part,
  );
}

function blocksOf(view: ResultsView, longest = false): KnownBlock[] {
  const moment = momentOf(view.results);
  return partsOf(view, longest).map((block) => blockInReadersTime(block, moment));
}

/** @param longest each block as long as a tick can make it */
function partsOf(view: ResultsView, longest: boolean): KnownBlock[] {
  const graph = causeGraph(view.results);
  const { rootCause, timeline, remediation } = view.results;
  const chain = isGraphShown(graph, view.results) ? chainBlocks(graph) : [];
  const first = doFirstBlocks(view.results, view.checklist, view);
  return [
    ...(view.simulated ? [context(SIMULATED)] : []),
    context(subject(view)),
    ...(view.last ? [section(`*${lastTimeLine(view.last)}*`)] : []),
    ...verdictBlocks(rootCause, graph, longest ? longestFirst(first.blocks) : first.blocks),
    ...predictionBlocks(view, longest),
    ...customerBlocks(view.customers),
    ...openAboutBlocks(view.openAbout),
    ...(remediation && view.checklist
      ? checklistBlocks(remediation, view.checklist, view, longest ? null : first.shown)
      : remediationBlocks(remediation)),
    ...runbookBlocks(view.runbooks ?? []),
    ...(view.picture && chain.length > 0 ? [pictureBlock(view.picture)] : chain),
    ...evidenceBlocks(rootCause),
    ...timelineBlocks(timeline ?? []),
    ...(view.before ? whatsNew(view.before, view.results) : []),
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
    did_not: ` *It did not*${when}: I was wrong, and look again without that cause.`,
  };
  const end = outcome === 'came_true' || outcome === 'did_not' ? became[outcome] : '';
  return [context(`🔭 ${literal(phrase(sentence, MAX_SUMMARY))}${end}`)];
}

/** `Open issues: orders (#1)`. */
function openAboutBlocks(issues: ResultsView['openAbout'] = []): KnownBlock[] {
  if (issues.length === 0) return [];
  const named = issues.map(
    ({ name, number }) => `${literal(cutAtWord(oneLine(clean(name)), MAX_NAME))} (#${number})`,
  );
  return [context(`Open issues: ${named.join(', ')}`)];
}

/** Charts go above the buttons; they do not affect where messages end. */
function withCharts(blocks: KnownBlock[], charts: ResultsView['charts'] = []): MessageBlock[] {
  const at = blocks.findIndex(isResultsButtons);
  if (at < 0) return blocks;
  const shown = charts.slice(0, MAX_CHARTS).flatMap(({ picture, drawn }): MessageBlock[] => {
    if (picture !== null) return [pictureBlock(picture)];
    return drawn === null ? [] : [drawn];
  });
  return [...blocks.slice(0, at), ...shown, ...blocks.slice(at)];
}

function message(view: ResultsView, blocks: MessageBlock[], part: number, parts: number): Rendered {
  const simulated = view.simulated ? `${SIMULATED}. ` : '';
  if (part === 1) {
    const more = parts > 1 ? [context(`Continues below (1 of ${parts})`)] : [];
    return fitMessage({ text: `${simulated}${headline(view)}`, blocks: [...blocks, ...more] });
  }
  const line = `${simulated}Results of #${view.number}, continued (${part} of ${parts})`;
  return fitMessage({ text: line, blocks: [context(line), ...blocks] });
}

function subject(view: ResultsView): string {
  const version = view.version > 1 ? ` · version ${view.version}` : '';
  return `Results of ${bold(`#${view.number} ${shortTitle(view)}`)}${version}`;
}

function headline(view: ResultsView): string {
  const { rootCause } = view.results;
  const verdict = hasRootCause(rootCause)
    ? `root cause: ${cutAtWord(oneLine(clean(rootCause?.rootCauseSummary ?? '')), MAX_SUMMARY)}`
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

/** Whether messages show less than all of `textsToShow`. */
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

const MAX_FIRST = 300;
/** Escaped: longer commands are read in the checklist, where they are whole. */
const MAX_PREPARED = 600;

interface DoFirst {
  blocks: SectionBlock[];
  /** The step whose command or link they show. */
  shown: RemediationStep | null;
}

/**
 * The first step that nobody has done, a required one if there is any, with the button that marks it done, and below it the command or the link by which
 * its action is done: what to do is read and copied without scrolling. Every checklist has this line, so that where a
 * message ends does not depend on ticks.
 */
function doFirstBlocks(
  { remediation, timeline }: Pick<InvestigationResults, 'remediation' | 'timeline'>,
  checklist: ChecklistView | undefined,
  about: About,
): DoFirst {
  if (checklist === undefined) return { blocks: [], shown: null };
  const lines = (remediation?.actions ?? []).flatMap((action, index) =>
    (action.steps ?? []).flatMap((step, position) => {
      const view = checklist.steps[index]?.[position];
      return view === undefined || stepText(step) === '' ? [] : [{ action, step, view }];
    }),
  );
  if (lines.length === 0) return { blocks: [], shown: null };
  const left = lines.filter(({ view }) => view.done === null);
  const next = left.find(({ step }) => step.required) ?? left[0];
  if (next === undefined) return { blocks: [section('✅ *All steps are done*')], shown: null };
  const isFirst = left.length === lines.length;
  const [action = '', step = ''] = [withVersion(next.action.title, timeline), stepName(next.step)].map(
    (text) => phrase(text, MAX_FIRST),
  );
  // “Roll back payments: Roll back” says it twice.
  const isRepeated = step === '' || bare(action).includes(bare(step));
  const what = action === '' ? step : isRepeated ? action : `${action}: ${step}`;
  const ofAction = left.filter((line) => line.action === next.action && line !== next);
  const ready = [next, ...ofAction]
    .map((line) => ({ line, text: prepared(line.step) }))
    .find(({ text }) => text !== '');
  const then = ready === undefined ? '' : `${ready.line === next ? '' : '\nThen:'}\n${ready.text}`;
  const accessory = button('Done', actionIds.tick, stepValue(next.view, about));
  const words = `*Do ${isFirst ? 'first' : 'next'}:* ${literal(cutAtWord(what, MAX_FIRST))}${then}`;
  return { blocks: [{ ...section(words), accessory }], shown: ready?.line.step ?? null };
}

/** The line at its longest. */
function longestFirst(blocks: readonly SectionBlock[]): SectionBlock[] {
  return blocks.map((block) => ({ ...block, ...section('x'.repeat(3 * MAX_FIRST + MAX_PREPARED)) }));
}

/** What a step has to copy or to open; empty if nothing, or if it is too long for one line. */
function prepared({ type, content = '' }: RemediationStep): string {
  if (content.length > MAX_PREPARED) return '';
  const text = clean(content).trim();
  const ready = isCommand(type) ? codeBlock(text) : /https?:\/\//u.test(text) ? body(oneLine(text)) : '';
  return ready.length > MAX_PREPARED ? '' : ready;
}

/** `Roll back payments to 1.183.47`, where the timeline says which version ran before: `payments 1.184.0 (was 1.183.47)`. */
function withVersion(title: string | undefined, timeline: readonly TimelineEntry[] = []): string | undefined {
  const service = /^roll back (?<service>\S+)$/iu.exec(title?.trim() ?? '')?.groups?.service;
  if (service === undefined) return title;
  const changes = timeline.flatMap(({ title: change = '' }) =>
    change.includes(`${service} `) ? [change] : [],
  );
  const before = changes.map((change) => /\(was (?<version>[^()\s]+)\)/u.exec(change)?.groups?.version);
  const [version, ...others] = new Set(before.filter((one) => one !== undefined));
  return version === undefined || others.length > 0 ? title : `${title} to ${version}`;
}

function stepName({ title, label, content }: RemediationStep): string {
  return [title, label, content].find((text) => phrase(text, MAX_FIRST) !== '') ?? '';
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
