import { nearest } from '../../../../lib/nearest.ts';
import { sendDigestNow } from '../../../digest/digests.ts';
import { digestState, setDigest } from '../../../digest/settings.ts';
import { digestIsOff, digestIsSent, usageDigest } from '../../../render/digest/digest-notices.ts';
import { settingsRefused } from '../../access/settings-access.ts';
import type { CommandCall, Subcommand } from '../../commands/command.ts';
import type { ListenerDeps } from '../../listening/deps.ts';
import { openModal } from '../../listening/open-modal.ts';
import { tellPerson } from '../../listening/tell.ts';
import { digestView } from './digest-modal.ts';

const words: Record<string, (asked: CommandCall, deps: ListenerDeps) => Promise<void>> = {
  '': async ({ channel, userId, triggerId, respond }, deps) =>
    openModal(triggerId, await digestView(channel, userId, deps), respond, deps),
  now: async ({ channel, userId, cause, respond }, deps) => {
    const wish = { cause, channel, by: userId, now: deps.clock.now() };
    await deps.store.transaction((tx) => sendDigestNow(tx, wish));
    await tellPerson(respond, digestIsSent(), deps);
  },
  off: async ({ channel, userId, cause, respond }, deps) => {
    await deps.store.transaction(async (tx) => {
      const basedOn = digestState(await tx.digests.get(channel));
      const now = deps.clock.now();
      await setDigest(tx, { cause, channel, by: userId, times: null, basedOn, now });
    });
    await tellPerson(respond, digestIsOff(), deps);
  },
};

/** `/gumshoe digest` opens the channel's digest settings; `now` posts one, `off` turns it off. */
export const digest: Subcommand = {
  example: 'digest',
  does: 'schedules a digest of this channel’s issues; `digest now` sends one, `digest off` turns it off',
  run: async (asked, deps) => {
    const { userId, channel, respond } = asked;
    const typed = asked.words.toLowerCase();
    const act = Object.hasOwn(words, typed) ? words[typed] : undefined;
    if (!act) return tellPerson(respond, usageDigest(nearest(typed, ['now', 'off'])), deps);
    const refused = await settingsRefused(userId, channel, deps);
    if (refused) return tellPerson(respond, refused, deps);
    await act(asked, deps);
  },
};
