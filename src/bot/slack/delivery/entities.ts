import type { Rendered } from '../../render/rendered.ts';
import { classifySlackError } from '../errors.ts';
import type { Slack } from './calls.ts';
import { SPACING_MS } from './pace.ts';

type Entity = Rendered['entity'];

/**
 * Sends a message with its Work Object, and where Slack refuses that, without. Which of the two methods refuses is
 * remembered until the next start, and said once.
 *
 * @param send gets the Work Object, `null` for none any more, or `undefined` where nothing is to be said of it.
 */
export async function withoutEntityIfRefused<T>(
  slack: Slack,
  method: 'chat.postMessage' | 'chat.update',
  { entity }: Pick<Rendered, 'entity'>,
  send: (entity: Entity) => Promise<T>,
): Promise<T> {
  const { refusesEntities: refused = new Set() } = slack;
  // What may not be posted with a message cannot be put on it later either.
  if (entity === undefined || refused.has(method) || refused.has('chat.postMessage')) return send(undefined);
  try {
    return await send(entity);
  } catch (error) {
    const failure = classifySlackError(error);
    if (failure.kind !== 'refused' || !/metadata|entit/u.test(failure.error)) throw error;
    refused.add(method);
    slack.metrics.count('gumshoe_posts_total', { kind: 'without_entity', outcome: failure.error });
    slack.log.warn(
      { err: error, method },
      'Slack rejected a Work Object; cards are sent without until the next start. `npm run doctor` says what to switch on',
    );
    // The refused call has used up its turn.
    await slack.clock.sleep(SPACING_MS);
    return send(undefined);
  }
}
