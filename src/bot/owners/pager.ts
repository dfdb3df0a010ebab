import { z } from 'zod';
import type { Clock } from '../../lib/clock.ts';
import type { OnCallSettings } from '../config.ts';
import { ask, detailOf, type Fetch, type Service, TrackerError } from '../tickets/tracker.ts';
import type { Owner } from './file.ts';

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

/**
 * Pages by the tool of `ONCALL`. PagerDuty and Grafana OnCall take it at an integration of the owner's, which the file of
 * `OWNERS` names (`page:…`); Opsgenie wakes who is on call by the schedule.
 */
export function createPager(
  { tool, url, token }: OnCallSettings,
  fetch: Fetch,
  clock: Pick<Clock, 'now'>,
): Pager {
  const service = (name: string, headers: Record<string, string>): Service => ({
    name,
    headers,
    fetch,
    clock,
    explain: (status, body) => explain(name, status, body),
  });
  const post = (to: string, body: object, at: Service, signal?: AbortSignal) =>
    ask({ url: to, method: 'POST', body, signal }, z.unknown(), at).then(() => undefined);
  switch (tool) {
    case 'pagerduty': {
      // No token: the integration's key is what the request proves itself with.
      const at = service('PagerDuty', {});
      const events = `${url === null ? PAGERDUTY : url.replace('//api.', '//events.')}/v2/enqueue`;
      return {
        name: at.name,
        can: ({ page }) => page !== null,
        open: ({ page }, { key, title, lines, url: href, severity }, signal) =>
          post(
            events,
            {
              routing_key: page,
              event_action: 'trigger',
              dedup_key: key,
              client: 'Gumshoe',
              payload: {
                summary: title,
                source: 'Gumshoe',
                severity: (URGENT[severity ?? ''] ?? USUAL).event,
                custom_details: Object.fromEntries(lines.map((line, index) => [`line ${index + 1}`, line])),
              },
              links: href === null ? [] : [{ href, text: 'The thread in Slack' }],
            },
            at,
            signal,
          ),
        close: ({ page }, key, signal) =>
          post(events, { routing_key: page, event_action: 'resolve', dedup_key: key }, at, signal),
      };
    }
    case 'opsgenie': {
      const at = service('Opsgenie', { authorization: `GenieKey ${token}` });
      const alerts = `${url ?? OPSGENIE}/v2/alerts`;
      return {
        name: at.name,
        can: ({ schedule }) => schedule !== null,
        open: ({ schedule }, { key, title, lines, url: href, severity }, signal) =>
          post(
            alerts,
            {
              message: title.slice(0, MAX_MESSAGE),
              alias: key,
              description: [...lines, ...(href === null ? [] : [href])].join('\n'),
              responders: [{ type: 'schedule', [isId(schedule) ? 'id' : 'name']: schedule }],
              priority: (URGENT[severity ?? ''] ?? USUAL).priority,
              source: 'Gumshoe',
            },
            at,
            signal,
          ),
        close: (_, key, signal) =>
          post(
            `${alerts}/${encodeURIComponent(key)}/close?identifierType=alias`,
            { source: 'Gumshoe' },
            at,
            signal,
          ),
      };
    }
    case 'grafana': {
      const at = service('Grafana OnCall', {});
      return {
        name: at.name,
        can: ({ page }) => page !== null && URL.parse(page) !== null,
        open: ({ page }, { key, title, lines, url: href }, signal) =>
          post(
            page ?? '',
            {
              alert_uid: key,
              title,
              message: lines.join('\n'),
              state: 'alerting',
              ...(href === null ? {} : { link_to_upstream_details: href }),
            },
            at,
            signal,
          ),
        close: ({ page }, key, signal) => post(page ?? '', { alert_uid: key, state: 'ok' }, at, signal),
      };
    }
  }
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
