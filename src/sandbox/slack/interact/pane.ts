import { lookElsewhere, openPane } from '../assistant/open.ts';
import type { AssistantOutcome, PageOutcome } from '../page-api.ts';
import type { WorkspaceContext } from '../workspace-context.ts';
import { outcomeOf, refused } from './person.ts';

interface Opening {
  as: string;
  channel?: string | undefined;
}

/** Opens a new thread of the pane for the page. */
export async function openFromPage(
  world: WorkspaceContext,
  { as, channel: seen }: Opening,
): Promise<AssistantOutcome> {
  try {
    const { channel, thread_ts } = openPane(world, { user: as, channel: seen });
    return { ok: true, channel, thread_ts };
  } catch (cause) {
    return refused(cause);
  }
}

interface Glance {
  as: string;
  thread_ts: string;
  channel: string;
}

/** Says for the page what the person looks at now. */
export function glanceFromPage(world: WorkspaceContext, { as: user, ...at }: Glance): Promise<PageOutcome> {
  return outcomeOf(() => lookElsewhere(world, { user, ...at }));
}
