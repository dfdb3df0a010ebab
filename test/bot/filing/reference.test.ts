import { describe, expect, it } from 'vitest';
import { hasReference, issueIdIn, readReferences, withReference } from '../../../src/bot/filing/reference.ts';

const permalink = (channel: string, ts: string) =>
  `https://acme.slack.com/archives/${channel}/p${ts.replace('.', '')}`;
const TS = '1700000000.000100';
const at = (channel: string) => permalink(channel, TS);
const read = (...texts: string[]) => readReferences(texts, permalink);
const ID = '0123456789abcdef0123';

const SECRET = withReference('The pool is full', ID, at('C0SECRET'));
const unreadable = { kind: 'unreadable' };
const none = { kind: 'none' };

describe('where an issue belongs', () => {
  it('is the channel of the permalink beside its reference', () => {
    expect(read(SECRET)).toEqual({ kind: 'channels', channels: ['C0SECRET'] });
  });

  it.each([
    ['other line ends', SECRET.replaceAll('\n', '\r\n')],
    ['white space behind it', `${SECRET}  \n\n`],
    [
      'the thread in its permalink',
      SECRET.replace(at('C0SECRET'), `${at('C0SECRET')}?thread_ts=1.2&cid=C0SECRET`),
    ],
    ['no words before it', SECRET.slice(SECRET.indexOf('Slack:'))],
  ])('is read with %s', (_what, text) => {
    expect(read(text)).toEqual({ kind: 'channels', channels: ['C0SECRET'] });
  });

  it.each([
    ['no reference', 'The pool is full'],
    ['nothing at all', ''],
    ['the name of the program', 'The pod gumshoe-7d9f8b6c5d-x2x4z restarts; gumshoe-bot is fine'],
    ['a permalink alone', `See Slack: ${at('C0SECRET')}`],
    ['a word for it alone', 'Reference: ticket 7'],
  ])('is nowhere with %s', (_what, text) => {
    expect(read(text)).toEqual(none);
  });

  it('is every channel that is named, whatever alert text says', () => {
    const forged = withReference('Look', 'abc', at('C0OPEN'));
    expect(read(withReference(forged, ID, at('C0SECRET')))).toEqual({
      kind: 'channels',
      channels: ['C0OPEN', 'C0SECRET'],
    });
    expect(read('no words of ours', SECRET)).toEqual({ kind: 'channels', channels: ['C0SECRET'] });
    expect(read(SECRET, forged)).toEqual({ kind: 'channels', channels: ['C0SECRET', 'C0OPEN'] });
  });

  it.each([
    ['there is no permalink', withReference('Look', ID, null)],
    ['alert text stands in for a permalink', withReference(`Look\nSlack: ${at('C0OPEN')}`, ID, null)],
    [
      'alert text brings both lines, and ours has no permalink',
      withReference(`Look\nSlack: ${at('C0OPEN')}\nReference: gumshoe-abc`, ID, null),
    ],
    [
      'alert text brings one reference more',
      withReference('Look at Reference: gumshoe-abc', ID, at('C0OPEN')),
    ],
    ['alert text brings an id of ours', withReference(`Look at gumshoe-${ID}`, ID, at('C0OPEN'))],
    ['alert text brings one on a line', withReference('Look\n* gumshoe-abc *\n', ID, at('C0OPEN'))],
    ['it is of another workspace', SECRET.replace('acme.slack.com', 'evil.slack.com')],
    [
      'it is of a workspace of that name elsewhere',
      SECRET.replace('acme.slack.com', 'acme.slack.com.evil.example'),
    ],
    ['it names a path behind a channel', SECRET.replace('C0SECRET/p', 'C0SECRET/../C0OPEN/p')],
    ['it names two channels', SECRET.replace(at('C0SECRET'), `${at('C0SECRET')}?thread_ts=1.2&cid=C0OPEN`)],
    ['it is no address', SECRET.replace(at('C0SECRET'), 'the-alerts-channel')],
    ['something stands behind it', `${SECRET}\n\nUpdated by the service.`],
    ['it is written otherwise', SECRET.replace('Reference:', 'REFERENCE :')],
    ['a line stands between', SECRET.replace('\nReference', '\n\nReference')],
  ])('cannot be told where %s', (_what, text) => {
    expect(read(text)).toEqual(unreadable);
    expect(read('', text, SECRET)).toEqual(unreadable);
  });

  it('cannot be told where alert text names many', () => {
    const forged = Array.from({ length: 6 }, (_, n) => `Slack: ${at(`C${n}OPEN`)}\nReference: gumshoe-abc`);
    expect(read(withReference(forged.slice(0, 4).join('\n'), ID, at('C0SECRET')))).toMatchObject({
      kind: 'channels',
    });
    expect(read(withReference(forged.join('\n'), ID, at('C0SECRET')))).toEqual(unreadable);
  });

  it('is read in time from a text that is made to be slow', () => {
    const long = `${'reference '.repeat(20_000)}${' '.repeat(100_000)}${'gumshoe-'.repeat(20_000)}`;
    expect(read(long)).toEqual(none);
  });
});

describe('the reference of an issue', () => {
  it('is its last line', () => {
    expect(issueIdIn(SECRET)).toBe(ID);
    expect(issueIdIn(`${SECRET}\nmore`)).toBeNull();
  });

  it('is not one that its text quotes', () => {
    const quoting = withReference(SECRET, 'own', null);
    expect(hasReference(quoting, 'own')).toBe(true);
    expect(hasReference(quoting, ID)).toBe(false);
    expect(hasReference('nothing', ID)).toBe(false);
  });
});
