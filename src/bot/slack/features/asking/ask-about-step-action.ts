import { ask } from '../../../asking/ask.ts';
import { findStep, nameOf } from '../../../issues/checklist.ts';
import { noThreadYet, stepUnknown } from '../../../render/results/checklist.ts';
import { onIssueAction } from '../../listening/on-issue-action.ts';
import { tellPerson } from '../../listening/tell.ts';
import { stepOf } from '../results/tick-step-action.ts';

/** *Ask about this step*: asks the question in the issue's thread, on behalf of whoever pressed it. */
export const askAboutStep = onIssueAction('askAboutStep', async (context, deps) => {
  const { issue, userId, respond, triggerId, moment } = context;
  const ref = stepOf(context);
  const found = ref === null ? null : await findStep(ref, deps.store);
  if (found === null) return tellPerson(respond, stepUnknown(), deps);
  if (issue.threadTs === null) return tellPerson(respond, noThreadYet(), deps);
  const { step, action } = found;
  const name = nameOf(step);
  const content = step.content?.trim() ?? '';
  const of = action.title?.trim() ? ` of “${action.title.trim()}”` : '';
  const lines = [
    `What does the step “${name}”${of} do, how do I carry it out safely, and how do I know that it worked?`,
    ...(content === '' || content === name ? [] : [`The step says:\n${content}`]),
  ];
  const asked = {
    id: `step:${issue.id}:${triggerId}`,
    channel: issue.channel,
    threadTs: issue.threadTs,
    asker: userId,
    text: lines.join('\n\n'),
    shown: `About the step “${name}”`,
    ts: moment.ts,
    calls: true,
  };
  await ask(asked, { store: deps.store, clock: deps.clock, ...deps.asking });
});
