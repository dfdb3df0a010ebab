import { z } from 'zod';
import type { User } from '../entities.ts';
import { SlackError } from '../slack-error.ts';
import type { WorkspaceContext } from '../workspace-context.ts';
import { pageOf } from './cursor.ts';
import { type Method, method, whole } from './method.ts';

function presentUser(context: WorkspaceContext, user: User): object {
  const { id, team_id, name, real_name, color, tz, is_bot, is_admin, is_restricted, is_stranger } = user;
  return {
    id,
    team_id,
    name,
    deleted: false,
    color,
    real_name,
    ...presentZone(tz, context.clock.now()),
    profile: {
      real_name,
      display_name: name,
      real_name_normalized: real_name,
      display_name_normalized: name,
      team: team_id,
      ...(context.manifest.scopes.includes('users:read.email') && !is_bot && { email: user.email }),
      ...(user.bot_id !== undefined && { bot_id: user.bot_id, api_app_id: context.app.id }),
    },
    is_admin,
    is_owner: false,
    is_primary_owner: false,
    is_restricted,
    is_ultra_restricted: false,
    is_bot,
    is_app_user: false,
    // Slack says this only of people from elsewhere.
    ...(is_stranger && { is_stranger }),
    updated: 0,
  };
}

const info = method({
  name: 'users.info',
  tokens: ['bot'],
  scopes: ['users:read'],
  tier: 4,
  checks: ['user_not_found'],
  unchecked: ['`include_locale`', 'pictures, status and whether somebody is there'],
  args: z.looseObject({ user: z.string() }),
  handle: (context, args) => {
    const user = context.store.users.get(args.user);
    if (!user) throw new SlackError('user_not_found');
    return { user: presentUser(context, user) };
  },
});

const list = method({
  name: 'users.list',
  tokens: ['bot'],
  scopes: ['users:read'],
  tier: 2,
  checks: ['invalid_cursor'],
  unchecked: ['`include_locale` and `team_id`', 'pictures, status and whether somebody is there'],
  args: z.looseObject({ limit: whole.min(0).max(1000).default(0), cursor: z.string().optional() }),
  handle: (context, args) => {
    const { page, next } = pageOf(context.store.users.all(), args.limit || 1000, args.cursor);
    return {
      members: page.map((user) => presentUser(context, user)),
      cache_ts: Math.floor(context.clock.now() / 1000),
      response_metadata: { next_cursor: next },
    };
  },
});

export const usersMethods: readonly Method[] = [info, list];

/** The parts of a moment's name in a zone, e.g. `Eastern Standard Time`, `GMT-05:00`. */
function named(tz: string, at: number, timeZoneName: 'long' | 'longOffset'): string {
  const parts = new Intl.DateTimeFormat('en-US', { timeZone: tz, timeZoneName }).formatToParts(at);
  return parts.find(({ type }) => type === 'timeZoneName')?.value ?? '';
}

/** A person's time zone as Slack gives it: its id, its name at the moment, its seconds before UTC. */
function presentZone(tz: string, at: number): { tz: string; tz_label: string; tz_offset: number } {
  const [, sign = '+', hours = '0', minutes = '0'] =
    /GMT([+-])(\d\d):(\d\d)/.exec(named(tz, at, 'longOffset')) ?? [];
  const seconds = Number(hours) * 3600 + Number(minutes) * 60;
  return { tz, tz_label: named(tz, at, 'long'), tz_offset: sign === '-' ? -seconds : seconds };
}
