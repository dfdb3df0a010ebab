import { WebClient } from '@slack/web-api';
import { describe, expect, it } from 'vitest';
import { listsPrivate, privatePage } from '../../../../../src/bot/slack/features/issues/list.ts';
import type { IssueSummary } from '../../../../../src/contract/answers.ts';
import { createServices } from '../../../../../src/contract/client/client.ts';
import type { IssueFilter } from '../../../../../src/contract/client/issues.ts';
import { fakeService } from '../../../../support/fake-service.ts';
import { addCreated, uuidOf } from '../../../../support/issues.ts';
import { listening } from '../../support/listening.ts';
import { mayReadOf } from '../../support/reading.ts';

const HERE = 'C0HERE';
const ELSEWHERE = 'C0ELSEWHERE';
const MANY = 230;

function summary(number: number): IssueSummary {
  return {
    uuid: uuidOf(number),
    number,
    title: `Trouble ${number}`,
    description: '',
    severity: 'high',
    status: 'ready_to_fix',
    environment: 'production',
    triggeredAt: '2026-03-17T12:00Z',
    seedCount: 1,
  };
}

/** The newest first, in pages as the contract has them; every tenth lives here, the rest in another private channel. */
async function listing(isPrivate = true) {
  const { store, clock, deps } = await listening();
  const all = Array.from({ length: MANY }, (_, i) => summary(MANY - i));
  for (const { number } of all) {
    const channel = number % 10 === 0 ? HERE : ELSEWHERE;
    const id = `issue-${number}`;
    await addCreated(store, clock.now(), { id, identity: id, number, channel, organization: 'private' });
  }
  const page = async ({ limit = 10, startingAfter, endingBefore }: IssueFilter) => {
    const at = all.findIndex(({ uuid }) => uuid === (startingAfter ?? endingBefore));
    const end = endingBefore === undefined ? all.length : at;
    const from = endingBefore === undefined ? at + 1 : Math.max(0, at - limit);
    const data = all.slice(from, Math.min(end, from + limit));
    const has_more = endingBefore === undefined ? from + limit < all.length : from > 0;
    return { object: 'list', data, has_more };
  };
  const fake = fakeService().client;
  const services = createServices({
    default: fake,
    private: { ...fake, issues: { ...fake.issues, page } },
  });
  const isPrivateChannel = async () => isPrivate;
  const mayRead = mayReadOf({ store, isPrivateChannel, client: new WebClient() });
  return { ...deps, services, isPrivateChannel, mayRead };
}

const viewerIn = (channel: string) => ({ userId: 'U1', channel });

const numbers = ({ issues }: { issues: readonly IssueSummary[] }) => issues.map(({ number }) => number);

describe('a page of the private organization', () => {
  it('holds only what lives in the channel, whole pages of it, forward and back', async () => {
    const deps = await listing();
    const turn = (cursor: { after?: string; before?: string }) =>
      privatePage({}, cursor, 10, viewerIn(HERE), deps);
    const first = await turn({});
    expect(numbers(first)).toEqual([230, 220, 210, 200, 190, 180, 170, 160, 150, 140]);
    expect(first.before).toBeNull();
    const second = await turn({ after: first.after ?? '' });
    expect(numbers(second)).toEqual([130, 120, 110, 100, 90, 80, 70, 60, 50, 40]);
    const third = await turn({ after: second.after ?? '' });
    expect(numbers(third)).toEqual([30, 20, 10]);
    expect(third.after).toBeNull();
    const back = await turn({ before: third.before ?? '' });
    expect(numbers(back)).toEqual(numbers(second));
    const top = await turn({ before: back.before ?? '' });
    expect(numbers(top)).toEqual(numbers(first));
    expect(top.before).toBeNull();
    expect(top.after).toBe(first.after);
  });

  it('holds nothing in a channel where none of them lives', async () => {
    const deps = await listing(false);
    expect(numbers(await privatePage({}, {}, 10, viewerIn('C0PUBLIC'), deps))).toEqual([]);
    expect(await listsPrivate('C0PUBLIC', deps)).toBe(false);
    expect(await listsPrivate(HERE, deps)).toBe(true);
  });

  it('begins at the top where its cursor is gone', async () => {
    const deps = await listing();
    const page = await privatePage({}, { before: uuidOf(230) }, 10, viewerIn(HERE), deps);
    expect(page.fromTheTop).toBe(true);
    expect(numbers(page)[0]).toBe(230);
  });
});
