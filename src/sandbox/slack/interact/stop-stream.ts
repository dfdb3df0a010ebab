import type { PageOutcome } from '../page-api.ts';
import { stopForPerson } from '../streams/stream.ts';
import type { WorkspaceContext } from '../workspace-context.ts';
import { outcomeOf, personIn } from './person.ts';
import { PersonError } from './person-error.ts';

/** A message that a person lets grow no further. */
export interface StopInput {
  as: string;
  channel: string;
  ts: string;
}

/** Slack's own way to stop a stream; the app learns of it by its next call. */
export function stopAsPerson(
  world: WorkspaceContext,
  { as, channel: id, ts }: StopInput,
): Promise<PageOutcome> {
  return outcomeOf(() => {
    const { user, channel } = personIn(world, as, id);
    const recipient = world.store.streams.get(channel.id, ts)?.recipient ?? user.id;
    if (recipient !== user.id) throw new PersonError('Only the person whom it answers can stop it.');
    if (!stopForPerson(world, channel, ts)) throw new PersonError('That message does not grow any more.');
  });
}
