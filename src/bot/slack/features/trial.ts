import type { Deps } from '../../deps.ts';
import { noDirectMessage, trialBegins, usageTrial } from '../../render/settings/announcements.ts';
import { trialIntent } from '../../store/intents/issue-intents.ts';
import type { CommandCall, Subcommand } from '../commands/command.ts';
import type { Feature } from '../listening/feature.ts';
import { notifyPerson } from '../listening/notify.ts';
import { openDm } from '../open-dm.ts';

const DAYS = /^(?<days>[1-9]\d?)(?:\s*(?:d|days?))?$/iu;
const MOST_DAYS = 90;

const trialSubcommand: Subcommand = {
  example: 'trial',
  does: 'investigates the last 14 days’ alerts as of then, and sends you the page to compare with what you remember',
  run: begin,
};

async function begin({ words, userId, cause, respond }: CommandCall, deps: Deps): Promise<void> {
  const days = words === '' ? 14 : Number(DAYS.exec(words)?.groups?.days ?? 0);
  if (days < 1 || days > MOST_DAYS) return notifyPerson(respond, usageTrial(), deps);
  const channel = await openDm(deps.client, userId);
  if (channel === null) return notifyPerson(respond, noDirectMessage(), deps);
  const now = deps.clock.now();
  await deps.store.outbox.want(trialIntent(channel, { days, cause }, now));
  await notifyPerson(respond, trialBegins(days), deps);
}

export const trial: Feature = { subcommands: { trial: trialSubcommand } };
