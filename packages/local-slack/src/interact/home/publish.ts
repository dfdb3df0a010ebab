import { newHex, newId } from '../../ids.ts';
import { normaliseBlocks } from '../../messages/normalise.ts';
import { SlackError } from '../../slack-error.ts';
import type { Home } from '../../validate/home.ts';
import type { WorkspaceContext } from '../../workspace-context.ts';
import { elementsIn } from '../elements.ts';
import { filledIn } from '../modal/state.ts';
import type { HomeView } from './home-view.ts';
import { homeOnPage } from './present.ts';

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
