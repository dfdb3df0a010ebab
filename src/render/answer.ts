import type { ActionsBlock, KnownBlock, MarkdownBlock } from '@slack/types';
import { cutAtWord, oneLine } from '../lib/text.ts';
import { actionIds } from './action-ids.ts';
import { cutEscaped } from './cut.ts';
import { clean, escapeAngles, literal, userMention } from './escape.ts';
import { feedbackBlock } from './feedback.ts';
import { fitMessage } from './fit.ts';
import { limits } from './limits.ts';
import { body } from './links.ts';
import { honestLinks } from './markdown/links.ts';
import { splitMarkdown } from './markdown/split.ts';
import { pack } from './pack.ts';
import { actions, button, context, type Rendered, section } from './rendered.ts';
import { pages } from './results/pages.ts';
import { phrase, tags } from './results/phrases.ts';
import type { AnswerView } from './views.ts';
import { SIMULATED } from './words.ts';

const THINKING = '… thinking';
const GROWING = ' ▍';
const MAX_NOTIFICATION = 300;
const MAX_ARTIFACTS = 1400;
const MAX_SUMMARY = 200;
const MAX_NOTE = 1000;
const MAX_BUTTONS = 4;
const MAX_LABEL = 40;
/** Counted as escaped: with it, the first part of the answer still fits into the first message. */
const MAX_QUESTION = 1000;
/** Slack makes several blocks of one; some of the 50 are for what stands around it. */
const PART = { cost: limits.markdownChunk, blocks: limits.blocksPerMessage - 8 };

/**
 * The message that holds an answer, edited in place while it grows (DESIGN section 4, *Asking*): the whole
 * answer where it fits, else its beginning, with a line that says that it goes on.
 */
export function renderAnswer(view: AnswerView): Rendered {
  return renderAnswerParts(view)[0];
}

/**
 * The whole answer as messages: the first is that of `renderAnswer`, the others follow it once the answer
 * is complete, so that nothing of it is lost.
 */
export function renderAnswerParts(view: AnswerView): [Rendered, ...Rendered[]] {
  const opening = [
    ...(view.simulated ? [context(SIMULATED)] : []),
    ...(view.askedBy === null ? [] : [context(askedBy(view.askedBy, view.question))]),
  ];
  const [first = [], ...rest] = pack(
    [...opening, ...spoken(view), ...closing(view)],
    Number.POSITIVE_INFINITY,
  );
  const text = notification(view);
  if (isOpen(view)) {
    const more = rest.length > 0 ? [context('… the answer goes on; the rest follows when it is whole')] : [];
    return [fitMessage({ text, blocks: [...first, ...more] })];
  }
  const parts = rest.length + 1;
  const more = parts > 1 ? [context(`Continues below (1 of ${parts})`)] : [];
  return [
    fitMessage({ text, blocks: [...first, ...more] }),
    ...rest.map((blocks, index) => {
      const line = `The answer, continued (${index + 2} of ${parts})`;
      return fitMessage({ text: line, blocks: [context(line), ...blocks] });
    }),
  ];
}

function askedBy(userId: string, question: string | null): string {
  const asked = question === null ? '' : cutEscaped(literal(oneLine(clean(question))), MAX_QUESTION);
  return asked === '' ? `Asked by ${userMention(userId)}` : `${userMention(userId)} asked: ${asked}`;
}

function isOpen(view: AnswerView): boolean {
  return view.state === 'queued' || view.state === 'growing';
}

function spoken(view: AnswerView): KnownBlock[] {
  const answer = clean(view.answer).trim();
  if (answer === '') {
    if (isOpen(view)) return [context(THINKING)];
    return view.state === 'complete' ? [section('The agent gave no answer.')] : [];
  }
  const parts = splitMarkdown(escapeAngles(honestLinks(answer)), PART);
  return parts.map((text, index): MarkdownBlock => {
    const isGrowing = isOpen(view) && index === 0;
    return { type: 'markdown', text: isGrowing ? `${text}${GROWING}` : text };
  });
}

function closing(view: AnswerView): KnownBlock[] {
  const artifacts = isOpen(view) ? [] : artifactLines(view);
  const note = view.note === null ? '' : literal(cutAtWord(view.note.trim(), MAX_NOTE));
  return [
    ...failure(view.state, note),
    ...pages(artifacts, MAX_ARTIFACTS, 1).map((page) => section(`*Found on the way*\n${page}`)),
    ...(isOpen(view) ? [] : artifactButtons(view)),
    ...(view.state === 'complete' && clean(view.answer).trim() !== ''
      ? [feedbackBlock({ questionId: view.questionId })]
      : []),
  ];
}

/** The first few, each with a button that shows it; from there the others are reached. */
function artifactButtons({ artifacts, questionId }: AnswerView): ActionsBlock[] {
  const buttons = artifacts
    .filter(({ id }) => id !== undefined && id !== '')
    .slice(0, MAX_BUTTONS)
    .map((found, index) => {
      const said = [found.summary, found.data_type, found.tool_name].map((text) => phrase(text, MAX_LABEL));
      const label = said.find((text) => text !== '') ?? 'What was found';
      return button(label, `${actionIds.artifact}:${index}`, `${index}:${questionId}`);
    });
  return buttons.length === 0 ? [] : [actions(buttons)];
}

function failure(state: AnswerView['state'], note: string): KnownBlock[] {
  if (state === 'failed')
    return [section(`⚠️ ${note || 'The question could not be answered. Please ask again.'}`)];
  return note === '' ? [] : [context(note)];
}

function artifactLines(view: AnswerView): string[] {
  return view.artifacts.flatMap((artifact) => {
    const kind = phrase(artifact.data_type, 60) || phrase(artifact.tool_name, 60);
    const summary = body(phrase(artifact.summary, MAX_SUMMARY));
    const provider = phrase(artifact.provider, 60);
    if (summary !== '') return [`• ${summary}${tags(provider, kind)}`];
    const names = [provider, kind].filter((name) => name !== '').map(literal);
    return names.length === 0 ? [] : [`• ${names.join(' · ')}`];
  });
}

function notification(view: AnswerView): string {
  const simulated = view.simulated ? `${SIMULATED}. ` : '';
  const words = oneLine(clean(view.answer)) || (isOpen(view) ? THINKING : '') || oneLine(view.note ?? '');
  return `${simulated}${literal(cutAtWord(words || 'No answer', MAX_NOTIFICATION))}`;
}
