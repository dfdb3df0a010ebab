import type { Window } from '../model.ts';

/** A link to a query over a window, in Prometheus' own UI or Grafana's Explore. */
export function linkTo(
  query: string,
  { base, grafanaUrl, window }: { base: string; grafanaUrl: string | null; window: Window },
): string {
  if (grafanaUrl !== null) {
    const left = {
      queries: [{ refId: 'A', expr: query }],
      range: { from: String(window.from), to: String(window.to) },
    };
    return `${grafanaUrl.replace(/\/+$/u, '')}/explore?left=${encodeURIComponent(JSON.stringify(left))}`;
  }
  const minutes = Math.max(1, Math.round((window.to - window.from) / 60_000));
  const parameters = new URLSearchParams({
    'g0.expr': query,
    'g0.tab': '0',
    'g0.range_input': `${minutes}m`,
    'g0.end_input': new Date(window.to).toISOString().slice(0, 19).replace('T', ' '),
  });
  return `${base}/graph?${parameters.toString()}`;
}
