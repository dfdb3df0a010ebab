import type { WebClient } from '@slack/web-api';
import type { Clock } from '../lib/clock.ts';

const CACHE_MS = 10 * 60_000;
const MAX_CACHED = 5_000;

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
    const { user } = await client.users.info({ user: userId });
    const teams = user?.enterprise_user?.teams ?? [];
    const external = user?.is_stranger === true || (user?.team_id !== teamId && !teams.includes(teamId));
    const guest = user?.is_restricted === true || user?.is_ultra_restricted === true;
    const kind = external ? 'external' : guest ? 'guest' : null;
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
