import { describe, expect, it } from 'vitest';
import { actionIds } from '../../../../src/bot/render/action-ids.ts';
import {
  offerFiling,
  suggestFiling,
  suggestionFiled,
  suggestionOver,
} from '../../../../src/bot/render/alerts/suggestion.ts';

const PLACE = { channel: 'C1', ts: '10.000000' };

describe('a suggestion', () => {
  it.each([offerFiling, suggestFiling])('has one button, which names the message', (render) => {
    expect(render(PLACE).blocks.slice(1)).toEqual([
      {
        type: 'actions',
        elements: [
          {
            type: 'button',
            text: { type: 'plain_text', text: 'File it', emoji: true },
            action_id: actionIds.fileIt,
            value: 'C1:10.000000',
            style: 'primary',
          },
        ],
      },
    ]);
  });

  it.each([
    [{ number: 12, by: 'U1', counted: false }, 'Filed as #12 by <@U1>.'],
    [{ number: 12, by: 'U1', counted: true }, 'Counted toward #12, requested by <@U1>.'],
    [{ number: null, by: 'U1', counted: false }, 'Filing, requested by <@U1>.'],
    [{ number: 12, by: '<!channel>', counted: false }, 'Filed as #12 by someone.'],
  ])('that came to %o says so, without a button', (filed, text) => {
    expect(suggestionFiled(filed)).toEqual({
      text,
      blocks: [{ type: 'section', text: { type: 'mrkdwn', text, verbatim: true } }],
    });
  });

  it('whose alert is over has no button either', () => {
    expect(suggestionOver().blocks.map(({ type }) => type)).toEqual(['section']);
  });
});
