import type { Clock } from '../../../lib/clock.ts';
import { stopAnswer } from '../../asking/stop.ts';
import type { Store } from '../../store/open.ts';

/** Slack's own button ended an answer's stream: it was the asker, who is alone with us in a direct message. */
export async function stoppedInSlack(
  questionId: string,
  { store, clock, ring }: { store: Store; clock: Clock; ring: () => void },
): Promise<void> {
  const question = await store.questions.get(questionId);
  if (!question) return;
  await stopAnswer(question.id, question.asker, { store, clock });
  ring();
}
