import { nextDigest } from '../../digest/settings.ts';
import { needsChannel } from '../../render/issues/steering-notices.ts';
import { planGone, planRefused, planSaved, renderPlans } from '../../render/settings/plans.ts';
import { cancelPlan, planWork, readPlan } from '../../settings/plans.ts';
import { settingsRefused } from '../access/rights.ts';
import type { Subcommand } from '../commands/command.ts';
import type { Feature } from '../listening/feature.ts';
import { notifyPerson } from '../listening/notify.ts';
import { onButton } from '../listening/press.ts';

const EVERY_DAY = '1234567';

/** `/gumshoe plan payments 22:00-23:00 "database upgrade"`; alone it lists what is planned. */
const plan: Subcommand = {
  example: 'plan payments 22:00-23:00 "database upgrade"',
  does: 'keeps alerts of planned work quiet until it ends, and files those still open then; `plan` lists it',
  run: async ({ words, channel, userId, cause, respond }, deps) => {
    if (channel.startsWith('D')) return notifyPerson(respond, needsChannel(), deps);
    const { store, clock } = deps;
    const now = clock.now();
    if (words === '') {
      const here = (await store.flags.plans()).filter((one) => one.channel === channel && one.until > now);
      return notifyPerson(respond, renderPlans(here, await store.flags.unreadablePlans()), deps);
    }
    const refused = await settingsRefused(userId, channel, deps);
    if (refused) return notifyPerson(respond, refused, deps);
    const zone = await deps.people.zone(userId);
    const next = (time: string, after: number) => nextDigest({ days: EVERY_DAY, time, zone }, after);
    const planned = readPlan(words, next, now);
    if (typeof planned === 'string') return notifyPerson(respond, planRefused(planned), deps);
    await store.transaction((tx) => planWork(tx, { cause, channel, by: userId, now }, planned));
    await deps.checkpoint('plan: stored');
    await notifyPerson(respond, planSaved(false), deps);
  },
};

const endPlan = onButton(
  'endPlan',
  async ({ value: id, channel, userId: by }, deps) => {
    if (id === '' || channel === '') return undefined;
    const now = deps.clock.now();
    const ended = await deps.store.transaction((tx) => cancelPlan(tx, { id, channel, by, now }));
    await deps.checkpoint('plan: ended');
    return ended ? planSaved(true) : planGone();
  },
  { may: (userId, { channel }, deps) => settingsRefused(userId, channel, deps) },
);

export const plans: Feature = { subcommands: { plan }, actions: { endPlan } };
