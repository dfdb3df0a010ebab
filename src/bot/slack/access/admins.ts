import type { WebClient } from '@slack/web-api';
import type { Store } from '../../store/open.ts';
import { classifySlackError } from '../errors.ts';

const MOST_ADMINS = 3;
const PAGE = 200;
/** A large workspace lists its admins somewhere among thousands: a few calls, no more. */
const MAX_PAGES = 10;

/** Whom to tell about problems that only an operator can fix. */
export interface Admins {
  /**
   * Ids of people: `ADMIN_USERS`. If unset, whoever last changed the settings of the channel (of any watched one if
   * none is given), otherwise up to three admins of the workspace. Empty if Slack does not list them.
   *
   * @throws the client's error if Slack cannot be reached now
   */
  adminsToTell(channel?: string): Promise<string[]>;
}

export function createAdmins({
  client,
  store,
  adminUsers,
}: {
  client: WebClient;
  store: Store;
  adminUsers: readonly string[];
}): Admins {
  return {
    adminsToTell: async (channel) => {
      if (adminUsers.length > 0) return [...adminUsers];
      const watched = channel === undefined ? await store.channels.watched() : [{ channel }];
      const setter = await store.audit.lastToSet(watched.map((one) => one.channel));
      return setter === null ? workspaceAdmins(client) : [setter];
    },
  };
}

async function workspaceAdmins(client: WebClient): Promise<string[]> {
  const found: string[] = [];
  let cursor: string | undefined;
  try {
    for (let page = 0; page < MAX_PAGES && found.length < MOST_ADMINS; page += 1) {
      const answer = await client.users.list({ limit: PAGE, ...(cursor === undefined ? {} : { cursor }) });
      for (const { id, deleted, is_bot, is_admin, is_owner } of answer.members ?? []) {
        if (id && deleted !== true && is_bot !== true && (is_admin || is_owner)) found.push(id);
      }
      cursor = answer.response_metadata?.next_cursor || undefined;
      if (cursor === undefined) break;
    }
  } catch (error) {
    if (classifySlackError(error).kind !== 'refused') throw error;
  }
  return found.slice(0, MOST_ADMINS);
}
