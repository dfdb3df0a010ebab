import type { Window } from './model.ts';
import type { Explore } from './prometheus/client.ts';

/** A query in Grafana's Explore, over the same time. `null` where it is not known which of its data sources that is. */
export function inExplore(
  explore: Explore | null | undefined,
  query: Readonly<Record<string, string>>,
  { from, to }: Window,
): string | null {
  if (explore?.datasource === undefined) return null;
  const left = {
    datasource: explore.datasource,
    queries: [{ refId: 'A', ...query }],
    range: { from: String(Math.floor(from)), to: String(Math.floor(to)) },
  };
  return `${explore.url.replace(/\/+$/u, '')}/explore?left=${encodeURIComponent(JSON.stringify(left))}`;
}

/** A page below an address that people open. */
export function pageOf(
  base: string | null,
  path: string,
  parameters: Readonly<Record<string, string>> = {},
): string | null {
  if (base === null) return null;
  const query = new URLSearchParams(parameters).toString();
  return `${base}${path}${query === '' ? '' : `?${query}`}`;
}
