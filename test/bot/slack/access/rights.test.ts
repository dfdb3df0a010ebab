import { describe, expect, it } from 'vitest';
import { ChannelSettings } from '../../../../src/bot/store/channel-settings.ts';
import { commandsListenedTo, listenedTo, subcommands } from '../support/features.ts';
import { listening } from '../support/listening.ts';
import { buttonProbes } from '../support/rights/buttons.ts';
import { modalProbes } from '../support/rights/modals.ts';
import { commandProbes, eventProbes, shortcutProbes } from '../support/rights/others.ts';
import { privateIssue } from '../support/rights/private-issue.ts';
import { type Names, type Probe, SECRET, type Sender } from '../support/rights/probe.ts';

const kinds: [string, Record<string, Probe[] | 'fact'>, string[]][] = [
  ['actions', buttonProbes, listenedTo('actions')],
  ['views', modalProbes, listenedTo('views')],
  ['commands', commandProbes, commandsListenedTo],
  ['shortcuts', shortcutProbes, listenedTo('shortcuts')],
  ['events', eventProbes, listenedTo('events')],
];

const there = (user: string): Sender => ({ user, channel: 'C0SECRET' });
const elsewhere = (user: string): Sender => ({ user, channel: 'C0OPEN' });

function every(names: Names, word: string): Names {
  const entries = Object.keys(names).map((name) => [name, word]);
  return { ...names, ...Object.fromEntries(entries) };
}

type PrivateIssue = Awaited<ReturnType<typeof privateIssue>>;
type Attempt = [string, Sender, (names: Names) => Names, RegExp];

const MEMBERS = new Set(['U1', 'U0ADMIN']);
const same = (names: Names) => names;
const ANYTHING = /\w/u;

/** Who tries what: each is to change nothing, to hear nothing of the private channel, and to be told so politely. */
function attempts({ admins, open, ofTheService }: Probe): Attempt[] {
  const [insider, outsider] = admins ? ['U0ADMIN', 'U0ROOT'] : ['U1', 'U0BOB'];
  const refused: Attempt[] = [
    ['a guest', there('U0GUEST'), same, /Guests cannot use Gumshoe/u],
    ['a stranger', there('U0EVE'), same, /People from other organizations cannot/u],
  ];
  if (admins) refused.push(['a member who is no admin', there('U1'), same, /admin/iu]);
  if (open) return refused;
  refused.push(['somebody of another channel', elsewhere(outsider), same, ANYTHING]);
  if (ofTheService) return refused;
  return [
    ...refused,
    ['with unknown ids', there(insider), (names) => every(names, '99999'), ANYTHING],
    ['with nonsense', there(insider), (names) => every(names, '{%'), ANYTHING],
  ];
}

async function tryAll(probe: Probe, world: PrivateIssue): Promise<void> {
  for (const [who, sender, changed, words] of attempts(probe)) {
    const { changed: did, said, modal } = await world.give(probe.payload(sender, changed(world.names)));
    // Of a member’s own Home or list they may hear.
    const leaked = !MEMBERS.has(sender.user) && said.includes(SECRET);
    expect({ who, did, leaked }).toEqual({ who, did: false, leaked: false });
    if (probe.admins) expect({ who, modal }).toEqual({ who, modal: false });
    if (!probe.quiet) expect(`${who}: ${said}`).toMatch(words);
  }
}

describe.each(kinds)('what can be done with %s', (_kind, probes, names) => {
  it('is all tried here', () => {
    expect(Object.keys(probes).sort()).toEqual(names.toSorted());
  });

  const all = Object.values(probes).flatMap((some) => (some === 'fact' ? [] : some));
  it.each(all.map((probe) => [probe.what, probe] as const))(
    '%s: is for those who may, and no others',
    async (_what, probe) => {
      const world = await privateIssue();
      await tryAll(probe, world);
      // The same works for those who may, so that what is tried above would show.
      const insider = there(probe.admins ? 'U0ADMIN' : 'U1');
      const { changed, said, opened } = await world.give(probe.payload(insider, world.names));
      const says = probe.open === true || probe.answers === true;
      const answered =
        says && ANYTHING.test(said) && !/cannot use Gumshoe|no longer have this issue/u.test(said);
      expect(`${changed || opened || answered || said.includes(SECRET)} ${said}`).toMatch(/^true /u);
    },
  );
});

it('every word behind /gumshoe is tried', () => {
  const tried = commandProbes.gumshoe?.map(({ what }) => what.split(' ')[1]);
  expect(tried).toEqual(expect.arrayContaining(Object.keys(subcommands)));
});

it('a report is filed automatically where the channel includes people, but not one of a guest or a stranger', async () => {
  const l = await listening();
  await l.store.channels.watch('C1', ChannelSettings.parse({ people: true }), '0.000000');
  const decisions = [];
  for (const user of ['U0GUEST', 'U0EVE', 'U1']) {
    const ts = `${1_700_000_000 + decisions.length}.000100`;
    const text = `[FIRING:1] the disk of ${user} is full`;
    await l.event({ type: 'message', channel: 'C1', channel_type: 'channel', user, ts, text });
    const row = await l.store.alerts.find('C1', ts);
    decisions.push([user, row?.decision, row?.reason]);
  }
  const mayNot = 'external_author';
  expect(decisions).toEqual([
    ['U0GUEST', 'ignored', mayNot],
    ['U0EVE', 'ignored', mayNot],
    ['U1', 'filed', 'new_alert'],
  ]);
});
