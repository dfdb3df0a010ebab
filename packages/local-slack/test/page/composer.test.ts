import { describe, expect, it } from 'vitest';
import { complete, usageHint } from '../../page/model/completion.ts';
import type { PageState } from '../../src/page-api.ts';

const workspace: PageState = {
  team: { id: 'T1', name: 'Acme' },
  users: [{ id: 'U1', name: 'alice', real_name: 'Alice Ferrer', is_bot: false, color: '#000' }],
  channels: ['alerts', 'alarms', 'general'].map((name) => ({
    id: name,
    name,
    topic: '',
    is_im: false,
    is_private: false,
    bot_is_member: true,
  })),
  commands: [
    { command: '/incident', description: 'File an issue', usage_hint: 'what is wrong' },
    { command: '/issue', description: 'Show an issue' },
  ],
  shortcuts: [],
  bot: { user_id: 'UB', name: 'Gizmo', online: true, has_home: false },
};
const inserts = (typed: string, caret = typed.length) => {
  const completion = complete(typed, caret, workspace);
  return completion && [completion.from, ...completion.suggestions.map(({ insert }) => insert)];
};

describe('the composer', () => {
  it.each([
    ['/', [0, '/incident ', '/issue ']],
    ['/IS', [0, '/issue ']],
    ['/issue', null],
    ['/issue 7', null],
    ['hello /i', null],
    ['hello @g', [6, '@Gizmo ']],
    ['@a', [0, '@alice ']],
    ['see #al', [4, '#alerts ', '#alarms ']],
    ['me@a', null],
    ['@nobody', null],
    ['done :tad', [5, ':tada: ']],
    ['at 10:41', null],
    ['so: ', null],
    [':x', null],
  ])('suggests for %j', (typed, expected) => {
    expect(inserts(typed)).toEqual(expected);
  });

  it('completes the word before the caret, not the last one', () => {
    expect(inserts('ask @al about it', 7)).toEqual([4, '@alice ']);
  });

  it('says how a command is used once its name is whole', () => {
    expect(
      ['/incident x', '/issue ', '/incident', '/nope x'].map((typed) => usageHint(typed, workspace)),
    ).toEqual(['/incident what is wrong', '/issue', null, null]);
  });
});
