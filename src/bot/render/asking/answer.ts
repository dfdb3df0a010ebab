import type { KnownBlock, MarkdownBlock } from '@slack/types';
import { cutAtWord, oneLine } from '../../../lib/text.ts';
import { cutEscaped } from '../cut.ts';
import { clean, literal, userMention } from '../escape.ts';
import { fitMessage } from '../fit.ts';
import { limits } from '../limits.ts';
import { answerMarkdown, withSign } from '../markdown/answer.ts';
import { settled } from '../markdown/growing.ts';
import { splitMarkdown } from '../markdown/split.ts';
import type { MessageBlock } from '../newer-blocks.ts';
import { pack } from '../pack.ts';
import { pictureBlock } from '../pictures/picture.ts';
import { context, type Rendered } from '../rendered.ts';
import type { AnswerView } from '../views.ts';
import { SIMULATED } from '../words.ts';
import { artifactRows } from './answer-artifacts.ts';
import { closingButtons, stopButton } from './answer-buttons.ts';
import { ending, waiting } from './answer-lines.ts';

const MAX_NOTIFICATION = 300;
/** In escaped characters: with it, the first part of the answer still fits into the first message. */
const MAX_QUESTION = 1000;
/** Slack splits a `markdown` block into several; some of the 50 are reserved for what is around it. */
/** An answer in progress only shows its first message, so text far beyond it is not processed at each edit. */
const MOST_WHILE_GROWING = 32_000;
/** Length of the notification. */
const MOST_NOTIFIED = 10 * MAX_NOTIFICATION;
/** With the lines that say which part of the whole a message is. */
const MOST_WITH_CHARTS = limits.blocksPerMessage - 2;
const PART = { cost: limits.markdownChunk, blocks: limits.blocksPerMessage - 8 };

/**
 * The message that holds an answer, edited in place while it grows: the whole
 * answer if it fits, else its beginning, with a line that says that it goes on.
 */
export function renderAnswer(view: AnswerView): Rendered {
  return renderAnswerParts(view)[0];
}

/** The part of an answer that matters while it is in progress. */
export function beginningWhileOpen({ state, answer }: Pick<AnswerView, 'state' | 'answer'>): string {
  return isOpen({ state }) ? answer.slice(0, MOST_WHILE_GROWING) : answer;
}

/**
 * The whole answer as messages: the first is that of `renderAnswer`, the others follow it once the answer
 * has ended, so that nothing of it is lost.
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
  const charts = view.charts ?? [];
  const words = charts.map(({ drawn }) => drawn).filter((drawn) => drawn !== null);
  const pictures = charts.map(({ picture, drawn }) => (picture === null ? drawn : pictureBlock(picture)));
  const render = (shown: readonly MessageBlock[]) => {
    // A chart comes when the answer is there: where its messages end must not depend on it.
    const last = parts.length - 1;
    return parts.map((blocks, index) => message(index === last ? withCharts(blocks, shown) : blocks, index));
  };
  const shown = render(pictures.filter((block) => block !== null));
  if (charts.every(({ picture }) => picture === null)) return atLeastOne(shown);
  const plainer = render(words).at(-1)?.blocks ?? [];
  return atLeastOne(shown.map((one, index) => (index === shown.length - 1 ? { ...one, plainer } : one)));
}

/** Charts go below the words of the last message. */
function withCharts(blocks: readonly MessageBlock[], charts: readonly MessageBlock[]): MessageBlock[] {
  if (blocks.length + charts.length > MOST_WITH_CHARTS) return [...blocks];
  const at = blocks.findLastIndex(({ type }) => type === 'markdown') + 1;
  return [...blocks.slice(0, at), ...charts, ...blocks.slice(at)];
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
