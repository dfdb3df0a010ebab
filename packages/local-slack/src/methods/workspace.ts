import { z } from 'zod';
import type { User } from '../entities.ts';
import { SlackError } from '../errors.ts';
import type { WorkspaceContext } from '../workspace-context.ts';
import { pageOf } from './conversations.ts';
import { type Method, method, whole } from './method.ts';

const apiTest = method({
  name: 'api.test',
  tokens: [],
  scopes: [],
  tier: 4,
  checks: [],
  unchecked: ['the argument `error`, which Slack answers with'],
  args: z.looseObject({}),
  handle: (_, args) => ({ args }),
});

const connectionsOpen = method({
  name: 'apps.connections.open',
  tokens: ['app'],
  scopes: [],
  tier: 3,
  checks: [],
  unchecked: [
    'the scope `connections:write` of the app-level token',
    'that the manifest switches Socket Mode on',
  ],
  args: z.looseObject({}),
  handle: (context) => ({ url: context.socketUrl() }),
});

const authTest = method({
  name: 'auth.test',
  tokens: ['bot', 'app'],
  scopes: [],
  tier: 4,
  checks: [],
  unchecked: [],
  args: z.looseObject({}),
  handle: ({ app, team, pageUrl }, _, token) =>
    token === 'app'
      ? { app_name: app.name, app_id: app.id }
      : {
          url: pageUrl,
          team: team.name,
          user: app.name.toLowerCase(),
          team_id: team.id,
          user_id: app.bot_user_id,
          bot_id: app.bot_id,
          is_enterprise_install: false,
        },
});

const botInfo = method({
  name: 'bots.info',
  tokens: ['bot'],
  scopes: ['users:read'],
  tier: 3,
  checks: ['bot_not_found'],
  unchecked: ['bots of other apps'],
  args: z.looseObject({ bot: z.string().optional() }),
  handle: ({ app, pageUrl }, args) => {
    if ((args.bot ?? app.bot_id) !== app.bot_id) throw new SlackError('bot_not_found');
    return {
      bot: {
        id: app.bot_id,
        deleted: false,
        name: app.name,
        updated: 0,
        app_id: app.id,
        user_id: app.bot_user_id,
        icons: { image_48: `${pageUrl}icon.svg` },
      },
    };
  },
});

const teamInfo = method({
  name: 'team.info',
  tokens: ['bot'],
  scopes: ['team:read'],
  tier: 3,
  checks: ['team_not_found'],
  unchecked: ['`domain`, to look for another team'],
  args: z.looseObject({ team: z.string().optional() }),
  handle: ({ team, pageUrl }, args) => {
    if ((args.team ?? team.id) !== team.id) throw new SlackError('team_not_found');
    return { team: { ...team, url: pageUrl, email_domain: '', icon: { image_default: true } } };
  },
});

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

const userInfo = method({
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

/** What an app asks about itself, its people and its workspace. */
export const workspaceMethods: readonly Method[] = [
  apiTest,
  connectionsOpen,
  authTest,
  botInfo,
  teamInfo,
  userInfo,
  list,
];
