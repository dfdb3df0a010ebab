import type { WebClient } from '@slack/web-api';
import type { LanguageModel } from '../../../contract/schema.ts';
import type { Clock } from '../../../lib/clock.ts';
import type { ChannelSettings } from '../../store/channel-settings.ts';
import type { Store } from '../../store/open.ts';
import { isPublicNow } from './channel-access.ts';
import type { LanguageModelOf } from './language-model.ts';

const CACHE_MS = 60_000;

/**
 * Whether a channel's messages may become issues only after one of its members has agreed that these may be named in
 * answers elsewhere. That is so for private channels as long as there is one API key: the agent that answers in public
 * channels then knows every issue. With a second key it has no access to them, and nobody has to agree.
 *
 * What Slack says is cached for a minute. Rejects if Slack has to be asked and does not answer.
 */
export type NeedsConsent = (channel: string) => Promise<boolean>;

/** Whether what a member agreed to is what happens: where the issues go to a language model, its host was named. */
export function isAgreed(
  agreed: ChannelSettings['namedElsewhere'],
  model: LanguageModel | null,
): agreed is NonNullable<ChannelSettings['namedElsewhere']> {
  return agreed !== undefined && (model?.private !== true || agreed.model === model.host);
}

export function createNeedsConsent({
  store,
  client,
  clock,
  languageModel,
}: {
  store: Pick<Store, 'channels' | 'hasPrivateOrganization'>;
  client: WebClient;
  clock: Clock;
  languageModel: LanguageModelOf;
}): NeedsConsent {
  const privateUntil = new Map<string, number>();
  return async (channel) => {
    // A direct message with the bot: whoever asks for an issue there knows what they write.
    if (store.hasPrivateOrganization || channel.startsWith('D')) return false;
    const { isPrivate, settings } = await store.channels.get(channel);
    const { namedElsewhere: agreed } = settings;
    if (!isPrivate || (agreed !== undefined && isAgreed(agreed, await languageModel()))) return false;
    if ((privateUntil.get(channel) ?? 0) > clock.now()) return true;
    // The store says private until Slack has said otherwise.
    if (await isPublicNow(client, channel)) {
      await store.channels.learn(channel, false);
      return false;
    }
    privateUntil.set(channel, clock.now() + CACHE_MS);
    return true;
  };
}
