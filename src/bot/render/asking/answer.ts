import type { ActionsBlock, ContextBlock, KnownBlock, MarkdownBlock, SectionBlock } from '@slack/types';
import type { QueryArtifact } from '../../../contract/answers.ts';
import { cutAtWord, oneLine } from '../../../lib/text.ts';
import { actionIds } from '../action-ids.ts';
import { slackChart } from '../charts/slack-chart.ts';
import { bare, bold, clean, cutEscaped, literal, quoted, userMention } from '../escape.ts';
import { askedAgainLine, providerName } from '../evidence/asked.ts';
import { kindName } from '../evidence/kinds.ts';
import { fitMessage, fits } from '../fit.ts';
import { limits } from '../limits.ts';
import { body } from '../links.ts';
import { settled } from '../markdown/growing.ts';
import { answerMarkdown, splitMarkdown, withSign } from '../markdown/split.ts';
import { pack } from '../pack.ts';
import {
  actions,
  button,
  context,
  type MessageBlock,
  type Rendered,
  section,
  withoutNewerBlocks,
} from '../rendered.ts';
import { phrase } from '../results/phrases.ts';
import type { AnswerView } from '../views.ts';
import { count, SIMULATED } from '../words.ts';
import { feedbackBlock } from './feedback.ts';

const MAX_NOTIFICATION = 300;
/** In escaped characters: with it, the first part of the answer still fits into the first message. */
const MAX_QUESTION = 1000;
/** Slack splits a `markdown` block into several; some of the 50 are reserved for what is around it. */
/** An answer in progress only shows its first message, so text far beyond it is not processed at each edit. */
const MOST_WHILE_GROWING = 32_000;
/** Length of the notification. */
const MOST_NOTIFIED = 10 * MAX_NOTIFICATION;
const RESERVED_COST = 300;
const PART = { cost: limits.markdownChunk, blocks: limits.blocksPerMessage - 8 };

/** The part of an answer that matters while it is in progress. */
export function beginningWhileOpen({ state, answer }: Pick<AnswerView, 'state' | 'answer'>): string {
  return isOpen({ state }) ? answer.slice(0, MOST_WHILE_GROWING) : answer;
}

/**
 * The whole answer as messages. The first is edited in place while the answer grows: the whole of it if it fits, else its
 * beginning, with a line that says that it continues. The others follow once it has ended, so that nothing is lost.
 */
export function renderAnswerParts(view: AnswerView): [Rendered, ...Rendered[]] {
  const opening = [
    ...(view.simulated ? [context(SIMULATED)] : []),
    ...(view.askedBy === null ? [] : [context(askedBy(view.askedBy, view.question))]),
  ];
  const written = beginningWhileOpen(view);
  const arrived = view.state === 'growing' ? settled(written) : written;
  const words = answerMarkdown(arrived, view.issueLinks);
  const parts = words === '' ? [] : splitMarkdown(words, PART);
  if (isOpen(view)) return [growing(view, opening, parts)];
  return ended(view, opening, parts);
}

function growing(view: AnswerView, opening: KnownBlock[], [beginning, ...rest]: string[]): Rendered {
  const isGrowing = view.state === 'growing';
  const words: KnownBlock[] =
    beginning === undefined ? [] : [{ type: 'markdown', text: isGrowing ? withSign(beginning) : beginning }];
  const more = rest.length > 0 ? [context('… still writing; the rest follows when it is complete')] : [];
  // A retried question keeps its previous answer until new text arrives.
  const wait = isGrowing && words.length > 0 ? [] : [waiting(view)];
  const stop = view.stoppedBy === null ? [stopButton(view.questionId)] : [];
  return fitMessage({ text: notification(view), blocks: [...opening, ...words, ...more, ...wait, ...stop] });
}

