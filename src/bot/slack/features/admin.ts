import type { App, SlashCommand } from '@slack/bolt';
import { type Clock, timeoutSignal } from '../../../lib/clock.ts';
import { nearest } from '../../../lib/text.ts';
import type { Deps } from '../../deps.ts';
import { digestWords } from '../../digest/settings.ts';
import { sentencesFor } from '../../problems/stored.ts';
import {
  type AuditLine,
  type History,
  historyIsPrivate,
  noHistoryHere,
  renderChannelHistory,
  renderIssueHistory,
  usageAudit,
} from '../../render/admin/audit.ts';
import { type ProgramStatus, renderStatus, type StatusView } from '../../render/admin/status.ts';
import {
  gumshoeHelp,
  lacksScopes,
  needsChannel,
  notPaused,
  onlyAdmins,
  pausedAlready,
  pausedNow,
  resumedNow,
  unknownSubcommand,
} from '../../render/issues/steering-notices.ts';
import { notAllowed, overtaken } from '../../render/notices.ts';
import type { Rendered } from '../../render/rendered.ts';
import type { SetupSteps } from '../../render/setup/setup.ts';
import {
  onlyAdminsSeeRoutes,
  renderRoutes,
  renderTrial,
  unreadablePayload,
} from '../../render/webhooks/routes.ts';
import { pauseFiling, resumeFiling } from '../../settings/pause.ts';
import { type IssueNumber, parseIssueNumber } from '../../shared/issue-number.ts';
import type { AuditEntry } from '../../store/audit.ts';
import type { Issue } from '../../store/issues.ts';
import type { Store } from '../../store/open.ts';
import { routeOf } from '../../webhooks/routes.ts';
import { missingScopes } from '../access/channel-access.ts';
import type { LanguageModelOf } from '../access/language-model.ts';
import { type CommandCall, commandCall, commandPattern, type Subcommand } from '../commands/command.ts';
import { verbOf } from '../commands/issue-arguments.ts';
import type { Feature, Register } from '../listening/feature.ts';
import { notifyPerson } from '../listening/notify.ts';
import { toolName } from '../messages/cards.ts';
import type { RuntimeStatus } from '../status-tracker.ts';
import { issueReference, privateIssueWithNumber } from './issues/find.ts';
import { showSettings } from './settings.ts';

/**
 * The steps of the first hour (docs/quickstart.md) and which of them are done, for the whole installation.
 *
 * @returns `null` once all are done, and two weeks after the first issue
 */
export async function setupSteps({
  store,
  clock,
  runtimeStatus,
  simulated,
}: {
  store: Store;
  clock: Clock;
  runtimeStatus: () => RuntimeStatus;
  simulated: boolean;
}): Promise<SetupSteps | null> {
  const progress = await store.setup.progress(clock.now());
  if (progress === null) return null;
  const answers = runtimeStatus().service.some(({ state }) => state === 'answers');
  return { ...progress, service: !simulated && (answers || progress.filed), simulated };
}

const DAY_MS = 24 * 60 * 60_000;

export async function programStatus({
  store,
  clock,
  runtimeStatus,
  maxIssuesPerDay,
  languageModel,
}: {
  store: Store;
  clock: Clock;
  runtimeStatus: () => RuntimeStatus;
  maxIssuesPerDay: number;
  languageModel: LanguageModelOf;
}): Promise<ProgramStatus> {
  const { problems: _, ...program } = runtimeStatus();
  return {
    ...program,
    outbox: await store.outbox.countDue(),
    // Does not count the delivery of this request.
    inbox: Math.max(0, (await store.inbox.countOpen()) - 1),
    pending: await store.issues.countPending(),
    day: { used: await store.issues.countFromAlerts(clock.now() - DAY_MS), issues: maxIssuesPerDay },
    watchedChannels: (await store.channels.watched()).length,
    model: await languageModel(),
  };
}

const HELP = 'help';

type Subcommands = Readonly<Record<string, Subcommand>>;

/** `/gumshoe [subcommand]`: this channel's settings, and every subcommand without a command of its own. */
export function onGumshoeCommand(app: App, deps: Deps, subcommands: Subcommands): void {
  app.command(commandPattern('gumshoe'), async ({ ack, ...rest }) => {
    await ack();
    const call = commandCall(rest, deps);
    const { userId, respond } = call;
    try {
      const refusal = await deps.people.refusal(userId);
      if (refusal) return await notifyPerson(respond, notAllowed(refusal), deps);
      const words = call.words.replace(/^\S+\s*/u, '');
      await route(rest.command, { ...call, words }, subcommands, deps);
    } catch (error) {
      const scopes = missingScopes(error);
      if (scopes === null) throw error;
      await notifyPerson(respond, lacksScopes(scopes), deps);
    }
  });
}

