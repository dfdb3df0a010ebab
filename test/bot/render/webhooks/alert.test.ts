import { expect, it } from 'vitest';
import { type AlertView, renderAlert } from '../../../../src/bot/render/webhooks/alert.ts';

const firing: AlertView = {
  alert: {
    title: 'HighErrorRate',
    description: null,
    severity: 'high',
    service: 'payments',
    environment: 'production',
    alertUrl: null,
  },
  labels: {},
  links: [],
  tool: 'Alertmanager',
  overAt: null,
  verdict: null,
};
const cause = {
  rootCause: { rootCauseSummary: 'Bad deploy of *payments* 1.184.16 at 14:02 UTC' },
  causalTreeV2: { nodes: [{ id: 'a', title: 'Deploy', confidence: 'high' }], edges: [] },
};

function lastLine(verdict: AlertView['verdict']): unknown {
  return renderAlert({ ...firing, verdict }).blocks.at(-1);
}

it('an alert ends with the cause and its confidence, once they are known', () => {
  const line = (text: string) => ({
    type: 'context',
    elements: [expect.objectContaining({ type: 'mrkdwn', text })],
  });
  expect(lastLine(null)).toEqual(line('Alertmanager'));
  expect(lastLine({ results: cause, simulated: false })).toEqual(
    line('🔎 *Root cause* · confidence high: Bad deploy of ∗payments∗ 1.184.16 at 14:02 UTC'),
  );
  expect(lastLine({ results: {}, simulated: true })).toEqual(
    line('Simulated: not your systems. 🤷 No root cause found'),
  );
});
