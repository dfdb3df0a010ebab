import { z } from 'zod';
import { explainServiceError } from '../../../contract/client/explain-error.ts';
import type { Deps } from '../../deps.ts';
import { changeStatus } from '../../issues/change-status.ts';
import type { actionIds } from '../../render/action-ids.ts';
import type { HomeChoice } from '../../render/home/home.ts';
import { onlyAdmins } from '../../render/issues/steering-notices.ts';
import { cameTooLate, issueUnknownHere, serviceFailure } from '../../render/notices.ts';
import { pauseFiling, resumeFiling } from '../../settings/pause.ts';
import type { Aggregates } from '../../store/open.ts';
import type { Feature, Register } from '../listening/feature.ts';
import { opensInTime } from '../listening/modals.ts';
import { onButton, type Press } from '../listening/press.ts';
import { openedMessagesTab } from './asking/messages-tab.ts';
import { newIssueView } from './issues/new-issue.ts';

const Opened = z.looseObject({ user: z.string(), tab: z.literal('home') });
const OpenedMessages = z.looseObject({
  user: z.string(),
  channel: z.string(),
  tab: z.literal('messages'),
  context: z.unknown().optional(),
});

/** Somebody opened the app's Home tab or its Messages tab. */
const appHomeOpened: Register = (app, deps) => {
  app.event('app_home_opened', async ({ event }) => {
    const parsed = Opened.safeParse(event);
    if (parsed.success) await deps.home.opened(parsed.data.user);
    const messages = OpenedMessages.safeParse(event);
    if (messages.success) await openedMessagesTab(messages.data, deps);
  });
};

/**
 * A listener for one of the Home's buttons. Slack gives no response URL there, so the Home itself shows the outcome; that
 * of somebody without permission says so.
 */
function onHomeAction(
  name: keyof typeof actionIds,
  act: (press: Press, deps: Deps) => Promise<void>,
): Register {
  return onButton(name, (press, deps) => act(press, deps).then(() => undefined), {
    refused: ({ userId }, { home }) => home.show(userId),
  });
}

/** *Previous* and *Next* on the Home; the value is the page. */
function turn({ userId, value }: Press, deps: Deps): Promise<void> {
  return deps.home.show(userId, { page: /^\d{1,6}$/.test(value) ? Number(value) : 0 });
}

const homePrevious = onHomeAction('homePrevious', turn);
const homeNext = onHomeAction('homeNext', turn);

const choices: readonly HomeChoice[] = ['resolve', 'mute', 'reopen'];

/** The menu of an issue on the Home tab; the value is `<choice>:<issue id>`. */
const homeIssue = onHomeAction('homeIssue', async ({ userId, cause, value }, deps) => {
  const colon = value.indexOf(':');
  const change = choices.find((choice) => choice === value.slice(0, colon));
  const issue = await deps.store.issues.get(value.slice(colon + 1));
  // A Home tab may be an hour old, and its reader may have left the channel since.
  const mayRead = issue !== null && (await deps.mayRead({ person: userId }, issue, 'now'));
  if (issue?.uuid == null || change === undefined || !mayRead) {
    return deps.home.show(userId, { note: issueUnknownHere() });
  }
  try {
    await changeStatus({ ...issue, uuid: issue.uuid }, change, { who: userId, cause }, deps);
  } catch (error) {
    deps.log.warn({ err: error, issue: issue.id, change }, 'could not change a status');
    return deps.home.show(userId, { note: serviceFailure(explainServiceError(error)) });
  }
  await deps.home.show(userId);
});

/** *New issue* on the Home: opens the form. The card is sent as a direct message unless a channel is chosen. */
const homeNewIssue = onHomeAction('homeNewIssue', async ({ userId, triggerId }, deps) => {
  if (await opensInTime(triggerId, await newIssueView(null, deps), deps)) return;
  await deps.home.show(userId, { note: cameTooLate() });
});

/** *Pause filing* and *Resume filing* on an admin's Home; neither does anything if it is already so. */
function changing(change: typeof pauseFiling | typeof resumeFiling) {
  return async ({ userId, triggerId, moment }: Press, deps: Deps): Promise<void> => {
    if (!(await deps.people.isAdmin(userId))) return deps.home.show(userId, { note: onlyAdmins() });
    const request = { cause: `home:${triggerId}`, by: userId, moment, now: deps.clock.now() };
    await deps.store.transaction(async (tx: Aggregates) => void (await change(tx, request)));
    await deps.home.show(userId);
  };
}

const homePause = onHomeAction('homePause', changing(pauseFiling));
const homeResume = onHomeAction('homeResume', changing(resumeFiling));

/** The app's Home tab. */
export const home: Feature = {
  actions: { homeIssue, homeNewIssue, homeNext, homePause, homePrevious, homeResume },
  events: { app_home_opened: appHomeOpened },
};