function ended(view: AnswerView, opening: KnownBlock[], texts: string[]): [Rendered, ...Rendered[]] {
  const hasWords = texts.length > 0;
  const spoken = texts.map((text): MarkdownBlock => ({ type: 'markdown', text }));
  const closing = [...ending(view, hasWords), ...artifactRows(view), ...closingButtons(view, hasWords)];
  const parts: MessageBlock[][] = pack([...opening, ...spoken, ...closing], Number.POSITIVE_INFINITY);
  const message = (blocks: MessageBlock[], index: number) => {
    const of = parts.length;
    const more = index === 0 && of > 1 ? [context(`Continues below (1 of ${of})`)] : [];
    if (index === 0) return fitMessage({ text: notification(view), blocks: [...blocks, ...more] });
    const line = `The answer, continued (${index + 1} of ${of})`;
    return fitMessage({ text: line, blocks: [context(line), ...blocks] });
  };
  const metrics = (view.metrics ?? []).slice(0, limits.chartsPerMessage);
  const lines = metrics.map(askedAgainLine).filter((line) => line !== null);
  const shown = [
    ...metrics.map((metric) => slackChart(metric)).filter((chart) => chart !== null),
    ...(lines.length === 0 ? [] : [context(...lines)]),
  ];
  // A chart comes when the answer is there: where its messages end must not depend on it.
  const last = parts.length - 1;
  const rendered = parts.map((blocks, index) => {
    const whole = message(index === last ? withCharts(blocks, shown) : blocks, index);
    const plainer = withoutNewerBlocks(whole.blocks);
    return plainer === null ? whole : { ...whole, plainer };
  });
  return atLeastOne(rendered);
}

/** Charts go below the words of the last message. */
function withCharts(blocks: readonly MessageBlock[], charts: readonly MessageBlock[]): MessageBlock[] {
  const at = blocks.findLastIndex(({ type }) => type === 'markdown') + 1;
  const shown = [...blocks.slice(0, at), ...charts, ...blocks.slice(at)];
  // With the lines that say which part of the whole a message is.
  return fits(shown, RESERVED_COST, 2) ? shown : [...blocks];
}

function atLeastOne([first = { text: '', blocks: [] }, ...rest]: Rendered[]): [Rendered, ...Rendered[]] {
  return [first, ...rest];
}

function askedBy(userId: string, question: string | null): string {
  const asked = question === null ? '' : cutEscaped(literal(oneLine(clean(question))), MAX_QUESTION);
  return asked === '' ? `Asked by ${userMention(userId)}` : `${userMention(userId)} asked: ${asked}`;
}

function isOpen({ state }: Pick<AnswerView, 'state'>): boolean {
  return state === 'queued' || state === 'growing';
}

function notification(view: AnswerView): string {
  const simulated = view.simulated ? `${SIMULATED}. ` : '';
  const beginning = view.answer.trimStart().slice(0, MOST_NOTIFIED);
  const words = [beginning, isOpen(view) ? '… thinking' : (view.note ?? '')].map((text) =>
    oneLine(clean(text)),
  );
  const instead = view.state === 'stopped' ? 'Stopped' : 'No answer';
  const shown = words.find((text) => text !== '') ?? instead;
  return `${simulated}${literal(cutAtWord(shown, MAX_NOTIFICATION))}`;
}

const BROKE_OFF = 'The answer was cut off';
const MAX_NOTE = 1000;
const MAX_DOING = 200;
const SECOND_MS = 1_000;
/** Shorter waits are not explained. */
const SOON_MS = 1_000;
/** After this long, the elapsed time is shown, updated in steps because edits are limited. */
const FIRST_S = 5;
const STEP_S = 10;

/** Before any of the answer has arrived: what it waits for, what the agent looks at, or how long it has been working. */
function waiting({ state, ahead, elapsedMs, stoppedBy, note }: AnswerView): ContextBlock {
  if (stoppedBy !== null) return context('… stopping');
  if (state === 'queued' && ahead > 0) {
    const before = ahead === 1 ? '1 question in this thread is' : `${ahead} questions in this thread are`;
    return context(`⏳ Queued: ${before} answered first.`);
  }
  if (state === 'queued' && elapsedMs >= SOON_MS)
    return context('⏳ Waiting for a free slot: busy with other threads.');
  const seconds = state === 'queued' ? 0 : Math.floor(elapsedMs / SECOND_MS);
  const doing = note === null ? '… thinking' : quoted(note, MAX_DOING);
  if (seconds < FIRST_S) return context(doing);
  return context(`${doing} (${duration(FIRST_S + Math.floor((seconds - FIRST_S) / STEP_S) * STEP_S)})`);
}

