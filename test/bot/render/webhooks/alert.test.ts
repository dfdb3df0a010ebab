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
  sign: null,
};
const cause = {
  rootCause: { rootCauseSummary: 'Bad deploy of *payments* 1.184.16 at 14:02 UTC' },
  causalTreeV2: { nodes: [{ id: 'a', title: 'Deploy', confidence: 'high' }], edges: [] },
};

type Sign = NonNullable<AlertView['sign']>;

const filed: Sign = { became: 'filed', reason: 'new_alert', issue: null, heldUrl: null, verdict: null };
const again: Sign = {
  became: 'counted',
  reason: { code: 'fired_anew', minutes: 60 },
  issue: { number: 3, url: 'https://example.slack.com/archives/C1/p1773748800000100' },
  heldUrl: null,
  verdict: null,
};

function lastLine(sign: AlertView['sign']): unknown {
  return renderAlert({ ...firing, sign }).blocks.at(-1);
}

const line = (text: string) => ({
  type: 'context',
  elements: [expect.objectContaining({ type: 'mrkdwn', text })],
});

it('an alert ends with the cause and its confidence, once they are known', () => {
  expect(lastLine(null)).toEqual(line('Alertmanager'));
  expect(lastLine(filed)).toEqual(line('Alertmanager'));
  expect(lastLine({ ...filed, verdict: { results: cause, simulated: false } })).toEqual(
    line('🔎 *Root cause* · confidence high: Bad deploy of ∗payments∗ 1.184.16 at 14:02 UTC'),
  );
  expect(lastLine({ ...filed, verdict: { results: {}, simulated: true } })).toEqual(
    line('Simulated: not your systems. 🤷 No root cause found'),
  );
});

it('one that fires again says where it is looked at; then what was found there', () => {
  const where = '<https://example.slack.com/archives/C1/p1773748800000100|#3>';
  expect(lastLine(again)).toEqual(line(`Fired again after it was over: investigated again in ${where}.`));
  expect(lastLine({ ...again, verdict: { results: cause, simulated: false } })).toEqual(
    line(`🔎 *Root cause* · confidence high: Bad deploy of ∗payments∗ 1.184.16 at 14:02 UTC · ${where}`),
  );
});

it('one that flaps, and is looked at no more, bears no verdict of another firing', () => {
  const flapping = { ...again, reason: { code: 'flapping', times: 3, minutes: 30 } } as const;
  expect(lastLine({ ...flapping, verdict: { results: cause, simulated: false } })).toEqual(
    line(
      'Flapping, 3 times in 30 minutes: counted toward <https://example.slack.com/archives/C1/p1773748800000100|#3>, and not investigated again.',
    ),
  );
});
