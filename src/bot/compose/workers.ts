import { createMasking } from '../../lib/masking.ts';
import { redactor } from '../../lib/redact.ts';
import { withoutHidden } from '../../lib/text.ts';
import type { Worker } from '../../lib/worker-loop.ts';
import { createAnswerer } from '../asking/answerer.ts';
import type { Deps } from '../deps.ts';
import { createDigester } from '../digest/digests.ts';
import { fileAnotherCause } from '../filing/another-cause.ts';
import { createCreator } from '../filing/create.ts';
import { organizationFor } from '../filing/privacy.ts';
import { createProposalWatch } from '../filing/proposals.ts';
import { sendersIn } from '../filing/senders.ts';
import { createTimers } from '../filing/timers.ts';
import { createStatusPusher } from '../issues/push-status.ts';
import type { Pager } from '../owners/pager.ts';
import { createPaging } from '../owners/paging.ts';
import { serviceProblem } from '../problems/stored.ts';
import { ticketRefused } from '../render/issues/ticket.ts';
import { createLogTruncation, createSweeper, createTombstoneCheck } from '../retention/sweeper.ts';
import { createTrialWatch } from '../settings/trial.ts';
import { issueNumber } from '../shared/issue-number.ts';
import { createAgentContext } from '../slack/agent-context/agent-context.ts';
import { createStreams } from '../slack/delivery/content.ts';
import { createDelivery } from '../slack/delivery/deliver.ts';
import { giveUpGone, keepPlace, sendToPerson, stoppedInSlack } from '../slack/delivery/outcomes.ts';
import { postEphemeral } from '../slack/listening/notify.ts';
import { createMessages } from '../slack/messages/index.ts';
import { blockUntilRepaired } from '../slack/problems/problems.ts';
import { createSessionKeeper } from '../slack/sessions.ts';
import { showMetric, wantBesideResults } from '../slack/uploads/beside-results.ts';
import { createTicketer } from '../tickets/tickets.ts';
import type { Tracker } from '../tickets/tracker.ts';
import { createTracker } from '../tickets/trackers.ts';
import { createArtifactFetcher } from '../watching/artifacts.ts';
import { createPoller, createPollSchedule, type Poller } from '../watching/poll.ts';
import { createPredictionWatch } from '../watching/predictions.ts';
import { createServiceWatch } from '../watching/service-watch.ts';
import { createSystemsWatch } from '../watching/systems.ts';
import { createYoungWatch } from '../watching/young.ts';
import { createAlertmanagerPull, createSilences } from '../webhooks/alertmanager.ts';
import { createMaintenanceWatch } from '../webhooks/status-pages.ts';
import { composeWebhookWorker } from './webhooks.ts';

/** What one process at a time does in the background, by name, in the order of their start. */
export function createWorkers(deps: Deps): [name: string, worker: Worker][] {
  const { alertmanager, organizations, wakeups, problems } = deps;
  const one = <T>(make: (of: Deps['organizations'][number]) => T) => organizations.map(make);
  const serviceWatches = one((of) => createServiceWatch({ ...deps, ...of }));
  for (const { sources } of serviceWatches) for (const source of sources) problems.watch(source);
  return [
    ['delivery', deliveryWorker(deps)],
    ['webhooks', composeWebhookWorker(deps)],
    ...named(
      'Alertmanager',
      alertmanager === null
        ? []
        : [createAlertmanagerPull({ ...deps, alertmanager, routes: deps.alertRoutes })],
    ),
    ...named('maintenances', deps.statusPages.length === 0 ? [] : [createMaintenanceWatch(deps)]),
    ...named('silences', alertmanager?.silences ? [createSilences({ ...deps, alertmanager })] : []),
    ...named(
      'creator',
      one((of) => createCreator({ ...deps, ...of, filed: wakeups.filed[of.organization] })),
    ),
    ['answerer', answerWorker(deps)],
    ...named(
      'status pusher',
      one((of) => createStatusPusher({ ...deps, ...of, status: wakeups.status[of.organization] })),
    ),
    ['timers', createTimers({ ...deps, wakeup: wakeups.timers })],
    ['artifact fetcher', createArtifactFetcher({ ...deps, onKept: showMetric, wakeup: wakeups.artifacts })],
    ['predictions', createPredictionWatch(deps)],
    ['trials', createTrialWatch(deps)],
    [
      'proposals',
      createProposalWatch({ ...deps, sendersIn: (channel) => sendersIn(deps.store, channel, deps) }),
    ],
    ['digester', createDigester(deps)],
    [
      'systems',
      createSystemsWatch({ ...deps, organizationOf: (channel) => organizationFor(deps.store, channel) }),
    ],
    ...named(
      'tickets',
      deps.tickets === null ? [] : [ticketWorker(deps, createTracker(deps.tickets, undefined, deps.clock))],
    ),
    ...named('pages', deps.owners.pager === null ? [] : [pagingWorker(deps, deps.owners.pager)]),
    ['sweeper', createSweeper(deps)],
    ['log truncation', createLogTruncation(deps)],
    ['tombstone check', createTombstoneCheck(deps)],
    ['sessions', createSessionKeeper({ ...deps, wakeup: deps.wakeups.sessions })],
    ...named('service watch', serviceWatches),
  ];
}

