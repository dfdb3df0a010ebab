import { checkModal } from 'local-slack';
import { describe, expect, it } from 'vitest';
import {
  hasItAlready,
  type InvestigateForm,
  investigateForm,
  openItAgain,
} from '../../../../src/bot/render/alerts/investigate-this.ts';
import { valuesIn } from '../../slack/support/shortcuts.ts';

const form = (overrides: Partial<InvestigateForm> = {}): InvestigateForm => ({
  fields: {
    title: 'CPU is high',
    description: 'It is.',
    environment: 'production',
    service: '',
    alertUrl: '',
    host: 'web-1',
    errorMessage: '',
  },
  severity: 'high',
  before: null,
  remember: '{}',
  simulated: false,
  ...overrides,
});

const issue = { number: 12, status: 'resolved', title: 'CPU is high', url: null };

describe('the form of Investigate this', () => {
  it('begins with what is known, and leaves empty what is not', () => {
    const view = investigateForm(form());
    checkModal(view);
    expect(valuesIn(view.blocks)).toEqual({
      title: 'CPU is high',
      description: 'It is.',
      severity: 'high',
      environment: 'production',
      service: null,
      alertUrl: null,
      host: 'web-1',
      errorMessage: null,
    });
  });

  it('names the closed issue that the message had, and says when nothing of it is real', () => {
    const view = investigateForm(form({ before: issue, simulated: true }));
    expect(JSON.stringify(view.blocks.slice(0, 2))).toMatch(/Simulated.*Filed before: #12 CPU is high/u);
  });
});

it('the window for whoever was slower gives back all that they wrote', () => {
  const typed = Array.from({ length: 300 }, (_, n) => `<&${n}>`).join(' ');
  const shown = JSON.stringify(checkModal(hasItAlready(issue, true, typed)).blocks);
  expect(shown).toContain('&lt;&amp;0&gt;');
  expect(shown).toContain('&lt;&amp;299&gt;');
});

it('the window that lost its message asks to be opened again', () => {
  expect(JSON.stringify(checkModal(openItAgain()).blocks)).toContain('Run the shortcut again');
});
