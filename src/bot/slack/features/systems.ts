import { explainServiceError } from '../../../contract/client/explain-error.ts';
import { fileForPerson } from '../../filing/on-request.ts';
import { issueIdOf } from '../../filing/reference.ts';
import { readInvestigate, requestForWords } from '../../filing/request.ts';
import { needsChannel } from '../../render/issues/steering-notices.ts';
import { serviceFailure } from '../../render/notices.ts';
import { renderSeen } from '../../render/systems/seen.ts';
import { systemsAreWatched, usageSystems } from '../../render/systems/systems.ts';
import { watchSystems } from '../../settings/systems.ts';
import { settingsRefused } from '../access/rights.ts';
import type { Subcommand } from '../commands/command.ts';
import type { Feature } from '../listening/feature.ts';
import { notifyPerson, refusedAtLimit } from '../listening/notify.ts';
import { onButton } from '../listening/press.ts';

const systemsSubcommand: Subcommand = {
  example: 'systems',
  does: 'shows what I see of each service, and what is missing; `systems checkout` shows all of one',
  run: async ({ words, respond }, deps) => {
    try {
      const seen = await deps.services.for('default').systems();
      await notifyPerson(respond, renderSeen(seen, words), deps);
    } catch (error) {
      await notifyPerson(respond, serviceFailure(explainServiceError(error)), deps);
    }
  },
};

const watchSystemsSubcommand: Subcommand = {
  example: 'watch-systems',
  does: 'checks every hour for what is about to break, and keeps one message about it here; `watch-systems off` ends it',
  run: async ({ words, channel, userId, cause, respond }, deps) => {
    const typed = words.toLowerCase();
    if (typed !== '' && typed !== 'off') return notifyPerson(respond, usageSystems(), deps);
    if (channel.startsWith('D')) return notifyPerson(respond, needsChannel(), deps);
    const refused = await settingsRefused(userId, channel, deps);
    if (refused) return notifyPerson(respond, refused, deps);
    const isOn = typed === '';
    const now = deps.clock.now();
    await deps.store.transaction((tx) => watchSystems(tx, { cause, channel, by: userId, isOn, now }));
    await notifyPerson(respond, systemsAreWatched(isOn), deps);
  },
};

/** *Investigate* beside a line: files it as the person's own report, once for each press. */
const investigateSystems = onButton(
  'investigateSystems',
  async ({ userId: by, channel, value, body }, deps) => {
    const [action] = body.actions;
    if (value === '' || channel === '' || action === undefined) return undefined;
    const id = issueIdOf('systems', channel, by, value, action.action_ts);
    const now = deps.clock.now();
    const origin = { issueId: id, channel, at: now, userId: by };
    const request = requestForWords(readInvestigate(value), origin, deps.defaultEnvironment);
    const limit = await fileForPerson({ id, channel, by, request, now }, deps);
    return limit && refusedAtLimit(limit, deps);
  },
);

export const systems: Feature = {
  subcommands: { systems: systemsSubcommand, 'watch-systems': watchSystemsSubcommand },
  actions: { investigateSystems },
};
