import type { PageEvent, PageHome } from '../../page-api.ts';

/** The key under which the events are kept that arrive while a person's Home is fetched. */
export function homeKey(user: string): string {
  return `home/${user}`;
}

/** A freshly fetched Home, or what was published while that was under way. */
export function freshHome(
  user: string,
  loaded: PageHome | null,
  since: readonly PageEvent[],
): PageHome | null {
  const published = since.flatMap((event) => (event.type === 'home' ? event.home : []));
  return published.findLast((home) => home.user === user) ?? loaded;
}
