import { describe, expect, it } from 'vitest';
import { type DigestView, renderDigest } from '../../../../src/bot/render/digest/digest.ts';
import { columns, context, section } from '../../../../src/bot/render/rendered.ts';

const AT = Date.parse('2026-11-20T08:00:00Z');
const DATE = '<!date^1795161600^{time} {date_short_pretty}|2026-11-20 08:00 UTC>';

const issue = (number: number) => ({
  number,
  title: `Disk <${number}>`,
  url: `https://acme.slack.com/archives/C1/p${number}`,
  at: AT,
});
const named = (number: number) =>
  `• <https://acme.slack.com/archives/C1/p${number}|#${number}> Disk &lt;${number}&gt;`;

function view(change: Partial<DigestView> = {}): DigestView {
  return {
    since: AT,
    lateFrom: null,
    askedBy: null,
    open: [],
    filed: [],
    resolved: [],
    medianMs: null,
    stuck: [],
    offenders: [],
    votes: { up: 0, down: 0 },
    simulated: false,
    ...change,
  };
}

describe('a digest', () => {
  it('says the cause of an issue once, in the clock of whoever reads it', () => {
    const cause = 'Bad deploy of payments at 08:14 UTC';
    const blocks = renderDigest(
      view({ filed: [{ ...issue(5), cause }, issue(6)], resolved: [{ ...issue(5), cause }] }),
    ).blocks.slice(2);
    const said = 'Bad deploy of payments at <!date^1795162440^{time}|08:14 UTC>';
    expect(blocks).toEqual([
      section(`*New*\n${named(5)}\n  _Cause:_ ${said}\n${named(6)}`),
      section(`*Resolved*\n${named(5)}`),
    ]);
  });

  it('has the time that a cause names on the day of its issue, however far back the digest goes', () => {
    const cause = 'Bad deploy of payments at 08:14 UTC';
    const blocks = renderDigest(
      view({ since: AT - 7 * 86_400_000, filed: [{ ...issue(5), cause, at: AT }] }),
    ).blocks.slice(2);
    const said = 'Bad deploy of payments at <!date^1795162440^{time}|08:14 UTC>';
    expect(blocks).toEqual([section(`*New*\n${named(5)}\n  _Cause:_ ${said}`)]);
  });

  it('is figures first, then what needs somebody', () => {
    const whole = view({
      open: [
        { status: 'ready_to_fix', n: 2 },
        { status: 'muted', n: 1 },
      ],
      filed: [issue(7), issue(6)],
      resolved: [issue(5)],
      medianMs: 130 * 60_000,
      stuck: [
        { ...issue(1), why: 'open', since: AT },
        { ...issue(6), why: 'investigating', since: AT },
      ],
      offenders: [{ ...issue(1), times: 12 }],
      votes: { up: 3, down: 1 },
    });
    expect(renderDigest(whole)).toEqual({
      text: 'Digest: 3 open, 2 new, 1 resolved',
      blocks: [
        section(`📊 *Digest* · since ${DATE}`),
        columns([
          '*Open* 3\n2 🛠️ Ready to fix · 1 🔕 Muted',
          '*New* 2',
          '*Resolved* 1\nmedian 2 h 10 min',
          '*Votes on results and answers*\n👍 3 · 👎 1',
        ]),
        section(`*Stuck*\n${named(1)} · open since ${DATE}\n${named(6)} · investigating since ${DATE}`),
        section(`*New*\n${named(7)}\n${named(6)}`),
        section(`*Noisiest*\n${named(1)} · 12 times`),
        section(`*Resolved*\n${named(5)}`),
      ],
    });
  });

  it('says so where all is quiet, and where it is late', () => {
    expect(renderDigest(view({ lateFrom: AT, simulated: true }))).toEqual({
      text: 'Simulated: not your systems. Digest: 0 open, 0 new, 0 resolved',
      blocks: [
        context('Simulated: not your systems'),
        section(`📊 *Digest* · since ${DATE}`),
        context(`⏰ Late: it was due ${DATE} but could not be sent then.`),
        section('All quiet in this channel: nothing open, nothing filed, nothing resolved.'),
      ],
    });
  });

  it('shows five of a kind, and how many more there are', () => {
    const many = view({ filed: [9, 8, 7, 6, 5, 4, 3].map(issue) });
    const lines = [9, 8, 7, 6, 5].map(named).join('\n');
    expect(renderDigest(many).blocks.at(-1)).toEqual(section(`*New*\n${lines}\n… and 2 more`));
  });

  it('is plain where an issue has no number yet and no thread', () => {
    const one = view({ filed: [{ number: null, title: 'Disk', url: null, at: AT }] });
    expect(renderDigest(one).blocks.at(-1)).toEqual(section('*New*\n• #… Disk'));
  });

  it.each([
    [0, 'a minute'],
    [59 * 60_000, '59 min'],
    [60 * 60_000, '1 h'],
    [26 * 3_600_000 + 60_000, '1 d 2 h'],
  ])('calls %s milliseconds %s', (medianMs, words) => {
    expect(JSON.stringify(renderDigest(view({ resolved: [issue(1)], medianMs })))).toContain(
      `median ${words}"`,
    );
  });
});
