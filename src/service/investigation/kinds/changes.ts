import type { Change } from '../../telemetry/model.ts';
import type { Candidate } from '../candidates.ts';
import { timeOfDay } from '../format.ts';
import {
  aftermath,
  changeBefore,
  changeObservation,
  type Kind,
  limitShare,
  logObservation,
  metricObservation,
  nearness,
  symptomOf,
  undoing,
} from './observations.ts';

/** The share of its limit at which a resource has run out. */
const RAN_OUT = 0.9;

/** What breaks something at once does so within this many milliseconds of its rollout. */
const AT_ONCE = 5 * 60_000;

/** Whether a change is suspected for its time alone, which is not even close to the onset, or another's as well. */
function isOnlyAfter(candidate: Candidate, kind: 'deploy' | 'config'): boolean {
  const symptom = symptomOf(candidate);
  const change = symptom && changeBefore(candidate, kind, symptom.onset);
  if (change === undefined || change.details !== null) return false;
  const since = (symptom?.onset ?? 0) - AT_ONCE;
  const isOther = ({ at, kind: what, version }: Change) =>
    at >= since && at <= change.at && what === change.kind && version !== change.version;
  return change.at < since || candidate.changes.some(isOther);
}

/** A new version that fails. */
export const badDeploy: Kind = {
  name: 'bad deploy',
  headline: (service, candidate) =>
    candidate && isOnlyAfter(candidate, 'deploy')
      ? `degradation of ${service} after a deploy`
      : `bad deploy of ${service}`,
  assess(candidate) {
    const symptom = symptomOf(candidate);
    const deploy = symptom && changeBefore(candidate, 'deploy', symptom.onset);
    if (!deploy || !symptom) return null;
    const line = candidate.ownLogs.find(({ level }) => level === 'error');
    const service = candidate.node.name;
    const lead = Math.max(0, symptom.onset - deploy.at);
    // A resource that ran out explains more than a deploy that happened to precede it.
    const ranOut = candidate.anomalies.some(
      (anomaly) => anomaly.profile.role === 'resource' && (limitShare(candidate, anomaly) ?? 0) >= RAN_OUT,
    );
    return {
      strength:
        0.5 * nearness(lead) +
        (line ? 0.3 : 0) +
        (candidate.anomaly('errors') ? 0.1 : 0) -
        (ranOut ? 0.3 : 0),
      isOnlyAfter: isOnlyAfter(candidate, 'deploy'),
      detail: `${deploy.version ?? 'a new version'} rolled out at ${timeOfDay(deploy.at)}, and ${aftermath(symptom, lead)}`,
      observations: [
        changeObservation(deploy, lead),
        ...(line ? [logObservation(service, line)] : []),
        metricObservation(service, symptom),
      ],
    };
  },
  remedies: (candidate, { observations }) => {
    const service = candidate.node.name;
    const deploy = observations.find((observation) => observation.type === 'change')?.change;
    const version = deploy?.version ?? 'the new version';
    const line = observations.find((observation) => observation.type === 'log');
    const { steps, before, note } = undoing(candidate, deploy, (ran) =>
      ran === null
        ? `Deploy the version of ${service} that ran before ${version}.`
        : `Deploy ${service} ${ran}.`,
    );
    return [
      {
        title: `Roll back ${service}${before === null ? '' : ` to ${before}`}`,
        description: `Go back to ${before ?? `the version before ${version}`}: the trouble started after ${version} was rolled out.${note}`,
        category: 'immediate',
        steps: [
          {
            title: 'Check that no migration blocks the rollback',
            type: 'check',
            content: `Verify: ${version} of ${service} made no schema or data change that the previous version cannot read.`,
            help: 'If it did, fix forward instead.',
            required: true,
          },
          ...steps.map((step) => ({
            ...step,
            help: 'Errors should drop within a minute of the last pod being replaced.',
            required: true,
          })),
          {
            title: 'Confirm that errors are back to normal',
            type: 'check',
            content: `Done when: the ${service} error rate stays below 1% for ten minutes.`,
            help: 'Its callers should recover with it.',
            required: true,
          },
        ],
      },
      {
        title: `Fix what ${version} broke`,
        description: line
          ? `The new error: ${line.description}`
          : `Diff ${version} against the previous version.`,
        category: 'follow_up',
        steps: [
          {
            title: 'Reproduce the error in a test',
            type: 'info',
            content: line ? line.pattern.example : `Replay failed ${service} requests against ${version}.`,
            help: 'Logs and traces of a failing request say which one.',
            required: true,
          },
          {
            title: 'Catch the next one with a canary',
            type: 'info',
            content: `Send 5% of traffic to each new version of ${service} for ten minutes, and abort on errors.`,
            help: 'A canary limits what a bad version can reach.',
            required: false,
          },
        ],
      },
    ];
  },
};

/** A setting that was changed for the worse. */
export const configChange: Kind = {
  name: 'configuration change',
  headline: (service) => `bad configuration change on ${service}`,
  assess(candidate) {
    const symptom = symptomOf(candidate);
    const change = symptom && changeBefore(candidate, 'config', symptom.onset);
    if (!change || !symptom) return null;
    const line = candidate.ownLogs.find(({ level }) => level === 'error');
    const service = candidate.node.name;
    const lead = Math.max(0, symptom.onset - change.at);
    return {
      strength: 0.55 * nearness(lead) + (line ? 0.3 : 0) + 0.1,
      detail: `"${change.title}" went live at ${timeOfDay(change.at)}, and ${aftermath(symptom, lead)}`,
      observations: [
        changeObservation(change, lead),
        ...(line ? [logObservation(service, line)] : []),
        metricObservation(service, symptom),
      ],
    };
  },
  remedies: (candidate, { observations }) => {
    const service = candidate.node.name;
    const change = observations.find((observation) => observation.type === 'change')?.change;
    const what = change?.title ?? `the last configuration change of ${service}`;
    const { steps, note } = undoing(candidate, change, () => `Bring back what was set before "${what}".`);
    return [
      {
        title: `Revert the configuration change on ${service}`,
        description: `Undo "${what}".${note}`,
        category: 'immediate',
        steps: [
          {
            title: 'Ask who changed it, and why',
            type: 'info',
            content: what,
            help: 'It may have fixed another problem, which comes back with the revert.',
            required: false,
          },
          ...steps.map((step) => ({
            ...step,
            title: step.type === 'check' ? 'Restore the previous value' : step.title,
            help: `Restart ${service} if it does not watch its configuration.`,
            required: true,
          })),
          {
            title: 'Confirm that errors are back to normal',
            type: 'check',
            content: `Done when: the ${service} error rate stays below 1% for ten minutes.`,
            help: 'Its callers should recover with it.',
            required: true,
          },
        ],
      },
      {
        title: 'Validate configuration before it goes live',
        description: `A check when ${service} starts rejects values that cannot work.`,
        category: 'follow_up',
        steps: [
          {
            title: 'Add a range check for this setting',
            type: 'info',
            content: `Reject values outside the range covered by the ${service} load tests.`,
            help: 'Roll configuration out gradually, the way you deploy.',
            required: true,
          },
        ],
      },
    ];
  },
};
