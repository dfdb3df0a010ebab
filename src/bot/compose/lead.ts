import type { ServiceClient } from '../../contract/client/client.ts';
import { createDegraded } from '../health/health.ts';
import { wantBesideResults } from '../slack/uploads/pictures.ts';
import { createPoller, createPollSchedule } from '../watching/poll.ts';
import type { Common, Shared } from './common.ts';
import type { ServiceParts } from './service.ts';
import type { SlackParts } from './slack.ts';
import { composeWorkers } from './workers.ts';

/**
 * Starts what one process at a time does: it posts, files, asks and polls, and reads what was missed. It ends with
 * `lifecycle`, and may be started again afterwards.
 */
export async function startLeading(
  common: Common,
  shared: Shared,
  service: ServiceParts,
  slack: SlackParts,
): Promise<void> {
  const { lifecycle } = shared;
  const degraded = createDegraded();
  const forget = shared.degraded.add(degraded.read);
  lifecycle.onStop('degraded parts', forget);
  const own = { ...shared, degraded };
  const { store, assertLeads } = common;
  const leading = store.replicas === null ? common : { ...common, store: store.checkedBy(assertLeads) };
  const whileLeading = checkedService(service, assertLeads);
  for (const [name, worker] of composeWorkers(leading, own, whileLeading, slack)) {
    await lifecycle.start(name, worker);
  }
  startPolling(leading, own, whileLeading);
}

/** The service, with a check before each call that changes something there. */
function checkedService({ services, organizations }: ServiceParts, check: () => void): ServiceParts {
  const checked = (service: ServiceClient): ServiceClient => ({
    ...service,
    issues: {
      ...service.issues,
      create: (...words) => {
        check();
        return service.issues.create(...words);
      },
      update: (...words) => {
        check();
        return service.issues.update(...words);
      },
    },
    query: {
      ask: (...words) => {
        check();
        return service.query.ask(...words);
      },
      stream: (...words) => {
        check();
        return service.query.stream(...words);
      },
    },
  });
  return {
    services: { ...services, for: (organization) => checked(services.for(organization)) },
    organizations: organizations.map((one) => ({ ...one, service: checked(one.service) })),
  };
}

function startPolling(common: Common, shared: Shared, { organizations }: ServiceParts): void {
  const { config, lifecycle, statusTracker, degraded } = shared;
  const onResults = wantBesideResults(config);
  const pollers = organizations.map((of) => createPoller({ ...common, ...of, onResults }));
  for (const poller of pollers) degraded.add(() => poller.degraded());
  const poll = () => Promise.all(pollers.map((poller) => poller.tick())).then(statusTracker.polled);
  const schedule = createPollSchedule(config.pollCron, poll, common);
  lifecycle.onStop('pollers', () => Promise.all(pollers.map((poller) => poller.stop())));
  lifecycle.onStop('poll schedule', () => schedule.stop());
}
