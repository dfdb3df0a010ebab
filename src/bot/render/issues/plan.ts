import type { PlanBlock, RichTextBlock, TaskCardBlock } from '@slack/types';
import type { ProgressOfInvestigation } from '../views.ts';
import { count } from '../words.ts';

interface Step {
  id: string;
  title: string;
  isDone: boolean;
  found: string;
}

/** The steps of an investigation under way, from what it has found so far. */
export function planBlock(found: ProgressOfInvestigation): PlanBlock {
  const steps = stepsOf(found);
  const last = steps.findLastIndex(({ isDone }) => isDone);
  return {
    type: 'plan',
    title: 'Investigation in progress',
    tasks: steps.map(({ id, title, found: words }, index): TaskCardBlock => {
      // What comes later in an investigation shows that what comes before is done.
      const status = index <= last ? 'complete' : index === last + 1 ? 'in_progress' : 'pending';
      const details = words === '' ? {} : { details: richText(words) };
      return { type: 'task_card', task_id: id, title, status, ...details };
    }),
  };
}

function stepsOf({ overview, evidence, ruledOut, causes }: ProgressOfInvestigation): Step[] {
  const looked = [
    ...(evidence > 0 ? [`${count(evidence, 'piece')} of evidence`] : []),
    ...(ruledOut > 0 ? [`${ruledOut} ruled out`] : []),
  ].join(', ');
  return [
    { id: 'alert', title: 'Read the alert', isDone: overview, found: '' },
    { id: 'telemetry', title: 'Query the telemetry', isDone: evidence + ruledOut > 0, found: looked },
    {
      id: 'causes',
      title: 'Weigh the causes',
      isDone: causes > 0,
      found: causes > 0 ? `${count(causes, 'cause')} and effects` : '',
    },
    { id: 'results', title: 'Write the results', isDone: false, found: '' },
  ];
}

function richText(text: string): RichTextBlock {
  return {
    type: 'rich_text',
    elements: [{ type: 'rich_text_section', elements: [{ type: 'text', text }] }],
  };
}
