import { checkModal } from 'local-slack';
import { describe, expect, it } from 'vitest';
import { chooseHeld } from '../../../../src/bot/render/held/choose-held.ts';
import type { HeldProblemView } from '../../../../src/bot/render/held/held-view.ts';

const ABOUT = { hold: 'hold-1', channel: 'C1' };

function problem(n: number, overrides: Partial<HeldProblemView> = {}): HeldProblemView {
  return {
    key: `${1773748800 + n}.000100`,
    state: 'waiting',
    title: `Kind ${n} fails`,
    service: 'cart',
    tool: 'Alertmanager',
    severity: null,
    messages: n + 1,
    issue: null,
    ...overrides,
  };
}

const problems = (n: number) => Array.from({ length: n }, (_, i) => problem(i));

/** The modal, which Slack's limits as the local workspace knows them must let through. */
function modal(shown: readonly HeldProblemView[]) {
  const view = chooseHeld(ABOUT, shown);
  expect(() => checkModal(JSON.parse(JSON.stringify(view)))).not.toThrow();
  return view;
}

/** The options in their order. */
function optionsOf(shown: readonly HeldProblemView[]) {
  return modal(shown).blocks.flatMap((block) =>
    'element' in block && block.element.type === 'checkboxes' ? block.element.options : [],
  );
}

describe('the modal of Choose', () => {
  it('has a tick for each problem, with what helps to decide', () => {
    const [first, second] = optionsOf([problem(0), problem(1, { service: null, title: null })]);
    expect(first).toEqual({
      text: { type: 'plain_text', text: 'Kind 0 fails', emoji: false },
      description: { type: 'plain_text', text: '1 alert · cart · Alertmanager', emoji: false },
      value: '1773748800.000100',
    });
    expect(second?.text.text).toBe('Alert without a title');
    expect(second?.description?.text).toBe('2 alerts · Alertmanager');
  });

  it('has what recovered last, and marked; what was decided is not there', () => {
    const shown = optionsOf([
      problem(0, { state: 'recovered' }),
      problem(1, { state: 'filed' }),
      problem(2),
      problem(3, { state: 'dismissed' }),
    ]);
    expect(shown.map(({ text, description }) => [text.text, description?.text])).toEqual([
      ['Kind 2 fails', '3 alerts · cart · Alertmanager'],
      ['Kind 0 fails', 'recovered · 1 alert · cart · Alertmanager'],
    ]);
  });

  it('has ten in a block, which is all that Slack takes', () => {
    const labels = modal(problems(23)).blocks.flatMap((block) =>
      'element' in block ? block.label.text : [],
    );
    expect(labels).toEqual(['1 to 10', '11 to 20', '21 to 23']);
    expect(optionsOf(problems(23)).map(({ value }) => value)).toEqual(problems(23).map(({ key }) => key));
  });

  it('has ninety at most, and says how many more there are', () => {
    expect(optionsOf(problems(90))).toHaveLength(90);
    expect(JSON.stringify(modal(problems(90)))).not.toContain('not shown');
    expect(optionsOf(problems(93))).toHaveLength(90);
    expect(JSON.stringify(modal(problems(93)))).toContain('276 alerts from 3 problems are not listed');
  });
});
