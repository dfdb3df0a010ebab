import { checkHome } from 'local-slack';
import { describe, expect, it } from 'vitest';
import { fitHome, renderHome } from '../../../../src/bot/render/home/home.ts';
import type { HomeIssue, HomePageView } from '../../../../src/bot/render/home/view.ts';
import { section } from '../../../../src/bot/render/rendered.ts';

const AT = Date.parse('2026-11-20T08:15:00Z');
const DATE = '<!date^1795162500^{time} {date_short_pretty}|2026-11-20 08:15 UTC>';

function issue(more: Partial<HomeIssue> = {}): HomeIssue {
  return {
    issueId: 'abc',
    number: 12,
    title: 'Checkout answers 502',
    group: 'ready',
    status: 'ready_to_fix',
    severity: 'high',
    environment: 'production',
    service: null,
    statusSince: AT,
    mutedUntil: null,
    channel: 'C0HOME',
    url: 'https://acme.slack.com/archives/C0HOME/p1',
    gone: false,
    ...more,
  };
}

function page(more: Partial<HomePageView> = {}): HomePageView {
  return {
    note: null,
    setup: null,
    counts: { failed: 0, ready: 1, unexplained: 0, investigating: 0, muted: 0 },
    issues: [issue()],
    page: 0,
    pages: 1,
    channels: [{ id: 'C0HOME', lastAlertAt: AT, held: 2, catchingUp: true }],
    paused: null,
    program: null,
    degraded: [],
    simulated: false,
    ...more,
  };
}

const plain = (text: string) => ({ type: 'plain_text', text, emoji: true });

describe('the Home', () => {
  it('shows what is open with what can be done to it, and how the watched channels are', () => {
    expect(renderHome(page())).toEqual({
      type: 'home',
      blocks: [
        { type: 'header', text: plain('Open issues') },
        {
          type: 'context',
          elements: [
            {
              type: 'mrkdwn',
              text: '🛠️ 1 ready to fix · 🔍 0 under investigation · 🔕 0 muted',
              verbatim: true,
            },
          ],
        },
        {
          type: 'actions',
          block_id: 'home:new',
          elements: [
            {
              type: 'button',
              text: plain('New issue'),
              action_id: 'home:new_issue',
              value: 'new',
              style: 'primary',
            },
          ],
        },
        section('*🛠️ Ready to fix*'),
        {
          ...section(
            `<https://acme.slack.com/archives/C0HOME/p1|#12> *Checkout answers 502*\n🔴 High · production · since ${DATE} · <#C0HOME>`,
          ),
          block_id: 'issue:abc',
          accessory: {
            type: 'overflow',
            action_id: 'home:issue',
            options: [
              { text: plain('Resolve'), value: 'resolve:abc' },
              { text: plain('Mute for 24 hours'), value: 'mute:abc' },
            ],
          },
        },
        { type: 'divider' },
        { type: 'header', text: plain('Watched channels') },
        section(
          `• <#C0HOME>: last alert ${DATE} · ⏸️ 2 held alerts, awaiting a decision · ⏳ catching up on what was posted while I was down`,
        ),
      ],
    });
  });

  it('says where an issue cannot be shown any more', () => {
    const words = JSON.stringify(renderHome(page({ issues: [issue({ url: null, gone: true })] })));
    expect(words).toContain('#12 *Checkout answers 502*');
    expect(words).toContain('<#C0HOME> · 🗑️ message deleted in Slack; use `/issue` to see it');
  });

  it('turns pages both ways', () => {
    const ids = (view: HomePageView) =>
      JSON.stringify(renderHome(view)).match(/home:(?:previous|next)/gu) ?? [];
    expect(ids(page({ page: 0, pages: 3 }))).toEqual(['home:next']);
    expect(ids(page({ page: 1, pages: 3 }))).toEqual(['home:previous', 'home:next']);
    expect(ids(page({ page: 2, pages: 3 }))).toEqual(['home:previous']);
  });

  it('offers admins to pause, and to go on', () => {
    const program = {
      version: '1.2.3',
      startedAt: AT,
      slackSince: AT,
      service: [],
      polledAt: AT,
      outbox: 0,
      inbox: 0,
      pending: 0,
      day: { used: 3, issues: 500 },
      watchedChannels: 1,
    };
    expect(JSON.stringify(renderHome(page({ program })))).toContain('home:pause');
    const model = { name: 'tiny', host: 'model.example.com', tokens: 12_300, ceiling: 1_000_000 };
    expect(JSON.stringify(renderHome(page({ program: { ...program, model } })))).toContain(
      'Language model, tiny at model.example.com: 12,300 of 1,000,000 tokens today\\n',
    );
    const paused = JSON.stringify(renderHome(page({ program, paused: { by: 'U0ALICE', at: AT } })));
    expect(paused).toContain('home:resume');
    expect(paused).toContain('Filing is paused in all channels');
  });

  it('says it where nothing is open, and where nothing is watched', () => {
    const empty = JSON.stringify(renderHome(page({ issues: [], channels: [] })));
    expect(empty).toContain('Nothing is open');
    expect(empty).toContain('/gumshoe watch');
  });

  it('is cut to Slack’s limits, and says so', () => {
    const home = fitHome(Array.from({ length: 120 }, (_, n) => section(`Line ${n}`)));
    expect(home.blocks).toHaveLength(100);
    expect(JSON.stringify(home.blocks.at(-1))).toContain('… shortened: 21 more parts');
    expect(() => checkHome(home)).not.toThrow();
  });
});
