import { createHash } from 'node:crypto';
import type { Channel } from '../entities.ts';
import { newHex } from '../ids.ts';
import type { WorkspaceContext } from '../workspace-context.ts';

/** The parts of an incoming webhook's address: `/services/<team>/<bot>/<secret>`. */
interface WebhookKeys {
  team: string;
  bot: string;
  secret: string;
}

/** The keys of a channel's webhook. They stay the same as long as the workspace's file does. */
export function webhookKeys({ store, random, team }: WorkspaceContext, channel: string): WebhookKeys {
  const seed = store.meta.remember('incoming_webhooks', () => newHex(random, 24));
  const hash = (what: string) => createHash('sha256').update(`${seed} ${what} ${channel}`).digest('hex');
  return {
    team: team.id,
    bot: `B${hash('bot').slice(0, 10).toUpperCase()}`,
    secret: hash('secret').slice(0, 24),
  };
}

/** The path of a channel's webhook. */
function webhookPath(context: WorkspaceContext, channel: string): string {
  const { team, bot, secret } = webhookKeys(context, channel);
  return `/services/${team}/${bot}/${secret}`;
}

/** The addresses that the panel shows: on the page's port, which stays the same from one start to the next. */
export function webhookAddresses(
  context: WorkspaceContext,
): { channel: string; name: string; url: string }[] {
  return channelsWithWebhook(context).map(({ id, name }) => ({
    channel: id,
    name,
    url: new URL(webhookPath(context, id), context.pageUrl).href,
  }));
}

/** Every channel; conversations of two have no webhook. */
export function channelsWithWebhook({ store }: WorkspaceContext): Channel[] {
  return store.channels.all().filter(({ is_im }) => !is_im);
}