/** How an incomplete answer ended, and other remarks about it. */
function ending(view: AnswerView, hasWords: boolean): KnownBlock[] {
  const note = view.note === null ? '' : literal(cutAtWord(view.note.trim(), MAX_NOTE));
  const small = note === '' ? [] : [context(note)];
  switch (view.state) {
    case 'failed':
      return [section(`⚠️ ${failure(note, hasWords)}`)];
    case 'stopped':
      return [
        context(view.stoppedBy === null ? 'Stopped.' : `Stopped by ${userMention(view.stoppedBy)}.`),
        ...small,
      ];
    default:
      return [...(hasWords ? [] : [section('The agent gave no answer.')]), ...small];
  }
}

function failure(note: string, hasWords: boolean): string {
  if (!hasWords) return note || 'I could not answer this.';
  // A note that says so itself needs no introduction; a later one (a limit was reached) does.
  return note.startsWith(BROKE_OFF) ? note : `${BROKE_OFF} here. ${note}`.trim();
}

function duration(seconds: number): string {
  const minutes = Math.floor(seconds / 60);
  return minutes === 0 ? `${seconds} s` : `${minutes} min ${seconds % 60} s`;
}

const MAX_ROWS = 8;
const MAX_SUMMARY = 200;
const MAX_NAME = 60;
const MAX_READ = 20_000;

/**
 * What the agent found on the way to its answer: behind one button where the words tell it, else a row each, by kind and
 * provider, with a button that shows it; behind the first few, how many more there are.
 */
function artifactRows({
  artifacts,
  questionId,
  answer,
}: Pick<AnswerView, 'artifacts' | 'questionId' | 'answer'>): KnownBlock[] {
  // A button names a place among those that can be shown.
  const ids = artifacts.map(({ id }) => id).filter((id) => id !== undefined && id !== '');
  const once = artifacts.filter(
    ({ id }, index) => !id || artifacts.findIndex((other) => other.id === id) === index,
  );
  const said = bare(answer.slice(0, MAX_READ));
  const [first] = ids;
  const folded = said === '' || first === undefined ? [] : once.filter(({ id }) => id);
  const rows = once
    .filter((found) => !folded.includes(found))
    .flatMap((found) => row(found, ids.indexOf(found.id), questionId))
    .filter(({ text }) => said === '' || !said.includes(bare(text?.text)));
  const more = rows.length - MAX_ROWS;
  const how = rows.some(({ accessory }) => accessory) ? ': *Show* has all of them' : '';
  return [
    ...rows.slice(0, MAX_ROWS),
    ...(more > 0 ? [context(`… and ${count(more, 'more finding', 'more findings')}${how}`)] : []),
    ...(folded.length > 0 ? [actions([evidenceButton(folded.length, questionId)])] : []),
  ];
}

function evidenceButton(number: number, questionId: string) {
  const name = number === 1 ? 'Evidence' : `Evidence · ${number}`;
  return button(name, `${actionIds.artifact}:0`, `0:${questionId}`);
}

function row(found: QueryArtifact, index: number, questionId: string): SectionBlock[] {
  const kind = capital(phrase(kindName(found.data_type) || found.tool_name?.replaceAll('_', ' '), MAX_NAME));
  const names = [bold(kind), literal(providerName(found.provider))].filter((name) => name !== '');
  const summary = body(phrase(found.summary, MAX_SUMMARY));
  const text = [names.join(' · '), summary].filter((part) => part !== '').join(': ');
  if (index < 0) return text === '' ? [] : [section(text)];
  const show = button('Show', `${actionIds.artifact}:${index}`, `${index}:${questionId}`);
  return [{ ...section(text || 'What was found'), accessory: show }];
}

function capital(words: string): string {
  const [first = ''] = words;
  return `${first.toUpperCase()}${words.slice(first.length)}`;
}

/** *Stop*, under an answer that is queued or in progress. A question stopped in the queue is never asked. */
export function stopButton(questionId: string): ActionsBlock {
  return actions([button('Stop', actionIds.stopAnswer, questionId)]);
}

/** Under an answer that has ended: votes, *Try again* if it is incomplete, *Stop listening*. */
function closingButtons(view: AnswerView, hasWords: boolean): KnownBlock[] {
  const { questionId, state, listening } = view;
  const buttons = [
    ...(state === 'complete' ? [] : [button('Try again', actionIds.tryAgain, questionId)]),
    ...(listening ? [button('Stop listening', actionIds.stopListening, questionId)] : []),
  ];
  return [
    ...(hasWords ? [feedbackBlock({ questionId })] : []),
    ...(buttons.length === 0 ? [] : [actions(buttons)]),
  ];
}
