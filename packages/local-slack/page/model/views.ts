import type { PageEvent, PageView } from '../../src/page-api.ts';

/** The key of the events that arrive while a person's modals are being fetched. */
export function viewsKey(user: string): string {
  return `views/${user}`;
}

/** The open modals after a live event. A new modal is on top, so it comes last. */
export function withViewEvent(views: readonly PageView[], event: PageEvent): readonly PageView[] {
  if (event.type === 'view_closed') return views.filter((view) => view.id !== event.id);
  if (event.type !== 'view') return views;
  const isOpen = views.some((view) => view.id === event.view.id);
  if (!isOpen) return [...views, event.view];
  return views.map((view) => (view.id === event.view.id ? event.view : view));
}

/** Replaces a person's modals with freshly fetched ones, and applies the events that arrived meanwhile. */
export function withLoadedViews(
  views: readonly PageView[],
  user: string,
  loaded: readonly PageView[],
  since: readonly PageEvent[],
): readonly PageView[] {
  const others = views.filter((view) => view.user !== user);
  const ofUser = since.filter((event) => event.type !== 'view' || event.view.user === user);
  return [...others, ...ofUser.reduce(withViewEvent, loaded)];
}
