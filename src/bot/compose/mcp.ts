import { createHash } from 'node:crypto';
import type { RequestListener } from 'node:http';
import { createHandles } from '../mcp/callers.ts';
import { createMcp } from '../mcp/server.ts';
import { countInMemory } from '../slack/listening/limit.ts';
import type { Common, Shared } from './common.ts';
import type { SlackParts } from './slack.ts';

const LOOPBACK = new Set(['127.0.0.1', 'localhost', '::1']);

/** What answers `POST /mcp`; `null` if it is off. */
export function composeMcp(
  { store, clock }: Common,
  { config }: Shared,
  { listeners, identity }: SlackParts,
): RequestListener | null {
  if (config.mcp === null) return null;
  // Every replica knows the bot token, so any of them opens what another has sealed.
  const secret = createHash('sha256').update(`handles ${config.slack.botToken}`).digest('hex');
  const inMemory = countInMemory(clock);
  return createMcp({
    settings: config.mcp,
    deps: { ...listeners, handles: createHandles(secret), alertChannels: config.alertChannels },
    isLocal: LOOPBACK.has(config.host),
    teamId: identity.teamId,
    countInMinute: store.replicas?.count ?? (async (key) => inMemory(key)),
  });
}
