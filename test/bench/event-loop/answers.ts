import { renderAnswerParts } from '../../../src/bot/render/asking/answer.ts';
import { settledMarkdown } from '../../../src/bot/render/markdown/growing.ts';
import type { AnswerView } from '../../../src/bot/render/views.ts';
import { fill } from './messages.ts';
import type { Largest } from './stretch.ts';

const LENGTH = 1_000_000;

const WORDS: Readonly<Record<string, string>> = {
  prose: 'The disk of db-1 is full, see #12 and #13. ',
  headings: '# a\n',
  code: '```\ncode\n',
  items: '- item *a* `b`\n',
  links: '[label](https://a.example/x) ',
};

/** Answers of a megabyte, as they grow and whole. */
export function largestAnswers(): Largest[] {
  return Object.entries(WORDS).flatMap(([kind, words]) => {
    const answer = fill(words, LENGTH);
    return [
      {
        name: `answer: an edit while it grows, ${kind}`,
        work: () => renderAnswerParts(view(answer, 'growing')),
      },
      { name: `answer: words of a stream, ${kind}`, work: () => settledMarkdown(answer.slice(0, 32_000)) },
      { name: `answer: all its messages, ${kind}`, work: () => renderAnswerParts(view(answer, 'complete')) },
    ];
  });
}

function view(answer: string, state: AnswerView['state']): AnswerView {
  return {
    questionId: 'q',
    askedBy: null,
    question: null,
    answer,
    artifacts: [],
    state,
    ahead: 0,
    elapsedMs: 5,
    stoppedBy: null,
    note: null,
    listening: true,
    issueLinks: { 12: 'https://a.example/archives/C1/p1' },
    simulated: false,
  };
}
