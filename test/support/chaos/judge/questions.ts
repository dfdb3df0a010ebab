import type { Asked } from '../ledger.ts';
import type { SystemState } from '../read-state.ts';
import { threadsErased } from './deletions.ts';
import { type Difference, doubles, type Judge } from './difference.ts';

/** Each question has one answer, whole; none was answered that nobody asked. */
export const judgeQuestions: Judge = (system, ledger) => {
  const { asked, mayBreakOff = false } = ledger;
  const erased = threadsErased(ledger);
  const words = new Set(asked.map((one) => one.words));
  return [
    ...asked
      .filter(({ channel, threadTs }) => !erased.has(`${channel}:${threadTs}`))
      .flatMap((one) => ofQuestion(one, system, mayBreakOff)),
    ...system.questions
      .filter(({ text }) => !words.has(text))
      .map(({ id, text }) => ({ what: `nobody asked ${id} (“${text}”)` })),
    ...doubles(system.questions.map(({ text }) => text)).map((text) => ({
      what: `“${text}” was taken twice`,
    })),
  ];
};

function ofQuestion(
  { words, certainty, at }: Asked,
  { questions, messages, outbox }: SystemState,
  mayBreakOff: boolean,
): Difference[] {
  const name = `the question “${words}” (${certainty})`;
  const question = questions.find(({ text }) => text === words);
  if (question === undefined) {
    return certainty === 'at most once' ? [] : [{ at, what: `${name} was lost` }];
  }
  // One that broke off says so in its note.
  const isBroken = mayBreakOff && question.note !== null;
  const answers = messages.filter(({ key }) => key === `answer:${question.id}#0`);
  const wanted = outbox.filter(({ question_id }) => question_id === question.id);
  return [
    ...(question.state === 'complete' || isBroken
      ? []
      : [{ at, what: `${name} is ${question.state} (${question.note})` }]),
    ...(answers.length === 1 ? [] : [{ at, what: `${name} has ${answers.length} answers in Slack` }]),
    ...(wanted.length === 1 ? [] : [{ at, what: `${name} has ${wanted.length} answers in the outbox` }]),
    ...(question.note === null || isBroken ? [] : [{ at, what: `${name} has a note: ${question.note}` }]),
  ];
}
