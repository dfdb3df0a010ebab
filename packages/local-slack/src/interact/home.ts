import { openMessagesTab } from '../agent/people.ts';
import { openIm } from '../conversations.ts';
import { PersonError, SlackError } from '../errors.ts';
import { announceHome } from '../events/announce.ts';
import { newHex, newId } from '../ids.ts';
import { normaliseBlocks } from '../messages/normalise.ts';
import type { PageOutcome } from '../page-api.ts';
import type { HomeRequest } from '../page-requests.ts';
import type { Home } from '../validate/check.ts';
import type { WorkspaceContext } from '../workspace-context.ts';
import { elementsIn } from './elements.ts';
import { type HomeView, homeOnPage } from './home-view.ts';
import { outcomeOf, personOf } from './payload.ts';
import { filledIn } from './views.ts';

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

/** @param hash of the Home that it is to replace; none replaces whatever is there. */
interface Publication {
  user: string;
  home: Home;
  hash?: string | undefined;
}

/**
 * Puts a Home in front of a person, in place of the one before; what they have put in stays where block and action
 * are the same.
 *
 * @throws SlackError `hash_conflict`, `duplicate_external_id`.
 */
export function publishHome(context: WorkspaceContext, { user, home, hash }: Publication): HomeView {
  const { store, random, clock, page, views } = context;
  const before = store.homes.get(user);
  if (hash && hash !== before?.hash) throw new SlackError('hash_conflict');
  const { external_id } = home;
  const twin = store.homes.all().find((other) => other.home.external_id === external_id);
  if (external_id && ((twin && twin.user !== user) || views.named(external_id))) {
    throw new SlackError('duplicate_external_id');
  }
  const blocks = normaliseBlocks(random, home.blocks, before?.blocks);
  const view: HomeView = {
    id: before?.id ?? newId(random, 'V'),
    user,
    hash: `${Math.floor(clock.now() / 1000)}.${newHex(random, 4)}`,
    home,
    blocks,
    values: filledIn(elementsIn(blocks), before?.values ?? {}, {}),
  };
  store.homes.put(view);
  page.emit({ type: 'home', home: homeOnPage(view) });
  return view;
}
