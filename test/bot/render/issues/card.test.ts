import { describe, expect, it } from 'vitest';
import { renderCard } from '../../../../src/bot/render/issues/card.ts';
import { actions, button, columns, context, section } from '../../../../src/bot/render/rendered.ts';
import type { CardView } from '../../../../src/bot/render/views.ts';
import { cardView } from '../../../support/views.ts';

const NOW = Date.parse('2026-11-20T08:10:00Z');
const SINCE = '<!date^1795161600^{time} {date_short_pretty}|2026-11-20 08:00 UTC>';

function labels(view: CardView): string[] {
  const row = renderCard(view, NOW).blocks.find((block) => block.type === 'actions');
  return (row?.elements ?? []).map((element) =>
    element.type === 'button' ? element.text.text : element.type,
  );
}

function smallPrint(view: CardView, now = NOW): string[] {
  return renderCard(view, now).blocks.flatMap((block) =>
    block.type === 'context'
      ? block.elements.map((element) => (element.type === 'image' ? '' : element.text))
      : [],
  );
}

describe('the card of an issue', () => {
  it('shows what it is, where, since when, where it came from, and what can be done', () => {
    expect(renderCard(cardView(), NOW)).toEqual({
      text: '#12 Checkout answers 502 · 🔍 Investigating',
      blocks: [
        section('*#12 Checkout answers 502*'),
        columns([
          `*Status*\n🔍 Investigating · since ${SINCE}`,
          '*Severity*\n🔴 High',
          '*Environment*\nproduction',
          '*Service*\ncheckout',
        ]),
        context('From Alertmanager · <https://alerts.example/a?x=1&amp;y=2|Open the alert>'),
        actions([
          button('Ask', 'issue:ask', 'issue-1'),
          button('Resolve', 'issue:resolve', 'issue-1'),
          button('Mute', 'issue:mute', 'issue-1'),
        ]),
      ],
    });
  });

  it('says how far people are with the steps, and offers Resolve once all that must be done is', () => {
    const at = Date.parse('2026-11-20T08:05:00Z');
    const progress = {
      done: 2,
      total: 5,
      requiredDone: 1,
      required: 3,
      complete: false,
      last: { by: 'U0ALICE', at },
    };
    const view = (more: Partial<CardView>) => cardView({ source: null, alertUrl: null, ...more });
    const resolve = (one: CardView) =>
      JSON.stringify(renderCard(one, NOW).blocks).match(/"action_id":"issue:resolve"[^}]*/u)?.[0];
    const moment = '<!date^1795161900^{time} {date_short_pretty}|2026-11-20 08:05 UTC>';
    expect(smallPrint(view({ progress }))).toEqual([
      `2 of 5 steps done, 2 required left · last by <@U0ALICE> · ${moment}`,
    ]);
    expect(smallPrint(view({ progress: { ...progress, done: 0, last: null } }))).toEqual([]);
    const done = { ...progress, requiredDone: 3, complete: true };
    expect(resolve(view({ progress }))).not.toContain('primary');
    expect(resolve(view({ progress: done }))).toContain('primary');
    expect(resolve(view({ progress, status: 'ready_to_fix' }))).not.toContain('primary');
    expect(resolve(view({ progress: done, status: 'ready_to_fix' }))).toContain('primary');
  });

  it('tells of repeats, the recovery and the last action', () => {
    const at = Date.parse('2026-11-20T08:05:00Z');
    const view = cardView({
      source: null,
      alertUrl: null,
      repeats: 3,
      lastRepeatAt: at,
      recoveredAt: at,
      lastAction: { userId: 'U0ALICE', what: 'muted it for 24 hours', at },
    });
    const moment = '<!date^1795161900^{time} {date_short_pretty}|2026-11-20 08:05 UTC>';
    expect(smallPrint(view)).toEqual([
      `Fired again 3 times · last ${moment}`,
      `The alert recovered · ${moment}`,
      `<@U0ALICE> muted it for 24 hours · ${moment}`,
    ]);
  });

  it('links the alert’s own runbook, and those that are found, by their titles', () => {
    const runbooks = [
      { title: null, url: 'https://wiki.example/errors' },
      { title: 'Payments <!here>', url: 'https://github.com/acme/runbooks/blob/main/payments.md' },
      { title: 'Nowhere', url: 'javascript:alert(1)' },
    ];
    expect(smallPrint(cardView({ runbooks }))[0]).toBe(
      'Runbook: <https://wiki.example/errors> · <https://github.com/acme/runbooks/blob/main/payments.md|Payments !here> · Nowhere',
    );
  });

  it('has the number once the service has given one', () => {
    const card = renderCard(cardView({ number: null, status: 'filing' }), NOW);
    expect(card.text).toBe('Checkout answers 502 · ⏳ Filing');
    expect(card.blocks[0]).toEqual(section('*Checkout answers 502*'));
  });

  it('says why it failed', () => {
    const card = renderCard(cardView({ status: 'failed', failure: 'The service refused the key <k>.' }), NOW);
    expect(card.blocks[2]).toEqual(section('⚠️ The service refused the key &lt;k&gt;.'));
  });

  it('says that an investigation outlasts half an hour', () => {
    const late = Date.parse('2026-11-20T08:30:01Z');
    expect(smallPrint(cardView(), late)[0]).toBe(
      'Taking longer than 30 minutes. Results will still be posted here.',
    );
    expect(smallPrint(cardView({ status: 'resolved' }), late)).not.toContain(
      'Taking longer than 30 minutes. Results will still be posted here.',
    );
  });

  it('begins by saying that it is simulated', () => {
    const card = renderCard(cardView({ simulated: true }), NOW);
    expect(card.text).toBe('Simulated: not your systems. #12 Checkout answers 502 · 🔍 Investigating');
    expect(card.blocks[0]).toEqual(context('Simulated: not your systems'));
  });

  it('shows values that the service’s document does not name as they are', () => {
    const [, facts] = renderCard(
      cardView({ status: 'on_hold', severity: 'SEV-1', environment: ' ' }),
      NOW,
    ).blocks;
    expect(facts).toEqual(
      columns([
        `*Status*\non_hold · since ${SINCE}`,
        '*Severity*\nSEV-1',
        '*Environment*\nnot stated',
        '*Service*\ncheckout',
      ]),
    );
  });

  it('takes nothing of an alert for its own', () => {
    const view = cardView({
      title: '<!channel> *x* <https://evil.example|ok>',
      alertUrl: 'javascript:alert(1)',
    });
    const card = renderCard(view, NOW);
    expect(card.blocks[0]).toEqual(section('*#12 &lt;!channel&gt; ∗x∗ &lt;https://evil.example|ok&gt;*'));
    expect(smallPrint(view)).toEqual(['From Alertmanager · Open the alert']);
  });
});

describe('the buttons of a card', () => {
  it.each([
    ['filing', []],
    ['investigating', ['Ask', 'Resolve', 'Mute']],
    ['ready_to_fix', ['Resolve', 'Mute', 'Ask']],
    ['resolved', ['Reopen', 'Write-up']],
    ['muted', ['Reopen', 'Resolve']],
    ['failed', ['Try again']],
    ['deleted', []],
    ['on_hold', ['Ask', 'Resolve', 'Mute']],
  ])('fit the status %s', (status, expected) => {
    expect(labels(cardView({ status }))).toEqual(expected);
  });
});