async function route(
  { command, text }: SlashCommand,
  call: CommandCall,
  subcommands: Subcommands,
  deps: Deps,
): Promise<void> {
  const typed = text.trim().split(/\s+/u)[0]?.toLowerCase() ?? '';
  if (typed === '') return showSettings(call, deps);
  if (typed === HELP)
    return notifyPerson(call.respond, help(command, subcommands, await setupSteps(deps)), deps);
  const wanted = Object.hasOwn(subcommands, typed) ? subcommands[typed] : undefined;
  if (wanted) return wanted.run(call, deps);
  const known = nearest(typed, [...Object.keys(subcommands), HELP]);
  // *list* and the like belong to `/issue`.
  const own = verbOf(typed) === null ? null : `issue ${typed}`;
  const example = own ?? (known === null ? null : (subcommands[known]?.example ?? known));
  await notifyPerson(call.respond, unknownSubcommand(command, typed, example), deps);
}

function help(command: string, subcommands: Subcommands, setup: SetupSteps | null) {
  const entries = Object.values(subcommands).map(({ example, does }) => ({ usage: example, does }));
  return gumshoeHelp(command, [{ usage: '', does: 'shows this channel’s settings' }, ...entries], setup);
}

const MINUTE_MS = 60_000;
/** The status does not wait for longer for what is connected. */
const SOURCES_MS = 6_000;

const status: Subcommand = {
  example: 'status',
  does: 'shows Gumshoe’s health and what is connected; everything for admins',
  run: async ({ channel, userId, respond }, deps) => {
    const isAdmin = await deps.people.isAdmin(userId, 'remembered');
    const maySee = (one: string) => deps.mayRead({ person: userId }, { channel: one });
    const view: StatusView = {
      channel: channel.startsWith('D') ? null : await ofChannel(channel, deps),
      paused: await deps.store.flags.paused(),
      sources: await connected(deps),
      degraded: await sentencesFor(deps.runtimeStatus().problems, { isAdmin, maySee }),
      program: isAdmin ? await programStatus(deps) : null,
    };
    await notifyPerson(respond, renderStatus(view), deps);
  },
};

/** What the service's investigations read; `null` where it does not say. */
async function connected({ services, log }: Deps): Promise<StatusView['sources']> {
  try {
    return (await services.for('default').sources(timeoutSignal(SOURCES_MS)))?.sources ?? null;
  } catch (error) {
    log.debug({ err: error }, 'the service did not say what is connected');
    return null;
  }
}

async function ofChannel(id: string, { store, clock }: Deps): Promise<StatusView['channel']> {
  const { watched, settings } = await store.channels.get(id);
  const { issues, minutes } = settings.budget;
  const digest = await store.digests.get(id);
  return {
    id,
    watched,
    budget: {
      used: await store.alerts.countFiledSince(id, clock.now() - minutes * MINUTE_MS),
      issues,
      minutes,
    },
    open: (await store.digests.open(id)).length,
    held: await store.alerts.countHeld(id),
    digest: digest === null ? null : { words: digestWords(digest, settings), nextAt: digest.nextAt },
  };
}

const SHOWN = 50;
/** A Slack user id. Anything else in an audit entry means Gumshoe acted on its own. */
const PERSON = /^[UW][A-Z0-9]+$/u;

const audit: Subcommand = {
  example: 'audit 12',
  does: 'shows an issue’s history; without a number, changes to this channel’s settings',
  run: async ({ words, channel, respond }, deps) => {
    const number = parseIssueNumber(words.replace(/\.$/u, ''));
    if (number !== null) {
      return notifyPerson(respond, await ofIssue(number, channel, deps), deps);
    }
    if (words !== '') return notifyPerson(respond, usageAudit(), deps);
    if (channel.startsWith('D')) return notifyPerson(respond, needsChannel(), deps);
    const { entries, older } = await deps.store.audit.ofChannel(channel, SHOWN);
    const history = { lines: entries.map(auditLine), older };
    await notifyPerson(respond, renderChannelHistory(channel, history), deps);
  },
};

async function ofIssue(number: IssueNumber, channel: string, deps: Deps): Promise<Rendered> {
  const issue = await deps.store.issues.byNumber(number);
  if (!issue) return noHistoryHere(number, await privateIssueWithNumber(number, channel, deps));
  if (!(await deps.mayRead({ channel }, issue))) {
    return historyIsPrivate(number, await privateIssueWithNumber(number, channel, deps));
  }
  const { entries, older } = await deps.store.audit.ofIssue(issue.id, SHOWN);
  return renderIssueHistory(await issueReference(issue, channel, deps), historyOf(issue, entries, older));
}

