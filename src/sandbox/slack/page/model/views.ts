import type { PageEvent, PageView } from '../../page-api.ts';

/** The key under which the events are kept that arrive while a person's modals are fetched. */
export function viewsKey(user: string): string {
  return `views/${user}`;
}

/** The open modals after a live event; a modal that was not there yet lies on top, so it comes last. */
export function withViewEvent(views: readonly PageView[], event: PageEvent): readonly PageView[] {
  if (event.type === 'view_closed') return views.filter((view) => view.id !== event.id);
  if (event.type !== 'view') return views;
  const isOpen = views.some((view) => view.id === event.view.id);
  if (!isOpen) return [...views, event.view];
  return views.map((view) => (view.id === event.view.id ? event.view : view));
}

/** Puts a person's freshly fetched modals in place, with the events that arrived while that was under way. */
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
