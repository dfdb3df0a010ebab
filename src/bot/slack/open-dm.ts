import type { WebClient } from '@slack/web-api';
import { classifySlackError } from './errors.ts';

/** The conversation of a person with the app; `null` if Slack opens none (the person is gone, say). */
export async function openDm(client: WebClient, user: string): Promise<string | null> {
  try {
    const { channel } = await client.conversations.open({ users: user });
    return channel?.id ?? null;
  } catch (error) {
    if (classifySlackError(error).kind === 'refused') return null;
    throw error;
  }
}