function historyOf(issue: Issue, entries: readonly AuditEntry[], older: number): History {
  const lines = entries.map(auditLine);
  const hasBeginning = older > 0 || entries.some(({ what }) => what.startsWith('filed it'));
  return { lines: hasBeginning ? lines : [beginning(issue), ...lines], older };
}

function beginning({ createdAt: at, requestedBy: who, source }: Issue): AuditLine {
  const tool = toolName(source);
  if (who !== null) return { at, who, what: 'filed it' };
  return {
    at,
    who: null,
    what: tool === null ? 'filed automatically' : `filed automatically from ${tool}’s alert`,
  };
}

function auditLine({ at, who, what }: AuditEntry): AuditLine {
  return PERSON.test(who) ? { at, who, what } : { at, who: null, what };
}

const pause: Subcommand = {
  example: 'pause',
  does: 'stops filing in all channels and puts alerts on hold (admins)',
  run: async ({ userId, cause, moment, respond }, deps) => {
    if (!(await deps.people.isAdmin(userId))) return notifyPerson(respond, onlyAdmins(), deps);
    const change = { cause, by: userId, moment, now: deps.clock.now() };
    const not = await deps.store.transaction((tx) => pauseFiling(tx, change));
    if (not !== null && 'overtaken' in not) return notifyPerson(respond, overtaken(not.overtaken), deps);
    const watched = await deps.store.channels.watched();
    await notifyPerson(respond, not ? pausedAlready(not.already) : pausedNow(watched.length), deps);
  },
};

const resume: Subcommand = {
  example: 'resume',
  does: 'resumes filing and offers the alerts on hold (admins)',
  run: async ({ userId, cause, moment, respond }, deps) => {
    if (!(await deps.people.isAdmin(userId))) return notifyPerson(respond, onlyAdmins(), deps);
    const change = { cause, by: userId, moment, now: deps.clock.now() };
    const offered = await deps.store.transaction((tx) => resumeFiling(tx, change));
    if (offered !== null && 'overtaken' in offered) {
      return notifyPerson(respond, overtaken(offered.overtaken), deps);
    }
    await notifyPerson(respond, offered ? resumedNow(offered) : notPaused(), deps);
  },
};

/** The app was uninstalled from the workspace: checks the token, and exits if it is no longer valid. */
const appUninstalled: Register = (app, deps) => {
  app.event('app_uninstalled', async () => deps.tokenInDoubt());
};

/** Slack revoked tokens of the app, perhaps ours: checks the token, and exits if it is no longer valid. */
const tokensRevoked: Register = (app, deps) => {
  app.event('tokens_revoked', async () => deps.tokenInDoubt());
};

const routes: Subcommand = {
  example: 'routes',
  does: 'shows the sources of webhooks and the routes of alerts; with a source and a payload, where its alerts would go (admins)',
  run: async ({ userId, words, respond }, deps) => {
    if (!(await deps.people.isAdmin(userId))) return notifyPerson(respond, onlyAdminsSeeRoutes(), deps);
    const webhooks = deps.webhookSources;
    const [, source = '', payload = ''] = /^(\S+)\s*([\s\S]*)$/u.exec(words.trim()) ?? [];
    if (source === '') return notifyPerson(respond, renderRoutes(webhooks), deps);
    const name = source.toLowerCase();
    const reading = await webhooks.read(name, payload);
    if (reading === null)
      return notifyPerson(respond, unreadablePayload('There is no such source.', webhooks), deps);
    if (reading.kind === 'confirm') {
      return notifyPerson(
        respond,
        unreadablePayload('It confirms a subscription and contains no alert.', webhooks),
        deps,
      );
    }
    if (reading.kind !== 'alerts')
      return notifyPerson(respond, unreadablePayload(reading.reason, webhooks), deps);
    const alerts = reading.alerts.map((received) => {
      const { title, kind } = received.alert;
      const route = routeOf({ source: name, ...received }, webhooks.routes);
      return { title, kind, route: route === null ? null : { text: route.text, channel: route.channel } };
    });
    await notifyPerson(respond, renderTrial(alerts), deps);
  },
};

export const admin: Feature = {
  subcommands: { status, audit, pause, resume, routes },
  events: { app_uninstalled: appUninstalled, tokens_revoked: tokensRevoked },
};
