import { postMessage } from '../messages/post.ts';
import type { PageOutcome } from '../page-api.ts';
import type { WorkspaceContext } from '../workspace-context.ts';
import { outcomeOf, personIn } from './person.ts';

/** What a person writes; `text` as Slack's clients send it, with `<@U…>` for mentions. */
export interface Saying {
  as: string;
  channel: string;
  text: string;
  thread_ts?: string | undefined;
}

export function say(
  world: WorkspaceContext,
  { as, channel: id, text, thread_ts }: Saying,
): Promise<PageOutcome> {
  return outcomeOf(() => {
    const { user, channel } = personIn(world, as, id);
    postMessage(world, { channel, author: { kind: 'person', user }, text, thread_ts });
  });
}
