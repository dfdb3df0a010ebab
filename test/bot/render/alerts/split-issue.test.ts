import { checkModal } from 'local-slack';
import { describe, expect, it } from 'vitest';
import { attachModal, notSameModal } from '../../../../src/bot/render/alerts/split-issue.ts';

const about = { issueId: 'issue-1', channel: 'C1', number: 12 };
const repeat = {
  channel: 'C1',
  ts: '1773748800.000100',
  at: 1_773_748_800_000,
  title: 'Errors on <web-2>',
  url: 'https://acme.slack.com/archives/C1/p1773748800000100',
  readsTheSame: false,
};

/** A modal that Slack takes, as the local workspace knows its limits. */
function taken(modal: object): string {
  const json = JSON.stringify(modal);
  expect(() => checkModal(JSON.parse(json))).not.toThrow();
  return json;
}

describe('the modal of Not the same', () => {
  it('lists the repeats with their times and links, and asks for one', () => {
    const json = taken(notSameModal(about, [repeat]));
    expect(json).toContain('Which of these does not belong to #12?');
    expect(json).toContain('"value":"C1:1773748800.000100"');
    expect(json).toContain('p1773748800000100|Show it>');
    expect(json).toContain('Errors on &lt;web-2&gt;');
    expect(json).not.toContain('≈');
  });

  it('says which repeats read the same as the first alert, and what that means', () => {
    const json = taken(notSameModal(about, [repeat, { ...repeat, ts: '2.0', readsTheSame: true }]));
    expect(json).toContain('2. ≈ Errors');
    expect(json).toContain('such alerts go to the newer issue');
  });
});

describe('the modal of Attach', () => {
  it('offers the open issues of the channel, or a number', () => {
    const json = taken(attachModal(about, [{ number: 3, title: 'Disk' }]));
    expect(json).toContain('#3 Disk');
    expect(json).toContain('Or any issue number');
  });

  it('asks for a number alone where nothing else is open', () => {
    expect(taken(attachModal(about, []))).not.toContain('static_select');
  });
});
