import type { Button, Overflow } from '@slack/types';
import type { IssueNumber } from '../../shared/issue-number.ts';
import { actionIds } from '../action-ids.ts';
import { limits } from '../limits.ts';
import { button } from '../rendered.ts';
import type { Offers } from '../views.ts';

/** The entries of a card's `⋯` menu; an option's value is `<choice>:<issue id>`. */
const moreChoices = {
  catchUp: 'Catch me up',
  notSame: 'These are two problems…',
  attach: 'The same problem…',
  investigateAgain: 'Investigate again',
  delete: 'Delete…',
} as const;
export type MoreChoice = keyof typeof moreChoices;
const allChoices: readonly MoreChoice[] = ['catchUp', 'notSame', 'attach', 'investigateAgain', 'delete'];

/** The choice of that name; `null` for none. */
export function moreChoiceOf(name: string | null): MoreChoice | null {
  return allChoices.find((choice) => choice === name) ?? null;
}

export function moreElements(issueId: string, offers: Offers): (Button | Overflow)[] {
  const options = choicesOf(offers)
    .map((choice) => ({
      text: { type: 'plain_text' as const, text: moreChoices[choice], emoji: true },
      value: `${choice}:${issueId}`,
    }))
    .filter(({ value }) => value.length <= limits.optionValue);
  return [
    ...(offers.attachTo === null ? [] : [attachButton(issueId, offers.attachTo)]),
    ...(options.length === 0 ? [] : [{ type: 'overflow' as const, action_id: actionIds.more, options }]),
  ];
}

function choicesOf(offers: Offers): MoreChoice[] {
  return allChoices.filter((choice) => offers[choice]);
}

function attachButton(issueId: string, number: IssueNumber): Button {
  return {
    ...button(`Attach to #${number}`, actionIds.attachTo, issueId),
    confirm: {
      title: { type: 'plain_text', text: `Attach to #${number}?` },
      text: {
        type: 'plain_text',
        text: `Its alerts count toward #${number} from now on, and this issue is resolved.`,
      },
      confirm: { type: 'plain_text', text: 'Attach' },
      deny: { type: 'plain_text', text: 'Cancel' },
    },
  };
}
