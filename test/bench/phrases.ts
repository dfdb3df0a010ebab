import { routeOf } from '../../src/service/agent/answer.ts';
import { PHRASES, type Phrase } from '../../src/service/agent/phrases.ts';
import { type Labelled, labelled } from './questions.ts';

/** Whether a question goes where it should; `nothing` accepts that it is not understood. */
export function isRight(
  { question, services, hasState, accept }: Labelled,
  phrases?: readonly Phrase[],
): boolean {
  const { tools, aspects, understood } = routeOf(question, services, hasState, phrases);
  if (!understood) return accept.includes('nothing');
  return tools.some((tool, i) => accept.includes(tool) || accept.includes(`${tool}:${aspects[i]}`));
}

/** What each phrase is worth: the questions that are right with it and wrong without it, less those it spoils. */
export function weighPhrases(questions: readonly Labelled[]): number[] {
  const are = questions.map((one) => isRight(one));
  return PHRASES.map((phrase) => {
    const others = PHRASES.filter((one) => one !== phrase);
    return questions.reduce((sum, one, i) => sum + Number(are[i]) - Number(isRight(one, others)), 0);
  });
}

/** A line for each phrase. */
export function phrasesTable(): string {
  const heldOut = labelled().filter(({ tuned }) => !tuned);
  const known = labelled().filter(({ tuned }) => tuned);
  const [wins, keeps] = [weighPhrases(heldOut), weighPhrases(known)];
  const right = heldOut.filter((one) => isRight(one)).length;
  return [
    `${right} of ${heldOut.length} questions that nobody tuned the phrases on go where they should.`,
    'wins keeps phrase',
    ...PHRASES.map(
      ({ tool, aspect, words }, i) =>
        `${String(wins[i]).padStart(4)} ${String(keeps[i]).padStart(5)} ${tool}${aspect ? `:${aspect}` : ''} ${words}`,
    ),
  ].join('\n');
}
