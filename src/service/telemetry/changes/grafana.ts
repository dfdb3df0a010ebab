import { z } from 'zod';
import type { Clock } from '../../../lib/clock.ts';
import { askJson } from '../ask-json.ts';
import type { Budget } from '../budget.ts';
import { createSourceClient } from '../http.ts';
import { type Answer, type Change, known, type Window } from '../model.ts';
import { partialSource } from '../partial-source.ts';
import type { TelemetrySource } from '../source.ts';

const NAME = 'grafana';

const Annotations = z.array(
  z.looseObject({
    time: z.number(),
    text: z.string().nullish(),
    tags: z.array(z.string()).nullish(),
    alertId: z.number().nullish(),
    dashboardUID: z.string().nullish(),
  }),
);

/** Kinds of change by an annotation's tags. */
const KINDS: readonly (readonly [RegExp, string])[] = [
  [/^(?:deploy(?:ment)?|release|rollout)$/iu, 'deploy'],
  [/^config(?:uration)?$/iu, 'config'],
  [/^(?:feature-?)?flag$/iu, 'flag'],
  [/^scal(?:e|ing)$/iu, 'scale'],
];

/** Annotations by people and pipelines in Grafana. Those by its alerts are not changes, and are left out. */
export function createGrafanaSource(
  settings: { url: string; token: string },
  { clock }: { clock: Clock },
): TelemetrySource & { close(): Promise<void> } {
  const address = { ...settings, title: 'Grafana', variable: 'GRAFANA' };
  const http = createSourceClient(address);

  const read = async (window: Window, budget: Budget): Promise<Answer<Change[]>> => {
    const parameters = [
      ['from', String(Math.floor(window.from))],
      ['to', String(Math.floor(window.to))],
      ['type', 'annotation'],
      ['limit', '200'],
    ] as const;
    const answer = await askJson(
      { http, address },
      { path: '/api/annotations', parameters },
      Annotations,
      budget,
    );
    if (!answer.known) return answer;
    return known(
      answer.value
        .filter(({ alertId, time }) => !alertId && time >= window.from && time < window.to)
        .map((annotation) => changeOf(annotation, http.base))
        .sort((a, b) => a.at - b.at),
    );
  };

  return {
    ...partialSource({
      name: NAME,
      changes: read,
      check: async (budget) => {
        const now = clock.now();
        const answer = await read({ from: now - 24 * 3_600_000, to: now }, budget);
        return answer.known
          ? {
              name: NAME,
              ok: true,
              summary: `Grafana at ${http.base} answers: ${answer.value.length} annotations within a day.`,
              details: [],
            }
          : { name: NAME, ok: false, summary: answer.reason, details: [] };
      },
    }),
    close: http.close,
  };
}

function changeOf(
  { time, text, tags, dashboardUID }: z.infer<typeof Annotations>[number],
  base: string,
): Change {
  const tagged = (name: string) =>
    tags?.find((tag) => tag.startsWith(`${name}:`))?.slice(name.length + 1) ?? null;
  // Grafana stores the text as HTML.
  const said = (text ?? '')
    .replaceAll(/<[^>]*>/gu, ' ')
    .replaceAll(/\s+/gu, ' ')
    .trim();
  return {
    at: time,
    service: tagged('service') ?? tagged('app'),
    kind: KINDS.find(([pattern]) => tags?.some((tag) => pattern.test(tag)))?.[1] ?? 'annotation',
    title: said === '' ? `Annotation: ${(tags ?? []).join(', ')}` : said.slice(0, 200),
    version: tagged('version'),
    ref: null,
    url: dashboardUID ? `${base}/d/${dashboardUID}` : null,
    details: said.length > 200 ? said : null,
  };
}
