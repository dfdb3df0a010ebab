import { describe, expect, it } from 'vitest';
import { createOnCall, remembered } from '../../../src/bot/owners/on-call.ts';

const NOW = Date.parse('2026-11-20T08:00:00Z');
const clock = { now: () => NOW };
const TOKEN = 'u+secret-token';

/** The APIs, as their documents describe them. */
function api(routes: Record<string, unknown>, asked: string[] = []): typeof globalThis.fetch {
  return async (input, init) => {
    const url = String(input);
    asked.push(`${url} ${new Headers(init?.headers).get('authorization')}`);
    const found = Object.entries(routes).find(([part]) => url.includes(part));
    return found === undefined ? new Response('{}', { status: 404 }) : Response.json(found[1]);
  };
}

describe('who is on call', () => {
  it.each([
    [
      'pagerduty',
      null,
      'PABC123',
      {
        'api.pagerduty.com/oncalls?schedule_ids%5B%5D=PABC123': {
          oncalls: [
            { user: { summary: 'Ana A' }, escalation_level: 1, end: '2026-11-20T18:00:00Z' },
            { user: { summary: 'Bo B' }, escalation_level: 2, end: null },
          ],
        },
      },
      { names: ['Ana A'], until: Date.parse('2026-11-20T18:00:00Z'), asOf: NOW },
      `Token token=${TOKEN}`,
    ],
    [
      'opsgenie',
      'https://api.eu.opsgenie.com',
      'Payments_schedule',
      {
        'eu.opsgenie.com/v2/schedules/Payments_schedule/on-calls?scheduleIdentifierType=name&flat=true': {
          data: { onCallRecipients: ['ana@acme.example'] },
        },
      },
      { names: ['ana@acme.example'], until: null, asOf: NOW },
      `GenieKey ${TOKEN}`,
    ],
    [
      'grafana',
      'https://oncall.example',
      'SBM7DV7BKFUYU',
      {
        'oncall.example/api/v1/schedules/SBM7DV7BKFUYU/final_shifts?start_date=2026-11-19&end_date=2026-11-21':
          {
            results: [
              { user_username: 'bo', shift_start: '2026-11-19T18:00:00Z', shift_end: '2026-11-20T06:00:00Z' },
              {
                user_username: 'ana',
                shift_start: '2026-11-20T06:00:00Z',
                shift_end: '2026-11-20T18:00:00Z',
              },
            ],
          },
      },
      { names: ['ana'], until: Date.parse('2026-11-20T18:00:00Z'), asOf: NOW },
      TOKEN,
    ],
  ] as const)('is read from %s', async (tool, url, schedule, routes, shift, authorization) => {
    const asked: string[] = [];
    const onCall = createOnCall({ tool, url, token: TOKEN }, api(routes, asked), clock);
    expect(await onCall.now(schedule)).toEqual(shift);
    expect(asked).toEqual([expect.stringMatching(new RegExp(` ${authorization.replace('+', '\\+')}$`, 'u'))]);
  });

  it('a token that may not, or a schedule that is not there, is named with what to do', async () => {
    const refused = createOnCall(
      { tool: 'pagerduty', url: null, token: TOKEN },
      async () => Response.json({ message: 'Forbidden' }, { status: 403 }),
      clock,
    );
    await expect(refused.now('P1')).rejects.toThrow(
      'PagerDuty does not permit it (Forbidden): let ONCALL_TOKEN read schedules.',
    );
    const unknown = createOnCall({ tool: 'opsgenie', url: null, token: TOKEN }, api({}), clock);
    await expect(unknown.now('P1')).rejects.toThrow(
      'Opsgenie knows no such schedule: correct it in OWNERS, or check ONCALL_URL.',
    );
  });

  it('is asked for once in five minutes; a failure is logged, and the card does without', async () => {
    let now = NOW;
    let calls = 0;
    const warned: string[] = [];
    const shiftOf = remembered(
      {
        name: 'PagerDuty',
        now: async () => {
          calls += 1;
          if (calls > 1) throw new Error('unreachable');
          return { names: ['ana'], until: null, asOf: now };
        },
      },
      { clock: { now: () => now }, log: { warn: (_, message) => warned.push(message) } },
    );
    const [first, second] = await Promise.all([shiftOf('P1'), shiftOf('P1')]);
    expect([first?.names, second?.names, calls]).toEqual([['ana'], ['ana'], 1]);
    now += 5 * 60_000;
    expect(await shiftOf('P1')).toBeNull();
    expect(warned).toEqual(['could not read who is on call']);
  });
});
