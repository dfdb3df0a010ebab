import type { Rendered } from '../../render/rendered.ts';
import { classifySlackError } from '../errors.ts';
import type { Slack } from './calls.ts';
import { SPACING_MS } from './pace.ts';

type Entity = Rendered['entity'];

/**
 * Sends a message with its Work Object, or without it if Slack rejects the Work Object. The method is remembered until
 * the next start, and logged once.
 *
 * @param send gets the Work Object, `null` to remove it, or `undefined` to leave it as it is.
 */
export async function withoutEntityIfRefused<T>(
  slack: Slack,
  method: 'chat.postMessage' | 'chat.update',
  { entity }: Pick<Rendered, 'entity'>,
  send: (entity: Entity) => Promise<T>,
): Promise<T> {
  const { refusesEntities: refused = new Set() } = slack;
  // If posts cannot have one, edits cannot add it either.
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
      'Slack rejected a Work Object; cards are sent without one until the next start. `npm run doctor` explains how to turn them on',
    );
    // The rejected call counts towards the rate limit.
    await slack.clock.sleep(SPACING_MS);
    return send(undefined);
  }
}
