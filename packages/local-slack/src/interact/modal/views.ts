import type { Clock } from '../../clock.ts';
import { newHex, newId, type Random } from '../../ids.ts';
import { LIMITS } from '../../limits.ts';
import { normaliseBlocks } from '../../messages/normalise.ts';
import type { PageBus } from '../../page-bus.ts';
import { SlackError } from '../../slack-error.ts';
import type { Modal } from '../../validate/view.ts';
import { elementsIn } from '../elements.ts';
import { type OpenView, onPage } from './open-view.ts';
import { filledIn, type ViewValues } from './state.ts';

/** The open modals. Like the screens they are on, they do not outlive a restart. */
export interface Views {
  /** @throws SlackError `duplicate_external_id`. */
  open(user: string, modal: Modal): OpenView;
  /**
   * Lays a modal on top of one that is open.
   *
   * @throws SlackError `push_limit_reached`, `duplicate_external_id`.
   */
  push(below: OpenView, modal: Modal): OpenView;
  /**
   * Puts another modal in the place of an open one; what was put in stays where block and action are the same.
   *
   * @throws SlackError `duplicate_external_id`.
   */
  update(view: OpenView, modal: Modal): OpenView;
  /** Notes what the person has put in. */
  fill(view: OpenView, values: ViewValues): OpenView;
  get(id: string): OpenView | undefined;
  named(external_id: string): OpenView | undefined;
  /** A person's open modals, the one on top last. */
  of(user: string): OpenView[];
  /** The modals that lie on each other together with this one, the one on top last. */
  stackOf(view: OpenView): OpenView[];
  close(id: string): void;
}

interface ViewDeps {
  clock: Clock;
  random: Random;
  page: PageBus;
}

export function createViews({ clock, random, page }: ViewDeps): Views {
  const views = new Map<string, OpenView>();
  const named = (external_id: string) =>
    [...views.values()].find(({ modal }) => modal.external_id === external_id);

  type Place = Pick<OpenView, 'id' | 'user' | 'root' | 'previous'>;
  const show = ({ id, user, root, previous }: Place, modal: Modal, before: ViewValues): OpenView => {
    const twin = modal.external_id ? named(modal.external_id) : undefined;
    if (twin && twin.id !== id) throw new SlackError('duplicate_external_id');
    const blocks = normaliseBlocks(random, modal.blocks, views.get(id)?.blocks);
    const hash = `${Math.floor(clock.now() / 1000)}.${newHex(random, 4)}`;
    const values = filledIn(elementsIn(blocks), before, {});
    const view: OpenView = { id, user, hash, modal, blocks, values, root, previous };
    views.set(id, view);
    page.emit({ type: 'view', view: onPage(view) });
    return view;
  };
  const stackOf = ({ root }: OpenView) => [...views.values()].filter((view) => view.root === root);

  return {
    open: (user, modal) => {
      const id = newId(random, 'V');
      return show({ id, user, root: id, previous: null }, modal, {});
    },
    push: (below, modal) => {
      if (stackOf(below).length >= LIMITS.viewStack) throw new SlackError('push_limit_reached');
      const { user, root, id: previous } = below;
      return show({ id: newId(random, 'V'), user, root, previous }, modal, {});
    },
    update: (view, modal) => show(view, modal, view.values),
    fill: (view, values) => {
      const filled = { ...view, values };
      views.set(view.id, filled);
      return filled;
    },
    get: (id) => views.get(id),
    named,
    of: (user) => [...views.values()].filter((view) => view.user === user),
    stackOf,
    close: (id) => {
      const view = views.get(id);
      if (!view) return;
      views.delete(id);
      page.emit({ type: 'view_closed', user: view.user, id });
    },
  };
}
