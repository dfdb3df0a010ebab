import { z } from 'zod';
import type { Clock } from '../../lib/clock.ts';
import type { Owner } from '../../lib/owners.ts';
import type { OnCallSettings } from '../config.ts';
import { ask, detailOf, type Fetch, type Service, TrackerError } from '../tickets/tracker.ts';

/** What somebody is woken with. Texts are plain, masked and bounded. */
export interface Page {
  /** The same for each attempt: by it the tool knows one that it has already. */
  key: string;
  title: string;
  lines: readonly string[];
  /** Our link to the thread. */
  url: string | null;
  severity: string | null;
}

/** The one tool that wakes people here. */
export interface Pager {
  name: string;
  /** Whether it knows whom to wake for an owner. */
  can(owner: Owner): boolean;
  /** @throws TrackerError */
  open(owner: Owner, page: Page, signal?: AbortSignal): Promise<void>;
  /** @throws TrackerError */
  close(owner: Owner, key: string, signal?: AbortSignal): Promise<void>;
}

const PAGERDUTY = 'https://events.pagerduty.com';
const OPSGENIE = 'https://api.opsgenie.com';
const MAX_MESSAGE = 130;
const URGENT: Readonly<Record<string, { event: string; priority: string }>> = {
  high: { event: 'critical', priority: 'P1' },
  low: { event: 'warning', priority: 'P4' },
};
const USUAL = { event: 'error', priority: 'P3' };

/** What a tool is sent, and where. */
type Sent = readonly [url: string, body: object];

interface Tool {
  name: string;
  headers: Readonly<Record<string, string>>;
  can(owner: Owner): boolean;
  opening(owner: Owner, page: Page): Sent;
  ending(owner: Owner, key: string): Sent;
}

/** No token for PagerDuty and Grafana OnCall: the integration's key, or address, is what the request proves itself with. */
const TOOLS: Readonly<Record<OnCallSettings['tool'], (settings: OnCallSettings) => Tool>> = {
  pagerduty: ({ url }) => {
    const events = `${url === null ? PAGERDUTY : url.replace('//api.', '//events.')}/v2/enqueue`;
    return {
      ...{ name: 'PagerDuty', headers: {} },
      can: ({ page }) => page !== null,
      opening: ({ page }, { key, title, lines, url: href, severity }) => [
        events,
        {
          ...{ routing_key: page, event_action: 'trigger', dedup_key: key, client: 'Gumshoe' },
          payload: {
            summary: title,
            source: 'Gumshoe',
            severity: (URGENT[severity ?? ''] ?? USUAL).event,
            custom_details: Object.fromEntries(lines.map((line, index) => [`line ${index + 1}`, line])),
          },
          links: href === null ? [] : [{ href, text: 'The thread in Slack' }],
        },
      ],
      ending: ({ page }, key) => [events, { routing_key: page, event_action: 'resolve', dedup_key: key }],
    };
  },
  opsgenie: ({ url, token }) => {
    const alerts = `${url ?? OPSGENIE}/v2/alerts`;
    return {
      ...{ name: 'Opsgenie', headers: { authorization: `GenieKey ${token}` } },
      can: ({ schedule }) => schedule !== null,
      opening: ({ schedule }, { key, title, lines, url: href, severity }) => [
        alerts,
        {
          message: title.slice(0, MAX_MESSAGE),
          alias: key,
          description: [...lines, ...(href === null ? [] : [href])].join('\n'),
          responders: [{ type: 'schedule', [isId(schedule) ? 'id' : 'name']: schedule }],
          priority: (URGENT[severity ?? ''] ?? USUAL).priority,
          source: 'Gumshoe',
        },
      ],
      ending: (_, key) => [
        `${alerts}/${encodeURIComponent(key)}/close?identifierType=alias`,
        { source: 'Gumshoe' },
      ],
    };
  },
  grafana: () => ({
    ...{ name: 'Grafana OnCall', headers: {} },
    can: ({ page }) => page !== null && URL.parse(page) !== null,
    opening: ({ page }, { key, title, lines, url: href }) => [
      page ?? '',
      {
        ...{ alert_uid: key, title, message: lines.join('\n'), state: 'alerting' },
        ...(href === null ? {} : { link_to_upstream_details: href }),
      },
    ],
    ending: ({ page }, key) => [page ?? '', { alert_uid: key, state: 'ok' }],
  }),
};

/**
 * Pages by the tool of `ONCALL`. PagerDuty and Grafana OnCall take it at an integration of the owner's, which the file of
 * `OWNERS` names (`page:…`); Opsgenie wakes who is on call by the schedule.
 */
export function createPager(settings: OnCallSettings, fetch: Fetch, clock: Pick<Clock, 'now'>): Pager {
  const { name, headers, can, opening, ending } = TOOLS[settings.tool](settings);
  const at: Service = {
    ...{ name, headers, fetch, clock },
    explain: (status, body) => explain(name, status, body),
  };
  const post = async ([url, body]: Sent, signal?: AbortSignal) =>
    void (await ask({ url, method: 'POST', body, signal }, z.unknown(), at));
  return {
    ...{ name, can },
    open: (owner, page, signal) => post(opening(owner, page), signal),
    close: (owner, key, signal) => post(ending(owner, key), signal),
  };
}

/** Whether a schedule of Opsgenie's is named by its id. */
export function isId(schedule: string | null): boolean {
  return /^[0-9a-f]{8}-[0-9a-f-]{27}$/iu.test(schedule ?? '');
}

function explain(name: string, status: number, body: unknown): TrackerError | null {
  if (![400, 401, 403, 404, 422].includes(status)) return null;
  const detail = detailOf(body);
  return new TrackerError(`${name} did not take the page (${status}${detail === '' ? '' : `: ${detail}`})`, {
    fix: 'check what OWNERS names after page: or oncall:, and ONCALL_TOKEN',
  });
}
