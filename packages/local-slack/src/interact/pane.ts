import { lookElsewhere, openPane } from '../assistant/open.ts';
import type { AssistantOutcome, PageOutcome } from '../page-api.ts';
import type { ContextRequest, PaneRequest } from '../page-requests.ts';
import type { WorkspaceContext } from '../workspace-context.ts';
import { outcomeOf, refused } from './payload.ts';

/** Opens a new thread of the pane for the page. */
export async function openFromPage(
  context: WorkspaceContext,
  { as, channel: seen }: PaneRequest,
): Promise<AssistantOutcome> {
  try {
    const { channel, thread_ts } = openPane(context, { user: as, channel: seen });
    return { ok: true, channel, thread_ts };
  } catch (cause) {
    return refused(cause);
  }
}

/** Says for the page what the person looks at now. */
export function changeContextFromPage(
  context: WorkspaceContext,
  { as: user, ...at }: ContextRequest,
): Promise<PageOutcome> {
  return outcomeOf(() => lookElsewhere(context, { user, ...at }));
}
