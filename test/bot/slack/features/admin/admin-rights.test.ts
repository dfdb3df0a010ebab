import { describe, expect, it } from 'vitest';
import { createMetrics } from '../../../../../src/bot/shared/metrics.ts';
import { createUserDirectory } from '../../../../../src/bot/slack/access/people.ts';
import { instantClock } from '../../../../support/manual-clock.ts';
import { testSlack } from '../../../../support/slack.ts';
import { buttonProbes } from '../../support/rights/buttons.ts';
import { modalProbes } from '../../support/rights/modals.ts';
import { commandProbes } from '../../support/rights/others.ts';
import { privateIssue } from '../../support/rights/private-issue.ts';
import type { Probe } from '../../support/rights/probe.ts';

const all = [buttonProbes, commandProbes, modalProbes].flatMap((probes) =>
  Object.values<Probe[]>(probes).flat(),
);
/** With `SETTINGS_BY=admins` these are for admins too. */
const OF_SETTINGS = new Set(['settings', 'unwatch', 'digest', 'sendDigestNow', 'openSettings']);
const forAdmins = all.filter(({ admins, what }) => admins === true || OF_SETTINGS.has(what));

const [pause] = all.filter(({ what }) => what === '/gumshoe pause');

/** The people of a workspace whose word on who is an admin can change. */
function workspace() {
  const clock = instantClock();
  const slack = testSlack(clock);
  const of = (is_admin: boolean) => slack.answers('users.info', { user: { team_id: 'T1', is_admin } });
  const people = createUserDirectory({
    client: slack.client,
    clock,
    metrics: createMetrics(),
    teamId: 'T1',
    allowGuests: false,
    allowExternal: false,
    adminUsers: [],
    settingsBy: 'admins',
  });
  return { of, people };
}

describe('what is for admins', () => {
  it('is all tried here', () => {
    expect(forAdmins.map(({ what }) => what).sort()).toEqual([
      '/gumshoe pause',
      '/gumshoe resume',
      '/issue delete #12',
      'deleteIssue',
      'deleteIssue: as if it were filed elsewhere',
      'digest',
      'homePause',
      'homeResume',
      'more: delete',
      'openSettings',
      'sendDigestNow',
      'settings',
      'unwatch',
    ]);
  });

  it.each(forAdmins.map((probe) => [probe.what, probe] as const))(
    '%s: is refused once the right is taken away, however lately it was there, and works with it',
    async (what, { payload, quiet = false }) => {
      const { of, people } = workspace();
      const world = await privateIssue(people);
      const admin = { user: 'U0ADMIN', channel: 'C0SECRET' };
      const body = payload(admin, world.names);
      of(true);
      // There is something to resume then; and the right is known.
      if (pause && /resume/iu.test(what)) await world.give(pause.payload(admin, world.names));
      expect(await people.isAdmin('U0ADMIN')).toBe(true);
      of(false);
      const refused = await world.give(body);
      expect(refused.changed).toBe(false);
      if (!quiet) expect(refused.said).toMatch(/admin/iu);
      of(true);
      const done = await world.give(body);
      expect(done.changed || done.opened).toBe(true);
    },
  );
});
