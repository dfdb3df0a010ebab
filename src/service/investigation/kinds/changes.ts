import type { Change } from '../../telemetry/model.ts';
import type { Candidate } from '../candidates.ts';
import { amount, timeOfDay } from '../format.ts';
import { sameChange } from '../ranking/blamed-change.ts';
import { aftermath } from '../words/movement.ts';
import {
  changeBefore,
  changeObservation,
  type Kind,
  limitShare,
  logObservation,
  metricObservation,
  nearness,
  type Remedy,
  symptomOf,
  undoing,
} from './observations.ts';

/** The share of its limit at which a resource has run out. */
const RAN_OUT = 0.9;

/** Whether a change is the cause for all that is known: else it is named as what came before, and no more. */
function isProven(candidate: Candidate, change: Change): boolean {
  return candidate.proof !== null && sameChange(candidate.proof.change, change);
}

function changeOf(candidate: Candidate, kind: 'deploy' | 'config'): Change | undefined {
  const symptom = symptomOf(candidate);
  return symptom && changeBefore(candidate, kind, symptom.onset);
}

/** What proves it, or that nothing does; follows the detail and a semicolon. */
function proofOf({ proof }: Candidate, isProven_: boolean): string {
  if (!isProven_ || proof === null) return 'not proven to be the cause';
  const { proof: how } = proof;
  if (how.kind === 'rollback') return `it ended with the rollback at ${timeOfDay(how.at)}`;
  if (how.kind === 'version') {
    const { signal, is, was, newer, older } = how;
    return `${signal.label} is ${amount(is, signal.unit)} on ${instances(newer)} with it and ${amount(was, signal.unit)} on ${instances(older)} without it, at the same time`;
  }
  const touches = how.kind === 'frame' ? 'touched' : 'contains';
  return `${how.service} logs \`${cut(how.line)}\`, and only this change ${touches} \`${how.quote}\``;
}

function instances(count: number): string {
  return count === 1 ? 'the one instance' : `the ${count} instances`;
}

const LONGEST_LINE = 160;

function cut(line: string): string {
  return line.length <= LONGEST_LINE ? line : `${line.slice(0, LONGEST_LINE - 1)}…`;
}

/** A new version that fails. */
export const badDeploy: Kind = {
  name: 'bad deploy',
  headline: (service, candidate) => {
    const deploy = candidate && changeOf(candidate, 'deploy');
    return candidate && deploy && isProven(candidate, deploy)
      ? `bad deploy of ${service}`
      : `degradation of ${service} after a deploy`;
  },
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
        (isProven(candidate, deploy) ? 0.3 : 0) +
        (candidate.anomaly('errors') ? 0.1 : 0) -
        (ranOut ? 0.3 : 0),
      isOnlyAfter: !isProven(candidate, deploy),
      detail: `${deploy.version ?? 'a new version'} rolled out at ${timeOfDay(deploy.at)}, and ${aftermath(symptom, lead)}; ${proofOf(candidate, isProven(candidate, deploy))}`,
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
    if (deploy !== undefined && !isProven(candidate, deploy)) return lookAt(candidate, deploy);
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
        description: `Go back to ${before ?? `the version before ${version}`}: the symptoms began after ${version} was rolled out.${note}`,
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
  headline: (service, candidate) => {
    const change = candidate && changeOf(candidate, 'config');
    return candidate && change && isProven(candidate, change)
      ? `bad configuration change on ${service}`
      : `degradation of ${service} after a configuration change`;
  },
  assess(candidate) {
    const symptom = symptomOf(candidate);
    const change = symptom && changeBefore(candidate, 'config', symptom.onset);
    if (!change || !symptom) return null;
    const line = candidate.ownLogs.find(({ level }) => level === 'error');
    const service = candidate.node.name;
    const lead = Math.max(0, symptom.onset - change.at);
    return {
      strength: 0.55 * nearness(lead) + (line ? 0.3 : 0) + (isProven(candidate, change) ? 0.3 : 0) + 0.1,
      isOnlyAfter: !isProven(candidate, change),
      detail: `"${change.title}" went live at ${timeOfDay(change.at)}, and ${aftermath(symptom, lead)}; ${proofOf(candidate, isProven(candidate, change))}`,
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
    if (change !== undefined && !isProven(candidate, change)) return lookAt(candidate, change);
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

/** What to do about a change that only came before: find out whether it is the cause, before it is taken back. */
function lookAt({ node: { name } }: Candidate, change: Change): Remedy[] {
  const what = change.version ?? `"${change.title}"`;
  const before = change.before ?? 'the version before';
  return [
    {
      title: `Look at ${what} of ${name}`,
      description: `It came shortly before ${name} degraded, and nothing proves that it is the cause.`,
      category: 'immediate',
      steps: [
        {
          title: 'Read what it changed',
          type: 'info',
          content: change.url ?? `Diff ${what} of ${name} against ${before}.`,
          help: 'Look for what touches the requests that fail or have become slow.',
          required: true,
        },
        {
          title: 'Compare one instance without it',
          type: 'check',
          content: `Verify: one instance of ${name} on ${before} is healthy while the others are not.`,
          help: 'If it is, that is the proof, and the others can be rolled back. If it is not, look elsewhere.',
          required: true,
        },
      ],
    },
  ];
}
