import type { PageEvent, PageHome } from '../../src/page-api.ts';

/** The key of the events that arrive while a person's Home is being fetched. */
export function homeKey(user: string): string {
  return `home/${user}`;
}

/** The Home as fetched, or as published during the fetch. */
export function freshHome(
  user: string,
  loaded: PageHome | null,
  since: readonly PageEvent[],
): PageHome | null {
  const published = since.flatMap((event) => (event.type === 'home' ? event.home : []));
  return published.findLast((home) => home.user === user) ?? loaded;
}
