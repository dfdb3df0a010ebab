import { describe, expect, it } from 'vitest';
import { actionIds } from '../../../../../src/bot/render/action-ids.ts';
import type { IssueSummary } from '../../../../../src/contract/answers.ts';
import type { IssueFilter } from '../../../../../src/contract/client/issues.ts';
import { rejected } from '../../../../support/fake-service.ts';
import { uuidOf } from '../../../../support/issues.ts';
import { issuing } from '../../support/issuing.ts';

/** What the buttons of the newest answer carry, by action. */
function buttonsOf(body: Record<string, unknown> | undefined): Record<string, string> {
  const found = [
    ...JSON.stringify(body ?? {}).matchAll(/"action_id":"([^"]+)","value":("(?:[^"\\]|\\.)*")/gu),
  ];
  return Object.fromEntries(found.map(([, id = '', value = '""']) => [id, JSON.parse(value)]));
}

function summary(number: number): IssueSummary {
  const id = { uuid: uuidOf(number), number, title: `Trouble ${number}`, description: 'It is slow' };
  const rest = {
    severity: 'high',
    environment: 'production',
    triggeredAt: '2026-03-17T12:00Z',
    seedCount: 1,
  };
  return { ...id, status: 'ready_to_fix', ...rest };
}

describe('/issue list', () => {
  it('asks the service for what is said, and shows it to that person alone', async () => {
    const l = await issuing();
    const asked: IssueFilter[] = [];
    l.service.client.issues.page = async (filter) => {
      asked.push(filter);
      return { object: 'list', data: [summary(7), summary(5)], has_more: false };
    };
    expect(await l.issue('list status = “ready to fix” slow env:prod')).toBe(
      'Issues, ready to fix, in production, with “slow”: #7, #5',
    );
    expect(asked).toEqual([
      { limit: 100, status: 'ready_to_fix', environment: 'production', search: 'slow' },
    ]);
    expect(l.sent[0]?.response_type).toBe('ephemeral');
    expect(buttonsOf(l.bodies[0])).toEqual({});
  });

  it('goes on, and back, ten at a time, with its filter, in the same message', async () => {
    const l = await issuing();
    const asked: IssueFilter[] = [];
    const all = Array.from({ length: 12 }, (_, i) => summary(12 - i));
    l.service.client.issues.page = async (filter) => {
      asked.push(filter);
      const { startingAfter, endingBefore } = filter;
      const at = all.findIndex(({ uuid }) => uuid === (startingAfter ?? endingBefore));
      const data = endingBefore === undefined ? all.slice(at + 1) : all.slice(0, at);
      return { object: 'list', data, has_more: false };
    };
    const top = 'Issues, muted: #12, #11, #10, #9, #8, #7, #6, #5, #4, #3';
    expect(await l.issue('list muted')).toBe(top);
    const first = buttonsOf(l.bodies.at(-1));
    expect(Object.keys(first)).toEqual([actionIds.nextIssues]);
    await l.press('nextIssues', first[actionIds.nextIssues] ?? '');
    expect(l.bodies.at(-1)).toMatchObject({ replace_original: true, text: 'Issues, muted: #2, #1' });
    const second = buttonsOf(l.bodies.at(-1));
    expect(Object.keys(second)).toEqual([actionIds.previousIssues]);
    await l.press('previousIssues', second[actionIds.previousIssues] ?? '');
    expect(l.bodies.at(-1)).toMatchObject({ replace_original: true, text: top });
    expect(asked).toEqual([
      { limit: 100, status: 'muted' },
      { limit: 100, status: 'muted', startingAfter: uuidOf(3) },
      { limit: 100, status: 'muted', endingBefore: uuidOf(2) },
    ]);
  });

  it('begins anew, and says so, where the issue that a page begins at is gone', async () => {
    const l = await issuing();
    l.service.client.issues.page = async ({ startingAfter }) => {
      if (startingAfter !== undefined) throw rejected(400, 'does not match any issue');
      return { object: 'list', data: [summary(7)], has_more: false };
    };
    await l.press(
      'nextIssues',
      JSON.stringify({
        command: '/issue',
        filter: { status: null, environment: null, search: null },
        after: 'x',
      }),
    );
    expect(JSON.stringify(l.bodies.at(-1))).toContain('this is the first page again');
  });

  it('keeps the page that there is where the next one cannot be fetched', async () => {
    const l = await issuing();
    l.service.break('', rejected(500, 'boom', 'api_error'));
    await l.press(
      'nextIssues',
      JSON.stringify({
        command: '/issue',
        filter: { status: null, environment: null, search: null },
        after: 'x',
      }),
    );
    expect(l.bodies.at(-1)).toMatchObject({ replace_original: false, text: expect.stringMatching(/^⚠️ /) });
  });

  it('says it where there are none', async () => {
    const l = await issuing();
    await l.issue('list status:muted');
    expect(JSON.stringify(l.bodies.at(-1))).toContain('No matching issues. `/issue list` shows all of them.');
    await l.issue('list');
    expect(JSON.stringify(l.bodies.at(-1))).toContain('No issues yet.');
  });

  it.each([
    ['mutted', ' Did you mean `status:muted`?'],
    ['sleeping', ''],
    ['parked', ''],
  ])(
    'says which statuses there are, without asking the service, where one asks for %s',
    async (status, guess) => {
      const l = await issuing();
      const known = '`investigating`, `ready_to_fix`, `resolved`, `muted`';
      expect(await l.issue(`list status:${status}`)).toBe(
        `“${status}” is not a status.${guess} Use one of ${known}.`,
      );
      expect(l.service.calls).toEqual([]);
    },
  );

  it('nor does the button of an older list ask for a status that there is not', async () => {
    const l = await issuing();
    const filter = { status: 'parked', environment: null, search: null };
    await l.press('nextIssues', JSON.stringify({ command: '/issue', filter, after: 'x' }));
    expect(l.bodies.at(-1)).toMatchObject({
      replace_original: false,
      text: expect.stringMatching(/^“parked” is not a status\./),
    });
    expect(l.service.calls).toEqual([]);
  });

  it('tells nothing of an issue that lives in a private channel elsewhere, nor finds it by its words', async () => {
    const l = await issuing();
    await l.store.channels.learn('C0SECRET', true);
    await l.filed(1, { channel: 'C0SECRET', title: 'The merger' });
    await l.filed(2);
    expect(await l.issue('list')).toBe('Issues: #1, #2');
    expect(JSON.stringify(l.bodies.at(-1))).not.toMatch(/Trouble 1|C0SECRET/u);
    expect(JSON.stringify(l.bodies.at(-1))).toContain('a private channel');
    await l.issue('list', { channel_id: 'C0SECRET' });
    expect(JSON.stringify(l.bodies.at(-1))).toContain('Trouble 1');
    l.service.client.issues.page = async () => ({ object: 'list', data: [summary(1)], has_more: false });
    expect(await l.issue('list merger')).toBe('Issues, with “merger”: none');
    const none = l.bodies.at(-1);
    l.service.client.issues.page = async ({ startingAfter }) => ({
      object: 'list',
      data: startingAfter === undefined ? Array.from({ length: 100 }, () => summary(1)) : [],
      has_more: startingAfter === undefined,
    });
    await l.issue('list merger');
    expect(l.bodies.at(-1)).toEqual(none);
  });
});
