import type { KnownBlock } from '@slack/types';
import type { SetupProgress } from '../../store/setup.ts';
import { bold } from '../escape.ts';
import { context, section } from '../rendered.ts';

/** Which steps of the first hour are done, for the whole installation. */
export interface SetupSteps extends SetupProgress {
  service: boolean;
  /** The embedded service answers about a simulated shop. */
  simulated: boolean;
}

/** On the Home, and in `/gumshoe help`. */
const SETUP_TITLE = 'Getting started';

/** The first steps as lines: those that are done are ticked, the next one says how. Safe mrkdwn. */
export function setupLines(steps: SetupSteps): string[] {
  const all = [
    { name: 'Add Gumshoe to Slack', isDone: true, how: '' },
    { name: 'Connect the investigation service', isDone: steps.service, how: serviceHint(steps) },
    {
      name: 'Watch an alert channel',
      isDone: steps.watching,
      how: 'Type `/invite @Gumshoe` in the channel, then run `/gumshoe watch` there.',
    },
    {
      name: 'File the first issue',
      isDone: steps.filed,
      how: 'The next alert in a watched channel becomes one. To try it now, run `/investigate` and say what is wrong.',
    },
    {
      name: 'Read the first verdict',
      isDone: steps.verdict,
      how: 'It is posted in the issue’s thread when the investigation ends.',
    },
    {
      name: 'Ask a follow-up question',
      isDone: steps.asked,
      how: 'Mention @Gumshoe in the issue’s thread, for example “@Gumshoe why?”.',
    },
  ];
  const next = all.find(({ isDone }) => !isDone);
  return all.map((step) => {
    if (step.isDone) return `✅ ${step.name}`;
    return step === next ? `👉 ${bold(step.name)}: ${step.how}` : `⬜ ${step.name}`;
  });
}

/** The first steps as a part of a message or of the Home. */
export function setupBlocks(steps: SetupSteps): KnownBlock[] {
  return [
    section([bold(SETUP_TITLE), ...setupLines(steps)].join('\n')),
    context('`docs/quickstart.md` explains each step. This list disappears when all are done.'),
  ];
}

function serviceHint({ simulated }: SetupSteps): string {
  return simulated
    ? 'So far, the embedded service investigates a simulated shop. Set `PROMETHEUS_URL`, or the `ISSUE_SERVICE_URL` of your own service, and restart.'
    : 'It has not answered yet. `npm run doctor` says what is wrong.';
}
