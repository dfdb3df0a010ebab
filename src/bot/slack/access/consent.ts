import type { WebClient } from '@slack/web-api';
import type { LanguageModel } from '../../../contract/schema.ts';
import type { Clock } from '../../../lib/clock.ts';
import { isFromPrivateChannel, type OriginOf } from '../../filing/privacy.ts';
import type { Logger } from '../../shared/log.ts';
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
 * A channel counts as private until Slack says that it is public, so Slack is asked first, at most once a minute. With one
 * key, rejects if Slack does not answer; with two, the issue is filed as a private channel's.
 */
export type NeedsConsent = (channel: string) => Promise<boolean>;

/** Whether what a member agreed to is what happens: where the issues go to a language model, its host was named. */
export function isAgreed(
  agreed: ChannelSettings['namedElsewhere'],
  model: LanguageModel | null,
): agreed is NonNullable<ChannelSettings['namedElsewhere']> {
  return agreed !== undefined && (model?.private !== true || agreed.model === model.host);
}

/**
 * Which language model an issue or a question may be shown to. Where a member has to agree, it is the host that was named
 * then; where nobody has to (a direct message, an organization of its own), the one that the operator has connected.
 */
export function createOriginOf({
  store,
  languageModel,
}: {
  store: Pick<Store, 'channels' | 'hasPrivateOrganization'>;
  languageModel: LanguageModelOf;
}): OriginOf {
  return async (of) => {
    if (!(await isFromPrivateChannel(of, store))) return { isPrivate: false };
    const model = await languageModel();
    if (model?.private !== true) return { isPrivate: true };
    const { settings } = await store.channels.get(of.channel);
    const needsNobody = store.hasPrivateOrganization || of.channel.startsWith('D');
    const isShown = needsNobody || isAgreed(settings.namedElsewhere, model);
    return { isPrivate: true, agreedModel: isShown ? model.host : null };
  };
}

export function createNeedsConsent({
  store,
  client,
  clock,
  languageModel,
  log,
}: {
  store: Pick<Store, 'channels' | 'hasPrivateOrganization'>;
  client: WebClient;
  clock: Clock;
  languageModel: LanguageModelOf;
  log: Pick<Logger, 'warn'>;
}): NeedsConsent {
  const privateUntil = new Map<string, number>();
  /** A burst of messages asks once, and is then handled in order. */
  const asking = new Map<string, Promise<boolean>>();

  function isPublicOnce(channel: string): Promise<boolean> {
    const answer = asking.get(channel) ?? isPublic(channel).finally(() => asking.delete(channel));
    asking.set(channel, answer);
    return answer;
  }

  async function isPublic(channel: string): Promise<boolean> {
    try {
      return await isPublicNow(client, channel);
    } catch (error) {
      if (!store.hasPrivateOrganization) throw error;
      log.warn({ err: error, channel }, 'could not find out from Slack whether a channel is public');
      return false;
    }
  }

  return async (channel) => {
    // A direct message with the bot: whoever asks for an issue there knows what they write.
    if (channel.startsWith('D')) return false;
    const { isPrivate, settings } = await store.channels.get(channel);
    if (!isPrivate) return false;
    const mustAgree =
      !store.hasPrivateOrganization &&
      (settings.namedElsewhere === undefined || !isAgreed(settings.namedElsewhere, await languageModel()));
    if ((privateUntil.get(channel) ?? 0) > clock.now()) return mustAgree;
    if (await isPublicOnce(channel)) {
      await store.channels.learn(channel, false);
      return false;
    }
    privateUntil.set(channel, clock.now() + CACHE_MS);
    return mustAgree;
  };
}
