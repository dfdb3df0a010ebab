import type { SendWebhook } from '../scenarios/alerts.ts';
import { Refusal } from '../scenarios/refusal.ts';

/** Posts played webhooks to the bot, with its token. */
export function createSendWebhook(token: string, botUrl: () => string | null): SendWebhook {
  return async (source, body, headers) => {
    const url = botUrl();
    if (url === null) throw new Refusal('Gumshoe is down, so it takes no webhooks. Start it again first.');
    const answer = await fetch(new URL(`/alerts/${source}`, url), {
      method: 'POST',
      headers: { ...headers, authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    }).catch((cause: unknown) => {
      throw new Refusal('Gumshoe did not answer the webhook. It may have been stopped meanwhile.', { cause });
    });
    if (answer.ok) return;
    throw new Refusal(
      `Gumshoe refused the webhook (${answer.status}): ${(await answer.text()).slice(0, 300)}`,
    );
  };
}
