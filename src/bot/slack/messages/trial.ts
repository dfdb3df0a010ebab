import { ServiceError } from '../../../contract/client/errors.ts';
import { explainServiceError } from '../../../contract/client/explain-error.ts';
import type { Rendered } from '../../render/rendered.ts';
import { noTrial, trialFailed } from '../../render/trial/notices.ts';
import type { OutboxRow } from '../../store/outbox.ts';
import type { Content } from '../delivery/content.ts';
import type { ContentDeps } from './source.ts';

/** How often the service is asked how far it is. */
const AGAIN_MS = 5_000;
/** Whoever asked has been told nothing for this long. */
const LONGEST_MS = 60 * 60_000;

/** The page of a trial, to whoever asked for it, once the service has it: it goes on where either was restarted. */
export async function trial(
  row: OutboxRow,
  days: number,
  { trial: ask, clock }: ContentDeps,
): Promise<Content> {
  const { channel, threadTs } = row;
  const say = (part: Rendered): Content => ({ kind: 'messages', parts: [part], channel, threadTs });
  const isLate = clock.now() - row.createdAt > LONGEST_MS;
  try {
    const answer = (await ask?.(days)) ?? null;
    if (answer === null) return say(noTrial());
    if (answer.state === 'failed') return say(trialFailed(answer.reason));
    if (answer.state === 'running')
      return isLate ? say(trialFailed('It took more than an hour.')) : { kind: 'later', ms: AGAIN_MS };
    const title = answer.lines[0] ?? `The last ${days} days`;
    const bytes = new TextEncoder().encode(answer.page);
    return { kind: 'file', channel, threadTs, name: `trial-${days}-days.html`, title, bytes };
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    return isLate ? say(trialFailed(explainServiceError(error))) : { kind: 'later', ms: 6 * AGAIN_MS };
  }
}
