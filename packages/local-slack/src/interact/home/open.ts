import { openMessagesTab } from '../../agent/people.ts';
import { openIm } from '../../conversations.ts';
import { announceHome } from '../../events/announce.ts';
import type { PageOutcome } from '../../page-api.ts';
import type { HomeRequest } from '../../page-requests.ts';
import type { WorkspaceContext } from '../../workspace-context.ts';
import { outcomeOf, personOf } from '../person.ts';
import { PersonError } from '../person-error.ts';

/** Opens one of the app's tabs; the app gets `app_home_opened` each time. */
export function openHome(
  context: WorkspaceContext,
  { as, tab, channel, message_ts }: HomeRequest,
): Promise<PageOutcome> {
  return outcomeOf(() => {
    const user = personOf(context, as);
    if (tab === 'home' && !context.manifest.home) throw new PersonError('This app has no Home.');
    if (tab === 'messages' && context.manifest.agent) {
      openMessagesTab(context, { user: user.id, channel, message_ts });
      return;
    }
    context.viewing.tabs.delete(user.id);
    announceHome(context, user.id, openIm(context, user.id), tab);
  });
}
