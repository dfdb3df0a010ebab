import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseAlert } from '../../../src/bot/alerts/parse.ts';
import { requestForAlert } from '../../../src/bot/filing/request.ts';
import { IssueCreate } from '../../../src/contract/schema.ts';
import { runs } from '../../support/property-runs.ts';
import { fixtures, messageOf, toolMessage } from '../alerts/fixtures.ts';

const PERMALINK = 'https://acme.slack.com/archives/C0ALERTS01/p1794993262000100';
const origin = { issueId: 'abc', channel: 'C0ALERTS01', ts: '1794993262.000100', permalink: PERMALINK };
const requestFor = (message: unknown) =>
  requestForAlert(parseAlert(message), origin, {
    environment: 'production',
    severity: 'medium',
    earlier: null,
  });

const FOOT = `\n\n---\nSlack: ${PERMALINK}\nReference: gumshoe-abc`;
/** What only Slack understands: `<https://…|label>`, `<@U…>`, `<!here>`, `<#C…>`, and its three entities, whole or cut. */
const SLACKS = /<(?:[a-z]+:[^<>\s]*[|>]|[@#][A-Z]|![a-z])|&(?:amp|lt|gt);|&(?:am?p?|lt?|gt?)(?=…|$)/mu;

function holds(message: unknown): void {
  const request = requestFor(message);
  expect(IssueCreate.safeParse(request).error).toBeUndefined();
  expect(request.title).toMatch(/^\S(?:.{0,498}\S)?$/u);
  expect(request.description.endsWith(FOOT)).toBe(true);
  expect(request.description).not.toMatch(SLACKS);
  expect(request.title).not.toMatch(SLACKS);
}

describe('the create request for a message', () => {
  const alerts = [...fixtures.values()].filter(({ expected }) => expected.kind !== 'not_an_alert');
  it.each(alerts.map(({ name, message }) => [name, message] as const))(
    '%s is within every bound of the contract, and plain Markdown',
    (_, message) => holds(message),
  );

  it.each(alerts.map(({ name, message }) => [name, message] as const))(
    '%s carries each field that the message yields',
    (_, message) => {
      const alert = parseAlert(message);
      const { title, environment, severity, triggeredAt, context, description } = requestFor(message);
      const { kind, format, fingerprint, description: words, ...rest } = alert;
      const { title: _title, environment: _env, severity: _sev, triggeredAt: _at, ...fields } = rest;
      const stated = Object.entries(fields).filter(([, value]) => value !== null && value.length > 0);
      expect({ title, environment, severity, triggeredAt, context }).toStrictEqual({
        title: alert.title,
        environment: alert.environment?.replace(/^prod$/u, 'production') ?? 'production',
        severity: alert.severity ?? 'medium',
        triggeredAt: alert.triggeredAt ?? '2026-11-18T09:14:22.000Z',
        context: {
          ...Object.fromEntries(stated),
          metadata: { source: format, fingerprint, channel: 'C0ALERTS01', slackTs: '1794993262.000100' },
        },
      });
      expect(description.startsWith(words ?? '')).toBe(true);
      expect(description).toContain(`\n- State: ${kind}\n`);
    },
  );

  it('is whole for an alert of many facts', () => {
    expect(requestFor(messageOf('sentry-issue-new')).description).toBe(`POST /checkout

\`\`\`Cannot read properties of undefined (reading 'payload_transform')\`\`\`

environment: \`production\`  release: \`[1.42.0](https://acme.sentry.io/releases/checkout-api%401.42.0/)\`  server_name: \`web-14\`

State: **New**   First Seen: **Just now**

notes: @payments-oncall

Project: [checkout-api](https://acme.sentry.io/issues/?project=4511647571574784)    Alert: [Notify #alerts via Slack](https://sentry.io/organizations/acme/monitors/alerts/3657647/)    Short ID: CHECKOUT-API-4F

- State: firing
- Environment: production
- Service: checkout-api
- Host: web-14
- Version: 1.42.0
- Error: TypeError: Cannot read properties of undefined (reading 'payload_transform')
- Alert: https://acme.sentry.io/issues/7700748352/${FOOT}`);
  });

  it('is plain Markdown whatever marks of Slack the message has, wherever it is cut', () => {
    const mark = fc.constantFrom(
      ...['<https://a.example/b?c=1&amp;d=2|x &amp; y>', '<https://a.example>', '<@U0AB12CD3>', '<@W1|ada>'],
      ...[
        '<!here>',
        '<!subteam^S1|@sre>',
        '<!channel|@channel>',
        '<#C0AB12CD3|ops>',
        '<#C0AB12CD3>',
        '&lt; 7 ',
      ],
      ...[
        '<mailto:x@y.example|x@y.example>',
        '<!date^1794993262^{date}|then>',
        '<slack://open|tool>',
        '&amp;',
      ],
      ...['<!foo^bar|baz>', ' ', '\n', 'disk ', '*bold*', ':fire:', '&gt; 90 %', ' \n\n', '|', 'x'],
    );
    const text = fc.array(mark, { maxLength: 60 }).map((marks) => marks.join(''));
    const longer = fc
      .tuple(text, fc.integer({ min: 1, max: 3_000 }))
      .map(([one, times]) => one.repeat(times));
    fc.assert(
      fc.property(text, fc.oneof(text, longer), text, (title, words, value) => {
        const fields = [
          { title: 'Host', value },
          { title: 'Severity', value: 'high' },
        ];
        holds(toolMessage({ attachments: [{ title: `Triggered: ${title}`, text: words, fields }] }));
      }),
      { numRuns: runs(150) },
    );
  });
});
