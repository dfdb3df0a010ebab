import { describe, expect, it } from 'vitest';
import { renderShortCard, shortCardActions } from '../../../../src/bot/render/issues/short-card.ts';
import type { ShortCardView } from '../../../../src/bot/render/views.ts';
import { buttonProbes } from '../support/rights/buttons.ts';
import { modalProbes } from '../support/rights/modals.ts';
import { commandProbes } from '../support/rights/others.ts';
import { privateIssue } from '../support/rights/private-issue.ts';
import { type Names, type Probe, SECRET } from '../support/rights/probe.ts';

/** What a short card offers, by each of the ways in which it can be done. */
const OFFERED: Record<(typeof shortCardActions)[number], readonly string[]> = {
  resolve: ['resolve', '/issue resolve #12', '/gumshoe issue resolve #12'],
  mute: ['mute', '/issue mute #12'],
  reopen: ['reopen', '/issue reopen #14'],
  notSame: ['more: notSame', 'notSame'],
};
const offered: ReadonlySet<string> = new Set(Object.values(OFFERED).flat());

/** The open channel, where only short cards of the private channel's issues stand, and the repeat that one stands under. */
const here = (names: Names): Names => ({ ...names, channel: 'C0OPEN', repeat: '11.000000' });

const NAMES: Names = {
  channel: 'C0SECRET',
  issue: 'an-issue',
  other: 'another',
  failed: 'a-failed',
  muted: 'a-muted',
  uuid: 'a-uuid',
  number: '7777',
  mutedNumber: '7778',
  otherNumber: '7779',
  hold: 'h',
  held: 'h',
  question: 'q',
  failedQuestion: 'q',
  offer: 'o',
  report: 'r',
  repeat: 'r',
  step: 's',
  done: 's',
  plan: 'p',
};

/** Whether it is about an issue that a value, a modal or a command names. */
function isAboutIssue({ payload }: Probe): boolean {
  const text = JSON.stringify(payload({ user: 'U1', channel: 'C1' }, NAMES));
  return /an-issue|another|a-failed|a-muted|a-uuid|777[789]/u.test(text);
}

const all = [buttonProbes, modalProbes, commandProbes]
  .flatMap((probes: Record<string, Probe[]>) => Object.values(probes).flat())
  .filter(isAboutIssue);

/** Somebody who is in the open channel alone, and an admin where only admins may. */
const sender = ({ admins }: Probe) => ({ user: admins === true ? 'U0ROOT' : 'U0BOB', channel: 'C0OPEN' });

describe('where only a short card of a private channel’s issue stands', () => {
  it.each(all.filter(({ what }) => offered.has(what)).map((probe) => [probe.what, probe] as const))(
    '%s is done, and tells nothing of the private channel',
    async (_what, probe) => {
      const world = await privateIssue({}, { shortCards: true });
      const { changed, opened, said } = await world.give(probe.payload(sender(probe), here(world.names)));
      expect({ done: changed || opened, leaked: said.includes(SECRET) }).toEqual({
        done: true,
        leaked: false,
      });
    },
  );

  it.each(all.filter(({ what }) => !offered.has(what)).map((probe) => [probe.what, probe] as const))(
    '%s does nothing and shows nothing, whatever channel its window claims',
    async (_what, probe) => {
      const world = await privateIssue({}, { shortCards: true });
      for (const names of [here(world.names), world.names]) {
        const { changed, said } = await world.give(probe.payload(sender(probe), names));
        expect({ names: names.channel, changed, leaked: said.includes(SECRET) }).toEqual({
          names: names.channel,
          changed: false,
          leaked: false,
        });
      }
    },
  );

  it('all that it offers is tried', () => {
    expect(all.map(({ what }) => what)).toEqual(expect.arrayContaining([...offered]));
    expect(all.length).toBeGreaterThan(30);
  });

  it('nothing is done any more once its message counts for another issue', async () => {
    const world = await privateIssue({}, { shortCards: true });
    const [apart] = modalProbes.notSame;
    const [resolve] = buttonProbes.resolve;
    if (apart === undefined || resolve === undefined) throw new Error('there are no such probes');
    await world.give(apart.payload(sender(apart), here(world.names)));
    const { changed, said } = await world.give(resolve.payload(sender(resolve), here(world.names)));
    expect({ changed, leaked: said.includes(SECRET) }).toEqual({ changed: false, leaked: false });
  });
});

describe('a short card', () => {
  const view = (status: string): ShortCardView => ({
    issueId: 'an-issue',
    number: 12,
    title: 'Disk full',
    severity: 'high',
    raisedFrom: null,
    status,
    statusSince: 0,
    mutedUntil: null,
    fired: 1,
    lastFiredAt: 0,
    recoveredAt: null,
    note: null,
    home: null,
    lastAction: null,
    notSame: true,
    simulated: false,
  });

  it('offers what is permitted where it stands, and nothing else', () => {
    const shown = [
      'investigating',
      'ready_to_fix',
      'resolved',
      'muted',
      'filing',
      'failed',
      'deleted',
      'parked',
    ];
    const found = shown.flatMap((status) => {
      const blocks = JSON.stringify(renderShortCard(view(status)).blocks);
      const buttons = [...blocks.matchAll(/"action_id":"issue:(?!more)([\w-]+)"/gu)].map(([, name]) => name);
      const choices = [...blocks.matchAll(/"value":"(\w+):an-issue"/gu)].map(([, choice]) => choice);
      return [...buttons, ...choices];
    });
    expect([...new Set(found)].sort()).toEqual([...shortCardActions].sort());
  });
});
