import type { Plan } from '../../store/flags.ts';
import { actionIds } from '../action-ids.ts';
import { date } from '../dates.ts';
import { literal, userMention } from '../escape.ts';
import { fitMessage, notice } from '../fit.ts';
import { actions, button, type Rendered, section } from '../rendered.ts';
import { count } from '../words.ts';

/** Planned work, in its channel, with the button that ends it until it is over. */
export function renderPlanned(plan: Omit<Plan, 'channel'>): Rendered {
  if (plan.isOver === true) return notice(`🚧 ${lineOf(plan)}. It is over.`);
  const text = `🚧 ${lineOf(plan)}. Its alerts get a reaction and no issue; those still open when it ends are filed.`;
  return fitMessage({
    text,
    blocks: [section(text), actions([button('End it now', actionIds.endPlan, plan.id)])],
  });
}

export function renderPlanEnded({
  title,
  fired,
  open,
}: {
  title: string;
  fired: number;
  open: number;
}): Rendered {
  const still =
    open === 0 ? 'none of them is still open' : `${open} of them ${open === 1 ? 'is' : 'are'} still open`;
  return notice(
    `🚧 Planned work${title === '' ? '' : ` (${literal(title)})`} is over: ${count(fired, 'alert')} fired meanwhile, ${still}.`,
  );
}

/** `/gumshoe plan` alone: what is planned in this channel, and the ids of what is stored and cannot be read. */
export function renderPlans(plans: readonly Plan[], unreadable: readonly string[]): Rendered {
  const lines = [
    ...plans.map((plan) => `• ${lineOf(plan)}`),
    ...unreadable.map(() => '• ⚠️ A stored plan cannot be read, so it keeps no alert quiet.'),
  ];
  const usage = 'Plan some with `/gumshoe plan payments 22:00-23:00 "database upgrade"`.';
  const text = [
    lines.length === 0 ? 'No work is planned in this channel.' : 'Planned here:',
    ...lines,
    usage,
  ].join('\n');
  return fitMessage({
    text,
    blocks: [
      section(text),
      ...[
        ...plans.map(({ scope, id }) => ({ words: `End ${scope.join(' ')}`, id })),
        ...unreadable.map((id) => ({ words: 'Remove what cannot be read', id })),
      ]
        .slice(0, 5)
        .map(({ words, id }) => actions([button(words.slice(0, 70), actionIds.endPlan, id)])),
    ],
  });
}

const WRONG = {
  scope:
    'Say what it is about, before the times: services, `env:staging`, labels such as `cluster:eu`. For everything there is `/gumshoe pause`.',
  end: 'Say when it is over: `22:00-23:00` in your own time zone, or how long from now, such as `90m` or `2h`.',
  order: 'That would have begun yesterday: are the two times the wrong way round?',
  long: 'It has to end within seven days, and not be over already.',
};

/** What a plan lacks. */
export function planRefused(what: keyof typeof WRONG): Rendered {
  return notice(`${WRONG[what]} For example: \`/gumshoe plan payments 22:00-23:00 "database upgrade"\`.`);
}

/** It is planned, or over. */
export function planSaved(isOver: boolean): Rendered {
  return notice(
    isOver
      ? 'It is over. Alerts that fired meanwhile and are still open are being filed.'
      : 'Planned, and announced here. `/gumshoe plan` shows what is planned.',
  );
}

export function planGone(): Rendered {
  return notice('That work is over already.');
}

function lineOf({ by, scope, from, until, title }: Omit<Plan, 'channel' | 'id'>): string {
  return `${userMention(by)} planned work on *${literal(scope.join(' ').replaceAll('*', '∗'))}* from ${date(from)} until ${date(until)}${title === '' ? '' : `: ${literal(title)}`}`;
}
