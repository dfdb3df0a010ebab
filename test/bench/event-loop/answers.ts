import { setImmediate as turn } from 'node:timers/promises';
import { Names } from '../../../src/bot/asking/withholding/names.ts';
import { Withholder } from '../../../src/bot/asking/withholding/withhold.ts';
import { renderAnswerParts } from '../../../src/bot/render/asking/answer.ts';
import { settledMarkdown } from '../../../src/bot/render/markdown/growing.ts';
import type { AnswerView } from '../../../src/bot/render/views.ts';
import { fill } from './messages.ts';
import type { Largest } from './stretch.ts';

const LENGTH = 1_000_000;
const DELTA = 20_000;
const HIDDEN = 10_000;

const WORDS: Readonly<Record<string, string>> = {
  prose: 'The disk of db-1 is full, see #12 and #13. ',
  headings: '# a\n',
  code: '```\ncode\n',
  items: '- item *a* `b`\n',
  links: '[label](https://a.example/x) ',
};

/** Answers of a megabyte, as they grow and whole. */
export function largestAnswers(): Largest[] {
  const names = hiddenNames();
  return Object.entries(WORDS).flatMap(([kind, words]) => {
    const answer = fill(words, LENGTH);
    return [
      { name: `answer: withholding, whole, ${kind}`, work: () => withheld(names, answer, LENGTH) },
      { name: `answer: withholding, growing, ${kind}`, work: () => withheld(names, answer, DELTA) },
      {
        name: `answer: an edit while it grows, ${kind}`,
        work: () => renderAnswerParts(view(answer, 'growing')),
      },
      { name: `answer: words of a stream, ${kind}`, work: () => settledMarkdown(answer.slice(0, 32_000)) },
      { name: `answer: all its messages, ${kind}`, work: () => renderAnswerParts(view(answer, 'complete')) },
    ];
  });
}

function hiddenNames(): Names {
  const names = new Names();
  for (let i = 0; i < HIDDEN; i += 1) {
    const titles = [`High error ratio of service ${i} in production`];
    names.hide({
      id: `id${i}`,
      number: 100_000 + i,
      uuid: null,
      titles,
      rootCause: `pool ${i} is used up by a leak`,
    });
  }
  return names;
}

async function withheld(names: Names, answer: string, step: number): Promise<void> {
  const withholder = new Withholder(names, async () => false);
  for (let length = step; length <= answer.length; length += step) {
    await withholder.grow(answer.slice(0, length));
    await turn();
  }
  await withholder.end(true);
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
