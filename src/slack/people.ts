import type { WebClient } from '@slack/web-api';
import type { Clock } from '../lib/clock.ts';
import { classifySlackError } from './errors.ts';

const CACHE_MS = 10 * 60_000;
const MAX_CACHED = 5_000;
const NOT_OURS = new Set(['user_not_found', 'user_not_visible']);

/** Why a person may not use Gumshoe; `null` for those who may (DESIGN section 4, *Who may*). */
type Refusal = 'guest' | 'external' | null;

export interface People {
  refusal(userId: string): Promise<Refusal>;
}

/** Who somebody is in the workspace, from `users.info`, remembered for ten minutes. */
export function createPeople(options: {
  client: WebClient;
  clock: Clock;
  teamId: string;
  allowGuests: boolean;
  allowExternal: boolean;
}): People {
  const { client, clock, teamId } = options;
  const known = new Map<string, { kind: Refusal; until: number }>();

  async function kindOf(userId: string): Promise<Refusal> {
    const cached = known.get(userId);
    if (cached && cached.until > clock.now()) return cached.kind;
    const kind = await lookUp(client, userId, teamId);
    if (known.size >= MAX_CACHED) known.clear();
    known.set(userId, { kind, until: clock.now() + CACHE_MS });
    return kind;
  }

  return {
    refusal: async (userId) => {
      if (options.allowGuests && options.allowExternal) return null;
      const kind = await kindOf(userId);
      if (kind === 'guest' && options.allowGuests) return null;
      return kind === 'external' && options.allowExternal ? null : kind;
    },
  };
}

async function lookUp(client: WebClient, userId: string, teamId: string): Promise<Refusal> {
  try {
    const { user } = await client.users.info({ user: userId });
    const teams = [user?.team_id ?? teamId, ...(user?.enterprise_user?.teams ?? [])];
    if (user?.is_stranger === true || !teams.includes(teamId)) return 'external';
    return user?.is_restricted === true || user?.is_ultra_restricted === true ? 'guest' : null;
  } catch (error) {
    const failure = classifySlackError(error);
    // Slack does not show us everybody of another organisation who is in a shared channel.
    if (failure.kind === 'refused' && NOT_OURS.has(failure.error)) return 'external';
    throw error;
  }
}
