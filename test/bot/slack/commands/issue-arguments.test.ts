import { describe, expect, it } from 'vitest';
import { readIssueWish } from '../../../../src/bot/slack/commands/issue-arguments.ts';

const HOUR = 3_600_000;
const all = { status: null, environment: null, search: null };

describe('what stands behind /issue', () => {
  it.each([
    ['12', { verb: 'show', number: 12 }],
    ['#12', { verb: 'show', number: 12 }],
    ['12.', { verb: 'show', number: 12 }],
    ['“12”', { verb: 'show', number: 12 }],
    ['  Show   issue #12, please ', { verb: 'show', number: 12 }],
    ['12 now', { verb: 'now', number: 12 }],
    ['catch me up on 12', { verb: 'now', number: 12 }],
    ['resolve 12', { verb: 'resolve', number: 12 }],
    ['12 RESOLVE', { verb: 'resolve', number: 12 }],
    ['close "12"', { verb: 'resolve', number: 12 }],
    ['mark #12 as resolved', { verb: 'resolve', number: 12 }],
    ['reopen 12', { verb: 'reopen', number: 12 }],
    ['unmute 12', { verb: 'reopen', number: 12 }],
    ['open 12', { verb: 'reopen', number: 12 }],
    ['ready 12', { verb: 'ready', number: 12 }],
    ['12 ready to fix', { verb: 'ready', number: 12 }],
    ['rm 12', { verb: 'delete', number: 12 }],
    ['delete 12', { verb: 'delete', number: 12 }],
    [
      '12 note We resolved 3 of 4',
      { verb: 'note', number: 12, change: { do: 'add', text: 'We resolved 3 of 4' } },
    ],
    ['note #P12: done', { verb: 'note', number: 'P12', change: { do: 'add', text: 'done' } }],
    ['12 note', { verb: 'note', number: 12, change: null }],
    ['notes 12', { verb: 'notes', number: 12 }],
    ['12 note edit 2 Later', { verb: 'note', number: 12, change: { do: 'edit', number: 2, text: 'Later' } }],
    ['12 note delete 2', { verb: 'note', number: 12, change: { do: 'delete', number: 2 } }],
    ['12 writeup', { verb: 'writeup', number: 12 }],
    ['write-up 12', { verb: 'writeup', number: 12 }],
    ['results 12', { verb: 'results', number: 12, version: null }],
    ['12 results v2', { verb: 'results', number: 12, version: 2 }],
    ['results version 3 of #12', { verb: 'results', number: 12, version: 3 }],
    ['12 v2', { verb: 'results', number: 12, version: 2 }],
    ['mute 12', { verb: 'mute', number: 12, forMs: null }],
    ['mute 12 24h', { verb: 'mute', number: 12, forMs: 24 * HOUR }],
    ['12 mute for 30 min', { verb: 'mute', number: 12, forMs: HOUR / 2 }],
    ['silence #12 for 2 days', { verb: 'mute', number: 12, forMs: 48 * HOUR }],
    ['mute 12 1w', { verb: 'mute', number: 12, forMs: 168 * HOUR }],
  ])('“%s” is understood', (text, wish) => {
    expect(readIssueWish(text)).toEqual(wish);
  });

  it.each([
    ['list', all],
    ['LIST', all],
    ['ls status:muted', { ...all, status: 'muted' }],
    ['list status = “ready to fix” env=Staging', { ...all, status: 'ready_to_fix', environment: 'Staging' }],
    ['list timeout', { ...all, search: 'timeout' }],
    ['status:Muted', { ...all, status: 'muted' }],
    ['muted', { ...all, status: 'muted' }],
    ['env:prod slow  checkout', { ...all, environment: 'prod', search: 'slow checkout' }],
    ['list muted 502 errors', { ...all, status: 'muted', search: '502 errors' }],
    ['list "muted" "list"', { ...all, search: 'muted list' }],
    ['search status:strange', { ...all, status: 'strange' }],
    ['status:resolved 502', { ...all, status: 'resolved', search: '502' }],
    ['list env:"my own" ‘x’', { ...all, environment: 'my own', search: '‘x’' }],
  ])('“%s” is a list', (text, filter) => {
    expect(readIssueWish(text)).toEqual({ verb: 'list', filter });
  });

  it.each([
    ['', { why: 'nothing' }],
    ['help', { why: 'nothing' }],
    ['please', { why: 'nothing' }],
    ['0', { why: 'bad_number', typed: '0' }],
    ['99999999999999999', { why: 'bad_number', typed: '99999999999999999' }],
    ['-1', { why: 'unknown', typed: '-1', nearest: null, number: null }],
    ['resovle 12', { why: 'unknown', typed: 'resovle', nearest: 'resolve', number: 12 }],
    ['deploy 12', { why: 'unknown', typed: 'deploy', nearest: null, number: 12 }],
    ['lst', { why: 'unknown', typed: 'lst', nearest: 'list', number: null }],
    ['resolve', { why: 'no_number', verb: 'resolve' }],
    ['resolve checkout', { why: 'not_a_number', typed: 'checkout', verb: 'resolve' }],
    ['resolve 1 2', { why: 'many_numbers', verb: 'resolve', number: 1 }],
    ['resolve delete 12', { why: 'two_verbs', verbs: ['resolve', 'delete'], number: 12 }],
    ['delete 12 not', { why: 'extra', verb: 'delete', number: 12, typed: 'not' }],
    ['resolve 12 env:prod', { why: 'extra', verb: 'resolve', number: 12, typed: 'prod' }],
    ['resolve 12 24h', { why: 'extra', verb: 'resolve', number: 12, typed: '24h' }],
    ['mute 12 forever', { why: 'span', typed: 'forever', number: 12 }],
    ['mute 12 0h', { why: 'span', typed: '0h', number: 12 }],
    ['mute 12 91d', { why: 'span', typed: '91d', number: 12 }],
    [`list ${'x'.repeat(201)}`, { why: 'too_long', what: 'search', max: 200 }],
    [`env:${'x'.repeat(101)}`, { why: 'too_long', what: 'environment', max: 100 }],
  ])('“%s” is not understood, and nothing is done', (text, misunderstood) => {
    expect(readIssueWish(text)).toEqual({ misunderstood });
  });
});
