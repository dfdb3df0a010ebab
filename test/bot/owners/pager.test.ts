import { describe, expect, it } from 'vitest';
import { createPager } from '../../../src/bot/owners/pager.ts';
import { TrackerError } from '../../../src/bot/tickets/tracker.ts';
import { readOwners } from '../../../src/lib/owners.ts';

const clock = { now: () => 0 };
const PAGE = {
  key: 'gumshoe-i1-7',
  title: 'Checkout answers 502 (Gumshoe #12)',
  lines: ['Root cause: a deploy', 'Do first: roll back'],
  url: 'https://acme.slack.com/archives/C1/p1',
  severity: 'high',
};

/** Takes every request as the tool's documents say. */
function tool(status = 202, answer: unknown = {}) {
  const taken: { url: string; authorization: string | null; body: unknown }[] = [];
  const fetch: typeof globalThis.fetch = async (input, init) => {
    const authorization = new Headers(init?.headers).get('authorization');
    taken.push({ url: String(input), authorization, body: JSON.parse(String(init?.body)) });
    return typeof answer === 'string' ? new Response(answer, { status }) : Response.json(answer, { status });
  };
  return { taken, fetch };
}

const owner = (words: string) => {
  const [entry] = readOwners(`payments  team-payments  ${words}`).entries;
  if (entry === undefined) throw new Error('there is an entry');
  return entry;
};

describe('a page', () => {
  it('is an event at an integration of PagerDuty’s, ended by its key', async () => {
    const { taken, fetch } = tool(202, { status: 'success', dedup_key: PAGE.key });
    const pager = createPager({ tool: 'pagerduty', url: null, token: 'reads-only' }, fetch, clock);
    const whom = owner('page:R0UTINGKEY');
    expect([pager.can(whom), pager.can(owner('oncall:P1'))]).toEqual([true, false]);
    await pager.open(whom, PAGE);
    await pager.close(whom, PAGE.key);
    const url = 'https://events.pagerduty.com/v2/enqueue';
    expect(taken).toEqual([
      {
        url,
        authorization: null,
        body: {
          routing_key: 'R0UTINGKEY',
          event_action: 'trigger',
          dedup_key: PAGE.key,
          client: 'Gumshoe',
          payload: {
            summary: PAGE.title,
            source: 'Gumshoe',
            severity: 'critical',
            custom_details: { 'line 1': 'Root cause: a deploy', 'line 2': 'Do first: roll back' },
          },
          links: [{ href: PAGE.url, text: 'The thread in Slack' }],
        },
      },
      {
        url,
        authorization: null,
        body: { routing_key: 'R0UTINGKEY', event_action: 'resolve', dedup_key: PAGE.key },
      },
    ]);
  });

  it('is an alert of Opsgenie’s for who is on call by the schedule, closed by its alias', async () => {
    const { taken, fetch } = tool(202, { result: 'Request will be processed' });
    const pager = createPager(
      { tool: 'opsgenie', url: 'https://api.eu.opsgenie.com', token: 't' },
      fetch,
      clock,
    );
    const whom = owner('oncall:Payments');
    await pager.open(whom, PAGE);
    await pager.close(whom, PAGE.key);
    expect(taken).toEqual([
      {
        url: 'https://api.eu.opsgenie.com/v2/alerts',
        authorization: 'GenieKey t',
        body: {
          message: PAGE.title,
          alias: PAGE.key,
          description: `${PAGE.lines.join('\n')}\n${PAGE.url}`,
          responders: [{ type: 'schedule', name: 'Payments' }],
          priority: 'P1',
          source: 'Gumshoe',
        },
      },
      {
        url: `https://api.eu.opsgenie.com/v2/alerts/${PAGE.key}/close?identifierType=alias`,
        authorization: 'GenieKey t',
        body: { source: 'Gumshoe' },
      },
    ]);
  });

  it('is what an integration of Grafana OnCall takes, which does not answer in JSON', async () => {
    const { taken, fetch } = tool(200, 'Ok.');
    const pager = createPager({ tool: 'grafana', url: 'https://oncall.example', token: 't' }, fetch, clock);
    const address = 'https://oncall.example/integrations/v1/formatted_webhook/s3cret/';
    const whom = owner(`page:${address}`);
    expect([pager.can(whom), pager.can(owner('page:nowhere'))]).toEqual([true, false]);
    await pager.open(whom, PAGE);
    await pager.close(whom, PAGE.key);
    expect(taken.map(({ url, body }) => [url, body])).toEqual([
      [
        address,
        {
          alert_uid: PAGE.key,
          title: PAGE.title,
          message: PAGE.lines.join('\n'),
          state: 'alerting',
          link_to_upstream_details: PAGE.url,
        },
      ],
      [address, { alert_uid: PAGE.key, state: 'ok' }],
    ]);
  });

  it('that is refused says what to mend, and not the key', async () => {
    const { fetch } = tool(400, {
      status: 'invalid event',
      message: 'Event object is invalid',
      errors: ['Bad key'],
    });
    const pager = createPager({ tool: 'pagerduty', url: null, token: '' }, fetch, clock);
    const failure = await pager.open(owner('page:R0UTINGKEY'), PAGE).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(TrackerError);
    expect(String(failure)).toBe(
      'TrackerError: PagerDuty did not take the page (400: Event object is invalid; Bad key): check what OWNERS names after page: or oncall:, and ONCALL_TOKEN.',
    );
  });
});