function named(name: string, workers: readonly Worker[]): [string, Worker][] {
  return workers.map((worker) => [name, worker]);
}

/** Asks the service what has changed, on schedule. */
export function createPolling(deps: Deps): Worker {
  const { organizations, problems, pollCron, statusTracker, wakeups } = deps;
  const onResults = wantBesideResults(deps);
  const pollers: Poller[] = [];
  const young = organizations.map((of) => {
    const poller = createPoller({
      ...deps,
      ...of,
      onResults,
      fileAnotherCause: (tx, issue, found) => fileAnotherCause(tx, issue, found, deps),
    });
    pollers.push(poller);
    const name = serviceProblem(of.organization, 'poll');
    problems.watch({ name, fixedBy: 'nobody', sentence: () => poller.degraded() });
    return createYoungWatch({ ...deps, ...of, poller, wakeup: wakeups.young[of.organization] });
  });
  const poll = () => Promise.all(pollers.map((poller) => poller.tick())).then(statusTracker.polled);
  let schedule: ReturnType<typeof createPollSchedule> | undefined;
  return {
    start: () => {
      schedule = createPollSchedule(pollCron, poll, deps);
      for (const watch of young) watch.start();
    },
    stop: async () => {
      schedule?.stop();
      await Promise.all([...pollers, ...young].map((one) => one.stop()));
    },
  };
}

function pagingWorker(deps: Deps, pager: Pager): Worker {
  const redact = redactor([...deps.secrets, ...deps.owners.secrets]);
  const masking = createMasking();
  return createPaging({
    ...deps,
    pager,
    ownerNamed: deps.owners.named,
    redact: (text) => masking.text(withoutHidden(redact(text))).trim(),
  });
}

function ticketWorker(deps: Deps, tracker: Tracker): Worker {
  const redact = redactor(deps.secrets);
  const masking = createMasking();
  return createTicketer({
    ...deps,
    tracker,
    redact: (text) => masking.text(withoutHidden(redact(text))).trim(),
    // By rule, nobody asked.
    onRefused: async (issue, row, failure) => {
      if (row.wantedBy === deps.identity.botUserId) return;
      const place = { channel: issue.channel, user: row.wantedBy, threadTs: issue.threadTs };
      await postEphemeral(ticketRefused(issueNumber(issue), { ...row, failure }), place, deps);
    },
  });
}

function deliveryWorker(deps: Deps): Worker {
  const { slackProblems, wakeups } = deps;
  return createDelivery({
    ...deps,
    slack: deps,
    contentOf: createMessages({
      ...deps,
      trial: (days) => deps.services.for('default').trial(days),
    }),
    onPlaced: (tx, placed) => keepPlace(tx, placed, deps),
    onRefused: (row, error) => sendToPerson(row, error, deps),
    onParked: (row, error) => blockUntilRepaired(row, error, deps),
    onPosted: (channel) => slackProblems.channelWorks(channel),
    onGone: (row, error) => giveUpGone(row, error, deps),
    onStopped: (questionId) => stoppedInSlack(questionId, deps),
    streams: createStreams(),
    wakeup: wakeups.outbox,
  });
}

function answerWorker(deps: Deps): Worker {
  return createAnswerer({
    ...deps,
    asked: deps.wakeups.asked,
    timeoutMs: deps.askTimeoutSeconds * 1000,
    materials: createAgentContext({ ...deps, ...deps.slack, slack: deps }),
  });
}
